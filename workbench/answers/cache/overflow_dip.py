"""The dip at the first overflow: how far IOPS fall when a RAM cache begins to flush to disk, and when they recover.

Before = median of the samples that end in the `BEFORE_S` seconds before the overflow. Trough = the lowest sample from
one sample before the overflow until `SEARCH_S` after it, or until the run's last phase ends: after the log-off there is
no load to fall. It is a dip if the trough is below 75 % of before. The trough must also be below before by more than
three robust standard deviations (1.4826 x the median absolute deviation) of the samples before. The dip begins at the
first of the unbroken samples below 90 % that lead to the trough. It ends at the first sample after the trough that
starts three samples in a row at 90 % of before or above. If the load before is uneven (robust deviation above a quarter
of the median), a dip cannot be distinguished from a pause. The result then says so. Without a known overflow the lowest
sample of the whole series is tried; the load before it must be steady.

The shape is the published one: with PVS RAM cache under Iometer, the rate fell to less than half at the first overflow,
and the response time doubled, "for a brief period". Then the rate rose gradually (Citrix, Turbo Charging your IOPS with
the new PVS Cache in RAM with Disk Overflow Feature, part one).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.measures.caches.figures import FigureInputs
from workbench.measures.caches.gauges import Span
from workbench.study.series.vm_series import Samples

FloatArray = npt.NDArray[np.float64]

BEFORE_S, SEARCH_S = 300.0, 600.0
DIP_SHARE, BACK_SHARE, BACK_SAMPLES = 0.75, 0.90, 3
SPREADS, MOST_SPREAD = 3.0, 0.25
LEAST_BEFORE = 5
_TO_SIGMA = 1.4826


@dataclass(frozen=True, slots=True)
class Dip:
    """A dip in the unit of the rate. Times are seconds since 1970 UTC; `recovered_at` is None if it had not recovered
    by the end. The spans are those of the samples behind `before` and `trough`."""

    before: float
    trough: float
    trough_at: float
    start: float
    recovered_at: float | None
    overflow: float | None
    before_span: Span
    trough_span: Span

    @property
    def fall_percent(self) -> float:
        """The depth of the dip: how far the trough is below the rate before, in percent of that rate."""
        return 100 * (1 - self.trough / self.before)

    @property
    def duration_s(self) -> float | None:
        """Seconds from the beginning to the recovery, None if it did not recover."""
        return None if self.recovered_at is None else self.recovered_at - self.start


# The figures of a dip by their JSON names: the formula, and the rule with the samples it takes.
DIP_FIGURES: dict[str, tuple[str, Callable[[Dip], FigureInputs]]] = {
    "iops_before": (
        "median of the samples in the 5 minutes before the overflow",
        lambda dip: FigureInputs(dip.before, (dip.before_span,)),
    ),
    "iops_trough": (
        "lowest sample between the last one before the overflow and 10 minutes after the overflow",
        lambda dip: FigureInputs(dip.trough, (dip.trough_span,), 1.0),
    ),
    "fall_percent": (
        "100 × (1 − lowest sample after the overflow ÷ median of the 5 minutes before the overflow)",
        lambda dip: FigureInputs(dip.fall_percent, (dip.before_span, dip.trough_span)),
    ),
}


@dataclass(frozen=True, slots=True)
class NoDip:
    """The reason why there is no dip to show, as a sentence.

    `uneven` means that the load hides whether there was a dip. `around` then has the medians of the rate in the 5
    minutes before the overflow and in the 10 minutes after it.
    """

    reason: str
    uneven: bool = False
    around: tuple[float, float] | None = None


def overflow_dip(samples: Samples, overflow: float | None = None, until: float = math.inf) -> Dip | NoDip:
    """The dip of a rate at its overflow, or the reason why there is none. Samples after `until` (UTC s) are ignored."""
    places = np.flatnonzero(~np.isnan(samples.values) & (samples.end <= until))
    at, values = samples.end[places], samples.values[places]
    if at.size < LEAST_BEFORE + 1:
        return NoDip("too few samples")
    index = int(np.searchsorted(at, overflow)) if overflow is not None else int(np.argmin(values))
    if index >= at.size:
        return NoDip("no samples after the overflow")
    # The sample that ends at the overflow may already include part of the flush.
    first = max(index - 1, 0)
    window = (at >= at[first] - BEFORE_S) & (np.arange(at.size) < first)
    if int(window.sum()) < LEAST_BEFORE:
        return NoDip("too few samples before the overflow")
    before = float(np.median(values[window]))
    spread = _TO_SIGMA * float(np.median(np.abs(values[window] - before)))
    if before <= 0:
        return NoDip("no I/O before the overflow")
    after = np.flatnonzero((np.arange(at.size) >= first) & (at <= at[index] + SEARCH_S))
    if spread > MOST_SPREAD * before:
        reason = f"uneven load before the overflow (± {100 * spread / before:.0f} %)"
        return NoDip(reason, True, (before, float(np.median(values[after]))))
    trough = int(after[np.argmin(values[after])])
    lowest = float(values[trough])
    if lowest >= DIP_SHARE * before or before - lowest <= SPREADS * spread:
        return NoDip(f"no dip found: the rate stayed at {100 * lowest / before:.0f} % of the earlier rate or above")
    return Dip(
        before,
        lowest,
        float(at[trough]),
        _start(at, values, trough, BACK_SHARE * before),
        _recovery(at, values, trough, BACK_SHARE * before),
        overflow,
        (int(places[window][0]), int(places[window][-1])),
        (int(places[trough]), int(places[trough])),
    )


def _start(at: FloatArray, values: FloatArray, trough: int, value: float) -> float:
    """The end of the last good sample before the trough, because the fall began within the next interval."""
    good = np.flatnonzero(values[:trough] >= value)
    return float(at[good[-1]]) if good.size else float(at[0])


def _recovery(at: FloatArray, values: FloatArray, trough: int, value: float) -> float | None:
    good = values[trough + 1 :] >= value
    if good.size < BACK_SAMPLES:
        return None
    runs = np.lib.stride_tricks.sliding_window_view(good, BACK_SAMPLES).all(axis=1)
    places = np.flatnonzero(runs)
    return float(at[trough + 1 + places[0]]) if places.size else None
