"""Samples below zero where nothing below zero can be measured: a rate, a latency, an amount.

A counter that was set back, or an interval that a clock bent, leaves such numbers in files that are well formed.
They are taken out of the store, so that they are missing wherever the column is used. Columns without a metric
keep theirs: esxtop's -1 in `Alloc Max` says "no limit".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from workbench.model.recording import Series

_FLAT_MAGIC = b"\x93NUMPY"
# Values of one batch of a file that is written again.
_BATCH_VALUES = 2 << 20


class Below(NamedTuple):
    """The cells of one column that are below zero: the row of the first and its value, and how many there are."""

    column: int
    row: int
    value: float
    number: int


def measured(series: Sequence[Series]) -> list[int]:
    """The columns that have a metric: none of them can be below zero."""
    return [counter.column for counter in series if counter.metric is not None]


def find(counters: pl.DataFrame | pl.LazyFrame, places: Sequence[int]) -> list[int]:
    """Those of the columns `places` (stored as `c0`, `c1`, …) whose least value is below zero."""
    if not places:
        return []
    least = counters.select(pl.col([f"c{index}" for index in places]).min())
    if isinstance(least, pl.LazyFrame):
        least = least.collect(engine="streaming")
    return [index for index, value in zip(places, least.row(0), strict=True) if value is not None and value < 0]


def take_out(columns: Path, places: Sequence[int]) -> list[Below]:
    """Leaves the cells below zero of these columns empty in the store's file; returns what they were."""
    if not places:
        return []
    with columns.open("rb") as stream:
        flat = stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC
    return _of_flat(columns, places) if flat else _of_ipc(columns, places)


def _of_flat(columns: Path, places: Sequence[int]) -> list[Below]:
    matrix = np.load(columns, mmap_mode="r+")
    belows: list[Below] = []
    for index in places:
        values = matrix[1 + index]
        rows = np.flatnonzero(values < 0)
        if rows.size:
            belows.append(Below(index, int(rows[0]), float(values[rows[0]]), rows.size))
            values[rows] = np.nan
    matrix.flush()
    return belows


def _of_ipc(columns: Path, places: Sequence[int]) -> list[Below]:
    stored = pl.scan_ipc(columns, glob=False)
    belows: list[Below] = []
    for index in places:
        values = stored.select(f"c{index}").collect().to_series().to_numpy()
        rows = np.flatnonzero(values < 0)
        if rows.size:
            belows.append(Below(index, int(rows[0]), float(values[rows[0]]), rows.size))
    part = columns.with_name(f"{columns.name}.mended")
    names = [f"c{below.column}" for below in belows]
    width = len(stored.collect_schema())
    try:
        stored.with_columns(pl.when(pl.col(name) >= 0).then(pl.col(name)).alias(name) for name in names).sink_ipc(
            part, compression="uncompressed", record_batch_size=max(1, _BATCH_VALUES // width)
        )
        part.replace(columns)
    finally:
        part.unlink(missing_ok=True)
    return belows
