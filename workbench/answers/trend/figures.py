"""The chart of the trend: a dot per run over the builds, means between the steps with their intervals, each step
marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from workbench.answers.trend.compute import Trend, TrendOutcome, TrendStep
from workbench.answers.trend.points import Slots, TrendSeries, build_words, day_words, run_of, slots
from workbench.answers.trend.sentences import (
    QUESTION,
    likely_text,
    signed_size,
    summary_text,
    trend_sentence,
    unit_text,
)
from workbench.charts.figure import Axis, Band, Figure, FloatArray, Line, Look, Mark, Moment, Panel, Points, Region
from workbench.measures.measure import measure_words
from workbench.measures.statistics import MARGIN
from workbench.words.metrics import phase_words

CHART = "trend"
# Maximum configurations in one panel: those with a change come first.
MOST = 5
# The length by which a mean's line continues beyond its first and last run, in names.
_REACH = 0.35
_ASIDE = 0.07
# The minimum range of an axis, in margins.
_LEAST_RANGE = 3 * MARGIN


def trend_figure(trends: Sequence[Trend], look: Mapping[str, Look]) -> Figure:
    """A panel for each metric and phase: with the series that have enough runs, if there are any."""
    panels_of = [[trend for trend in trends if _head(trend) == head] for head in dict.fromkeys(map(_head, trends))]
    tested = any(trend.outcome is not TrendOutcome.TOO_FEW for trend in trends)
    chosen = [(members, drawn(members, tested)) for members in panels_of]
    chosen = [(members, shown) for members, shown in chosen if shown]
    axis = slots([trend.series for _, shown in chosen for trend in shown])
    panels = tuple(
        _panel(shown, len(members) - len(shown), axis, look, column) for column, (members, shown) in enumerate(chosen)
    )
    changed = [trend_sentence(trend) for trend in trends if trend.changed]
    return Figure(
        CHART,
        QUESTION,
        "The axes do not start at 0",
        panels,
        share_y=False,
        summary=" ".join(changed) or f"{summary_text(trends)}.",
        scrolls=True,
        method=("Each dot is one run", "Lines show means between the steps, with 95 % intervals"),
    )


def drawn(trends: Sequence[Trend], tested: bool) -> list[Trend]:
    """The series drawn in one panel, in their order: series with a change first; only `tested` ones if there are
    any."""
    able = [
        trend for trend in trends if trend.series.points and (not tested or trend.outcome is not TrendOutcome.TOO_FEW)
    ]
    first = sorted(range(len(able)), key=lambda index: (not able[index].changed, index))[:MOST]
    return [able[index] for index in sorted(first)]


def _head(trend: Trend) -> tuple[str, str]:
    return trend.series.measure.key, trend.series.phase


def _panel(shown: Sequence[Trend], others: int, axis: Slots, look: Mapping[str, Look], column: int) -> Panel:
    series = shown[0].series
    measure = series.measure
    bases = [_base(trend) for trend in shown]
    relative = len(shown) > 1 and min(bases) > 0
    bases = bases if relative else [1.0] * len(shown)
    marks = tuple(
        mark
        for trend, base, aside in zip(shown, bases, _asides(len(shown)), strict=True)
        for mark in _marks(trend, axis.x_of(trend.series), look[trend.series.configuration], base, aside)
    )
    label, unit = ("Value", "% of the first runs") if relative else (measure.name, unit_text(measure))
    steps = [(trend, step) for trend in shown for step in trend.steps]
    return Panel(
        f"{measure.name}, {phase_words(series.phase)}",
        Axis("", categories=axis.names),
        Axis(label, unit, limits=_limits(marks)),
        marks,
        column,
        subtitle=f"{others} more series in the table" if others else "",
        regions=_regions(steps, axis),
        moments=_moments(steps, axis),
        names_one=True,
    )


def _base(trend: Trend) -> float:
    """The 100 % of a configuration's runs, for configurations of different height in one panel: the mean before its
    first step, the beginning of a drift's line, or the mean of all runs without a change."""
    if trend.outcome is TrendOutcome.DRIFT and trend.slope is not None:
        return trend.slope.heights[0] / 100
    return float(trend.segments[0].mean.value if trend.segments else np.mean(trend.series.values)) / 100


def _asides(count: int) -> list[float]:
    """The horizontal offset of each configuration's dots from the name, so they do not cover each other."""
    return [_ASIDE * (index - (count - 1) / 2) for index in range(count)]


