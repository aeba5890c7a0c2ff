"""Drafts: a clean twin is polluted step by step, and the draft records which values may honestly be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.pollution.judge import TrueRow, Truth, Value
from tests.pollution.sheets import ROWS, Sheet


@dataclass(eq=False)
class Line:
    """A line of a draft: its row (None: the line is not a row), its cells, or the text that replaces them."""

    row: int | None
    cells: list[str]
    text: str | None = None
    end: str | None = None


@dataclass(eq=False)
class Draft:
    """A file under construction. Pollution happens around `row` and `column` (both count from 0). `lost` cells have no
    true value any more, `blank` ones are empty, `right` ones have another true value. `told` cells have a value that
    a problem must report. `times` are changed time stamps (None: lost). `names` are the column names of the file,
    `columns` the content of each column."""

    sheet: Sheet
    row: int = 5
    column: int = -1
    delimiter: str = ","
    quoted: bool = False
    end: str = "\r\n"
    final_end: bool = True
    encoding: str = "utf-8"
    before: list[str] = field(default_factory=list)
    header: Line = field(init=False)
    lines: list[Line] = field(init=False)
    names: list[str] = field(init=False)
    columns: list[int] = field(init=False)
    offset: int | None = field(init=False)
    lost: set[tuple[int, int]] = field(default_factory=set)
    blank: set[tuple[int, int]] = field(default_factory=set)
    told: dict[tuple[int, int], Value] = field(default_factory=dict)
    right: dict[tuple[int, int], Value] = field(default_factory=dict)
    times: dict[int, float | None] = field(default_factory=dict)
    junk: int = 0
    tell: bool = False
    tell_row: int | None = None
    after: list[Callable[[bytes], bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        sheet = self.sheet
        self.quoted = sheet.quoted
        self.column = sheet.number if self.column < 0 else self.column
        self.names = list(sheet.names)
        self.columns = list(range(sheet.columns))
        self.offset = sheet.offset
        self.header = Line(None, [sheet.corner, *sheet.names])
        self.lines = [
            Line(row, [sheet.stamp(sheet.moment(row)), *(sheet.cell(row, c) for c in range(sheet.columns))])
            for row in range(ROWS)
        ]

    @property
    def target(self) -> Line:
        """Returns the line that is polluted."""
        return next(line for line in self.lines if line.row == self.row)

    @property
    def rows(self) -> list[int]:
        """Returns the rows that are still in the file."""
        return [line.row for line in self.lines if line.row is not None]

    @property
    def row_lines(self) -> list[Line]:
        """Returns the lines that contain rows."""
        return [line for line in self.lines if line.row is not None]

    def place(self) -> int:
        """Returns the index of the target among the lines."""
        return self.lines.index(self.target)

    def rendered(self, line: Line) -> str:
        """A line's text, without its end."""
        if line.text is not None:
            return line.text
        mark = '"' if self.quoted else ""
        return self.delimiter.join(f"{mark}{cell}{mark}" for cell in line.cells)

    def insert(self, place: int, *texts: str) -> None:
        """Inserts lines that are not rows."""
        self.lines[place:place] = [Line(None, [], text) for text in texts]
        self.junk += len(texts)

    def set_cell(self, text: str, row: int | None = None, column: int | None = None) -> None:
        """Replaces the text of a cell; its old value is lost."""
        row = self.row if row is None else row
        column = self.column if column is None else column
        next(line for line in self.lines if line.row == row).cells[column + 1] = text
        self.lost.add((row, column))

    def set_stamp(self, text: str, seconds: float | None, row: int | None = None) -> None:
        """Replaces the time stamp; the other time is its true time in the file (None: lost)."""
        row = self.row if row is None else row
        next(line for line in self.lines if line.row == row).cells[0] = text
        self.times[row] = seconds

    def cut_behind(self, text: str | None = None) -> None:
        """Ends the file in the line of the target; only `text` is left of that line."""
        line = self.target
        del self.lines[self.place() + 1 :]
        line.text = self.rendered(line) if text is None else text
        self.final_end = False

    def content(self) -> bytes:
        """Returns the bytes of the file."""
        everything = [*(Line(None, [], text) for text in self.before), self.header, *self.lines]
        parts = [self.rendered(line) + (self.end if line.end is None else line.end) for line in everything]
        if not self.final_end:
            parts[-1] = self.rendered(everything[-1])
        data = "".join(parts).encode(self.encoding)
        for change in self.after:
            data = change(data)
        return data

    def truth(self, known: frozenset[tuple[str, int | None]]) -> Truth:
        """Returns what may be read from the file."""
        first = len(self.before) + 2
        rows = tuple(
            self._row(line.row, number) for number, line in enumerate(self.lines, first) if line.row is not None
        )
        line = next((true.line for true, row in zip(rows, self.rows, strict=True) if row == self.tell_row), None)
        return Truth(
            self.sheet.file,
            tuple(self.names),
            rows,
            self.offset,
            known,
            self.junk + len(self.before),
            self.tell or self.tell_row is not None,
            line,
        )

    def _row(self, row: int, line: int) -> TrueRow:
        cells = tuple(self._cell(row, column) for column in self.columns)
        moment = self.times.get(row, self.sheet.moment(row))
        return TrueRow(
            line,
            None if moment is None else moment - 60.0 * (self.offset or 0),
            cells,
            frozenset(place for place, c in enumerate(self.columns) if (row, c) in self.blank),
            {place: self.told[row, c] for place, c in enumerate(self.columns) if (row, c) in self.told},
        )

    def _cell(self, row: int, column: int) -> Value | None:
        if (row, column) in self.lost or (row, column) in self.blank:
            return None
        return self.right.get((row, column), self.sheet.truth(row, column))
