"""Compares the values of runs. The unit is the run, never the VM.

n = 1 on either side: only the difference. n = 2 (or a value of 0): the range of the ratios. n >= 3 on both sides: the
ratio of geometric means with a 95 % Welch interval on logs, never pooled, and its p-value. Shares differ in percentage
points; they are tested on plain values, because their difference is shown.

If the runs of one side agree to the last digit, their variation is unknown, not zero. This side gets the variation and
the degrees of freedom of the other side. If neither side varies, there is no test.

*Same* has a separate p-value, from two one-sided tests against the margin: `same_p`. `verdicts` decides on the verdict.
The interval alone excludes no change exactly when the unadjusted p-value is below 0.05.

Sources: Welch (1947), degrees of freedom after Satterthwaite (1946); two one-sided tests after Schuirmann (1987), for a
ratio of means on plain values after Sasabuchi (1988).

Student's t distribution is computed here, because importing a library for it would take a third of a second. The tail
is the regularised incomplete beta function, P(|T| > t) = I_x(df/2, 1/2) with x = df / (df + t²), by its power series
(NIST Digital Library of Mathematical Functions, 8.17.7 and 8.17.8). Checked against 40-digit arithmetic from 1 to 200
degrees of freedom: the tail to 8 parts in 10¹⁵ down to 10⁻¹², the reach to 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
SIGNIFICANT = 0.05
MARGIN = 0.05
# Minimum number of runs per side for an interval.
INTERVAL_RUNS = 3
# Runs that agree to this share have no variation. The limit is above 10⁻¹², because rounding moves sums of samples by
# more than that.
FLAT = 1e-9
Basis = Literal["single", "range", "interval"]
Direction = Literal["lower", "higher", "none"]
Scale = Literal["logs", "plain"]
FloatArray = npt.NDArray[np.float64]


class Verdict(StrEnum):
    """The verdict on a change. HIGHER and LOWER are for metrics without a good direction."""

    BETTER = "better"
    WORSE = "worse"
    HIGHER = "higher"
    LOWER = "lower"
    SAME = "same"
    INCONCLUSIVE = "~"


@dataclass(frozen=True, slots=True)
class Welch:
    """The difference of two means, its standard error and Welch's degrees of freedom. An error of 0 means no
    variation."""

    centre: float
    error: float
    freedom: float

    @property
    def p(self) -> float | None:
        """Two-sided p-value of no difference."""
        return two_sided(self.centre / self.error, self.freedom) if self.error else None

    def ends(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The ends of the interval of the difference."""
        reach = reach_of(confidence, self.freedom) * self.error if self.error else 0.0
        return self.centre - reach, self.centre + reach

    def above(self, limit: float) -> float | None:
        """One-sided p-value of a true difference of at most `limit`."""
        if not self.error:
            return None
        t = (self.centre - limit) / self.error
        return two_sided(t, self.freedom) / 2 if t > 0 else 1 - two_sided(t, self.freedom) / 2

    def within(self, margin: float) -> float | None:
        """The p-value of a ratio that differs from 1 by `margin` (a share) or more, for a difference of logs."""
        if not 0 < margin < 1:
            return None
        low, high = self.above(math.log1p(-margin)), self.above(math.log1p(margin))
        return None if low is None or high is None else max(low, 1 - high)


@dataclass(frozen=True, slots=True)
class Change:
    """The difference of a group of runs from the baseline.

    `ratio` is value / baseline; `low` and `high` are its interval or range, None if the uncertainty is unknown.
    `difference` is mean minus mean; `n` and `n_baseline` count runs. `p` is the two-sided p-value of no change on
    `scale` (on plain values also if one of them is 0); None if a side has fewer than three runs or neither side varies.
    `difference_low` and `difference_high` are the interval (Welch's, on plain values) or the range of the difference in
    the unit of the metric: shares use percentage points, never percent of a percentage. `value` and `baseline_value`
    are means over the runs, as in all other tables; with an interval of logs, `ratio` is that of the geometric means.
    `welch` is the test on logs that gives the interval.
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
    scale: Scale = "logs"
    value: float | None = None
    baseline_value: float | None = None
    welch: Welch | None = None

    @property
    def percent(self) -> float:
        """The relative difference in percent."""
        return 100 * (self.ratio - 1)

    @property
    def percent_ends(self) -> tuple[float | None, float | None]:
        """The ends of the ratio's interval or range as relative differences in percent; None like `low` and `high`."""
        low, high = (None if end is None else 100 * (end - 1) for end in (self.low, self.high))
        return low, high

    def same_ends(self, margin: float) -> tuple[float, float] | None:
        """The 90 % interval of the ratio, which matches the two one-sided tests, if the 95 % interval crosses the
        margin; otherwise None."""
        if self.welch is None or self.low is None or self.high is None:
            return None
        if 1 - margin <= self.low and self.high <= 1 + margin:
            return None
        low, high = self.welch.ends(1 - 2 * (1 - CONFIDENCE))
        return math.exp(low), math.exp(high)

    @property
    def shown_difference(self) -> float | None:
        """The difference of the means over the runs; None if its sign differs from the sign of the change. One outlying
        run changes the means a lot and the ratio very little."""
        opposed = self.scale == "logs" and self.difference * (self.ratio - 1) < 0
        return None if opposed else self.difference


