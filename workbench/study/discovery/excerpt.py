"""The lines of a file around one that a problem names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from workbench.model.recording import FileReport
from workbench.study.discovery.archive import read_head

REACH = 12
# A line of a wide recording is cut for reading; its first cells tell which it is.
MAX_CHARACTERS = 2_000
# A cell that ends behind this many characters is not in sight: the lines begin so many cells before it instead.
_IN_SIGHT, _BEFORE = 45, 2
# What is read at most: a problem deep in a huge file is shown by its number alone.
MAX_BYTES = 64 * 2**20
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`lines` are numbered from `first`; `note` says why there are none, or that the file was cut. `marked` is where
    in the line asked for the cell asked for stands, from its first character to behind its last."""

    first: int
    lines: tuple[str, ...]
    note: str = ""
    marked: tuple[int, int] | None = None


def excerpt(
    path: Path, line: int, reach: int = REACH, cell: int | None = None, report: FileReport | None = None
) -> Excerpt:
    """The lines around `line` (physical lines, from 1), read as the file was (`report`), with the cell (from 1) marked;
    never raises for what the file holds."""
    try:
        data = read_head(path, MAX_BYTES + 1)
    except OSError as error:
        return Excerpt(1, (), f"{path.name} cannot be read any more: {error.strerror or error}.")
    cut = len(data) > MAX_BYTES
    lines = _LINE_END.split(_text(data[:MAX_BYTES], report.encoding if report else None))
    first = max(1, line - reach)
    around = lines[first - 1 : line + reach]
    if not around:
        return Excerpt(first, (), f"{path.name} has no line {line} any more; it may have changed since.")
    note = f"Only the first {MAX_BYTES // 2**20} MB were looked at." if cut else ""
    if cell is None or not first <= line < first + len(around):
        return Excerpt(first, tuple(_shortened(text) for text in around), note)
    delimiter = (report.delimiter if report else None) or _delimiter(around[line - first])
    span = _span(around[line - first], cell, delimiter)
    if span is None:
        return Excerpt(first, tuple(_shortened(text) for text in around), note)
    if span[1] <= _IN_SIGHT:
        return Excerpt(first, tuple(_shortened(text) for text in around), note, span)
    shown = tuple(_shortened(_from_cell(text, cell - _BEFORE, delimiter)) for text in around)
    moved = len(around[line - first]) - len(_from_cell(around[line - first], cell - _BEFORE, delimiter))
    return Excerpt(first, shown, note, (span[0] - moved, span[1] - moved))


def _delimiter(line: str) -> str:
    """What parts the cells of a line whose report does not say."""
    return max("\t;,", key=line.count)


def _span(line: str, cell: int, delimiter: str) -> tuple[int, int] | None:
    """From where to where a cell stands in its line, its quotes included; None where the line has fewer cells."""
    start, quoted, at = 0, False, 1
    for place, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == delimiter and not quoted:
            if at == cell:
                return start, place
            at, start = at + 1, place + 1
    return (start, len(line)) if at == cell else None


def _from_cell(line: str, cell: int, delimiter: str) -> str:
    """The line from a cell on; from its beginning where there is no such cell."""
    span = _span(line, cell, delimiter) if cell > 1 else None
    return "… " + line[span[0] :] if span else line


def _text(data: bytes, encoding: str | None) -> str:
    if encoding:
        try:
            return data.decode(encoding, errors="replace").removeprefix("\ufeff")
        except LookupError:  # a name that only the reader knows
            pass
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _shortened(text: str) -> str:
    visible = "".join(char if char.isprintable() or char == "\t" else "·" for char in text[:MAX_CHARACTERS])
    return visible + (" …" if len(text) > MAX_CHARACTERS else "")
