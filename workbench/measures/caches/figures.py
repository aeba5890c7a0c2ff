"""The metrics of one VM's write cache, each declared once: its formula in words, its counter, and its rule.

A rule returns the value together with the samples that it uses. `run_cache` takes the values from these rules, and the
explanations take the samples. Names and units are those of `vdiwb cache --format json`. The value of a run is the mean
over its VMs unless `over` says otherwise. MB are 2^20 bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from workbench.measures.caches.gauges import (
    MB,
    FillRate,
    GaugeReadings,
    Level,
    Span,
    fill,
    full_at,
    level,
    plateau_at,
    readings,
    stretches,
)
from workbench.measures.phase_samples import OVERFLOW_BYTES, overflow_place
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import Samples

SizeFrom = Literal["counter", "configuration"]
# Source of RAM used: the counter of the driver, memory by pool tag, or the whole pool, which contains more.
RamFrom = Literal["counter", "poolmon", "nonpaged-pool"]
_POOLMON = "poolmon"
FULL_SHARE = 0.95
# Size of a difference disk file before any block is written. Its header, log, metadata and block table take at least 1
# MB each; a table of 1 MB is enough for a disk of 256 GB with blocks of 2 MB. Each block adds at least 1 MB. Sources:
# Microsoft, [MS-VHDX], layout of the file; Citrix Provisioning, "Selecting the write cache destination for standard
# virtual disk images" (RAM with overflow writes to a VHDX difference disk).
EMPTY_DISK_MB = 4.0
RAM, SIZE = Quantity.CACHE_RAM_USED, Quantity.CACHE_RAM_SIZE
DISK, DISK_SIZE = Quantity.CACHE_DISK_USED, Quantity.CACHE_DISK_SIZE
_LEVEL = "the first sample from which growth stays at or below 10 % of its maximum"
_GROWTH = "Growth is measured over 5 minutes, or over a tenth of recordings shorter than 50 minutes"


class FigureInputs(NamedTuple):
    """The value of a metric and the samples of its counter that it uses. The value is `weight` times the sum of these
    samples (in bytes); `weight` is None if the value is not such a sum."""

    value: float
    spans: tuple[Span, ...] = ()
    weight: float | None = None


@dataclass(frozen=True, eq=False)
class VmGauges:
    """The cache samples of one VM, and intermediate results that several metrics use.

    `zero` is the start of the run time. `stated_mb` is the size that the configuration states. `empty_disk_mb` is the
    content of an empty cache disk in this run.
    """

    samples: Mapping[Quantity, Samples]
    zero: float | None
    stated_mb: int | None
    empty_disk_mb: float = EMPTY_DISK_MB

    def readings(self, quantity: Quantity) -> GaugeReadings:
        """The known samples of a counter; empty if the VM lacks the counter."""
        return readings(self.samples.get(quantity))

    @cached_property
    def ram(self) -> GaugeReadings:
        """Known samples of RAM used."""
        return self.readings(RAM)

    @cached_property
    def disk(self) -> GaugeReadings:
        """Known samples of cache disk used."""
        return self.readings(DISK)

    @property
    def estimate(self) -> bool:
        """True if RAM used is an estimate from the nonpaged pool."""
        return RAM in self.samples and self.samples[RAM].estimate

    @property
    def ram_from(self) -> RamFrom | None:
        """The source of RAM used; None if there is none."""
        if RAM not in self.samples:
            return None
        if self.estimate:
            return "nonpaged-pool"
        return "poolmon" if self.samples[RAM].object.casefold() == _POOLMON else "counter"

    @cached_property
    def size(self) -> tuple[FigureInputs, SizeFrom] | None:
        """The RAM cache size: from the counter of the driver, otherwise from the configuration."""
        counted = _highest(self.readings(SIZE))
        if counted is not None and counted.value > 0:
            return counted, "counter"
        return (FigureInputs(float(self.stated_mb)), "configuration") if self.stated_mb else None

    @property
    def full_mb(self) -> float | None:
        """Use in MB from which the cache counts as full: the drivers reserve a small part."""
        return None if self.size is None else FULL_SHARE * self.size[0].value

    @cached_property
    def filled(self) -> GaugeReadings | None:
        """The interval between restarts in which the RAM filled most."""
        return _fullest(self.ram)

    @cached_property
    def filling(self) -> FillRate | None:
        """The fill rate in that interval."""
        return None if self.filled is None else fill(self.filled, None if self.estimate else self.full_mb)

    @cached_property
    def full(self) -> int | None:
        """Index of the first sample in that interval at which the cache was full."""
        if self.filled is None or self.size is None or self.full_mb is None:
            return None
        if not self.estimate:
            return full_at(self.filled, self.full_mb)
        lowest, size = float(self.filled.mb.min()), self.size[0].value
        if self.filled.peak_mb - lowest >= size:
            return full_at(self.filled, lowest + self.full_mb)
        # If a pool levels off below the size, perhaps nothing more was written.
        moment = plateau_at(self.filled) if self.filled.peak_mb >= size else None
        return None if moment is None else int(np.searchsorted(self.filled.at, moment))

    @property
    def full_at(self) -> float | None:
        """Time at which the cache was full, in seconds since 1970 UTC."""
        return None if self.filled is None or self.full is None else float(self.filled.at[self.full])

    @cached_property
    def disk_level(self) -> Level | None:
        """The levelling off of the cache disk, in the interval in which it filled most."""
        grown = _fullest(self.disk)
        return None if grown is None else level(grown)

    @cached_property
    def begins_percent(self) -> float | None:
        """Content of the cache at its first sample in percent of its size; None if no counter shows it."""
        if not len(self.ram) or self.size is None or self.estimate:
            return None
        return 100 * float(self.ram.mb[0]) / self.size[0].value

    @property
    def begins_disk_mb(self) -> float | None:
        """Content of the cache disk at its first sample in MB. None if it has no counter, or if a counter shows how
        full the RAM was at that time."""
        return None if self.begins_percent is not None or not len(self.disk) else float(self.disk.mb[0])

    @cached_property
    def begins_full(self) -> bool:
        """True if the cache may have overflowed before its first sample.

        Either its RAM was full, or no counter shows this and its disk held more than an empty disk plus the size of an
        overflow.
        """
        if self.begins_percent is not None:
            return self.begins_percent >= 100 * FULL_SHARE
        return (self.begins_disk_mb or 0.0) > self.empty_disk_mb + OVERFLOW_BYTES / MB

    @cached_property
    def overflow(self) -> tuple[bool | None, float | None, tuple[Span, ...]]:
        """True if the VM overflowed (None: unknown), the time, and the sample of the cache disk that shows it.

        The cache disk decides. Without it, RAM measured by pool tag decides (PVS), then the nonpaged pool if it can. If
        the cache was full when the log began, a disk that does not grow shows nothing.
        """
        if len(self.disk):
            grown = overflow_place(self.samples[DISK])
            if grown is None:
                return None if self.begins_full else False, None, ()
            return True, float(self.samples[DISK].end[grown]), ((grown, grown),)
        if self.ram_from in (None, "counter") or self.filled is None or self.size is None:
            return None, None, ()
        if self.full_at is not None:
            return True, self.full_at, ()
        # A cache measured by pool tag that is not full has not overflowed. The whole pool proves this only below the
        # size.
        return False if not self.estimate or self.filled.peak_mb < self.size[0].value else None, None, ()

    @cached_property
    def restarts(self) -> tuple[GaugeReadings, ...]:
        """The intervals that began with an emptied cache."""
        return stretches(self.ram)[1:]

    def since_zero(self, moment: float | None, *spans: Span) -> FigureInputs | None:
        """Seconds from the zero of the run to a moment; None if either is unknown."""
        return None if moment is None or self.zero is None else FigureInputs(moment - self.zero, spans)


@dataclass(frozen=True, slots=True)
class CacheFigure:
    """A cache metric: formula in words, counter, and rule. The rule returns None if the VM lacks the metric.

    `terms` explains a term of the formula. `over` combines the VMs of a run. `by_size`: the cache size `limits` the
    metric, or is `taken` as an input.
    """

    formula: str
    gauge: Quantity
    rule: Callable[[VmGauges], FigureInputs | None]
    over: Literal["mean", "first", "highest"] = "mean"
    by_size: Literal["", "limits", "taken"] = ""
    terms: str = ""


def _highest(found: GaugeReadings) -> FigureInputs | None:
    if not len(found):
        return None
    place = int(found.mb.argmax())
    return FigureInputs(found.peak_mb, (found.span(place, place),), 1 / MB)


def _last(found: GaugeReadings) -> FigureInputs | None:
    return FigureInputs(found.end_mb, (found.span(-1, -1),), 1 / MB) if len(found) else None


def _percent(vm: VmGauges) -> FigureInputs | None:
    peak = _highest(vm.ram)
    return None if peak is None or vm.size is None else FigureInputs(100 * peak.value / vm.size[0].value, peak.spans)


def _fill_rate(vm: VmGauges) -> FigureInputs | None:
    return None if vm.filling is None else FigureInputs(vm.filling.rate_mb_per_min, (vm.filling.span,))


def _time_to_full(vm: VmGauges) -> FigureInputs | None:
    if vm.filled is None or vm.full is None:
        return None
    # Full at the first sample of the log means that it was full earlier.
    if vm.full == 0 and vm.filled.at[0] == vm.ram.at[0]:
        return None
    return vm.since_zero(vm.full_at, vm.filled.span(vm.full, vm.full))


def _overflow(vm: VmGauges) -> FigureInputs | None:
    _, moment, spans = vm.overflow
    return vm.since_zero(moment, *spans)


def _level_at(vm: VmGauges) -> FigureInputs | None:
    found = vm.disk_level
    return None if found is None or found.span is None else vm.since_zero(found.at, found.span)


def _level_mb(vm: VmGauges) -> FigureInputs | None:
    found = vm.disk_level
    return (
        None
        if found is None or found.mb is None or found.span is None
        else FigureInputs(found.mb, (found.span,), 1 / MB)
    )


def _end_growth(vm: VmGauges) -> FigureInputs | None:
    found = vm.disk_level
    return None if found is None else FigureInputs(found.end_rate_mb_per_min, (found.end_span,))


def _restarts(vm: VmGauges) -> FigureInputs:
    return FigureInputs(float(len(vm.restarts)), tuple(part.span(0, 0) for part in vm.restarts))


def _fullest(found: GaugeReadings) -> GaugeReadings | None:
    """The interval between restarts that filled most; of equal ones the longest."""
    return max(stretches(found), key=lambda part: (part.peak_mb, len(part)), default=None)


_PEAK, _END = "highest sample of the run ÷ 2^20 (bytes to MB)", "last sample of the run ÷ 2^20 (bytes to MB)"

FIGURES: dict[str, CacheFigure] = {
    "ram_cache_mb": CacheFigure(
        "highest sample of the RAM cache size ÷ 2^20 (bytes to MB)",
        SIZE,
        lambda vm: vm.size and vm.size[0],
        by_size="taken",
    ),
    "cache_ram_used_mb_peak": CacheFigure(_PEAK, RAM, lambda vm: _highest(vm.ram)),
    "cache_ram_used_mb_end": CacheFigure(_END, RAM, lambda vm: _last(vm.ram)),
    "cache_ram_used_percent": CacheFigure(
        "100 × highest sample of the run ÷ size of the RAM cache", RAM, _percent, by_size="taken"
    ),
    "fill_rate_mb_per_min": CacheFigure(
        "0.9 × (top − lowest sample, in MB) ÷ minutes from 5 % to 95 % of this rise (interpolated between samples)",
        RAM,
        _fill_rate,
        by_size="limits",
        terms="Top is 95 % of the cache size if reached, otherwise the highest sample",
    ),
    "time_to_full_s": CacheFigure(
        "time of the first sample at or above 95 % of the cache size − start of the first phase",
        RAM,
        _time_to_full,
        by_size="limits",
    ),
    "overflow_start_s": CacheFigure(
        "time of the first sample at which cache disk use is more than 1 MB above its lowest earlier value − start of "
        "the first phase",
        DISK,
        _overflow,
        "first",
    ),
    "cache_disk_used_mb_peak": CacheFigure(_PEAK, DISK, lambda vm: _highest(vm.disk)),
    "cache_disk_used_mb_peak_highest": CacheFigure(_PEAK, DISK, lambda vm: _highest(vm.disk), "highest"),
    "cache_disk_used_mb_end": CacheFigure(_END, DISK, lambda vm: _last(vm.disk)),
    "cache_disk_levels_off_s": CacheFigure(
        f"time of {_LEVEL} − start of the first phase", DISK, _level_at, terms=_GROWTH
    ),
    "cache_disk_levels_off_mb": CacheFigure(
        f"cache disk use at {_LEVEL}, ÷ 2^20 (bytes to MB)", DISK, _level_mb, terms=_GROWTH
    ),
    "cache_disk_growth_at_end_mb_per_min": CacheFigure(
        "mean growth of cache disk use per minute over the last 5 minutes, or over the last tenth of a recording "
        "shorter than 50 minutes",
        DISK,
        _end_growth,
    ),
    "restarts": CacheFigure(
        "number of times that cache RAM use falls from at least 8 MB to below one fifth of the previous sample",
        RAM,
        _restarts,
        terms="Cache RAM use is measured above the lowest sample",
    ),
}
