"""The wide way through a PDH file with very many counters: parses some columns of all rows at a time, as one column.

polars needs 1.3 KB per column of a table, whatever it holds: a million columns take more than a gigabyte. Here each row
is first checked to be whole, and the positions of its cells are found. Then the cells of some counters are
concatenated, polars reads them as a single column, and they are written to the store's flat file (`flat_columns`) side
by side. If anything is unusual, this way gives up, and `rows` reads the file carefully, each block of rows as one
array.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.readers.common.flat_columns import FlatFile, Looks, look_at_values
from workbench.readers.perfmon.table import ColumnLayout, stamps_of
from workbench.readers.text.encodings import Text
from workbench.readers.text.timestamps import IntArray, Stamps

# Cells in memory at once: twice as text and twice as numbers.
_CELLS = 1 << 20
# Bytes of rows checked at once; at least one row.
_BLOCK = 1 << 20
_QUOTE = ord('"')

FloatArray = npt.NDArray[np.float64]


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
