"""Links a number to its cells: the line of the Phase table, or the mean on the Configurations sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from workbench.charts.figure import FigureSource
from workbench.exporters.workbook.cells import of_counted_line, of_line, of_set, own_sheet
from workbench.exporters.workbook.columns import COLUMNS, PLACES, Row, Set
from workbench.exporters.workbook.sheets import configurations as configuration_sheet
from workbench.exporters.workbook.sheets import phases as phase_sheet
from workbench.exporters.workbook.sheets.configurations import MEAN_PLACES

_VALUES = {column.key: column.value for column in COLUMNS}


@dataclass(frozen=True, eq=False)
class Links:
    """The cells of every value of the study. `table` and `means` are the first and last rows on the two sheets."""

    rows: tuple[Row, ...]
    sets: tuple[Set, ...]
    table: tuple[int, int]
    means: tuple[int, int]
    lines: dict[tuple[str, str], Row] = field(default_factory=dict)
    groups: dict[tuple[frozenset[str], str], Set] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the lines by run and phase, and the sets by their runs and phase."""
        for row in self.rows:
            self.lines[row.run.run.folder, row.figures.phase.name] = row
        for line_set in self.sets:
            folders = frozenset(run.run.folder for run in line_set.group.runs if run.phase(line_set.phase) is not None)
            self.groups[folders, line_set.phase] = line_set

    def value(self, source: FigureSource) -> float | None:
        """The mean of a metric over a set of runs; None if the workbook has no such set."""
        run_set = self.groups.get((frozenset(source.runs), source.phase))
        if run_set is None or source.against or source.answer or source.how or source.figure not in MEAN_PLACES:
            return None
        return run_set.group.mean(run_set.phase, source.figure)

    def formula(self, source: FigureSource, value: float) -> str | None:
        """The formula for the value; None if no cell of the workbook has it."""
        if source.against or source.how or source.answer:
            return None
        if len(source.runs) == 1 and (text := self.run(source.runs[0], source.phase, source.figure, value)):
            return text
        run_set = self.groups.get((frozenset(source.runs), source.phase))
        if run_set is None or source.figure not in MEAN_PLACES:
            return None
        if not _same(run_set.group.mean(run_set.phase, source.figure), value):
            return None
        column = get_column_letter(MEAN_PLACES[source.figure])
        return of_set(own_sheet(configuration_sheet.NAME), column, self.means, run_set.number)

    def run(self, folder: str, phase: str, figure: str, value: float, counted: bool = False) -> str | None:
        """The formula for a metric of one run in one phase. `counted`: empty if the run is in no set."""
        row = self.lines.get((folder, phase))
        if row is None or figure not in PLACES:
            return None
        known = _VALUES[figure](row)
        if not isinstance(known, int | float) or not _same(float(known), value):
            return None
        column, lines = (get_column_letter(PLACES[key]) for key in (figure, "line"))
        formula = of_counted_line if counted else of_line
        return formula(own_sheet(phase_sheet.NAME), column, lines, self.table, row.line)


def links_of(rows: Sequence[Row], sets: Sequence[Set], table: tuple[int, int], means: tuple[int, int]) -> Links:
    """The links of a workbook whose two sheets have these rows."""
    return Links(tuple(rows), tuple(sets), table, means)


def _same(known: float | None, value: float) -> bool:
    return known is not None and math.isclose(known, value, rel_tol=1e-9, abs_tol=1e-12)
