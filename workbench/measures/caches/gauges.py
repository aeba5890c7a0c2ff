"""Changes of a cache counter over time: when it is emptied, how fast it fills, when its growth levels off.

All functions use samples in MB (2^20 bytes) at seconds since 1970 UTC, without missing ones.

Emptied: from one sample to the next, the amount above the lowest sample falls below a fifth, and it was at least 8 MB
before. This is a restarted machine. (PVS frees blocks when files are deleted; that fall is smaller.)

Fill rate: the mean rate between 5 % and 95 % of the way from the lowest sample to the top: 0.9 x (top - lowest) / time
between the two crossings. The top is the highest sample, or the full cache if it is reached. Crossings are interpolated
between samples. This is the rise time of signal theory with its usual thresholds.

Levelled off: the growth over a sliding window has fallen to 10 % of the steepest growth or below. It must stay there to
the end, for at least one window. A window is five minutes, or a tenth of the recording if that is shorter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from workbench.study.series.vm_series import Samples

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
# First and last sample that is used, as indices among all samples of a counter. Missing ones between are ignored.
Span = tuple[int, int]

MB = 2**20
RESET_MB, RESET_SHARE = 8.0, 0.2
FILL_FROM, FILL_TO = 0.05, 0.95
LEVEL_WINDOW_S, LEVEL_SHARE = 300.0, 0.10
# Smaller growth is bookkeeping of the driver.
LEAST_MB = 1.0
# A pool has stopped growing if it stays this close to its peak for the last third of the samples.
PLATEAU_NEAR, PLATEAU_TAIL = 0.01, 1 / 3


@dataclass(frozen=True, eq=False)
class GaugeReadings:
    """Samples `mb` at the times `at` (seconds since 1970 UTC, ascending), none missing. `places` are their indices
    among all samples of the counter; if empty, the indices are equal."""

    at: FloatArray
    mb: FloatArray
    places: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return int(self.at.size)

    @property
    def peak_mb(self) -> float:
        """The highest sample in MB."""
        return float(self.mb.max())

    @property
    def end_mb(self) -> float:
        """The last sample in MB."""
        return float(self.mb[-1])

    def span(self, first: int, last: int) -> Span:
        """Indices of the samples `first` and `last` among all samples of the counter."""
        return (int(self.places[first]), int(self.places[last])) if self.places.size else (first, last)


@dataclass(frozen=True, slots=True)
class FillRate:
    """The filling of a cache: start and end (UTC seconds), mean rate, and the samples used."""

    start: float
    end: float
    rate_mb_per_min: float
    span: Span


@dataclass(frozen=True, slots=True)
class Level:
    """The levelling off of growth: its time (UTC seconds; None: still growing at the end), its MB, and its sample.

    `end_rate_mb_per_min` is the growth over the last window, `end_span` the samples of that window.
    """

    at: float | None
    mb: float | None
    steepest_mb_per_min: float
    end_rate_mb_per_min: float
    span: Span | None
    end_span: Span


def readings(samples: Samples | None) -> GaugeReadings:
    """The known samples of a counter in MB; empty without a counter."""
    if samples is None:
        return GaugeReadings(np.empty(0), np.empty(0))
    places = np.flatnonzero(~np.isnan(samples.values))
    return GaugeReadings(samples.end[places], samples.values[places] / MB, places)


def taken_samples(samples: Samples, spans: Iterable[Span]) -> npt.NDArray[np.bool_]:
    """A mask of the known samples within the spans."""
    taken = np.zeros(samples.end.size, np.bool_)
    for first, last in spans:
        taken[first : last + 1] = True
    return taken & ~np.isnan(samples.values)


def stretches(found: GaugeReadings) -> tuple[GaugeReadings, ...]:
    """The samples, split where the cache was emptied: one interval if it never was, none without samples."""
    if not len(found):
        return ()
    above = found.mb - found.mb.min()
    before, after = above[:-1], above[1:]
    cuts = np.flatnonzero((before >= RESET_MB) & (after < RESET_SHARE * before)) + 1
    parts = zip(*(np.split(column, cuts) for column in (found.at, found.mb, found.places)), strict=True)
    return tuple(GaugeReadings(at, mb, places) for at, mb, places in parts)


def fill(found: GaugeReadings, full_mb: float | None = None) -> FillRate | None:
    """The filling of the cache, at most up to `full_mb`; None if it grew by less than 1 MB."""
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
    """Index of the first sample at or above `full_mb`; None if there is none."""
    reached = np.flatnonzero(found.mb >= full_mb)
    return int(reached[0]) if reached.size else None


def level(found: GaugeReadings) -> Level | None:
    """The levelling off of growth; None if the cache never grew by 1 MB within a window."""
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
    # The sample after the last one with growth above a tenth of the steepest.
    settled = int(np.flatnonzero(inside)[0]) + int(np.flatnonzero(grown > LEVEL_SHARE * steepest)[-1]) + 1
    before = int(np.searchsorted(found.at, found.at[-1] - window, side="right")) - 1
    per_min = 60 / window
    rates = steepest * per_min, float(grown[-1]) * per_min
    end_span = found.span(max(before, 0), len(found) - 1)
    if settled == len(found) or found.at[-1] - found.at[settled] < window:
        return Level(None, None, *rates, None, end_span)
    return Level(float(found.at[settled]), float(found.mb[settled]), *rates, found.span(settled, settled), end_span)


def plateau_at(found: GaugeReadings) -> float | None:
    """Time at which a pool reached its final level; None if it still changes in the last third."""
    if len(found) < 6:
        return None
    near = found.mb >= (1 - PLATEAU_NEAR) * found.peak_mb
    tail = found.at >= found.at[-1] - PLATEAU_TAIL * (found.at[-1] - found.at[0])
    return float(found.at[np.flatnonzero(near)[0]]) if near[tail].all() else None


def _crossing(found: GaugeReadings, place: int, mb: float) -> float:
    """Time at which the line from sample `place` to the next crosses `mb`."""
    (t0, t1), (v0, v1) = found.at[place : place + 2], found.mb[place : place + 2]
    return float(t0 + (t1 - t0) * (mb - v0) / (v1 - v0))
