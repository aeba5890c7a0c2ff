"""What a panel's lines and bands become in a sheet: curves over a shared x, few enough for a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from workbench.charts.decimate import LIMIT, block_means, min_max
from workbench.charts.figure import Axis, Band, Emphasis, FloatArray, Line, Look, Mark, Points

# Excel draws no more series than this in one chart.
MAX_SERIES = 255
# Lines up to this many points are drawn as they are, on screen too (`decimate.LIMIT`).
MAX_POINTS = LIMIT
MAX_FAINT_POINTS = 200
MAX_DOTS = 5_000

Weight = Literal["main", "points", "edge", "faint"]


@dataclass(frozen=True, eq=False)
class Curve:
    """`main`: the line that answers; `points`: dots without a line; `edge`: one end of a band; `faint`: one
    machine among many."""

    name: str
    x: FloatArray
    y: FloatArray
    look: Look
    weight: Weight
    emphasis: Emphasis = "all"


@dataclass(frozen=True, eq=False)
class TimeUnit:
    """How x is written: its factor from the axis's unit, its header and its number format."""

    factor: float
    label: str
    number_format: str


def time_unit(axis: Axis) -> TimeUnit:
    """Seconds become minutes, seconds of the day become Excel's fractions of a day; decades stay decades."""
    if axis.unit == "s" and axis.scale == "linear":
        return TimeUnit(1 / 60, f"{axis.label} (min)", "0.00")
    if axis.unit == "clock":
        return TimeUnit(1 / 86_400, axis.label, "hh:mm:ss")
    return TimeUnit(1.0, f"{axis.label} ({axis.unit})" if axis.unit else axis.label, "General")


def curves_of(marks: Sequence[Mark]) -> tuple[list[Curve], list[str]]:
    """The curves in drawing order (faint ones first), and what was left out or made coarser."""
    every = [curve for mark in marks for curve in _curves(mark)]
    order: tuple[Weight, ...] = ("main", "points", "edge", "faint")
    kept = sorted(every, key=lambda curve: order.index(curve.weight))[:MAX_SERIES]
    notes: list[str] = []
    if len(every) > len(kept):
        notes.append(f"{len(every) - len(kept)} of {len(every)} lines left out: Excel draws {MAX_SERIES}")
    drawn = sorted(kept, key=lambda curve: -order.index(curve.weight))
    thinned = [_thinned(curve, notes) for curve in drawn]
    return thinned, list(dict.fromkeys(notes))


def _curves(mark: Mark) -> list[Curve]:
    if isinstance(mark, Line):
        weight: Weight = "main" if mark.prominent else "faint"
        return [Curve(mark.name, mark.x, mark.y, mark.look, weight, mark.emphasis)]
    if isinstance(mark, Band):
        return [
            Curve(f"{mark.name}, low", mark.x, mark.low, mark.look, "edge", mark.emphasis),
            Curve(f"{mark.name}, high", mark.x, mark.high, mark.look, "edge", mark.emphasis),
        ]
    if isinstance(mark, Points):
        order = np.argsort(mark.x, kind="stable")
        return [Curve(mark.name, mark.x[order], mark.y[order], mark.look, "points", mark.emphasis)]
    return []


def _thinned(curve: Curve, notes: list[str]) -> Curve:
    if curve.weight == "points":
        if curve.x.size <= MAX_DOTS:
            return curve
        step = int(np.ceil(curve.x.size / MAX_DOTS))
        notes.append(f"dots: every {step}th of {curve.x.size:,}")
        return replace(curve, x=curve.x[::step], y=curve.y[::step])
    if curve.weight == "faint" and curve.x.size > MAX_FAINT_POINTS:
        factor = int(np.ceil(curve.x.size / MAX_FAINT_POINTS))
        notes.append(f"lines of single VMs: means of {factor} neighbouring points")
        x, y = (block_means(values[None, :], factor)[0] for values in (curve.x, curve.y))
        return replace(curve, x=x, y=y)
    if curve.x.size > MAX_POINTS:
        per_bucket = int(np.ceil(2 * curve.x.size / MAX_POINTS))
        notes.append(f"long lines: lowest and highest of every {per_bucket} points")
        x, y = min_max(curve.x, curve.y, per_bucket)
        return replace(curve, x=x, y=y)
    return curve


def sharing_x(curves: Sequence[Curve]) -> list[tuple[FloatArray, list[Curve]]]:
    """Neighbouring curves over the same x, so that x is written once; rows where none has a value go."""
    groups: list[tuple[FloatArray, list[Curve]]] = []
    for curve in curves:
        if groups and np.array_equal(groups[-1][0], curve.x):
            groups[-1][1].append(curve)
        else:
            groups.append((curve.x, [curve]))
    return [_trimmed(x, members) for x, members in groups]


def _trimmed(x: FloatArray, members: list[Curve]) -> tuple[FloatArray, list[Curve]]:
    known = np.flatnonzero(np.isfinite([curve.y for curve in members]).any(axis=0)) if x.size else np.empty(0)
    part = slice(int(known[0]), int(known[-1]) + 1) if known.size else slice(0, 0)
    return x[part], [replace(curve, x=x[part], y=curve.y[part]) for curve in members]
