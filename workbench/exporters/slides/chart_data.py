"""A plan as python-pptx's chart data, with our own workbook behind it (see `chart_book`)."""

from __future__ import annotations

from typing import Any

from pptx.chart.data import CategoryChartData, XyChartData

from workbench.exporters.slides.chart_book import ChartBook, safe_name
from workbench.exporters.slides.plan import Plan, PlanSeries


class _Filled:
    """A plan's columns: which of them each series takes its x, its values and its whiskers from."""

    def __init__(self, plan: Plan) -> None:
        self.book = ChartBook()
        self.across: list[int] = []
        self.up: list[int] = []
        if plan.categories:
            shared = self.book.add(plan.x.title or "Category", plan.categories)
        for place, one in enumerate(plan.series):
            if plan.categories:
                self.across.append(shared)
            elif place and plan.series[place - 1].x == one.x:
                self.across.append(self.across[-1])
            else:
                self.across.append(self.book.add(plan.x.title or "x", one.x))
            self.up.append(self.book.add(series_name(plan, place), one.values))
        self.whiskers = {
            place: self._whiskers(one, plan.y.title) for place, one in enumerate(plan.series) if one.above
        }

    def _whiskers(self, one: PlanSeries, quantity: str) -> tuple[int, int]:
        name = one.name or quantity
        return self.book.add(f"{name}, whisker up", one.above), self.book.add(
            f"{name}, whisker down", one.below
        )


class CategoryData(CategoryChartData):
    """Bars and lines over names."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(number_format="General")  # type: ignore[no-untyped-call]
        self.filled = _Filled(plan)
        self.categories = [safe_name(name) for name in plan.categories]
        for place, one in enumerate(plan.series):
            self.add_series(series_name(plan, place), one.values)  # type: ignore[no-untyped-call]

    @property
    def categories_ref(self) -> str:
        """The cells of the names."""
        return self.filled.book.values_ref(self.filled.across[0])

    def series_name_ref(self, series: Any) -> str:
        """The cell of a series' name."""
        return self.filled.book.name_ref(self.filled.up[series.index])

    def values_ref(self, series: Any) -> str:
        """The cells of a series' values."""
        return self.filled.book.values_ref(self.filled.up[series.index])

    @property
    def xlsx_blob(self) -> bytes:
        """The workbook behind the chart."""
        return self.filled.book.blob()


class XyData(XyChartData):
    """Lines and dots over numbers; series over the same x share its column."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(number_format="General")  # type: ignore[no-untyped-call]
        self.filled = _Filled(plan)
        for place, one in enumerate(plan.series):
            series = self.add_series(series_name(plan, place))  # type: ignore[no-untyped-call]
            for x, y in zip(one.x, one.values, strict=True):
                series.add_data_point(x, y)

    def series_name_ref(self, series: Any) -> str:
        """The cell of a series' name."""
        return self.filled.book.name_ref(self.filled.up[series.index])

    def x_values_ref(self, series: Any) -> str:
        """The cells of a series' x."""
        return self.filled.book.values_ref(self.filled.across[series.index])

    def y_values_ref(self, series: Any) -> str:
        """The cells of a series' y."""
        return self.filled.book.values_ref(self.filled.up[series.index])

    @property
    def xlsx_blob(self) -> bytes:
        """The workbook behind the chart."""
        return self.filled.book.blob()


def series_name(plan: Plan, place: int) -> str:
    """The name of a series; bars that are named by their categories are named after their quantity."""
    return safe_name(plan.series[place].name or plan.y.title) or "values"


def whisker_refs(data: CategoryData, place: int) -> tuple[str, str]:
    """The cells of the lengths of a series' error bars, up and down."""
    up, down = data.filled.whiskers[place]
    return data.filled.book.values_ref(up), data.filled.book.values_ref(down)
