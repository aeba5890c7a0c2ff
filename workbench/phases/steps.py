"""Where a level steps: the moment between two levels that explains the samples around it best, and how sure it is.

Model: one level before the step, another behind it, and one bin between them that holds a part of both. The moment with
the smallest sum of squares is taken (the change point of least squares, Hinkley 1970); every moment whose sum of
squares is not larger than exp(`REACH` / bins) times the smallest may be the step as well. `REACH` was set so that in
simulated studies nine of ten edges or more lie within what is stated (tests/phases/test_detected_edges.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

REACH = 8.0
MOST_ALIKE = 0.9

FloatArray = npt.NDArray[np.float64]


class Step(NamedTuple):
    """A moment and the seconds that it may be off to either side."""

    at: float
    within_s: float


def step_at(level: FloatArray, edges: FloatArray) -> Step | None:
    """The rise in the bins of `level` (NaN: not measured) between `edges`; None where the level does not rise."""
    known = ~np.isnan(level)
    values, starts, ends = level[known], edges[:-1][known], edges[1:][known]
    if values.size < 3:
        return None
    fits = [_fit(values, place) for place in range(values.size)]
    squares = np.array([square for square, _, rises in fits if rises])
    moments = np.array(
        [ends[place] - share * (ends[place] - starts[place]) for place, (_, share, rises) in enumerate(fits) if rises]
    )
    if not squares.size:
        return None
    best = int(squares.argmin())
    # What rounding leaves of a perfect step is no doubt.
    least = max(float(squares[best]), 1e-9 * float(((values - values.mean()) ** 2).sum()))
    near = moments[squares <= least * np.exp(REACH / _independent(values, starts, float(moments[best])))]
    half = 0.5 * float(np.median(ends - starts))
    return Step(float(moments[best]), max(half, float(np.abs(near - moments[best]).max(initial=0.0))))


def _independent(values: FloatArray, starts: FloatArray, at: float) -> float:
    """How many independent values tell as much: fewer where neighbours scatter alike (lag-1 autocorrelation)."""
    behind = starts >= at
    rest = np.where(behind, values - values[behind].mean() if behind.any() else 0.0, values - values[~behind].mean())
    spread = float((rest**2).sum())
    alike = float((rest[1:] * rest[:-1]).sum()) / spread if spread > 0 else 0.0
    alike = min(max(alike, 0.0), MOST_ALIKE)
    return values.size * (1 - alike) / (1 + alike)


def _fit(values: FloatArray, place: int) -> tuple[float, float, bool]:
    """The sum of squares with the step in that bin, the share of the bin behind it, and whether it rises."""
    before, after = values[:place], values[place + 1 :]
    low = float(before.mean()) if before.size else float(values[0])
    high = float(after.mean()) if after.size else float(values[-1])
    if not before.size or not after.size or high <= low:
        return 0.0, 0.0, False
    share = min(max((float(values[place]) - low) / (high - low), 0.0), 1.0)
    rest = float(values[place]) - (low + share * (high - low))
    return float(((before - low) ** 2).sum() + ((after - high) ** 2).sum() + rest**2), share, True