def change(baseline: Sequence[float], values: Sequence[float], scale: Scale = "logs") -> Change | None:
    """The change from `baseline` to `values`; None if a side is empty or a ratio has no meaning.

    Values of 0 (a cache that took everything) have no logarithm, so the range replaces the interval.
    """
    if not baseline or not values or min(baseline) <= 0 or min(values) < 0:
        return None
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        found = _change(base, ours, scale)
    # Faulty values overflow, and then no result is possible.
    return found if math.isfinite(found.ratio) and math.isfinite(found.difference) else None


def _change(base: FloatArray, ours: FloatArray, scale: Scale) -> Change:
    means = float(ours.mean()), float(base.mean())
    sizes = ours.size, base.size
    ends = difference_ends(base, ours)
    if min(sizes) >= INTERVAL_RUNS and ours.min() > 0:
        welch = welch_of(np.log(base), np.log(ours))
        if welch.error:
            ratio, low, high = (math.exp(log) for log in (welch.centre, *welch.ends()))
            p = _plain_p(base, ours) if scale == "plain" else welch.p
            return Change(ratio, means[0] - means[1], low, high, "interval", *sizes, p, *ends, scale, *means, welch)
    ratio, difference = means[0] / means[1], means[0] - means[1]
    if min(sizes) < 2:
        return Change(ratio, difference, None, None, "single", *sizes, None, *ends, scale, *means)
    low, high = float(ours.min() / base.max()), float(ours.max() / base.min())
    p = _plain_p(base, ours) if min(sizes) >= INTERVAL_RUNS else None
    return Change(ratio, difference, low, high, "range", *sizes, p, *ends, "plain", *means)


def difference_ends(base: FloatArray, ours: FloatArray) -> tuple[float | None, float | None]:
    """The ends of the difference of the means in the unit of the metric. From three runs per side without a 0: Welch's
    95 % interval. Otherwise the range from the lowest to the highest difference of two runs. (None, None) for single
    runs."""
    smallest = min(base.size, ours.size)
    if smallest < 2:
        return None, None
    unit = _unit(base, ours)
    welch = welch_of(base / unit, ours / unit) if smallest >= INTERVAL_RUNS else None
    if welch is not None and welch.error and min(base.min(), ours.min()) > 0:
        low, high = (end * unit for end in welch.ends())
    else:
        low, high = float(ours.min() - base.max()), float(ours.max() - base.min())
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)


def same_p(baseline: Sequence[float], values: Sequence[float], margin: float, scale: Scale = "logs") -> float | None:
    """The p-value of a change of `margin` (a share) or more: the larger one of the two one-sided tests. None if a side
    has fewer than three runs or a 0, or if neither side varies."""
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if min(base.size, ours.size) < INTERVAL_RUNS or min(base.min(), ours.min()) <= 0 or not 0 < margin < 1:
        return None
    if scale == "plain":
        unit = _unit(base, ours)
        below, above = (welch_of(base * (1 + sign * margin) / unit, ours / unit) for sign in (-1, 1))
        low, high = below.above(0.0), above.above(0.0)
    else:
        return welch_of(np.log(base), np.log(ours)).within(margin)
    return None if low is None or high is None else max(low, 1 - high)


