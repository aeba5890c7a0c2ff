"""The view *What-if* of the cache page: a RAM cache size that was not tested.

For the chosen size, the cards show the remaining I/O, the time of the overflow, the data written to disk, the cost, and
how reliable the prediction is. The chart shows the predicted remaining writes and the overflow over the size, with the
tested sizes as dots.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.sentences import mb_words, overflow_words
from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.predict import Prediction, Refused, Untested, untested
from workbench.answers.cache.untested.sentences import (
    curve_words,
    knee_words,
    need_short,
    overflow_prediction,
    unlike_short,
    what_if_lines,
)
from workbench.answers.cache.untested.tables import basis_source, left_out_table, predicted_table
from workbench.answers.common.choices import Choices
from workbench.answers.common.names import ADDED
from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Band, Figure, FloatArray, Line, Look, Mark, Panel, Points, Region
from workbench.charts.inputs import Input
from workbench.measures.configurations import Mean
from workbench.model.run_cache import kept_of_few
from workbench.words.captions import captioned, few, named
from workbench.words.numbers import MISSING, POINTS, THIN, bracketed, duration, number, plural

SIZE, KIND = "cache.size_mb", "cache.predicted"
STEP_MB = 64
ADD = ("Add this size to the test plan", "cache.plan")
REMOVE = ("Remove this size from the test plan", ADD[1])
NO_CACHE = "No configuration has a RAM cache, so no prediction is possible. Test a configuration with a RAM cache."


def what_if(answer: CacheAnswer, choices: Choices, desktops: float, desktops_input: Input) -> Content:
    """The prediction of the chosen size, or why there is none."""
    kinds = untested(answer)
    predicted = [kind for kind in kinds if isinstance(kind, Untested)]
    if not predicted:
        reasons = [f"{EMPTY} for {kind.name}. {kind.reason}" for kind in kinds if isinstance(kind, Refused)]
        return Content(QUESTION, empty=" ".join(reasons) or NO_CACHE)
    kind = _chosen(predicted, choices)
    size = chosen_size(kind, choices)
    figure = what_if_figure(kind, size)
    need = need_short(kind, desktops)
    need += f" (predicted from {few(kind.basis)})" if kind.knee_mb is not None else ""
    caption, method = captioned((unlike_short(kind), need), what_if_lines(kind, desktops))
    inputs: tuple[Input, ...] = (_size(kind, size, choices), desktops_input)
    if len(predicted) > 1:
        names = tuple(size.name for size in predicted)
        inputs = (Input(KIND, "Cache", kind.name, choices=names, origin="", group="Cost"), *inputs)
    tables = (predicted_table((kind,), desktops), left_out_table((kind,)))
    name = planned_name(kind, size)
    offers = None if not name else REMOVE if name in _planned(choices) else ADD
    cards = what_if_cards(kind, size, desktops)
    return Content(QUESTION, caption, cards, figure, tables, inputs=inputs, offers=offers, method=method)


def planned_name(kind: Untested, size_mb: float) -> str:
    """The name of planned runs of this size; empty for a tested size."""
    tested = any(cache.size_mb == size_mb for cache in kind.caches)
    # A name, not a figure: it has a decimal point in every language.
    return "" if tested else f"{kind.kind[0].value} {format(size_mb, '.10g')} MB"


def with_planned(answer: CacheAnswer, choices: Choices) -> tuple[str, ...]:
    """The planned configurations without runs, with the chosen size added, or removed if it is one of them."""
    planned = _planned(choices)
    predicted = [kind for kind in untested(answer) if isinstance(kind, Untested)]
    if not predicted:
        return planned
    kind = _chosen(predicted, choices)
    name = planned_name(kind, chosen_size(kind, choices))
    return tuple(other for other in planned if other != name) if name in planned else (*planned, *filter(None, (name,)))


def _planned(choices: Choices) -> tuple[str, ...]:
    return tuple(str(choices.input(ADDED, "")).splitlines())


def chosen_size(kind: Untested, choices: Choices) -> float:
    """The user's size in MB; otherwise the smallest size without any overflow; otherwise the largest tested."""
    largest = max(cache.size_mb or 0.0 for cache in kind.caches)
    default = largest if kind.knee_mb is None else math.ceil(kind.knee_mb)
    return float(min(max(choices.number(SIZE, default), 1.0), largest_mb(kind)))


def _chosen(predicted: list[Untested], choices: Choices) -> Untested:
    """The user's kind of cache, otherwise the one with the most tested sizes."""
    name = choices.input(KIND, "")
    return next((kind for kind in predicted if kind.name == name), max(predicted, key=lambda kind: len(kind.tested)))


