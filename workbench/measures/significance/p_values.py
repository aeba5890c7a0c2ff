"""The permutation test, and p-values adjusted for their number.

The permutation test checks if the change is larger than with other splits of the same runs: Fisher (1935); if there are
too many ways for all to be tried, after Phipson and Smyth (2010).

Holm (1979) limits the chance of any false difference among the primary metrics of a study to 5 %. Benjamini and
Hochberg (1995) limit the share of false verdicts among all others to 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from workbench.measures.statistics import FloatArray, Scale

# Minimum number of runs on each side for a permutation test.
PERMUTATION_RUNS = 5
# All ways to split the runs are tried up to this number; beyond, this many are drawn with a fixed seed.
MOST_PARTINGS = 20_000
_SEED = 20160510


def permutation_p(baseline: Sequence[float], values: Sequence[float], scale: Scale = "logs") -> float | None:
    """Two-sided p-value of no change, from splitting all runs again; None if a side has fewer than five.

    It is twice the share of the splits that differ at least as far in the same direction: in their mean logs, or in
    their plain means on plain values and if a value is 0. If there are more than 20,000 ways to split the runs, 19,999
    are drawn with a fixed seed, and the measured one is counted too (Phipson and Smyth, 2010).
    """
    if min(len(baseline), len(values)) < PERMUTATION_RUNS:
        return None
    return _permutation_p(tuple(baseline), tuple(values), scale)


# Kept, because the same runs are judged in several families, and again after another configuration is hidden.
@lru_cache(maxsize=8192)
def _permutation_p(baseline: tuple[float, ...], values: tuple[float, ...], scale: Scale) -> float:
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if scale == "logs" and min(base.min(), ours.min()) > 0:
        base, ours = np.log(base), np.log(ours)
    pooled = np.concatenate((base, ours))
    # The sum of one side gives the difference of the means, because the sum of both sides is constant.
    sums = _partings(pooled.size, base.size) @ pooled
    seen, tie = float(base.sum()), 1e-12 * float(np.abs(pooled).sum())
    fewest = min(np.count_nonzero(sums <= seen + tie), np.count_nonzero(sums >= seen - tie))
    return min(1.0, 2 * fewest / sums.size)


@lru_cache(maxsize=4)
def _partings(count: int, size: int) -> FloatArray:
    """Ways to split `count` runs, one per row: 1 for the `size` runs of the first side.

    All ways if there are few; otherwise the measured split (first row) and random ones. Kept for the next metric:
    scipy's permutation_test gives equal p-values but draws again, 60 ms for each of hundreds.
    """
    if math.comb(count, size) <= MOST_PARTINGS:
        chosen = np.array(list(combinations(range(count), size)), dtype=np.intp)
    else:
        drawn = np.random.default_rng(_SEED).random((MOST_PARTINGS - 1, count)).argsort(axis=1)
        chosen = np.concatenate((np.arange(size)[np.newaxis], drawn[:, :size]))
    members = np.zeros((len(chosen), count))
    np.put_along_axis(members, chosen, 1.0, axis=1)
    return members


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted by Holm, in the given order. None values do not count and stay None."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[index] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None], most_true: int | None = None) -> list[float | None]:
    """p-values adjusted by Benjamini and Hochberg, in the given order. None values stay None.

    `most_true` is how many of the hypotheses can be true at once if this is fewer than all: a comparison cannot be
    without difference and also beyond the margin. The share of false verdicts depends on the true hypotheses.
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    count = len(known) if most_true is None else most_true
    lowest = 1.0
    for rank, (p, index) in reversed(list(enumerate(known, 1))):
        lowest = min(lowest, max(p, count * p / rank))
        adjusted[index] = lowest
    return adjusted
