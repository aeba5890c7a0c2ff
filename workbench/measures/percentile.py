"""Percentiles over time, and their uncertainty within one run. The weight of a sample is the length of its interval.

The samples are sorted by value, each as long as its interval. W is the total length, u the shortest interval. The
percentile p is the mean over the u seconds that start at p / 100 x (W - u). This is

- for equal intervals: the linear interpolation of `np.percentile` (type 7 of Hyndman and Fan, 1996),
- for multiples of the shortest interval: `np.percentile` of the samples, each repeated as often as the shortest
  interval fits into its interval,
- always within u seconds of the smallest value that p percent of the time does not exceed.

The uncertainty within a run is an interval by a block bootstrap over time. The phase is cut into equal pieces. A
resample draws blocks of neighbouring pieces (the first follows the last) and takes all samples of all VMs in them. So
events at one moment, or soon after, stay together (Künsch, 1989; circular blocks: Politis and Romano, 1992). The
interval is from the 2.5th to the 97.5th percentile of 999 resamples. The block length is that of Politis and White
(2004; corrected by Patton, Politis and White, 2009) for the share of samples above the percentile, because this share
moves it. The interval is valid for this run only, not for another run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.model.source import WithinRun
from workbench.phases.integral import known_values

FloatArray = npt.NDArray[np.float64]
# From this number of values it is faster to sort only those near the percentile.
_MANY = 20_000
_EVERY = 64
# The distance below the wanted share at which the sorted values begin.
_MARGIN = 0.02
# Timestamps are rounded: a smaller relative difference of lengths is ignored.
_EQUAL = 1e-6


class Timed(NamedTuple):
    """Known values and the seconds of each; `seconds` is None if all lasted equally long."""

    values: FloatArray
    seconds: FloatArray | None = None


def over_time(parts: Sequence[tuple[FloatArray, FloatArray]]) -> Timed:
    """The known values (samples along the last axis) with the lengths of their intervals, which rows may share."""
    known = known_values([values for values, _ in parts])
    if are_equal(np.concatenate([np.empty(0), *(span for _, span in parts)])):
        return Timed(known)
    seconds: FloatArray = disk_arrays.empty(known.size, np.float64)
    end = 0
    for values, span in parts:
        held = np.broadcast_to(span, values.shape)[~np.isnan(values)]
        seconds[end : end + held.size] = held
        end += held.size
    return Timed(known, seconds)


def are_equal(spans: FloatArray) -> bool:
    """True if all intervals are equally long."""
    return not spans.size or bool(spans.max() <= (1 + _EQUAL) * spans.min())


def percentile(samples: Timed, share: float) -> float | None:
    """The percentile (`share` of 0 to 100) of the samples; None if there are none.

    For many values, only those above a limit are sorted. The limit is the percentile of a few values. If it turns out
    too high, all values are sorted.
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
    """The percentile, from only the highest samples and their seconds; None if it is below these. `total` is the length
    of all samples in seconds, `shortest` the length of the shortest."""
    assert highest.seconds is not None
    order = np.argsort(highest.values)
    until = np.cumsum(highest.seconds[order])
    lasting = float(until[-1]) if until.size else 0.0
    start = share / 100 * (total - shortest) - (total - lasting)
    # Tolerance, because the sums are rounded.
    if not until.size or start < -1e-9 * total:
        return None
    return _mean_between(highest.values[order], until, start, shortest)


@dataclass(frozen=True, eq=False)
class Ascending:
    """Samples sorted by `values`, at least one. `until` is the cumulative seconds up to each sample, `shortest` the
    length of the shortest sample. `until` is None if all lasted equally long."""

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
        """Percent of the time at or below each of the values `at`; with side `left` below them."""
        places = np.searchsorted(self.values, at, side=side)
        if self.until is None:
            percents: FloatArray = 100.0 * places / self.values.size
        else:
            percents = 100.0 * np.concatenate([[0.0], self.until])[places] / self.until[-1]
        return percents


def ascending(samples: Timed) -> Ascending:
    """The samples (at least one) sorted by value."""
    values, seconds = samples
    if seconds is None:
        return Ascending(np.sort(values))
    order = np.argsort(values)
    return Ascending(values[order], np.cumsum(seconds[order]), float(seconds.min()))


