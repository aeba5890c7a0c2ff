"""Empty files: those of one folder are one sentence with their number. A test that was aborted leaves 90 of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from workbench.model.problem import Severity
from workbench.model.reading import Reading

CODE = "empty-file"
_NAMED = 3


def empties_once(readings: Sequence[Reading]) -> list[Reading]:
    """The readings in their order; of the empty files of a folder the first by name speaks for all."""
    folders: dict[PurePosixPath, list[int]] = defaultdict(list)
    for index in sorted(range(len(readings)), key=lambda at: readings[at].report.path):
        if any(problem.code == CODE and problem.severity is Severity.WARNING for problem in readings[index].problems):
            folders[PurePosixPath(readings[index].report.path).parent].append(index)
    result = list(readings)
    for empty in folders.values():
        if len(empty) > 1:
            first, *others = empty
            names = [PurePosixPath(readings[index].report.path).name for index in empty]
            result[first] = _of_all(readings[first], names)
            for index in others:
                result[index] = _silent(readings[index])
    return result


def _of_all(reading: Reading, names: list[str]) -> Reading:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    message = f"{len(names):,} files of this folder are empty (0 bytes): {', '.join(names[:_NAMED])}{more}."
    action = "files left out; if results belong here, copy them again or repeat the test"
    problems = tuple(
        replace(problem, message=message, action=action) if problem.code == CODE else problem
        for problem in reading.problems
    )
    return replace(reading, problems=problems)


def _silent(reading: Reading) -> Reading:
    return replace(reading, problems=tuple(problem for problem in reading.problems if problem.code != CODE))
