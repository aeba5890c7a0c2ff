"""Which runs the trend is of: those of every open study, and those of the history folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.trend.compute import Trend
from workbench.answers.trend.joined import Found, trends_of
from workbench.answers.trend.spec import FOLDER, MEASURE, PRIMARY
from workbench.charts.figure import Dash, Look, Marker
from workbench.measures.catalogue import MEASURES
from workbench.model.history import History
from workbench.study.history.read import read_history

_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: tuple[Marker, ...] = ("diamond", "square", "triangle", "circle", "cross")


def history_of(choices: Choices | None, measures: Sequence[str] = ()) -> History | None:
    """What the history folder of the session holds of the primary measures and of `measures`; None where there is
    none."""
    folder = "" if choices is None else str(choices.input(FOLDER, ""))
    return read_history(Path(folder), measures) if folder else None


def chosen_measures(choices: Choices) -> tuple[str, ...]:
    """The key of the measure that the user chose; empty for the primary ones."""
    name = str(choices.input(MEASURE, PRIMARY))
    return tuple(key for key, measure in MEASURES.items() if measure.name == name)


def chosen_trends(library: Library, choices: Choices, history: History | None) -> Found:
    """The trends of what is open and of the history, which was read for the chosen measures. Hidden configurations
    are left out of what is shown, and never of the family of tests: hiding others makes no step."""
    opened = [(study.name, library.groups(replace(choices, study=study.folder))) for study in library.with_runs]
    every = trends_of(opened, history, chosen_measures(choices))
    return Found(
        tuple(trend for trend in every.trends if trend.series.every[0].configuration not in choices.hidden),
        tuple(run for run in every.left_out if run.configuration not in choices.hidden),
    )


def primary_trends(library: Library, choices: Choices) -> tuple[Trend, ...]:
    """What the page shows of the primary measures, whatever measure is chosen on it, hidden configurations too."""
    choices = replace(choices, hidden=frozenset()).without_inputs(frozenset((MEASURE,)))
    return chosen_trends(library, choices, history_of(choices)).trends


def looks_of(library: Library, choices: Choices, shown: Sequence[Trend]) -> dict[str, Look]:
    """The looks that configurations have elsewhere; those of the history folder alone, and those told apart by their
    test, are given others."""
    known: dict[str, Look] = {}
    for study in library.with_runs:
        known = looks(library.groups(replace(choices, study=study.folder))) | known
    labels = list(dict.fromkeys(trend.series.configuration for trend in shown))
    spare = [label for label in labels if label not in known]
    others = {
        label: Look("other", position / max(1, len(spare) - 1), _DASHES[position % 4], _MARKERS[position % 5])
        for position, label in enumerate(spare)
    }
    return {label: known.get(label) or others[label] for label in labels}
