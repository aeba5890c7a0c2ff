"""A user without a mouse: every key goes to the focused widget, also in menus and dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, settle
from workbench.gui.shell.main_window import MainWindow

W = TypeVar("W", bound=QWidget)
_LOOK_MS = 20
# More than the tab stops of any page, and more than the entries of any menu or box.
_MANY = 120


def keyboard() -> QWidget:
    """The widget that has the focus."""
    _give_back()
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    return widget


def strike(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Sends a key like the window system: an open menu or list gets it before the widget with the focus."""
    _give_back()
    popup = QApplication.activePopupWidget()
    window = (popup or keyboard().window()).windowHandle()
    QTest.keyClick(window, key, modifiers)


def _give_back() -> None:
    """Returns the focus to the window below the closed one, as a desktop does; a bare screen does not."""
    if QApplication.activeWindow() is None:
        _topmost().activateWindow()
        QTest.qWait(_LOOK_MS)


def _topmost() -> QWidget:
    shown = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget.isWindow()]
    return QApplication.activeModalWidget() or next(widget for widget in shown if isinstance(widget, MainWindow))


@dataclass(frozen=True)
class Keys:
    """The keyboard of a window."""

    window: MainWindow
    qtbot: QtBot

    def press(self, *keys: str) -> None:
        """Presses keys, such as `Ctrl+O` or `Down`, one after the other, and waits for their effect."""
        for key in keys:
            combined = QKeySequence(key)[0]
            strike(combined.key(), combined.keyboardModifiers())
            settle(self.window, self.qtbot)

    def write(self, text: str) -> None:
        """Types a text."""
        QTest.keyClicks(keyboard(), text)
        settle(self.window, self.qtbot)

    def go_to(self, wanted: QWidget | Callable[[QWidget], bool], key: str = "Tab") -> None:
        """Presses Tab until this widget has the focus, or a widget that meets the condition."""
        for _ in range(_MANY):
            widget = keyboard()
            if widget is wanted if isinstance(wanted, QWidget) else wanted(widget):
                return
            self.press(key)
        raise AssertionError(f"{key} does not lead to {wanted}")

    def press_until(self, key: str, wanted: object, seen: Callable[[], object]) -> None:
        """Presses a key until the expected content is visible."""
        passed = []
        for _ in range(_MANY):
            passed.append(seen())
            if passed[-1] == wanted:
                return
            self.press(key)
        raise AssertionError(f"{key} does not lead to {wanted}, but to {set(passed)}")

    def menu(self) -> QMenu:
        """Opens the menu of the focused widget like the menu key and Shift+F10: Qt sends this event for them, at the
        cursor of a text or at the current cell of a table."""
        widget = keyboard()
        at = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at))
        QApplication.sendEvent(widget, asked)
        self.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    def choose(self, menu: QMenu, words: str) -> None:
        """Chooses the entry with these words in an open menu."""
        self.press_until("Down", True, lambda: bool((entry := menu.activeAction()) and words in entry.text()))
        self.press("Return")

    def opened(self, kind: type[W]) -> W:
        """The window of this kind that the last key opened; as on a desktop, it has the focus."""
        self.qtbot.waitUntil(lambda: any(w.isVisible() for w in self.window.findChildren(kind)), timeout=LONG_MS)
        window = next(w for w in self.window.findChildren(kind) if w.isVisible())
        window.activateWindow()
        self.qtbot.waitUntil(lambda: window.isAncestorOf(keyboard()))
        return window

    @contextmanager
    def dialog(self, answer: Callable[[QWidget], None]) -> Iterator[None]:
        """Answers a modal dialog that the keys inside the block open."""
        answered: list[QWidget] = []
        clock = QTimer(interval=_LOOK_MS)

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            focus = QApplication.focusWidget()
            if dialog is not None and focus is not None and dialog.isAncestorOf(focus):
                clock.stop()
                answered.append(dialog)
                answer(dialog)

        clock.timeout.connect(look)
        clock.start()
        yield
        self.qtbot.waitUntil(lambda: bool(answered), timeout=LONG_MS)
        clock.stop()
