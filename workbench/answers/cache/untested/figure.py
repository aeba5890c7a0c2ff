"""What a RAM cache of any size would leave of the writes, and when it would overflow: predicted, with the tested sizes
as dots."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from workbench.answers.cache.sentences import mb_words
from workbench.answers.cache.untested.predict import Prediction, Untested
from workbench.answers.cache.untested.sentences import curve_words, knee_words, overflow_prediction
from workbench.charts.figure import Axis, Band, Figure, FloatArray, Line, Look, Mark, Panel, Points, Region
from workbench.model.kept import kept_of_few
from workbench.words.captions import captioned, few
from workbench.words.numbers import THIN, number

WHAT_IF = "cache-what-if"
QUESTION = "How much RAM cache is worth its price?"
EMPTY = "No size is predicted here."
_POINTS = 160
_TESTED = Look("text", marker="circle")
_KNEE, _CHOSEN = Look("text", marker="diamond"), Look("accent", width=1.5)
_MINUTE = 60.0


def largest_mb(kind: Untested) -> float:
    """Where the axis of the sizes ends: beyond the largest that was tested, and beyond what the fullest VM needs."""
    sizes = [cache.size_mb or 0.0 for cache in kind.caches]
    return 1.08 * max([*sizes, kind.knee_mb or 0.0])


def what_if_figure(kind: Untested, chosen_mb: float) -> Figure:
    """The writes left over the size (with three tested sizes and more), and below it the first overflow in minutes
    since the first phase began. The upright line is the chosen size."""
    most = largest_mb(kind)
    sizes, seen = _curve(kind)
    regions = _beyond(kind, most)
    panels = []
    x = Axis("RAM cache per VM", "MB", limits=(0.0, most))
    if kind.curve:
        y = Axis(f"of the writes of {kind.shares.baseline}", "%", limits=(0.0, 105.0))
        marks = (*_writes(kind, sizes, seen), _upright(chosen_mb, 105.0))
        panels.append(Panel("Writes left", x, y, marks, regions=regions))
    top = _latest_min(kind, seen)
    y = Axis("since the first phase began", "min", limits=(0.0, 1.1 * top))
    marks = (*_overflows(kind, sizes, seen), _upright(chosen_mb, 1.1 * top))
    panels.append(Panel("First VM overflows", x, y, marks, regions=regions))
    chosen = kind.at(chosen_mb)
    summary = f"{knee_words(kind)} With {mb_words(chosen_mb)}: first overflow {overflow_prediction(chosen)}."
    caption, method = captioned((f"Predicted from {few(kind.basis)}",), (curve_words(kind).rstrip("."),))
    return Figure(WHAT_IF, QUESTION, caption, tuple(panels), share_y=False, summary=summary, method=method)


def _hue(kind: Untested) -> str:
    """The colour of the cache's provisioning."""
    return kind.kind[0].value


# The same for every step of the slider.
@kept_of_few
def _curve(kind: Untested) -> tuple[FloatArray, tuple[Prediction, ...]]:
    sizes = _sizes(kind, largest_mb(kind))
    return sizes, kind.over(sizes.tolist())


def _sizes(kind: Untested, most: float) -> FloatArray:
    """Even steps, and both sides of the sizes at which the bounds jump."""
    jumps = [share.size_mb for share in kind.shares.sizes] + ([] if kind.knee_mb is None else [kind.knee_mb])
    edges = [size for jump in jumps for size in (jump - 0.01, jump, jump + 0.01)]
    return np.unique(np.array([*np.linspace(most / _POINTS, most, _POINTS), *edges], dtype=np.float64))


def _writes(kind: Untested, sizes: FloatArray, seen: Sequence[Prediction]) -> list[Mark]:
    shares = [prediction.writes_left for prediction in seen]
    value, low, high = (
        _array([None if share is None else getattr(share, end) for share in shares], 100)
        for end in ("value", "low", "high")
    )
    tested = kind.shares.sizes
    at = np.array([share.size_mb for share in tested], dtype=np.float64)
    names = tuple(f"{mb_words(share.size_mb)}: {number(100 * (share.value or 0.0))}{THIN}%" for share in tested)
    return [
        Band("bounds", sizes, low, high, Look(_hue(kind))),
        Line("predicted", sizes, value, Look(_hue(kind), dash="dash")),
        Points("tested", at, _array([share.value for share in tested], 100), _TESTED, names),
        *_knee(kind, [share.writes_left.value if share.writes_left else None for share in _at_knee(kind)], 100),
    ]


