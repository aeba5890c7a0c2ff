"""Every imported package is declared, also if another package requires it anyway."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]


def _imported(tree: ast.Module) -> Iterator[str]:
    """The modules that a file imports, also those by name: `import_module("distributed")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module
            case ast.Call(func=ast.Name("import_module"), args=[ast.Constant(str(module)), *_]):
                yield module


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_that_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    declared = {_normal(re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0]) for line in lines}
    brought_by = packages_distributions()
    undeclared: dict[str, str] = {}
    imported = set()
    for file in (ROOT / "workbench").rglob("*.py"):
        for module in _imported(ast.parse(file.read_text(encoding="utf-8"))):
            top = module.partition(".")[0]
            if top in sys.stdlib_module_names or top == "workbench":
                continue
            imported.add(top)
            # An extra may be missing here: then only its name is known.
            if declared.isdisjoint(map(_normal, brought_by.get(top, [top]))):
                undeclared[top] = file.relative_to(ROOT).as_posix()
    assert {"PySide6", "polars", "pptx", "distributed"} <= imported
    assert undeclared == {}
