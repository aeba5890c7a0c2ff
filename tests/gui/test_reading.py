"""The (i) next to the question: F1 opens how to read the page, Esc, F1 and a click outside close it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after, settle
from workbench.answers.registry import page_of
from workbench.gui.shell.header import ReadingPopover, SignGlyph, docs_page
from workbench.gui.shell.main_window import MainWindow


def popover(window: MainWindow) -> ReadingPopover:
    found = window.header.reading.popover
    assert found is not None
    return found


def opened_by_key(window: MainWindow, qtbot: QtBot) -> ReadingPopover:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.page.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    return popover(window)


def test_that_f1_opens_the_reading_help_under_the_icon_inside_the_window(opened: MainWindow, qtbot: QtBot) -> None:
    shown, button = opened_by_key(opened, qtbot), opened.header.reading
    assert button.mapTo(opened, QPoint(0, button.height())).y() <= shown.y()
    assert opened.rect().contains(shown.geometry())
    assert button.geometry().left() <= opened.header.question.geometry().right() + 16, "right of the question"
    said = {label.text() for label in shown.findChildren(QLabel)}
    spec = page_of(opened.workspace.state.page)
    assert spec is not None
    assert {sign.words for sign in spec.reading[""]} <= said
    assert set(opened.page.content.whole_method) <= said  # type: ignore[union-attr]
    assert len(shown.findChildren(SignGlyph)) == len(spec.reading[""])


def test_that_the_reading_help_takes_the_focus_and_a_screen_reader_reads_every_line(
    opened: MainWindow, qtbot: QtBot
) -> None:
    shown = opened_by_key(opened, qtbot)
    holder = QApplication.focusWidget()
    assert holder is not None
    assert shown.isAncestorOf(holder)
    assert shown.accessibleName()
    heard = shown.accessibleDescription()
    assert all(line.rstrip(".") in heard for line in opened.page.content.whole_method)  # type: ignore[union-attr]
    assert opened.header.reading.accessibleName() == shown.accessibleName()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F1])
def test_that_a_key_closes_the_reading_help_and_returns_the_focus(
    opened: MainWindow, qtbot: QtBot, key: Qt.Key
) -> None:
    opened_by_key(opened, qtbot)
    holder = QApplication.focusWidget()
    assert holder is not None
    qtbot.keyClick(holder, key)
    assert opened.header.reading.popover is None
    assert QApplication.focusWidget() is opened.header.reading


def test_that_a_click_outside_closes_the_reading_help_and_a_click_inside_does_not(
    opened: MainWindow, qtbot: QtBot
) -> None:
    shown = opened_by_key(opened, qtbot)
    qtbot.mouseClick(shown.area.viewport(), Qt.MouseButton.LeftButton)
    assert opened.header.reading.popover is shown
    qtbot.mouseClick(opened.header.question, Qt.MouseButton.LeftButton)
    assert opened.header.reading.popover is None


def test_that_the_icon_opens_and_closes_the_reading_help(opened: MainWindow, qtbot: QtBot) -> None:
    button = opened.header.reading
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert popover(opened).isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.popover is None


def test_that_another_page_closes_the_reading_help_and_has_different_lines(opened: MainWindow, qtbot: QtBot) -> None:
    first = opened_by_key(opened, qtbot).accessibleDescription()
    after(opened, qtbot, lambda: opened.show_page("compare"))
    settle(opened, qtbot)
    assert opened.header.reading.popover is None
    assert opened_by_key(opened, qtbot).accessibleDescription() != first


def test_that_the_page_behind_the_reading_help_is_not_dimmed(opened: MainWindow, qtbot: QtBot) -> None:
    corner = QPoint(4, opened.height() - 4)

    def colour() -> QColor:
        return QImage(opened.grab().toImage()).pixelColor(corner)

    before = colour()
    opened_by_key(opened, qtbot)
    assert colour() == before


def test_that_without_results_there_is_no_reading_help(window: MainWindow, qtbot: QtBot) -> None:
    settle(window, qtbot)
    assert not window.header.reading.isVisible()
    window.header.reading.turn()
    assert window.header.reading.popover is None


def test_that_the_link_of_the_reading_help_opens_an_existing_docs_page() -> None:
    found = docs_page("answers.md#compare-what-changed-against-the-baseline")
    assert found is not None
    assert found.fragment() == "compare-what-changed-against-the-baseline"
    assert docs_page("nowhere.md") is None
    assert docs_page("") is None
