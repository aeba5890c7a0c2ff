"""Percentiles over time: a sample weighs the seconds of its interval.

The samples are put in the order of their values, each as long as its interval. W is the length of all together, u the
shortest interval. The percentile p is the mean over the u seconds that start at p / 100 x (W - u). This is

- for equal intervals: the linear interpolation of `np.percentile` (type 7 of Hyndman and Fan, 1996),
- for multiples of the shortest interval: `np.percentile` of the samples, each repeated as often as its interval holds
  the shortest,
- always within u seconds of the smallest value that p percent of the time does not exceed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.phases.known_values import known_values

FloatArray = npt.NDArray[np.float64]

# From so many values on it pays to look only at those near the percentile.
_MANY = 20_000
_EVERY = 64
# How far below the wanted share the values that are looked at begin.
_MARGIN = 0.02
# Time stamps are rounded: lengths that differ by less than this share are equal.
_EQUAL = 1e-6


class Timed(NamedTuple):
    """Known values and the seconds that each lasted; None if all lasted equally long."""

    values: FloatArray
    seconds: FloatArray | None = None


def over_time(values: Sequence[FloatArray], spans: Sequence[FloatArray]) -> Timed:
    """The known ones of all values (samples along the last axis) with the lengths of their intervals."""
    known = known_values(values)
    if are_equal(np.concatenate([np.empty(0), *spans])):
        return Timed(known)
    seconds: FloatArray = disk_arrays.empty(known.size, np.float64)
    end = 0
    for part, span in zip(values, spans, strict=True):
        for row in np.atleast_2d(part):
            held = span[~np.isnan(row)]
            seconds[end : end + held.size] = held
            end += held.size
    return Timed(known, seconds)


def are_equal(spans: FloatArray) -> bool:
    """Whether these intervals are equally long."""
    return not spans.size or bool(spans.max() <= (1 + _EQUAL) * spans.min())


def percentile(samples: Timed, share: float) -> float | None:
    """The percentile (`share` of 0 to 100) of the samples, None if there are none.

    Of many values those above a limit are sorted out first. The limit is the percentile of a few, and only chooses
    where to look: if it turns out too high, all are looked at.
    """
    values, seconds = samples
    if not values.size:
        return None
    if seconds is None:
        return _of_equal(values, share)
    total, shortest = float(seconds.sum()), float(seconds.min())
    if values.size >= _MANY and share / 100 > _MARGIN:
        limit = percentile(Timed(values[::_EVERY], seconds[::_EVERY]), share - 100 * _MARGIN)
        assert limit is not None
        high = values >= limit
        found = upper_percentile(Timed(values[high], seconds[high]), share, total, shortest)
        if found is not None:
            return found
    return upper_percentile(samples, share, total, shortest)


def upper_percentile(highest: Timed, share: float, total: float, shortest: float) -> float | None:
    """The percentile of samples that last `total` seconds in all, the shortest of them `shortest`, if only the
    highest of them are given, with their seconds; None if it is below these."""
    assert highest.seconds is not None
    order = np.argsort(highest.values)
    until = np.cumsum(highest.seconds[order])
    lasting = float(until[-1]) if until.size else 0.0
    start = share / 100 * (total - shortest) - (total - lasting)
    # The sums are rounded.
    if not until.size or start < -1e-9 * total:
        return None
    return _mean_between(highest.values[order], until, start, shortest)


@dataclass(frozen=True, eq=False)
class Ascending:
    """Samples in the order of their `values`, at least one. `until` are the seconds of all samples up to each, and
    `shortest` those of the shortest; None if all lasted equally long."""

    values: FloatArray
    until: FloatArray | None = None
    shortest: float = 1.0

    def percentile(self, share: float) -> float:
        """The percentile (`share` of 0 to 100)."""
        if self.until is not None:
            start = share / 100 * (float(self.until[-1]) - self.shortest)
            return _mean_between(self.values, self.until, start, self.shortest)
        rank = share / 100 * (self.values.size - 1)
        below = int(rank)
        low, high = self.values[below], self.values[min(below + 1, self.values.size - 1)]
        return float(low + (rank - below) * (high - low))

    def shares(self, at: FloatArray, side: Literal["left", "right"] = "right") -> FloatArray:
        """The percent of the time at or below each of the values `at`; below them with the side `left`."""
        places = np.searchsorted(self.values, at, side=side)
        if self.until is None:
            percents: FloatArray = 100.0 * places / self.values.size
        else:
            percents = 100.0 * np.concatenate([[0.0], self.until])[places] / self.until[-1]
        return percents


def ascending(samples: Timed) -> Ascending:
    """The samples, at least one, in the order of their values."""
    values, seconds = samples
    if seconds is None:
        return Ascending(np.sort(values))
    order = np.argsort(values)
    return Ascending(values[order], np.cumsum(seconds[order]), float(seconds.min()))


def _of_equal(values: FloatArray, share: float) -> float:
    """The percentile of values that all weigh the same."""
    rank = share / 100 * (values.size - 1)
    if values.size >= _MANY and share / 100 > _MARGIN:
        few = values[::_EVERY]
        place = int((share / 100 - _MARGIN) * few.size)
        upper = values[values >= np.partition(few, place)[place]]
        left_out = values.size - upper.size
        if left_out <= int(rank):
            values, rank = upper, rank - left_out
    below = int(rank)
    # Parted at one place: NumPy takes several times as long for two.
    near = np.partition(values, below)
    above = near[below + 1 :].min() if below + 1 < values.size else near[below]
    return float(near[below] + (rank - below) * (above - near[below]))


def _mean_between(values: FloatArray, until: FloatArray, start: float, length: float) -> float:
    """The mean over `length` seconds from `start` on, of `values` that last `until` these seconds."""
    first = min(int(np.searchsorted(until, start, side="right")), until.size - 1)
    last = min(int(np.searchsorted(until, start + length, side="left")), until.size - 1)
    edges = np.clip(until[first : last + 1], start, start + length)
    seconds = np.diff(edges, prepend=start)
    seconds[-1] = max(0.0, length - float(edges[-2] - start)) if edges.size > 1 else length
    lowest = float(values[first])
    return lowest + float(np.dot(values[first : last + 1] - lowest, seconds / length))
