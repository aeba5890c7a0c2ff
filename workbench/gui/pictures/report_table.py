"""Tables on paper: as wide as their text; if the page is narrower, in a smaller font or in blocks of columns."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from workbench.charts.figure import FloatArray
from workbench.charts.tables import Cell, Column, TableData, empty_columns
from workbench.exporters.texts import plain_text, unbroken
from workbench.gui.pictures.flow import Flow
from workbench.gui.pictures.head import WRAPPED, paint_rule, paint_words
from workbench.gui.plot.ink import Ink, draw_sample
from workbench.gui.services.assets import ui_font
from workbench.words.captions import as_sentences
from workbench.words.numbers import MISSING

MOST_ROWS = 40
"""Maximum number of rows of a table on paper. The exported page contains all rows."""
MOST_SOURCES = 1_000
"""Maximum number of rows in the Sources section: runs and files with their hashes."""
# Sizes in points, each with the mean number of lines that a row may have in it.
_SIZES = ((8.5, 1.6), (7.5, 1.8), (6.8, 2.5))
_WIDEST, _NARROWEST, _PAD, _SWATCH = 760.0, 90.0, 7.0, 24.0
# The widths of bold letters on paper are rounded differently from the screen.
_SPARE = 3
_MOST_LINES = 8
# Pixels by which a column of text is narrowed at a time; the least width and the largest share of key columns; the
# ratio of the length of a wrapped text to that of its letters.
_STEP, _LEAST_KEY, _KEYS_SHARE, _RAGGED = 12.0, 50.0, 0.6, 1.15
# Share of the width in which a column of sentences still wraps.
_WRAPS_IN = 0.3
# Height of the name of a table, the gaps around it, and the height of the legend line on omitted rows.
_AROUND = 70.0
# After a break, at least this many rows are on the page; a table of at most this many rows is not split.
_FEWEST, _SHORT = 3, 12
# Invisible characters: a line may end at the first, and may not end at the second.
_BREAK, _NO_BREAK = "\u200b", "\u00a0"
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True)
class _Plan:
    """The layout of a block of columns: their positions in the table, their widths, the font."""

    places: tuple[int, ...]
    widths: tuple[float, ...]
    plain: QFont
    strong: QFont


def flow_table(flow: Flow, table: TableData, name: str, most: int = MOST_ROWS, below: float = 0.0) -> str:
    """Adds a table with its name and legend. Returns a sentence if not all rows fit. A table that must be cut ends with
    its page if most of its rows fit there, and leaves the height `below` free."""
    rows = table.rows[:most]
    message = ""
    if len(rows) < len(table.rows):
        legend = _legend(replace(table, rows=rows), _cut_words(name, len(rows), len(table.rows)))
        below += flow.height(legend, flow.ink.small, flow.area.width())
        rows = rows[: _rows_on_page(flow, replace(table, rows=rows), below)]
    if len(rows) < len(table.rows):
        message = _cut_words(name, len(rows), len(table.rows))
    if not table.columns or not rows:
        return message
    shown = _written(replace(table, rows=rows))
    for number, plan in enumerate(_plans(shown, flow.area.width())):
        flow.gap(flow.ink.px(14))
        _block(flow, shown, plan, name if not number else f"{name}, continued")
    if legend := _legend(shown, message):
        flow.gap(4)
        flow.words(legend, flow.ink.small, "quiet")
    return message


def _cut_words(name: str, shown: int, every: int) -> str:
    return f"{name}: first {shown} of {every} rows. The exported page (.html) shows all rows."


def _legend(table: TableData, message: str) -> str:
    """The text below a table: the omitted parts, its legend, and the sign of a missing value if it has one."""
    missing = any(cell.text == MISSING for row in table.rows for cell in row) and MISSING not in table.whole_legend
    sign = f"A dash ({MISSING}) means not available, never 0" if missing else ""
    return as_sentences(tuple(filter(None, (message, table.whole_legend, sign))))


def _written(table: TableData) -> TableData:
    """The table with whole intervals, without the empty columns that the window omits too."""
    empty = empty_columns(table)
    kept = [at for at in range(len(table.columns)) if at not in empty]
    rows = tuple(tuple(replace(row[at], text=unbroken(row[at].text)) for at in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[at] for at in kept), rows=rows)


def _block(flow: Flow, table: TableData, plan: _Plan, name: str) -> None:
    heads = [_head(table.columns[index]) for index in plan.places]
    head_tall, heights = _row_height(plan, heads, plan.strong) + 4, _heights(table, plan)
    whole = head_tall + sum(heights) + _AROUND
    # A short table is not split.
    flow.need(whole if len(heights) <= _SHORT and whole <= flow.area.height() else head_tall + 80)
    flow.words(name, flow.ink.title)
    _put_heads(flow, table, plan, heads, head_tall)
    for at, row in enumerate(table.rows):
        cells, tall = [row[index] for index in plan.places], heights[at]
        left = heights[at:]
        # The last rows go to the next page together.
        together = sum(left) if len(left) == _FEWEST and sum(left) > flow.left_over else tall
        if flow.need(together if at >= _FEWEST else tall):
            _put_heads(flow, table, plan, heads, head_tall)
        y = flow.y
        flow.draw(lambda painter, y=y, cells=cells: _paint_row(painter, flow, table, plan, cells, y), tall)  # type: ignore[misc]


def _heights(table: TableData, plan: _Plan) -> list[float]:
    rows = ([row[index] for index in plan.places] for row in table.rows)
    return [_row_height(plan, [cell.text for cell in cells], plan.plain, cells) + 4 for cells in rows]


def _rows_on_page(flow: Flow, table: TableData, below: float) -> int:
    """The number of rows that fit on the rest of the page with the text `below`; all if that is less than half of them,
    or if the table takes several blocks."""
    plans = _plans(table, flow.area.width()) if table.columns else []
    if len(plans) != 1:
        return len(table.rows)
    head = _row_height(plans[0], [_head(column) for column in table.columns], plans[0].strong)
    room = flow.left_over - head - _AROUND - below
    ends = np.cumsum(_heights(table, plans[0]))
    fitting = int(np.searchsorted(ends, room, side="right"))
    return fitting if 2 * fitting >= len(table.rows) else len(table.rows)


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
    """The blocks of a table, with headings on few lines if there is room."""
    return [_roomier(table, plan, width) for plan in _blocks(table, width)]


def _roomier(table: TableData, plan: _Plan, width: float) -> _Plan:
    """The block with wider columns, so its headings take as few lines as possible on the page."""
    metrics = QFontMetricsF(plan.strong)
    heads = [_head(table.columns[index]) for index in plan.places]
    for most in range(2, _MOST_LINES):
        widths = tuple(_head_width(*one, most, metrics) for one in zip(heads, plan.widths, strict=True))
        if sum(widths) <= width:
            return replace(plan, widths=widths)
    return plan


def _head_width(head: str, wide: float, most: int, metrics: QFontMetricsF) -> float:
    """The width from which a heading has at most this number of lines, at least `wide`."""
    tall, end = (most + 0.5) * metrics.lineSpacing(), wide + metrics.horizontalAdvance(head.replace("\n", " "))
    while wide < end and metrics.boundingRect(QRectF(0, 0, wide - _PAD, 10_000), WRAPPED, head).height() > tall:
        wide += _STEP
    return wide


def _blocks(table: TableData, width: float) -> list[_Plan]:
    """One block in the largest font in which few rows wrap; otherwise blocks of columns in the smallest font. Each
    block repeats the key columns: those before the first number."""
    every = tuple(range(len(table.columns)))
    whole: list[_Plan] = []
    for size, most_lines in _SIZES:
        plain, strong = ui_font(size), ui_font(size, QFont.Weight.DemiBold)
        widths = [_width(table, index, plain, strong) for index in every]
        texts = [index for index in every if widths[index] > _NARROWEST and not table.columns[index].numeric]
        fitted = _fitted(table, texts, widths, width, plain)
        if fitted is not None:
            whole.append(_Plan(every, tuple(fitted[0]), plain, strong))
            if fitted[1] <= most_lines:
                return whole[-1:]
    keys = next((at for at, column in enumerate(table.columns) if column.numeric), len(every) - 1) or 1
    while keys > 1:
        texts = [at for at in range(keys) if widths[at] > _LEAST_KEY]
        narrowed = _fitted(table, texts, widths[:keys], width * _KEYS_SHARE, plain, _LEAST_KEY)
        if narrowed is not None:
            widths[:keys] = narrowed[0]
            break
        keys -= 1
    room = width - sum(widths[:keys])
    blocks: list[list[int]] = [[]]
    for column in range(keys, len(widths)):
        widths[column] = min(widths[column], room)
        free = room - sum(widths[other] for other in blocks[-1])
        if blocks[-1] and widths[column] > free:
            # A column of sentences wraps in the remaining space instead of leaving it empty.
            wraps = not table.columns[column].numeric and free >= _WRAPS_IN * width
            alone = [*[0.0] * column, widths[column]]
            narrowed = _fitted(table, [column], alone, free, plain) if wraps else None
            if narrowed is None:
                blocks.append([])
            else:
                widths[column] = narrowed[0][column]
        blocks[-1].append(column)
    if len(blocks) == 1 and whole:
        return whole[:1]
    places = [(*range(keys), *block) for block in blocks]
    return [_Plan(block, tuple(widths[column] for column in block), plain, strong) for block in places]


def _fitted(
    table: TableData, texts: list[int], widths: list[float], width: float, font: QFont, least: float = _NARROWEST
) -> tuple[list[float], float] | None:
    """The widths of columns that fit together, and the mean number of lines of a row. Each step narrows the column of
    text that then adds the fewest lines. None if they cannot fit, or if a text would be cut."""
    widths, metrics = [*widths], QFontMetricsF(font)
    long = np.array([[metrics.horizontalAdvance(row[at].text) for at in texts] for row in table.rows]).reshape(
        len(table.rows), len(texts)
    )

    def narrowest(column: int) -> float:
        """The minimum width, at which an interval stays on one line."""
        words = (word for row in table.rows for word in row[column].text.split(" ") if _NO_BREAK in word)
        return max(least, *(metrics.horizontalAdvance(word) + _PAD + 2 for word in words), 0.0)

    def lines(at: int, wide: float) -> FloatArray:
        room = max(1.0, wide - _PAD - _SWATCH * any(row[texts[at]].look is not None for row in table.rows))
        # Words do not fill their lines.
        return np.where(long[:, at] <= room, 1.0, np.ceil(_RAGGED * long[:, at] / room))

    now = np.array([lines(at, widths[column]) for at, column in enumerate(texts)]).reshape(len(texts), len(table.rows))
    lowest = [narrowest(column) for column in texts]
    while sum(widths) > width:
        ways = []
        for at, column in enumerate(texts):
            if widths[column] - _STEP >= lowest[at]:
                narrower = lines(at, widths[column] - _STEP)
                ways.append((float((narrower - now[at]).sum()), -widths[column], at, narrower))
        if not ways:
            return None
        _, _, at, narrower = min(ways, key=lambda way: way[:2])
        now[at] = narrower
        widths[texts[at]] -= _STEP
    rows = now.max(axis=0, initial=1.0)
    return None if rows.max(initial=1.0) > _MOST_LINES else (widths, float(rows.mean()) if rows.size else 1.0)


def _width(table: TableData, index: int, plain: QFont, strong: QFont) -> float:
    column = table.columns[index]
    cells, heads = QFontMetricsF(plain), QFontMetricsF(strong)
    swatch = _SWATCH if any(row[index].look is not None for row in table.rows) else 0.0
    widest = max((cells.horizontalAdvance(row[index].text[:200]) for row in table.rows), default=0.0) + swatch
    # Headers wrap between their words.
    words = max((heads.horizontalAdvance(word) for word in _head(column).split()), default=0.0)
    return min(max(widest + 2, words + _SPARE), _WIDEST) + _PAD


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