def _size(kind: Untested, size: float, choices: Choices) -> Input:
    ticks = tuple((cache.size_mb, mb_words(cache.size_mb)) for cache in kind.caches if cache.size_mb)
    return Input(
        SIZE,
        "RAM cache per VM",
        size,
        "MB",
        minimum=1,
        maximum=largest_mb(kind),
        # The size is predicted, not assumed.
        origin="yours" if SIZE in dict(choices.inputs) else "",
        tip="RAM cache size for the prediction. Ticks mark tested sizes.",
        group="Cost",
        step=STEP_MB,
        ticks=ticks,
        ring=kind.knee_mb,
    )


_LOOK, _QUIET = Look("accent"), Look("quiet")
_FIRST, _ERROR = "First overflow", "Prediction error"


def what_if_cards(kind: Untested, size_mb: float, desktops: float) -> tuple[Card, ...]:
    """The cards of one size, tested or not."""
    seen = kind.at(size_mb)
    tested = next((cache for cache in kind.caches if cache.size_mb == size_mb), None)
    return (
        _writes(kind, seen, "tested size" if tested else "untested size"),
        _overflow(kind, seen, tested),
        _spilled(kind, seen),
        _ram(kind, seen, desktops),
        _error(kind),
    )


def _base(kind: Untested) -> str:
    base = kind.shares.baseline
    return "the baseline" if base is None else named(base)


def _writes(kind: Untested, seen: Prediction, tag: str) -> Card:
    title, share = f"Remaining writes with {mb_words(seen.size_mb)}", seen.writes_left
    if share is None:
        lacks = "requires a baseline without RAM cache" if kind.shares.baseline is None else "not measured"
        return Card(title, _LOOK, MISSING, "", lacks, tag)
    low, high = number(100 * share.low), number(100 * share.high)
    whose = f"100{THIN}% = writes with {_base(kind)} · {tag}"
    if share.value is None:
        return Card(title, _LOOK, f"{low} to {high}", "%", "exact share unknown", whose)
    note = "one run" if share.ends is None else bracketed(low, high) + ", one run" * share.single
    return Card(title, _LOOK, number(100 * share.value), "%", note, whose)


def _overflow(kind: Untested, seen: Prediction, tested: ConfigurationCache | None) -> Card:
    measured = "" if tested is None else f"measured: {overflow_words(tested).replace('estimated', 'about')}"
    runs = f"predicted in {seen.overflow_runs or seen.runs} of {seen.runs} runs"
    if seen.bounds is not None:
        return _open(seen.bounds, runs, measured)
    if seen.overflow is None:
        if seen.overflows is False:
            note = f"prediction: no overflow in {seen.runs} of {seen.runs} runs"
            return Card(_FIRST, _LOOK, "none", "", note, measured)
        early = duration(seen.not_before) if seen.not_before is not None and seen.not_before > 0 else None
        if early is None:
            return Card(_FIRST, _LOOK, MISSING, "", "no prediction", measured or "exact time unknown")
        value, _, unit = early.partition(THIN)
        return Card(_FIRST, _LOOK, f"> {value}", unit, "predicted minimum", measured)
    value, _, unit = duration(seen.overflow.value).partition(THIN)
    first, last = seen.overflow_vms or (None, None)
    how = f"Predicted time when the cache footprint of the VMs exceeds {mb_words(seen.size_mb)}."
    every = f"VMs: {duration(first, last or 0.0)} to {duration(last)}"
    note = _ends(seen.overflow) or runs
    return Card(_FIRST, _LOOK, value, unit, note, measured or every, basis_source(kind, how))


def _open(bounds: tuple[float, float], runs: str, measured: str) -> Card:
    """An overflow at an unknown time between two samples."""
    early, late = bounds
    value, _, unit = duration(late).partition(THIN)
    start, *_ = duration(early, late).partition(THIN)
    between = f"{start} to {value}" if early > 0 else f"before {value}"
    return Card(_FIRST, _LOOK, between, unit, f"exact time unknown, {runs}", measured)


def _spilled(kind: Untested, seen: Prediction) -> Card:
    title = "Cache disk use per VM, at least" if kind.bound != "estimate" else "Cache disk use per VM, estimated"
    if seen.overflows is False:
        return Card("Cache disk use per VM", _LOOK, "0", "MB", "predicted")
    if seen.spilled_mb is None:
        return Card(title, _LOOK, MISSING, "", "exact size unknown", "only a minimum or maximum is known")
    ends = seen.spilled_mb.low, seen.spilled_mb.high
    note = "mean over VMs and runs" if None in ends else f"{bracketed(number(ends[0]), number(ends[1]))} over the runs"
    how = f"Predicted cache footprint of the VMs at the end of the run, minus {mb_words(seen.size_mb)}."
    highest = f"VM with the highest use: {number(seen.spilled_highest_mb)}{THIN}MB"
    return Card(title, _LOOK, number(seen.spilled_mb.value), "MB", note, highest, basis_source(kind, how))


