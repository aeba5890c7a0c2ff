"""The permutation test: is the change more than parting the same runs another way would show?

Fisher (1935); where not all ways can be looked at, after Phipson and Smyth (2010).

p-values adjusted for how many of them there are.

Holm (1979) keeps the chance of any false difference among the primary measures of a study at 5 %. Benjamini and
Hochberg (1995) keep the share of false verdicts among all others at 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from workbench.measures.statistics import FloatArray, Scale

# Runs on each side from which there is a permutation test.
PERMUTATION_RUNS = 5
# Up to this many ways to part the runs all are looked at; beyond, this many drawn at random with a fixed seed.
MOST_PARTINGS = 20_000
_SEED = 20160510


def permutation_p(baseline: Sequence[float], values: Sequence[float], scale: Scale = "logs") -> float | None:
    """Two-sided p-value of no change from parting all runs again; None when a side has fewer than five.

    Twice the share of the partings that differ at least as far to the same side in their mean logs, in their plain
    means on plain values and where one is 0. With more than 20,000 ways to part the runs, 19,999 are drawn with a
    fixed seed, and the one that was measured is counted among them (Phipson and Smyth, 2010).
    """
    if min(len(baseline), len(values)) < PERMUTATION_RUNS:
        return None
    return _permutation_p(tuple(baseline), tuple(values), scale)


# The same runs are judged in several families, and again when another configuration is hidden.
@lru_cache(maxsize=8192)
def _permutation_p(baseline: tuple[float, ...], values: tuple[float, ...], scale: Scale) -> float:
    base, ours = np.asarray(baseline, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if scale == "logs" and min(base.min(), ours.min()) > 0:
        base, ours = np.log(base), np.log(ours)
    pooled = np.concatenate((base, ours))
    # The sum of one side tells the difference of the means: the sum of both never changes.
    sums = _partings(pooled.size, base.size) @ pooled
    seen, tie = float(base.sum()), 1e-12 * float(np.abs(pooled).sum())
    fewest = min(np.count_nonzero(sums <= seen + tie), np.count_nonzero(sums >= seen - tie))
    return min(1.0, 2 * fewest / sums.size)


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


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted after Holm, in the order given; those that are None do not count and stay None."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[index] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None], most_true: int | None = None) -> list[float | None]:
    """p-values adjusted after Benjamini and Hochberg, in the order given; those that are None stay None.

    `most_true` is how many of the hypotheses can be true at once, where that is fewer than all: no comparison is
    without difference and beyond the margin as well, and the share of false verdicts goes by the true ones.
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    count = len(known) if most_true is None else most_true
    lowest = 1.0
    for rank, (p, index) in reversed(list(enumerate(known, 1))):
        lowest = min(lowest, max(p, count * p / rank))
        adjusted[index] = lowest
    return adjusted
