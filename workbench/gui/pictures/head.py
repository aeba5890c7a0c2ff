"""The head above a chart in an image of a whole page: the question, the measured quantity, and the answer cards."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from workbench.charts.content import Card, Content
from workbench.gui.plot.ink import Ink, draw_sample, line_height, text_width
from workbench.gui.plot.static import LEFT
from workbench.gui.services.assets import ui_font
from workbench.words.numbers import THIN

GAP, PAD = 12.0, 14.0
WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
_MOST_IN_A_ROW, _LEAST_IN_A_ROW = 6, 3
_TALL = 10_000.0


def paint_head(painter: QPainter, ink: Ink, content: Content, area: QRectF) -> float:
    """Paints question, caption and cards at the top of `area`; returns the y below them."""
    y = area.top()
    for text, font, token, lines in (
        (content.question, ink.question, "text", 2),
        (content.caption, ink.plain, "quiet", 3),
    ):
        if text:
            y = paint_words(painter, ink, text, font, token, QRectF(area.left(), y, area.width(), _TALL), lines)
            y += ink.px(4)
    if content.cards:
        y = paint_cards(painter, ink, content.cards, QRectF(area.left(), y + ink.px(6), area.width(), _TALL))
    return y


def paint_words(
    painter: QPainter, ink: Ink, text: str, font: QFont, token: str, area: QRectF, lines: int = 100
) -> float:
    """Paints text over at most this number of lines; returns the y below it."""
    metrics = QFontMetricsF(font)
    shown, most = text, lines * metrics.lineSpacing() + 1
    while shown and metrics.boundingRect(area, WRAPPED, shown).height() > most:
        shown = shown[: int(len(shown.rstrip("…")) * 0.95)].rstrip() + "…"
        if len(shown) < 4:
            break
    tall = metrics.boundingRect(area, WRAPPED, shown).height()
    painter.setFont(font)
    painter.setPen(ink.token(token))
    painter.drawText(QRectF(area.left(), area.top(), area.width(), tall + 2), WRAPPED, shown)
    return area.top() + tall


@dataclass(frozen=True)
class CardRow:
    """Cards side by side, each of this width and height."""

    cards: tuple[Card, ...]
    wide: float
    tall: float

    def paint(self, painter: QPainter, ink: Ink, left: float, top: float) -> None:
        """Paints the cards from this corner on."""
        for index, card in enumerate(self.cards):
            _paint_card(painter, ink, card, QRectF(left + index * (self.wide + ink.px(GAP)), top, self.wide, self.tall))


def card_rows(ink: Ink, cards: tuple[Card, ...], width: float) -> list[CardRow]:
    """The cards in rows of at most six, equally wide. A row has fewer cards if names or numbers would be cut."""
    titles = max((text_width(ink.title, card.heading) for card in cards), default=0.0) + ink.px(26) + 10
    values = max((text_width(big_font(ink), _value(card)) for card in cards), default=0.0)
    name = max(titles, values + 2) + 2 * ink.px(PAD)
    fitting = int((width + ink.px(GAP)) / (name + ink.px(GAP)))
    count = -(-len(cards) // min(_MOST_IN_A_ROW, max(_LEAST_IN_A_ROW, fitting)))
    in_a_row = -(-len(cards) // max(1, count))
    rows = [cards[start : start + in_a_row] for start in range(0, len(cards), max(1, in_a_row))]
    wide = (width - ink.px(GAP) * (in_a_row - 1)) / max(1, in_a_row)
    return [CardRow(row, wide, max(_card_height(ink, card, wide) for card in row)) for row in rows]


def paint_cards(painter: QPainter, ink: Ink, cards: tuple[Card, ...], area: QRectF) -> float:
    """Paints the cards in their rows; returns the y below them."""
    y = area.top()
    for row in card_rows(ink, cards, area.width()):
        row.paint(painter, ink, area.left(), y)
        y += row.tall + ink.px(GAP)
    return y


def big_font(ink: Ink) -> QFont:
    """The font of a card's large number."""
    return ui_font(18.0 * ink.scale, QFont.Weight.Bold)


def _value(card: Card) -> str:
    return f"{card.value}{THIN}{card.unit}" if card.unit else card.value


def _quiet_lines(card: Card) -> tuple[str, ...]:
    return tuple(text for text in (card.note, card.detail) if text)


def _card_height(ink: Ink, card: Card, wide: float) -> float:
    inner = QRectF(0, 0, wide - 2 * ink.px(PAD), _TALL)
    metrics = QFontMetricsF(ink.plain)
    quiet = sum(
        min(metrics.boundingRect(inner, WRAPPED, text).height(), 3 * metrics.lineSpacing() + 1)
        for text in _quiet_lines(card)
    )
    return line_height(ink.title) + line_height(big_font(ink)) + quiet + ink.px(24)


def _paint_card(painter: QPainter, ink: Ink, card: Card, box: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink.token("line"), 1))
    painter.setBrush(ink.token("card"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    left, y, wide = box.left() + ink.px(PAD), box.top() + ink.px(10), box.width() - 2 * ink.px(PAD)
    tall, swatch = line_height(ink.title), ink.px(26)
    draw_sample(painter, ink, card.look, QRectF(left, y, swatch, tall))
    _line(painter, ink, card.heading, ink.title, QRectF(left + swatch + 8, y, wide - swatch - 8, tall))
    y += tall + ink.px(1)
    high = line_height(big_font(ink))
    _line(painter, ink, _value(card), big_font(ink), QRectF(left, y, wide, high))
    y += high
    for text in _quiet_lines(card):
        y = paint_words(painter, ink, text, ink.plain, "quiet", QRectF(left, y, wide, _TALL), 3)


def _line(painter: QPainter, ink: Ink, text: str, font: QFont, area: QRectF) -> None:
    painter.setFont(font)
    painter.setPen(ink.token("text"))
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, LEFT, shown)


def paint_rule(painter: QPainter, ink: Ink, at: QPointF, wide: float) -> None:
    """Paints a hairline."""
    painter.setPen(QPen(ink.token("line"), 1))
    painter.drawLine(at, at + QPointF(wide, 0))
