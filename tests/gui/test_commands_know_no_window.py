"""Commands, dialogs and widgets get the services they need, never the main window. A contract in pyproject.toml checks
that they do not import it either."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench.gui

ROOT = Path(workbench.gui.__file__).parent
NAMES = ("MainWindow", "window", "_window", "main_window", "_main_window")


def reaches(source: str) -> Iterator[str]:
    """Each place of a module that names the main window, with its line."""
    for node in ast.walk(ast.parse(source)):
        if _name(node) in NAMES:
            yield f"line {node.lineno}: {_name(node)}"  # type: ignore[attr-defined]


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return name
        # An annotation in quotes names a class, too.
        case ast.Constant(value=str(name)):
            return name
    return ""


@pytest.mark.parametrize(
    "source",
    [
        "def show(window: QWidget): ...",
        "def show(*, window: QWidget): ...",
        "class A:\n    def __init__(self, parent): self._window = parent",
        "class A:\n    window: QWidget",
        "def show(parent): parent.window().close()",
        "def show(parent: 'MainWindow'): ...",
        "show(window=parent)",
    ],
)
def test_that_each_way_to_reach_the_window_is_detected(source: str) -> None:
    assert list(reaches(source))


def test_that_services_and_small_windows_are_not_a_fault() -> None:
    assert not list(reaches("from workbench.gui.dialogs.source_window import ExcerptWindow"))
    assert not list(reaches("def show(parent: QWidget): parent.setWindowTitle('The window')"))


def test_that_no_command_or_dialog_or_widget_imports_the_window() -> None:
    files = [file for file in ROOT.rglob("*.py") if file.relative_to(ROOT).parts[0] != "shell"]
    assert len(files) > 100
    met = [f"{file}, {place}" for file in files for place in reaches(file.read_text(encoding="utf-8"))]
    assert not met, "\n".join(met)


def test_that_the_contract_of_the_imports_names_every_folder() -> None:
    shell = "workbench.gui.shell"
    project = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (named,) = [one["source_modules"] for one in contracts if one.get("forbidden_modules") == [shell]]
    assert {shell, *named} == {f"workbench.gui.{file.parent.name}" for file in ROOT.glob("*/__init__.py")}


def test_that_no_project_module_is_imported_only_for_type_checking() -> None:
    met = []
    for file in ROOT.rglob("*.py"):
        for block in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test):
                met += [f"{file}, line {block.lineno}" for node in ast.walk(block) if "workbench" in _modules(node)]
    assert not met, "\n".join(met)


def _modules(node: ast.AST) -> set[str]:
    """The packages that a statement imports from."""
    match node:
        case ast.ImportFrom(module=str(module)):
            return {module.partition(".")[0]}
        case ast.Import(names=names):
            return {alias.name.partition(".")[0] for alias in names}
    return set()
