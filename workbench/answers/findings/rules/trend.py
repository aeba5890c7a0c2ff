"""Findings of the trend: the build that changed a primary measure, the size of the change, and drifts over the runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from workbench.answers.common.change_words import as_caveats, change_ends_words, change_words, margin_words, n_words
from workbench.answers.findings.compute import (
    Finding,
    Said,
    Strength,
    effect_size,
    strength_of,
    strength_of_rise,
    weaker,
)
from workbench.answers.findings.words import Asked, Subject, change_sentence, rise_from_zero
from workbench.answers.trend.compute import Possible, Trend, TrendOutcome, TrendStep, drift_ratio, trends
from workbench.answers.trend.figures import CHART
from workbench.answers.trend.parted import series_of
from workbench.answers.trend.points import study_points
from workbench.answers.trend.sentences import (
    build_text,
    candidates,
    confirming_text,
    drift_text,
    explanations,
    likely_text,
    other_explanations,
    possible_text,
    slope_text,
    trend_sentence,
    unclear_text,
)
from workbench.answers.trend.spec import MEASURE, PRIMARY
from workbench.measures.statistics import MARGIN, Verdict
from workbench.words.captions import capital, named
from workbench.words.metrics import in_phase
from workbench.words.numbers import THIN

_SHAPE = "A step and a drift can look alike. Add runs to separate them."
_IN_TIME = "Another change over time may be the cause. Test the previous build again on another day."


def trend_findings(asked: Asked) -> Iterator[Finding]:
    """A finding for each step and each drift that the page Trend shows, in the study of its runs. Hidden configurations
    have no findings, but count in the correction for multiple tests."""
    if asked.trends is None:
        every = trends(series_of(study_points(asked.study, asked.family or asked.groups)))
    else:
        every = tuple(asked.trends())
    shown = {run.run.folder for group in asked.groups for run in group.runs}
    for trend in every:
        if trend.outcome is TrendOutcome.STEP:
            yield from (_step(asked, trend, step) for step in trend.steps if _home(trend, step.index) in shown)
        elif (
            trend.outcome in (TrendOutcome.DRIFT, TrendOutcome.UNCLEAR)
            and _home(trend, len(trend.series.points)) in shown
        ):
            yield _drift(asked, trend)
        elif trend.possible is not None and _home(trend, trend.possible.index) in shown:
            yield _possible(asked, trend, trend.possible)


def _home(trend: Trend, index: int) -> str:
    """The folder of the run to whose study a change before the run at `index` belongs. This is the first open run after
    the change, otherwise the last one before it. Empty if the runs are only in the history folder."""
    points = trend.series.points
    return next((point.folder for point in (*points[index:], *points[:index][::-1]) if point.folder), "")


def _step(asked: Asked, trend: Trend, step: TrendStep) -> Finding:
    series, measure = trend.series, trend.series.measure
    subject = Subject(
        _changed_by(step),
        "earlier runs",
        f"{measure.within} of {named(series.configuration)}",
        in_phase(series.phase),
        step.change.value,
        step.change.baseline_value,
        measure.unit,
        measure.change_unit,
        "in",
    )
    before, behind = ([point.value for point in side] for side in trend.sides_of(step))
    # With a value of 0 there is no ratio to test.
    from_zero = step.change.basis == "single"
    if from_zero:
        sentence, strength = rise_from_zero(subject, behind, before), strength_of_rise(behind, before)
    else:
        sentence = _sentence(subject, step)
        # Builds always follow each other in time, so a step is never strong.
        strength = weaker(strength_of(step.change, step.verdict, MARGIN), Strength.INDICATIVE)
    names = candidates(step, series)
    likely = f"Possible builds: {likely_text(step, series)} (95 % probability in total). Add runs of these builds."
    may = [likely] if len(names) > 1 else []
    in_time = [_IN_TIME] if step.point.build and not step.same_build else []
    found = _finding(
        asked,
        trend,
        f"step-{step.index}",
        sentence,
        strength,
        0.0 if step.verdict is Verdict.SAME else effect_size(step.change.ratio),
        (*sentence.caveats, *in_time, *may, *explanations(step), *_notes(trend)),
        step,
    )
    return replace(found, order="blocked" if in_time else None)


def _sentence(subject: Subject, step: TrendStep) -> Said:
    """The step in words. A step within the margin is described as a small change."""
    if step.verdict is not Verdict.SAME:
        said = change_sentence(subject, step.change, step.verdict, as_caveats(step.reason), MARGIN)
        ours, theirs = subject.amounts
        return replace(said, short=f"{said.brief} ({theirs} → {ours})") if said.brief else said
    change = change_words(step.change, subject.change_unit)
    ends = change_ends_words(step.change, subject.change_unit).removesuffix(subject.change_unit).rstrip(THIN)
    head = f"{subject.configuration} changes {subject.what} only slightly"
    within = f"within {margin_words(MARGIN)}"
    return Said(f"{head} ({change} {ends}, {within}, {n_words(step.change)})", f"{head} ({change}, {within})", change)


def _changed_by(step: TrendStep) -> str:
    if step.same_build:
        return f"A change within {build_text(step)}"
    return capital(build_text(step)) if step.point.build else f"A change before {build_text(step)}"


def _notes(trend: Trend) -> Iterator[str]:
    """The notes as sentences. A configuration name at the start of a note is not capitalised."""
    return (f"{note if note == trend.series.split else capital(note)}." for note in trend.notes)


def _drift(asked: Asked, trend: Trend) -> Finding:
    text, slope = trend_sentence(replace(trend, beside=())).removesuffix("."), slope_text(trend).partition(" [")[0]
    verdicts = {trend.verdict, *(step.verdict for step in trend.steps)}
    beyond = bool(verdicts - {None, Verdict.SAME, Verdict.INCONCLUSIVE})
    runs = f"over {len(trend.series.points)} runs"
    short = f"{drift_text(trend).partition(' [')[0]} {runs}"
    if trend.outcome is TrendOutcome.UNCLEAR:
        short = f"{unclear_text(trend)} ({slope} {runs})"
    sentence = Said(text, short, slope)
    return _finding(
        asked,
        trend,
        "drift",
        sentence,
        Strength.INDICATIVE,
        effect_size(drift_ratio(trend)) if beyond else 0.0,
        (_SHAPE, *other_explanations(trend.beside), *_notes(trend)),
        trend.largest,
    )


def _possible(asked: Asked, trend: Trend, step: Possible) -> Finding:
    """A step at the end that these runs cannot show yet."""
    text, caveats = possible_text(trend, step), (confirming_text(step), *_notes(trend))
    return _finding(asked, trend, "possible", Said(text, text), Strength.INCONCLUSIVE, 0.0, caveats, None)


def _finding(
    asked: Asked,
    trend: Trend,
    what: str,
    sentence: Said,
    strength: Strength,
    size: float,
    caveats: tuple[str, ...],
    step: TrendStep | None,
) -> Finding:
    series = trend.series
    members = [group for group in asked.groups if group.label == series.every[0].configuration]
    return Finding(
        asked.key("trend", series.key, what),
        sentence.text,
        "trend",
        strength,
        "trend",
        "",
        series.phase,
        None,
        tuple(point.folder for point in series.points if point.folder),
        (series.measure.key,),
        caveats,
        series.configuration,
        figure=CHART,
        change=step.change if _has_ratio(step, trend) else None,
        size=size,
        weight=0.95,
        # The page may show another measure.
        inputs=((MEASURE, PRIMARY),),
        about=asked.about(f"trend/{series.measure.key}/{what}", members, None, series.phase),
        short=sentence.short,
        number=sentence.number,
    )


def _has_ratio(step: TrendStep | None, trend: Trend) -> TypeGuard[TrendStep]:
    """True if the finding is a step whose change is in percent."""
    return step is not None and trend.outcome is TrendOutcome.STEP and step.change.basis != "single"
