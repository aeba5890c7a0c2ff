"""What each figure of the phase table takes of the samples, with its formula, for `provenance`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.measures.latency import latencies
from workbench.measures.phase_table import MB, PhaseFigures, overflow_of_vm, users_of
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.run import Provisioning, Run
from workbench.study.series.trace import Traced, traced
from workbench.study.series.vm_series import Samples

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Use(NamedTuple):
    """What a figure takes of one VM: `used` places of its samples; `weights` times value is the contribution."""

    vm: str
    traced: Traced
    used: BoolArray
    weights: FloatArray | None
    part: str = ""


class Asked(NamedTuple):
    """The run and the row of its phase table that a figure stands in."""

    run: Run
    row: PhaseFigures
    memo: dict[Quantity, dict[str, Traced]]

    @property
    def phase(self) -> Phase:
        """The phase of the row."""
        return self.row.phase

    def traced(self, quantity: Quantity) -> dict[str, Traced]:
        """The samples of the run with their way back, read once."""
        if quantity not in self.memo:
            self.memo[quantity] = traced(self.run, quantity)
        return self.memo[quantity]


_Uses = Callable[[Asked], list[Use]]


class Way(NamedTuple):
    """How a figure is formed: in words, and as the function that returns what it takes."""

    formula: str
    uses: _Uses


def seconds_in(samples: Samples, phase: Phase) -> FloatArray:
    """Seconds of each sample's interval in the phase, whether it is missing or not."""
    held: FloatArray = np.minimum(samples.end, phase.end) - np.maximum(samples.start, phase.start)
    return np.maximum(held, 0.0)


def _inside(samples: Samples, phase: Phase) -> BoolArray:
    inside: BoolArray = (samples.span > 0) & (seconds_in(samples, phase) >= 0.5 * samples.span)
    return inside


def in_phase(by_vm: Mapping[str, Traced], phase: Phase) -> dict[str, FloatArray]:
    """The seconds of each VM's known samples in the phase, of those that have any."""
    found: dict[str, FloatArray] = {}
    for vm, one in by_vm.items():
        seconds = np.where(np.isnan(one.samples.values), 0.0, seconds_in(one.samples, phase))
        if seconds.sum() > 0:
            found[vm] = seconds
    return found


def _rate(quantity: Quantity, divisor: Callable[[Asked, int], float | None]) -> _Uses:
    """Value x seconds of every VM / divisor(asked, measured VMs)."""

    def uses(asked: Asked) -> list[Use]:
        by_vm = asked.traced(quantity)
        seconds = in_phase(by_vm, asked.phase)
        over = divisor(asked, len(seconds))
        return [
            Use(vm, by_vm[vm], seconds_in(by_vm[vm].samples, asked.phase) > 0, held / over)
            for vm, held in seconds.items()
            if over
        ]

    return uses


def _share(counted: Quantity) -> _Uses:
    """The reads (or writes) of the VMs that have both, as a share; the others stand in the divisor."""

    def uses(asked: Asked) -> list[Use]:
        halves = {half: asked.traced(half) for half in (Quantity.READ_IOPS, Quantity.WRITE_IOPS)}
        seconds = {half: in_phase(by_vm, asked.phase) for half, by_vm in halves.items()}
        both = [vm for vm in seconds[Quantity.READ_IOPS] if vm in seconds[Quantity.WRITE_IOPS]]
        total = sum(
            float(np.nansum(halves[half][vm].samples.values * seconds[half][vm]))
            for half in halves
            for vm in both
        )
        return [
            Use(
                vm,
                by_vm[vm],
                seconds_in(by_vm[vm].samples, asked.phase) > 0,
                100 * seconds[half][vm] / total if half is counted else None,
            )
            for half, by_vm in halves.items()
            for vm in both
        ]

    return uses


def _latency(quantity: Quantity, rate: Quantity, percentile: bool) -> _Uses:
    def uses(asked: Asked) -> list[Use]:
        by_vm, rates = asked.traced(quantity), asked.traced(rate)
        samples = {vm: one.samples for vm, one in by_vm.items()}
        found = latencies(samples, {vm: one.samples for vm, one in rates.items()}, asked.phase)
        total = sum(float(one.weights.sum()) for one in found.values())
        result: list[Use] = []
        for vm, one in found.items():
            first = int(np.searchsorted(samples[vm].end, asked.phase.start, side="right"))
            place = slice(first, first + one.end.size)
            used, weights = np.zeros(samples[vm].end.size, np.bool_), np.zeros(samples[vm].end.size)
            used[place] = one.busy & ~np.isnan(one.values) if percentile else one.weights > 0
            weights[place] = 1e3 * one.weights / total if total > 0 else 0.0
            result.append(Use(vm, by_vm[vm], used, None if percentile else weights))
        return result

    return uses


