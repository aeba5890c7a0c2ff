"""The lowest and highest samples in buckets of a very long line, computed once in the background.

A line with these extremes can be moved at a hundred million samples as quickly as at a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FINEST, STEP = 64, 4
# Number of values processed together: 2 MB, which stay in the processor cache while both extremes are searched.
_TOGETHER = 4_096
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Extremes:
    """Indices of the lowest and the highest sample of every bucket, for buckets of 64, 256, 1,024, … samples up to the
    whole line, and the indices of missing samples. A bucket without any sample has its first index in both."""

    lows: tuple[IntArray, ...]
    highs: tuple[IntArray, ...]
    missing: IntArray

    def level(self, per_bucket: int) -> int:
        """The level with the longest buckets of at most `per_bucket` samples; -1 if no level is fine enough."""
        return min(((per_bucket // FINEST).bit_length() - 1) // 2, len(self.lows) - 1)

    def ends(self, y: FloatArray) -> FloatArray:
        """The lowest and the highest sample of the line `y`; NaN if it has none."""
        return y[np.concatenate((self.lows[-1], self.highs[-1]))]


def length(level: int) -> int:
    """Number of samples in a bucket of this level."""
    return FINEST * int(STEP**level)


def extremes(y: FloatArray) -> Extremes:
    """The extremes of a line with at least one sample, in one pass: about 3 ms and 0.3 MB per million samples."""
    whole, step = y.size - y.size % FINEST, FINEST * _TOGETHER
    parts = [(start, y[start : min(start + step, whole)].reshape(-1, FINEST)) for start in range(0, whole, step)]
    parts += [(whole, y[whole:].reshape(1, -1))] if whole < y.size else []
    searched = [tuple(places + start for places in _searched(buckets)) for start, buckets in parts]
    low, high, missing = (np.concatenate(places) for places in zip(*searched, strict=True))
    lows, highs = [low], [high]
    while lows[-1].size > 1:
        lows.append(coarser(y, lows[-1], STEP, -1.0))
        highs.append(coarser(y, highs[-1], STEP, 1.0))
    return Extremes(tuple(lows), tuple(highs), missing)


def places_of(buckets: FloatArray) -> tuple[IntArray, IntArray]:
    """Indices of the lowest and the highest sample of each row of `buckets`; the first index if all are NaN."""
    return _searched(buckets)[:2]


def _searched(buckets: FloatArray) -> tuple[IntArray, IntArray, IntArray]:
    """Like `places_of`, with the indices of missing samples."""
    rows, width = buckets.shape
    starts = np.arange(rows, dtype=np.int64) * width
    low, high = buckets.argmin(axis=1), buckets.argmax(axis=1)
    # NumPy returns NaN as the lowest. Only if it found one are all samples searched again.
    gaps = np.flatnonzero(np.isnan(buckets[np.arange(rows), low]))
    holed = buckets[gaps]
    missing = np.isnan(holed)
    low[gaps] = np.argmin(np.where(missing, np.inf, holed), axis=1)
    high[gaps] = np.argmax(np.where(missing, -np.inf, holed), axis=1)
    row, column = np.nonzero(missing)
    return starts + low, starts + high, starts[gaps][row] + column


def coarser(y: FloatArray, places: IntArray, count: int, sign: float) -> IntArray:
    """The index of the most extreme sample for each `count` neighbouring buckets: the highest with `sign` 1."""
    if count == 1:
        return places
    groups = np.append(places, np.repeat(places[-1:], -places.size % count)).reshape(-1, count)
    values = sign * y[groups]
    # A bucket without samples never represents one with samples.
    values[np.isnan(values)] = -np.inf
    chosen: IntArray = groups[np.arange(len(groups)), values.argmax(axis=1)]
    return chosen
