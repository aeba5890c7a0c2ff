"""The fast way through a PDH file: polars reads the samples with a schema from the header.

polars is strict about text in number columns and about rows that are too long; it is silent about rows that
are too short, empty lines, `inf` and `nan`, and a last cell that was cut. Each of these is looked for here,
and a table that shows any of them is given up: `rows` then reads it line by line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from workbench.model.recording import Series
from workbench.readers.common import below_zero
from workbench.readers.common.flat_columns import FLAT_FROM, Looks, look_at_frame, write_flat
from workbench.readers.perfmon.header import PdhHeader, is_path
from workbench.readers.text.encodings import Text
from workbench.readers.text.rows import Whole
from workbench.readers.text.timestamps import IntArray, Stamps, parse_fixed, parse_texts

# Bytes read in one go.
_CHUNK = 1 << 18
# From so many counters on a file is read the wide way (`wide`): it takes a tenth of the memory, and less time. Below
# them polars' own tables are the faster ones. The store has a limit of its own from where on it keeps descriptions in
# lines (`WIDE` of study/store/descriptions.py).
WIDE_FROM = 10_000
# What perfmon writes for a sample it does not have.
BLANK = " "


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """Which cells of a row are what: the time stamp, `kept` counters, then `dropped` cells that must be
    blank: a collector set's description, and the empty cell behind a trailing delimiter."""

    header: PdhHeader
    kept: int
    dropped: int

    @property
    def width(self) -> int:
        """Cells of a row."""
        return 1 + self.kept + self.dropped

    @property
    def is_wide(self) -> bool:
        """Whether the counters are so many that no table of polars is made of them."""
        return self.kept >= WIDE_FROM

    @property
    def trailing(self) -> bool:
        """Whether lines end with a delimiter and no cell behind it."""
        return self.width > self.header.width or not self.header.names[-1]

    @property
    def columns(self) -> tuple[str, ...]:
        """The store's names of the counters' columns."""
        return tuple(f"c{number}" for number in range(self.kept))


@dataclass(frozen=True, eq=False)
class PdhTable:
    """Samples as polars read them: the counters, and the time stamps taken apart.

    `unsure` says that last cells are empty or absent, so that only `whole` can tell whether a row is short.
    """

    counters: pl.DataFrame
    stamps: Stamps
    texts: pl.Series
    unsure: bool
    whole: Whole

    def write(self, columns: Path, times: IntArray) -> Looks | None:
        """Writes times and counters to `columns` and looks at every value; None when one is infinite or NaN: what has
        been written then is of no use."""
        if self.counters.width >= FLAT_FROM:
            return write_flat(columns, times, self.counters)
        with ThreadPoolExecutor(1) as pool:
            looking = pool.submit(look_at_frame, self.counters)
            frame = self.counters.clone().insert_column(0, pl.Series("t", times))
            frame.write_ipc(columns, compression="uncompressed")
        return looking.result()

    def is_whole(self, text: Text, start: int) -> bool:
        """Whether no row of the text from byte `start` on is short."""
        return not self.unsure or has_whole_text(text, start, self.whole)

    def measured_below_zero(self, series: Sequence[Series]) -> list[int]:
        """The columns that have a metric, and a value below zero."""
        return below_zero.find(self.counters, below_zero.measured(series))


def layout_of(header: PdhHeader, first_line: str, keep_all: bool = False) -> ColumnLayout:
    """The layout by the header and by whether the first row has one empty cell more than the header."""
    kept = len(header.names)
    while not keep_all and kept and not is_path(header.names[kept - 1]):
        kept -= 1
    dropped = len(header.names) - kept
    cells = split_cells(first_line, header.delimiter, header.width + 1)
    ends = first_line.rstrip().endswith(header.delimiter) or '"' not in first_line
    extra = cells is not None and len(cells) == header.width + 1 and not cells[-1].strip() and ends
    return ColumnLayout(header, kept, dropped + extra)


def split_cells(line: str, delimiter: str, width: int) -> list[str] | None:
    """The cells of one line without its line end; None when its quotes do not fit.

    A quote inside a cell (`"    73.1"8.93"`) spoils that cell alone as long as the row keeps its width.
    """
    if '"' not in line:
        return line.split(delimiter)
    body = line.removesuffix(delimiter)
    tail = [""] if len(body) < len(line) else []
    if body.startswith('"') and body.endswith('"') and len(body) > 1:
        cells = body[1:-1].split(f'"{delimiter}"') + tail
        if len(cells) in (width, width - 1) or delimiter not in body:
            return cells
    return _mixed_cells(line, delimiter)


