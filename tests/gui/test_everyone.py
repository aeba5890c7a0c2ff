"""Accessibility of the window: names for screen readers, keys for users without a mouse, no number cut."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, SAMPLE, open_and_wait, settle
from workbench.answers.registry import PAGES
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.labels import FittedLabel

CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)
VIEWS = [(spec.key, view) for spec in PAGES for view, _ in spec.views or (("", ""),)]


def look_at(window: MainWindow, qtbot: QtBot, page: str, view: str) -> None:
    state = window.workspace.state
    chosen = state.with_page_view(page, view) if view else state
    window.workspace.apply(page=page, page_views=chosen.page_views)
    settle(window, qtbot)


def spoken(widget: QWidget) -> str:
    """The text of a control for a screen reader."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text


def nameless(top: QWidget) -> list[str]:
    """Visible controls without a name; parts that Qt creates are excluded."""
    found = []
    for kind in CONTROLS:
        for widget in top.findChildren(kind):
            own = widget.parent()
            part = isinstance(own, QComboBox | QAbstractSpinBox | QLineEdit | QAbstractItemView) or (
                widget.objectName().startswith(("qt_", "ScrollLeft", "ScrollRight"))
            )
            if widget.isVisible() and not part and not spoken(widget):
                found.append(f"{type(widget).__name__} {widget.objectName()} in {type(own).__name__}")
    return found


def marked_up(top: QWidget) -> list[str]:
    """Texts in which Qt would read markup."""
    labels = [label for label in top.findChildren(QLabel) if label.isVisible() and "<" in label.text()]
    return [label.text() for label in labels if label.textFormat() != Qt.TextFormat.PlainText]


def check_for_everyone(window: MainWindow) -> None:
    """Controls of the page have names, its chart has a text, and names of files are plain. test_no_internal_keys.py
    checks every page."""
    state = window.workspace.state
    place = state.page, state.page_view(state.page)
    assert nameless(window) == [], place
    assert marked_up(window) == [], place
    figure = window.page.figure
    if figure is not None and figure.isVisible():
        assert figure.accessibleName().endswith("?"), place
        assert len(figure.accessibleDescription()) > 20, place


@pytest.mark.slow
def test_that_no_large_number_is_cut_in_a_small_window(sample: MainWindow, qtbot: QtBot) -> None:
    sample.resize(1280, 720)
    for page, view in VIEWS:
        look_at(sample, qtbot, page, view)
        QApplication.processEvents()
        numbers = [
            label
            for label in sample.page.make_whole().cards.findChildren(FittedLabel)
            if label.property("role") == "big" and label.isVisible()
        ]
        cards = () if sample.page.make_whole().lead.isVisible() else sample.page.make_whole().cards.cards
        assert len(numbers) == len(cards), (page, view)
        assert [label.full for label in numbers if label.cut] == [], (page, view)


def test_that_tab_reaches_every_control_and_returns(sample: MainWindow, qtbot: QtBot) -> None:
    look_at(sample, qtbot, "overview", "")
    sample.activateWindow()
    sample.rail.pages.setFocus()
    seen: list[QWidget] = []
    for _ in range(60):
        widget = QApplication.focusWidget()
        if widget is None or widget in seen:
            break
        seen.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    wanted = {
        sample.rail.pages,
        sample.rail.tree,
        sample.header.choosers["phase"].box,
        sample.page.tables[0].filter,
        sample.page.tables[0].table,
    }
    assert wanted <= set(seen)
    assert QApplication.focusWidget() in seen


def test_that_a_control_with_the_focus_looks_different(sample: MainWindow, qtbot: QtBot) -> None:
    look_at(sample, qtbot, "overview", "")
    sample.activateWindow()
    box = sample.header.choosers["phase"].box
    sample.rail.pages.setFocus()
    without = box.grab().toImage()
    box.setFocus(Qt.FocusReason.TabFocusReason)
    assert box.grab().toImage() != without


def test_that_a_closed_window_leaves_no_thread_running(window: MainWindow, qtbot: QtBot) -> None:
    before = {thread for thread in threading.enumerate() if not thread.name.startswith("workbench")}
    open_and_wait(window, qtbot, SAMPLE)
    window.close()
    qtbot.waitUntil(lambda: not [t for t in threading.enumerate() if t.name.startswith("workbench")], timeout=LONG_MS)
    left = [thread.name for thread in threading.enumerate() if thread not in before and not thread.daemon]
    assert left == []
