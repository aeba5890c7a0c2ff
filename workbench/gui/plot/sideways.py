"""The scroll bar for columns that do not fit side by side. It moves by whole columns."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from workbench.gui.services.translation import tr

HEIGHT = 12
# One notch of a common wheel, in Qt's units, moves one column.
_NOTCH = 120


class Sideways(QScrollBar):
    """Its value is the number of the first column in view. It is moved with Shift and the wheel, a wheel that tilts,
    Ctrl with the arrows (or the arrows alone while no cursor is set), and the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(tr("Visible columns"))
        self.setToolTip(tr("More configurations: Shift+wheel, Ctrl+Left and Ctrl+Right"))
        self._turned = 0
        self.hide()

    def offer(self, columns: int, fits: int) -> None:
        """Shows the bar if not all of this number of columns fit."""
        self.blockSignals(True)
        self.setRange(0, max(0, columns - fits))
        self.setPageStep(fits)
        self.blockSignals(False)
        self.setVisible(fits < columns)

    @property
    def height_wanted(self) -> float:
        """The height of the bar in pixels, 0 if it is not needed."""
        return float(HEIGHT) if self.maximum() else 0.0

    def turn(self, event: QWheelEvent) -> bool:
        """Handles a turn of the wheel that moves the columns. False leaves it to others."""
        if not (self.maximum() and _turned(event)):
            return False
        self._turned += _turned(event)
        steps = int(self._turned / _NOTCH)
        self._turned -= steps * _NOTCH
        self.setValue(self.value() - steps)
        return True

    def press(self, event: QKeyEvent) -> bool:
        """Handles an arrow key, alone or with Ctrl. False leaves it to others."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not self.maximum() or not steps or event.modifiers() & ~Qt.KeyboardModifier.ControlModifier:
            return False
        self.setValue(self.value() + steps)
        return True


def _turned(event: QWheelEvent) -> int:
    angle = event.angleDelta()
    shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    return angle.x() or (angle.y() if shifted else 0)
