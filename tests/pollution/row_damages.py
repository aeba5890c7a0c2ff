"""Damages of single rows in the undamaged files of every text reader: each value is right, or reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tools.fuzz.formats import formats, seeds_of
from tests.tools.fuzz.outcome import Outcome

# The readers of text tables, and their separators of cells.
TABLES = {
    "perfmon": ",",
    "events": ",",
    "poolmon": " ",
    "fio": ";",
    "fio-log": ", ",
    "diskspd": "|",
    "diskspd-summary": ",",
    "sqlio": ",",
    "crystaldiskmark": " ",
    "yabs": "|",
    "iometer": ",",
    "vdbench": " ",
    "vmfleet": "\t",
    "login-vsi": ",",
    "login-enterprise-csv": ",",
    "iostat": " ",
    "dstat": ",",
    "get-counter": ",",
    "long-table": ",",
    "mapped-csv": ",",
    "result-table": ",",
    "logon-table": ",",
}
REPORTS = ("poolmon", "fio", "diskspd", "sqlio", "crystaldiskmark", "yabs", "iometer", "vdbench", "iostat")
Damage = Callable[[list[str], int, str], str]


def _without_cell(cells: list[str], place: int, mark: str) -> str:
    return mark.join(cells[:place] + cells[place + 1 :])


def _with_another_cell(cells: list[str], place: int, mark: str) -> str:
    return mark.join([*cells[:place], "7", *cells[place:]])


def _without_delimiter(cells: list[str], place: int, mark: str) -> str:
    return mark.join([*cells[:place], "".join(cells[place : place + 2]), *cells[place + 2 :]])


def _with_open_quote(cells: list[str], place: int, mark: str) -> str:
    return mark.join([*cells[:place], '"' + cells[place].strip('"'), *cells[place + 1 :]])


def _with_merged_cells(cells: list[str], place: int, mark: str) -> str:
    both = " ".join(cell.strip('"') for cell in cells[place : place + 2])
    return mark.join([*cells[:place], f'"{both}"', *cells[place + 2 :]])


DAMAGES: dict[str, Damage] = {
    "missing cell": _without_cell,
    "extra cell": _with_another_cell,
    "lost delimiter": _without_delimiter,
    "open quote": _with_open_quote,
    "merged cells": _with_merged_cells,
}


# These need two cells.
PAIRS = ("lost delimiter", "merged cells")


def damaged_files(label: str, damage: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Yields each undamaged file of a reader with one row damaged at one place: name, undamaged bytes, damaged
    bytes."""
    mark = TABLES[label]
    for seed in seeds_of(label):
        if not seed.is_text:
            continue
        lines = seed.data.decode().split("\n")
        for at, line in enumerate(lines):
            cells = re.split(" +", line) if mark == " " else line.split(mark)
            holds_number = any(cell.strip('" \r')[:1].isdigit() for cell in cells)
            if len(cells) < 3 or not holds_number:
                continue
            for place in range(len(cells) - (damage in PAIRS)):
                text = DAMAGES[damage](cells, place, mark)
                if text != line:
                    yield seed.name, seed.data, "\n".join([*lines[:at], text, *lines[at + 1 :]]).encode()


def cut_files(label: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Yields each undamaged file of a reader, cut at every place of its last line."""
    for seed in seeds_of(label):
        body = seed.data.rstrip()
        # A file that ends with the line end before its last line looks complete.
        start = body.rfind(b"\n") + 1
        for end in range(start + 1, len(body)):
            if body[start:end].strip():
                yield seed.name, seed.data, seed.data[:end]


def fault(label: str, name: str, clean: bytes, damaged: bytes, folder: Path) -> str:
    """Returns the silent errors in the reading of a damaged file; empty if there are none."""
    right, found = _undamaged(label, name, clean), formats()[label].read(damaged, name, folder)
    if set(found.remarks) - set(right.remarks):
        return _wrong_place(right, found, label in REPORTS or (len(damaged) < len(clean) and clean.startswith(damaged)))
    other = [key for key, value in found.figures.items() if right.figures.get(key) != value]
    gone = [key for key in right.figures if key not in found.figures]
    return f"without a word: {(other or gone)[:3]}" if other or gone else ""


@lru_cache(maxsize=64)
def _undamaged(label: str, name: str, clean: bytes) -> Outcome:
    with TemporaryDirectory() as folder:
        return formats()[label].read(clean, name, Path(folder))


@lru_cache(maxsize=64)
def _undamaged(label: str, name: str, clean: bytes) -> Outcome:
    with TemporaryDirectory() as folder:
        return formats()[label].read(clean, name, Path(folder))


def _wrong_place(right: Outcome, found: Outcome, is_report: bool) -> str:
    """Returns figures that have the number of another name; in tables also figures with a new name. The damaged lines
    may be those that name the machine or the test of a report."""
    numbers = set(right.figures.values())
    moved = [
        f"{key}: {value}"
        for key, value in found.figures.items()
        if value in numbers and right.figures.get(key, value if is_report else None) != value
    ]
    return f"of another column: {moved[:3]}" if moved else ""
