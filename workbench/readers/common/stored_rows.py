"""The rows of a finished Arrow file of the store, some at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from workbench.interrupts import stop_if_cancelled

# So many values are in memory at a time.
_VALUES = 1 << 22


def stored_rows(columns: Path) -> Iterator[pl.DataFrame]:
    """Frames of all columns that together are the file; at least one. Raises Cancelled between two.

    A query that polars streams reads ahead of what is computed, up to the whole file: 2.5 GB of a log of 3.3 GB.
    """
    # No globbing: a store may lie below a folder with brackets or stars in its name.
    stored = pl.scan_ipc(columns, glob=False)
    step, start = max(1, _VALUES // len(stored.collect_schema())), 0
    while True:
        stop_if_cancelled()
        frame = stored.slice(start, step).collect()
        yield frame
        if frame.height < step:
            return
        start += step