def _percentile_of_iops(asked: Asked) -> list[Use]:
    by_vm = asked.traced(Quantity.IOPS)
    return [Use(vm, one, _inside(one.samples, asked.phase), None) for vm, one in by_vm.items()]


def _peak_of_iops(asked: Asked) -> list[Use]:
    by_vm = asked.traced(Quantity.IOPS)
    return _highest(by_vm, {vm: _inside(one.samples, asked.phase) for vm, one in by_vm.items()}, 1.0)


def _highest(by_vm: Mapping[str, Traced], within: Mapping[str, BoolArray], scale: float) -> list[Use]:
    """The one place of the one VM that has the highest value."""
    best: tuple[float, str, int] | None = None
    for vm, one in by_vm.items():
        places = np.flatnonzero(within[vm] & ~np.isnan(one.samples.values))
        if places.size:
            place = int(places[np.argmax(one.samples.values[places])])
            value = float(one.samples.values[place])
            best = (value, vm, place) if best is None or value > best[0] else best
    if best is None:
        return []
    _, vm, place = best
    return [_single(vm, by_vm[vm], place, scale)]


def _single(vm: str, one: Traced, place: int, scale: float | None) -> Use:
    used = np.zeros(one.samples.end.size, np.bool_)
    used[place] = True
    return Use(vm, one, used, None if scale is None else np.where(used, scale, 0.0))


def _read_in(samples: Samples, phase: Phase) -> BoolArray:
    """The places of a gauge's readings in the phase."""
    taken: BoolArray = (samples.end >= phase.start) & (samples.end < phase.end)
    return taken


def _gauge(asked: Asked, quantity: Quantity) -> dict[str, Traced]:
    found, pvs = asked.traced(quantity), asked.run.configuration.provisioning is Provisioning.PVS
    if not found and quantity is Quantity.CACHE_RAM_USED and pvs:
        return asked.traced(Quantity.POOL_NONPAGED)
    return found


def _at_end(quantity: Quantity) -> _Uses:
    def uses(asked: Asked) -> list[Use]:
        by_vm = _gauge(asked, quantity)
        last: dict[str, int] = {}
        for vm, one in by_vm.items():
            places = np.flatnonzero(_read_in(one.samples, asked.phase) & ~np.isnan(one.samples.values))
            if places.size:
                last[vm] = int(places[-1])
        return [_single(vm, by_vm[vm], place, 1 / (MB * len(last))) for vm, place in last.items()]

    return uses


def _at_peak(quantity: Quantity, of_size: bool = False) -> _Uses:
    def uses(asked: Asked) -> list[Use]:
        size = asked.run.configuration.ram_cache_mb or 0
        scale = 1 / MB if not of_size else 100 / (MB * size)
        by_vm = _gauge(asked, quantity)
        return _highest(by_vm, {vm: _read_in(one.samples, asked.phase) for vm, one in by_vm.items()}, scale)

    return uses


def _overflow(asked: Asked) -> list[Use]:
    by_vm = asked.traced(Quantity.CACHE_DISK_USED)
    moments = {vm: overflow_of_vm(one.samples) for vm, one in by_vm.items()}
    return [
        _single(vm, by_vm[vm], int(np.searchsorted(by_vm[vm].samples.end, moment)), None)
        for vm, moment in moments.items()
        if moment is not None and moment == asked.row.overflow_start
    ]


def _cpu(asked: Asked) -> list[Use]:
    by_vm = asked.traced(Quantity.CPU)
    seconds = in_phase(by_vm, asked.phase)
    return [Use(vm, by_vm[vm], held > 0, held / (held.sum() * len(seconds))) for vm, held in seconds.items()]


def _nothing(_asked: Asked) -> list[Use]:
    return []


def _duration(asked: Asked, _vms: int) -> float:
    return asked.phase.duration_s


def _per_vm(asked: Asked, vms: int) -> float:
    return asked.phase.duration_s * vms


def _per_user(asked: Asked, vms: int) -> float | None:
    users = users_of(asked.run, vms)
    return None if not users else asked.phase.duration_s * users


WORDS = {
    Quantity.IOPS: "I/O per second",
    Quantity.READ_IOPS: "reads",
    Quantity.WRITE_IOPS: "writes",
    Quantity.READ_LATENCY: "read latency",
    Quantity.WRITE_LATENCY: "write latency",
    Quantity.CACHE_RAM_USED: "cache RAM",
    Quantity.POOL_NONPAGED: "nonpaged pool (an estimate)",
    Quantity.CACHE_DISK_USED: "cache disk",
    Quantity.CPU: "CPU",
}

