"""The unit for 2^20 bytes. Everything is written with MB, as the vendors' consoles show cache sizes; users may prefer
MiB.

Only the word changes. MB/s (10^6 bytes per second) and names of configurations stay as they are: names have an ordinary
space before MB, numbers with a unit a thin one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from workbench.charts.content import Card, Content, Live
from workbench.charts.figure import Figure, Heatmap, Panel
from workbench.charts.inputs import Input
from workbench.charts.tables import Cell, Column, TableData

MB, MIB = "MB", "MiB"
_UNIT = re.compile(r"\b([MG])B\b(?!/s)")
_IN_TEXT = re.compile(r"(?<=\u2009)[MG]B\b(?!/s)|\b[MG]B(?= = 2[²³])")


def with_unit(content: Content, word: str) -> Content:
    """The content with cache sizes in `word`, MB or MiB."""
    if word != MIB:
        return content
    return replace(
        content,
        caption=_text(content.caption),
        method=tuple(map(_text, content.method)),
        cards=tuple(_card(card) for card in content.cards),
        figure=None if content.figure is None else _figure(content.figure),
        tables=tuple(_table(table) for table in content.tables),
        inputs=tuple(_input(field) for field in content.inputs),
        listing=content.listing and replace(content.listing, table=_table(content.listing.table)),
        live=None if content.live is None else replace(content.live, answer=partial(_live, content.live)),
    )


def _live(live: Live, moved: Any) -> tuple[tuple[Card, ...], tuple[TableData, ...]]:
    cards, tables = live.answer(moved)
    return tuple(map(_card, cards)), tuple(map(_table, tables))


def unit_words(unit: str) -> str:
    """A unit with MiB instead of MB: `MiB/VM`; `MB/s` stays."""
    return _UNIT.sub(lambda match: f"{match[1]}iB", unit)


def _text(text: str) -> str:
    return _IN_TEXT.sub(lambda match: f"{match[0][0]}iB", text)


def _card(card: Card) -> Card:
    return replace(card, unit=unit_words(card.unit), note=_text(card.note), detail=_text(card.detail))


def _figure(figure: Figure) -> Figure:
    panels = tuple(_panel(panel) for panel in figure.panels)
    method = tuple(map(_text, figure.method))
    return replace(figure, caption=_text(figure.caption), panels=panels, method=method)


def _panel(panel: Panel) -> Panel:
    marks = tuple(
        replace(mark, unit=unit_words(mark.unit)) if isinstance(mark, Heatmap) else mark for mark in panel.marks
    )
    axes = (replace(axis, unit=unit_words(axis.unit)) for axis in (panel.x, panel.y))
    x, y = axes
    return replace(panel, x=x, y=y, marks=marks, subtitle=_text(panel.subtitle))


def _table(table: TableData) -> TableData:
    columns = tuple(_column(column) for column in table.columns)
    rows = tuple(tuple(_cell(cell) for cell in row) for row in table.rows)
    method = tuple(map(_text, table.method))
    return replace(table, columns=columns, rows=rows, legend=_text(table.legend), method=method)


def _column(column: Column) -> Column:
    return replace(column, unit=unit_words(column.unit), tip=_text(column.tip))


def _cell(cell: Cell) -> Cell:
    text = _text(cell.text)
    return cell if text == cell.text else replace(cell, text=text)


def _input(field: Input) -> Input:
    # Disk vendors count 10^9 bytes per GB; the keys of such inputs end with `_gb`, of others with `_gib`.
    return field if field.key.endswith("_gb") else replace(field, unit=unit_words(field.unit))
