"""Every dialog fits a laptop of 1366 x 768 pixels at 125 %, and cuts no text there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QSize
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SWEEP, settle
from workbench.gui.dialogs.excerpt_window import ExcerptWindow
from workbench.gui.dialogs.mapping_dialog import MappingDialog, header_of
from workbench.gui.dialogs.session_dialogs import ask_bundle, ask_unsaved
from workbench.gui.shell.main_window import MainWindow
from workbench.study.discovery.excerpt import Excerpt

# The space of 1366 x 768 at 125 %, minus the task bar and the frame of the dialog.
ROOM = QSize(1092 - 16, 614 - 40 - 48)
LONG = "a name of a file that somebody gave with much thought and many words ending in its date 2024-09-05.csv"


def edit_one(window: MainWindow) -> None:
    window.runs.edit(next(iter(window.workspace.library.figures or {})))


def edit_several(window: MainWindow) -> None:
    for label in ("MCS", "MCSIO 1 GB"):
        item = window.rail.tree.configuration_item(label)
        assert item is not None
        window.rail.tree.selectionModel().select(item.index(), QItemSelectionModel.SelectionFlag.Select)
    window.runs.edit()


def excerpt(window: MainWindow) -> None:
    lines = tuple(f"{LONG};{number}" for number in range(40))
    ExcerptWindow(window, LONG, f"{LONG}: the cell cannot be read. " * 3, 20, Excerpt(1, lines)).show()


def mapping(window: MainWindow) -> None:
    header = header_of(next(SWEEP.rglob("*.csv")))
    assert header is not None
    MappingDialog(window, LONG, *header).show()


def source(window: MainWindow) -> None:
    cell = window.page.tables[0].table.source.table.rows
    source = next((one.source for row in cell for one in row if one.source is not None), None)
    assert source is not None
    window.sources.show(source)


DIALOGS: dict[str, Callable[[MainWindow], object]] = {
    **{
        key: lambda window, key=key: window.act(key)  # type: ignore[misc]
        for key in (
            "main_window.export_dialog",
            "preferences.show",
            "palette.show_shortcuts",
            "changes.show",
            "main_window.show_palette",
            "notes.here",
            "saved_views.ask_name",
            "findings.write_own",
            "past_runs.ask",
        )
    },
    "edit one": edit_one,
    "edit several": edit_several,
    "excerpt": excerpt,
    "mapping": mapping,
    "source": source,
    "unsaved": lambda window: ask_unsaved(window, LONG, lambda _: None).show(),
    "bundle": lambda window: ask_bundle(window, Path("/") / LONG, lambda *_: None),
}


def cut(top: QWidget) -> list[str]:
    """The words that have less space than they need."""
    words = [part for part in top.findChildren(QWidget) if isinstance(part, QLabel | QAbstractButton)]
    narrow = [
        part.text()
        for part in words
        if part.isVisible()
        and part.text()
        and part.width() < (part.minimumSizeHint().width() if isinstance(part, QLabel) else part.sizeHint().width())
    ]
    low = [
        part.text()
        for part in words
        if isinstance(part, QLabel) and part.isVisible() and part.wordWrap()
        if part.height() < part.heightForWidth(part.width())
    ]
    return narrow + low


def dialog_of(
    window: MainWindow, qtbot: QtBot, name: str, ways: Mapping[str, Callable[[MainWindow], object]] = DIALOGS
) -> QDialog:
    """Opens one of the dialogs, and waits until everything is in it."""
    if name in ("source", "notes.here"):
        window.show_page("compare" if name == "source" else "timeline")
        settle(window, qtbot)
    before = set(window.findChildren(QDialog))

    def fresh() -> list[QDialog]:
        return [dialog for dialog in window.findChildren(QDialog) if dialog not in before and dialog.isVisible()]

    ways[name](window)
    qtbot.waitUntil(lambda: bool(fresh()))
    settle(window, qtbot)
    QApplication.processEvents()
    return fresh()[0]


@pytest.mark.parametrize("name", DIALOGS)
def test_that_a_dialog_fits_a_small_laptop_and_cuts_no_words(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("workbench.gui.services.layout.room_of", lambda _: ROOM)
    opened.resize(1092, 560)
    dialog = dialog_of(opened, qtbot, name)
    assert dialog.minimumSizeHint().boundedTo(ROOM) == dialog.minimumSizeHint()
    assert dialog.size().boundedTo(ROOM) == dialog.size()
    assert cut(dialog) == []
    dialog.close()
