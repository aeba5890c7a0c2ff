"""Where a series of runs changes: E-divisive with a permutation test.

For the runs x[s:t] before a moment and x[t:k] behind it, m and n of them, the energy statistic with the exponent 1 is

    E = 2/(mn) Σᵢⱼ |xᵢ − yⱼ| − 2/(m(m−1)) Σᵢ<ⱼ |xᵢ − xⱼ| − 2/(n(n−1)) Σᵢ<ⱼ |yᵢ − yⱼ|,    Q = mn/(m+n) · E.

A segment's moment is where Q is largest over t and k. Segment by segment the largest Q of all makes the next change
point, as long as a permutation test shows it: the runs are shuffled within their segments, and the share of shuffles
with a Q at least as large, the measured order among them, is the p-value. Shuffles are seeded: the same runs give the
same p-value. k lets a step be seen although a later one undoes it.

Sources: Matteson and James (2014), J. Am. Stat. Assoc. 109, 334 (E-divisive); Székely and Rizzo (2013) (the energy
statistic); Phipson and Smyth (2010) (the measured order counts among the shuffles).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from workbench.measures.phase_problems import MOST
from workbench.measures.statistics import INTERVAL_RUNS, SIGNIFICANT, FloatArray

# Runs on each side of a change point: fewer have no interval.
LEAST_RUNS = INTERVAL_RUNS
# Shuffles of a test: fewer where so many runs are shuffled that it would take seconds, never less than the least.
SHUFFLES, _LEAST_SHUFFLES = 1_999, 399
_MOST_CELLS = 12_000_000
# Where many series are tested, a clear change is shuffled further: until the smallest p-value is half the level of the
# first test after Holm, or so many shuffles are as clear that the p-value is known.
_HALF, _KNOWN = 2, 20
# Cells worked on at once.
_CHUNK = 100_000
# From this share of shuffles with as large a Q on no p-value below 5 % can come of the rest.
_PLAIN = 0.1
# Equal but for rounding.
_TIE = 1e-9
_SEED = 20140612


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The series changes at `index`, the place of the first run behind it; `q` is the statistic, `p` its p-value."""

    index: int
    q: float
    p: float


def fewest_runs(tests: int = 1) -> int:
    """The fewest runs with which the test can show a step at 5 % where so many series are tested.

    Of n runs that part cleanly into m and n − m, the shuffles that part them as cleanly are 2 · m! (n − m)! of n!: no
    p-value is below 2 / C(n, m), which is smallest in the middle. Eight runs for one series (2/70).
    """
    count = 2 * LEAST_RUNS
    while smallest_p(count) >= SIGNIFICANT / max(1, tests):
        count += 1
    return count


def smallest_p(count: int, behind: int | None = None) -> float:
    """The smallest p-value of a step with so many of `count` runs behind it; in the middle where none are given."""
    return 2 / math.comb(count, count // 2 if behind is None else behind)


def change_points(values: Sequence[float], known: Sequence[ChangePoint] = (), tests: int = 1) -> list[ChangePoint]:
    """The known change points and those beside them that a test shows where so many series are tested, in the order
    in which they are seen: the first is the clearest."""
    points = list(known)
    while (point := next_point(tuple(values), tuple(sorted(other.index for other in points)), tests)) is not None:
        if tests * point.p >= SIGNIFICANT:
            break
        points.append(point)
    return points


@lru_cache(maxsize=4096)
def next_point(values: tuple[float, ...], known: tuple[int, ...] = (), tests: int = 1) -> ChangePoint | None:
    """The clearest change point beside those known, shown or not; None where no segment has room for one. Its p-value
    is fine enough to be shown at 5 % where so many series are tested. Raises ValueError for values that are no numbers
    or larger than any figure."""
    series = np.asarray(values, dtype=np.float64)
    # Every comparison with NaN is false: each test would show a change, without end.
    if not np.all(np.abs(series) <= MOST):
        raise ValueError("a value is too large or no number: where the runs change cannot be tested")
    edges = [0, *known, series.size]
    segments = [(start, end) for start, end in pairwise(edges) if end - start >= 2 * LEAST_RUNS]
    if not segments:
        return None
    tops = [_top(series[np.newaxis, start:end]) for start, end in segments]
    best = max(range(len(segments)), key=lambda number: tops[number][0][0])
    q, at = float(tops[best][0][0]), int(tops[best][1][0])
    as_large, shuffles = _as_large(
        [series[start:end] for start, end in segments],
        q - _TIE * max(1.0, abs(q)),
        math.ceil(_HALF * tests / SIGNIFICANT),
    )
    p = 1.0 if q <= 0 else (1 + as_large) / (1 + shuffles)
    return ChangePoint(segments[best][0] + at, q, p)


def _as_large(segments: Sequence[FloatArray], q: float, enough: int) -> tuple[int, int]:
    """How many shuffles of the segments have a Q of at least `q`, and of how many: `enough` of them at least. Where it
    is plain that the test shows nothing, no more are drawn."""
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
    """Q of each row of runs for every t (first axis behind the rows) and k, where both sides have the `least` runs or
    more; -inf elsewhere."""
    whole, first, second, room = _weights(rows.shape[1], least)
    inner = _inner_sums(rows)
    # Q in terms of the sums within x[0:k], x[0:t] and x[t:k]: what is between two sides is the whole less both.
    q = inner[:, 0, np.newaxis, :] * whole
    q -= inner[:, 0, :, np.newaxis] * first
    inner *= second
    q -= inner
    q += room
    return q


@lru_cache(maxsize=64)
def _weights(count: int, least: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """What each sum counts in Q at [t, k], and 0 where there is room for both sides, -inf elsewhere."""
    t = np.arange(count + 1, dtype=np.float64)[:, np.newaxis]
    k = np.arange(count + 1, dtype=np.float64)[np.newaxis, :]
    behind = k - t
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = 2 / k + 0 * t
        weights = whole, whole + 2 * behind / (k * (t - 1)), whole + 2 * t / (k * (behind - 1))
    fits = (t >= least) & (behind >= least)
    whole, first, second = (np.where(fits, weight, 0.0) for weight in weights)
    return whole, first, second, np.where(fits, 0.0, -np.inf)


def _top(rows: FloatArray) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """The largest Q of each row, and the t where it is, with room for the least runs on both sides."""
    q = q_table(rows, LEAST_RUNS).reshape(rows.shape[0], -1)
    at = q.argmax(axis=1)
    return q[np.arange(rows.shape[0]), at], at // (rows.shape[1] + 1)


def _inner_sums(rows: FloatArray) -> FloatArray:
    """The sum of the distances of all pairs within x[i:j], at [row, i, j]."""
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
    return sums
