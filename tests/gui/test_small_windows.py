"""Small windows: what has no room is scrolled to or goes on in a second line, and is not squeezed or cut."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait
from workbench.gui.elided_label import TwoLineLabel
from workbench.gui.main_window import MainWindow
from workbench.gui.page_view import least_height


def test_that_stacked_panels_keep_their_height_and_the_table_is_scrolled_to(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1280, 720)
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    after(window, qtbot, lambda: window.show_page("benchmarks"))
    page = window.page
    assert page.figure is not None
    figure = page.figure.figure
    assert max(sum(p.column == q.column for q in figure.panels) for p in figure.panels) >= 3
    qtbot.waitUntil(lambda: page.figure is not None and page.figure.height() >= least_height(figure))
    assert page.body.height() > page.height() - page.cards.height()
    assert page.tables[0].height() >= 180


def test_that_a_note_goes_on_in_a_second_line_where_its_parts_end(qtbot: QtBot) -> None:
    label = TwoLineLabel("quiet")
    qtbot.addWidget(label)
    text = "−50.0 % [−51.5, −48.5], n = 3"
    width = QFontMetrics(label.font()).horizontalAdvance(text)
    label.resize(width + 20, 20)
    label.show_text(text)
    assert label.text() == text
    label.resize(width - 10, 20)
    label.show_text(text)
    assert label.text() == "−50.0 % [−51.5, −48.5],\nn = 3"
    assert label.toolTip()