def _ram(kind: Untested, seen: Prediction, desktops: float) -> Card:
    total = ram_cost_gib(seen.size_mb, desktops)
    base = min((cache for cache in kind.caches if cache.label in kind.basis), key=lambda cache: cache.size_mb or 0.0)
    tested = ram_cost_gib(base.size_mb or 0.0, desktops)
    detail = (
        "tested size"
        if base.size_mb == seen.size_mb
        else f"with {mb_words(base.size_mb)} per VM: {number(tested)}{THIN}GB"
    )
    return Card(
        f"RAM for {plural(desktops, 'VM')}", _LOOK, number(total), "GB", f"{mb_words(seen.size_mb)} per VM", detail
    )


def _error(kind: Untested) -> Card:
    """The error of the prediction of each tested size from the other sizes."""
    if kind.unlike:
        worst = max(kind.unlike, key=lambda tested: abs(tested.outside_s or 0.0))
        value, _, unit = duration(abs(worst.outside_s or 0.0)).partition(THIN)
        note = f"prediction is wrong for {named(worst.cache.label)}"
        if worst.outside_s is None:
            value, unit, note = "contradicted", "", f"by {named(worst.cache.label)}"
        return Card(_ERROR, _QUIET, value, unit, note, "reason: the workloads differ")
    writes = [abs(100 * size.writes_error) for size in kind.tested if size.writes_error is not None]
    times = [abs(size.overflow_error_s) for size in kind.tested if size.overflow_error_s is not None]
    how = "when each tested size is predicted from the others"
    if writes:
        overflow = f"error in the first overflow time: at most {duration(max(times))}" if times else ""
        title, error = "Error in remaining writes", number(max(writes), 2)
        return Card(title, _QUIET, error, POINTS, f"largest error {how}", overflow)
    if times:
        value, _, unit = duration(max(times)).partition(THIN)
        return Card(_ERROR, _QUIET, value, unit, f"largest error {how}", "error in the first overflow time")
    return Card(_ERROR, _QUIET, MISSING, "", "no tested size can be predicted", "from the other tested sizes")


def _ends(mean: Mean) -> str:
    if mean.low is None or mean.high is None:
        return ""
    return bracketed(duration(mean.low, mean.high), duration(mean.high)) + ", one run" * (mean.n == 1)


WHAT_IF = "cache-what-if"
QUESTION = "How much RAM cache is worth its cost?"
EMPTY = "No prediction is possible"
_POINTS = 160
_TESTED = Look("text", marker="circle")
_KNEE, _CHOSEN = Look("text", marker="diamond"), Look("accent", width=1.5)
_MINUTE = 60.0


def largest_mb(kind: Untested) -> float:
    """The end of the size axis: beyond the largest tested size and beyond the need of the fullest VM."""
    sizes = [cache.size_mb or 0.0 for cache in kind.caches]
    return 1.08 * max([*sizes, kind.knee_mb or 0.0])


def what_if_figure(kind: Untested, chosen_mb: float) -> Figure:
    """The remaining writes over the size (with at least three tested sizes), and below it the first overflow in minutes
    since the first phase began. The vertical line is the chosen size."""
    most = largest_mb(kind)
    sizes, seen = _curve(kind)
    regions = _beyond(kind, most)
    panels = []
    x = Axis("RAM cache per VM", "MB", limits=(0.0, most))
    if kind.curve:
        y = Axis("Remaining writes", f"% of {_base(kind)}", limits=(0.0, 105.0))
        marks = (*_writes_curves(kind, sizes, seen), _upright(chosen_mb, 105.0))
        panels.append(Panel("Remaining writes", x, y, marks, regions=regions))
    # The latest time that is drawn, in minutes.
    means = [size.overflow for size in seen if size.overflow is not None and size.overflow_runs == size.runs]
    moments = [mean.value for mean in means] + [size.bounds[1] for size in seen if size.bounds is not None]
    moments += [size.overflow_s for size in kind.tested if size.overflow_s is not None]
    latest = max(moments, default=_MINUTE)
    # The interval of a few runs can extend beyond the length of any test.
    ends = [mean.high for mean in means if mean.high is not None]
    top = min(max([latest, *ends]), 1.5 * latest) / _MINUTE
    y = Axis("Time since the first phase began", "min", limits=(0.0, 1.1 * top))
    marks = (*_overflows(kind, sizes, seen), _upright(chosen_mb, 1.1 * top))
    panels.append(Panel("First overflow", x, y, marks, regions=regions))
    chosen = kind.at(chosen_mb)
    told = f"Predicted first overflow with {mb_words(chosen_mb)}: {overflow_prediction(chosen)}."
    none = f"With {mb_words(chosen_mb)}, no overflow is predicted."
    summary = f"{knee_words(kind)} {none if chosen.overflows is False else told}"
    caption, method = captioned((f"Predicted from {few(kind.basis)}",), (curve_words(kind).rstrip("."),))
    return Figure(WHAT_IF, QUESTION, caption, tuple(panels), share_y=False, summary=summary, method=method)