_INTEGRAL = "sum over VMs and samples of IOPS × seconds of the sample's interval inside the phase"
_READS, _WRITES = (_INTEGRAL.replace("IOPS", f"{half} IOPS") for half in ("read", "write"))
_OVER_IO = "sum over VMs and samples of latency × I/Os ÷ sum of I/Os, × 1,000"
_P95 = "95th percentile over all samples of all VMs that lie in the phase for at least half of their interval"

WAYS: dict[str, Way] = {
    "total_io": Way(_INTEGRAL, _rate(Quantity.IOPS, lambda _asked, _vms: 1.0)),
    "total_io_per_vm": Way(f"{_INTEGRAL} ÷ measured VMs", _rate(Quantity.IOPS, lambda _asked, vms: vms)),
    "iops": Way(f"{_INTEGRAL} ÷ duration of the phase", _rate(Quantity.IOPS, _duration)),
    "iops_per_vm": Way(f"{_INTEGRAL} ÷ duration ÷ measured VMs", _rate(Quantity.IOPS, _per_vm)),
    "iops_per_user": Way(
        f"{_INTEGRAL} ÷ duration ÷ users of the measured VMs", _rate(Quantity.IOPS, _per_user)
    ),
    "read_iops": Way(f"{_READS} ÷ duration", _rate(Quantity.READ_IOPS, _duration)),
    "write_iops": Way(f"{_WRITES} ÷ duration", _rate(Quantity.WRITE_IOPS, _duration)),
    "read_iops_per_vm": Way(f"{_READS} ÷ duration ÷ measured VMs", _rate(Quantity.READ_IOPS, _per_vm)),
    "write_iops_per_vm": Way(f"{_WRITES} ÷ duration ÷ measured VMs", _rate(Quantity.WRITE_IOPS, _per_vm)),
    "read_percent": Way(
        "100 × reads ÷ (reads + writes), of the VMs that have both", _share(Quantity.READ_IOPS)
    ),
    "write_percent": Way(
        "100 × writes ÷ (reads + writes), of the VMs that have both", _share(Quantity.WRITE_IOPS)
    ),
    "p95_iops_per_vm": Way(_P95, _percentile_of_iops),
    "peak_iops_per_vm": Way("the highest sample of any VM in the phase", _peak_of_iops),
    "read_latency_ms": Way(_OVER_IO, _latency(Quantity.READ_LATENCY, Quantity.READ_IOPS, percentile=False)),
    "write_latency_ms": Way(
        _OVER_IO, _latency(Quantity.WRITE_LATENCY, Quantity.WRITE_IOPS, percentile=False)
    ),
    "read_latency_p95_ms": Way(
        f"{_P95} and have I/O, × 1,000", _latency(Quantity.READ_LATENCY, Quantity.READ_IOPS, percentile=True)
    ),
    "write_latency_p95_ms": Way(
        f"{_P95} and have I/O, × 1,000",
        _latency(Quantity.WRITE_LATENCY, Quantity.WRITE_IOPS, percentile=True),
    ),
    "cache_ram_used_mb_end": Way(
        "mean over VMs of the last reading in the phase ÷ 2^20", _at_end(Quantity.CACHE_RAM_USED)
    ),
    "cache_ram_used_mb_peak": Way(
        "the highest reading of any VM in the phase ÷ 2^20", _at_peak(Quantity.CACHE_RAM_USED)
    ),
    "cache_ram_used_percent": Way(
        "100 × the highest reading of any VM ÷ the size of the cache",
        _at_peak(Quantity.CACHE_RAM_USED, of_size=True),
    ),
    "cache_disk_used_mb_end": Way(
        "mean over VMs of the last reading in the phase ÷ 2^20", _at_end(Quantity.CACHE_DISK_USED)
    ),
    "cache_disk_used_mb_peak": Way(
        "the highest reading of any VM in the phase ÷ 2^20", _at_peak(Quantity.CACHE_DISK_USED)
    ),
    "overflow_start": Way(
        "the first moment at which the cache disk of any VM had grown by 1 MB from its lowest so far",
        _overflow,
    ),
    "cpu_percent": Way("mean over VMs of the mean over the measured seconds of the phase", _cpu),
    "duration_s": Way("end of the phase − its start", _nothing),
    "vms": Way("the VMs that have samples in the phase, else those that the run states", _percentile_of_iops),
    "users": Way("as run.toml states, or as inferred from the run", _nothing),
    "measured_percent": Way(
        "mean over VMs of the seconds of the phase that have a sample ÷ its duration × 100",
        _percentile_of_iops,
    ),
}
