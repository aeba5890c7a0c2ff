"""A plan as python-pptx chart data, and the workbook inside the chart that PowerPoint opens for *Edit data*.

Texts are written as texts, with any first character: no name from a file becomes a formula, a link or a number. The
ranges of the chart's series refer to this workbook.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from pptx.chart.data import CategoryChartData, XyChartData
from xlsxwriter import Workbook  # type: ignore[import-untyped]
from xlsxwriter.utility import xl_col_to_name  # type: ignore[import-untyped]

from workbench.charts.figure import FloatArray
from workbench.exporters.chart_plan import ChartPlan
from workbench.exporters.chart_series import PlanSeries
from workbench.exporters.slides.fit import clean, shortened

Values = tuple[float | None, ...]


def values_of(array: FloatArray) -> Values:
    """Python floats; values that are not finite become None, which is an empty cell and a gap."""
    return tuple(value if math.isfinite(value) else None for value in array.tolist())


def shown_series(plan: ChartPlan) -> tuple[PlanSeries, ...]:
    """The series of a plan, with the lines at the start of phases. Each is padded with empty values to be at least as
    long as the ones after it, because LibreOffice ignores shorter ones."""
    lines: list[PlanSeries] = []
    longest = 0
    for series in reversed((*plan.drawn, *plan.regions)):
        more = longest - series.x.size
        longest = max(longest, series.x.size)
        if more > 0 and series.x.size:
            x, values = np.full(more, series.x[-1]), np.full(more, np.nan)
            series = replace(series, x=np.concatenate((series.x, x)), values=np.concatenate((series.values, values)))
        lines.append(series)
    return tuple(reversed(lines))


class _Filled:
    """The columns of a plan, with the columns of x, values and error bars of each series."""

    def __init__(self, plan: ChartPlan) -> None:
        self.book = ChartBook()
        self.across: list[int] = []
        self.up: list[int] = []
        self.whiskers: dict[int, tuple[int, int]] = {}
        title = plan.x.title
        shared = self.book.add(title or "Category", plan.categories) if plan.categories else -1
        known: Values | None = None
        for index, series in enumerate(shown_series(plan)):
            x = values_of(series.x)
            if not plan.categories and x != known:
                shared, known = self.book.add(title or "x", x), x
            self.across.append(shared)
            self.up.append(self.book.add(series_name(plan, series), values_of(series.values)))
            if series.above.size:
                self.whiskers[index] = self._whiskers(series, plan.y.title)

    def _whiskers(self, series: PlanSeries, quantity: str) -> tuple[int, int]:
        name = series.name or quantity
        up = self.book.add(f"{name}, upper whisker", values_of(series.above))
        return up, self.book.add(f"{name}, lower whisker", values_of(series.below))


class CategoryData(CategoryChartData):
    """Chart data for bars and lines over names."""

    def __init__(self, plan: ChartPlan) -> None:
        super().__init__(number_format="General")  # type: ignore[no-untyped-call]
        self.filled = _Filled(plan)
        self.categories = [safe_name(name) for name in plan.categories]
        for series in shown_series(plan):
            self.add_series(series_name(plan, series), values_of(series.values))  # type: ignore[no-untyped-call]

    @property
    def categories_ref(self) -> str:
        """Reference to the cells of the names."""
        return self.filled.book.values_ref(self.filled.across[0])

    def series_name_ref(self, series: Any) -> str:
        """Reference to the cell of a series name."""
        return self.filled.book.name_ref(self.filled.up[series.index])

    def values_ref(self, series: Any) -> str:
        """Reference to the cells of a series' values."""
        return self.filled.book.values_ref(self.filled.up[series.index])

    @property
    def xlsx_blob(self) -> bytes:
        """The workbook inside the chart."""
        return self.filled.book.blob()


class XyData(XyChartData):
    """Chart data for lines and dots over numbers. Series with equal x share its column."""

    def __init__(self, plan: ChartPlan) -> None:
        super().__init__(number_format="General")  # type: ignore[no-untyped-call]
        self.filled = _Filled(plan)
        for line in shown_series(plan):
            series = self.add_series(series_name(plan, line))  # type: ignore[no-untyped-call]
            for x, y in zip(values_of(line.x), values_of(line.values), strict=True):
                series.add_data_point(x, y)

    def series_name_ref(self, series: Any) -> str:
        """Reference to the cell of a series name."""
        return self.filled.book.name_ref(self.filled.up[series.index])

    def x_values_ref(self, series: Any) -> str:
        """Reference to the cells of a series' x."""
        return self.filled.book.values_ref(self.filled.across[series.index])

    def y_values_ref(self, series: Any) -> str:
        """Reference to the cells of a series' y."""
        return self.filled.book.values_ref(self.filled.up[series.index])

    @property
    def xlsx_blob(self) -> bytes:
        """The workbook inside the chart."""
        return self.filled.book.blob()


def series_name(plan: ChartPlan, series: PlanSeries) -> str:
    """The name of a series. Bars named by their categories have the name of their quantity. Only the lower end of a
    band is in the legend, so the upper end keeps the heading of its column."""
    return safe_name((series.name if series.in_legend else series.head) or plan.y.title) or "values"


def whisker_refs(data: CategoryData, index: int) -> tuple[str, str]:
    """References to the cells with the lengths of a series' error bars, up and down."""
    up, down = data.filled.whiskers[index]
    return data.filled.book.values_ref(up), data.filled.book.values_ref(down)


SHEET = "Sheet1"
# A spreadsheet would read this as a formula after the user edits the cell.
_TRIGGERS = ("=", "+", "-", "@", "|", "%")
# Maximum length of the name of a series or a category; PowerPoint cuts longer ones.
MAX_NAME = 255
# Maximum length of the title of a chart or an axis.
MAX_TITLE = 90
_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def safe_name(text: str) -> str:
    """A name in a form that charts and cells accept."""
    return shortened(clean(text), MAX_NAME)


@dataclass
class ChartBook:
    """Columns with a header each, for the only sheet of the workbook."""

    columns: list[tuple[str, tuple[float | str | None, ...]]] = field(default_factory=list)

    def add(self, head: str, values: tuple[float | str | None, ...]) -> int:
        """Add a column; returns its index from 0."""
        self.columns.append((head, values))
        return len(self.columns) - 1

    def name_ref(self, column: int) -> str:
        """Reference to the header cell of a column."""
        return f"{SHEET}!${xl_col_to_name(column)}$1"

    def values_ref(self, column: int) -> str:
        """Reference to the value cells of a column."""
        letter = xl_col_to_name(column)
        return f"{SHEET}!${letter}$2:${letter}${len(self.columns[column][1]) + 1}"

    def blob(self) -> bytes:
        """The bytes of the .xlsx file."""
        stream = io.BytesIO()
        with Workbook(stream, _OPTIONS) as book:
            sheet = book.add_worksheet(SHEET)
            guarded = book.add_format({"quote_prefix": True})
            for index, (head, values) in enumerate(self.columns):
                for row, value in enumerate((head, *values)):
                    if isinstance(value, str):
                        style = guarded if value.startswith(_TRIGGERS) else None
                        sheet.write_string(row, index, safe_name(value), style)
                    elif value is not None:
                        sheet.write_number(row, index, value)
                sheet.set_column(index, index, 24 if index == 0 else 14)
        return stream.getvalue()
