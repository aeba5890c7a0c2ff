"""Findings of the trend: which build changed a primary measure, by how much, and what drifts over the runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.answers.findings.compute import Finding, Said, Strength, effect_size, strength_of
from workbench.answers.findings.words import Asked, Subject, capital, change_sentence, in_phase
from workbench.answers.trend.compute import Outcome, Step, Trend, trends
from workbench.answers.trend.figures import CHART
from workbench.answers.trend.points import series_of, study_points
from workbench.answers.trend.sentences import (
    build_text,
    candidates,
    explanations,
    likely_text,
    other_explanations,
    slope_text,
    trend_sentence,
)
from workbench.measures.statistics import MARGIN

_SHAPE = "A drift differs from a step in how well each fits the runs."


def trend_findings(asked: Asked) -> Iterator[Finding]:
    """A finding for each step, and for each drift, of the runs of the study. Hidden configurations have none, and are
    of the family of tests."""
    shown = {group.label for group in asked.groups}
    for trend in trends(series_of(study_points(asked.study, asked.family or asked.groups))):
        if trend.series.every[0].configuration not in shown:
            continue
        if trend.outcome is Outcome.STEP:
            for step in trend.steps:
                yield _step(asked, trend, step)
        elif trend.outcome in (Outcome.DRIFT, Outcome.UNCLEAR):
            yield _drift(asked, trend)


def _step(asked: Asked, trend: Trend, step: Step) -> Finding:
    series, measure = trend.series, trend.series.measure
    subject = Subject(
        _changed_by(step),
        "the runs before",
        measure.within,
        f"{in_phase(series.phase)} of {series.configuration}",
        step.change.value,
        step.change.baseline_value,
        measure.unit,
        measure.change_unit,
    )
    said = change_sentence(subject, step.change, step.verdict, step.reason, MARGIN)
    names = candidates(step, series)
    may = [f"The step may be of {likely_text(step, series)}: these have 95 % of the chance."] if len(names) > 1 else []
    return _finding(
        asked,
        trend,
        f"step-{step.index}",
        said,
        strength_of(step.change, step.verdict, MARGIN, primary=True),
        effect_size(step.change.ratio),
        (*may, *explanations(step), *trend.notes),
        step,
    )


def _changed_by(step: Step) -> str:
    if step.same_build:
        return f"Something within {build_text(step)}"
    return capital(build_text(step)) if step.point.build else f"Something before {build_text(step)}"


def _drift(asked: Asked, trend: Trend) -> Finding:
    text = trend_sentence(replace(trend, beside=())).rstrip(".")
    said = Said(text, text.partition(" (p ")[0], slope_text(trend).partition(" [")[0])
    size = abs(trend.slope.change) if trend.slope is not None else 0.0
    return _finding(
        asked,
        trend,
        "drift",
        said,
        Strength.INDICATIVE,
        effect_size(1 + size),
        (_SHAPE, *other_explanations(trend.beside), *trend.notes),
        trend.largest,
    )


def _finding(
    asked: Asked,
    trend: Trend,
    what: str,
    said: Said,
    strength: Strength,
    size: float,
    caveats: tuple[str, ...],
    step: Step | None,
) -> Finding:
    series = trend.series
    members = [group for group in asked.groups if group.label == series.configuration]
    return Finding(
        asked.key("trend", series.key, what),
        said.text,
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
        change=step.change if step is not None and trend.outcome is Outcome.STEP else None,
        size=size,
        weight=0.95,
        about=asked.about(f"trend/{series.measure.key}/{what}", members, None, series.phase),
        short=said.short,
        number=said.number,
    )
