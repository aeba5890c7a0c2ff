"""The window as the operating system sees it: it accepts drops, and applies the theme to windows over it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QChildEvent, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFocusEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QGridLayout,
    QMainWindow,
    QPushButton,
    QTabBar,
    QWidget,
)

from workbench.gui.services.assets import icon
from workbench.gui.services.layout import in_column, in_row, keep_on_screen
from workbench.gui.services.theme import current_theme, dress, labelled, restyle, running_application
from workbench.gui.services.translation import key_words, tr


class FrameWindow(QMainWindow):
    """Emits `dropped` with the paths, and True if they are added to the open studies (with Ctrl or Shift)."""

    dropped = Signal(list, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self._away, self._last_focus = True, 0
        running_application().focusObjectChanged.connect(self._show_ring)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accepts folders and files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Emits the dropped paths."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        adds = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        self.dropped.emit(paths, bool(adds))

    def childEvent(self, event: QChildEvent) -> None:
        """Applies the theme to dialogs and menus over the window, and keeps them on the screen."""
        super().childEvent(event)
        child = event.child()
        if event.polished() and isinstance(child, QWidget) and child.isWindow():
            dress(child)
            if isinstance(child, QDialog):
                keep_on_screen(child)

    def _show_ring(self, new: QObject | None) -> None:
        """Marks the button, tab, list or table that gets the keyboard focus, unless a click gives it. The mark is
        unchanged if the user comes back from another window, or if Qt reports the same part twice. A list or table has
        no mark when a window comes to the front. The part that had the focus before is not touched, because it may be
        about to be deleted."""
        if new is None:
            self._away = True
            return
        came, self._away = self._away, False
        same, self._last_focus = id(new) == self._last_focus, id(new)
        if isinstance(new, QAbstractButton | QTabBar | QAbstractItemView) and not same:
            _ring(new, not (QGuiApplication.mouseButtons() or (came and isinstance(new, QAbstractItemView))))
        if isinstance(new, QAbstractItemView):
            new.installEventFilter(self)
            new.viewport().installEventFilter(self)

    def focusNextPrevChild(self, following: bool) -> bool:
        """Gives the keyboard focus to the next part. No frame marks it if Qt moves the focus because a part was
        hidden.
        """
        before = self.focusWidget()
        moved = super().focusNextPrevChild(following)
        now = QApplication.focusWidget()
        if moved and now is not None and before is not None and not before.isVisible():
            QApplication.sendEvent(now, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.OtherFocusReason))
            if now.property("ring") is not None:
                _ring(now, False)
        return moved

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Marks a list or table at the next key, and not any more at the next click."""
        if event.type() is QEvent.Type.KeyPress and isinstance(watched, QAbstractItemView):
            _ring(watched, True)
        elif event.type() is QEvent.Type.MouseButtonPress and isinstance(view := watched.parent(), QAbstractItemView):
            _ring(view, False)
        return super().eventFilter(watched, event)


def _ring(widget: QWidget, shown: bool) -> None:
    if bool(widget.property("ring")) is not shown:
        widget.setProperty("ring", shown)
        restyle(widget)


def centre_of(rail: QWidget, head: QWidget, pages: QWidget, strip: QWidget) -> QWidget:
    """One widget that contains these; the page takes the remaining height."""
    body = in_column(head, (pages, 1), margins=(16, 12, 16, 12), spacing=12)
    centre = QWidget()
    centre.setObjectName("page")
    grid = QGridLayout(centre)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(0)
    grid.addWidget(rail, 0, 0)
    grid.addLayout(body, 0, 1)
    grid.addWidget(strip, 1, 0, 1, 2)
    grid.setColumnStretch(1, 1)
    return centre


class Finder(QPushButton):
    """Looks like a field with its keys next to it. Tab skips it because the keyboard has Ctrl+K."""

    def __init__(self) -> None:
        super().__init__(tr("Search or run a command"))
        self.setObjectName("finder")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._keys = labelled(key_words("Ctrl+K"), "keys")
        self._keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = in_row(1, on=self, margins=(0, 2, 20, 0))
        row.addWidget(self._keys, 0, Qt.AlignmentFlag.AlignVCenter)

    def sizeHint(self) -> QSize:
        """Room for text and keys."""
        return super().sizeHint() + QSize(self._keys.sizeHint().width() + 14, 0)

    def changeEvent(self, event: QEvent) -> None:
        """Uses the icon of the new theme."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.setIcon(icon("search", current_theme(running_application())))
