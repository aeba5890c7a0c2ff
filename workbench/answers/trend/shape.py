"""What the change of a series looks like: steps or a drift, and which runs a step may lie between.

Steps against drift: the runs are fitted by their means between the change points, and by a straight line (over the
order of the runs, or over their dates, whichever fits better). The fit with the smaller Bayesian information criterion

    BIC = n · ln(RSS / n) + p · ln n,    p = 2k + 1 for k steps (means and places), 2 for a line

is believed where the other's is larger by 6 or more ("strong evidence" after Kass and Raftery, 1995); else these runs
do not show which it is.

The place of a step: with a mean on each side, normal scatter and no knowledge beforehand, the chance that the step
lies before session t is in proportion to (m · n)^(−1/2) · RSS(t)^(−(m+n−2)/2), m sessions before and n behind (Smith,
1975). The most likely place is named; the most likely places that have 95 % together are those that the step may be at.

Sources: Schwarz (1978) (BIC); Kass and Raftery (1995), J. Am. Stat. Assoc. 90, 773; Smith (1975), Biometrika 62, 407.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from workbench.measures.statistics import CONFIDENCE, FloatArray
from workbench.measures.student import reach_of

# By so much the BIC of the other fit must be larger.
STRONG = 6.0
# A step has so many runs on each side of the places that it may be at.
_LEAST_BESIDE = 2
# Runs that agree to the last digit leave nothing to take a logarithm of.
_NOTHING = 1e-12


class Shape(StrEnum):
    """What a change looks like."""

    STEP = "step"
    DRIFT = "drift"
    UNCLEAR = "step or drift"


@dataclass(frozen=True, slots=True)
class Slope:
    """The line through the runs from the first to the last: how far it leads, in the unit of the values, with the ends
    of its 95 % interval. `heights` is the line at each run."""

    change: float
    low: float
    high: float
    heights: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A step before the run with this `index` has the chance `share`."""

    index: int
    share: float


def shape_of(values: FloatArray, edges: Sequence[int], seconds: FloatArray) -> tuple[Shape, float]:
    """What the change is, and by how much the BIC of the line is larger than that of the steps at `edges`."""
    count = values.size
    steps = _bic(_rss_of_steps(values, edges), values, 2 * len(edges) + 1)
    line = min(_bic(_rss_of_line(values, x), values, 2) for x in _axes(count, seconds))
    ahead = line - steps
    return (Shape.STEP if ahead >= STRONG else Shape.DRIFT if ahead <= -STRONG else Shape.UNCLEAR), ahead


def slope_of(values: FloatArray, seconds: FloatArray) -> Slope:
    """The better of the lines over the order and over the dates."""
    x = min(_axes(values.size, seconds), key=lambda axis: _rss_of_line(values, axis))
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ values) / spread
    freedom = values.size - 2
    error = (_rss_of_line(values, x) / freedom / spread) ** 0.5
    length, reach = float(x.max() - x.min()), reach_of(CONFIDENCE, freedom) * error
    heights = tuple((values.mean() + slope * centred).tolist())
    return Slope(slope * length, (slope - reach) * length, (slope + reach) * length, heights)


def placed(values: FloatArray, edges: Sequence[int]) -> list[int]:
    """The most likely place of each step, between the steps beside it."""
    at = sorted(edges)
    for number in range(len(at)):
        start, end = (0, *at)[number], (*at, values.size)[number + 1]
        at[number] = start + places_of(values[start:end])[0].index
    return at


def places_of(values: FloatArray) -> tuple[Place, ...]:
    """The places that the step of a stretch of sessions may be at, the likeliest first."""
    count = values.size
    at = np.arange(_LEAST_BESIDE, count - _LEAST_BESIDE + 1)
    floor = max(_NOTHING, _NOTHING * float(values @ values))
    rss = np.array([max(_rss_of_steps(values, (int(place),)), floor) for place in at])
    logs = -np.log(at * (count - at)) / 2 - (count - 2) / 2 * np.log(rss)
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    places: list[Place] = []
    for rank in np.argsort(-shares, kind="stable"):
        if sum(place.share for place in places) >= CONFIDENCE:
            break
        places.append(Place(int(at[rank]), float(shares[rank])))
    return tuple(places)


def _bic(rss: float, values: FloatArray, parameters: int) -> float:
    floor = _NOTHING * max(1.0, float(values @ values))
    return float(values.size * np.log(max(rss, floor) / values.size) + parameters * np.log(values.size))


def _rss_of_steps(values: FloatArray, edges: Sequence[int]) -> float:
    parts = np.split(values, sorted(edges))
    return float(sum(((part - part.mean()) ** 2).sum() for part in parts))


def _rss_of_line(values: FloatArray, x: FloatArray) -> float:
    centred, rest = x - x.mean(), values - values.mean()
    slope = float(centred @ rest) / float(centred @ centred)
    return float(((rest - slope * centred) ** 2).sum())


def _axes(count: int, seconds: FloatArray) -> list[FloatArray]:
    """What a line may run over: the order of the runs, and their dates where they are known and differ."""
    order = np.arange(count, dtype=np.float64)
    dated = bool(np.isfinite(seconds).all()) and float(np.ptp(seconds)) > 0
    return [order, seconds] if dated else [order]
