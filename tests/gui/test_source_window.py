"""From a number on screen to its samples, with the mouse and with the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, open_and_wait, settle
from workbench.gui.dialogs.excerpt_window import ExcerptWindow
from workbench.gui.dialogs.source_window import SourceWindow
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable

W7 = SAMPLE / "windows-7-mcs-and-pvs"


@pytest.fixture
def table(window: MainWindow, qtbot: QtBot) -> DataTable:
    """The phase table of a study with one run for each configuration."""
    open_and_wait(window, qtbot, W7)
    card = window.page.tables[0]
    names = [card.tabs.tabText(place) for place in range(card.tabs.count())]
    card.tabs.setCurrentIndex(names.index("Phase table"))
    return card.table


def cell(table: DataTable, title: str, unit: str, configuration: str, phase: str) -> QModelIndex:
    columns = table.source.table.columns
    at = next(place for place, one in enumerate(columns) if (one.title, one.unit) == (title, unit))
    for row in range(table.model().rowCount()):
        cells = table.row(row)
        if (cells[0].text, cells[1].text) == (configuration, phase):
            return table.model().index(row, at)
    raise AssertionError((title, configuration, phase))


def double_click(table: DataTable, index: QModelIndex | QPersistentModelIndex, qtbot: QtBot) -> None:
    table.show_all_columns()
    table.scrollTo(index)
    at = table.visualRect(index).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[no-untyped-call]
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[no-untyped-call]


def opened(window: MainWindow, qtbot: QtBot) -> SourceWindow:
    settle(window, qtbot)
    qtbot.waitUntil(lambda: bool(window.findChildren(SourceWindow)))
    return window.findChildren(SourceWindow)[0]


def test_that_a_double_click_on_a_number_shows_its_formula_and_sources(
    window: MainWindow, table: DataTable, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    double_click(table, cell(table, "IOPS", "per VM", "MCS, 5 VMs", "steady state"), qtbot)
    found = opened(window, qtbot)
    assert found.words.text() == snapshot
    assert "Phase boundaries: events" in found.words.text()
    assert found.sources.table.model().rowCount() == 5
    assert not found.isModal()


def test_that_return_has_the_effect_of_a_double_click(
    window: MainWindow, table: DataTable, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    table.setFocus()
    table.setCurrentIndex(cell(table, "Peak IOPS", "of a VM", "MCS, 5 VMs", "boot"))
    qtbot.keyClick(table, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert opened(window, qtbot).words.text() == snapshot


def test_that_a_right_click_offers_the_source_of_a_number(
    window: MainWindow, table: DataTable, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    # The offscreen platform cannot show menus.
    monkeypatch.setattr(QMenu, "popup", lambda _menu, _place: None)
    index = cell(table, "IOPS", "per VM", "MCS, 5 VMs", "boot")
    table.scrollTo(index)
    table.customContextMenuRequested.emit(table.visualRect(index).center())
    question, *_ = window.page.tables[0].findChildren(QMenu)[0].actions()
    assert question.text() == snapshot
    question.trigger()
    words = opened(window, qtbot).words.text()
    # A readable name, not an internal one; it does not refer to a VM.
    assert words.startswith("IOPS per VM = 70.2000")
    assert "iops_per_vm" not in words


def test_that_a_source_opens_the_text_at_the_line_of_the_peak(
    window: MainWindow, table: DataTable, qtbot: QtBot
) -> None:
    double_click(table, cell(table, "Peak IOPS", "of a VM", "MCS, 5 VMs", "steady state"), qtbot)
    found = opened(window, qtbot)
    double_click(found.sources.table, found.sources.table.model().index(0, 0), qtbot)
    settle(window, qtbot)
    qtbot.waitUntil(lambda: bool(window.findChildren(ExcerptWindow)))
    marked = [
        line for line in window.findChildren(ExcerptWindow)[0].text.toPlainText().splitlines() if line.startswith(">")
    ]
    assert len(marked) == 1
    # The peak of the table, as it is written in the file.
    assert '"54.600125"' in marked[0]


def test_that_the_sources_can_be_copied_as_a_table(window: MainWindow, table: DataTable, qtbot: QtBot) -> None:
    double_click(table, cell(table, "IOPS", "per VM", "MCS, 5 VMs", "boot"), qtbot)
    found = opened(window, qtbot)
    qtbot.keyClick(found.sources.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)  # type: ignore[no-untyped-call]
    header, *rows = QGuiApplication.clipboard().text().split("\n")
    assert header.startswith("Run\tVM\tFile\tCounter")
    assert len(rows) == 5


def test_that_a_double_click_on_a_bar_shows_the_sources_of_its_runs(
    window: MainWindow, table: DataTable, qtbot: QtBot
) -> None:
    figure = window.page.figure
    assert figure is not None
    assert figure.rows is not None
    boxes = figure.rows.boxes()
    at = next(box.center() for box, bar, at in boxes if bar.name == "PVS 256 MB" and bar.sources[at].phase == "boot")
    figure._canvas.double_clicked.emit(at)
    words = opened(window, qtbot).words.text()
    assert "pvs-256" in words
    assert "Phase: boot" in words
