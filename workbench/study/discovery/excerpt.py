"""The lines of a file around one that a problem names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from workbench.study.discovery.archive import read_head

REACH = 12
# A line of a wide recording is cut for reading; its first cells tell which it is.
MAX_CHARACTERS = 2_000
# What is read at most: a problem deep in a huge file is shown by its number alone.
MAX_BYTES = 64 * 2**20
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`lines` are numbered from `first`; `note` says why there are none, or that the file was cut."""

    first: int
    lines: tuple[str, ...]
    note: str = ""


def excerpt(path: Path, line: int, reach: int = REACH) -> Excerpt:
    """The lines around `line` (physical lines, from 1); never raises for what the file holds."""
    try:
        data = read_head(path, MAX_BYTES + 1)
    except OSError as error:
        return Excerpt(1, (), f"{path.name} cannot be read any more: {error.strerror or error}.")
    cut = len(data) > MAX_BYTES
    lines = _LINE_END.split(_text(data[:MAX_BYTES]))
    first = max(1, line - reach)
    shown = tuple(_shortened(text) for text in lines[first - 1 : line + reach])
    if not shown:
        return Excerpt(first, (), f"{path.name} has no line {line} any more; it may have changed since.")
    return Excerpt(first, shown, f"Only the first {MAX_BYTES // 2**20} MB were looked at." if cut else "")


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _shortened(text: str) -> str:
    visible = "".join(char if char.isprintable() or char == "\t" else "·" for char in text[:MAX_CHARACTERS])
    return visible + (" …" if len(text) > MAX_CHARACTERS else "")
