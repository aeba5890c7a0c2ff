"""Figures out of the JSON that `vdiwb summary` has written, to be laid beside those of another day."""

from __future__ import annotations

from typing import Any

from workbench.answers.changes.kept import KeptFigures, KeptPhase, KeptRun, KeptStudy
from workbench.answers.common.document import SUMMARY_SCHEMA
from workbench.measures.catalogue import MEASURES


class SummaryError(ValueError):
    """It is no summary; the message is a sentence for the user."""


def figures_of_summary(raw: Any, name: str) -> KeptFigures:
    """The figures of a decoded summary as one study; null is not available. Moments are left out: the summary writes
    them as dates. Runs are known by their names. Raises SummaryError with a sentence that names the file."""
    if not isinstance(raw, dict) or raw.get("schema") != SUMMARY_SCHEMA:
        raise SummaryError(f"{name} is not JSON of 'vdiwb summary'. Write it with 'vdiwb summary PATH --format json'.")
    try:
        runs = tuple(_run(run) for run in raw["runs"])
    except (KeyError, TypeError, AttributeError) as error:
        raise SummaryError(f"{name} is damaged: a run lacks what every summary has ({error}).") from error
    return KeptFigures({}, (KeptStudy("", "", runs, (), (), ()),))


def _run(run: dict[str, Any]) -> KeptRun:
    phases = tuple(KeptPhase(phase["phase"], _values(phase)) for phase in run["phases"])
    return KeptRun(run["run"], run["run"], run["configuration"], run["excluded"], phases)


def _values(phase: dict[str, Any]) -> dict[str, float]:
    values = {key: phase.get(key) for key, measure in MEASURES.items() if not measure.moment}
    if damaged := [key for key, value in values.items() if isinstance(value, bool | str)]:
        raise TypeError(f"{damaged[0]} is not a number")
    return {key: float(value) for key, value in values.items() if isinstance(value, int | float)}
