"""The lines of a file around the line of a problem, in the encoding that the file was read with."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from workbench.model.recording import FileReport
from workbench.readers.text.encodings import decode_header, utf16_encoding
from workbench.study.discovery.archive import read_head

REACH = 12
# A line of a wide recording is cut for reading; its first cells identify it.
MAX_CHARACTERS = 2_000
# Maximum number of bytes to read: a problem deep in a huge file is shown only by its number.
MAX_BYTES = 64 * 2**20
# Characters shown before a cell that is beyond the visible part of a line.
_BEFORE = 200
_LINE_END = re.compile(r"\r\n|\n|\r")
_CUT = "… "


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A line of a file (physical lines, from 1), a cell of it (from 1) if the problem names one, and the known settings
    that the file was read with."""

    line: int
    cell: int | None = None
    encoding: str | None = None
    delimiter: str | None = None


def place_in(report: FileReport | None, line: int, cell: int | None) -> FilePlace:
    """Returns the place of a line, and of its cell if one is meant, in a file that was read as its report states."""
    return FilePlace(line, cell) if report is None else FilePlace(line, cell, report.encoding, report.delimiter)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`lines` are numbered from `first`. `note` states why there are none, or that the file was cut off. `marked` is
    the start and end of the cell within its line, None if no cell is meant or the line does not have it."""

    first: int
    lines: tuple[str, ...]
    note: str = ""
    marked: tuple[int, int] | None = None


def excerpt(path: Path, place: FilePlace, reach: int = REACH) -> Excerpt:
    """Returns the lines around a place. Never raises because of the file's content."""
    try:
        data = read_head(path, MAX_BYTES + 1)
    except OSError as error:
        return Excerpt(1, (), f"{path.name} can no longer be read: {error.strerror or error}.")
    lines = _LINE_END.split(_text(data[:MAX_BYTES], place.encoding))
    first = max(1, place.line - reach)
    taken = lines[first - 1 : place.line + reach]
    if not taken:
        return Excerpt(
            first, (), f"{path.name} no longer has a line {place.line}; it may have changed since the import."
        )
    note = f"Only the first {MAX_BYTES // 2**20} MB were searched." if len(data) > MAX_BYTES else ""
    shown = [_shortened(text) for text in taken]
    at = place.line - first
    cell = _cell(taken[at], place) if at < len(taken) else None
    if cell is None:
        return Excerpt(first, tuple(shown), note)
    shown[at], marked = _around(taken[at], *cell)
    return Excerpt(first, tuple(shown), note, marked)


def _text(data: bytes, encoding: str | None) -> str:
    """Returns the text in the encoding of the file's report. If the report names none, it is decoded as readers do."""
    if (utf16 := utf16_encoding(data)) is not None:
        return data.decode(utf16, errors="replace").removeprefix("\ufeff")
    if encoding is None:
        encoding = _guessed(data)
    return data.removeprefix(codecs.BOM_UTF8).decode(encoding, errors="replace")


def _guessed(data: bytes) -> str:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return decode_header(data[max(0, error.start - _BEFORE) : error.start + _BEFORE])[1]
    return "utf-8"


def _cell(line: str, place: FilePlace) -> tuple[int, int] | None:
    """Returns the start and end of the cell within the line, without its quotes; None if the line has no such cell."""
    if place.cell is None or not place.delimiter:
        return None
    at = 0
    for number, cell in enumerate(_cells(line, place.delimiter), start=1):
        if number == place.cell:
            quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
            return at + quoted, at + len(cell) - quoted
        at += len(cell) + len(place.delimiter)
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    """Returns the cells as written, with quotes: a delimiter within quotes does not separate cells."""
    cells, inside = [""], False
    for part in re.split(f'({re.escape(delimiter)}|")', line):
        inside ^= part == '"'
        if part == delimiter and not inside:
            cells.append("")
        else:
            cells[-1] += part
    return cells


def _around(line: str, begin: int, end: int) -> tuple[str, tuple[int, int]]:
    """Returns the line from shortly before the cell if the cell is beyond the visible part, and the cell's position in
    it."""
    start = 0 if end <= MAX_CHARACTERS else max(0, begin - _BEFORE)
    sign = _CUT if start else ""
    shift = len(sign) - start
    return sign + _shortened(line[start:]), (begin + shift, min(end, start + MAX_CHARACTERS) + shift)


def _shortened(text: str) -> str:
    visible = "".join(char if char.isprintable() or char == "\t" else "·" for char in text[:MAX_CHARACTERS])
    return visible + (" …" if len(text) > MAX_CHARACTERS else "")
