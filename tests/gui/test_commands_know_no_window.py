"""Commands, dialogs and widgets get the services they need, never the main window."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench.gui

ROOT = Path(workbench.gui.__file__).parent
FOLDERS = ("commands", "dialogs", "runs", "pages", "widgets", "pictures", "plot", "services", "storyboard")
NAMES = ("window", "_window", "main_window", "_main_window")


def reaches(source: str) -> Iterator[str]:
    """Each place of a module where it knows the main window, with its line."""
    for node in ast.walk(ast.parse(source)):
        for name in _names(node):
            if name == "MainWindow" or name in NAMES:
                yield f"line {node.lineno}: {name}"  # type: ignore[attr-defined]
        for module in _modules(node):
            if f"{module}.".startswith("workbench.gui.shell."):
                yield f"line {node.lineno}: {module}"  # type: ignore[attr-defined]


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.arg | ast.keyword):
        yield node.arg or ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        # An annotation in quotes names a class, too.
        yield node.value


def _modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _modules_of_gui() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(
    "source",
    [
        "from workbench.gui.shell.main_window import MainWindow",
        "from workbench.gui import shell",
        "def show(): import workbench.gui.shell.rail",
        "if TYPE_CHECKING:\n    from workbench.gui.shell.rail import Rail",
        "def show(window: QWidget): ...",
        "def show(*, window: QWidget): ...",
        "class A:\n    def __init__(self, parent): self._window = parent",
        "class A:\n    window: QWidget",
        "def show(parent): parent.window().close()",
        "def show(parent: 'MainWindow'): ...",
        "show(window=parent)",
    ],
)
def test_that_each_way_to_the_window_is_seen(source: str) -> None:
    assert list(reaches(source))


@pytest.mark.parametrize(
    "source",
    [
        "from workbench.gui.services.tasks import Tasks",
        "from workbench.gui.dialogs.excerpt_window import ExcerptWindow",
        "def show(parent: QWidget): parent.setWindowTitle('The window')",
    ],
)
def test_that_services_and_small_windows_are_no_fault(source: str) -> None:
    assert not list(reaches(source))


@pytest.mark.parametrize("path", _modules_of_gui(), ids=lambda path: str(path.relative_to(ROOT)))
def test_that_no_command_dialog_or_widget_knows_the_window(path: Path) -> None:
    assert list(reaches(path.read_text(encoding="utf-8"))) == []


def test_that_every_folder_is_looked_at() -> None:
    looked_at = {path.relative_to(ROOT).parts[0] for path in _modules_of_gui() if path.stat().st_size}
    assert looked_at == {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "shell"} - {
        "__pycache__"
    }


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_that_nothing_of_ours_is_imported_for_the_type_checker_alone(path: Path) -> None:
    blocks = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    modules = [module for block in blocks for node in ast.walk(block) for module in _modules(node)]
    assert not [module for module in modules if module.startswith("workbench")]
