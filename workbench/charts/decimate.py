"""Reduces the points of a line without changing the image: drops points outside the view, keeps extremes inside.

A bucket keeps its lowest and its highest sample in their order, so a peak of one sample is visible at every zoom.
Between two kept and joined samples no sample is missing (NaN), so gaps stay visible. Buckets start at multiples of
their length, so the image does not flicker while it moves.

Very long lines keep the extremes of their buckets (`Extremes`, computed once in the background). So moving a hundred
million samples takes no longer than moving a thousand.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from workbench.charts.extremes import Extremes, coarser, length, places_of
from workbench.charts.figure import FloatArray

LIMIT = 4_000
"""Lines up to this many visible points are drawn as they are."""
LONG = 100_000
"""Longer lines use their extremes, because checking every sample in each frame would be noticeably slow."""
IntArray = npt.NDArray[np.int64]


def _with_gaps(kept: IntArray, missing: IntArray) -> IntArray:
    """The ascending indices, plus the first missing sample between any two of them if there is one."""
    if not missing.size or kept.size < 2:
        return kept
    at = np.searchsorted(missing, kept[:-1], side="right")
    lost = (at < missing.size) & (missing[np.minimum(at, missing.size - 1)] < kept[1:])
    return np.insert(kept, np.flatnonzero(lost) + 1, missing[at[lost]])


def visible(x: FloatArray, low: float, high: float) -> slice:
    """The part of ascending `x` inside `[low, high]`, with one neighbour on each side."""
    first = int(np.searchsorted(x, low, side="left"))
    last = int(np.searchsorted(x, high, side="right"))
    return slice(max(0, first - 1), min(x.size, last + 1))


def min_max(x: FloatArray, y: FloatArray, per_bucket: int) -> tuple[FloatArray, FloatArray]:
    """The lowest, the highest and the first missing sample of every `per_bucket` samples, in their order."""
    if per_bucket <= 2 or y.size <= per_bucket:
        return x, y
    whole = y.size - y.size % per_bucket
    kept = _kept(y[:whole].reshape(-1, per_bucket))
    if whole < y.size:
        kept = np.concatenate((kept, _kept(y[whole:].reshape(1, -1)) + whole))
    kept = _with_gaps(kept, np.flatnonzero(np.isnan(y)))
    return x[kept], y[kept]


def _kept(buckets: FloatArray) -> IntArray:
    """The indices of each bucket's lowest, highest and first missing sample, ascending."""
    places = list(places_of(buckets))
    missing = np.isnan(buckets)
    gaps = missing.any(axis=1)
    if gaps.any():
        # A bucket without a gap repeats its lowest sample, which does not change the drawing.
        starts = np.arange(len(buckets), dtype=np.int64) * buckets.shape[1]
        places.append(np.where(gaps, starts + np.argmax(missing, axis=1), places[0]))
    return np.sort(np.stack(places, axis=1), axis=1).ravel()


def line_in_view(
    x: FloatArray,
    y: FloatArray,
    low: float,
    high: float,
    buckets: int = 1_000,
    limit: int = LIMIT,
    known: Extremes | None = None,
) -> tuple[FloatArray, FloatArray]:
    """The points that draw the line between `low` and `high`: all of them up to `limit`, otherwise extremes.
    Precomputed extremes are used if there are any."""
    part = visible(x, low, high)
    count = part.stop - part.start
    if count <= limit:
        return x[part], y[part]
    per_bucket = math.ceil(count / buckets)
    if known is not None and (level := known.level(per_bucket)) >= 0:
        # Rounded, because twice the strokes that fit would take twice as long to paint.
        kept = _known_in(y, known, level, round(per_bucket / length(level)), part)
        return x[kept], y[kept]
    start = part.start - part.start % per_bucket
    stop = min(x.size, part.stop + per_bucket - part.stop % per_bucket)
    return min_max(x[start:stop], y[start:stop], per_bucket)


