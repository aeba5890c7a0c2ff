"""A quick check of every sample for counters that need a careful check. Most files have none, so they take no more
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.recording import Series
from workbench.study.plausibility.rules import (
    BYTES,
    FROZEN_SAMPLES,
    LATENCIES,
    OPERATIONS,
    RATES,
    SPIKE_FROM,
    WRAP,
    WRAP_NEAR,
    most,
)

FloatArray = npt.NDArray[np.float64]

# Values checked at once: they fit a core's cache.
_AT_ONCE = 1 << 16
# Every run of FROZEN_SAMPLES equal values contains three neighbours in the subset of rows with this step.
_STRIDE = FROZEN_SAMPLES // 3


class Suspects(NamedTuple):
    """Columns with a sample above the threshold, and rates that repeat a value."""

    high: tuple[int, ...]
    still: tuple[int, ...]


def suspects(matrix: FloatArray, series: Sequence[Series], interval: float) -> Suspects:
    """Returns the columns of counters with a metric that need a careful check. `matrix` has a row for each column after
    that of the times; `interval` is the usual one in seconds."""
    places = np.array([one.column for one in series if one.metric is not None], np.intp)
    limits = {one.column: _from(one, interval) for one in series if one.metric is not None}
    rates = {one.column for one in series if one.metric is not None and one.metric.quantity in RATES}
    high: set[int] = set()
    still: set[int] = set()
    step = max(1, _AT_ONCE // max(1, matrix.shape[1]))
    for start in range(0, places.size, step):
        some = places[start : start + step]
        first, last = int(some[0]), int(some[-1])
        values = np.asarray(matrix[slice(1 + first, 2 + last) if last - first == some.size - 1 else 1 + some])
        limit = np.array([limits[place] for place in some.tolist()])
        high.update(some[np.fmax.reduce(values, axis=1) > limit].tolist())
        still.update(some[_repeats(values[:, ::_STRIDE])].tolist())
    return Suspects(tuple(sorted(high)), tuple(sorted(still & rates)))


def _repeats(few: FloatArray) -> npt.NDArray[np.bool_]:
    """Returns a mask of the rows with three equal neighbours that are not 0."""
    if few.shape[1] < 3:
        return np.zeros(len(few), dtype=np.bool_)
    same = few[:, 1:] == few[:, :-1]
    three = same[:, 1:] & same[:, :-1]
    if three.any():
        three &= few[:, 2:] != 0
    repeated: npt.NDArray[np.bool_] = three.any(axis=1)
    return repeated


def _from(series: Series, interval: float) -> float:
    """Returns the value, as the file writes it, from which a counter is checked carefully."""
    metric = series.metric
    assert metric is not None
    limit = most(series)
    if metric.quantity in OPERATIONS:
        limit = SPIKE_FROM[metric.quantity]
    elif metric.quantity in BYTES:
        limit = min(SPIKE_FROM[metric.quantity], 0.9 * WRAP_NEAR * WRAP / interval if interval > 0 else np.inf)
    elif metric.quantity in LATENCIES and interval > 0 and not metric.estimate:
        limit = min(limit, 0.5 * interval)
    return limit / metric.scale
