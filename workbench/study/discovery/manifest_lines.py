"""Where the keys of a run.toml or limits.toml stand: tomllib tells values alone, and problems name their line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_KEY = re.compile(r"""[ \t]*(?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*[=.]""")
_TABLE = re.compile(r"[ \t]*\[")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")
# Python turns no more digits than this into a number, and says so without a place.
_DIGITS = re.compile(r"(?<![0-9_])[0-9_]{4301}")


@dataclass(frozen=True, slots=True)
class Lines:
    """The line of each key before the first table, and of each table of a list; what stands twice, as in a text of
    several lines, has none."""

    keys: dict[str, int | None] = field(default_factory=dict)
    tables: tuple[int, ...] = ()

    def table(self, number: int, tables: int) -> int | None:
        """The line of the table `number` (from 1) where so many `tables` were read."""
        return self.tables[number - 1] if len(self.tables) == tables else None


def lines_of(text: str, listed: str) -> Lines:
    """The lines of the keys of a file that was read, and of its [[listed]] tables."""
    keys: dict[str, int | None] = {}
    tables: list[int] = []
    entry = re.compile(rf"[ \t]*\[\[[ \t]*{listed}[ \t]*\]\]")
    within = False
    for number, line in enumerate(text.split("\n"), 1):
        if entry.match(line):
            tables.append(number)
        within = within or _TABLE.match(line) is not None
        if not within and (match := _KEY.match(line)) is not None:
            key = next(part for part in match.groups() if part is not None)
            keys[key] = None if key in keys else number
    return Lines(keys, tuple(tables))


def line_of_fault(text: str, error: Exception) -> int | None:
    """The line that a parser's error speaks of; None where it speaks of none."""
    match = _AT_LINE.search(str(error))
    if match is not None:
        return int(match[1])
    if "(at end of document)" in str(error):
        return text.rstrip("\n").count("\n") + 1
    digits = _DIGITS.search(text)
    return None if digits is None else text.count("\n", 0, digits.start()) + 1
