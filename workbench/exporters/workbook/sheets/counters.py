"""What the figures were read from: the counters of each run."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.exporters.workbook.cells import Value
from workbench.exporters.workbook.rows import StudyGroups
from workbench.model.metric import UNITS
from workbench.model.recording import Series

# More lines than this are no longer read.
_MOST_COUNTERS = 2_000


def counters(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    """One line per run and counter: how many series and machines it has, and what it is taken for."""
    lines: list[tuple[Value, ...]] = []
    for study in studies:
        for run in study.study.runs:
            kinds: dict[tuple[str, ...], list[Series]] = {}
            for recording in run.recordings:
                for series in recording.series:
                    if series.metric is not None:
                        kinds.setdefault(_kind(series), []).append(series)
            for (name, thing, unit, taken), kind in kinds.items():
                machines = len({series.vm or series.host for series in kind})
                lines.append((study.study.name, run.name, name, thing, unit, len(kind), machines, taken))
    return lines[:_MOST_COUNTERS]


def _kind(series: Series) -> tuple[str, str, str, str]:
    metric = series.metric
    assert metric is not None
    words = [str(metric.vantage or "vantage unknown"), str(metric.tier or ""), metric.quantity.replace("_", " ")]
    estimate = "an estimate" if metric.estimate else ""
    taken = ", ".join(word for word in (*words, estimate) if word)
    return series.counter, series.object, UNITS[metric.quantity], taken
