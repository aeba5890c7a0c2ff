"""A box of choices whose text is cut with … where the box is narrow, which Qt under a style sheet does not do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from workbench.gui.services.theme import freed_whole


class ElidedBox(QComboBox):
    """The end of a long choice is cut, not its last letter halved; the list that opens has it whole."""

    def __init__(self) -> None:
        super().__init__()
        self.view()
        freed_whole(self)

    def shown_text(self) -> str:
        """What is drawn at this width."""
        option = self._option()
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room.width() - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the box with what fits."""
        option = self._option()
        option.currentText = self.shown_text()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return option
