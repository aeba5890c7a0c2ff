"""The careful way through a PDH file: in blocks, and line by line in unusual blocks.

Every line below the header that is not empty counts as a row, except typeperf's closing message (`Exiting, please
wait...`), which is reported but not counted. A row is kept or rejected, and each rejection is a problem with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from pathlib import Path

import numpy as np

from workbench.readers.common.row_problems import Problems, acted, counting, numbered, place_words, row_rejected
from workbench.readers.perfmon.alignment import Ranges, aligned, loose_cells
from workbench.readers.perfmon.fast import (
    ColumnLayout,
    PdhPart,
    PdhTable,
    WideTable,
    read_table,
    read_wide,
    split_cells,
)
from workbench.readers.perfmon.header import parse_header, starts_with_mark
from workbench.readers.perfmon.held import FloatArray, Held
from workbench.readers.perfmon.opened import OpenedFile
from workbench.readers.text.encodings import Text
from workbench.readers.text.numbers import POINT, Evidence, Notation, is_bare
from workbench.readers.text.timestamps import CUT, parse_texts, without_offset

_BLOCK = 8 << 20
_BLOCK_ROWS = 64
_PLAIN = re.compile(r"[0-9eE+.-]*")
# Bytes of a block that are searched for a decimal point.
_LOOKED_AT = 1 << 16
_SHOWN = 40

# A code, and the fault of the line.
_Fault = tuple[str, str]
_OPEN_QUOTE: _Fault = ("bad-quote", "contains an unclosed quotation mark")

Spill = Callable[[FloatArray], Held]


@dataclass(eq=False)
class Rows:
    """The result of the careful way: kept rows in file order with their physical lines, the `notation` of their
    numbers, and its evidence. `cut` is a time cut short by a spreadsheet."""

    frames: list[Held] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    rejected: int = 0
    description_used: bool = False
    trailing_cell: bool = False
    notation: Notation = field(default_factory=Notation)
    evidence: Evidence = field(default_factory=Evidence)
    cut: str = ""


def read_rows(opened: OpenedFile, layout: ColumnLayout, notation: Notation, problems: Problems, spill: Spill) -> Rows:
    """Returns every row of the file."""
    reader = RowReader(opened, layout, notation, problems, spill)
    for block in opened.text.blocks(opened.start, block_bytes(layout)):
        reader.take(block)
    reader.close(problems)
    return reader.rows


def evidence_of(opened: OpenedFile) -> Evidence:
    """Returns the evidence for the notation of a file's numbers that is known before they are read."""
    delimiter = opened.header.delimiter
    return Evidence(delimiter, is_bare([opened.first_row], delimiter))


def first_notation(opened: OpenedFile) -> Notation:
    """Returns the notation by the first row; decimal points if it is not decisive."""
    evidence = evidence_of(opened)
    for cell in (split_cells(opened.first_row, evidence.delimiter, opened.header.width) or ())[1:]:
        evidence.add(cell.strip())
    decided = evidence.decided()
    return decided if isinstance(decided, Notation) else Notation()


def block_bytes(layout: ColumnLayout) -> int:
    """Returns the approximate number of bytes to read at once."""
    return _BLOCK if layout.is_wide else max(_BLOCK, _BLOCK_ROWS * 20 * layout.width)


class RowReader:
    """Reads blocks of the lines below the header into `rows`, with numbers as in `notation`. Faults of single lines go
    to `problems`."""

    def __init__(
        self, opened: OpenedFile, layout: ColumnLayout, notation: Notation, problems: Problems, spill: Spill
    ) -> None:
        self.rows = Rows(notation=notation, evidence=evidence_of(opened))
        self._layout, self._encoding, self._spill = layout, opened.encoding, spill
        self._number = opened.header_line + 1
        self._lines = _LineReader(layout, problems, self.rows)

    def take(self, block: bytes) -> None:
        """Adds the rows of the next lines. Only the last line of a file may lack its line end."""
        count = 0
        if not self._lines.other_header and self.rows.notation.decimal == POINT:
            count = _block_as_table(block, self._number, self._layout, self.rows, self._encoding, self._spill)
        if count:
            self._lines.row_followed()
            self._number += count
        else:
            self._line_by_line(block)

    def close(self, problems: Problems) -> None:
        """Reports problems that depend on every line so far; more lines may follow."""
        self._lines.close(problems)

    def _line_by_line(self, block: bytes) -> None:
        try:
            text = block.decode(self._encoding)
        except UnicodeDecodeError:
            # An ASCII header does not show the code page, which may use a no-break space to separate thousands.
            text = block.decode("cp1252" if self._encoding == "utf-8" else self._encoding, errors="replace")
        lines = text.split("\n")
        for line in lines[:-1]:
            self._lines.line(line.removesuffix("\r"), self._number, ended=True)
            self._number += 1
        if lines[-1]:
            self._lines.line(lines[-1], self._number, ended=False)
        self._lines.flush(self._spill)