def _marks(trend: Trend, x: FloatArray, look: Look, base: float, aside: float) -> list[Mark]:
    """Band, line and dots of one configuration under its name."""
    series = trend.series
    label, own = series.configuration, Look(look.hue, look.tint, look.dash)
    dots = Look(look.hue, look.tint, look.dash, "circle" if look.marker == "none" else look.marker)
    marks: list[Mark] = []
    if trend.outcome is TrendOutcome.DRIFT and trend.slope is not None:
        marks.append(Line(f"{label}: drift", x, np.array(trend.slope.heights) / base, own))
    elif trend.segments:
        marks += _means(trend, x, own, base)
    names = tuple(_dot(series, index) for index in range(len(x)))
    marks.append(Points(label, x + aside, np.array(series.values) / base, dots, names))
    return marks


def _mean_name(trend: Trend) -> str:
    return f"{trend.series.configuration}: mean"


def _means(trend: Trend, x: FloatArray, look: Look, base: float) -> list[Mark]:
    """The means between the steps as one line that breaks at each step, and their intervals as a band."""
    places: list[float] = []
    rows: list[tuple[float, float, float]] = []
    for segment in trend.segments:
        first, last = x[segment.start] - _REACH, x[segment.end - 1] + _REACH
        mean = segment.mean
        ends = (mean.value, _or_nan(mean.low), _or_nan(mean.high))
        places += [(places[-1] + first) / 2] if places else []
        rows += [(np.nan, np.nan, np.nan)] if rows else []
        places += [first, last]
        rows += [ends, ends]
    value, low, high = np.array(rows).T / base
    at = np.array(places)
    interval = f"{trend.series.configuration}: 95 % interval"
    bands = [Band(interval, at, low, high, look)] if np.isfinite(low).any() else []
    return [*bands, Line(_mean_name(trend), at, value, look)]


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _dot(series: TrendSeries, index: int) -> str:
    point = series.points[index]
    build = f"build {point.build}" if point.build else ""
    value = measure_words(point.value, series.measure)
    return " · ".join(filter(None, (f"{series.configuration}: {value}", build, day_words(point), point.run)))


def _moments(steps: Sequence[tuple[Trend, TrendStep]], axis: Slots) -> tuple[Moment, ...]:
    """A line at each step with the name of the build; steps at one place share a line."""
    by_place: dict[float, list[tuple[Trend, TrendStep]]] = {}
    for trend, step in steps:
        x = axis.x_of(trend.series)
        by_place.setdefault(float(x[step.index - 1] + x[step.index]) / 2, []).append((trend, step))
    return tuple(
        Moment(
            CHART,
            x,
            _flag(members),
            name=axis.places[run_of(members[0][1].point)],
            lines=tuple(_mean_name(trend) for trend, _ in members),
        )
        for x, members in sorted(by_place.items())
    )


def _flag(members: Sequence[tuple[Trend, TrendStep]]) -> str:
    unclear = "? " if all(trend.outcome is TrendOutcome.UNCLEAR for trend, _ in members) else ""
    sizes = ", ".join(signed_size(step, trend.series) for trend, step in members)
    return f"{unclear}{build_words(members[0][1].point)}: {sizes}"


def _regions(steps: Sequence[tuple[Trend, TrendStep]], axis: Slots) -> tuple[Region, ...]:
    """Shaded areas: the runs between which a step may be, if it has more than one possible place."""
    regions: dict[tuple[float, float], Region] = {}
    for trend, step in steps:
        first, last = step.ends
        x = axis.x_of(trend.series)
        if first < last:
            ends = float(x[first - 1] + x[first]) / 2, float(x[last - 1] + x[last]) / 2
            regions[ends] = Region(f"{likely_text(step, trend.series)}", *ends)
    return tuple(regions.values())


def _limits(marks: Sequence[Mark]) -> tuple[float, float]:
    """The y range of the runs, with room for the names of the steps. It does not begin at 0, which would make all runs
    one line, and it does not enlarge variation within the margin to full height."""
    values = np.concatenate([mark.y for mark in marks if isinstance(mark, Points)])
    low, high = float(values.min()), float(values.max())
    least = _LEAST_RANGE * abs(low + high) / 2
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    pad = 0.1 * (high - low) or 1.0
    return (low - pad if low - pad > 0 or low < 0 else 0.0), high + 3 * pad
