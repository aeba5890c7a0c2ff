"""The focus frame is drawn after a key, and not after a click."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after, settle
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.plot.view import FocusRing
from workbench.gui.services.theme import running_application
from workbench.gui.shell.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


def picture(widget: QWidget) -> QImage:
    QApplication.processEvents()
    return widget.grab().toImage()


def asked(window: MainWindow) -> tuple[TextQuestion, QPushButton]:
    """A dialog with its text chosen, and its last button."""
    window.findings.write_own()
    dialog = window.findings.dialog
    assert dialog is not None
    dialog.activateWindow()
    dialog.text.setFocus(Qt.FocusReason.MouseFocusReason)
    button = next(each for each in dialog.findChildren(QPushButton) if not each.isDefault())
    button.setCheckable(True)  # A click leaves the dialog open.
    button.clicked.disconnect()
    return dialog, button


def test_that_a_clicked_button_has_no_frame_and_one_that_tab_reaches_has_one(opened: MainWindow, qtbot: QtBot) -> None:
    dialog, button = asked(opened)
    place = button.mapTo(dialog, button.rect().center())
    QTest.mousePress(dialog.windowHandle(), LEFT, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(dialog.windowHandle(), LEFT, Qt.KeyboardModifier.NoModifier, place)
    assert button.hasFocus()
    assert not button.property("ring")
    clicked = picture(button)
    dialog.text.setFocus(Qt.FocusReason.BacktabFocusReason)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.property("ring")
    assert picture(button) != clicked
    dialog.text.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert picture(button) == clicked
    dialog.close()


def test_that_a_chart_keeps_its_frame_when_the_user_returns(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    figure = opened.page.make_whole().figure
    ring = figure.findChild(FocusRing)
    for came, shown in ((Qt.FocusReason.MouseFocusReason, False), (Qt.FocusReason.TabFocusReason, True)):
        for kind, reason in (
            (QEvent.Type.FocusIn, came),
            (QEvent.Type.FocusOut, Qt.FocusReason.ActiveWindowFocusReason),
            (QEvent.Type.FocusIn, Qt.FocusReason.ActiveWindowFocusReason),
        ):
            QApplication.sendEvent(figure, QFocusEvent(kind, reason))
        assert ring.isVisibleTo(figure) is shown
        QApplication.sendEvent(figure, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason))


def test_that_a_list_has_no_frame_if_qt_reports_twice_that_its_window_comes_to_the_front(opened: MainWindow) -> None:
    focus, pages = running_application().focusObjectChanged, opened.rail.pages
    focus.emit(opened.finder)
    focus.emit(None)
    for _ in range(2):
        focus.emit(pages)
    assert not pages.property("ring")


def test_that_a_clicked_table_or_tree_has_no_frame_until_a_key_is_pressed(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    opened.activateWindow()
    table, tree = opened.page.tables[0].table, opened.rail.tree
    for view in (table, tree):
        index = view.model().index(1, 0)
        view.scrollTo(index)
        QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, view.visualRect(index).center())
        settle(opened, qtbot)
        assert view.hasFocus()
        assert not view.property("ring")
        clicked = picture(view)
        QTest.keyClick(view, Qt.Key.Key_Home)
        assert view.property("ring")
        assert picture(view) != clicked


def test_that_a_chart_has_no_frame_after_a_change_of_page_without_a_key(opened: MainWindow, qtbot: QtBot) -> None:
    for page in ("compare", "limits"):
        after(opened, qtbot, lambda page=page: opened.workspace.apply(page=page))
        opened.page.figure.setFocus(Qt.FocusReason.MouseFocusReason)
    after(opened, qtbot, lambda: opened.workspace.apply(page="compare"))
    figure = opened.page.figure
    assert figure.hasFocus()
    assert not figure.findChild(FocusRing).isVisibleTo(figure)


def test_that_no_frame_appears_when_a_page_hides_the_part_with_the_keyboard(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    opened.activateWindow()
    figure, reached = opened.page.figure, set()
    for part in (figure, opened.page.tables[0], opened.header):
        stops = [each for each in (part, *part.findChildren(QWidget)) if each.isVisible() and each.isEnabled()]
        stop = next(each for each in stops if each.focusPolicy() & Qt.FocusPolicy.TabFocus)
        stop.setFocus(Qt.FocusReason.MouseFocusReason)
        assert part.isAncestorOf(QApplication.focusWidget()) or part.hasFocus()
        part.hide()
        now = QApplication.focusWidget()
        reached.add(now)
        assert now is not stop
        assert not now.property("ring"), now
        assert not any(ring.isVisible() for ring in now.findChildren(FocusRing)), now
        part.show()
    assert len(reached) > 1
