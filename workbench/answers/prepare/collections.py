"""The questions that common collections of counters cannot answer, and the missing counters.

`resources/collections.toml` lists the collections. The meaning of a counter comes from the catalogue, as in the
readers.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from workbench.answers.prepare.questions import QUESTIONS, CounterNeed, Extra, Part, Place, Question, counters_of
from workbench.model.metric import Quantity
from workbench.model.resources import resource
from workbench.readers.common.counters import Collected, metric_of
from workbench.readers.perfmon.header import split_path


@dataclass(frozen=True, slots=True)
class Collection:
    """A set of counters: its name, the place of its configuration, the seconds between two samples, and the paths."""

    name: str
    where: str
    source: str
    interval_s: float
    counters: tuple[str, ...]

    @property
    def quantities(self) -> frozenset[Quantity]:
        """The quantities that its counters measure in a desktop."""
        paths = [split_path(rf"\\any{path}") for path in self.counters]
        metrics = [
            metric_of(path.object, "_Total" if path.instance == "*" else path.instance, path.counter) for path in paths
        ]
        return frozenset(metric.quantity for metric in metrics if metric is not None)

    def lacks(self, question: Question) -> tuple[Collected, ...]:
        """The further counters of desktops that are needed to answer the question. Empty if none is missing, or if no
        counter answers the question."""
        needs = [need for need in question.needs if need.needed and Place.GUEST in need.places]
        return tuple(dict.fromkeys(counter for need in needs for counter in self._missing(need)))

    def _missing(self, need: CounterNeed) -> tuple[Collected, ...]:
        ways = [way for way in need.alternatives if not any(isinstance(part, Extra) for part in way)]
        if not ways or any(self._has(way) for way in ways):
            return ()
        return tuple(
            counter
            for counter in counters_of(ways[0], Place.GUEST, need.only)
            if counter.tool == "perfmon" and counter.quantity not in self.quantities
        )

    def _has(self, way: Sequence[Part]) -> bool:
        return set(way) <= self.quantities


@cache
def collections() -> tuple[Collection, ...]:
    """Every collection of the file."""
    table = tomllib.loads(resource("collections.toml").read_text("utf-8"))
    return tuple(Collection(**{**entry, "counters": tuple(entry["counters"])}) for entry in table["collection"])


def unanswered(collection: Collection, questions: Sequence[str]) -> dict[str, tuple[Collected, ...]]:
    """The questions that a collection cannot answer, with the missing counters; no counters if its samples are only too
    far apart."""
    asked = [QUESTIONS[key] for key in questions]
    found = {question.key: collection.lacks(question) for question in asked}
    late = {
        question.key
        for question in asked
        if collection.interval_s > question.interval_s
        and any(isinstance(part, Quantity) for need in question.needs[:1] for part in need.alternatives[0])
    }
    return {key: lacking for key, lacking in found.items() if lacking or key in late}


def data_collection_rule(counters: Sequence[Collected], interval_s: int) -> str:
    """A data source of a data collection rule with those of these counters that AVD Insights does not have, as JSON.

    Its elements: learn.microsoft.com, Microsoft.Insights dataCollectionRules, `performanceCounters`.
    """
    known = collections()[0].quantities
    paths = dict.fromkeys(c.name for c in counters if c.tool == "perfmon" and c.quantity not in known)
    source = {
        "name": "vdi-workbench",
        "streams": ["Microsoft-Perf"],
        "samplingFrequencyInSeconds": interval_s,
        "counterSpecifiers": list(paths),
    }
    return json.dumps({"dataSources": {"performanceCounters": [source]}}, indent=2) + "\n"
