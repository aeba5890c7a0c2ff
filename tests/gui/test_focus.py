"""Keyboard focus is visible on every widget, and Tab enters a table or a text once and leaves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QDialog, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after
from workbench.answers.registry import PAGES
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.shell.main_window import MainWindow

# Each stop of each page is drawn twice in both themes: some minutes.
pytestmark = pytest.mark.slow

VIEWS = [(spec.key, view) for spec in PAGES for view, _ in spec.views or (("", ""),)]


def stops(top: QWidget) -> Iterator[QWidget]:
    """The widgets of a window that Tab stops at."""
    # Not with nextInFocusChain(), because PySide treats its result as owned by the queried widget.
    for widget in top.findChildren(QWidget):
        stop = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisible() and widget.isEnabled()
        # If a part gets the focus, Qt gives it to the widget that contains the part.
        part = widget.focusProxy() is not None or isinstance(widget.parent(), QComboBox | QAbstractSpinBox)
        if stop and not part and widget.window() is top:
            yield widget


def picture(widget: QWidget) -> QImage:
    QApplication.processEvents()
    return widget.grab().toImage()


def unseen(top: QWidget) -> list[str]:
    """The widgets that look the same with and without the focus."""
    same = []
    top.activateWindow()
    QApplication.processEvents()
    for widget in list(stops(top)):
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        with_keyboard = picture(widget)
        if not widget.hasFocus():
            same.append(f"{named(widget)} takes no keyboard")
        widget.clearFocus()
        if picture(widget) == with_keyboard:
            same.append(named(widget))
    return same


def named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}".strip()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_keyboard_focus_is_visible_on_every_widget_of_every_page(
    sample: MainWindow, qtbot: QtBot, theme: str
) -> None:
    after(sample, qtbot, lambda: sample.workspace.apply(theme=theme))
    same = {}
    for page, view in VIEWS:
        state = sample.workspace.state
        views = (state.with_page_view(page, view) if view else state).page_views
        after(sample, qtbot, lambda page=page, views=views: sample.workspace.apply(page=page, page_views=views))
        if widgets := unseen(sample):
            same[page, view] = widgets
    assert same == {}


DIALOGS: dict[str, Callable[[MainWindow], object]] = {
    "preferences": lambda window: window.preferences.show(),
    "export": lambda window: window.export_dialog(),
    "keys": lambda window: window.act("palette.show_shortcuts"),
    "palette": lambda window: window.show_palette(),
    "edit run": lambda window: window.runs.edit(next(iter(window.workspace.library.figures or {}))),
    "leave out": lambda window: window.runs.exclude(next(iter(window.workspace.library.figures or {}))),
    "note": lambda window: window.notes.write("", 60.0),
    "finding": lambda window: window.findings.write_own(),
    "view": lambda window: window.saved_views.ask_name(),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", DIALOGS)
def test_that_keyboard_focus_is_visible_on_every_widget_of_every_dialog(
    sample: MainWindow, qtbot: QtBot, theme: str, name: str
) -> None:
    after(sample, qtbot, lambda: sample.workspace.apply(theme=theme, page="timeline"))
    after(sample, qtbot, lambda: DIALOGS[name](sample))
    dialogs = [dialog for dialog in sample.findChildren(QDialog) if dialog.isVisible()]
    assert dialogs
    for dialog in dialogs:
        same = unseen(dialog)
        dialog.close()
        assert same == []


def asked(window: MainWindow, text: str = "") -> TextQuestion:
    """The dialog for a custom sentence, with this text typed into it."""
    window.findings.write_own()
    dialog = window.findings.dialog
    assert dialog is not None
    QTest.keyClicks(dialog.text, text)
    return dialog


def test_that_tab_leaves_a_text_of_several_lines(sample: MainWindow, qtbot: QtBot) -> None:
    dialog = asked(sample, "One")
    QTest.keyClick(dialog.text, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.text, "two")
    QTest.keyClick(dialog.text, Qt.Key.Key_Tab)
    assert dialog.value() == "One\ntwo"
    assert isinstance(dialog.focusWidget(), QPushButton)
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Backtab)
    assert dialog.focusWidget() is dialog.text
    dialog.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_that_ctrl_enter_confirms_a_text(sample: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    dialog = asked(sample, "The host was patched.")
    after(sample, qtbot, lambda: QTest.keyClick(dialog.text, key, Qt.KeyboardModifier.ControlModifier))
    assert [edit.text for edit in sample.workspace.state.findings] == ["The host was patched."]


def test_that_esc_restores_the_earlier_text(sample: MainWindow, qtbot: QtBot) -> None:
    dialog = asked(sample, "The host was patched.")
    after(sample, qtbot, lambda: QTest.keyClick(dialog.text, Qt.Key.Key_Escape))
    assert sample.workspace.state.findings == ()


def test_that_tab_enters_a_table_once_and_leaves_it(sample: MainWindow, qtbot: QtBot) -> None:
    sample.activateWindow()
    table = sample.page.tables[0].table
    table.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 2, "arrows move inside"
    QTest.keyClick(table, Qt.Key.Key_Tab)
    assert not table.hasFocus()
    following = QApplication.focusWidget()
    assert following is not None
    QTest.keyClick(following, Qt.Key.Key_Backtab)
    assert table.hasFocus()


def test_that_no_table_keeps_tab_to_itself(sample: MainWindow, qtbot: QtBot) -> None:
    for page, _ in VIEWS:
        after(sample, qtbot, lambda page=page: sample.workspace.apply(page=page))
    sample.runs.edit(next(iter(sample.workspace.library.figures or {})))
    tables = sample.findChildren(QTableView)
    assert len(tables) > len(PAGES)
    assert [named(table) for table in tables if table.tabKeyNavigation()] == []
