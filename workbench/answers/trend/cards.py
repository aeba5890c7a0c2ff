"""Cards of the trend: what changed, by how much, and with which build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.answers.trend.compute import Outcome, Step, Trend
from workbench.answers.trend.sentences import build_text, candidates, likely_text, measure_text, size_text, slope_text
from workbench.charts.cards import Card
from workbench.charts.figure import Look

# As many as stand side by side on a laptop.
_MOST = 4
_QUIET = Look("quiet")


def trend_cards(trends: Sequence[Trend], looks: Mapping[str, Look]) -> tuple[Card, ...]:
    """A card for each step and then for each drift, in the order of the charts; of more than fit the largest steps. Of
    nothing shown, how many series that is of."""
    steps = [(trend, step) for trend in trends if trend.outcome is Outcome.STEP for step in trend.steps]
    largest = sorted(steps, key=lambda pair: -pair[1].size)[:_MOST]
    cards = [_step(trend, step, looks[trend.series.configuration]) for trend, step in steps if (trend, step) in largest]
    cards += [_drift(trend, looks[trend.series.configuration]) for trend in trends if trend.outcome is Outcome.DRIFT]
    cards += [
        _unclear(trend, looks[trend.series.configuration]) for trend in trends if trend.outcome is Outcome.UNCLEAR
    ]
    return tuple(cards[:_MOST]) or (_nothing(trends),)


def _step(trend: Trend, step: Step, look: Look) -> Card:
    series = trend.series
    names, build = candidates(step, series), build_text(step)
    where = "step within this build" if step.same_build else "step from here on"
    return Card(
        f"{series.configuration}: {measure_text(series)}",
        look,
        build[:1].upper() + build[1:],
        f"or another of {likely_text(step, series)}" if len(names) > 1 else "",
        size_text(step, series),
        f"{step.verdict.value} · {where}",
    )


def _drift(trend: Trend, look: Look) -> Card:
    series = trend.series
    value, _, ends = slope_text(trend).partition(" [")
    number, _, unit = value.rpartition("\u2009")
    verdict = f"{trend.verdict.value} · " if trend.verdict is not None else ""
    return Card(
        f"{series.configuration}: {measure_text(series)}",
        look,
        number or value,
        unit,
        "drift, from the first run to the last",
        f"{verdict}[{ends}" if ends else verdict,
    )


def _unclear(trend: Trend, look: Look) -> Card:
    step = trend.largest
    assert step is not None
    card = _step(trend, step, look)
    return replace(card, note=f"a step at {build_text(step)}, or a drift: these runs do not show which")


def _nothing(trends: Sequence[Trend]) -> Card:
    tested = [trend for trend in trends if trend.outcome is not Outcome.TOO_FEW]
    if not tested:
        most = max((len(trend.series.starts) for trend in trends), default=0)
        needed = max((trend.needed for trend in trends), default=0)
        return Card(
            "Sessions", _QUIET, str(most), f"of {needed}", "cannot be judged: too few sessions", "of one configuration"
        )
    runs = max(len(trend.series.points) for trend in tested)
    return Card(
        "Changes", _QUIET, "0", f"in {len(tested)} series", "no step and no drift shown", f"up to {runs} runs each"
    )
