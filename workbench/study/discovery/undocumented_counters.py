"""Counters without vendor documentation: reported once for each study whose metrics use them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.readers.common.counters import witness_of


def witness_problems(study: str, runs: Iterable[Run]) -> list[Problem]:
    """Returns a note for each witness that a study's metrics depend on, with its counters."""
    counters: dict[str, set[str]] = defaultdict(set)
    of_caches = set()
    for run in runs:
        for recording in run.recordings:
            for series in recording.series:
                if series.metric is not None and (witness := witness_of(series.object, series.counter)):
                    counters[witness].add(f"'{series.object}\\{series.counter}'")
                    if series.metric.quantity.startswith("cache"):
                        of_caches.add(witness)
    return [
        _problem(study, witness, sorted(names, reverse=True), witness in of_caches)
        for witness, names in counters.items()
    ]


def _problem(study: str, witness: str, names: list[str], of_caches: bool) -> Problem:
    shown = " and ".join(names)
    action = (
        "imported as bytes of cache use; compare the values with the size of a cache file"
        if of_caches
        else "imported with this meaning; check the values before you publish them"
    )
    return Problem(
        Severity.INFO,
        study,
        "one-witness",
        f"{shown} {'is' if len(names) == 1 else 'are'} known only from {witness}.",
        action,
    )