def read_table(source: Path | bytes, skip_lines: int, first_line: str, layout: ColumnLayout) -> PdhTable | None:
    """The samples by the fast way; None when anything in them is out of the ordinary."""
    cells = split_cells(first_line, layout.header.delimiter, layout.width)
    if cells is None or len(cells) != layout.width or layout.header.delimiter == ";":
        return None
    frame = _parsed(source, skip_lines, layout)
    if frame is None or not frame.height:
        return None
    # The columns are taken out in place: select() and drop() cost a sixth of the whole reading.
    last = frame.to_series(layout.width - 1).slice(1)
    unsure = last.has_nulls() or bool((last == "").any())
    texts = frame.drop_in_place("t")
    spare = [frame.drop_in_place(f"x{number}") for number in range(layout.dropped)]
    if texts.has_nulls() or not all(map(_is_blank, spare)) or not _with_last_as_number(frame):
        return None
    stamps = stamps_of(texts)
    if not stamps.valid.all():
        return None
    return PdhTable(frame, stamps, texts, unsure, Whole.of(first_line, layout.header.delimiter, frame.height))


def is_finite(table: PdhTable) -> bool:
    """Whether no value is infinite or NaN (a sum that overflows counts as one that is)."""
    # An expression adds up the columns side by side, DataFrame.sum() one after the other.
    return all(math.isfinite(total or 0.0) for total in table.counters.select(pl.all().sum()).row(0))


def stamps_of(texts: pl.Series) -> Stamps:
    """The stamps of a text column without nulls."""
    lengths = texts.str.len_bytes()
    width = int(lengths[0])
    if lengths.min() == lengths.max() == width:
        fixed = parse_fixed(texts.str.join("").item().encode(), width)
        if fixed is not None:
            return fixed
    return parse_texts([text.strip() for text in texts])


def has_whole_text(text: Text, start: int, whole: Whole) -> bool:
    """The same of the text from byte `start` on."""
    data = _chunks(text.path, start) if text.data is None else [memoryview(text.data)[start:]]
    return whole.fits(data)


def _chunks(path: Path, start: int) -> Iterator[memoryview]:
    """The bytes of a file from `start` on, each chunk valid until the next is taken."""
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    with path.open("rb", buffering=0) as stream:
        stream.seek(start)
        while count := stream.readinto(buffer):
            yield view[:count]


def _parsed(source: Path | bytes, skip_lines: int, layout: ColumnLayout) -> pl.DataFrame | None:
    """The table as polars reads it. A blank is null among numbers without being declared so, and stays a blank
    in a text column: there null says that the cell is empty or absent."""
    try:
        return pl.read_csv(
            source,
            has_header=False,
            skip_lines=skip_lines,
            schema=csv_schema(layout),
            separator=layout.header.delimiter,
            raise_if_empty=False,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is no Exception
        return None


def csv_schema(layout: ColumnLayout) -> dict[str, type[pl.DataType]]:
    """The columns by position: `t`, `c0`, …, `x0`, …; the last one as text, so that what is no number there
    can be known."""
    spare = [f"x{number}" for number in range(layout.dropped)]
    schema: dict[str, type[pl.DataType]] = {"t": pl.String}
    schema.update(dict.fromkeys(layout.columns, pl.Float64))
    schema.update(dict.fromkeys(spare, pl.String))
    schema[[*schema][-1]] = pl.String
    return schema


def _with_last_as_number(frame: pl.DataFrame) -> bool:
    """Turns a last counter that was read as text into numbers, in place; False when it holds other text."""
    texts = frame.to_series(frame.width - 1)
    if texts.dtype != pl.String:
        return True
    values = texts.cast(pl.Float64, strict=False)
    blanks = int(texts.null_count()) + int(texts.is_in(["", BLANK]).sum())
    frame.replace_column(frame.width - 1, values)
    return values.null_count() == blanks


def _is_blank(texts: pl.Series) -> bool:
    return bool(texts.drop_nulls().str.strip_chars().eq("").all())


def _mixed_cells(line: str, delimiter: str) -> list[str] | None:
    """The cells of a line where some are quoted and some are not."""
    cells: list[str] = []
    index = 0
    while True:
        opening = index
        while line[opening : opening + 1] == " ":
            opening += 1
        if line[opening : opening + 1] == '"':
            closing = line.find('"', opening + 1)
            end = line.find(delimiter, closing) if closing >= 0 else -1
            if closing < 0 or line[closing + 1 : None if end < 0 else end].strip():
                return None
            cells.append(line[opening + 1 : closing])
        else:
            end = line.find(delimiter, index)
            cells.append(line[index : None if end < 0 else end])
            if '"' in cells[-1]:
                return None
        if end < 0:
            return cells
        index = end + 1
