"""How the chart of a finding writes and fills: one line of text in its box, a box in its colour."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def fill(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """Fills the box."""
    # A box without height is a path without points, which readers of .pdf files complain of.
    if box.width() > 0 and box.height() > 0:
        painter.fillRect(box, colour)


def write(painter: QPainter, area: QRectF, font: QFont, colour: QColor, text: str, how: Qt.AlignmentFlag) -> None:
    """Writes one line of text into the box, never cut."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, how | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)
