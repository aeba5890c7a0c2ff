"""Figures as data for the page's script, with the ranges of the screen and every value in full precision.

Arrays are base64 of little-endian float64, so no digit is lost and they cannot contain markup. Equal arrays are
included once.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np

from workbench.charts.decimate import LIMIT, band_in_view, line_in_view
from workbench.charts.figure import Band, Bars, Figure, FloatArray, Heatmap, Line, Look, Mark, Panel, Points, Region
from workbench.charts.scales import Scales, heat_limits, scales_of
from workbench.charts.ticks import STEPS_X, STEPS_Y
from workbench.exporters.page.colours import Colours
from workbench.words.numbers import fixed


class Arrays:
    """The distinct arrays of a page."""

    def __init__(self) -> None:
        self.held: list[str] = []
        self._places: dict[bytes, int] = {}

    def number(self, values: FloatArray) -> int:
        """The index of an array; a new array is added."""
        packed = np.ascontiguousarray(values, dtype="<f8").tobytes()
        if packed not in self._places:
            self._places[packed] = len(self.held)
            self.held.append(b64encode(packed).decode("ascii"))
        return self._places[packed]

    def forget(self, count: int) -> None:
        """Remove the arrays added after the first `count`."""
        del self.held[count:]
        self._places = {packed: place for packed, place in self._places.items() if place < count}


def chart_data(figure: Figure, arrays: Arrays, colours: Colours) -> dict[str, Any]:
    """The data that the script needs to draw the figure."""
    limits = heat_limits(figure)
    return {
        "panels": [_panel(scales, arrays, colours, limits) for scales in scales_of(figure)],
        "columns": 1 + max((panel.column for panel in figure.panels), default=0),
    }


def chart_notes(figure: Figure) -> list[str]:
    """Facts that readers of the chart must know: values that are not drawn, lines with fewer points than measured."""
    notes = []
    thinned = [m for p in figure.panels for m in p.marks if isinstance(m, Line | Band) and m.x.size > LIMIT]
    if thinned:
        longest = max(mark.x.size for mark in thinned)
        notes.append(
            f"{len(thinned)} lines of up to {fixed(longest, 0)} samples are drawn as the lowest and the highest of "
            "neighbouring samples."
        )
    endless = sum(int(np.isinf(values).sum()) for panel in figure.panels for values in _values(panel))
    if endless:
        notes.append(f"{endless} {'value is' if endless == 1 else 'values are'} infinite and not drawn.")
    clipped = sum(scales.clipped for scales in scales_of(figure))
    if clipped:
        notes.append(f"{clipped} values are zero or below and cannot be drawn on the log scale.")
    return notes


def legend(panel: Panel) -> list[tuple[str, Look, str]]:
    """Name, look and kind of the marks in the legend: none for a single mark, for VMs, or if the axis names the
    bars."""
    entries = []
    for mark in panel.marks:
        if isinstance(mark, Heatmap) or (isinstance(mark, Line) and mark.vm):
            continue
        kind = {Band: "band", Bars: "bars", Points: "dots"}.get(type(mark), "line")
        kind = "outlined" if isinstance(mark, Bars) and mark.outlined else kind
        entries.append((mark.name.removeprefix(f"{panel.title}: "), mark.look, kind))
    entries = list(dict.fromkeys(entries))
    named = set(panel.x.names)
    if not panel.legend or len(entries) < 2 or (named and all(name in named for name, _, _ in entries)):
        return []
    return entries


def _values(panel: Panel) -> list[FloatArray]:
    values: list[FloatArray] = []
    for mark in panel.marks:
        if isinstance(mark, Line | Points):
            values.append(mark.y)
        elif isinstance(mark, Bars | Heatmap):
            values.append(mark.values)
        else:
            values += [mark.low, mark.high]
    return values


def _panel(scales: Scales, arrays: Arrays, colours: Colours, limits: dict[str, tuple[float, float]]) -> dict[str, Any]:
    panel, heat = scales.panel, scales.heatmap
    return {
        "column": panel.column,
        "x": _axis(scales, "x") | {"key": scales.x_key, "time": scales.time, "clock": scales.clock},
        "y": _axis(scales, "y") | {"names": list(heat.rows if heat else panel.y.categories)},
        "whole": panel.in_whole,
        "regions": [_region(region) for region in panel.regions],
        "moments": [[moment.words, moment.start, moment.end] for moment in panel.moments],
        "marks": [_mark(mark, arrays, colours, limits) for mark in panel.marks],
    }


def _axis(scales: Scales, which: str) -> dict[str, Any]:
    axis, span, log = (
        (scales.panel.x, scales.x, scales.x_log) if which == "x" else (scales.panel.y, scales.y, scales.y_log)
    )
    low, high = (10.0 ** span[0], 10.0 ** span[1]) if log else span
    (first, last), most = (scales.x_data, STEPS_X) if which == "x" else (scales.y_data, STEPS_Y)
    least = (last - first) / most
    return {
        "label": axis.label,
        "unit": axis.unit,
        "log": log,
        "low": low,
        "high": high,
        "least": least,
        "categories": list(axis.categories),
    }


def _region(region: Region) -> list[Any]:
    return [region.words, region.start, region.end]


def _mark(mark: Mark, arrays: Arrays, colours: Colours, limits: dict[str, tuple[float, float]]) -> dict[str, Any]:
    number = arrays.number
    if isinstance(mark, Heatmap):
        low, high = limits[mark.unit]
        return {
            "kind": "heat",
            "name": mark.name,
            "edges": number(mark.edges),
            "rows": list(mark.rows),
            "values": number(mark.values.ravel()),
            "low": low,
            "high": high,
            "unit": mark.unit,
            "lit": mark.rows.index(mark.lit) if mark.lit in mark.rows else -1,
            "emphasis": mark.emphasis,
        }
    made: dict[str, Any] = {"name": mark.name, "look": colours.number(mark.look), "emphasis": mark.emphasis}
    if isinstance(mark, Line):
        x, y = line_in_view(mark.x, mark.y, -np.inf, np.inf)
        return made | {"kind": "line", "x": number(x), "y": number(y), "vm": mark.vm, "strong": mark.prominent}
    if isinstance(mark, Band):
        x, low_edge, high_edge = band_in_view(mark.x, mark.low, mark.high, -np.inf, np.inf, LIMIT // 2)
        return made | {"kind": "band", "x": number(x), "low": number(low_edge), "high": number(high_edge)}
    if isinstance(mark, Bars):
        return made | {
            "kind": "bars",
            "strengths": list(mark.strengths),
            "values": number(mark.values),
            "low": number(mark.low),
            "high": number(mark.high),
            "stack": mark.stack,
            "outlined": mark.outlined,
            "dots": mark.dots,
        }
    return made | {"kind": "dots", "x": number(mark.x), "y": number(mark.y), "names": list(mark.names)}
