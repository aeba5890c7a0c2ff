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

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from workbench.study.series.vm_series import Samples

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
# The first and the last place that something takes among the samples of a gauge; missing ones between do not count.
Span = tuple[int, int]

MB = 2**20
RESET_MB, RESET_SHARE = 8.0, 0.2
FILL_FROM, FILL_TO = 0.05, 0.95
LEVEL_WINDOW_S, LEVEL_SHARE = 300.0, 0.10
# Less growth than this is the driver's own bookkeeping.
LEAST_MB = 1.0
# A pool that holds this close to its peak for a third of the readings has stopped growing.
PLATEAU_NEAR, PLATEAU_TAIL = 0.01, 1 / 3


@dataclass(frozen=True, eq=False)
class GaugeReadings:
    """`mb` at `at` (seconds since 1970 UTC, ascending); nothing missing in it. `places` are those among the samples of
    the gauge, empty: the same."""

    at: FloatArray
    mb: FloatArray
    places: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

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

    def span(self, first: int, last: int) -> Span:
        """The places of the readings from `first` to `last` among the samples of the gauge."""
        return (int(self.places[first]), int(self.places[last])) if self.places.size else (first, last)


@dataclass(frozen=True, slots=True)
class FillRate:
    """The filling part: between which moments (UTC seconds), how fast on the mean, and the readings that tell so."""

    start: float
    end: float
    rate_mb_per_min: float
    span: Span


@dataclass(frozen=True, slots=True)
class Level:
    """Where growth levelled off (UTC seconds; None: still growing at the end), at how many MB, and in which reading;
    `end_rate_mb_per_min` is the growth over the last window, `end_span` its readings."""

    at: float | None
    mb: float | None
    steepest_mb_per_min: float
    end_rate_mb_per_min: float
    span: Span | None
    end_span: Span


def readings(samples: Samples | None) -> GaugeReadings:
    """The known readings of a gauge in MB, none without a gauge."""
    if samples is None:
        return GaugeReadings(np.empty(0), np.empty(0))
    places = np.flatnonzero(~np.isnan(samples.values))
    return GaugeReadings(samples.end[places], samples.values[places] / MB, places)


def taken_samples(samples: Samples, spans: Iterable[Span]) -> npt.NDArray[np.bool_]:
    """Which samples lie in the spans and are known."""
    taken = np.zeros(samples.end.size, np.bool_)
    for first, last in spans:
        taken[first : last + 1] = True
    return taken & ~np.isnan(samples.values)


def stretches(found: GaugeReadings) -> tuple[GaugeReadings, ...]:
    """The readings cut where the gauge was emptied; one stretch where it never was, none without readings."""
    if not len(found):
        return ()
    above = found.mb - found.mb.min()
    before, after = above[:-1], above[1:]
    cuts = np.flatnonzero((before >= RESET_MB) & (after < RESET_SHARE * before)) + 1
    parts = zip(*(np.split(column, cuts) for column in (found.at, found.mb, found.places)), strict=True)
    return tuple(GaugeReadings(at, mb, places) for at, mb, places in parts)


def fill(found: GaugeReadings, full_mb: float | None = None) -> FillRate | None:
    """How the gauge filled, up to `full_mb` where it gets there; None when it grew by less than a megabyte."""
    if len(found) < 2:
        return None
    top = found.peak_mb if full_mb is None else min(full_mb, found.peak_mb)
    reached = int(np.flatnonzero(found.mb >= top)[0])
    lowest = float(found.mb[: reached + 1].min())
    span = top - lowest
    if span < LEAST_MB:
        return None
    high, low = lowest + FILL_TO * span, lowest + FILL_FROM * span
    last = int(np.flatnonzero(found.mb >= high)[0])
    first = int(np.flatnonzero(found.mb[:last] <= low)[-1])
    start, end = _crossing(found, first, low), _crossing(found, last - 1, high)
    return FillRate(start, end, 60 * (high - low) / (end - start), found.span(first, last))


def full_at(found: GaugeReadings, full_mb: float) -> int | None:
    """The first reading at or above `full_mb`, None when there is none."""
    reached = np.flatnonzero(found.mb >= full_mb)
    return int(reached[0]) if reached.size else None


def level(found: GaugeReadings) -> Level | None:
    """Where growth levelled off; None when the gauge never grew by a megabyte within a window."""
    if len(found) < 3:
        return None
    length = float(found.at[-1] - found.at[0])
    window = min(LEVEL_WINDOW_S, length / 10)
    inside = found.at >= found.at[0] + window
    at = found.at[inside]
    grown = found.mb[inside] - np.interp(at - window, found.at, found.mb)
    steepest = float(grown.max())
    if steepest < LEAST_MB:
        return None
    # The first reading behind the last one at which growth was more than a tenth of the steepest.
    settled = int(np.flatnonzero(inside)[0]) + int(np.flatnonzero(grown > LEVEL_SHARE * steepest)[-1]) + 1
    before = int(np.searchsorted(found.at, found.at[-1] - window, side="right")) - 1
    per_min = 60 / window
    rates = steepest * per_min, float(grown[-1]) * per_min
    end_span = found.span(max(before, 0), len(found) - 1)
    if settled == len(found) or found.at[-1] - found.at[settled] < window:
        return Level(None, None, *rates, None, end_span)
    return Level(float(found.at[settled]), float(found.mb[settled]), *rates, found.span(settled, settled), end_span)


def plateau_at(found: GaugeReadings) -> float | None:
    """When a pool reached the level that it then keeps; None when it still moves in the last third."""
    if len(found) < 6:
        return None
    near = found.mb >= (1 - PLATEAU_NEAR) * found.peak_mb
    tail = found.at >= found.at[-1] - PLATEAU_TAIL * (found.at[-1] - found.at[0])
    return float(found.at[np.flatnonzero(near)[0]]) if near[tail].all() else None


def _crossing(found: GaugeReadings, place: int, mb: float) -> float:
    """When the line from reading `place` to the next passes `mb`."""
    (t0, t1), (v0, v1) = found.at[place : place + 2], found.mb[place : place + 2]
    return float(t0 + (t1 - t0) * (mb - v0) / (v1 - v0))
