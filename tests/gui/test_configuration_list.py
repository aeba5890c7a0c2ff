"""Beyond twelve configurations the pages list them, with filter and small charts, and draw a few side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import many_configurations
from tests.gui.conftest import settle, window_with
from workbench.answers.common.names import FILTER, GROUPED, SORTED
from workbench.answers.compare.figures import ESTIMATION
from workbench.gui.pages.answer_cards import ConfigurationList
from workbench.gui.shell.main_window import MainWindow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fourteen configurations, which no test changes."""
    folder = tmp_path_factory.mktemp("many")
    many_configurations(folder)
    return folder


@pytest.fixture
def many(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None, folder: Path) -> MainWindow:
    """The window with fourteen configurations."""
    return window_with(request, qtbot, folder)


def listing(window: MainWindow) -> ConfigurationList:
    shown = window.page.make_whole().listing
    assert shown is not None
    return shown


def rows(window: MainWindow) -> list[str]:
    table = listing(window).table
    return [table.row(at)[0].text for at in range(table.model().rowCount())]


def drawn(window: MainWindow) -> list[str]:
    """The names of the bars, or of the columns, of the first panels."""
    assert window.page.content is not None
    figure = window.page.content.figure
    if figure is None:
        return []
    axis = figure.panels[0].x
    bars = axis.of or axis.categories
    # The estimation plot draws the baseline first, for any choice.
    bars = bars[1:] if figure.key == ESTIMATION else bars
    return list(bars) if bars else [panel.title for panel in figure.panels if panel.title]


def names(*numbers: int) -> list[str]:
    return [f"MCS {number:02}" for number in numbers]


