"""Columns that the user computes from two others: ratio and difference, kept, copied, and removed."""

from __future__ import annotations

import math

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after
from workbench.charts.tables import Cell, Column, OwnColumn, TableData, column_key, with_own_columns
from workbench.exporters.contents import page_part
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets import table_card
from workbench.gui.widgets.table import DataTable
from workbench.session.document import SessionDocument, decode, encode

READS, WRITES, CPU = Column("Reads", "IOPS"), Column("Writes", "IOPS"), Column("CPU", "%")
ROWS = ((8.0, 2.0, 50.0), (8.0, 0.0, 25.0), (None, 2.0, 10.0), (9.0, 3.0, None))


def table_of(rows: tuple[tuple[float | None, ...], ...] = ROWS) -> TableData:
    cells = tuple((Cell("VM", "VM"), *(Cell("" if v is None else str(v), v) for v in row)) for row in rows)
    return TableData((Column("VM", numeric=False), READS, WRITES, CPU), cells, name="T")


@pytest.mark.parametrize(
    ("rule", "second", "unit", "values"),
    [
        ("ratio", WRITES, "", [4.0, None, None, 3.0]),
        ("difference", WRITES, "IOPS", [6.0, 8.0, None, 6.0]),
        ("ratio", CPU, "IOPS per %", [0.16, 0.32, None, None]),
    ],
)
def test_that_a_missing_number_or_a_zero_divisor_gives_no_number(
    rule: str, second: Column, unit: str, values: list[float | None]
) -> None:
    own = OwnColumn("T", rule, column_key(READS), column_key(second))  # type: ignore[arg-type]
    made = with_own_columns(table_of(), "T", (own,))
    assert made.columns[-1].unit == unit
    assert [row[-1].value for row in made.rows] == [None if v is None else pytest.approx(v) for v in values]
    assert made.columns[:-1] == table_of().columns
    assert with_own_columns(table_of(), "another table", (own,)) == table_of()


def test_that_a_column_can_be_computed_from_a_column_of_the_user() -> None:
    first = OwnColumn("T", "difference", column_key(READS), column_key(WRITES))
    key = column_key(with_own_columns(table_of(), "T", (first,)).columns[-1])
    made = with_own_columns(table_of(), "T", (first, OwnColumn("T", "ratio", key, column_key(READS))))
    assert made.rows[0][-1].value == pytest.approx(6 / 8)


@pytest.fixture
def table(opened: MainWindow, qtbot: QtBot) -> DataTable:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    return opened.page.tables[0].table


def choices(table: DataTable, section: int, window: MainWindow) -> dict[str, QAction]:
    """The entries for new columns of the menu of a header, by the title of the other column."""
    menu = QMenu(window)
    table_card.fill(menu, table, table.model().index(0, section))
    menus = [action.menu() for action in menu.actions() if action.menu() is not None]
    entries = {
        f"{place} {action.text()}": action
        for place, one in enumerate(menus[:2])
        for action in one.actions()  # type: ignore[attr-defined]
    }
    return entries | {action.text(): action for action in menu.actions()}


def numeric(table: DataTable) -> list[int]:
    columns = table.source.table.columns
    return [at for at in table.shown_columns if columns[at].numeric]


def test_that_a_ratio_is_made_from_the_menu_copied_kept_and_undone(
    opened: MainWindow, table: DataTable, qtbot: QtBot
) -> None:
    columns = table.source.table.columns
    first, second = numeric(table)[:2]
    before = table.shown_columns
    fitting = [columns[at] for at in numeric(table) if at != first]
    names = table_card.names_of(fitting, fitting)
    after(opened, qtbot, choices(table, first, opened)[f"0 {names[0]}"].trigger)
    made = len(columns)
    assert table.shown_columns.index(made) == before.index(second) + 1, "beside the columns that it is made of"
    for row in table.source.table.rows:
        a, b = row[first].value, row[second].value
        expected = None if a is None or not b else a / b
        assert row[made].value == (None if expected is None else pytest.approx(expected))
    assert any(row[made].value is not None and math.isfinite(row[made].value) for row in table.source.table.rows)
    heads = table.as_text("table").split("\n")[0].split("\t")
    assert heads[before.index(second) + 1].startswith(table.source.table.columns[made].title)
    state = opened.workspace.state
    assert decode(encode(SessionDocument(state=state)), "session").state.own_columns == state.own_columns != ()
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert len(table.source.table.columns) == made + 1, "another answer keeps it"
    part = page_part(opened.workspace.library, opened.workspace.state, "cache", "")
    assert part is not None
    assert any(column.own == state.own_columns[0] for one in part.content.tables for column in one.columns)
    after(opened, qtbot, opened.history.undo)
    assert len(table.source.table.columns) == made


def test_that_only_columns_of_one_unit_are_subtracted_and_a_column_is_removed(
    opened: MainWindow, table: DataTable, qtbot: QtBot
) -> None:
    columns = table.source.table.columns
    by_unit = {
        at: [o for o in numeric(table) if o != at and columns[o].unit == columns[at].unit] for at in numeric(table)
    }
    first, others = next((at, others) for at, others in by_unit.items() if others)
    offered = [name for name in choices(table, first, opened) if name.startswith("1 ")]
    assert len(offered) == len(others)
    after(opened, qtbot, choices(table, first, opened)[offered[0]].trigger)
    (own,) = opened.workspace.state.own_columns
    assert own.rule == "difference"
    made = len(columns)
    table.set_column_shown(made, shown=False)
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert table.isColumnHidden(made), "hidden like any other"
    table.set_column_shown(made, shown=True)
    entries = choices(table, made, opened)
    removal = [action for words, action in entries.items() if words not in choices(table, first, opened)][-1]
    after(opened, qtbot, removal.trigger)
    assert opened.workspace.state.own_columns == ()
    assert len(table.source.table.columns) == made
