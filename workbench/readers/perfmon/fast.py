"""The fast way through a PDH file: polars reads the samples with a schema from the header.

polars reports text in number columns and rows that are too long. It does not report short rows, empty lines, `inf` and
`nan`, or a last cell that was cut off. Each of these is checked here. If a file shows any of them, this way gives up,
and `rows` reads it line by line.

A file with very many counters is read the wide way, some columns of all rows at a time. polars needs 1.3 KB per column
of a table, with any content: a million columns take more than a gigabyte. So each row is first checked to be whole, and
the positions of its cells are found. Then the cells of some counters are concatenated, and polars reads them as a
single column. They are written to the store's flat file (`flat_columns`) side by side.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, RawIOBase
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.readers.common.flat_columns import FlatFile, Looks, begin_flat, look_at_values
from workbench.readers.perfmon.header import PdhHeader, is_path
from workbench.readers.text.encodings import Text
from workbench.readers.text.rows import Whole
from workbench.readers.text.timestamps import IntArray, Stamps, joined_stamps, parse_fixed, parse_texts

# Larger files are read in blocks: a table holds all its samples in memory.
FAST_LIMIT = 192 << 20
_BLOCK = 8 << 20
# Bytes read at once.
_CHUNK = 1 << 18
# From this number of counters a file is read the wide way (`wide`): it takes a tenth of the memory, and less time.
# Below it polars' own tables are faster. The store has a separate limit above which it keeps descriptions in lines
# (`WIDE` of study/store/descriptions.py).
WIDE_FROM = 10_000
# Perfmon's text for a missing sample.
BLANK = " "

# Cells in memory at once: twice as text and twice as numbers.
_CELLS = 1 << 20
# Bytes of rows checked at once; at least one row.
_ROWS = 1 << 20
_QUOTE = ord('"')

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


class _Cut(NamedTuple):
    """The text of a row's timestamp; the file positions where the first cell of each slice of counters begins, and one
    more for the end of the last slice."""

    stamp: bytes
    starts: IntArray


@dataclass(eq=False)
class WideTable:
    """The rows of a file, all of them whole: their timestamps, and the positions where the cells of `step` counters at
    a time begin. `starts` has a row for each row of the file."""

    text: Text
    layout: ColumnLayout
    quoted: bool
    texts: pl.Series
    stamps: Stamps
    step: int
    starts: IntArray

    def slices(self) -> Iterator[FloatArray | None]:
        """Yields the values of `step` counters at a time, a row per counter; None if a cell is not a number."""
        with _opened(self.text) as stream:
            for part in range(self.starts.shape[1] - 1):
                counters = min(self.step, self.layout.kept - part * self.step)
                pieces = [_piece(stream, *bounds) for bounds in self.starts[:, part : part + 2].tolist()]
                yield _numbers(pieces, counters, self.layout.header.delimiter.encode(), self.quoted)

    def write(self, flat: FlatFile) -> Looks | None:
        """Writes the counters and checks every value. Returns None if a cell is not a number, or is infinite or NaN;
        the data already written is then useless."""
        looks = Looks(0, [])
        for part, values in enumerate(self.slices()):
            found = None if values is None else look_at_values(values, part * self.step)
            if values is None or found is None:
                return None
            looks = Looks(looks.missing + found.missing, looks.below_zero + found.below_zero)
            flat.put(values, part * self.step)
        return looks

    def values(self) -> FloatArray | None:
        """Returns the values of a few rows, a line for each counter; None if a cell is not a number, or is infinite or
        NaN."""
        parts: list[FloatArray] = []
        for values in self.slices():
            if values is None or np.isinf(values).any():
                return None
            parts.append(values)
        return np.concatenate(parts)


def read_wide(text: Text, start: int, first_line: str, layout: ColumnLayout) -> WideTable | None:
    """Returns the rows from byte `start` on, or None if one of them is unusual."""
    delimiter = layout.header.delimiter
    if delimiter == ";" or text.ends_with()[-1:] != b"\n":
        return None
    quoted = '"' in first_line
    rows = (text.size - start) // max(1, len(first_line)) + 1
    step = max(1, _CELLS // rows)
    stamps: list[str] = []
    starts: list[IntArray] = []
    for block in text.blocks(start, _ROWS):
        for line in block.splitlines(keepends=True):
            cut = _cut(line.rstrip(b"\r\n"), layout, quoted, step)
            if cut is None or not line.endswith(b"\n"):
                return None
            stamps.append(cut.stamp.decode("ascii", errors="replace"))
            starts.append(start + cut.starts)
            start += len(line)
    if not all(stamps) or not stamps:
        return None
    texts = pl.Series(stamps)
    read = stamps_of(texts)
    return WideTable(text, layout, quoted, texts, read, step, np.stack(starts)) if read.valid.all() else None


def _opened(text: Text) -> BinaryIO:
    return text.path.open("rb") if text.data is None else BytesIO(text.data)


def _piece(stream: BinaryIO, start: int, behind: int) -> bytes:
    """Returns the cells from `start` on, without the delimiter before `behind`."""
    stream.seek(start)
    return stream.read(behind - start - 1)


def _cut(line: bytes, layout: ColumnLayout, quoted: bool, step: int) -> _Cut | None:
    """Returns the positions of a row's cells, or None if it does not have the layout's cells, either all quoted or all
    unquoted."""
    delimiter, width = layout.header.delimiter.encode(), layout.width
    if quoted and layout.dropped and line.endswith(delimiter):
        line, width = line[:-1], width - 1
    letters = np.frombuffer(line, np.uint8)
    at = np.flatnonzero(letters == ord(delimiter))
    if len(at) != width - 1 or np.count_nonzero(letters == _QUOTE) != 2 * width * quoted:
        return None
    begins, ends = np.append(0, at + 1), np.append(at, len(line))
    if quoted and not (
        (ends - begins >= 2).all() and (letters[begins] == _QUOTE).all() and (letters[ends - 1] == _QUOTE).all()
    ):
        return None
    if line[ends[layout.kept] :].strip(delimiter + b'" '):
        return None
    starts = np.append(begins[1 : layout.kept + 1 : step], ends[layout.kept] + 1)
    return _Cut(line[: ends[0]].strip(b'" '), starts)


def _numbers(pieces: list[bytes], counters: int, delimiter: bytes, quoted: bool) -> FloatArray | None:
    """Returns the numbers in the pieces of all rows, a row for each of the `counters`, NaN for a blank cell; None if a
    cell is not a number."""
    parts, lines = (b'"' + delimiter + b'"', b'"\n"') if quoted else (delimiter, b"\n")
    text = b"\n".join([*(piece.replace(parts, lines) for piece in pieces), b""])
    if text.startswith(BOM_UTF8):
        # polars would read it as the mark of the whole text; here it is damage to a cell.
        return None
    try:
        cells = pl.read_csv(text, has_header=False, schema={"cell": pl.Float64}, separator=delimiter.decode())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is not an Exception
        return None
    values = cells.to_series()
    if len(values) != len(pieces) * counters:
        return None
    numbers = values.to_numpy()
    # In an array NaN means null. More NaN than nulls: the text itself had some.
    if np.count_nonzero(np.isnan(numbers)) != values.null_count():
        return None
    return np.ascontiguousarray(numbers.reshape(len(pieces), counters).T)


class WrittenCounters(NamedTuple):
    """Counters in the store's file, without their times: the number of empty cells, and the columns with values below
    zero."""

    flat: FlatFile
    stamps: Stamps
    missing: int
    below_zero: Collection[int]


def write_fast(text: Text, first: PdhPart, layout: ColumnLayout, stream: RawIOBase) -> WrittenCounters | None:
    """Writes the counters of a file of usual lines; `first` is all of its rows. Returns None if anything in them is
    unusual."""
    if text.ends_with()[-1:] != b"\n":
        return None
    if not layout.is_wide:
        return _write_tables(text, first, layout, stream)
    table = read_wide(text, first.start, first.first_row, layout)
    if table is None:
        return None
    flat = begin_flat(stream, layout.kept, len(table.stamps))
    looks = table.write(flat)
    return None if looks is None else WrittenCounters(flat, table.stamps, *looks)


def _write_tables(text: Text, first: PdhPart, layout: ColumnLayout, stream: RawIOBase) -> WrittenCounters | None:
    """Writes the counters as polars reads them: the whole file at once, a large one in blocks. Returns None if anything
    in them is unusual."""
    rows, done, missing = 0, 0, 0
    parts: Iterable[PdhPart] = (first,)
    if text.size > FAST_LIMIT:
        rows = sum(block.count(b"\n") for block in text.blocks(first.start, _BLOCK))
        parts = (PdhPart(block, 0, 0, _first_row(block)) for block in text.blocks(first.start, _BLOCK))
    flat, stamps, below = None, list[Stamps](), set[int]()
    for part in parts:
        table = read_table(part, layout)
        if table is None or (rows and done + len(table.stamps) > rows):
            return None
        flat = flat or begin_flat(stream, layout.kept, rows or len(table.stamps))
        looks = flat.put_frame(table.counters, done)
        if looks is None:
            return None
        done, missing = done + len(table.stamps), missing + looks.missing
        stamps.append(table.stamps)
        below.update(looks.below_zero)
    return None if flat is None or done != flat.rows else WrittenCounters(flat, joined_stamps(stamps), missing, below)


def _first_row(block: bytes) -> str:
    return block.partition(b"\n")[0].decode(errors="replace").rstrip("\r")
