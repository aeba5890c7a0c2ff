"""The text of a trend: the metric that changed, the size, the build, and other possible causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.answers.common.change_words import RATIO, change_ends_words, change_words, p_words, signed_difference
from workbench.answers.trend.compute import Possible, Trend, TrendOutcome, TrendStep
from workbench.answers.trend.joined import LeftOut
from workbench.answers.trend.points import TrendSeries, build_words
from workbench.measures.measure import Measure, value_words
from workbench.measures.statistics import CONFIDENCE
from workbench.model.problem import all_named, begun
from workbench.words.captions import named
from workbench.words.metrics import in_phase, is_or_are, phase_words
from workbench.words.numbers import MISSING, THIN, bracketed, plural, signed

QUESTION = "Which build changed the results?"
METHOD = (
    "The E-divisive method searches each series for steps and drifts",
    "A step counts if the Holm-corrected permutation test gives p < 0.05",
    "The Bayesian information criterion decides between step and drift",
    "Change compares the means after and before the step (95 % interval)",
)
# Maximum number of builds of a step that are named one by one.
_NAMED = 3


def measure_text(series: TrendSeries) -> str:
    """The metric and the phase as text: `IOPS per VM, steady state`."""
    return f"{series.measure.name}, {phase_words(series.phase)}"


def unit_text(measure: Measure) -> str:
    """The unit next to the name of a metric; empty if the name contains it. A total counts operations."""
    return "operations" if measure.unit == "I/O" else measure.shown_unit


def within_text(series: TrendSeries) -> str:
    """The subject of a trend for the beginning of a sentence: `IOPS per VM in steady state with MCS`."""
    return f"{series.measure.name} {in_phase(series.phase)} with {named(series.configuration)}"


def build_text(step: TrendStep | Possible) -> str:
    """The build of a run as text: `build 22H2.7`, or `2026-03-02` for a run without a build."""
    return f"build {step.point.build}" if step.point.build else f"the run of {build_words(step.point)}"


def size_text(step: TrendStep, series: TrendSeries) -> str:
    """The size of a step as text: `+12.3 % [+11.0, +13.6]`, or `from 0 to 500 MB` if a mean is 0, because a percentage
    is then impossible.
    """
    if means := _from_or_to_zero(step, series):
        return means
    unit = series.measure.change_unit
    ends = change_ends_words(step.change, unit).removesuffix(unit).rstrip(THIN)
    return f"{change_words(step.change, unit)}{'' if ends == MISSING else f' {ends}'}"


def _from_or_to_zero(step: TrendStep, series: TrendSeries) -> str:
    """The change from or to 0 as text: `from 0 to 500 MB`; empty if neither mean is 0."""
    before, behind, measure = step.change.baseline_value, step.change.value, series.measure
    if measure.change_unit != RATIO or before is None or behind is None or (before and behind):
        return ""
    texts = (value_words(value, measure.unit) for value in (before, behind))
    return f"from {' to '.join(texts)}{'' if measure.unit in ('%', 's') else THIN + measure.unit}".rstrip(THIN)


def slope_text(trend: Trend) -> str:
    """`+8.0 % [+6.0, +10.1]` from the first run to the last, for shares `+8.0 pp [+6.0, +10.1]`; — without a drift."""
    if trend.slope is None:
        return MISSING
    values, measure = (trend.slope.change, trend.slope.low, trend.slope.high), trend.series.measure
    if trend.series.on_logs:
        change, low, high = (signed(100 * value, 1) for value in values)
        return f"{change}{THIN}% {bracketed(low, high)}"
    # Without a ratio, for example with values of 0, a drift is a difference in the unit of the metric.
    unit = measure.unit if measure.change_unit == RATIO else measure.change_unit
    change, low, high = (signed_difference(value, unit) for value in values)
    return f"{f'{change}{THIN}{unit}'.rstrip(THIN)} {bracketed(low, high)}"


def candidates(step: TrendStep, series: TrendSeries) -> tuple[str, ...]:
    """The builds that may have caused the step, in their order: those of the runs at its possible places."""
    first, last = step.ends
    indices = {place.index for place in step.places}
    points = [
        point
        for at in range(first, last + 1)
        if at in indices
        for point in (*series.partial_before(at), *series.session_at(at))
    ]
    return tuple(dict.fromkeys(build_words(point) for point in points))


def likely_text(step: TrendStep, series: TrendSeries) -> str:
    """The builds that together have a probability of 95 %, as text: `7`, `6 or 7`, `5 to 9 (5 builds)`."""
    names = candidates(step, series)
    if len(names) <= _NAMED:
        return " or ".join(names)
    return f"{names[0]} to {names[-1]} ({len(names)} builds)"


def outcome_text(trend: Trend) -> str:
    """The outcome: `step at build 7`, `drift`, `step or drift, unclear which`,
    `cannot be judged with 5 test days (8 needed)`, `possible step at build 12`, `no change found`."""
    if trend.outcome is TrendOutcome.STEP:
        inside = [step for step in trend.steps if step.same_build]
        names = " and ".join(build_text(step) for step in trend.steps)
        return f"step {'within' if inside and len(trend.steps) == 1 else 'at'} {names}"
    if trend.outcome is TrendOutcome.UNCLEAR:
        return "a step or a drift (unclear which)"
    if trend.outcome is TrendOutcome.TOO_FEW:
        return f"cannot be judged with {plural(len(trend.series.starts), 'test day')} ({trend.needed} needed)"
    if trend.possible is not None:
        return f"possible step at {build_text(trend.possible)}"
    return "no change found" if trend.outcome is TrendOutcome.NONE else trend.outcome.value


def step_sentence(trend: Trend, step: TrendStep) -> str:
    """A step as a sentence: `IOPS per VM in steady state with MCS: +12.3 % [+11.0, +13.6] since build 7 (6 earlier
    runs, …).`
    """
    counts = f"{step.runs[0]} earlier runs, {step.runs[1]} later runs, {_in_sessions(step)}p {_p(step.p)}"
    size = size_text(step, trend.series)
    return f"{within_text(trend.series)}: {size} since {build_text(step)} ({counts}). {why_text(trend, step)}".strip()


def trend_sentence(trend: Trend) -> str:
    """The result for a series, in a line or two."""
    if trend.outcome is TrendOutcome.STEP:
        return " ".join(step_sentence(trend, step) for step in trend.steps)
    if trend.outcome is TrendOutcome.DRIFT:
        count = len(trend.series.points)
        text = f"{drift_text(trend)} from the first of {count} runs to the last (p {_p(trend.p)})."
        return " ".join([text, *other_explanations(trend.beside)])
    if trend.outcome is TrendOutcome.UNCLEAR and trend.largest is not None:
        step = trend.largest
        as_step = f"step since {build_text(step)}: {size_text(step, trend.series)}"
        return f"{unclear_text(trend)} ({as_step}; drift over all runs: {slope_text(trend)})."
    if trend.possible is not None:
        return f"{possible_text(trend, trend.possible)}. {confirming_text(trend.possible)}"
    return f"{within_text(trend.series)}: {outcome_text(trend)}."


def unclear_text(trend: Trend) -> str:
    """A change of unclear shape as text: `Either a step or a drift changed IOPS per VM in steady state with MCS`."""
    series = trend.series
    what = f"{series.measure.within} {in_phase(series.phase)} with {named(series.configuration)}"
    return f"Either a step or a drift changed {what}"


def drift_text(trend: Trend) -> str:
    """The drift as text: `IOPS per VM in steady state with MCS drift by +8.0 % [+6.0, +10.1]`."""
    verb = "drift" if is_or_are(trend.series.measure.name) == "are" else "drifts"
    return f"{within_text(trend.series)} {verb} by {slope_text(trend)}"


def possible_text(trend: Trend, step: Possible) -> str:
    """A step that cannot be confirmed yet as text: `… may have a step of +18.4 % at build 12`."""
    size = "" if step.ratio is None else f" of {signed(100 * (step.ratio - 1), 1)}{THIN}%"
    return f"{within_text(trend.series)} may have a step{size} at {build_text(step)}"


def confirming_text(step: Possible) -> str:
    """The runs that would confirm such a step, as a sentence."""
    # A further run of the same session would not count.
    days = "on another test day" if step.more == 1 else "on different test days"
    return f"Add {plural(step.more, 'run')} of this build {days} to confirm the step."


def _in_sessions(step: TrendStep) -> str:
    """The numbers of sessions as text: `on 3 and 4 test days, `; empty if each run is a session."""
    sessions = step.change.n_baseline, step.change.n
    return "" if sessions == step.runs else f"on {sessions[0]} and {sessions[1]} test days, "


def why_text(trend: Trend, step: TrendStep) -> str:
    """Facts about a step that a user must know: the other possible builds, and other explanations."""
    names = candidates(step, trend.series)
    may = f"With {100 * CONFIDENCE:.0f}{THIN}% probability the build is {likely_text(step, trend.series)}."
    return " ".join([*([may] if len(names) > 1 else []), *explanations(step)])


def explanations(step: TrendStep) -> list[str]:
    """Other possible causes of a step than the named build, a sentence each."""
    inside = ["The build is the same before and after the step, so it is not the cause."] if step.same_build else []
    return [*inside, *other_explanations(step.beside)]


def other_explanations(reasons: Sequence[str]) -> list[str]:
    """Other changes, one sentence each."""
    return [f"Another explanation: {reason}." for reason in reasons]


def note_text(trend: Trend) -> str:
    """The text of a table's last column for a trend."""
    parts = [part for step in trend.steps for part in explanations(step)] or other_explanations(trend.beside)
    return " ".join([*parts, *(f"{begun(note)}." for note in trend.notes)])


