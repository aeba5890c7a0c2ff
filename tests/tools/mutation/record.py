"""The statements that each test runs, and its time: recorded once, before mutants are judged."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.tools.mutation.mutants import Mutant
from tests.tools.mutation.process import Ran
from tests.tools.mutation.statements import Statement, statement_of

# Limit in seconds of all tests of a mutant; a separate process gets this much more for each file of tests.
MOST_S, FILE_S = 12.0, 0.3
# The usable tests: those of the computing modules, of hosts, of their machines, of files with results of two
# tools, and of the sample study. The others run the whole program, the window and the exports: they take long
# and find few more mutants.
_TESTS = (
    "tests/phases/**/test_*.py",
    "tests/measures/**/test_*.py",
    "tests/answers/**/test_*.py",
    "tests/readers/**/test_*.py",
    "tests/study/test_host_counters.py",
    "tests/study/test_mixed_results.py",
    "tests/study/test_vm_series.py",
    "tests/test_sample_study.py",
)


def test_files(project: Path) -> list[str]:
    """The files of tests that may be used."""
    return [file.relative_to(project).as_posix() for pattern in _TESTS for file in sorted(project.glob(pattern))]


@dataclass
class Record:
    """The tests that pass without a mutant with their seconds, the tests of each statement, and what runs at import."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests: dict[Statement, list[str]] = field(default_factory=lambda: defaultdict(list))
    early: set[Statement] = field(default_factory=set)

    def add(self, early: Iterable[Statement], ran: Iterable[Ran]) -> None:
        """Adds a file of tests."""
        self.early.update(early)
        for test in ran:
            if test.passed:
                self.seconds[test.test] = test.seconds
                for statement in test.statements:
                    self.tests[statement].append(test.test)

    def asked(self, mutant: Mutant, source: str) -> tuple[list[tuple[str, float]], bool]:
        """The tests for a mutant with their seconds, and whether they need a separate process: code of a module outside
        of functions, and a function that ran at import, left results that a swap does not undo."""
        line = statement_of(source, mutant.start)
        statement = (mutant.file, line or 0)
        alone = line is None or statement in self.early
        near = self._chosen(self.tests.get(statement, []), alone)
        return (near or self._chosen(self._around(mutant.file), alone) if alone else near), alone

    def _around(self, file: str) -> list[str]:
        """The tests that run anything in a file; without any, those of its folder, or of the folder above it."""
        for place in (file, *(f"{parent.as_posix()}/" for parent in Path(file).parents)):
            found = {
                test for statement, tests in self.tests.items() if statement[0].startswith(place) for test in tests
            }
            if found:
                return sorted(found)
        return []

    def _chosen(self, tests: Iterable[str], alone: bool) -> list[tuple[str, float]]:
        """The fastest tests first, with a few of the many cases of one test, until the time is used."""
        return list(self._in_time(sorted(tests, key=self._costs(tests).__getitem__), alone))

    def _costs(self, tests: Iterable[str]) -> dict[str, float]:
        cases: Counter[str] = Counter()
        costs = {}
        for test in sorted(tests, key=self.seconds.__getitem__):
            name = test.partition("[")[0]
            costs[test] = self.seconds[test] * (1 + cases[name])
            cases[name] += 1
        return costs

    def _in_time(self, tests: Iterable[str], alone: bool) -> Iterator[tuple[str, float]]:
        left, files = MOST_S, set[str]()
        for test in tests:
            file = test.partition("::")[0]
            left -= self.seconds[test] + FILE_S * (alone and file not in files)
            files.add(file)
            if left > 0:
                yield test, self.seconds[test]

    def write(self, file: Path) -> None:
        """Writes the record, so a run can resume with it."""
        numbers = {test: number for number, test in enumerate(self.seconds)}
        tests = [[*statement, [numbers[test] for test in tests]] for statement, tests in self.tests.items()]
        file.write_text(json.dumps([self.seconds, tests, sorted(self.early)]), encoding="utf-8")

    @staticmethod
    def read(file: Path) -> Record:
        """The record in a file."""
        seconds, tests, early = json.loads(file.read_text(encoding="utf-8"))
        names = list(seconds)
        of_statements = {(name, line): [names[number] for number in numbers] for name, line, numbers in tests}
        return Record(seconds, defaultdict(list, of_statements), {(name, line) for name, line in early})
