"""Reading a workbook back: what a chart's references point to."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.utils.cell import range_boundaries


class Reopened:
    """A saved workbook with its formulas and with the results that stand beside them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def formulas(self) -> Workbook:
        """The workbook as it is edited."""
        return load_workbook(self.path)

    @cached_property
    def results(self) -> Workbook:
        """The workbook as it is read: results instead of formulas."""
        return load_workbook(self.path, data_only=True)

    def cells(self, reference: str) -> list:
        """The stored values of an absolute reference of one column."""
        sheet, area = reference.rsplit("!", 1)
        left, top, right, bottom = range_boundaries(area.replace("$", ""))
        assert left == right
        name = sheet.strip("'").replace("''", "'")
        return [self.results[name].cell(row, left).value for row in range(top, bottom + 1)]

    def numbers(self, reference: str) -> list[float]:
        """The same, empty cells as NaN."""
        return [math.nan if value is None else float(value) for value in self.cells(reference)]

    def charts(self, sheet: str) -> list:
        """The charts of a sheet in their order."""
        return self.formulas[sheet]._charts

    def named(self, chart) -> dict[str, object]:
        """Series by their name."""
        return {self.name_of(series): series for series in chart.series}

    def name_of(self, series) -> str:
        """The name that the reference of a series points to, or its own."""
        return series.tx.v if series.tx.strRef is None else self.cells(series.tx.strRef.f)[0]


def title(chart) -> str:
    """The words of a chart's or an axis's title."""
    return "".join(run.t for paragraph in chart.title.tx.rich.p for run in paragraph.r)
