"""The lowest and highest samples of a very long line's buckets, made once beside the window.

A line that carries them is moved at ten million samples as quickly as at a thousand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FINEST = 32
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Extremes:
    """Where the lowest and the highest sample of every bucket stand, for buckets of 32, 64, 128, … samples, and
    where samples are missing. A bucket without any sample has its first place in both."""

    lows: tuple[IntArray, ...]
    highs: tuple[IntArray, ...]
    missing: IntArray

    def level(self, per_bucket: int) -> int:
        """The level whose buckets are nearest to that many samples; -1: none is that fine."""
        if per_bucket < FINEST:
            return -1
        return min(round(math.log2(per_bucket / FINEST)), len(self.lows) - 1)


def extremes(y: FloatArray) -> Extremes:
    """The extremes of a line, looked at once: some 30 ms a million samples."""
    low, high = _first_level(y)
    lows, highs = [low], [high]
    while lows[-1].size > 2:
        lows.append(_paired(y, lows[-1], -1.0))
        highs.append(_paired(y, highs[-1], 1.0))
    return Extremes(tuple(lows), tuple(highs), np.flatnonzero(np.isnan(y)))


def _first_level(y: FloatArray) -> tuple[IntArray, IntArray]:
    whole = y.size - y.size % FINEST
    low, high = places_of(y[:whole].reshape(-1, FINEST))
    if whole < y.size:
        last = places_of(y[whole:].reshape(1, -1))
        low, high = (
            np.concatenate((places, remainder + whole)) for places, remainder in zip((low, high), last, strict=True)
        )
    return low, high


def places_of(buckets: FloatArray) -> tuple[IntArray, IntArray]:
    """Where the lowest and the highest sample of each row of `buckets` stand; the first place where all are NaN."""
    starts = np.arange(len(buckets), dtype=np.int64) * buckets.shape[1]
    missing = np.isnan(buckets)
    gaps = bool(missing.any())
    low = np.argmin(np.where(missing, np.inf, buckets) if gaps else buckets, axis=1)
    high = np.argmax(np.where(missing, -np.inf, buckets) if gaps else buckets, axis=1)
    return starts + low, starts + high


def _paired(y: FloatArray, places: IntArray, sign: float) -> IntArray:
    """Of each two neighbouring buckets the place of the more extreme sample: the higher with `sign` 1."""
    first, second = places[: places.size // 2 * 2 : 2], places[1::2]
    ours, theirs = (np.where(np.isnan(part), -np.inf, sign * part) for part in (y[first], y[second]))
    # A bucket without samples never stands for one that has some.
    keeps = (ours >= theirs) & ~(np.isnan(y[first]) & ~np.isnan(y[second]))
    paired = np.where(keeps, first, second)
    return np.append(paired, places[-1]) if places.size % 2 else paired
