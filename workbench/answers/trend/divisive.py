"""Finds where a series of sessions changes, and if the change is a step or a drift.

Change points: E-divisive with a permutation test, corrected for serial dependence. For the m values x[s:t] before a
moment and the n values x[t:k] after it, the energy statistic with the exponent 1 is

E = 2/(mn) Σᵢⱼ |xᵢ − yⱼ| − 2/(m(m−1)) Σᵢ<ⱼ |xᵢ − xⱼ| − 2/(n(n−1)) Σᵢ<ⱼ |yᵢ − yⱼ|,    Q = mn/(m+n) · E.

The moment of a segment is at the largest Q over t and k. Segment by segment, the largest Q of all gives the next change
point, as long as a permutation test shows it: the values are shuffled within their segments, and the p-value is the
share of shuffles (including the measured order) with a Q at least as large. Shuffles are seeded: equal values give an
equal p-value. Because of k, a step is found even if a later step reverses it.

Shuffling assumes independent values. So a change must also be larger than in nine of ten series without a change whose
neighbouring values correlate by 0.5 (AR(1)). T is the t-value of the best step or of a straight line, whichever is
larger; r is the correlation of neighbouring residuals of that fit. T − 3r is compared with that of such normal series,
drawn with a fixed seed. The share of such series with at least this T − 3r, halved, is a second p-value. It is computed
for the whole segment of N values and for x[s:k]; the latter is multiplied by N because k was chosen among many, and the
smaller one counts. The larger of both p-values is used. If the second one is not below 5 %, no shuffles are drawn.

Sources: Matteson and James (2014), J. Am. Stat. Assoc. 109, 334 (E-divisive); Székely and Rizzo (2013) (the energy
statistic); Phipson and Smyth (2010) (the measured order counts among the shuffles).

Steps or drift: the runs are fitted by their means between the change points, and by a straight line. The line is over
the order of the runs or over their dates; the better fit is used. The fit with the smaller Bayesian information
criterion

BIC = n · ln(RSS / n) + p · ln n,    p = 2k + 1 for k steps (means and places), 2 for a line

is accepted if the other's is larger by 6 or more ("strong evidence" after Kass and Raftery, 1995). Otherwise the shape
is undecided.

Place of a step: with a mean on each side, normal variation and no prior knowledge, the probability of a step before
session t is proportional to (m · n)^(−1/2) · RSS(t)^(−(m+n−2)/2), with m sessions before and n after (Smith, 1975). The
most likely place is reported. The possible places are the most likely ones that together have 95 %.

Sources: Schwarz (1978) (BIC); Kass and Raftery (1995), J. Am. Stat. Assoc. 90, 773; Smith (1975), Biometrika 62, 407.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from workbench.measures.phase_problems import MOST
from workbench.measures.statistics import CONFIDENCE, SIGNIFICANT, FloatArray, reach_of

# Minimum sessions on each side of a change point: a single one has no variation.
LEAST_RUNS = 2
# Shuffles of a test: fewer if there are so many runs that it would take seconds, but never fewer than the minimum.
SHUFFLES, _LEAST_SHUFFLES = 1_999, 399
_MOST_CELLS = 12_000_000
# If many series are tested, a clear change is shuffled further: until the smallest p-value is half the level of the
# first test after Holm, or until enough shuffles are as clear to know the p-value.
_HALF, _KNOWN = 2, 20
# Number of cells computed at once.
_CHUNK = 100_000
# From this share of shuffles with as large a Q on, the rest cannot bring the p-value below 5 %.
_PLAIN = 0.1
# Equal except for rounding.
_TIE = 1e-9
_SEED = 20140612
# Comparison for a change: series whose neighbours correlate this much, at twice the level of the shuffles.
MEMORY, _TWICE = 0.5, 2
# The part that a correlation of the residuals of 1 subtracts from the t-value.
_WEIGHT = 3.0
_DRAWN, _LEAST_DRAWN, _MOST_DRAWN_CELLS = 3_999, 999, 4_000_000


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The series changes at `index`, the position of the first run after the change. `q` is the statistic, `p` its
    p-value."""

    index: int
    q: float
    p: float


