"""A large sentence of at most three lines with one number in bold; plain text, whatever it holds."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.services.assets import ui_font
from workbench.words.numbers import THIN

_POINTS, _LINES = 13.5, 3
_MARK_PX = 24
_FIRM = "\u202f"


class SentenceLabel(QWidget):
    """Shows `number` in a disk before the sentence. What has no room in three lines ends with …: `cut` tells."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.strong, self.place, self.scale = "", "", 0, 1.0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def tell(self, text: str, strong: str, place: int, scale: float) -> None:
        """Says this sentence, `strong` in it bold, as the one at a `place` counted from 1."""
        self.text, self.strong, self.place, self.scale = text, strong, place, scale
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Three lines, whatever is said: charts of cards side by side stand in line."""
        return QSize(200, round(_LINES * QFontMetricsF(self._font()).lineSpacing()) + 2)

    def minimumSizeHint(self) -> QSize:
        """As narrow as need be."""
        return QSize(0, self.sizeHint().height())

    @property
    def cut(self) -> bool:
        """Whether the sentence is longer than three lines at this width."""
        return self._fitted() != self.text

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(self.foregroundRole()))
        self._layout(self._fitted()).draw(painter, QPointF(0, 0))
        tall = QFontMetricsF(self._font()).lineSpacing()
        side = 17 * self.scale
        disk = QRectF(0, (tall - side) / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(self.foregroundRole()))
        painter.drawEllipse(disk)
        painter.setFont(ui_font(8.5 * self.scale, QFont.Weight.Bold))
        painter.setPen(self.palette().color(self.palette().ColorRole.Base))
        painter.drawText(disk, Qt.AlignmentFlag.AlignCenter, str(self.place))
        painter.end()

    def _font(self) -> QFont:
        return ui_font(_POINTS * self.scale, QFont.Weight.Medium)

    def _fitted(self) -> str:
        """The text, without the words at its end that three lines do not hold."""
        words, text = self.text.split(" "), self.text
        while len(words) > 1 and self._layout(text).lineCount() > _LINES:
            words.pop()
            text = " ".join(words).rstrip(",;:") + "…"
        return text

    def _layout(self, text: str) -> QTextLayout:
        # Lines break at a thin space, which would part the thousands of a number: as wide, this one holds them.
        layout = QTextLayout(text.replace(THIN, _FIRM), self._font())
        at = text.find(self.strong) if self.strong else -1
        if at >= 0:
            bold = QTextLayout.FormatRange()
            bold.start, bold.length = at, len(self.strong)
            form = QTextCharFormat()
            form.setFontWeight(QFont.Weight.Bold)
            bold.format = form
            layout.setFormats([bold])
        self._break(layout)
        return layout

    def _break(self, layout: QTextLayout) -> None:
        tall, y = QFontMetricsF(self._font()).lineSpacing(), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            indent = _MARK_PX * self.scale if y == 0 else 0.0
            line.setLineWidth(max(20.0, self.width() - indent))
            line.setPosition(QPointF(indent, y))
            y += tall
        layout.endLayout()
