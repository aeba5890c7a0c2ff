"""The mean of a figure over the runs of a configuration, with what is known about its uncertainty.

n >= 3: mean +/- t(0.975, n - 1) x standard deviation / sqrt(n), a 95 % interval of the mean (Student, 1908), on the
plain figures, as their mean is what is shown; n = 2: the range; n = 1: nothing. The interval of a *change* between
configurations is another question, answered by `compare` on logs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.measures.statistics import CONFIDENCE, INTERVAL_RUNS, Basis
from workbench.measures.student import reach_of


@dataclass(frozen=True, slots=True)
class Mean:
    """`low` and `high` are the ends of the interval, or of the range of two runs; None for a single run."""

    value: float
    low: float | None
    high: float | None
    basis: Basis
    n: int

    @property
    def half_width(self) -> float | None:
        """Half of the interval, None where there is only a range or nothing."""
        return None if self.basis != "interval" or self.high is None else self.high - self.value


def mean_of(values: Sequence[float]) -> Mean | None:
    """The mean of one figure per run; None when no run has it."""
    if not values:
        return None
    # In plain arithmetic: of a few numbers NumPy takes ten times as long, and a table has thousands of cells.
    numbers, n = [*map(float, values)], len(values)
    centre = sum(numbers) / n
    if n >= INTERVAL_RUNS:
        variance = sum((number - centre) * (number - centre) for number in numbers) / (n - 1)
        reach = reach_of(CONFIDENCE, n - 1) * math.sqrt(variance) / math.sqrt(n)
        return Mean(centre, centre - reach, centre + reach, "interval", n)
    if n == 1:
        return Mean(centre, None, None, "single", 1)
    # Of a number that is none `min` and `max` say whichever comes first.
    low, high = (centre, centre) if math.isnan(centre) else (min(numbers), max(numbers))
    return Mean(centre, low, high, "range", 2)