def _overflows(kind: Untested, sizes: FloatArray, seen: Sequence[Prediction]) -> list[Mark]:
    # Where some runs alone overflow their mean is another one's.
    means = [prediction.overflow if prediction.overflow_runs == prediction.runs else None for prediction in seen]
    value, low, high = (
        _array([None if mean is None else getattr(mean, end) for mean in means], 1 / _MINUTE)
        for end in ("value", "low", "high")
    )
    over = [size for size in kind.tested if size.overflow_s is not None]
    at = np.array([size.cache.size_mb or 0.0 for size in over], dtype=np.float64)
    names = tuple(mb_words(size.cache.size_mb) for size in over)
    marks: list[Mark] = []
    bounds = [prediction.bounds if prediction.overflow_runs == prediction.runs else None for prediction in seen]
    if any(bounds):
        ends = [_array([pair and max(0.0, pair[end]) for pair in bounds], 1 / _MINUTE) for end in (0, 1)]
        marks.append(Band("bounds", sizes, ends[0], ends[1], Look(_hue(kind))))
    if np.isfinite(low).any():
        name = "interval of the runs" if any(mean and mean.basis == "interval" for mean in means) else "range"
        marks.append(Band(name, sizes, low, high, Look(_hue(kind))))
    elif kind.bound != "exact":
        earliest = _array([prediction.not_before for prediction in seen], 1 / _MINUTE)
        marks.append(Line("not before", sizes, np.maximum(earliest, 0.0), Look("quiet", dash="dot")))
    if not marks or np.isfinite(value).any():
        marks.append(Line("predicted", sizes, value, Look(_hue(kind), dash="dash")))
    if over:
        marks.append(Points("tested", at, _array([size.overflow_s for size in over], 1 / _MINUTE), _TESTED, names))
    return marks


def _latest_min(kind: Untested, seen: Sequence[Prediction]) -> float:
    """The latest moment that is drawn, in minutes."""
    means = [size.overflow for size in seen if size.overflow is not None and size.overflow_runs == size.runs]
    moments = [mean.value for mean in means] + [size.bounds[1] for size in seen if size.bounds is not None]
    moments += [size.overflow_s for size in kind.tested if size.overflow_s is not None]
    latest = max(moments, default=_MINUTE)
    # An interval of a few runs can reach beyond any test.
    ends = [mean.high for mean in means if mean.high is not None]
    return min(max([latest, *ends]), 1.5 * latest) / _MINUTE


def _at_knee(kind: Untested) -> list[Prediction]:
    return [] if kind.knee_mb is None else [kind.at(kind.knee_mb)]


def _knee(kind: Untested, values: Sequence[float | None], factor: float) -> list[Mark]:
    if kind.knee_mb is None or not values or values[0] is None:
        return []
    name = f"largest measured VM: {mb_words(math.ceil(kind.knee_mb))}"
    return [Points(name, np.array([kind.knee_mb]), _array(values, factor), _KNEE, (mb_words(math.ceil(kind.knee_mb)),))]


def _beyond(kind: Untested, most: float) -> tuple[Region, ...]:
    knee = kind.knee_mb
    if knee is None or knee >= most:
        return ()
    return (Region(f"from {mb_words(math.ceil(knee))}: no measured VM overflows", knee, most),)


def _upright(size_mb: float, top: float) -> Line:
    return Line(f"chosen: {mb_words(size_mb)}", np.full(2, float(size_mb)), np.array([0.0, top]), _CHOSEN)


def _array(values: Sequence[float | None], factor: float) -> FloatArray:
    return factor * np.array([np.nan if value is None else value for value in values], dtype=np.float64)
