"""The wide way through a PDH file of very many counters: some columns of all rows at a time, parsed as one column.

polars spends 1.3 KB on each column of a table, whatever stands in it: a million of them take more than a gigabyte.
Here each row is found whole first, and where its cells lie. Then the cells of some counters are put one below the
other, polars reads them as a single column, and they go into the store's flat file (`flat_columns`) side by side.
Anything out of the ordinary gives the file up, and `rows` reads it carefully, a block of rows as one array.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.model.recording import Series
from workbench.readers.common.flat_columns import Looks, begin_flat, look_at_values, write_values
from workbench.readers.perfmon.table import ColumnLayout, stamps_of
from workbench.readers.text.encodings import Text
from workbench.readers.text.timestamps import IntArray, Stamps

# Cells that are in memory at a time: as text twice over, and as numbers twice over.
_CELLS = 1 << 20
# Bytes of rows that are looked at in one go; at least one row.
_BLOCK = 1 << 20
_QUOTE = ord('"')

FloatArray = npt.NDArray[np.float64]


class _Cut(NamedTuple):
    """The text of a row's time stamp; where the first cell of each slice of counters begins in the file, and, as if
    there were one more, behind the last."""

    stamp: bytes
    starts: IntArray


@dataclass(eq=False)
class WideTable:
    """The rows of a file, all of them whole: their time stamps, and where the cells of `step` counters at a time
    begin, a row of `starts` for each row. `below_zero` are the columns that go there, once they have been written.
    What it does with its rows it does as a `Table`."""

    text: Text
    layout: ColumnLayout
    quoted: bool
    texts: pl.Series
    stamps: Stamps
    step: int
    starts: IntArray
    below_zero: list[int] = field(default_factory=list)

    def slices(self) -> Iterator[FloatArray | None]:
        """The values of `step` counters at a time, a row for each counter; None where a cell is no number."""
        with _opened(self.text) as stream:
            for part in range(self.starts.shape[1] - 1):
                counters = min(self.step, self.layout.kept - part * self.step)
                pieces = [_piece(stream, *bounds) for bounds in self.starts[:, part : part + 2].tolist()]
                yield _numbers(pieces, counters, self.layout.header.delimiter.encode(), self.quoted)

    def write(self, columns: Path, times: IntArray) -> Looks | None:
        """Writes times and counters to `columns` and looks at every value on the way; None when a cell is no number, or
        is infinite or NaN: what has been written then is of no use."""
        missing = 0
        with columns.open("wb", buffering=0) as stream:
            begin_flat(stream, self.layout.kept, times)
            for part, values in enumerate(self.slices()):
                looks = None if values is None else look_at_values(values)
                if values is None or looks is None:
                    return None
                missing += looks.missing
                if looks.below_zero:
                    self.below_zero += (part * self.step + np.flatnonzero((values < 0).any(axis=1))).tolist()
                write_values(stream, values)
        return Looks(missing, bool(self.below_zero))

    def is_whole(self, _text: Text, _start: int) -> bool:
        """True: each row was found whole when it was read."""
        return True

    def measured_below_zero(self, series: Sequence[Series]) -> list[int]:
        """The columns that have a metric, and a value below zero; known once they have been written."""
        return [column for column in self.below_zero if series[column].metric is not None]


def read_wide(text: Text, start: int, first_line: str, layout: ColumnLayout) -> WideTable | None:
    """The rows from byte `start` on; None where one of them is out of the ordinary."""
    delimiter = layout.header.delimiter
    if delimiter == ";" or text.ends_with()[-1:] != b"\n":
        return None
    quoted = '"' in first_line
    rows = (text.size - start) // max(1, len(first_line)) + 1
    step = max(1, _CELLS // rows)
    stamps: list[str] = []
    starts: list[IntArray] = []
    for block in text.blocks(start, _BLOCK):
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


def values_of_rows(table: WideTable) -> FloatArray | None:
    """The values of few rows, a row for each of them; None when a cell is no number, or is infinite or NaN."""
    parts: list[FloatArray] = []
    for values in table.slices():
        if values is None or np.isinf(values).any():
            return None
        parts.append(values)
    return np.ascontiguousarray(np.concatenate(parts).T)


def _opened(text: Text) -> BinaryIO:
    return text.path.open("rb") if text.data is None else BytesIO(text.data)


def _piece(stream: BinaryIO, start: int, behind: int) -> bytes:
    """The cells from `start` on, without the delimiter before `behind`."""
    stream.seek(start)
    return stream.read(behind - start - 1)


def _cut(line: bytes, layout: ColumnLayout, quoted: bool, step: int) -> _Cut | None:
    """Where the cells of a row lie in it; None where it has not the layout's cells, each of them in quotes or none."""
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
    """The numbers in the pieces of all rows, a row for each of the `counters`, NaN where a cell is blank; None where a
    cell is no number."""
    parts, lines = (b'"' + delimiter + b'"', b'"\n"') if quoted else (delimiter, b"\n")
    text = b"\n".join([*(piece.replace(parts, lines) for piece in pieces), b""])
    if text.startswith(BOM_UTF8):
        # polars would take it for the mark of the whole text; here it is damage to a cell.
        return None
    try:
        cells = pl.read_csv(text, has_header=False, schema={"cell": pl.Float64}, separator=delimiter.decode())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is no Exception
        return None
    values = cells.to_series()
    if len(values) != len(pieces) * counters:
        return None
    numbers = values.to_numpy()
    # In an array NaN stands for null: more of them than nulls were in the text.
    if np.count_nonzero(np.isnan(numbers)) != values.null_count():
        return None
    return np.ascontiguousarray(numbers.reshape(len(pieces), counters).T)
