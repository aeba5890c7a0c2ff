"""A name from a file is shown as it is written, wherever Qt would read markup or a keyboard mark in it."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QLabel,
    QMessageBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.builders import perfmon_csv
from tests.gui.conftest import after, open_and_wait, settle
from tests.readers.test_vdi_benchmark import FILE, RESULT
from workbench.answers.registry import PAGES
from workbench.gui.dialogs import session_dialogs
from workbench.gui.runs import runs_tree
from workbench.gui.shell.main_window import MainWindow
from workbench.model.series_key import SeriesKey
from workbench.session.document import Document
from workbench.session.journal import Recovered

GUI = Path(__file__).parents[2] / "workbench" / "gui"
# What Qt takes for markup where it may, with what it takes for a mark of the keyboard.
MARKUP, KEY = "<b>x</b><img src=none.png>", "R&D"
EVIL = f"{MARKUP} {KEY}"
# What makes a tip: of any text, of our own words, of a row.
PLAIN = ("plain_tip", "tr", "_tip")
TIPS = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole, Qt.ItemDataRole.WhatsThisRole)


def evil_lab(lab: Path) -> Path:
    """Two configurations in which everything that can have a name has that name."""
    host = rf"\\{EVIL}"
    for number, kind in enumerate(("MCS", "PVS"), start=1):
        run = lab / f"run{number} {MARKUP.replace('/', '')} {KEY}"
        reads, cpu = [10.0 * number] * 120, [20.0] * 120
        perfmon_csv(
            run / "a.csv",
            {
                rf"{host}\PhysicalDisk(_Total)\Disk Reads/sec": reads,
                rf"{host}\PhysicalDisk(_Total)\Disk Writes/sec": reads,
                rf"{host}\Processor(_Total)\% Processor Time": cpu,
                rf"{host}\Thing({EVIL})\Counter {EVIL}": cpu,
            },
        )
        phases = "".join(
            f"[[phases]]\nname = '{name}'\nstart = 2016-05-10T09:0{at}:00+01:00\nend = 2016-05-10T09:{at}9:00+01:00\n"
            for at, name in ((1, "steady"), (2, EVIL))
        )
        (run / "run.toml").write_text(
            f"configuration = '{kind} {EVIL}'\nprovisioning = '{kind}'\nhypervisor = '{EVIL}'\n{phases}"
        )
        (run / "events.csv").write_text(
            "time,event,vm,user,detail\n"
            + "".join(
                f"2016-05-10T08:0{at}:00Z,{event},{EVIL},{EVIL},{EVIL}\n"
                for at, event in enumerate(("power_on", "registered", "logon_start", "logon_end", "logoff"))
            )
        )
        tests = [{**RESULT, "job": EVIL, "iops": 1000 * number, "queue_depth": depth} for depth in (1, 8, 32)]
        content = {**FILE, "test": EVIL, "tool": EVIL, "host": EVIL, "results": tests}
        (run / "bench.json").write_text(json.dumps(content))
    return lab


def read_as_markup(text: str) -> bool:
    return MARKUP in text and Qt.mightBeRichText(text)


def read_as_key(text: str) -> bool:
    return KEY in text


def rows(model: QAbstractItemModel, parent: QModelIndex, depth: int = 6) -> Iterator[QModelIndex]:
    for row in range(min(model.rowCount(parent), 40)):
        # A list has one, which it lets nobody ask.
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
            index = model.index(row, column, parent)
            yield index
            if column == 0 and depth:
                yield from rows(model, index, depth - 1)


def offences(widget: QWidget) -> Iterator[str]:
    """What of a widget's texts Qt reads as something else."""
    for what, text in (("tip", widget.toolTip()), ("status tip", widget.statusTip())):
        if read_as_markup(text):
            yield f"{what} of {widget!r}: {text}"
    match widget:
        case QLabel() if widget.textFormat() is not Qt.TextFormat.PlainText and read_as_markup(widget.text()):
            yield f"label {widget.text()}"
        case QMessageBox() if widget.textFormat() is not Qt.TextFormat.PlainText and read_as_markup(widget.text()):
            yield f"box {widget.text()}"
        case QAbstractButton() if read_as_key(widget.text()):
            yield f"button {widget.text()}"
        case QTabBar():
            for place in range(widget.count()):
                if read_as_key(widget.tabText(place)) or read_as_markup(widget.tabToolTip(place)):
                    yield f"tab {widget.tabText(place)}"
        case QAbstractItemView() if widget.model() is not None:
            for index in rows(widget.model(), QModelIndex()):
                for role in TIPS:
                    if read_as_markup(str(index.data(role) or "")):
                        yield f"{role} of a row of {widget!r}: {index.data(role)}"
    for action in widget.findChildren(QAction):
        if read_as_key(action.text()):
            yield f"action {action.text()}"


