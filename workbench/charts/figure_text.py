"""The data of a chart as tab-separated text, for pasting into a spreadsheet."""

from __future__ import annotations

import math
from collections.abc import Iterator

from workbench.charts.figure import Axis, Band, Bars, Figure, Heatmap, Line, Mark, Panel, Points
from workbench.words.numbers import decimal_mark

# No spreadsheet holds more rows, and a larger clipboard would block other programs.
MAX_ROWS = 200_000
Span = tuple[float, float]


def figure_text(figure: Figure, span: Span | None = None) -> str:
    """One row for each value: panel, series, x, y. With `span` (units of x), only values inside it.

    Missing values are empty cells. Raises ValueError with a sentence if there are more than `MAX_ROWS`.
    """
    lines = ["\t".join(("panel", "series", "x", "y", "unit"))]
    for panel in figure.panels:
        for name, x, y, unit in _rows(panel, span):
            lines.append("\t".join((_clean(panel.title), _clean(name), x, y, unit)))
            if len(lines) > MAX_ROWS:
                raise ValueError(
                    f"There are more than {MAX_ROWS} values here: zoom in and copy again, or export a workbook."
                )
    return "\n".join(lines)


def _rows(panel: Panel, span: Span | None) -> Iterator[tuple[str, str, str, str]]:
    for mark in panel.marks:
        for name, x, y in _values(mark, panel.x):
            inside = span is None or isinstance(x, str) or span[0] <= x <= span[1]
            if inside:
                shown = x if isinstance(x, str) else _number(x)
                unit = mark.unit if isinstance(mark, Heatmap) else panel.y.unit
                yield name, shown, _number(y), unit


def _values(mark: Mark, axis: Axis) -> Iterator[tuple[str, float | str, float]]:
    match mark:
        case Line() | Points():
            for at, (x, y) in enumerate(zip(mark.x.tolist(), mark.y.tolist(), strict=True)):
                own = mark.names[at] if isinstance(mark, Points) and mark.names else mark.name
                yield own, _category(axis, x), y
        case Band():
            for side, values in (("low", mark.low), ("high", mark.high)):
                for x, y in zip(mark.x.tolist(), values.tolist(), strict=True):
                    yield f"{mark.name}, {side}", x, y
        case Bars():
            for index, y in enumerate(mark.values.tolist()):
                yield mark.name, _category(axis, float(index)), y
        case Heatmap():
            middles = ((mark.edges[:-1] + mark.edges[1:]) / 2).tolist()
            for name, values in zip(mark.rows, mark.values, strict=True):
                for x, y in zip(middles, values.tolist(), strict=True):
                    yield name, x, y


def _category(axis: Axis, x: float) -> float | str:
    index = round(x)
    return axis.names[index] if 0 <= index < len(axis.names) else x


def _number(value: float) -> str:
    return "" if not math.isfinite(value) else repr(value).replace(".", decimal_mark())


def _clean(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ")
