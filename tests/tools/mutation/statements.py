"""The statements that run: functions compiled with a mark before each statement, and the statement of a mutant."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

# A statement inside a function: its file, below the project, and its line.
Statement = tuple[str, int]
_MARKS = "__marks__"
_MOST = 100_000


def load_with(code_of: Callable[[str], CodeType | None]) -> None:
    """Makes imports use the result of `code_of` for the path of a module from now on, or its file if the result is
    None."""
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code_of(loader.path) or usual(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def statement_of(source: str, start: int) -> int | None:
    """The line of the innermost statement in a function's body at this character; None outside of functions."""
    line = source.count("\n", 0, start) + 1
    lines = [
        statement.lineno
        for body in _bodies(ast.parse(source))
        for statement in body
        if statement.lineno <= line <= (statement.end_lineno or line)
    ]
    return max(lines, default=None)


class Marks:
    """Modules of some files compiled with marks; returns the statements that ran since the last call."""

    def __init__(self, project: Path, files: frozenset[str]) -> None:
        self._project, self._files = project, files
        self._statements: list[Statement] = []
        self._ran = bytearray(_MOST)
        setattr(builtins, _MARKS, self._ran)

    def code_of(self, path: str) -> CodeType | None:
        """The module with marks, if it is one of the files."""
        file = Path(path)
        name = file.relative_to(self._project).as_posix() if file.is_relative_to(self._project) else ""
        if name not in self._files:
            return None
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for body in list(_bodies(tree)):
            body[:] = [each for statement in body for each in (self._mark(name, statement), statement)]
        return compile(tree, path, "exec", dont_inherit=True)

    def ran(self) -> frozenset[Statement]:
        """The statements that ran since the last call."""
        ran = frozenset(statement for statement, mark in zip(self._statements, self._ran, strict=False) if mark)
        self._ran[:] = bytes(_MOST)
        return ran

    def _mark(self, file: str, statement: ast.stmt) -> ast.stmt:
        number = len(self._statements)
        self._statements.append((file, statement.lineno))
        (mark,) = ast.parse(f"{_MARKS}[{number}] = 1").body
        for node in ast.walk(mark):
            ast.copy_location(node, statement)
        return mark


def _bodies(tree: ast.AST, inside: bool = False) -> Iterator[list[ast.stmt]]:
    """Every list of statements that runs when a function runs; the function's docstring is among them."""
    for name, value in ast.iter_fields(tree):
        nodes = value if isinstance(value, list) else [value]
        within = inside or (name == "body" and isinstance(tree, ast.FunctionDef))
        if within and nodes and isinstance(nodes[0], ast.stmt):
            yield value
        for node in nodes:
            if isinstance(node, ast.AST):
                yield from _bodies(node, within)
