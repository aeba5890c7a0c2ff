"""The problems of one file, gathered while it is read; a flood is summed up, never cut off."""

from __future__ import annotations

from collections import Counter

from workbench.model.problem import Problem, Severity

# Of each kind this many are listed one by one; the rest become one problem that carries their number.
LISTED = 100

_SUMMARIES = {
    "not-a-number": "cells left empty",
    "row-aligned": "these cells left empty, the others kept at their columns",
    "row-width": "rows left out",
    "negative-rate": "cells left empty: they count as missing",
}


class Problems:
    """Problems of one file in the order they were met."""

    def __init__(self, file: str) -> None:
        self._file = file
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
        """One problem; beyond `LISTED` of a code only its number is kept."""
        problem = Problem(severity, self._file, code, message, action, line, column)
        self._counts[code] += 1
        self._last[code] = problem
        if self._counts[code] <= LISTED:
            self._found.append(problem)

    def info(self, code: str, message: str, action: str, line: int | None = None) -> None:
        """Something guessed or tidied that costs no data."""
        self.add(Severity.INFO, code, message, action, line)

    def warn(self, code: str, message: str, action: str, line: int | None = None, column: int | None = None) -> None:
        """Something that costs some data, or may."""
        self.add(Severity.WARNING, code, message, action, line, column)

    def take(self, other: Problems) -> None:
        """Takes over what another gathering of the same file has noted."""
        self._found += other._found
        self._counts.update(other._counts)
        self._last.update(other._last)

    def count(self, code: str) -> int:
        """How many problems of this code were met, listed or not."""
        return self._counts[code]

    def all(self) -> tuple[Problem, ...]:
        """Every problem, with one summary for each code that was met too often to list."""
        if len(self._found) == self._counts.total():
            return tuple(self._found)
        listed = Counter(problem.code for problem in self._found)
        return tuple(self._found) + tuple(
            self._summary(code, number, listed[code]) for code, number in self._counts.items() if number > listed[code]
        )

    def _summary(self, code: str, number: int, listed: int) -> Problem:
        last = self._last[code]
        # Many problems stand on no line: those of JSON, of whole columns and of binary logs.
        where = "" if last.line is None else f"; the last one is on line {last.line:,}"
        return Problem(
            last.severity,
            self._file,
            code,
            f"{number - listed:,} more problems of the kind '{code}' were met, {number:,} in all{where}.",
            _SUMMARIES.get(code, last.action),
            last.line,
            last.column,
        )