def check() -> None:
    """Nothing that is there now shows a name otherwise than it is written."""
    found = {one for widget in QApplication.allWidgets() for one in offences(widget)}
    assert found == set()


@pytest.fixture
def evil(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    open_and_wait(window, qtbot, evil_lab(tmp_path / "lab"))
    return window


def test_that_every_page_with_every_view_shows_names_as_they_are_written(evil: MainWindow, qtbot: QtBot) -> None:
    assert any(EVIL in group.label for group in evil.workspace.library.groups(evil.workspace.state))
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            state = evil.workspace.state.with_page_view(spec.key, view)
            evil.workspace.apply(page=spec.key, page_views=state.page_views, phase=EVIL)
            settle(evil, qtbot)
            assert evil.page.content is not None
            check()


def test_that_counters_that_are_drawn_and_listed_show_as_they_are_written(evil: MainWindow, qtbot: QtBot) -> None:
    run = next(iter(evil.workspace.library.figures or {}))
    path = rf"\\{EVIL}\Thing({EVIL})\Counter {EVIL}"
    key = SeriesKey(run, path)
    evil.workspace.apply(page="timeline", timeline=(key,), pinned=(key,))
    settle(evil, qtbot)
    assert evil.counters.panel.drawn.count() == 1
    tree = evil.counters.panel.tree.counters
    assert any(EVIL in str(index.data()) for index in rows(tree, QModelIndex()))
    check()


def test_that_menus_show_names_as_they_are_written(evil: MainWindow, qtbot: QtBot) -> None:
    tree = evil.rail.tree
    for index in rows(tree.model(), QModelIndex()):
        kind, key = index.data(runs_tree._KIND), index.data(runs_tree._KEY)
        if kind is not None:
            tree.setCurrentIndex(index)
            evil.runs.menu(kind, key)
    assert evil.findings.kept
    for finding in evil.findings.kept:
        evil.findings.menu_of(finding)
    evil.settings = structs.replace(evil.settings, recent=(f"/lab/{EVIL}",))
    evil.folders.recent.aboutToShow.emit()
    check()


def test_that_dialogs_show_names_as_they_are_written(evil: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    evil.workspace.apply(page="overview")
    settle(evil, qtbot)
    folder = next(iter(evil.workspace.library.figures or {}))
    named = tmp_path / EVIL.replace("/", "")
    recovered = Recovered(named, named, Document(paths=(str(named),), saved=EVIL))
    content = evil.page.content
    assert content is not None
    source = next(card.source for card in content.cards if card.source is not None)
    acts: tuple[Callable[[], object], ...] = (
        lambda: session_dialogs.ask_recovery(evil, recovered, lambda _: None),
        evil.export_dialog,
        evil.show_palette,
        lambda: evil.runs.edit(folder),
        lambda: evil.runs.exclude(folder),
        lambda: evil.sources.show(source),
        lambda: evil.strip.tell(EVIL),
        evil.notes.here,
    )
    for act in acts:
        after(evil, qtbot, act)
        check()
    for dialog in evil.findChildren(QDialog):
        dialog.close()


def test_that_every_label_is_one_of_plain_text() -> None:
    """Names get into labels that held only our own words before: none of them reads markup."""
    makers = {"theme.py": 1, "elided_label.py": 0}
    for file in sorted(GUI.rglob("*.py")):
        calls = [
            node.lineno
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "QLabel"
        ]
        assert len(calls) == makers.get(file.name, 0), f"{file}, lines {calls}: use labelled()"


def test_that_every_tip_is_made_plain() -> None:
    for file in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="setToolTip" | "setStatusTip"), args=[made]):
                    plain = isinstance(made, ast.Call) and ast.unparse(made.func).rpartition(".")[2] in PLAIN
                    assert plain, f"{file}, line {node.lineno}: use plain_tip()"
