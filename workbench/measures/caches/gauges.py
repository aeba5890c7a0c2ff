"""What a cache gauge does over time: where it is emptied, how fast it fills, when its growth levels off.

All of it works on readings in MB (2^20 bytes) at seconds since 1970 UTC, missing ones left out.

Emptied: from one reading to the next the amount above the lowest reading falls below a fifth, having been at
least 8 MB: a restarted machine. (PVS gives blocks back as files are deleted; that is a smaller fall.)
Fill rate: the mean rate between 5 % and 95 % of the way from the lowest reading to the level that is filled
(the highest reading, or the full cache where it gets full): 0.9 x (top - lowest) / time between the two crossings,
which are interpolated between readings. This is the rise time of signal theory with its usual kind of edges.
Levelled off: the growth over a sliding window of five minutes (a tenth of the readings' length where that is
shorter) has fallen to 10 % of the steepest such growth or below, and stays so to the end, for at least one window.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.study.series.vm_series import Samples

FloatArray = npt.NDArray[np.float64]

MB = 2**20
RESET_MB, RESET_SHARE = 8.0, 0.2
FILL_FROM, FILL_TO = 0.05, 0.95
LEVEL_WINDOW_S, LEVEL_SHARE = 300.0, 0.10
# Less growth than this is the driver's own bookkeeping.
LEAST_MB = 1.0
# A pool that holds this close to its peak for a third of the readings has stopped growing.
PLATEAU_NEAR, PLATEAU_TAIL = 0.01, 1 / 3


@dataclass(frozen=True, eq=False)
class Readings:
    """`mb` at `at` (seconds since 1970 UTC, ascending); nothing missing in it."""

    at: FloatArray
    mb: FloatArray

    def __len__(self) -> int:
        return int(self.at.size)

    @property
    def peak_mb(self) -> float:
        """The highest reading."""
        return float(self.mb.max())

    @property
    def end_mb(self) -> float:
        """The last reading."""
        return float(self.mb[-1])


@dataclass(frozen=True, slots=True)
class Fill:
    """The filling part: between which moments (UTC seconds), and how fast on the mean."""

    start: float
    end: float
    rate_mb_per_min: float


@dataclass(frozen=True, slots=True)
class Level:
    """Where growth levelled off (UTC seconds; None: still growing at the end) and at how many MB;
    `end_rate_mb_per_min` is the growth over the last window, `window_s` its length."""

    at: float | None
    mb: float | None
    steepest_mb_per_min: float
    end_rate_mb_per_min: float
    window_s: float


def readings(samples: Samples) -> Readings:
    """The known readings of a gauge in MB."""
    known = ~np.isnan(samples.values)
    return Readings(samples.end[known], samples.values[known] / MB)


def stretches(gauge: Readings) -> tuple[Readings, ...]:
    """The readings cut where the gauge was emptied; one stretch where it never was, none without readings."""
    if not len(gauge):
        return ()
    above = gauge.mb - gauge.mb.min()
    before, after = above[:-1], above[1:]
    cuts = np.flatnonzero((before >= RESET_MB) & (after < RESET_SHARE * before)) + 1
    parts = zip(np.split(gauge.at, cuts), np.split(gauge.mb, cuts), strict=True)
    return tuple(Readings(at, mb) for at, mb in parts)


def fill(gauge: Readings, full_mb: float | None = None) -> Fill | None:
    """How the gauge filled, up to `full_mb` where it gets there; None when it grew by less than a megabyte."""
    if len(gauge) < 2:
        return None
    top = gauge.peak_mb if full_mb is None else min(full_mb, gauge.peak_mb)
    reached = int(np.flatnonzero(gauge.mb >= top)[0])
    lowest = float(gauge.mb[: reached + 1].min())
    span = top - lowest
    if span < LEAST_MB:
        return None
    high, low = lowest + FILL_TO * span, lowest + FILL_FROM * span
    last = int(np.flatnonzero(gauge.mb >= high)[0])
    first = int(np.flatnonzero(gauge.mb[:last] <= low)[-1])
    start, end = _crossing(gauge, first, low), _crossing(gauge, last - 1, high)
    return Fill(start, end, 60 * (high - low) / (end - start))


def full_at(gauge: Readings, full_mb: float) -> float | None:
    """The moment of the first reading at or above `full_mb`, None when there is none."""
    reached = np.flatnonzero(gauge.mb >= full_mb)
    return float(gauge.at[reached[0]]) if reached.size else None


def level(gauge: Readings) -> Level | None:
    """Where growth levelled off; None when the gauge never grew by a megabyte within a window."""
    if len(gauge) < 3:
        return None
    length = float(gauge.at[-1] - gauge.at[0])
    window = min(LEVEL_WINDOW_S, length / 10)
    inside = gauge.at >= gauge.at[0] + window
    at = gauge.at[inside]
    grown = gauge.mb[inside] - np.interp(at - window, gauge.at, gauge.mb)
    steepest = float(grown.max())
    if steepest < LEAST_MB:
        return None
    last = int(np.flatnonzero(grown > LEVEL_SHARE * steepest)[-1])
    per_min = 60 / window
    settled = last + 1 < at.size and at[-1] - at[last + 1] >= window
    moment = float(at[last + 1]) if settled else None
    mb = float(gauge.mb[inside][last + 1]) if settled else None
    return Level(moment, mb, steepest * per_min, float(grown[-1]) * per_min, window)


def plateau_at(gauge: Readings) -> float | None:
    """When a pool reached the level that it then keeps; None when it still moves in the last third."""
    if len(gauge) < 6:
        return None
    near = gauge.mb >= (1 - PLATEAU_NEAR) * gauge.peak_mb
    tail = gauge.at >= gauge.at[-1] - PLATEAU_TAIL * (gauge.at[-1] - gauge.at[0])
    return float(gauge.at[np.flatnonzero(near)[0]]) if near[tail].all() else None


def _crossing(gauge: Readings, index: int, mb: float) -> float:
    """When the line from reading `index` to the next passes `mb`."""
    (t0, t1), (v0, v1) = gauge.at[index : index + 2], gauge.mb[index : index + 2]
    return float(t0 + (t1 - t0) * (mb - v0) / (v1 - v0))
