"""Place and size of the window: as a text in a workspace file, and by screen. Also rows and columns of widgets."""

from __future__ import annotations

import base64

from PySide6.QtCore import QByteArray, QRect, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from workbench.session.settings import WindowPlace

# The size at the first start, if the screen has room. On larger screens the window takes three quarters of the screen.
_FIRST = QSize(1600, 900)
# Room for the frame that the window system draws around the window.
_FRAME = QSize(16, 48)

# The parts of a row or column: a widget or layout, alone or with its stretch, or an elastic space of this stretch.
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | int
_Margins = tuple[int, int, int, int]


def in_row(
    *parts: Part, on: QWidget | None = None, margins: _Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """The parts side by side, as the layout of the widget `on` if there is one."""
    row = QHBoxLayout() if on is None else QHBoxLayout(on)
    _fill(row, parts, margins, spacing)
    return row


def in_column(
    *parts: Part, on: QWidget | None = None, margins: _Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """The parts below each other, as the layout of the widget `on` if there is one."""
    column = QVBoxLayout() if on is None else QVBoxLayout(on)
    _fill(column, parts, margins, spacing)
    return column


def _fill(layout: QBoxLayout, parts: tuple[Part, ...], margins: _Margins | None, spacing: int | None) -> None:
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addStretch(part)
            continue
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, QWidget):
            layout.addWidget(item, stretch)
        else:
            layout.addLayout(item, stretch)


class WindowLayout:
    """Place and size of one top-level widget."""

    def __init__(self, frame: QWidget) -> None:
        self._frame = frame

    @property
    def text(self) -> str:
        """Place and size as Base64 text."""
        return base64.b64encode(self._frame.saveGeometry().data()).decode()

    def restore(self, text: str) -> None:
        """Gives the widget this place and size. An invalid text changes nothing."""
        try:
            data = base64.b64decode(text)
        except ValueError:
            return
        if data:
            self._frame.restoreGeometry(QByteArray(data))

    @property
    def here(self) -> tuple[str, WindowPlace]:
        """The screen of the window, and its place there."""
        area, frame = self._frame.normalGeometry(), self._frame
        place = WindowPlace(area.x(), area.y(), area.width(), area.height(), frame.isMaximized())
        return screen_key(frame.screen()), place

    def place(self, places: dict[str, WindowPlace], last: str) -> None:
        """Puts the window at its last position on the screen used last. If that screen no longer exists: at its last
        position on the first screen, or as large as fits."""
        screens = {screen_key(screen): screen for screen in QGuiApplication.screens()}
        screen = screens.get(last) or QGuiApplication.primaryScreen()
        kept, available = places.get(screen_key(screen)), screen.availableGeometry()
        area = first_area(available) if kept is None else fitted(kept, available)
        self._frame.setGeometry(area)
        if kept.maximised if kept is not None else area.size() != _wished(available):
            self._frame.showMaximized()


def screen_key(screen: QScreen) -> str:
    """The key of a screen: its name and size."""
    size = screen.size()
    return f"{screen.name()} {size.width()}x{size.height()}"


def first_area(available: QRect) -> QRect:
    """The place of a window on a new screen: in the middle of the free area."""
    size = _wished(available).boundedTo(available.size() - _FRAME)
    area = QRect(available.topLeft(), size)
    area.moveCenter(available.center())
    return area


def fitted(place: WindowPlace, available: QRect) -> QRect:
    """The previous place, moved and made smaller as far as the screen needs."""
    room = available.adjusted(0, _FRAME.height() // 2, 0, 0)
    size = QSize(place.width, place.height).boundedTo(room.size())
    left = min(max(place.x, room.left()), room.right() + 1 - size.width())
    top = min(max(place.y, room.top()), room.bottom() + 1 - size.height())
    return QRect(left, top, size.width(), size.height())


def _wished(available: QRect) -> QSize:
    return _FIRST.expandedTo(available.size() * 0.75)


def keep_on_screen(dialog: QWidget) -> None:
    """Makes a dialog no larger than its screen before it is shown; its content scrolls."""
    dialog.resize(dialog.size().boundedTo(room_of(dialog)))


def room_of(widget: QWidget) -> QSize:
    """The size that the screen of a widget leaves for the inside of a window."""
    return widget.screen().availableSize() - _FRAME
