"""The streaming way through a large PDH file: polars scans the text straight into the store.

The samples are never in memory as a whole. The checks of the fast way are made piece by piece: on timestamps and last
cells as they pass, on values and gaps in the written file. If anything is unusual, this way gives up, and `rows` reads
the file line by line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from workbench.readers.common import below_zero
from workbench.readers.common.stored_rows import stored_rows
from workbench.readers.perfmon.table import BLANK, ColumnLayout, csv_schema, split_cells, stamps_of
from workbench.readers.text.rows import Whole
from workbench.readers.text.timestamps import IntArray, Order, decide_order, to_microseconds

# Values per batch of the store's file; a batch is in memory several times over.
_BATCH_VALUES = 2 << 20


@dataclass(frozen=True, eq=False)
class Streamed:
    """Samples in the store: their ascending times and the number of empty cells. `whole` tests for short rows; it is
    None if there cannot be any. `below` are the watched columns with values below zero."""

    times: IntArray
    missing: int
    whole: Whole | None
    below: tuple[int, ...] = ()


class _OddError(Exception):
    """A piece of the file is unusual."""


def stream_table(
    source: Path,
    skip_lines: int,
    first_line: str,
    layout: ColumnLayout,
    padded_suffices: bool,
    columns: Path,
    not_below_zero: Sequence[int] = (),
) -> Streamed | None:
    """Scans `source` into `columns`. Returns None if anything in it is unusual.

    Only dates in PDH's own order and shape are accepted, with `padded_suffices` also those without milliseconds, and
    only a clock that never goes back. The result names the columns of `not_below_zero` that have negative values.
    """
    cells = split_cells(first_line, layout.header.delimiter, layout.width)
    if cells is None or len(cells) != layout.width or layout.header.delimiter == ";":
        return None
    watch = _Watch(layout, padded_suffices)
    try:
        watch.scanned(source, skip_lines).sink_ipc(
            columns, compression="uncompressed", record_batch_size=batch_rows(layout.kept)
        )
        unsure = watch.empty_last_cells > (not cells[-1].strip())
        return _looked_at(columns, first_line, layout, unsure, not_below_zero)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, _OddError):  # the second is not an Exception
        return None


def batch_rows(counters: int) -> int:
    """Returns the number of rows per batch of the store's file: polars' own choice would hold gigabytes of a wide
    table."""
    return max(1, _BATCH_VALUES // (1 + counters))


class _Watch:
    """Checks the timestamps and the last cells of each passing piece, in any order."""

    def __init__(self, layout: ColumnLayout, padded_suffices: bool) -> None:
        self._layout = layout
        self._padded_suffices = padded_suffices
        self.empty_last_cells = 0

    def scanned(self, source: Path, skip_lines: int) -> pl.LazyFrame:
        """Returns the query that reads times and counters."""
        layout = self._layout
        schema = csv_schema(layout)
        last = [*schema][-1]
        frame = pl.scan_csv(
            source,
            has_header=False,
            skip_lines=skip_lines,
            schema=schema,
            null_values=BLANK,
            separator=layout.header.delimiter,
            glob=False,
        )
        spare = [f"x{number}" for number in range(layout.dropped)]
        watched = [*dict.fromkeys(("t", last, *spare))]
        times = pl.struct(watched).map_batches(self._times, return_dtype=pl.Int64, is_elementwise=True)
        counters = [
            pl.col(name).cast(pl.Float64, strict=True) if name == last else pl.col(name) for name in layout.columns
        ]
        return frame.select(times.alias("t"), *counters)

    def _times(self, piece: pl.Series) -> pl.Series:
        """Returns the times of a piece in microseconds. Raises _OddError if it is unusual."""
        cells = piece.struct.unnest()
        if not cells.height:
            return pl.Series("t", [], pl.Int64)
        *_, last = cells.iter_columns()
        self.empty_last_cells += last.null_count() + int((last == "").sum())
        texts = cells.to_series(0)
        if texts.has_nulls():
            raise _OddError
        for number in range(self._layout.dropped):
            if not cells[f"x{number}"].drop_nulls().str.strip_chars().eq("").all():
                raise _OddError
        stamps = stamps_of(texts)
        usual = stamps.standard or (self._padded_suffices and stamps.padded)
        if not usual or not stamps.valid.all() or decide_order(stamps, trusted=True) is not Order.MONTH_FIRST:
            raise _OddError
        times, real = to_microseconds(stamps, Order.MONTH_FIRST)
        if not real.all():
            raise _OddError
        return pl.Series("t", times)


def _looked_at(
    columns: Path, first_line: str, layout: ColumnLayout, unsure: bool, watched: Sequence[int]
) -> Streamed | None:
    """Checks the written samples. Returns None if the clock goes back or a value is infinite or NaN."""
    pieces: list[IntArray] = []
    missing, below = 0, set[int]()
    for frame in stored_rows(columns):
        pieces.append(frame["t"].to_numpy().copy())
        counters = frame.select(layout.columns)
        if not all(math.isfinite(total or 0.0) for total in counters.sum().row(0)):
            return None
        missing += sum(counters.null_count().row(0))
        below.update(below_zero.find(counters, watched))
    times = np.concatenate(pieces)
    if not times.size or (np.diff(times) < 0).any():
        return None
    whole = Whole.of(first_line, layout.header.delimiter, times.size)
    return Streamed(times, missing, whole if unsure else None, tuple(sorted(below)))
