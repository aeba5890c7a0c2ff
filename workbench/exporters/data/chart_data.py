"""The numbers that a figure draws as one table: a row for each x or category, a column for each series.

Nothing is thinned out: what the window draws from extremes stands here sample by sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from workbench.charts.figure import Axis, Band, Bars, Figure, FloatArray, Heatmap, Line, Mark, Panel, Points

Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class ChartData:
    """`frame` has the x columns first; `units` by column name; `infinite` counts numbers that were left empty."""

    frame: pl.DataFrame
    units: dict[str, str]
    infinite: int = 0


@dataclass(frozen=True, eq=False)
class _Column:
    axis: Axis
    name: str
    unit: str
    x: FloatArray
    values: FloatArray | tuple[str, ...]


@dataclass
class _Names:
    """Column names with their unit, no two alike."""

    seen: Counter[str] = field(default_factory=Counter)

    def unlike(self, name: str, unit: str) -> str:
        """`IOPS [1/s]`, with a number behind the name from the second on."""
        self.seen[f"{name} [{unit}]"] += 1
        number = self.seen[f"{name} [{unit}]"]
        counted = name if number == 1 else f"{name} #{number}"
        return f"{counted} [{unit}]" if unit else counted


def chart_data(figure: Figure, span: Span | None = None) -> ChartData:
    """The table of a figure; `span` keeps the rows whose x lies inside it (axes of categories are kept whole)."""
    titles: dict[int, str] = {}
    for panel in figure.panels:
        # A panel below another one of its column says no more who it is about.
        titles.setdefault(panel.column, panel.title)
    columns = [
        column
        for panel in figure.panels
        for mark in panel.marks
        for column in _of_mark(panel, panel.title or titles[panel.column], mark)
    ]
    blocks = [_block(axis, members) for axis, members in _by_axis(columns)]
    names = _Names()
    axes = [names.unlike(*axis_words(axis)) for axis, _ in blocks]
    frames: list[pl.DataFrame] = []
    units: dict[str, str] = {}
    infinite = 0
    for (axis, (keys, members)), key in zip(blocks, axes, strict=True):
        units[key] = axis_words(axis)[1]
        frame: dict[str, object] = {key: keys}
        for column, values in members:
            name = names.unlike(column.name, column.unit)
            units[name] = column.unit
            if isinstance(values, np.ndarray):
                infinite += int(np.isinf(values).sum())
                frame[name] = pl.Series(np.where(np.isfinite(values), values, np.nan)).fill_nan(None)
            else:
                frame[name] = values
        made = pl.DataFrame(frame)
        if span is not None and not axis.categories:
            made = made.filter(pl.col(key).is_between(*span))
        frames.append(made)
    if not frames:
        return ChartData(pl.DataFrame(), {})
    whole = pl.concat(frames, how="diagonal") if len(frames) > 1 else frames[0]
    return ChartData(whole.select(*axes, pl.exclude(axes)), units, infinite)


def axis_words(axis: Axis) -> tuple[str, str]:
    """The name of an x column and its unit; a clock counts seconds of the day."""
    if axis.categories:
        return axis.label or "category", ""
    return axis.label or "x", "s of the day" if axis.unit == "clock" else axis.unit


def _by_axis(columns: Iterable[_Column]) -> list[tuple[Axis, list[_Column]]]:
    """The columns by what x means: panels side by side share it unless their axes differ."""
    by_axis: dict[tuple[str, str, tuple[str, ...]], tuple[Axis, list[_Column]]] = {}
    for column in columns:
        axis = column.axis
        by_axis.setdefault((axis.label, axis.unit, axis.categories), (axis, []))[1].append(column)
    return list(by_axis.values())


def _block(
    axis: Axis, columns: list[_Column]
) -> tuple[Axis, tuple[object, list[tuple[_Column, FloatArray | list[str | None]]]]]:
    """The columns over one x: a row for each x, several where one series has several values there."""
    counted = [(column, column.x, _occurrence(column.x)) for column in columns]
    pairs = np.concatenate([np.stack((x, nth)) for _, x, nth in counted], axis=1)
    rows = np.unique(pairs[:, np.isfinite(pairs[0])], axis=1)
    places = {(x, nth): row for row, (x, nth) in enumerate(rows.T.tolist())}
    filled = [(column, _placed(column, x, nth, places, rows.shape[1])) for column, x, nth in counted]
    keys: object = rows[0]
    if axis.categories:
        names = axis.categories
        keys = [names[round(x)] if 0 <= round(x) < len(names) else f"{x:g}" for x in rows[0].tolist()]
    return axis, (keys, filled)


def _occurrence(x: FloatArray) -> FloatArray:
    """How often each x was there before."""
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if x.size else np.empty(0, dtype=np.int64)
    lengths = np.diff(np.r_[starts, x.size])
    nth = np.empty(x.size)
    nth[order] = np.arange(x.size) - np.repeat(starts, lengths)
    return nth


def _placed(
    column: _Column, x: FloatArray, nth: FloatArray, places: dict[tuple[float, float], int], rows: int
) -> FloatArray | list[str | None]:
    at = [places.get(pair, -1) for pair in zip(x.tolist(), nth.tolist(), strict=True)]
    if isinstance(column.values, np.ndarray):
        values = np.full(rows, np.nan)
        kept = np.array(at, dtype=np.int64)
        values[kept[kept >= 0]] = column.values[kept >= 0]
        return values
    texts: list[str | None] = [None] * rows
    for index, text in zip(at, column.values, strict=True):
        if index >= 0:
            texts[index] = text
    return texts


def _of_mark(panel: Panel, title: str, mark: Mark) -> list[_Column]:
    unit = panel.y.unit

    def column(name: str, x: FloatArray, values: FloatArray | tuple[str, ...], of: str = unit) -> _Column:
        head = "" if not title or name.startswith(title) else f"{title} · "
        return _Column(panel.x, f"{head}{name}" or panel.y.label, of, x, values)

    if isinstance(mark, Line):
        return [column(mark.name, mark.x, mark.y)]
    if isinstance(mark, Band):
        low, high = (column(f"{mark.name}, low", mark.x, mark.low), column(f"{mark.name}, high", mark.x, mark.high))
        return [low, high]
    if isinstance(mark, Heatmap):
        middle = (mark.edges[:-1] + mark.edges[1:]) / 2
        return [column(row, middle, mark.values[at], mark.unit) for at, row in enumerate(mark.rows)]
    if isinstance(mark, Points):
        dots = column(mark.name, mark.x, mark.y)
        return [column(f"{mark.name}, which", mark.x, mark.names, ""), dots] if mark.names else [dots]
    return _of_bars(mark, column)


def _of_bars(mark: Bars, column: object) -> list[_Column]:
    assert callable(column)
    x = np.arange(mark.values.size, dtype=np.float64)
    columns = [column(mark.name, x, mark.values)]
    for end, values in (("low", mark.low), ("high", mark.high)):
        if values.size:
            columns.append(column(f"{mark.name}, {end}", x, values))
    return columns
