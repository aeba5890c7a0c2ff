"""The answer, as the page and the command show it."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.configurations import Group


def runs_table(groups: Iterable[Group]) -> TableData:
    """A row for each configuration."""
    return TableData(
        (Column("Configuration", numeric=False), Column("Runs")),
        tuple((Cell(group.label, group.label), Cell(str(len(group.runs)), len(group.runs))) for group in groups),
        name="Runs of each",
    )