def _of_equal(values: FloatArray, share: float) -> float:
    """The percentile of values with equal weights."""
    rank = share / 100 * (values.size - 1)
    if values.size >= _MANY and share / 100 > _MARGIN:
        few = values[::_EVERY]
        place = int((share / 100 - _MARGIN) * few.size)
        upper = values[values >= np.partition(few, place)[place]]
        left_out = values.size - upper.size
        if left_out <= int(rank):
            values, rank = upper, rank - left_out
    below = int(rank)
    # Partitioned at one index only: NumPy takes several times as long for two.
    near = np.partition(values, below)
    above = near[below + 1 :].min() if below + 1 < values.size else near[below]
    return float(near[below] + (rank - below) * (above - near[below]))


def _mean_between(values: FloatArray, until: FloatArray, start: float, length: float) -> float:
    """The mean over `length` seconds from `start`, of `values` with the cumulative seconds `until`."""
    first = min(int(np.searchsorted(until, start, side="right")), until.size - 1)
    last = min(int(np.searchsorted(until, start + length, side="left")), until.size - 1)
    edges = np.clip(until[first : last + 1], start, start + length)
    seconds = np.diff(edges, prepend=start)
    seconds[-1] = max(0.0, length - float(edges[-2] - start)) if edges.size > 1 else length
    lowest = float(values[first])
    return lowest + float(np.dot(values[first : last + 1] - lowest, seconds / length))


Moments = Sequence[tuple[FloatArray, FloatArray, FloatArray]]
_RESAMPLES, _SEED, _REACH = 999, 1989, 2.5
# Maximum number of pieces of a phase, and the minimum for an interval.
_STRETCHES, _FEWEST = 720, 16
# Cells that are counted in one step.
_AT_ONCE = 1 << 22
# Number of levels between which the percentile of a resample is interpolated.
_LEVELS = 200


def within_run(parts: Moments, percent: float, value: float, scale: float = 1.0) -> WithinRun | None:
    """The 95 % interval of the percentile over all known samples, and how many are above it; None if the phase is too
    short.

    `parts` have the ends (s), the intervals (s) and the values of samples with common times: one row per VM, or one
    row. `value` and the interval are the sample values times `scale`.
    """
    parts = [part for part in parts if part[2].size]
    if not parts:
        return None
    above, samples = _counts([values for _, _, values in parts], value / scale)
    # The number of equal pieces of the phase, each at least as long as the longest usual interval, and their edges.
    start = min(float(end[0] - span[0]) for end, span, _ in parts)
    last = max(float(end[-1]) for end, _, _ in parts)
    usual = max(float(np.median(span)) for _, span, _ in parts)
    count = max(1, min(_STRETCHES, round((last - start) / usual))) if usual > 0 else 1
    stretches, edges = count, np.linspace(start, last, count + 1)
    if stretches < _FEWEST:
        return None
    levels, counts = _table(parts, edges, percent)
    block = _block_length(_share_above(counts, levels, value / scale))
    ends = np.percentile(_resampled(levels, counts, block, percent), (_REACH, 100 - _REACH))
    seconds = block * float(edges[1] - edges[0])
    return WithinRun(scale * float(ends[0]), scale * float(ends[1]), above, samples, seconds)


def _counts(values: Sequence[FloatArray], limit: float) -> tuple[int, int]:
    """The number of samples above the limit, and the number of known samples."""
    with np.errstate(invalid="ignore"):
        above = sum(int((part > limit).sum()) for part in values)
    return above, sum(int((~np.isnan(part)).sum()) for part in values)


