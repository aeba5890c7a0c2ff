"""A slider under a figure, with the x axis of the figure. Named ticks mark values, and a ring marks one special
value."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from workbench.charts.inputs import Input
from workbench.charts.palette import THEMES
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import current_theme, running_application
from workbench.gui.services.translation import input_name

_HEIGHT, _MIDDLE, _KNOB, _GROOVE, _SNAP = 46, 14.0, 8.0, 4.0, 5.0
# Number of steps with Shift.
_LONG = 4


class AxisSlider(QSlider):
    """Emits `changed` with the key of the input and its value whenever the user moves it with mouse or keyboard."""

    changed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._input: Input | None = None
        self._pixels, self._values = (0.0, 1.0), (0.0, 1.0)
        self.setFixedHeight(_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Takes all available width."""
        return QSize(200, _HEIGHT)

    def show_input(self, shown: Input) -> None:
        """Shows the value of this input. Only the user's movement emits a signal."""
        self._input = shown
        self.blockSignals(True)
        self.setRange(round(shown.minimum), int(shown.maximum))
        self.setSingleStep(round(shown.step))
        self.setPageStep(round(_LONG * shown.step))
        if not self.isSliderDown():
            self.setValue(round(float(shown.value)))
        self.blockSignals(False)
        self.setAccessibleName(input_name(shown))
        self.setToolTip(plain_tip(shown.tip))
        self.update()

    def align(self, pixels: tuple[float, float], values: tuple[float, float]) -> None:
        """Places these values of the axis at these pixels."""
        if pixels[1] > pixels[0] and values[1] > values[0]:
            self._pixels, self._values = pixels, values
            self.update()

    def pixel_of(self, value: float) -> float:
        """The pixel of a value."""
        (left, right), (low, high) = self._pixels, self._values
        return left + (value - low) / (high - low) * (right - left)

    def _take(self, value: float) -> None:
        before = self.value()
        self.setValue(round(value))
        if self._input is not None and self.value() != before:
            self.update()
            self.changed.emit(self._input.key, float(self.value()))

    def _take_pixel(self, x: float) -> None:
        """Sets the value at a pixel, in whole steps. The knob snaps to a tick or ring nearby."""
        if self._input is None:
            return
        (left, right), (low, high) = self._pixels, self._values
        value = low + (x - left) / (right - left) * (high - low)
        marks = [mark for mark, _ in self._input.ticks]
        marks += [] if self._input.ring is None else [self._input.ring]
        nearest = min(marks, key=lambda mark: abs(self.pixel_of(mark) - x), default=None)
        step = self._input.step
        if nearest is not None and abs(self.pixel_of(nearest) - x) <= _SNAP:
            # The ring is the smallest value that is enough, so it must not be rounded down.
            self._take(math.ceil(nearest))
        else:
            self._take(max(step * round(value / step), self._input.minimum))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Moves the knob to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._take_pixel(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Lets the knob follow the pointer."""
        if self.isSliderDown():
            self._take_pixel(event.position().x())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Releases the knob."""
        self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls the page: the wheel must not change a number under the pointer."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves by a step with the arrows, by several steps with Shift or the page keys."""
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
        by |= {Qt.Key.Key_PageDown: -_LONG, Qt.Key.Key_PageUp: _LONG}
        key = Qt.Key(event.key())
        if key in by:
            long = _LONG if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and abs(by[key]) == 1 else 1
            step = max(1, self.singleStep())
            self._take(
                step * (self.value() // step if by[key] > 0 else -(-self.value() // step)) + by[key] * long * step
            )
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._take(self.minimum() if key == Qt.Key.Key_Home else self.maximum())
        else:
            event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints groove, ticks with their names, ring and knob."""
        if self._input is None:
            return
        tokens = THEMES[current_theme(running_application())]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = self._pixels
        at = self.pixel_of(self.value())
        for colour, start, end in ((tokens.line, left, right), (tokens.accent, left, at)):
            painter.setPen(QPen(QColor(colour), _GROOVE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(start, _MIDDLE), QPointF(max(start, end), _MIDDLE))
        # Paints ticks with their names; leaves out a name that would touch the one before.
        assert self._input is not None
        font = QFont(self.font())
        font.setPointSizeF(max(8.0, 0.85 * font.pointSizeF()))
        painter.setFont(font)
        painter.setPen(QPen(QColor(tokens.quiet), 1.0))
        taken = float("-inf")
        for value, name in sorted(self._input.ticks):
            x, wide = self.pixel_of(value), painter.fontMetrics().horizontalAdvance(name)
            painter.drawLine(QPointF(x, _MIDDLE + 7), QPointF(x, _MIDDLE + 12))
            if x - wide / 2 > taken + 6:
                area = QRectF(x - wide / 2 - 2, _MIDDLE + 13, wide + 4, _HEIGHT - _MIDDLE - 13)
                painter.drawText(area, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, name)
                taken = x + wide / 2
        if self._input.ring is not None:
            painter.setPen(QPen(QColor(tokens.text), 1.5))
            painter.setBrush(QColor(tokens.card))
            painter.drawEllipse(QPointF(self.pixel_of(self._input.ring), _MIDDLE), 4.5, 4.5)
        painter.setPen(QPen(QColor(tokens.accent), 3.0 if self.hasFocus() else 2.0))
        painter.setBrush(QColor(tokens.card))
        painter.drawEllipse(QPointF(at, _MIDDLE), _KNOB, _KNOB)
