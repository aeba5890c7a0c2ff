"""Comparing the figures of runs: the run is the unit, never the VM.

n = 1 on either side: the difference only; n = 2 (or a value of 0): the range of the ratios; n >= 3 on both sides:
the ratio of geometric means with a 95 % Welch interval on logs, and the p-value that belongs to it; n >= 5 on both
sides: a permutation test as well, exact as long as the runs can be parted in no more than 20,000 ways. p-values are
adjusted after Holm over the metrics shown; intervals are not adjusted: each is a 95 % interval of its own.

The verdict against a margin (default 5 %), in this order:
1. inconclusive without p-value: n < 3 on a side;
2. same: the interval lies wholly within the margin, [1 - margin, 1 + margin];
3. better or worse (higher or lower where a metric has no direction): the ratio lies beyond the margin, the adjusted
   p-value is below 0.05, and so is the permutation test's own where there is one. That one is not adjusted: with
   five runs against five it cannot fall below 2/252 = 0.008, and no verdict would survive seven metrics;
4. inconclusive otherwise, with the reason.
The interval alone excludes no change exactly when the p-value before adjusting is below 0.05. In simulation the
interval covers the true ratio in 95 to 97 % of all studies at n = 3, 5 and 10, and no difference is called one in
3 to 5 %; with three runs against ten it is 6.3 %: repeat both sides about as often.

Sources: Welch (1947), degrees of freedom after Satterthwaite (1946); Holm (1979); permutation tests after
Fisher (1935); an interval within a margin as proof of sameness after Schuirmann (1987), at 95 % instead of his 90 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from workbench.measures.student import reach_of, two_sided

CONFIDENCE = 0.95
SIGNIFICANT = 1 - CONFIDENCE
MARGIN = 0.05
# Runs on each side from which there is an interval, and from which there is a permutation test.
INTERVAL_RUNS, PERMUTATION_RUNS = 3, 5
# Up to this many ways to part the runs all are looked at; beyond, this many drawn at random with a fixed seed.
MOST_PARTINGS = 20_000
_SEED = 20160510

Basis = Literal["single", "range", "interval"]
Direction = Literal["lower", "higher", "none"]
FloatArray = npt.NDArray[np.float64]


class Verdict(StrEnum):
    """What a change means. HIGHER and LOWER are for metrics of which neither is better."""

    BETTER = "better"
    WORSE = "worse"
    HIGHER = "higher"
    LOWER = "lower"
    SAME = "same"
    INCONCLUSIVE = "~"


@dataclass(frozen=True, slots=True)
class Change:
    """How one group of runs differs from the baseline's.

    `ratio` is value / baseline; `low` and `high` its interval or range, None when there is no uncertainty to
    state; `difference` is absolute; `n` and `n_baseline` count runs. `p` is the two-sided p-value of no change
    (Welch's on logs; on the plain values where one of them is 0), None when a side has fewer than three runs.
    `difference_low` and `difference_high` are the interval (Welch's on the plain values) or the range of the
    difference in the metric's unit: shares are given in percentage points, never in percent of a percentage.
    """

    ratio: float
    difference: float
    low: float | None
    high: float | None
    basis: Basis
    n: int
    n_baseline: int
    p: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None

    @property
    def percent(self) -> float:
        """Relative difference in percent."""
        return 100 * (self.ratio - 1)

    @property
    def percent_ends(self) -> tuple[float | None, float | None]:
        """The ends of the interval or range of the ratio as relative differences in percent; None as `low`, `high`."""
        low, high = (None if end is None else 100 * (end - 1) for end in (self.low, self.high))
        return low, high


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and the sentence that says what it rests on."""

    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class _Welch:
    """Difference of two means with the ends of its interval and its p-value."""

    centre: float
    low: float
    high: float
    p: float


def change(baseline: Sequence[float], values: Sequence[float]) -> Change | None:
    """The change from `baseline` to `values`; None when a side is empty or a ratio has no meaning.

    Values of 0 (a cache that took everything) have no logarithm: the range stands in for the interval.
    """
    if not baseline or not values or min(baseline) <= 0 or min(values) < 0:
        return None
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        found = _change(base, ours)
    # Wild values overflow: nothing can be said of them.
    return found if math.isfinite(found.ratio) and math.isfinite(found.difference) else None


def _change(base: FloatArray, ours: FloatArray) -> Change:
    difference = float(ours.mean() - base.mean())
    smallest = min(base.size, ours.size)
    ends = difference_ends(base, ours)
    if smallest >= INTERVAL_RUNS and ours.min() > 0:
        welch = _welch(np.log(base), np.log(ours))
        ratio, low, high = (math.exp(log) for log in (welch.centre, welch.low, welch.high))
        return Change(ratio, difference, low, high, "interval", ours.size, base.size, welch.p, *ends)
    ratio = float(ours.mean() / base.mean())
    if smallest >= 2:
        low, high = float(ours.min() / base.max()), float(ours.max() / base.min())
        p = _welch_of_values(base, ours).p if smallest >= INTERVAL_RUNS else None
        return Change(ratio, difference, low, high, "range", ours.size, base.size, p, *ends)
    return Change(ratio, difference, None, None, "single", ours.size, base.size)


def difference_ends(base: FloatArray, ours: FloatArray) -> tuple[float | None, float | None]:
    """The ends of the difference of the means in the metric's unit: Welch's 95 % interval from three runs on each
    side where no value is 0, else the range from the lowest to the highest difference of two runs; (None, None) of
    single runs."""
    smallest = min(base.size, ours.size)
    if smallest < 2:
        return None, None
    if smallest >= INTERVAL_RUNS and min(base.min(), ours.min()) > 0:
        welch = _welch_of_values(base, ours)
        low, high = welch.low, welch.high
    else:
        low, high = float(ours.min() - base.max()), float(ours.max() - base.min())
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)


def permutation_p(baseline: Sequence[float], values: Sequence[float]) -> float | None:
    """Two-sided p-value of no change from parting all runs again; None when a side has fewer than five.

    Twice the share of the partings that differ at least as far to the same side in their mean logs, in their plain
    means where a value is 0. With more than 20,000 ways to part the runs, 19,999 are drawn with a fixed seed, and
    the one that was measured is counted among them (Phipson and Smyth, 2010).
    """
    if min(len(baseline), len(values)) < PERMUTATION_RUNS:
        return None
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if min(base.min(), ours.min()) > 0:
        base, ours = np.log(base), np.log(ours)
    pooled = np.concatenate((base, ours))
    # The sum of one side tells the difference of the means: the sum of both never changes.
    sums = _partings(pooled.size, base.size) @ pooled
    seen, tie = float(base.sum()), 1e-12 * float(np.abs(pooled).sum())
    fewest = min(np.count_nonzero(sums <= seen + tie), np.count_nonzero(sums >= seen - tie))
    return min(1.0, 2 * fewest / sums.size)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted after Holm, in the order given; those that are None do not count and stay None."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[index] = highest
    return adjusted


def judge(
    found: Change,
    adjusted: float | None,
    permutation: float | None = None,
    *,
    better: Direction = "lower",
    margin: float = MARGIN,
) -> Judgement:
    """The verdict on a change, after the rules at the top of this module.

    `adjusted` is the change's p-value after Holm, `permutation` the permutation test's; `margin` is a share
    (0.05 for 5 %); `better` tells which direction of the metric is the good one.
    """
    if found.p is None or adjusted is None:
        return Judgement(Verdict.INCONCLUSIVE, _too_few(found))
    if _within(found, margin):
        return Judgement(Verdict.SAME, f"the 95 % interval lies within ±{100 * margin:g} %")
    if adjusted >= SIGNIFICANT:
        alone = found.p < SIGNIFICANT
        why = "not after allowing for the other metrics" if alone else "the runs scatter too much for a verdict"
        return Judgement(Verdict.INCONCLUSIVE, f"{'differs by itself, but ' * alone}{why}")
    if permutation is not None and permutation >= SIGNIFICANT:
        return Judgement(Verdict.INCONCLUSIVE, "the permutation test does not confirm the interval")
    if abs(found.ratio - 1) <= margin:
        return Judgement(Verdict.INCONCLUSIVE, f"differs, but whether by more than {100 * margin:g} % is open")
    return Judgement(_direction(found, better), _grounds(found, margin))


def _direction(found: Change, better: Direction) -> Verdict:
    lower = found.ratio < 1
    if better == "none":
        return Verdict.LOWER if lower else Verdict.HIGHER
    return Verdict.BETTER if lower == (better == "lower") else Verdict.WORSE


def _within(found: Change, margin: float) -> bool:
    if found.basis != "interval" or found.low is None or found.high is None:
        return False
    return 1 - margin <= found.low and found.high <= 1 + margin


def _grounds(found: Change, margin: float) -> str:
    if found.basis == "range":
        return f"beyond ±{100 * margin:g} %; tested on plain values, as 0 has no logarithm"
    return f"beyond ±{100 * margin:g} %, and the runs do not scatter that much"


def _too_few(found: Change) -> str:
    if found.basis == "single":
        return "no uncertainty available: a verdict needs three runs on each side"
    return "two runs give a range only: a verdict needs three runs on each side"


def _welch_of_values(base: FloatArray, ours: FloatArray) -> _Welch:
    """Welch's on plain values, in units of their largest: the squares of wild ones have no room in a float."""
    unit = max(float(np.abs(base).max()), float(np.abs(ours).max())) or 1.0
    welch = _welch(base / unit, ours / unit)
    return _Welch(welch.centre * unit, welch.low * unit, welch.high * unit, welch.p)


def _welch(base: FloatArray, ours: FloatArray) -> _Welch:
    """Welch's interval and p-value for the difference of the means, `ours` less `base`."""
    centre = float(ours.mean() - base.mean())
    shares = [side.var(ddof=1) / side.size for side in (base, ours)]
    error = float(np.sqrt(sum(shares)))
    # Replicates that are alike to the last digits but for rounding.
    nothing = 1e-12 * max(1.0, float(np.abs(base).max()), float(np.abs(ours).max()))
    if error <= nothing:
        return _Welch(centre, centre, centre, float(abs(centre) <= nothing))
    freedom = sum(shares) ** 2 / sum(
        share**2 / (side.size - 1) for share, side in zip(shares, (base, ours), strict=True)
    )
    reach = reach_of(CONFIDENCE, float(freedom)) * error
    return _Welch(centre, centre - reach, centre + reach, two_sided(centre / error, float(freedom)))


@lru_cache(maxsize=4)
def _partings(count: int, size: int) -> FloatArray:
    """Ways to part `count` runs, one per row: 1 for those that go to the first side, `size` of them.

    All ways where there are few, else the parting as it was (the first row) and others drawn at random. Kept for
    the next metric: scipy's permutation_test gives the same p-values and draws again, 60 ms for each of hundreds.
    """
    if math.comb(count, size) <= MOST_PARTINGS:
        chosen = np.array(list(combinations(range(count), size)), dtype=np.intp)
    else:
        drawn = np.random.default_rng(_SEED).random((MOST_PARTINGS - 1, count)).argsort(axis=1)
        chosen = np.concatenate((np.arange(size)[np.newaxis], drawn[:, :size]))
    members = np.zeros((len(chosen), count))
    np.put_along_axis(members, chosen, 1.0, axis=1)
    return members