def noted_texts(trend: Trend) -> list[str]:
    """The notes on a trend as sentences that begin with its configuration."""
    split, name = trend.series.split, trend.series.configuration
    return [f"{note}." if note == split else f"{named(name)}: {note}." for note in trend.notes]


def left_out_text(runs: Sequence[LeftOut]) -> str:
    """The number of excluded runs as text: `3 runs excluded, 1 of them a copy`; empty if there are none."""
    copies = sum(run.is_copy for run in runs)
    of_them = "" if not copies else ", a copy" if copies == len(runs) == 1 else f", {copies} of them copies"
    return f"{_counted(len(runs), 'run')} excluded{of_them}" if runs else ""


def split_text(trends: Sequence[Trend]) -> str:
    """`MCS is split by tests (see the Notes column)`; empty if no configuration has several series."""
    names = dict.fromkeys(trend.series.every[0].configuration for trend in trends if trend.series.split)
    return (
        f"{all_named(list(names))} {'is' if len(names) == 1 else 'are'} split by tests (see the Notes column)"
        if names
        else ""
    )


def summary_text(trends: Sequence[Trend]) -> str:
    """The numbers of steps and drifts as text: `2 steps, 1 drift in 6 series`."""
    if not trends:
        return "No series"
    counts = {outcome: sum(trend.outcome is outcome for trend in trends) for outcome in TrendOutcome}
    steps = sum(len(trend.steps) for trend in trends if trend.outcome is TrendOutcome.STEP)
    parts = [
        _counted(steps, "step"),
        _counted(counts[TrendOutcome.DRIFT], "drift"),
        f"{counts[TrendOutcome.UNCLEAR]} step or drift" if counts[TrendOutcome.UNCLEAR] else "",
    ]
    if counts[TrendOutcome.TOO_FEW] == len(trends):
        return f"{_counted(len(trends), 'series')} {'has' if len(trends) == 1 else 'have'} too few test days"
    return f"{', '.join(part for part in parts if part) or 'No change found'} in {_counted(len(trends), 'series')}"


def too_few_lines(trends: Sequence[Trend]) -> Iterator[str]:
    """The number of series without a change, and of those that could not be tested."""
    none = sum(trend.outcome is TrendOutcome.NONE for trend in trends)
    few = sum(trend.outcome is TrendOutcome.TOO_FEW for trend in trends)
    if none:
        yield f"No change was found in {none} series"
    if few:
        yield f"{few} series {'has' if few == 1 else 'have'} too few test days"


def _counted(count: int, noun: str) -> str:
    plural = "" if noun == "series" or count == 1 else "s"
    return f"{count} {noun}{plural}" if count else ""


def _p(p: float | None) -> str:
    words = p_words(p)
    return words if words.startswith("<") else f"= {words}"


def signed_size(step: TrendStep, series: TrendSeries) -> str:
    """Only the size, for a flag: `+12.3 %`."""
    return _from_or_to_zero(step, series) or change_words(step.change, series.measure.change_unit)
