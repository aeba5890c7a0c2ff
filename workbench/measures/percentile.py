"""Percentiles of many samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# From so many values on it pays to look only at those near the percentile.
_MANY = 20_000
_EVERY = 64
# How far below the wanted share the values that are looked at begin.
_MARGIN = 0.02
# Intervals that differ by less than this factor are those of one collector, whose clock is late now and then.
_ALIKE = 1.5
# The shortest usual interval: a few shorter ones, as at a start, are none.
_SHORTEST_PERCENT = 1.0


def over_time(values: Sequence[FloatArray], spans: Sequence[FloatArray]) -> list[FloatArray]:
    """The values (samples along the last axis), each as often as its interval in seconds holds the shortest usual one:
    a sample of 60 s counts twelve times among samples of 5 s. Unchanged where all intervals are alike."""
    every = np.concatenate([np.empty(0), *spans])
    # The percentile is asked for only where intervals differ: it costs more than all else here.
    if not every.size or every.max() < _ALIKE * every.min():
        return list(values)
    shortest = float(np.percentile(every, _SHORTEST_PERCENT))
    if every.max() < _ALIKE * shortest:
        return list(values)
    counts = (np.maximum(np.rint(span / shortest), 1.0).astype(np.intp) for span in spans)
    return [np.repeat(part, count, axis=-1) for part, count in zip(values, counts, strict=True)]


def percentile(values: FloatArray, share: float) -> float | None:
    """The percentile of known values with linear interpolation between the two nearest; None when there are none.

    The same as `np.percentile`. Of many values those above a limit are sorted out first; the limit is the
    percentile of a few, and only chooses where to look: when it turns out too high, all are looked at.
    """
    if not values.size:
        return None
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
