"""All values that are not missing, in one piece."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.phases.integral import few_rows

FloatArray = npt.NDArray[np.float64]


def known_values(blocks: Sequence[FloatArray]) -> FloatArray:
    """The values of all blocks (of one dimension or two) that are not missing, in their order, as a new array."""
    known: FloatArray = disk_arrays.empty(sum(block.size for block in blocks), np.float64)
    end = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for table in map(np.atleast_2d, blocks):
            for rows in few_rows(*table.shape):
                values = table[rows].ravel()
                # A sum costs less than a look at each.
                held = values[~np.isnan(values)] if np.isnan(values.sum()) else values
                known[end : end + held.size] = held
                end += held.size
    return known[:end]