def _table(parts: Moments, edges: FloatArray, percent: float) -> tuple[FloatArray, FloatArray]:
    """Levels (values near the percentile, ascending), and per piece the total length of samples at or below each level.
    The last column is the length of all samples."""
    spans = [span for _, span, _ in parts]
    places = [np.searchsorted(edges, end - span / 2) for end, span, _ in parts]
    values = [np.atleast_2d(part) for _, _, part in parts]
    samples = over_time([*zip(values, spans, strict=True)])
    ordered = ascending(samples)
    reach = max(4.0, 0.8 * (100 - percent))
    shares = np.concatenate(
        [[0.0, percent - 4 * reach], np.linspace(percent - 2 * reach, percent + reach, _LEVELS), [100]]
    )
    levels = np.unique([ordered.percentile(share) for share in np.clip(shares, 0, 100)])
    size = edges.size - 1, levels.size
    cells, table = _cells(places, values, levels, size), np.zeros(size[0] * size[1])
    for start in range(0, cells.size, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        weights = None if samples.seconds is None else samples.seconds[some]
        table += np.bincount(cells[some], weights, minlength=table.size)
    return levels, np.cumsum(table.reshape(size), axis=1)


def _cells(
    places: Sequence[npt.NDArray[np.intp]], values: Sequence[FloatArray], levels: FloatArray, size: tuple[int, int]
) -> npt.NDArray[np.int32]:
    """The cell of each known sample in the table of `size`, in the order of `over_time`."""
    cells: npt.NDArray[np.int32] = disk_arrays.empty(sum(part.size for part in values), np.int32)
    end = 0
    for place, part in zip(places, values, strict=True):
        stretch = np.clip(place - 1, 0, size[0] - 1).astype(np.int32)
        for row in part:
            known = ~np.isnan(row)
            found = stretch[known] * size[1] + np.searchsorted(levels, row[known], side="left")
            cells[end : end + found.size] = found
            end += found.size
    return cells[:end]


def _share_above(counts: FloatArray, levels: FloatArray, limit: float) -> FloatArray:
    """The share of samples above the level next to the limit, for each piece with samples."""
    known = counts[:, -1] > 0
    column = min(int(np.searchsorted(levels, limit)), levels.size - 1)
    share: FloatArray = 1 - counts[known, column] / counts[known, -1]
    return share


def _block_length(series: FloatArray) -> int:
    """The block length of Politis and White for a circular block bootstrap, in elements of the series."""
    count = series.size
    longest = max(1, min(math.ceil(3 * math.sqrt(count)), count // 3))
    centred = series - series.mean()
    variance = float(np.mean(centred**2))
    if variance <= 0:
        return 1
    window = min(count - 1, math.ceil(math.sqrt(count)) + max(5, math.ceil(math.log10(count))))
    lags = np.array(
        [float(np.sum(centred[lag:] * centred[: count - lag])) / count for lag in range(min(count, 2 * window + 1))]
    )
    last = _last_lag(lags / variance, count, window)
    at = np.arange(-last, last + 1)
    weights = np.clip(2 * (1 - np.abs(at) / last), 0, 1) * lags[np.abs(at)]
    spectrum, slope = float(weights.sum()), float((np.abs(at) * weights).sum())
    if spectrum <= 0 or slope <= 0:
        return 1
    best: float = (2 * slope**2 / (4 / 3 * spectrum**2)) ** (1 / 3) * count ** (1 / 3)
    return max(1, min(longest, math.ceil(best)))


def _last_lag(correlations: FloatArray, count: int, window: int) -> int:
    """Twice the last lag before several successive lags that are only noise."""
    noise = 2 * math.sqrt(math.log10(count) / count)
    row = max(5, math.ceil(math.sqrt(math.log10(count))))
    quiet = np.abs(correlations[1:]) < noise
    for lag in range(window):
        if quiet[lag : lag + row].all():
            return max(1, min(2 * lag, window))
    return window


def _resampled(levels: FloatArray, counts: FloatArray, block: int, percent: float) -> FloatArray:
    """The percentile of each resample, interpolated between two levels."""
    rng = np.random.default_rng(_SEED)
    stretches = len(counts)
    running = np.concatenate([np.zeros((1, levels.size)), np.cumsum(np.concatenate([counts, counts[:block]]), axis=0)])
    blocks = running[block : block + stretches] - running[:stretches]
    starts = rng.integers(0, stretches, (_RESAMPLES, math.ceil(stretches / block)))
    rows = starts + stretches * np.arange(_RESAMPLES)[:, None]
    drawn = np.bincount(rows.ravel(), minlength=_RESAMPLES * stretches).reshape(_RESAMPLES, stretches)
    resamples = drawn.astype(np.float64) @ blocks
    resamples = resamples[resamples[:, -1] > 0]
    shares = resamples / resamples[:, -1:]
    return np.array([np.interp(percent / 100, row, levels) for row in shares])
