"""The x axis of the trend: the builds in the order in which they were tested, or the days of runs that name none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.trend.points import TrendSeries, day_of, in_order
from workbench.measures.statistics import FloatArray
from workbench.model.history import HistoryPoint

# The runs of one configuration at one build stand apart within this share of its room.
_APART = 0.4


@dataclass(frozen=True, slots=True)
class Slots:
    """The names along the axis, and the place of each run by its identity."""

    names: tuple[str, ...]
    places: dict[tuple[object, ...], int]

    def x_of(self, series: TrendSeries) -> FloatArray:
        """Where each run of a series stands: at its name, those of one name beside each other."""
        at = [self.places[run_of(point)] for point in series.points]
        counts, seen = Counter(at), Counter[int]()
        x = np.array(at, dtype=np.float64)
        for index, slot in enumerate(at):
            if counts[slot] > 1:
                x[index] += _APART * (seen[slot] / (counts[slot] - 1) - 0.5)
            seen[slot] += 1
        return x


def slots(series: Sequence[TrendSeries]) -> Slots:
    """The axis that all series share. A build that is tested again later has a second place."""
    runs = {run_of(point): point for member in series for point in member.every}
    ordered = sorted(runs.values(), key=in_order)
    names: list[str] = []
    places: dict[tuple[object, ...], int] = {}
    for point in ordered:
        name = build_words(point)
        if not names or names[-1] != name:
            names.append(name)
        places[run_of(point)] = len(names) - 1
    return Slots(tuple(names), places)


def run_of(point: HistoryPoint) -> tuple[object, ...]:
    """What tells the run of a point from every other run."""
    date = None if point.date is None else point.date.seconds
    return point.study, point.run, point.configuration, date, point.build, point.sources


def build_words(point: HistoryPoint) -> str:
    """The build of a run; its day where it names none, its name where it has no day either."""
    return point.build or day_words(point) or point.run


def day_words(point: HistoryPoint) -> str:
    """`2026-03-02` in UTC; empty without a date."""
    return "" if point.date is None else day_of(point.date)