def _block_as_table(block: bytes, number: int, layout: ColumnLayout, rows: Rows, encoding: str, spill: Spill) -> int:
    """Adds a whole block the fast way. Returns the number of its rows; 0 if it has to be read line by line."""
    if not block.endswith(b"\n"):
        return 0
    first = block[: block.index(b"\n")].decode(encoding, errors="replace").rstrip("\r")
    if layout.is_wide:
        table: PdhTable | WideTable | None = read_wide(Text(Path(), len(block), block), 0, first, layout)
    else:
        table = read_table(PdhPart(block, 0, 0, first), layout)
    values = None if table is None else table.values()
    if table is None or values is None:
        return 0
    rows.frames.append(spill(values))
    rows.heights.append(len(table.texts))
    rows.texts += [text.strip() for text in table.texts]
    rows.lines += range(number, number + len(table.texts))
    # Looks for a decimal point in the first rows of a block of plain numbers.
    for line in block[:_LOOKED_AT].decode("ascii", "replace").split("\n")[:-1] if rows.evidence.points is None else ():
        for cell in (split_cells(line.rstrip(), layout.header.delimiter, layout.width) or ())[1:]:
            rows.evidence.add(cell, number)
    return len(table.texts)


class _LineReader:
    """Reads single lines into rows and reports why it rejects a line. `other_header` is the line of a header with other
    counters or another bias, as in joined files: rows below it are rejected."""

    def __init__(self, layout: ColumnLayout, problems: Problems, rows: Rows) -> None:
        self._layout = layout
        self._problems = problems
        self._rows = rows
        self._values: list[list[float]] = []
        self.other_header = 0
        self._messages: list[tuple[int, str]] = []
        self._blank_lines: list[int] = []
        self._stamps: dict[str, bool] = {}
        self._ranges: Ranges | None = None

    def line(self, line: str, number: int, ended: bool) -> None:
        """Reads one line, without its line end; `ended`: it had one."""
        if not line.strip():
            self._blank_lines.append(number)
            return
        if self._layout.header.quoted and '"' not in line and line[0].isalpha():
            self._messages.append((number, line))
            return
        self.row_followed()
        cells = self._cells(line, number, ended)
        if cells is None:
            return
        self._values.append(self._numbers(cells, number))
        self._rows.texts.append(cells[0].strip())
        self._rows.lines.append(number)

    def row_followed(self) -> None:
        """Called when a row follows an apparent closing message: the message was a broken row."""
        for number, line in self._messages:
            self._reject(("bad-time", _no_timestamp(line)), number)
        self._messages.clear()

    def flush(self, spill: Spill) -> None:
        """Turns the collected rows into a block."""
        if not self._values:
            return
        values = np.array(self._values, np.float64).reshape(len(self._values), self._layout.kept)
        self._rows.frames.append(spill(np.ascontiguousarray(values.T)))
        self._rows.heights.append(len(self._values))
        self._values = []

    def close(self, problems: Problems) -> None:
        """Reports problems that depend on the whole file."""
        for number, line in self._messages:
            problems.info(
                "message-line",
                f"Line {number} is a message after the last sample: {_shown(line)}.",
                "line ignored",
                number,
            )
        if self._blank_lines:
            problems.info(
                "blank-lines",
                f"{counting(len(self._blank_lines), 'line', 'is', 'are')} empty "
                f"({place_words(len(self._blank_lines), f'line {self._blank_lines[0]}')}).",
                acted("line ignored", len(self._blank_lines)),
                self._blank_lines[0],
            )

    def _cells(self, line: str, number: int, ended: bool) -> list[str] | None:
        """Returns the cells of a good row with the right width, or None if it was rejected."""
        fault = self._fault_of_line(line, number, ended)
        if fault is not None:
            self._reject(fault, number)
            return None
        layout = self._layout
        cells = split_cells(line, layout.header.delimiter, layout.width)
        fault = _OPEN_QUOTE if cells is None else self._fault_of_row(cells, line)
        if fault is not None:
            cells = None if fault[0] == "bad-time" else self._realigned(line, number)
        if cells is None:
            self._reject(fault, number)
            return None
        if not ended and '"' not in line:
            self._problems.warn(
                "no-final-newline",
                f"The last line ({number}) has no line break; its last cell may be incomplete.",
                "row kept; compare it with the source",
                number,
            )
        return cells[: 1 + layout.kept]

    def _realigned(self, line: str, number: int) -> list[str] | None:
        """Returns the cells of a row of another width at their columns, or None if these cannot be proven."""
        layout, rows = self._layout, self._rows
        stamp, *cells = loose_cells(line, layout.header.delimiter, layout.trailing)
        stamp = stamp.strip().strip('"')
        if not self._is_stamp(stamp):
            return None
        while len(cells) > layout.kept and layout.dropped and not cells[-1].strip():
            cells.pop()
        ranges = self._ranges = self._ranges or Ranges(layout.kept)
        ranges.follow(rows.frames, rows.heights, self._values)
        row = aligned(cells, ranges, rows.notation)
        if row is None:
            return None
        for first, last in row.empty:
            where = f"cell {first + 2}" if first == last else f"cells {first + 2} to {last + 2}"
            self._problems.warn(
                "row-aligned",
                f"Line {number} has {len(cells) + 1} cells, but the header has {layout.kept + 1}: "
                "a cell was split, or two cells were joined.",
                f"{where} left empty; check {'it' if first == last else 'them'} in the file",
                number,
                first + 2,
            )
        return [stamp, *row.cells]

    def _fault_of_line(self, line: str, number: int, ended: bool) -> _Fault | None:
        """Returns the fault that makes a line unreadable before its cells are separated."""
        if "\0" in line:
            return "nul-bytes", "contains NUL bytes: the file was cut off while it was written"
        if starts_with_mark(line):
            return self._fault_of_header(line, number)
        if self.other_header:
            where = f"belongs to the second header (line {self.other_header})"
            return "other-header", f"{where}, which has other counters or another UTC offset than the first"
        end = '"' + self._layout.header.delimiter if self._layout.dropped else '"'
        if not ended and '"' in line and line.rstrip(" \r\n")[-1] not in end:
            return "cut-off", "is the last line and ends inside a cell"
        return None

    def _fault_of_header(self, line: str, number: int) -> _Fault:
        """Returns the fault of a header among the rows: the file's own repeated, or that of another file."""
        own, header = self._layout.header, parse_header(line)
        same = header.names == own.names and (own.stamped or header.utc_offset_minutes == own.utc_offset_minutes)
        self.other_header = 0 if same else number
        if same:
            return "repeated-header", "repeats the header"
        return "other-header", "repeats the header with other counters or another UTC offset"

    def _fault_of_row(self, cells: list[str], line: str) -> _Fault | None:
        """Returns the fault of a row without the layout's width (with or without a final delimiter) or without a
        timestamp."""
        layout, number = self._layout, len(cells)
        over = number == layout.header.width + 1 and not cells[-1].strip()
        if not (over if layout.width == number > layout.header.width else self._has_width(cells, line)):
            return "row-width", f"has {numbered(number, 'cell')}, but the header has {layout.header.width}"
        if not self._is_stamp(stamp := cells[0].strip()):
            self._rows.cut = self._rows.cut or (stamp if CUT.fullmatch(stamp) else "")
            return "bad-time", _no_timestamp(cells[0])
        self._rows.trailing_cell |= over
        self._rows.description_used |= any(cell.strip() for cell in cells[1 + layout.kept :])
        return None

    def _has_width(self, cells: list[str], line: str) -> bool:
        """True if a row has the layout's cells; an empty one at its end may be extra or missing. Without quotes, an
        empty cell before that one makes the columns ambiguous."""
        layout = self._layout
        ends = line.endswith(layout.header.delimiter)
        if len(cells) == layout.width - 1:
            return layout.trailing and layout.dropped > 0 and not ends
        if len(cells) == layout.width + 1:
            return not layout.trailing and ends and ('"' in line or bool(cells[-2].strip()))
        return len(cells) == layout.width

    def _numbers(self, cells: Sequence[str], number: int) -> list[float]:
        if self._rows.notation.decimal == POINT and _PLAIN.fullmatch("".join(cells[1:])):
            try:
                values = [float(cell) for cell in cells[1:]]
            except ValueError:
                pass
            else:
                if all(map(isfinite, values)):
                    if self._rows.evidence.points is None:
                        for index, cell in enumerate(cells[1:], 2):
                            self._rows.evidence.add(cell, number, index)
                    return values
        return [self._number(cell.strip(), number, index) for index, cell in enumerate(cells[1:], 2)]

    def _number(self, text: str, line: int, index: int) -> float:
        if not text:
            return nan
        self._rows.evidence.add(text, line, index)
        value = self._rows.notation.number(text)
        if value is None:
            code, what = self._rows.notation.fault(text)
            message = f"Line {line}, cell {index}: {_shown(text)} {what}."
            self._problems.warn(code, message, "cell left empty; check it in the file", line, index)
        return nan if value is None else value

    def _is_stamp(self, text: str) -> bool:
        known = self._stamps.get(text)
        if known is None:
            clock, offset = without_offset(text) if self._layout.header.stamped else (text, 0)
            known = self._stamps[text] = offset is not None and bool(parse_texts([clock]).valid[0])
        return known

    def _reject(self, fault: _Fault | None, number: int) -> None:
        code, what = fault or _OPEN_QUOTE
        self._problems.warn(code, f"Line {number} {what}.", row_rejected(code), number)
        self._rows.rejected += 1


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _no_timestamp(text: str) -> str:
    return f"begins with {_shown(text)} instead of a timestamp" if text.strip() else "has no timestamp"
