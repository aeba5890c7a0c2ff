"""Which tests can notice a change of a module: those whose imports lead to it, the nearest first."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

# Windows and measurements take long and notice little of what computes.
_LEFT_OUT = ("tests/gui/", "tests/benchmarks/", "tests/mutation/", "tests/snapshots/")
# What sees the figures of the whole sample study is asked last.
WHOLE = ("tests/test_sample_study.py", "tests/snapshots/test_snapshots.py")
# Tests that reach a module only by more steps than this run the whole program.
FARTHEST = 3


class Imports:
    """Who imports whom among the program and its tests in a folder; files by their paths below it."""

    def __init__(self, root: Path) -> None:
        self._names = {_name(file): file for folder in ("workbench", "tests") for file in _files(root, folder)}
        self._of = {
            file: frozenset(self._imported((root / file).read_text(encoding="utf-8"))) for file in self._names.values()
        }

    def tests_of(self, file: str) -> list[str]:
        """The test files that reach a file, nearest first; of equal ones the one named like it, then the one that
        imports least. The tests of the whole sample study come last, where they are there."""
        stem = Path(file).stem
        steps = self._steps_to(file)
        tests = [test for test, count in steps.items() if count <= FARTHEST and _is_test(test)]
        tests.sort(key=lambda test: (steps[test], stem not in Path(test).stem, len(self._of[test]), test))
        return [test for test in tests if test not in WHOLE] + [test for test in WHOLE if test in self._of]

    def _steps_to(self, file: str) -> dict[str, int]:
        """How many imports lead from each file to this one."""
        steps, edge = {file: 0}, [file]
        while edge:
            reached = [other for other, known in self._of.items() if other not in steps and known & set(edge)]
            steps |= dict.fromkeys(reached, steps[edge[0]] + 1)
            edge = reached
        return steps

    def _imported(self, source: str) -> Iterator[str]:
        for name in _imports(ast.parse(source)):
            if name in self._names:
                yield self._names[name]


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(root: Path, folder: str) -> Iterable[str]:
    return sorted(file.relative_to(root).as_posix() for file in (root / folder).rglob("*.py"))


def _name(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _is_test(file: str) -> bool:
    return Path(file).name.startswith("test_") and not file.startswith(_LEFT_OUT)
