"""Reading a workbook: the values that the references of a chart point to."""

from __future__ import annotations

import math
from functools import cached_property, partial
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.reader.excel import WorksheetReader
from openpyxl.utils.cell import range_boundaries


def load_sheets(path: Path, *titles: str, data_only: bool = False) -> Workbook:
    """A saved workbook with these sheets and their charts. The other sheets are empty, because reading a complete
    review takes seconds."""
    bind = WorksheetReader.bind_all

    def bind_those(reader: WorksheetReader) -> None:
        if reader.ws.title in titles:
            bind(reader)
        else:
            reader.ws._rels.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WorksheetReader, "bind_all", bind_those)
        book = load_workbook(path, data_only=data_only)
    assert set(titles) <= set(book.sheetnames)
    return book


class Reopened:
    """A saved workbook with its formulas and their stored results."""

    def __init__(self, path: Path, *titles: str) -> None:
        """Opens all sheets, or only these."""
        self.path = path
        self._load = partial(load_sheets, path, *titles) if titles else partial(load_workbook, path)

    @cached_property
    def formulas(self) -> Workbook:
        """The workbook with its formulas."""
        return self._load()

    @cached_property
    def results(self) -> Workbook:
        """The workbook with results instead of formulas."""
        return self._load(data_only=True)

    def cells(self, reference: str) -> list:
        """The stored values of an absolute reference of one column."""
        sheet, area = reference.rsplit("!", 1)
        left, top, right, bottom = range_boundaries(area.replace("$", ""))
        assert left == right
        name = sheet.strip("'").replace("''", "'")
        return [self.results[name].cell(row, left).value for row in range(top, bottom + 1)]

    def numbers(self, reference: str) -> list[float]:
        """The stored values, with NaN for empty cells."""
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