def fewest_runs(tests: int = 1) -> int:
    """The smallest number of sessions with which the test can show a step at 5 % if this number of series is tested.

    If n sessions split perfectly into m and n − m, then 2 · m! (n − m)! of n! shuffles split them equally well. So no
    p-value is below 2 / C(n, m), which is smallest in the middle. Eight sessions for one series (2/70).
    """
    count = 2 * LEAST_RUNS
    while smallest_p(count) >= SIGNIFICANT / max(1, tests):
        count += 1
    return count


def smallest_p(count: int, behind: int | None = None) -> float:
    """The smallest p-value of a step with this number of `count` sessions after it; of a step in the middle if no
    number is given."""
    return 2 / math.comb(count, count // 2 if behind is None else behind)


def change_points(values: Sequence[float], known: Sequence[ChangePoint] = (), tests: int = 1) -> list[ChangePoint]:
    """The known change points and those that a test also shows if this number of series is tested. They are in the
    order of discovery: the clearest first."""
    points = list(known)
    while (point := next_point(tuple(values), tuple(sorted(other.index for other in points)), tests)) is not None:
        if tests * point.p >= SIGNIFICANT:
            break
        points.append(point)
    return points


@lru_cache(maxsize=4096)
def next_point(values: tuple[float, ...], known: tuple[int, ...] = (), tests: int = 1) -> ChangePoint | None:
    """The clearest change point in addition to the known ones, significant or not; None if no segment has room for one.
    Its p-value is fine enough to be significant at 5 % if this number of series is tested. Raises ValueError for
    values that are not numbers or larger than any metric."""
    series = np.asarray(values, dtype=np.float64)
    # Every comparison with NaN is false: each test would show a change, endlessly.
    if not np.all(np.abs(series) <= MOST):
        raise ValueError("a value is too large or not a number, so changes between runs cannot be tested")
    edges = [0, *known, series.size]
    segments = [(start, end) for start, end in pairwise(edges) if end - start >= 2 * LEAST_RUNS]
    if not segments:
        return None
    tops = [_top(series[np.newaxis, start:end]) for start, end in segments]
    best = max(range(len(segments)), key=lambda number: tops[number][0][0])
    q, at, end = (part[0] for part in tops[best])
    start, stop = segments[best]
    p = serial_p(series[start:stop], tests) / _TWICE
    if start + end < stop:
        # The end was chosen among many.
        p = min(p, serial_p(series[start : start + end], tests) / _TWICE * (stop - start))
    if q <= 0:
        p = 1.0
    elif p < SIGNIFICANT:
        # Only changes that the memory of a series does not explain need shuffling.
        as_large, shuffles = _as_large(
            [series[first:last] for first, last in segments],
            q - _TIE * max(1.0, abs(q)),
            math.ceil(_HALF * tests / SIGNIFICANT),
        )
        p = max(p, (1 + as_large) / (1 + shuffles))
    return ChangePoint(start + int(at), float(q), p)


def serial_p(values: FloatArray, tests: int = 1) -> float:
    """The share of series without a change, with neighbours that correlate by MEMORY, that show at least as much as
    these values. Fine enough to be below 5 % if this number of series is tested."""
    drawn = _serial(values.size, max(1, tests).bit_length())
    return (1 + int(np.count_nonzero(drawn >= _against_memory(values[np.newaxis])[0]))) / (1 + drawn.size)


@lru_cache(maxsize=256)
def _serial(count: int, doubled: int) -> FloatArray:
    """The comparison values from series of this length without a change; more of them if many series are tested."""
    rows = max(_LEAST_DRAWN, min(_DRAWN, _MOST_DRAWN_CELLS // count)) * 2 ** max(0, doubled - 5)
    noise = np.random.default_rng(_SEED).normal(size=(rows, count))
    noise[:, 1:] *= math.sqrt(1 - MEMORY**2)
    for place in range(1, count):
        noise[:, place] += MEMORY * noise[:, place - 1]
    return _against_memory(noise)


def _against_memory(rows: FloatArray) -> FloatArray:
    """T − 3r of each row."""
    count = rows.shape[1]
    rest = rows - rows.mean(axis=1, keepdims=True)
    total = (rest**2).sum(axis=1)
    at = np.arange(LEAST_RUNS, count - LEAST_RUNS + 1)
    of_steps = np.cumsum(rest, axis=1)[:, at - 1] ** 2 * (count / (at * (count - at)))
    step, places = of_steps.max(axis=1), at[of_steps.argmax(axis=1)]
    order = np.arange(count) - (count - 1) / 2
    slopes = rest @ order / (order @ order)
    line = slopes**2 * (order @ order)
    behind = np.arange(count) >= places[:, np.newaxis]
    means = [np.where(side, rest, 0.0).sum(axis=1) / side.sum(axis=1) for side in (behind, ~behind)]
    stepped = np.where(behind, *(mean[:, np.newaxis] for mean in means))
    residuals = rest - np.where((line > step)[:, np.newaxis], slopes[:, np.newaxis] * order, stepped)
    left = np.maximum((residuals**2).sum(axis=1), _TIE * np.maximum(total, np.finfo(float).tiny))
    memory = (residuals[:, 1:] * residuals[:, :-1]).sum(axis=1) / left
    return np.asarray(np.sqrt((count - 2) * np.maximum(step, line) / left) - _WEIGHT * memory)


def _as_large(segments: Sequence[FloatArray], q: float, enough: int) -> tuple[int, int]:
    """The number of shuffles of the segments with a Q of at least `q`, and the number of all shuffles: at least
    `enough`. Stops early if the test clearly shows nothing."""
    rng = np.random.default_rng(_SEED)
    longest = max(segment.size for segment in segments)
    shuffles = max(_LEAST_SHUFFLES, min(SHUFFLES, _MOST_CELLS // longest**2))
    many = max(1, _CHUNK // longest**2)
    as_large = drawn = 0
    while as_large < _PLAIN * shuffles if drawn < shuffles else drawn < enough and as_large < _KNOWN:
        count = min(many, (shuffles if drawn < shuffles else enough) - drawn)
        tops = [_top(rng.permuted(np.tile(segment, (count, 1)), axis=1))[0] for segment in segments]
        as_large += int(np.count_nonzero(np.max(tops, axis=0) >= q))
        drawn += count
    return as_large, drawn


def q_table(rows: FloatArray, least: int = 2) -> FloatArray:
    """Q of each row of runs for every t (first axis after the rows) and k, if both sides have at least `least` runs;
    -inf elsewhere."""
    whole, first, second, room = _weights(rows.shape[1], least)
    # The sum of the distances of all pairs within x[i:j], at [row, i, j].
    size = rows.shape[1] + 1
    sums = np.zeros((rows.shape[0], size, size))
    pairs = sums[:, 1:, 1:]
    np.subtract(rows[:, :, np.newaxis], rows[:, np.newaxis, :], out=pairs)
    np.abs(pairs, out=pairs)
    np.cumsum(pairs, axis=1, out=pairs)
    np.cumsum(pairs, axis=2, out=pairs)
    ends = np.diagonal(sums, axis1=1, axis2=2).copy()
    sums *= -2
    sums += ends[:, np.newaxis, :]
    sums += ends[:, :, np.newaxis]
    sums /= 2
    inner = sums
    # Q in terms of the sums within x[0:k], x[0:t] and x[t:k]: the pairs between two sides are the whole minus both
    # sides.
    q = inner[:, 0, np.newaxis, :] * whole
    q -= inner[:, 0, :, np.newaxis] * first
    inner *= second
    q -= inner
    q += room
    return q


@lru_cache(maxsize=64)
def _weights(count: int, least: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The weight of each sum in Q at [t, k], and 0 if both sides have room, -inf elsewhere."""
    t = np.arange(count + 1, dtype=np.float64)[:, np.newaxis]
    k = np.arange(count + 1, dtype=np.float64)[np.newaxis, :]
    behind = k - t
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = 2 / k + 0 * t
        weights = whole, whole + 2 * behind / (k * (t - 1)), whole + 2 * t / (k * (behind - 1))
    fits = (t >= least) & (behind >= least)
    whole, first, second = (np.where(fits, weight, 0.0) for weight in weights)
    return whole, first, second, np.where(fits, 0.0, -np.inf)


def _top(rows: FloatArray) -> tuple[FloatArray, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The largest Q of each row, and its t and k, with room for the minimum number of sessions on both sides."""
    q = q_table(rows, LEAST_RUNS).reshape(rows.shape[0], -1)
    at = q.argmax(axis=1)
    return q[np.arange(rows.shape[0]), at], *np.divmod(at, rows.shape[1] + 1)


# The BIC of the other fit must be larger by this much.
STRONG = 6.0
# Minimum runs of a step on each side of its possible places.
_LEAST_BESIDE = 2
# Runs that agree to the last digit have no residual, so there is no logarithm.
_NOTHING = 1e-12


class Shape(StrEnum):
    """The shape of a change."""

    STEP = "step"
    DRIFT = "drift"
    UNCLEAR = "step or drift"


@dataclass(frozen=True, slots=True)
class Slope:
    """The line through the runs from the first to the last: its total rise in the unit of the values, with the ends of
    its 95 % interval. `heights` is the line at each run."""

    change: float
    low: float
    high: float
    heights: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class SplitPlace:
    """A step before the run with this `index` has the probability `share`."""

    index: int
    share: float


def shape_of(values: FloatArray, edges: Sequence[int], seconds: FloatArray) -> tuple[Shape, float]:
    """The shape of the change, and the BIC of the line minus the BIC of the steps at `edges`."""
    count = values.size
    steps = _bic(_rss_of_steps(values, edges), values, 2 * len(edges) + 1)
    line = min(_bic(_rss_of_line(values, x), values, 2) for x in _axes(count, seconds))
    ahead = line - steps
    return (Shape.STEP if ahead >= STRONG else Shape.DRIFT if ahead <= -STRONG else Shape.UNCLEAR), ahead


def slope_of(values: FloatArray, seconds: FloatArray) -> Slope:
    """The better of the lines over the order and over the dates."""
    x = min(_axes(values.size, seconds), key=lambda axis: _rss_of_line(values, axis))
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ values) / spread
    freedom = values.size - 2
    error = (_rss_of_line(values, x) / freedom / spread) ** 0.5
    length, reach = float(x.max() - x.min()), reach_of(CONFIDENCE, freedom) * error
    heights = tuple((values.mean() + slope * centred).tolist())
    return Slope(slope * length, (slope - reach) * length, (slope + reach) * length, heights)


def placed(values: FloatArray, edges: Sequence[int]) -> list[int]:
    """The most likely place of each step, between the neighbouring steps."""
    at = sorted(edges)
    for number in range(len(at)):
        start, end = (0, *at)[number], (*at, values.size)[number + 1]
        at[number] = start + places_of(values[start:end])[0].index
    return at


def places_of(values: FloatArray) -> tuple[SplitPlace, ...]:
    """The possible places of the step of a stretch of sessions, the likeliest first."""
    count = values.size
    at = np.arange(_LEAST_BESIDE, count - _LEAST_BESIDE + 1)
    floor = max(_NOTHING, _NOTHING * float(values @ values))
    rss = np.array([max(_rss_of_steps(values, (int(place),)), floor) for place in at])
    logs = -np.log(at * (count - at)) / 2 - (count - 2) / 2 * np.log(rss)
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    places: list[SplitPlace] = []
    for rank in np.argsort(-shares, kind="stable"):
        if sum(place.share for place in places) >= CONFIDENCE:
            break
        places.append(SplitPlace(int(at[rank]), float(shares[rank])))
    return tuple(places)


def _bic(rss: float, values: FloatArray, parameters: int) -> float:
    floor = _NOTHING * max(1.0, float(values @ values))
    return float(values.size * np.log(max(rss, floor) / values.size) + parameters * np.log(values.size))


def _rss_of_steps(values: FloatArray, edges: Sequence[int]) -> float:
    parts = np.split(values, sorted(edges))
    return float(sum(((part - part.mean()) ** 2).sum() for part in parts))


def _rss_of_line(values: FloatArray, x: FloatArray) -> float:
    centred, rest = x - x.mean(), values - values.mean()
    slope = float(centred @ rest) / float(centred @ centred)
    return float(((rest - slope * centred) ** 2).sum())


def _axes(count: int, seconds: FloatArray) -> list[FloatArray]:
    """The x axes for a line: the order of the runs, and their dates if they are known and differ."""
    order = np.arange(count, dtype=np.float64)
    dated = bool(np.isfinite(seconds).all()) and float(np.ptp(seconds)) > 0
    return [order, seconds] if dated else [order]