def _known_in(y: FloatArray, known: Extremes, level: int, count: int, part: slice) -> IntArray:
    """The indices that draw a part of the line, from one level of its extremes, with `count` buckets joined."""
    together = count * length(level)
    buckets = slice(part.start // together * count, -(-part.stop // together) * count)
    lows, highs = (
        coarser(y, places[level][buckets], count, sign) for places, sign in ((known.lows, -1.0), (known.highs, 1.0))
    )
    kept = np.sort(np.stack((lows, highs), axis=1), axis=1).ravel()
    low, high = np.searchsorted(known.missing, (kept[0], kept[-1] + 1))
    return _with_gaps(kept, known.missing[low:high])


def straightened(x: FloatArray, y: FloatArray, tolerance: float, rounds: int = 3) -> tuple[FloatArray, FloatArray]:
    """The line without points that differ by at most `tolerance` from the straight line between their neighbours, in
    each round. Extremes, gaps and ends stay."""
    for _ in range(rounds):
        before, middle, after = y[:-2:2], y[1:-1:2], y[2::2]
        width = x[2::2] - x[:-2:2]
        share = np.divide(x[1:-1:2] - x[:-2:2], width, out=np.full_like(width, np.nan), where=width > 0)
        between = (np.minimum(before, after) <= middle) & (middle <= np.maximum(before, after))
        kept = np.ones(x.size, np.bool_)
        kept[1:-1:2] = ~(between & (np.abs(before + (after - before) * share - middle) <= tolerance))
        x, y = x[kept], y[kept]
    return x, y


def band_in_view(
    x: FloatArray, low: FloatArray, high: FloatArray, start: float, stop: float, buckets: int = 600
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The band between `start` and `stop`: lowest `low` and highest `high` of each bucket.

    A bucket is missing only if all of it is, because a band is an area and not a path.
    """
    part = visible(x, start, stop)
    count = part.stop - part.start
    if count <= 2 * buckets:
        return x[part], low[part], high[part]
    per_bucket = math.ceil(count / buckets)
    first = part.start - part.start % per_bucket
    whole = slice(first, part.stop)
    edges = np.arange(0, part.stop - first, per_bucket)
    missing = np.isnan(low[whole]) | np.isnan(high[whole])
    lowest = np.minimum.reduceat(np.where(missing, np.inf, low[whole]), edges)
    highest = np.maximum.reduceat(np.where(missing, -np.inf, high[whole]), edges)
    lowest[np.isinf(lowest)] = np.nan
    highest[np.isinf(highest)] = np.nan
    ends = np.minimum(edges + per_bucket, part.stop - first) - 1
    places = (x[whole][edges] + x[whole][ends]) / 2
    # The first and the last point keep the ends of the data, so the band is as long as the line over it.
    places[0], places[-1] = x[whole][0], x[whole][-1]
    return places, lowest, highest


def block_means(values: FloatArray, factor: int) -> FloatArray:
    """Means of `factor` neighbouring columns over measured values; NaN if none was measured."""
    if factor <= 1:
        return values
    edges = np.arange(0, values.shape[1], factor)
    measured = np.isfinite(values)
    if measured.all():
        whole: FloatArray = np.add.reduceat(values, edges, axis=1) / np.diff(edges, append=values.shape[1])
        return whole
    sums = np.add.reduceat(np.where(measured, values, 0.0), edges, axis=1)
    counts = np.add.reduceat(measured.astype(np.float64), edges, axis=1)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def row_peaks(values: FloatArray, factor: int) -> FloatArray:
    """The maximum of `factor` neighbouring rows, so no machine disappears between two pixels."""
    if factor <= 1:
        return values
    if np.isinf(values).any():
        values = np.where(np.isinf(values), np.nan, values)
    # fmax ignores missing values.
    peaks: FloatArray = np.fmax.reduceat(values, np.arange(0, values.shape[0], factor), axis=0)
    return peaks