def _hue(kind: Untested) -> str:
    """The colour of the cache's provisioning."""
    return kind.kind[0].value


# The result is the same for every step of the slider.
@kept_of_few
def _curve(kind: Untested) -> tuple[FloatArray, tuple[Prediction, ...]]:
    sizes = _sizes(kind, largest_mb(kind))
    return sizes, kind.over(sizes.tolist())


def _sizes(kind: Untested, most: float) -> FloatArray:
    """Even steps, and both sides of the sizes at which the bounds jump."""
    jumps = [share.size_mb for share in kind.shares.sizes] + ([] if kind.knee_mb is None else [kind.knee_mb])
    edges = [size for jump in jumps for size in (jump - 0.01, jump, jump + 0.01)]
    return np.unique(np.array([*np.linspace(most / _POINTS, most, _POINTS), *edges], dtype=np.float64))


def _writes_curves(kind: Untested, sizes: FloatArray, seen: Sequence[Prediction]) -> list[Mark]:
    shares = [prediction.writes_left for prediction in seen]
    value, low, high = (
        _array([None if share is None else getattr(share, end) for share in shares], 100)
        for end in ("value", "low", "high")
    )
    tested = kind.shares.sizes
    at = np.array([share.size_mb for share in tested], dtype=np.float64)
    names = tuple(f"{mb_words(share.size_mb)}: {number(100 * (share.value or 0.0))}{THIN}%" for share in tested)
    return [
        Band("lower and upper bound", sizes, low, high, Look(_hue(kind))),
        Line("predicted", sizes, value, Look(_hue(kind), dash="dash")),
        Points("tested", at, _array([share.value for share in tested], 100), _TESTED, names),
        *_knee(kind, [share.writes_left.value if share.writes_left else None for share in _at_knee(kind)], 100),
    ]


def _overflows(kind: Untested, sizes: FloatArray, seen: Sequence[Prediction]) -> list[Mark]:
    # If only some runs overflow, their mean is not the mean of all.
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
        marks.append(Band("lower and upper bound", sizes, ends[0], ends[1], Look(_hue(kind))))
    if np.isfinite(low).any():
        name = "95 % interval across runs" if any(mean and mean.basis == "interval" for mean in means) else "range"
        marks.append(Band(name, sizes, low, high, Look(_hue(kind))))
    elif kind.bound != "exact":
        earliest = _array([prediction.not_before for prediction in seen], 1 / _MINUTE)
        marks.append(Line("earliest overflow", sizes, np.maximum(earliest, 0.0), Look("quiet", dash="dot")))
    if not marks or np.isfinite(value).any():
        marks.append(Line("predicted", sizes, value, Look(_hue(kind), dash="dash")))
    if over:
        marks.append(Points("tested", at, _array([size.overflow_s for size in over], 1 / _MINUTE), _TESTED, names))
    return marks


def _at_knee(kind: Untested) -> list[Prediction]:
    return [] if kind.knee_mb is None else [kind.at(kind.knee_mb)]


def _knee(kind: Untested, values: Sequence[float | None], factor: float) -> list[Mark]:
    if kind.knee_mb is None or not values or values[0] is None:
        return []
    name = f"highest measured need: {mb_words(math.ceil(kind.knee_mb))}"
    return [Points(name, np.array([kind.knee_mb]), _array(values, factor), _KNEE, (mb_words(math.ceil(kind.knee_mb)),))]


def _beyond(kind: Untested, most: float) -> tuple[Region, ...]:
    knee = kind.knee_mb
    if knee is None or knee >= most:
        return ()
    return (Region(f"{mb_words(math.ceil(knee))} or more: no measured VM overflows", knee, most),)


def _upright(size_mb: float, top: float) -> Line:
    return Line(f"chosen: {mb_words(size_mb)}", np.full(2, float(size_mb)), np.array([0.0, top]), _CHOSEN)


def _array(values: Sequence[float | None], factor: float) -> FloatArray:
    return factor * np.array([np.nan if value is None else value for value in values], dtype=np.float64)
