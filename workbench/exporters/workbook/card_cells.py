"""The number of a card as a cell."""

from __future__ import annotations

from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.content import Card
from workbench.exporters.workbook.cells import STRONG, TEXT, put
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.table_cells import figure_value


def card_figure(making: Making, sheet: Worksheet, row: int, column: int, card: Card) -> Cell:
    """Write the number of a card and return its cell: a formula if the workbook has the value, otherwise the displayed
    number, as exported."""
    value, number_format = figure_value(f"{card.value} {card.unit}".strip())
    exact = _exact(making, card)
    formula = None if exact is None else making.formula(sheet, card.source, exact, of_decider=False)
    if formula is not None and exact is not None and isinstance(value, float) and _close(value, exact):
        making.results.put(sheet, row, column, formula, exact, number_format)
        cell: Cell = sheet.cell(row, column)
        cell.font = STRONG
        return cell
    cell = put(sheet, row, column, value, making.notes, number_format, STRONG)
    if isinstance(value, str):
        cell.alignment = TEXT
    return cell


def _exact(making: Making, card: Card) -> float | None:
    """The exact number of a card: its explained value, or the mean of its runs."""
    if card.source is None:
        return None
    known = next((explanation.value for explanation in card.source.explanations), None)
    return making.value_of(card.source) if known is None else known


def _close(shown: float, exact: float) -> bool:
    """True if the displayed number, with about three digits, rounds the exact one."""
    return abs(shown - exact) <= 0.006 * abs(exact)
