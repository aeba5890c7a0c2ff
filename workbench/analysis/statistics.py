"""Comparing the figures of runs: the run is the unit, never the VM.

n = 1 on either side: the difference only; n = 2 (or a value of 0): the range of the ratios; n >= 3 on both sides:
the ratio of geometric means with a 95 % Welch interval on logs. Source: Welch (1947); degrees of freedom after
Satterthwaite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

CONFIDENCE = 0.95
Basis = Literal["single", "range", "interval"]


@dataclass(frozen=True, slots=True)
class Change:
    """How one group of runs differs from the baseline's.

    `ratio` is value / baseline; `low` and `high` its interval or range, None when there is no uncertainty to
    state; `difference` is absolute; `n` and `n_baseline` count runs.
    """

    ratio: float
    difference: float
    low: float | None
    high: float | None
    basis: Basis
    n: int
    n_baseline: int

    @property
    def percent(self) -> float:
        """Relative difference in percent."""
        return 100 * (self.ratio - 1)


def change(baseline: Sequence[float], values: Sequence[float]) -> Change | None:
    """The change from `baseline` to `values`; None when a side is empty or a ratio has no meaning.

    Values of 0 (a cache that took everything) have no logarithm: the range stands in for the interval.
    """
    if not baseline or not values or min(baseline) <= 0 or min(values) < 0:
        return None
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    difference = float(ours.mean() - base.mean())
    smallest = min(base.size, ours.size)
    if smallest >= 3 and ours.min() > 0:
        ratio, low, high = _welch_on_logs(base, ours)
        return Change(ratio, difference, low, high, "interval", ours.size, base.size)
    ratio = float(ours.mean() / base.mean())
    if smallest >= 2:
        low, high = float(ours.min() / base.max()), float(ours.max() / base.min())
        return Change(ratio, difference, low, high, "range", ours.size, base.size)
    return Change(ratio, difference, None, None, "single", ours.size, base.size)


def _welch_on_logs(
    base: np.ndarray[tuple[int], np.dtype[np.float64]], ours: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> tuple[float, float, float]:
    # Imported here: scipy takes a third of a second, which every start and every worker would pay.
    from scipy.special import stdtrit

    logs = np.log(base), np.log(ours)
    centre = float(logs[1].mean() - logs[0].mean())
    shares = [log.var(ddof=1) / log.size for log in logs]
    error = float(np.sqrt(sum(shares)))
    if error == 0.0:
        ratio = float(np.exp(centre))
        return ratio, ratio, ratio
    freedom = sum(shares) ** 2 / sum(
        share**2 / (log.size - 1) for share, log in zip(shares, logs, strict=True)
    )
    reach = float(stdtrit(freedom, 0.5 + CONFIDENCE / 2)) * error
    return float(np.exp(centre)), float(np.exp(centre - reach)), float(np.exp(centre + reach))
