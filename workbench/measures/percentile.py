"""Percentiles of many samples."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# From so many values on it pays to look only at those near the percentile.
_MANY = 20_000
_EVERY = 64
# How far below the wanted share the values that are looked at begin, in percent.
_MARGIN = 2.0


def percentile(values: FloatArray, share: float) -> float | None:
    """The percentile with linear interpolation between the two nearest values; None when there are none.

    The same as `np.percentile`. Of many values those above a limit are sorted out first; the limit is the
    percentile of a few, and only chooses where to look: when it turns out too high, all are looked at.
    """
    if not values.size:
        return None
    value = share / 100 * (values.size - 1)
    below = int(value)
    if values.size >= _MANY and share > _MARGIN:
        upper = values[values >= np.percentile(values[::_EVERY], share - _MARGIN)]
        left_out = values.size - upper.size
        if left_out <= below:
            values, value, below = upper, value - left_out, below - left_out
    above = min(below + 1, values.size - 1)
    near = np.partition(values, (below, above))
    return float(near[below] + (value - below) * (near[above] - near[below]))
