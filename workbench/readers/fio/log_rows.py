"""The samples of a fio log, read in pieces. A piece with uniform lines is parsed at once, any other line by line."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.cancellation import stop_if_cancelled
from workbench.readers.common.row_problems import Problems, numbered
from workbench.readers.text.encodings import open_text, utf16_encoding

Numbers = npt.NDArray[np.float64]
_CELL = r"(?:[0-9]{1,20}|0x[0-9a-fA-F]{1,8})"
LINE = re.compile(rf"\s*[0-9]{{1,20}}(?:\s*,\s*{_CELL}){{3,7}}\s*(?:,\s*)?")
_BREAK = re.compile(r"\r\n|\r|\n")
_FILLED = re.compile(r"[^\r\n]+")
# This many samples decide the meaning of the cells of a log.
_LOOKED_AT = 200
# Bytes read to detect the encoding.
_HEAD = 65_536
# The smallest and largest number of cells in a line.
_FEWEST, _MOST = 4, 8
# Hexadecimal digits that are not decimal ones.
_LETTERS = str.maketrans("abcdefABCDEF", "0" * 12)
# A job does not last longer than a year, in milliseconds.
_MAX_MS = 366 * 86_400_000
# Bytes of a log per piece; a piece is in memory several times over.
_PIECE = 1 << 24


@dataclass(slots=True)
class LogRows:
    """The samples in file order: times in ms, values, largest values (if the log has them) and directions (0, 1, 2).
    Also the number of rejected lines, and True if the last line has a line end."""

    times: Numbers
    values: Numbers
    largest: Numbers
    directions: npt.NDArray[np.uint8]
    rejected: int = 0
    ended: bool = True


class _Shape(NamedTuple):
    """The index of the cell with the direction, and the number of cells in most lines. If the direction is the fourth
    cell, the third is the largest value, after the mean."""

    direction: int
    width: int


class _Samples(NamedTuple):
    """The samples of one piece, in the form of `LogRows`."""

    times: Numbers
    values: Numbers
    largest: Numbers
    directions: npt.NDArray[np.uint8]


def pieces_of(path: Path) -> tuple[Iterator[str], str]:
    """Returns the text of a log in pieces that end with a line, and its encoding. fio writes ASCII; editors and shells
    make UTF-16 of it, which becomes one piece. So does a text without line ends, such as zero bytes from a full
    disk."""
    if path.stat().st_size > _PIECE:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
        if utf16_encoding(head) is None:
            start = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
            blocks = open_text(path).blocks(start, _PIECE)
            return (block.decode("ascii", errors="replace") for block in blocks), "ascii"
    text, encoding = decoded(path.read_bytes())
    return iter((text,)), encoding


def decoded(data: bytes) -> tuple[str, str]:
    """Returns text and encoding."""
    utf16 = utf16_encoding(data)
    if utf16 is None:
        return data.removeprefix(codecs.BOM_UTF8).decode("ascii", errors="replace"), "ascii"
    return data.decode(utf16, errors="replace").removeprefix("\ufeff"), "utf-16"


def filled(text: str, at_most: int = 0) -> list[str]:
    """Returns the lines that are not blank; at most `at_most` of them, 0 for all."""
    lines = (line for line in _BREAK.split(text, 2 * at_most) if line.strip(" \t\0\x1a"))
    return list(islice(lines, at_most or None))


def is_direction(cell: str) -> bool:
    """True if a cell may be a direction."""
    return cell.isdigit() and int(cell) <= 2


def cells_of(line: str) -> list[str]:
    """Returns the cells of a line."""
    return [cell.strip() for cell in line.strip().rstrip(",").split(",")]


def rows_of(pieces: Iterable[str], problems: Problems) -> LogRows:
    """Returns the samples of all pieces. Each line that is not a sample gives a problem."""
    shape, number, rejected, last = _Shape(2, 0), 1, 0, ""
    kept: list[_Samples] = []
    room = disk_arrays.Room()
    for text in pieces:
        stop_if_cancelled()
        width = shape.width or text.count(",", 0, text.find("\n")) + 1
        cells = _cells_of_like_lines(text, width, width)
        if not shape.width:
            shape = _shape_of_lines(text) if cells is None else _shape_of(cells[:_LOOKED_AT])
        if cells is None:
            cells = _cells_of_like_lines(text, shape.width, shape.direction + 1)
        samples, lines, wrong = _regular(cells, shape) or _by_lines(text, shape, number, problems)
        times, values, largest, directions = samples
        kept.append(_Samples(room.keep(times), room.keep(values), room.keep(largest), room.keep(directions)))
        number, rejected = number + lines, rejected + wrong
        last = text.rstrip("\0\x1a")[-1:] or last
    times, values, largest, directions = (_joined(parts) for parts in zip(*kept, strict=True))
    return LogRows(times, values, largest, directions, rejected, last in ("\r", "\n"))


def _joined(parts: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts, out=disk_arrays.empty(sum(map(len, parts)), parts[0].dtype))


def _shape_of(cells: npt.NDArray[np.int64]) -> _Shape:
    width, may_be = cells.shape[1], (cells[:, 2:4] <= 2).sum(axis=0).tolist()
    return _shape(width, may_be[0], may_be[1] if width > _FEWEST else 0, len(cells))


def _shape_of_lines(text: str) -> _Shape:
    # Only valid lines are looked at, so a damaged beginning does not decide how the rest is read.
    samples = (line[0] for line in _FILLED.finditer(text) if LINE.fullmatch(line[0]))
    lines = [cells_of(line) for line in islice(samples, _LOOKED_AT)]
    third = sum(is_direction(cells[2]) for cells in lines)
    fourth = sum(len(cells) > _FEWEST and is_direction(cells[3]) for cells in lines)
    widths = Counter(map(len, lines))
    return _shape(widths.most_common(1)[0][0] if widths else 0, third, fourth, len(lines))


def _shape(width: int, third: int, fourth: int, lines: int) -> _Shape:
    """Returns the shape, from the number of lines with a possible direction in the third and in the fourth cell. A
    block size of 0 also looks like a direction, so the third cell is preferred."""
    return _Shape(3 if fourth > third and 2 * third < lines else 2, width)


def _regular(cells: npt.NDArray[np.int64] | None, shape: _Shape) -> tuple[_Samples, int, int] | None:
    """Returns the samples in the cells of uniform lines, their number, and 0 rejected lines. None if a cell is not a
    direction or not a time."""
    if cells is None:
        return None
    directions = cells[:, shape.direction]
    # The cells are integers without a sign, so every value up to 2 is a direction.
    if directions.max() > 2 or cells[:, 0].max() > _MAX_MS:
        return None
    third = cells[:, 2] if shape.direction == 3 else cells[:0, 2]
    times, values, largest = (column.astype(np.float64) for column in (cells[:, 0], cells[:, 1], third))
    return _Samples(times, values, largest, directions.astype(np.uint8)), len(cells), 0


def _cells_of_like_lines(text: str, width: int, decimal: int) -> npt.NDArray[np.int64] | None:
    """Returns the cells of a text with uniform lines, parsed at once. The first `decimal` cells are decimal; the others
    get an arbitrary number. None for any other text."""
    if not _FEWEST <= width <= _MOST or (decimal < width and "0x" not in text):
        return None
    text = text if text.endswith("\n") else f"{text}\n"
    if not _like_lines(width, decimal).fullmatch(text):
        return None
    if decimal < width:
        # Hexadecimal cells are priorities, which follow all the cells that are used.
        text = text.replace("0x", "").translate(_LETTERS)
    # Parsing integers takes an eighth of the time.
    return np.fromstring(text.replace(",", " "), np.int64, sep=" ").reshape(-1, width)


@cache
def _like_lines(width: int, decimal: int) -> re.Pattern[str]:
    """Returns a pattern for lines of `width` cells, the first `decimal` of them decimal numbers: a float holds any
    number of 15 digits."""
    cell = r"\d{1,15}"
    cells = rf"{cell}(?:, *+{cell}){{{decimal - 1}}}(?:, *+(?:{cell}|0x[0-9a-fA-F]{{1,8}})){{{width - decimal}}}"
    return re.compile(rf"(?: *+{cells} *+\r?\n)++")


def _by_lines(text: str, shape: _Shape, number: int, problems: Problems) -> tuple[_Samples, int, int]:
    """Parses line by line; `number` is the first line. Returns the samples, the number of lines and the number of
    rejected lines."""
    kept: list[tuple[int, int, int, int]] = []
    rejected, lines = 0, _BREAK.split(text)
    for at, line in enumerate(lines, start=number):
        if not line.strip(" \t"):
            continue
        why = _reason_against(line, shape)
        if why:
            rejected += 1
            problems.warn("row-width", f"Line {at} {why}.", "line rejected; check it in the file", at)
            continue
        cells = cells_of(line)
        kept.append((int(cells[0]), int(cells[1]), int(cells[2]), int(cells[shape.direction])))
    # Copy each column: a view would keep the whole table in memory.
    times, values, third, directions = (column.copy() for column in np.array(kept, np.float64).reshape(-1, 4).T)
    largest = third if shape.direction == 3 else third[:0]
    return _Samples(times, values, largest, directions.astype(np.uint8)), len(lines) - 1, rejected


def _reason_against(line: str, shape: _Shape) -> str:
    """Returns the end of the sentence that explains why a line is not a sample; empty if it is one."""
    if not LINE.fullmatch(line):
        return f"is not a sample of a fio log: '{line.strip()[:60]}'"
    cells = cells_of(line)
    if len(cells) != shape.width:
        return f"has {numbered(len(cells), 'cell')}, but the other lines have {shape.width}"
    if not is_direction(cells[shape.direction]):
        return f"contains the direction {cells[shape.direction]}, which is not 0, 1 or 2"
    if not cells[1].isdigit() or (shape.direction == 3 and not cells[2].isdigit()):
        return f"contains the value '{cells[1]}', which is not a number"
    if int(cells[0]) > _MAX_MS:
        return f"contains the time {cells[0]} ms, which is more than a year"
    return ""


def note_start_unknown(problems: Problems) -> None:
    """Notes that a log counts time from the start of its job."""
    problems.info(
        "relative-time",
        "The log counts time from the start of its job, but does not contain the start time.",
        "samples kept as a separate time series; not used for phases",
    )
