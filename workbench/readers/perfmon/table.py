"""The fast way through a PDH file: polars reads the samples with a schema from the header.

polars reports text in number columns and rows that are too long. It does not report short rows, empty lines, `inf` and
`nan`, or a last cell that was cut off. Each of these is checked here. If a table shows any of them, this way gives up,
and `rows` reads it line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.readers.common.flat_columns import look_at_values
from workbench.readers.perfmon.header import PdhHeader, is_path
from workbench.readers.text.rows import Whole
from workbench.readers.text.timestamps import Stamps, parse_fixed, parse_texts

# Bytes read at once.
_CHUNK = 1 << 18
# From this number of counters a file is read the wide way (`wide`): it takes a tenth of the memory, and less time.
# Below it polars' own tables are faster. The store has a separate limit above which it keeps descriptions in lines
# (`WIDE` of study/store/descriptions.py).
WIDE_FROM = 10_000
# Perfmon's text for a missing sample.
BLANK = " "

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """The meaning of a row's cells: the timestamp, `kept` counters, then `dropped` cells that must be blank (a
    collector set's description, and the empty cell after a trailing delimiter)."""

    header: PdhHeader
    kept: int
    dropped: int

    @property
    def width(self) -> int:
        """Returns the number of cells per row."""
        return 1 + self.kept + self.dropped

    @property
    def is_wide(self) -> bool:
        """True if there are too many counters for a polars table."""
        return self.kept >= WIDE_FROM

    @property
    def trailing(self) -> bool:
        """True if lines end with a delimiter and no cell after it."""
        return self.width > self.header.width or not self.header.names[-1]

    @property
    def columns(self) -> tuple[str, ...]:
        """Returns the store's names of the counter columns."""
        return tuple(f"c{number}" for number in range(self.kept))


class PdhPart(NamedTuple):
    """Whole rows of a text: the file or the bytes that hold them, the byte and the number of lines before the first
    row, and that row."""

    source: Path | bytes
    start: int
    skip_lines: int
    first_row: str


@dataclass(frozen=True, eq=False)
class PdhTable:
    """Samples as polars read them: the counters, and the timestamps with their parts."""

    counters: pl.DataFrame
    stamps: Stamps
    texts: pl.Series

    def values(self) -> FloatArray | None:
        """Returns the values, a line for each counter; None if one is infinite or NaN."""
        values = np.concatenate([column.to_numpy()[None, :] for column in self.counters.iter_columns()])
        looks = look_at_values(values)
        nulls = sum(column.null_count() for column in self.counters.iter_columns())
        return None if looks is None or looks.missing != nulls else values


def layout_of(header: PdhHeader, first_line: str, keep_all: bool = False) -> ColumnLayout:
    """Returns the layout, from the header and from whether the first row has one empty cell more."""
    kept = len(header.names)
    while not keep_all and kept and not is_path(header.names[kept - 1]):
        kept -= 1
    dropped = len(header.names) - kept
    cells = split_cells(first_line, header.delimiter, header.width + 1)
    ends = first_line.rstrip().endswith(header.delimiter) or '"' not in first_line
    extra = cells is not None and len(cells) == header.width + 1 and not cells[-1].strip() and ends
    return ColumnLayout(header, kept, dropped + extra)


def split_cells(line: str, delimiter: str, width: int) -> list[str] | None:
    """Returns the cells of one line without its line end, or None if its quotes do not match.

    A quote inside a cell (`"    73.1"8.93"`) damages only that cell as long as the row keeps its width.
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


def read_table(part: PdhPart, layout: ColumnLayout) -> PdhTable | None:
    """Returns the samples by the fast way, or None if anything in them is unusual."""
    cells = split_cells(part.first_row, layout.header.delimiter, layout.width)
    if cells is None or len(cells) != layout.width or layout.header.delimiter == ";":
        return None
    frame = _parsed(part, layout)
    if frame is None or not frame.height:
        return None
    # The columns are removed in place: select() and drop() take a sixth of the whole reading time.
    last = frame.to_series(layout.width - 1).slice(1)
    unsure = last.has_nulls() or bool((last == "").any())
    texts = frame.drop_in_place("t")
    spare = [frame.drop_in_place(f"x{number}") for number in range(layout.dropped)]
    if texts.has_nulls() or not all(map(_is_blank, spare)) or not _with_last_as_number(frame):
        return None
    stamps = stamps_of(texts)
    if not stamps.valid.all():
        return None
    # Empty or absent last cells may be those of short rows.
    whole = Whole.of(part.first_row, layout.header.delimiter, frame.height)
    return None if unsure and not whole.fits(_chunks(part)) else PdhTable(frame, stamps, texts)


def stamps_of(texts: pl.Series) -> Stamps:
    """Returns the timestamps of a text column without nulls."""
    text = pl.col(texts.name)
    lengths = text.str.len_bytes()
    # One query: each costs as much as the parsing of a small file.
    least, most, joined = (
        texts.to_frame().select(lengths.min(), lengths.max().alias("most"), text.str.join("").alias("all")).row(0)
    )
    fixed = parse_fixed(joined.encode(), least) if least == most else None
    if fixed is not None:
        return fixed
    return parse_texts([text.strip() for text in texts])


def _chunks(part: PdhPart) -> Iterator[memoryview]:
    """Yields the bytes of the rows; each chunk is valid until the next is taken."""
    if isinstance(part.source, bytes):
        yield memoryview(part.source)[part.start :]
        return
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    with part.source.open("rb", buffering=0) as stream:
        stream.seek(part.start)
        while count := stream.readinto(buffer):
            yield view[:count]


def _parsed(part: PdhPart, layout: ColumnLayout) -> pl.DataFrame | None:
    """Returns the table as polars reads it. Among numbers a blank is null without being declared so. In a text column
    it stays a blank; there null means that the cell is empty or absent."""
    try:
        return pl.read_csv(
            part.source,
            has_header=False,
            skip_lines=part.skip_lines,
            schema=csv_schema(layout),
            separator=layout.header.delimiter,
            raise_if_empty=False,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is not an Exception
        return None


def csv_schema(layout: ColumnLayout) -> dict[str, type[pl.DataType]]:
    """Returns the columns by position: `t`, `c0`, …, `x0`, …. The last one is text, so invalid numbers in it can be
    detected."""
    spare = [f"x{number}" for number in range(layout.dropped)]
    schema: dict[str, type[pl.DataType]] = {"t": pl.String}
    schema.update(dict.fromkeys(layout.columns, pl.Float64))
    schema.update(dict.fromkeys(spare, pl.String))
    schema[[*schema][-1]] = pl.String
    return schema


def _with_last_as_number(frame: pl.DataFrame) -> bool:
    """Turns a last counter that was read as text into numbers, in place. Returns False if it holds other text."""
    texts = frame.to_series(frame.width - 1)
    if texts.dtype != pl.String:
        return True
    values = texts.cast(pl.Float64, strict=False)
    blanks = int(texts.null_count()) + int((texts == "").sum()) + int((texts == BLANK).sum())
    frame.replace_column(frame.width - 1, values)
    return values.null_count() == blanks


def _is_blank(texts: pl.Series) -> bool:
    return bool(texts.drop_nulls().str.strip_chars().eq("").all())


def _mixed_cells(line: str, delimiter: str) -> list[str] | None:
    """Returns the cells of a line in which only some are quoted."""
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
