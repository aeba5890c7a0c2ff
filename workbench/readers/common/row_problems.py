"""Collects the problems of one file while it is read. A flood is summarised, never cut off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from workbench.model.problem import Problem, Severity, few_named

# This many problems of a code are listed one by one; the rest become one problem with their number.
LISTED = 100

# For each of these codes one problem represents all: it names the first lines and the number of the others.
_TOGETHER = frozenset(("row-width", "other-header"))
_NAMED = 3

# The place of the further lines of a problem, if they do not have the problem itself.
_OTHERS = {"other-header": "also below it:"}
_SUMMARIES = {
    "not-a-number": "cells left empty; check them in the file",
    "row-aligned": "damaged cells left empty; check them in the file",
}
# An action on one of them, such as `row rejected`.
_ONE = re.compile(
    r"\b(aggregate|buffer|cell|checkpoint|column|connection|counter|entry|item|key|line|measurement|point|record|report|result"
    r"|row|run|sample|score|series|step|value)(?= (?:excluded|ignored|kept|left empty|not used|rejected))"
)


# The advice on a rejected row, if looking at it does not help.
_ADVICE = {
    "cut-off": "copy the file again",
    "eux-off": "turn on EUX for the next test",
    "nul-bytes": "copy the file again",
    "other-header": "split the file before this header",
}

# The advice if each row of a table has another number of cells than its header.
WIDTH_ADVICE = "file not imported; open the original file, or export it with another delimiter"


def row_rejected(code: str) -> str:
    """The action on a rejected row, with the advice for its fault."""
    return f"row rejected; {_ADVICE.get(code, 'check it in the file')}"


def other_width(rows: int) -> str:
    """The reason why no row of a table could be read, if each has another number of cells than its header."""
    return f"{none_of(rows, 'row')} has as many cells as the header."


def numbered(number: int, noun: str) -> str:
    """Text like `1 point` or `3 points`."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def quoted(names: Iterable[str]) -> list[str]:
    """The names in quotation marks."""
    return [f"'{name}'" for name in names]


def counting(number: int, noun: str, one: str, more: str) -> str:
    """Text like `1 row has` or `3 rows have`."""
    return f"{numbered(number, noun)} {one if number == 1 else more}"


def none_of(number: int, noun: str) -> str:
    """Text like `No row`, `Neither of the 2 rows` or `None of the 3 rows`."""
    return f"No {noun}" if number == 1 else f"{'Neither' if number == 2 else 'None'} of the {numbered(number, noun)}"


def place_words(number: int, first: str) -> str:
    """Text like `line 5`, or `first: line 5` if there are more."""
    return first if number == 1 else f"first: {first}"


def acted(action: str, number: int) -> str:
    """The action on one thing, such as `row rejected`, in the plural if there are more."""
    return action if number == 1 else _for_all(action)


def _for_all(action: str) -> str:
    return _ONE.sub(lambda one: _plural(one[1]), action).replace("; check it in", "; check them in")


def _plural(noun: str) -> str:
    return noun if noun == "series" else f"{noun.removesuffix('y')}ies" if noun.endswith("entry") else f"{noun}s"


class Problems:
    """The problems of one file in the order of appearance."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._last: dict[str, Problem] = {}

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        action: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        """Adds one problem. Beyond `LISTED` problems of one code only their number is kept."""
        problem = Problem(severity, self.file, code, message, action, line, column)
        self._counts[code] += 1
        self._last[code] = problem
        if self._counts[code] <= LISTED:
            self._found.append(problem)

    def info(self, code: str, message: str, action: str, line: int | None = None) -> None:
        """Adds a guess or a correction that loses no data."""
        self.add(Severity.INFO, code, message, action, line)

    def warn(self, code: str, message: str, action: str, line: int | None = None, column: int | None = None) -> None:
        """Adds a problem that loses some data, or may."""
        self.add(Severity.WARNING, code, message, action, line, column)

    def tell_open_end(self, line: int | None) -> None:
        """Notes a last line without an end, if there is one: its number may be incomplete."""
        if line is not None:
            message = "The last line has no line break: the file may have been cut off within its last number."
            self.info("no-line-end", message, "row kept; compare it with the source", line)

    def take(self, other: Problems) -> None:
        """Adds the problems that another collection noted for this file."""
        self._found += other._found
        self._counts.update(other._counts)
        self._last.update(other._last)

    def count(self, code: str) -> int:
        """Returns how many problems of this code occurred, listed or not."""
        return self._counts[code]

    def all(self) -> tuple[Problem, ...]:
        """Returns every problem, with one summary for each code that occurred too often to list."""
        if len(self._found) == self._counts.total() and all(self._counts[code] < 2 for code in _TOGETHER):
            return tuple(self._found)
        listed = Counter(problem.code for problem in self._found)
        together = {code: self._together(code, number) for code, number in self._counts.items() if code in _TOGETHER}
        kept = (together.pop(one.code, None) if one.code in _TOGETHER else one for one in self._found)
        summed = [code for code, number in self._counts.items() if number > listed[code] and code not in _TOGETHER]
        return tuple(one for one in kept if one is not None) + tuple(
            self._summary(code, self._counts[code], listed[code]) for code in summed
        )

    def _together(self, code: str, number: int) -> Problem:
        """Returns the first problem of a code, with the lines of the next ones and their total number."""
        first, *others = (problem for problem in self._found if problem.code == code)
        lines = [f"{problem.line:,}" for problem in others[: _NAMED + 1] if problem.line is not None]
        if not lines:
            return first
        shown = few_named(lines, _NAMED, number - 1)
        what, noun = _OTHERS.get(code, "same problem on"), "line" if number == 2 else "lines"
        message = f"{first.message.removesuffix('.')} ({what} {noun} {shown})."
        return replace(first, message=message, action=_for_all(first.action))

    def _summary(self, code: str, number: int, listed: int) -> Problem:
        last = self._last[code]
        message = f"Last of {number:,} similar problems ({number - listed:,} not listed): {last.message}"
        return replace(last, message=message, action=_SUMMARIES.get(code, _for_all(last.action)))
