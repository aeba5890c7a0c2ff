"""Bars under each other on one clock: when events, samples as read and samples after a change lie."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.charts.palette import THEMES
from workbench.gui.services.theme import SHADES, current_theme, running_application
from workbench.model.cause import Span

_ROW, _BAR, _SHARE, _LEAST = 26, 14, 0.34, 3


class SpanBars(QWidget):
    """As high as its bars."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: tuple[Span, ...] = ()

    def show_spans(self, spans: Sequence[Span]) -> None:
        """Shows these, the first on top."""
        self.spans = tuple(spans)
        self.setAccessibleName(", ".join(span.label for span in self.spans))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """A row for each bar, and one for the clock."""
        return QSize(200, _ROW * (len(self.spans) + 1))

    def minimumSizeHint(self) -> QSize:
        """The same, however narrow."""
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws them."""
        if not self.spans:
            return
        theme = current_theme(running_application())
        quiet, text = QColor(THEMES[theme].quiet), QColor(THEMES[theme].text)
        colours = [quiet, QColor(SHADES[theme].warning), QColor(THEMES[theme].accent)]
        start, end = min(span.start for span in self.spans), max(span.end for span in self.spans)
        left = self.width() * _SHARE
        scale = (self.width() - left - 4) / max(1.0, end - start)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(self.font())
        for at, span in enumerate(self.spans):
            label = metrics.elidedText(span.label, Qt.TextElideMode.ElideMiddle, int(left) - 10)
            painter.setPen(text)
            painter.drawText(QRectF(0, at * _ROW, left, _ROW), Qt.AlignmentFlag.AlignVCenter, label)
            bar = QRectF(left + (span.start - start) * scale, at * _ROW + 6, (span.end - span.start) * scale, _BAR)
            bar.setWidth(max(_LEAST, bar.width()))
            painter.fillRect(bar, colours[at % len(colours)])
        self._draw_clock(painter, quiet, left, start, end)
        painter.end()

    def _draw_clock(self, painter: QPainter, colour: QColor, left: float, start: float, end: float) -> None:
        painter.setPen(colour)
        room = QRectF(left, len(self.spans) * _ROW, self.width() - left, _ROW)
        days = datetime.fromtimestamp(start, UTC).date() != datetime.fromtimestamp(end, UTC).date()
        form = "%Y-%m-%d %H:%M" if days else "%H:%M"
        for moment, side in ((start, Qt.AlignmentFlag.AlignLeft), (end, Qt.AlignmentFlag.AlignRight)):
            painter.drawText(room, side | Qt.AlignmentFlag.AlignTop, f"{datetime.fromtimestamp(moment, UTC):{form}}")
