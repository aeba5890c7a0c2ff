"""A name from a file is shown as plain text, although Qt could read markup or a shortcut mark in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after, open_and_wait, settle, shared_window
from tests.gui.hostile_study import BEGIN, IN_FILES, MARKUP, NAMES, hostile_lab
from tests.gui.shown_texts import indices, texts_of, widgets_now
from workbench.answers.registry import PAGES
from workbench.gui.dialogs import session_dialogs
from workbench.gui.runs import runs_tree
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets import table_card
from workbench.model.recording import SeriesKey
from workbench.session.document import SessionDocument
from workbench.session.journal import Recovered

GUI = Path(__file__).parents[2] / "workbench" / "gui"
# Functions that make a tooltip: of any text, of a program text, of a row.
PLAIN = ("plain_tip", "tr", "_tip")


def offences(widget: QWidget, names: frozenset[str]) -> Iterator[str]:
    """The places where a widget shows a name differently from its file; a name may be cut with … if it has a
    tooltip."""
    for where, text in texts_of(widget):
        for part in re.split(f"(?i:{BEGIN})", text)[1:]:
            shown = alike(f"{BEGIN}{part}")
            cut = shown.partition("…")[0].rstrip() if "…" in shown else None
            if not any(shown.startswith(name) or (cut and name.startswith(cut)) for name in names):
                yield f"{where}: {shown[:200]!r}"


@cache
def alike(text: str) -> str:
    """The text for a comparison: case and kinds of blank make no difference, and invisible line-break marks are
    removed."""
    return re.sub(r"\s+", " ", text.replace("\u200b", "")).lower()


def check(*more: str, aside: Sequence[QWidget] = ()) -> None:
    """No current widget shows a name differently from the file, except detached widgets."""
    names = frozenset(alike(name) for name in (*NAMES.values(), *more))
    met = {offence for widget in widgets_now(aside) for offence in offences(widget, names)}
    assert not met, "\n".join(sorted(met))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_lab(tmp_path_factory.mktemp("hostile") / "lab")


@pytest.fixture
def evil(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None, hostile: Path) -> MainWindow:
    return shared_window(
        request, qtbot, "hostile", lambda window: open_and_wait(window, qtbot, hostile, unchanged=True)
    )


def folders(window: MainWindow) -> tuple[str, ...]:
    """The hostile parts of the names of the run folders."""
    return tuple(f"{BEGIN}{Path(run).name.partition(BEGIN)[2]}" for run in window.workspace.library.figures or {})


def test_that_every_page_and_view_shows_names_as_text(evil: MainWindow, qtbot: QtBot) -> None:
    labels = {group.label for group in evil.workspace.library.groups(evil.workspace.state)}
    assert all(any(NAMES[key] in label for label in labels) for key in ("markup", "key", "marks", "long"))
    narrow = evil.minimumSizeHint().width()
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            state = evil.workspace.state.with_page_view(spec.key, view)
            evil.workspace.apply(page=spec.key, page_views=state.page_views, phase=MARKUP, lit_vm=IN_FILES["key"])
            settle(evil, qtbot)
            assert evil.page.content is not None
            # Pages seen before keep their content.
            check(*folders(evil), aside=[page for page in evil.pages.made if page is not evil.page])
            # A name of 500 letters does not make the window wider.
            assert evil.minimumSizeHint().width() <= max(narrow, 1366), (spec.key, view)
    check(*folders(evil))


def test_that_drawn_and_listed_counters_show_names_as_text(evil: MainWindow, qtbot: QtBot) -> None:
    run = next(iter(evil.workspace.library.figures or {}))
    keys = tuple(SeriesKey(run, rf"\\{name}\Thing({name})\Counter {name}") for name in IN_FILES.values())
    evil.workspace.apply(page="timeline", timeline=keys, pinned=keys)
    settle(evil, qtbot)
    assert evil.counters.panel.drawn.count() == len(IN_FILES)
    tree = evil.counters.panel.tree.counters
    assert any(MARKUP in str(index.data()) for index in indices(tree))
    check(*folders(evil))


def test_that_menus_show_names_as_text(evil: MainWindow, qtbot: QtBot) -> None:
    tree = evil.rail.tree
    for index in indices(tree.model()):
        kind, key = index.data(runs_tree._KIND), index.data(runs_tree._KEY)
        if kind is not None:
            tree.setCurrentIndex(index)
            evil.runs.menu(kind, key)
    assert evil.findings.kept
    for finding in evil.findings.kept:
        evil.findings.menu_of(finding)
    evil.settings = structs.replace(evil.settings, recent=tuple(f"/lab/{name}" for name in NAMES.values()))
    evil.folders.recent.aboutToShow.emit()
    recent = [action.text() for action in evil.folders.recent.actions()]
    assert len(recent) >= len(NAMES)
    for table in (table for page in evil.pages.made for table in page.tables):
        for column in range(len(table.table.source.table.columns)):
            table_card.fill(QMenu(evil), table.table, table.table.model().index(0, column))
    check(*folders(evil))


def test_that_dialogs_show_names_as_text(evil: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    evil.workspace.apply(page="overview", phase=MARKUP)
    settle(evil, qtbot)
    runs = tuple(evil.workspace.library.figures or {})
    content = evil.page.content
    assert content is not None
    source = next(card.source for card in content.cards if card.source is not None)
    acts: list[Callable[[], object]] = [
        evil.export_dialog,
        evil.show_palette,
        lambda: evil.sources.show(source),
        evil.notes.here,
        evil.runs.time_zone,
    ]
    for name in NAMES.values():
        left = Recovered(
            Path(f"/lab/{name}"), Path(f"/lab/{name}"), SessionDocument(paths=(f"/lab/{name}",), saved=name)
        )
        acts += [
            lambda left=left: session_dialogs.ask_recovery(evil, left, lambda _: None),
            lambda name=name: session_dialogs.ask_unsaved(evil, name, lambda _: None),
            lambda name=name: evil.strip.tell(name),
            lambda name=name: (evil.work.belongs_to(Path(f"/lab/{name}.vdiwb")), evil.show_title()),
        ]
    for run in runs:
        acts += [lambda run=run: evil.runs.edit(run), lambda run=run: evil.runs.exclude(run)]
    for act in acts:
        after(evil, qtbot, act)
        # Pages and counters stay, and are checked again at the end.
        check(*folders(evil), aside=(*evil.pages.made, evil.counters.panel))
        for dialog in evil.findChildren(QDialog):
            assert dialog.minimumSizeHint().width() <= 1366, f"{dialog.windowTitle()[:60]} is wider than a laptop"
            assert not isinstance(dialog, QMessageBox) or dialog.icon() is QMessageBox.Icon.NoIcon
            dialog.close()
    check(*folders(evil))


def test_that_every_label_uses_plain_text() -> None:
    """Names reach labels that had only program texts before: none of them reads markup."""
    makers = {"theme.py": 1, "elided_label.py": 0}
    for file in sorted(GUI.rglob("*.py")):
        calls = [
            node.lineno
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "QLabel"
        ]
        assert len(calls) == makers.get(file.name, 0), f"{file}, lines {calls}: use labelled()"


def test_that_every_tooltip_is_plain_text() -> None:
    for file in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="setToolTip" | "setStatusTip"), args=[made]):
                    plain = isinstance(made, ast.Call) and ast.unparse(made.func).rpartition(".")[2] in PLAIN
                    assert plain, f"{file}, line {node.lineno}: use plain_tip()"
