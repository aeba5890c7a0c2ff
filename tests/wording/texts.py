"""The texts that users read, with the place of each: strings of the program, README, SECURITY, causes and docs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
# A string of fewer words is a key or a name more often than a sentence.
FEWEST_WORDS = 3


class Text(NamedTuple):
    """A line of a document, or a string of the program at the line where it starts."""

    file: str
    line: int
    text: str


def texts(root: Path = ROOT) -> Iterator[Text]:
    """Every text of the checkout in `root`."""
    for path in sorted((root / "workbench").rglob("*.py")):
        yield from (Text(_name(path, root), line, text) for line, text in strings(path.read_text(encoding="utf-8")))
    single = [root / "README.md", root / "SECURITY.md", root / "resources" / "causes.toml"]
    for path in (*single, *sorted((root / "docs").rglob("*.md"))):
        lines = path.read_text(encoding="utf-8").splitlines()
        yield from (Text(_name(path, root), at, line) for at, line in enumerate(lines, 1))


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each string of a module, without docstrings. An f-string has {} for its values; a long part of
    it counts a second time, as a string."""
    tree = ast.parse(source)
    statements = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    docstrings = {id(value) for value in statements if isinstance(value, ast.Constant)}
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr():
                yield node.lineno, "".join(_piece(value) for value in node.values)
            case ast.Constant(value=str(text)) if id(node) not in docstrings and len(text.split()) >= FEWEST_WORDS:
                yield node.lineno, text


def _piece(value: ast.expr) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else "{}"