def welch_of(base: FloatArray, ours: FloatArray) -> Welch:
    """The difference of the means, `ours` minus `base`. A side without variation takes that of the other side."""
    shares = [_share_of_error(side) for side in (base, ours)]
    freedoms = [side.size - 1 for side in (base, ours)]
    for flat, other, side in ((0, 1, base), (1, 0, ours)):
        if not shares[flat] and shares[other]:
            shares[flat] = shares[other] * (freedoms[other] + 1) / side.size
            freedoms[flat] = 0
            break
    total = sum(shares)
    centre = float(ours.mean() - base.mean())
    if not total:
        return Welch(centre, 0.0, 1.0)
    if 0 in freedoms:
        return Welch(centre, math.sqrt(total), float(max(freedoms)))
    parts = sum(share**2 / freedom for share, freedom in zip(shares, freedoms, strict=True))
    return Welch(centre, math.sqrt(total), total**2 / parts)


def _share_of_error(side: FloatArray) -> float:
    """Variance of the mean of the side; 0 if its values agree except for rounding."""
    spread = float(np.ptp(side))
    return 0.0 if spread <= FLAT * max(1.0, float(np.abs(side).max())) else float(side.var(ddof=1)) / side.size


def _plain_p(base: FloatArray, ours: FloatArray) -> float | None:
    """Welch's p-value on plain values, divided by the largest, because squares of faulty values overflow a float."""
    unit = _unit(base, ours)
    return welch_of(base / unit, ours / unit).p


def _unit(base: FloatArray, ours: FloatArray) -> float:
    return max(float(np.abs(base).max()), float(np.abs(ours).max())) or 1.0


_EPSILON = 1e-17
# Up to this t² the tail is 1 minus the other side, whose series converges fast with little loss. With very many degrees
# of freedom the series of the tail would need a million terms, and 10⁻¹³ is accurate enough.
_NEAR, _NEAR_OF_MANY, _MANY = 2.0, 8.0, 1_000.0
# From here, Gamma(a + 1/2) / Gamma(a) is computed by its series; below, by its recurrence.
_SERIES_FROM = 30.0
# Coefficients of Gamma(a + 1/2) / (Gamma(a) sqrt(a)) in powers of 1/a.
_SERIES = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304, 39325 / 33554432)


def two_sided(t: float, freedom: float) -> float:
    """P(|T| > t) for these degrees of freedom, which may be fractional."""
    if math.isnan(t):
        return math.nan
    if math.isinf(t):
        return 0.0
    a, square = freedom / 2, t * t
    x, remainder = freedom / (freedom + square), square / (freedom + square)
    # x^a (1 - x)^(1/2) / B(a, 1/2). x^a is computed as a power of e, because x may be almost 1.
    front = math.exp(-a * math.log1p(square / freedom)) * math.sqrt(remainder / math.pi) * _gamma_ratio(a)
    if square <= (_NEAR if freedom <= _MANY else _NEAR_OF_MANY):
        return 1 - 2 * front * _sum(a + 0.5, 1.5, remainder)
    return front * _sum(a + 0.5, a + 1, x) / a


@lru_cache(maxsize=16_384)
def reach_of(confidence: float, freedom: float) -> float:
    """Half-width of the interval around 0 that contains T with this probability (above one half)."""
    # The half-width of the normal distribution is never larger than this one.
    t, step = NormalDist().inv_cdf((1 + confidence) / 2), math.inf
    # The tail is decreasing and convex, so Newton's steps from the left never overshoot.
    while step > 4e-16 * t:
        step = (two_sided(t, freedom) - (1 - confidence)) / (2 * _density(t, freedom))
        t += step
    return t


def _density(t: float, freedom: float) -> float:
    power = math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom))
    return _gamma_ratio(freedom / 2) * power / math.sqrt(freedom * math.pi)


@lru_cache(maxsize=1024)
def _gamma_ratio(a: float) -> float:
    """Gamma(a + 1/2) / Gamma(a). A difference of logarithms would lose two digits."""
    if a < _SERIES_FROM:
        return _gamma_ratio(a + 1) * a / (a + 0.5)
    series = 0.0
    for coefficient in reversed(_SERIES):
        series = series / a + coefficient
    return math.sqrt(a) * series


def _sum(a: float, c: float, x: float) -> float:
    """1 + a x / c + a (a + 1) x² / (c (c + 1)) + …. Every term is positive, so no digits are lost."""
    term, terms, n = 1.0, [1.0], 0.0
    keep = terms.append  # looked up only once, because hundreds of configurations sum millions of terms
    while term > _EPSILON:
        term *= (a + n) / (c + n) * x
        keep(term)
        n += 1.0
    return math.fsum(terms)
