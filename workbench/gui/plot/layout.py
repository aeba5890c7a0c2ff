"""The places of the columns of a figure: each in a separate card, or all in one card with a shared gutter."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, QSizeF

from workbench.charts.figure import Figure
from workbench.charts.scales import Scales
from workbench.gui.plot.axes.gutter import time_lines
from workbench.gui.plot.geometry import (
    Around,
    Layout,
    PlotPlace,
    PlotRow,
    ends_width,
    gutter_of,
    numbers_width,
    rows_of,
    stack,
    y_label,
)
from workbench.gui.plot.ink import Ink, line_height, widest

# The minimum width of a column of a figure that scrolls.
COLUMN_PX = 160
_PAD, _GAP, _APART = 16, 14, 12
# One gutter for all columns has room for longer names than a gutter in each card.
_GUTTER_PX, _GUTTER_SHARE, _CARD_SHARE = 90, 0.2, 0.36
# The height of a readable heatmap row, and the heatmap's share of the height with few rows and with many.
_ROW_PX, _LEAST, _MOST = 15, 0.28, 0.47


def arrange(figure: Figure, scales: list[Scales], ink: Ink, size: QSizeF, around: Around) -> Layout:
    """Places for these panels of the figure on a canvas of `size`, with room for the parts around them."""
    columns = sorted({scale.panel.column for scale in scales})
    foot = ink.px(30) if around.footer else 0.0
    top = ink.px(62 if figure.caption else 42) if around.title else 0.0
    joined = is_joined(figure, len(columns))
    left_out = foot + around.bar + (around.strip if joined else 0.0)
    area = QRectF(0, top, size.width(), max(60.0, size.height() - top - left_out))
    gutter, boxes = _columns(scales, ink, area, len(columns), joined)
    wide = boxes[-1].width() if boxes else 0.0
    own = 0.0 if joined else gutter
    ends = ends_width(scales, ink, QSizeF(wide, area.height()))
    rows = rows_of(scales, ink, QSizeF(wide, area.height()), own, around, joined, ends)
    if around.heads is not None and rows:
        rows[0] = replace(rows[0], head=around.heads(wide - 2 * ink.px(_PAD)) + ink.px(8))
    rows = _joined_rows(rows, scales, ink, area.height(), gutter) if joined else rows
    places: dict[int, PlotPlace] = {}
    for number, (box, column) in enumerate(zip(boxes, columns, strict=True)):
        members = [(i, scale) for i, scale in enumerate(scales) if scale.panel.column == column]
        stacked = stack(members, box, rows, ink, own, ends)
        places.update(_named_once(stacked, area, number) if joined else stacked)
    title, footer = QRectF(0, 0, size.width(), top), QRectF(0, size.height() - foot, size.width(), foot)
    headed = around.heads is not None
    in_order = tuple(replace(places[i], headed=headed) for i in range(len(scales)))
    layout = Layout(in_order, tuple(boxes), title, footer, gutter)
    return _with_rooms(layout, area, ink, around, joined)


def is_joined(figure: Figure, columns: int) -> bool:
    """True if this number of columns of the figure is shown in one card."""
    return figure.joined and columns > 1


def fitting(figure: Figure, scales: list[Scales], ink: Ink, width: float) -> int:
    """The number of columns that fit side by side into this many pixels; all columns if the figure does not scroll."""
    count = len({scale.panel.column for scale in scales})
    if not figure.scrolls or count < 2:
        return count
    if is_joined(figure, count):
        room, gap = width - _joined_gutter(scales, ink, width) - 2 * ink.px(_PAD), ink.px(_GAP)
        least = ink.px(COLUMN_PX)
    else:
        room, gap = width, ink.px(_APART)
        # Each column has its own gutter.
        least = ink.px(COLUMN_PX) + 2 * ink.px(_PAD)
    return min(count, max(1, int((room + gap) // (least + gap))))


def _columns(scales: list[Scales], ink: Ink, area: QRectF, count: int, joined: bool) -> tuple[float, list[QRectF]]:
    """The gutter, and a box for each column with the margins of a card."""
    if joined:
        gutter = _joined_gutter(scales, ink, area.width())
        pad, gap = ink.px(_PAD), ink.px(_GAP)
        wide = (area.width() - gutter - 2 * pad - gap * (count - 1)) // count
        inner = QRectF(area.left() + gutter + pad, area.top(), wide * count + gap * (count - 1), area.height())
        return gutter, [box.adjusted(-pad, 0, pad, 0) for box in _side_by_side(inner, count, gap)]
    cards = _side_by_side(area, count, ink.px(_APART))
    return gutter_of(scales, ink, cards[0].width() * _CARD_SHARE if cards else 0.0), cards


def _side_by_side(area: QRectF, count: int, gap: float) -> list[QRectF]:
    wide = (area.width() - gap * (count - 1)) / max(1, count)
    left = area.left()
    return [QRectF(round(left + i * (wide + gap)), area.top(), round(wide), area.height()) for i in range(count)]


def _joined_gutter(scales: list[Scales], ink: Ink, width: float) -> float:
    most = max(float(ink.px(_GUTTER_PX)), _GUTTER_SHARE * width)
    # The title of y is next to its numbers.
    words = (word for scale in scales if scale.heatmap is None for word in y_label(scale).split())
    titled = widest(ink.small, words) + numbers_width(scales, ink) + ink.px(14)
    return round(max(gutter_of(scales, ink, most), min(titled, most), ink.px(_GUTTER_PX)))


def _joined_rows(rows: list[PlotRow], scales: list[Scales], ink: Ink, height: float, gutter: float) -> list[PlotRow]:
    """The rows of columns whose axes are named in the gutter. A heatmap gets the height that makes its rows
    readable."""
    lines = max(len(time_lines(scale, ink, gutter)) for scale in scales)
    tick = max(1, lines) * line_height(ink.small) + ink.px(8)
    rows = [*(replace(row, axis=min(row.axis, tick)) for row in rows[:-1]), replace(rows[-1], axis=tick)]
    names = max((len(scale.heatmap.rows) for scale in scales if scale.heatmap), default=0)
    if len(rows) != 2 or not names:
        return rows
    free = height - sum(row.head + row.label + row.read + row.flags + row.axis for row in rows)
    share = min(max(_LEAST, ink.px(_ROW_PX) * names / max(1.0, free)), _MOST)
    return [replace(rows[0], weight=1 - share), replace(rows[1], weight=share)]


def _named_once(places: dict[int, PlotPlace], area: QRectF, number: int) -> dict[int, PlotPlace]:
    """The places of a column in a shared card. The first column has the card's left edge and the names of y for all."""
    if number:
        return {index: replace(place, names_y=False, joined=True, title=()) for index, place in places.items()}
    widened = {index: QRectF(place.card) for index, place in places.items()}
    for card in widened.values():
        card.setLeft(area.left())
    return {index: replace(place, card=widened[index], joined=True, title=()) for index, place in places.items()}


def _with_rooms(layout: Layout, area: QRectF, ink: Ink, around: Around, joined: bool) -> Layout:
    """The layout with the areas of scroll bar, strip and footer. For joined columns they are inside the card."""
    plots = [place.plot for place in layout.places]
    if not plots:
        return layout
    left, right = min(plot.left() for plot in plots), max(plot.right() for plot in plots)
    if not joined:
        return replace(layout, bar=QRectF(area.left(), area.bottom(), area.width(), around.bar))
    under = area.bottom() - ink.px(_PAD) * 0.5
    bar = QRectF(left, under, right - left, around.bar)
    strip = QRectF(area.left(), bar.bottom(), area.width(), around.strip)
    footer = QRectF(left, layout.footer.top() - ink.px(4), right - left, layout.footer.height())
    card = QRectF(area.left(), area.top(), area.width(), layout.footer.bottom() - area.top())
    return replace(layout, bar=bar, strip=strip, footer=footer, cards=(card,))
