"""The change that runs could have shown, and the number of runs needed to show a change.

The upper 80 % limit of the variation between runs is used, s × √(f ÷ χ²(0.2; f)), because three runs may agree by
chance. Four of five studies find a change of at least (t(1 − level ÷ 2) + t(0.8)) × standard error. A verdict also
needs a change beyond the margin, which gives margin + t(0.8) × standard error as a second bound. `level` is the one of
the comparison, after the adjustment for the other comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from workbench.measures.statistics import INTERVAL_RUNS, SIGNIFICANT, Scale, reach_of

# Probability of the variation limit, and the share of studies that find an existing change.
LIMIT = POWER = 0.80
MOST_RUNS = 1000
# From here, t is the normal distribution with two terms of its expansion, accurate to 10⁻⁶.
_MANY = 60.0
# Variation below this share is rounding.
_NONE = 1e-9


@dataclass(frozen=True, slots=True)
class Scatter:
    """The variation between the runs of one side: its upper 80 % limit on the scale of the test (logs, or shares of the
    baseline mean), and the number of runs."""

    limit: float
    runs: int


def scatter_of(values: Sequence[float], scale: Scale = "logs", unit: float = 1.0) -> Scatter | None:
    """The variation between runs; None for fewer than two runs, without variation, or if a value is 0."""
    if len(values) < 2 or (scale == "logs" and min(values) <= 0):
        return None
    numbers = np.log(values) if scale == "logs" else np.asarray(values, dtype=np.float64) / unit
    deviation = float(np.std(numbers, ddof=1))
    freedom = len(values) - 1
    if not _NONE < deviation < math.inf:
        return None
    return Scatter(deviation * math.sqrt(freedom / chi_square(1 - LIMIT, freedom)), len(values))


def detectable(base: Scatter, ours: Scatter, level: float, margin: float = 0.0) -> float:
    """The smallest change that four of five such studies find, in logs (or as a share of the baseline mean)."""
    error, freedom = _error(base.limit, base.runs, ours.limit, ours.runs)
    found = _reach(1 - level, freedom) * error
    return max(found, math.log1p(margin)) + _reach(2 * POWER - 1, freedom) * error


def runs_to_detect(base: float, ours: float, size: float, level: float = SIGNIFICANT) -> int | None:
    """Runs per side with which four of five studies find a change of `size`, from the limits of both variations. None
    if more than 1,000."""
    return _fewest(base, ours, size, lambda freedom: _reach(1 - level, freedom) + _reach(2 * POWER - 1, freedom))


def runs_for_same(base: float, ours: float, margin: float, level: float = SIGNIFICANT) -> int | None:
    """Runs per side with which four of five studies show that equal configurations are the same within the margin."""
    size = math.log1p(margin)
    return _fewest(base, ours, size, lambda freedom: _reach(1 - 2 * level, freedom) + _reach(POWER, freedom))


def _fewest(base: float, ours: float, size: float, steps: object) -> int | None:
    if size <= 0:
        return None
    assert callable(steps)
    low, high = INTERVAL_RUNS - 1, MOST_RUNS

    def enough(runs: int) -> bool:
        error, freedom = _error(base, runs, ours, runs)
        return bool(steps(freedom) * error <= size)

    if not enough(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _error(base: float, base_runs: int, ours: float, our_runs: int) -> tuple[float, float]:
    """Welch's standard error, and degrees of freedom.

    The degrees are the midpoint between those of the true variations and the lowest possible number. Welch's test
    estimates them from the runs and mostly gets fewer (checked by simulation).
    """
    parts = base**2 / base_runs, ours**2 / our_runs
    total = sum(parts)
    freedom = total**2 / (parts[0] ** 2 / (base_runs - 1) + parts[1] ** 2 / (our_runs - 1))
    return math.sqrt(total), (freedom + min(base_runs, our_runs) - 1) / 2


def _reach(confidence: float, freedom: float) -> float:
    """Half-width of the t interval in standard errors; after Fisher and Cornish (1960) for many degrees of freedom."""
    if freedom < _MANY:
        return reach_of(confidence, freedom)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


@lru_cache(maxsize=64)
def chi_square(probability: float, freedom: int) -> float:
    """The quantile of the chi-square distribution at this probability, by bisection."""
    low, high = 0.0, freedom + 20.0 * math.sqrt(2.0 * freedom)
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _lower_gamma(freedom / 2, middle / 2) < probability else (low, middle)
    return high


def _lower_gamma(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function by its power series (DLMF 8.11.4)."""
    if x <= 0:
        return 0.0
    term = total = math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    n = 1
    while term > 1e-16 * total:
        term *= x / (a + n)
        total += term
        n += 1
    return total