def typed(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Presses Ctrl+F and types."""
    window.act("tables.find")
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, text)
    settle(window, qtbot)


def choose(window: MainWindow, qtbot: QtBot, key: str, words: str) -> None:
    box = listing(window).boxes[key]
    box.setCurrentIndex(box.findData(words))
    box.activated.emit(box.currentIndex())
    settle(window, qtbot)


def go(window: MainWindow, qtbot: QtBot, page: str) -> None:
    window.workspace.apply(page=page)
    settle(window, qtbot)


def test_that_rows_replace_cards_and_six_bars_are_drawn(many: MainWindow) -> None:
    assert listing(many).isVisible()
    assert not many.page.make_whole().cards.isVisible()
    assert rows(many) == names(*range(1, 15))
    assert drawn(many) == names(*range(1, 7))
    assert "Shown: 6 of 14 configurations" in many.header.caption.text()


def test_that_twelve_configurations_have_cards_and_no_list(many: MainWindow, qtbot: QtBot) -> None:
    many.workspace.apply(hidden=frozenset(names(13, 14)))
    settle(many, qtbot)
    assert not listing(many).isVisible()
    assert many.page.make_whole().lead.isVisible()
    assert drawn(many) == names(*range(1, 13))


@pytest.mark.parametrize("page", ["overview", "compare", "per-vm-iops"])
def test_that_typed_text_filters_rows_and_chart_on_every_page(page: str, many: MainWindow, qtbot: QtBot) -> None:
    go(many, qtbot, page)
    typed(many, qtbot, "mcs 13")
    assert rows(many) == drawn(many) == names(13)
    assert listing(many).filter.text() == "mcs 13"
    assert listing(many).filter.hasFocus()
    many.workspace.undo()
    settle(many, qtbot)
    assert listing(many).filter.text() == ""
    assert len(rows(many)) == (13 if page == "compare" else 14)


def test_that_a_filter_without_match_can_be_changed(many: MainWindow, qtbot: QtBot) -> None:
    typed(many, qtbot, "vsan")
    assert (rows(many), drawn(many)) == ([], [])
    assert listing(many).filter.isVisible()
    qtbot.keyClick(listing(many).filter, Qt.Key.Key_Escape)
    settle(many, qtbot)
    assert len(rows(many)) == 14
    assert dict(many.workspace.state.inputs).get(FILTER) is None


def test_that_space_draws_a_row_and_removes_a_drawn_one(many: MainWindow, qtbot: QtBot) -> None:
    table = listing(many).table
    assert table.choose("MCS 14")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Space)
    settle(many, qtbot)
    assert drawn(many) == names(1, 2, 3, 4, 5, 14)
    assert table.current_key() == "MCS 14"
    qtbot.keyClick(table, Qt.Key.Key_Space)
    settle(many, qtbot)
    assert drawn(many) == names(1, 2, 3, 4, 5)


def test_that_a_click_on_a_box_draws_the_row(many: MainWindow, qtbot: QtBot) -> None:
    table = listing(many).table
    table.choose("MCS 09")
    index = table.currentIndex()
    box = table.visualRect(index)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=box.topLeft() + _into_box(box.height()))
    settle(many, qtbot)
    assert "MCS 09" in drawn(many)


def _into_box(height: int) -> object:
    from PySide6.QtCore import QPoint

    return QPoint(16, height // 2)


def test_that_rows_are_grouped_by_build_under_headings(many: MainWindow, qtbot: QtBot) -> None:
    choose(many, qtbot, GROUPED, "Build")
    shown = rows(many)
    assert shown[0] == "Windows 10: 7 configurations, 14 runs"
    assert shown[1:8] == names(1, 3, 5, 7, 9, 11, 13)
    assert shown[8] == "Windows 11: 7 configurations, 14 runs"
    assert listing(many).table.columnSpan(0, 0) == len(listing(many).table.source.table.columns)
    assert drawn(many) == names(1, 3, 5, 7, 9, 11)


def test_that_rows_are_sorted_by_value_on_request(many: MainWindow, qtbot: QtBot) -> None:
    choose(many, qtbot, SORTED, "Highest first")
    assert drawn(many) == names(14, 13, 12, 11, 10, 9)
    go(many, qtbot, "per-vm-iops")
    assert drawn(many) == names(14, 13, 12, 11, 10)


def test_that_a_sparkline_with_a_text_is_next_to_the_number(many: MainWindow, snapshot: SnapshotAssertion) -> None:
    table = listing(many).table
    index = table.model().index(13, 2)
    picture = index.data(Qt.ItemDataRole.DecorationRole)
    assert isinstance(picture, QPixmap)
    assert not picture.isNull()
    assert index.data(Qt.ItemDataRole.DisplayRole) == "14.1"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == snapshot


def test_that_a_saved_view_keeps_its_filter(many: MainWindow, qtbot: QtBot) -> None:
    typed(many, qtbot, "13")
    many.saved_views.save("thirteen")
    many.workspace.apply(inputs=())
    settle(many, qtbot)
    assert len(rows(many)) == 14
    many.saved_views.show_named("thirteen")
    settle(many, qtbot)
    assert rows(many) == names(13)


def test_that_the_table_below_and_the_findings_keep_every_configuration(many: MainWindow, qtbot: QtBot) -> None:
    typed(many, qtbot, "13")
    assert many.page.content is not None
    (table,) = [table for table in many.page.content.tables if table.name == "Phase table"]
    assert [row[0].text for row in table.rows] == names(*range(1, 15))


def test_that_a_heading_is_not_a_row_to_draw(many: MainWindow, qtbot: QtBot) -> None:
    choose(many, qtbot, GROUPED, "Build")
    before = many.workspace.state
    table = listing(many).table
    table.activated.emit(table.model().index(0, 0))
    settle(many, qtbot)
    assert many.workspace.state == before


def test_that_a_finding_that_is_opened_draws_its_configuration(many: MainWindow, qtbot: QtBot) -> None:
    typed(many, qtbot, "01")
    assert many.page.content is not None
    found = next(one for one in many.findings.kept if one.configuration == "MCS 14" and one.page == "compare")
    many.findings.go_to(found)
    settle(many, qtbot)
    assert (drawn(many), listing(many).filter.text()) == (names(14), "")
