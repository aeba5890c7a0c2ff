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
from workbench.study.plausibility.stored import Stored

FloatArray = npt.NDArray[np.float64]

# Every run of FROZEN_SAMPLES equal values contains three neighbours in the subset of rows with this step.
_STRIDE = FROZEN_SAMPLES // 3


class Suspects(NamedTuple):
    """Columns with a sample above the threshold, and rates that repeat a value."""

    high: tuple[int, ...]
    still: tuple[int, ...]


def suspects(stored: Stored, series: Sequence[Series], interval: float) -> Suspects:
    """Returns the columns of counters with a metric that need a careful check; `interval` is the usual one in
    seconds."""
    places = [one.column for one in series if one.metric is not None]
    limits = {one.column: _from(one, interval) for one in series if one.metric is not None}
    rates = {one.column for one in series if one.metric is not None and one.metric.quantity in RATES}
    high: set[int] = set()
    still: set[int] = set()
    for block in stored.blocks(places, _STRIDE):
        limit = np.array([limits[place] for place in block.places.tolist()])
        high.update(block.places[block.highest > limit].tolist())
        still.update(block.places[_repeats(block.few)].tolist())
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
