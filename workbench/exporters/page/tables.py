"""Tables of a page: heads with units, numbers with the value they are sorted by, what is not available as a dash."""

from __future__ import annotations

import math

from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.page.colours import Colours
from workbench.exporters.page.words import attributes_of, element, held
from workbench.words.numbers import MISSING

ON_PAPER = 80
"""Tables with more rows are for the screen; paper says so."""
MOST_ROWS = 5_000
"""More rows than this nobody reads in a page; the window shows them all."""


def table_html(table: TableData, name: str, colours: Colours) -> str:
    """The table under its name, with a legend line."""
    rows = table.rows[:MOST_ROWS]
    heads = "".join(_head(column) for column in table.columns)
    body = "".join(f"<tr>{_cells(table.columns, row, colours)}</tr>" for row in rows)
    legend = [table.whole_legend] if table.whole_legend else []
    if MISSING not in table.whole_legend and any(_missing(cell) for row in rows for cell in row):
        legend.append(f"{MISSING} not available, never 0")
    if len(rows) < len(table.rows):
        legend.append(f"the first {len(rows)} of {len(table.rows)} rows; the window shows them all")
    if not table.rows:
        legend.append("no rows")
    paper = f"{name}: {len(rows)} rows, on screen only." if len(rows) > ON_PAPER else ""
    # A stretch that scrolls must be reachable without a mouse.
    kind = "table long" if len(rows) > ON_PAPER else "table"
    return (
        f'<div class="{kind}" tabindex="0" role="group" aria-label="{held(name)}"><table>'
        f"<caption>{held(name)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        + (element("p", " · ".join(legend), class_="legend-line") if legend else "")
        + (element("p", paper, class_="paper") if paper else "")
    )


def rows_cut(table: TableData) -> int:
    """How many rows of the table are not in the page."""
    return max(0, len(table.rows) - MOST_ROWS)


def _head(column: Column) -> str:
    unit = f' <span class="unit">{held(column.unit)}</span>' if column.unit else ""
    kind = attributes_of(scope="col", class_="n" if column.numeric else "", title=column.tip)
    return f"<th{kind}>{held(column.title)}{unit}</th>"


def _cells(columns: tuple[Column, ...], row: tuple[Cell, ...], colours: Colours) -> str:
    return "".join(_cell(column, cell, colours) for column, cell in zip(columns, row, strict=True))


def _cell(column: Column, cell: Cell, colours: Colours) -> str:
    words = "n" if column.numeric else ""
    if _missing(cell):
        words = f"{words} missing".strip()
    value = ""
    if isinstance(cell.value, int | float) and not isinstance(cell.value, bool) and math.isfinite(cell.value):
        value = repr(cell.value)
    shown = "" if cell.tip == cell.text else cell.tip
    swatch = f"{colours.swatch(cell.look)} " if cell.look is not None else ""
    return f"<td{attributes_of(class_=words, data_v=value, title=shown)}>{swatch}{held(cell.text)}</td>"


def _missing(cell: Cell) -> bool:
    return cell.text == MISSING
