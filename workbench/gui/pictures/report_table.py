"""Tables on paper: as wide as their text; if the page is narrower, in a smaller font or in blocks of columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.texts import plain_text
from workbench.gui.pictures.flow import Flow
from workbench.gui.pictures.head import WRAPPED, paint_rule, paint_words
from workbench.gui.plot.ink import Ink, draw_sample
from workbench.gui.services.assets import ui_font
from workbench.words.numbers import MISSING

MOST_ROWS = 40
"""More rows nobody reads on paper; the page holds them all."""
MOST_SOURCES = 1_000
"""What the figures rest on is looked up, not read: runs and files with their hashes."""
_SIZES = (8.5, 7.5, 6.8)
_WIDEST, _NARROWEST, _PAD, _SWATCH = 760.0, 90.0, 7.0, 24.0
_MOST_LINES = 8
# Invisible character; a line may end there.
_BREAK = "\u200b"
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True)
class _Plan:
    """The layout of a block of columns: their positions in the table, their widths, the font."""

    places: tuple[int, ...]
    widths: tuple[float, ...]
    plain: QFont
    strong: QFont


def flow_table(flow: Flow, table: TableData, name: str, most: int = MOST_ROWS) -> str:
    """Adds a table with its name and legend. Returns a sentence if not all rows fit."""
    rows = table.rows[:most]
    message = ""
    if len(rows) < len(table.rows):
        message = f"{name}: the first {len(rows)} of {len(table.rows)} rows; the exported page (.html) shows all."
    if not table.columns:
        return message
    shown = TableData(table.columns, rows, table.legend, table.name)
    for number, plan in enumerate(_plans(shown, flow.area.width())):
        flow.gap(flow.ink.px(14))
        _block(flow, shown, plan, name if not number else f"{name}, continued")
    legend = [text for text in (message, table.whole_legend) if text]
    if MISSING not in table.whole_legend and any(cell.text == MISSING for row in rows for cell in row):
        legend.append(f"{MISSING} not available, never 0")
    if legend:
        flow.gap(4)
        flow.words(" · ".join(legend), flow.ink.small, "quiet")
    return message


def _block(flow: Flow, table: TableData, plan: _Plan, name: str) -> None:
    heads = [_head(table.columns[index]) for index in plan.places]
    head_tall = _row_height(plan, heads, plan.strong) + 4
    flow.need(head_tall + 80)
    flow.words(name, flow.ink.title)
    _put_heads(flow, table, plan, heads, head_tall)
    for row in table.rows:
        cells = [row[index] for index in plan.places]
        tall = _row_height(plan, [cell.text for cell in cells], plan.plain, cells) + 4
        if flow.need(tall):
            _put_heads(flow, table, plan, heads, head_tall)
        y = flow.y
        flow.draw(lambda painter, y=y, cells=cells: _paint_row(painter, flow, table, plan, cells, y), tall)  # type: ignore[misc]


def _put_heads(flow: Flow, table: TableData, plan: _Plan, heads: list[str], tall: float) -> None:
    y = flow.y

    def draw(painter: QPainter) -> None:
        x = flow.area.left()
        for index, wide, text in zip(plan.places, plan.widths, heads, strict=True):
            box = QRectF(x, y + 2, wide - _PAD, tall)
            _paint_text(painter, flow.ink, text, plan.strong, "text", box, table.columns[index].numeric)
            x += wide
        paint_rule(painter, flow.ink, QPointF(flow.area.left(), y + tall), sum(plan.widths))

    flow.draw(draw, tall + 2)


def _paint_row(painter: QPainter, flow: Flow, table: TableData, plan: _Plan, cells: list[Cell], y: float) -> None:
    x = flow.area.left()
    for index, wide, cell in zip(plan.places, plan.widths, cells, strict=True):
        left = x
        if cell.look is not None:
            draw_sample(painter, flow.ink, cell.look, QRectF(x, y, _SWATCH - 6, QFontMetricsF(plan.plain).height()))
            left += _SWATCH
        box = QRectF(left, y, x + wide - _PAD - left, 10_000)
        token = "quiet" if cell.text == MISSING else "text"
        _paint_text(painter, flow.ink, cell.text, plan.plain, token, box, table.columns[index].numeric)
        x += wide


def _paint_text(painter: QPainter, ink: Ink, text: str, font: QFont, token: str, box: QRectF, numeric: bool) -> None:
    if numeric:
        painter.setFont(font)
        painter.setPen(ink.token(token))
        painter.drawText(box, _RIGHT, plain_text(text))
    else:
        shown = _breakable(plain_text(text), font, box.width())
        paint_words(painter, ink, shown, font, token, box, _MOST_LINES)


def _breakable(text: str, font: QFont, room: float) -> str:
    """The text with break points in words that are wider than the room, such as a long name or a hash."""
    metrics = QFontMetricsF(font)
    if room <= 0 or metrics.horizontalAdvance(text) <= room:
        return text
    return re.sub(r"\S{9,}", lambda word: _pieces(word[0], metrics, room), text)


def _pieces(word: str, metrics: QFontMetricsF, room: float) -> str:
    wide = metrics.horizontalAdvance(word)
    if wide <= room:
        return word
    # Slightly less than fits, because letters differ in width.
    count = max(1, int(0.9 * len(word) * room / wide))
    return _BREAK.join(word[at : at + count] for at in range(0, len(word), count))


def _plans(table: TableData, width: float) -> list[_Plan]:
    """One block in the largest font that fits; otherwise blocks of columns in the smallest font. Each block repeats the
    key columns: those before the first number, if they leave half the width."""
    for size in _SIZES:
        plain, strong = ui_font(size), ui_font(size, QFont.Weight.DemiBold)
        widths = [_width(table, index, plain, strong) for index in range(len(table.columns))]
        texts = [index for index, wide in enumerate(widths) if wide > _NARROWEST and not table.columns[index].numeric]
        most = _most_width([widths[index] for index in texts], width - sum(widths) + sum(widths[i] for i in texts))
        for text in texts:
            widths[text] = min(widths[text], most)
        if most >= _NARROWEST and not any(_is_cut(table, index, widths[index], plain) for index in texts):
            return [_Plan(tuple(range(len(widths))), tuple(widths), plain, strong)]
    keys = _key_columns(table, widths, width)
    room = width - sum(widths[:keys])
    blocks: list[list[int]] = [[]]
    for column in range(keys, len(widths)):
        widths[column] = min(_width(table, column, plain, strong), room)
        if blocks[-1] and sum(widths[other] for other in blocks[-1]) + widths[column] > room:
            blocks.append([])
        blocks[-1].append(column)
    places = [(*range(keys), *block) for block in blocks]
    return [_Plan(block, tuple(widths[column] for column in block), plain, strong) for block in places]


def _most_width(wanted: list[float], room: float) -> float:
    """The width at which wide texts wrap so all columns fit; narrower columns keep the width they need."""
    left = sorted(wanted)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room / len(left) if left else (_WIDEST if room >= 0 else 0.0)


def _is_cut(table: TableData, index: int, wide: float, font: QFont) -> bool:
    """True if a text of the column needs more lines than are printed."""
    metrics = QFontMetricsF(font)
    longest = max((metrics.horizontalAdvance(row[index].text) for row in table.rows), default=0.0)
    # Words do not fill their lines.
    return 1.2 * longest > _MOST_LINES * max(1.0, wide - _PAD)


def _key_columns(table: TableData, widths: list[float], width: float) -> int:
    """The number of columns at the left that say what a row is about; at least one."""
    texts = next((at for at, column in enumerate(table.columns) if column.numeric), len(widths) - 1)
    fitting = [count for count in range(1, texts + 1) if sum(widths[:count]) <= width / 2]
    return max(fitting, default=1)


def _width(table: TableData, index: int, plain: QFont, strong: QFont) -> float:
    column = table.columns[index]
    cells, heads = QFontMetricsF(plain), QFontMetricsF(strong)
    swatch = _SWATCH if any(row[index].look is not None for row in table.rows) else 0.0
    widest = max((cells.horizontalAdvance(row[index].text[:200]) for row in table.rows), default=0.0) + swatch
    # Headers wrap between their words.
    words = max((heads.horizontalAdvance(word) for word in _head(column).split()), default=0.0)
    return min(max(widest, words), _WIDEST) + _PAD + 2


def _head(column: Column) -> str:
    return plain_text(f"{column.title}\n{column.unit}" if column.unit else column.title)


def _row_height(plan: _Plan, texts: list[str], font: QFont, cells: list[Cell] | None = None) -> float:
    metrics, tallest = QFontMetricsF(font), 0.0
    for index, (wide, text) in enumerate(zip(plan.widths, texts, strict=True)):
        room = wide - _PAD - (_SWATCH if cells is not None and cells[index].look is not None else 0)
        if "\n" not in text and metrics.horizontalAdvance(text) <= room:
            tallest = max(tallest, metrics.height())
        else:
            shown = _breakable(plain_text(text), font, room)
            tallest = max(tallest, metrics.boundingRect(QRectF(0, 0, room, 10_000), WRAPPED, shown).height())
    return min(tallest, _MOST_LINES * metrics.lineSpacing())
