"""Samples of very many counters in one flat file.

Arrow IPC spends more on describing a column than on writing it once there are thousands of short ones. Such a
table is stored as one NumPy array (`.npy`, format of NumPy's own documentation): float64, one row for each
series and in front of them the times, in microseconds since 1970 (exact: below 2**53); NaN = missing.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from numpy.lib import format as npy

# From so many counters on the flat file is the faster one to write and to read.
FLAT_FROM = 1000
# Rows of the matrix looked at in one go: what fits a core's own cache.
_STEP = 1 << 16


def count_missing(matrix: npt.NDArray[np.float64]) -> int | None:
    """The number of NaN in a matrix; None when a value is infinite."""
    flat = matrix.reshape(-1, order="A")
    missing = 0
    for start in range(0, flat.size, _STEP):
        part = flat[start : start + _STEP]
        # One pass over memory finds the usual case: a sum is finite only when everything in it is.
        if not np.isfinite(part.sum()):
            if np.isinf(part).any():
                return None
            missing += int(np.count_nonzero(np.isnan(part)))
    return missing


def as_matrix(counters: pl.DataFrame) -> npt.NDArray[np.float64]:
    """The counters as one array, a column each, in column order; nulls are NaN."""
    return counters.rechunk().to_numpy(order="fortran")


def write_flat(columns: Path, times: npt.NDArray[np.int64], matrix: npt.NDArray[np.float64]) -> None:
    """Writes times and counters to `columns`."""
    shape = (1 + matrix.shape[1], matrix.shape[0])
    with columns.open("wb", buffering=0) as stream:
        header = {"descr": "<f8", "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(stream, header)
        stream.write(times.astype("<f8").data)
        view = np.ascontiguousarray(matrix.T).data.cast("B")
        while view:
            view = view[stream.write(view) :]
