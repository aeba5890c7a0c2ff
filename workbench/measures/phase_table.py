"""The phase table: what each phase of each run cost in storage I/O, cache and time.

Formulas (all from overlap-weighted integrals, see `phases.integral`):
total I/O = sum over VMs of the integral of the VM's IOPS; IOPS = total I/O / duration; per VM = / measured VMs;
per user = / users of the measured VMs; read and write % over the VMs that have both; latency = mean over I/Os:
integral of latency x rate / integral of rate, over the VMs whose rate is known (over time where none is); p95 and
peak of per-VM IOPS over all samples of all VMs that lie in the phase. Cache at end: mean over VMs of the last
reading before the phase ends; peak: the highest VM. MB of cache are 2^20 bytes, as the consoles count cache
sizes. None is not available, never 0.
Where part of a phase has no samples, total I/O and IOPS are lower bounds, and `measured_percent` tells the share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.measures import phase_problems
from workbench.measures.latency import latencies, mean_ms, p95_ms
from workbench.measures.percentile import percentile
from workbench.measures.worst_vms import VmLoad, worst_vms
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Problem
from workbench.model.run import Provisioning, Run
from workbench.phases.integral import (
    Cut,
    Integral,
    cuts,
    gauge,
    integrals,
    integrate_all,
)
from workbench.phases.rules import phases_of
from workbench.study.series.vm_series import BySeries, Samples, samples_of

MB = 2**20
# A cache disk counts as used once it has grown by this much: less is the driver's own bookkeeping.
OVERFLOW_BYTES = 1 * MB

# Write caches of PVS that begin on a disk: its growth is no overflow.
_ON_DISK = frozenset(("server", "device-disk"))

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """One row of the phase table; every unit stands in its name (times in seconds since 1970 UTC)."""

    phase: Phase
    vms: int | None = None
    users: int | None = None
    total_io: float | None = None
    total_io_per_vm: float | None = None
    iops: float | None = None
    iops_per_vm: float | None = None
    iops_per_user: float | None = None
    read_iops: float | None = None
    write_iops: float | None = None
    read_iops_per_vm: float | None = None
    write_iops_per_vm: float | None = None
    read_percent: float | None = None
    write_percent: float | None = None
    p95_iops_per_vm: float | None = None
    peak_iops_per_vm: float | None = None
    read_latency_ms: float | None = None
    read_latency_p95_ms: float | None = None
    write_latency_ms: float | None = None
    write_latency_p95_ms: float | None = None
    cache_ram_used_mb_end: float | None = None
    cache_ram_used_mb_peak: float | None = None
    cache_ram_used_percent: float | None = None
    cache_ram_estimate: bool = False
    cache_disk_used_mb_end: float | None = None
    cache_disk_used_mb_peak: float | None = None
    overflow_start: float | None = None
    cpu_percent: float | None = None
    vantage: str | None = None
    measured_percent: float | None = None
    worst_vms: tuple[VmLoad, ...] = ()

    @property
    def duration_s(self) -> float:
        """Length of the phase in seconds."""
        return self.phase.duration_s

    @property
    def lower_bound(self) -> bool:
        """Whether so much of the phase has no samples that its I/O figures are lower bounds."""
        share = 100 * (1 - phase_problems.GAP_SHARE)
        return self.measured_percent is not None and self.measured_percent < share


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run with its phases' figures and what was wrong on the way."""

    run: Run
    phases: tuple[PhaseFigures, ...]
    problems: tuple[Problem, ...]

    def phase(self, name: str) -> PhaseFigures | None:
        """The figures of one phase, None when the run has no such phase."""
        return next((figures for figures in self.phases if figures.phase.name == name), None)


@dataclass(frozen=True, eq=False)
class _Columns:
    iops: BySeries
    reads: BySeries
    writes: BySeries
    read_latency: BySeries
    write_latency: BySeries
    cache_ram: BySeries
    cache_disk: BySeries
    cpu: BySeries
    overflow: float | None


_QUANTITIES = {
    "iops": Quantity.IOPS,
    "reads": Quantity.READ_IOPS,
    "writes": Quantity.WRITE_IOPS,
    "read_latency": Quantity.READ_LATENCY,
    "write_latency": Quantity.WRITE_LATENCY,
    "cache_ram": Quantity.CACHE_RAM_USED,
    "cache_disk": Quantity.CACHE_DISK_USED,
    "cpu": Quantity.CPU,
}


_MEASURED = {
    "iops": "IOPS",
    "reads": "read IOPS",
    "writes": "write IOPS",
    "read_latency": "read latency",
    "write_latency": "write latency",
    "cache_ram": "cache RAM",
    "cache_disk": "cache disk",
    "cpu": "CPU",
}


def run_figures(run: Run) -> RunFigures:
    """The phase table of one run."""
    # A wild cell of 1e300 overflows what is formed of it: such figures are not available, and told.
    with np.errstate(over="ignore", invalid="ignore"):
        phases, problems = phases_of(run)
        columns = _columns(run)
        measured = {words: getattr(columns, name) for name, words in _MEASURED.items()}
        found = [*problems, *phase_problems.of_run(run, columns.iops, measured)]
        rows = tuple(_possible(run, _figures(run, phase, columns, found), found) for phase in phases)
    return RunFigures(run, rows, tuple(found))


def _possible(run: Run, row: PhaseFigures, problems: list[Problem]) -> PhaseFigures:
    """The figures without those that have no room in a number, and a problem for those that nothing measures."""
    numbers = {
        field.name: value for field in fields(row) if isinstance(value := getattr(row, field.name), float)
    }
    problems += phase_problems.of_figures(run, row.phase, numbers)
    left_out: dict[str, Any] = {name: None for name, value in numbers.items() if not math.isfinite(value)}
    return replace(row, **left_out) if left_out else row


def _columns(run: Run) -> _Columns:
    found = samples_of(run, tuple(_QUANTITIES.values()))
    columns = {name: found[quantity] for name, quantity in _QUANTITIES.items()}
    if not columns["cache_ram"] and run.configuration.provisioning is Provisioning.PVS:
        columns["cache_ram"] = samples_of(run, (Quantity.POOL_NONPAGED,))[Quantity.POOL_NONPAGED]
    return _Columns(**columns, overflow=_overflow_of(run, columns["cache_disk"]))


def _figures(run: Run, phase: Phase, columns: _Columns, problems: list[Problem]) -> PhaseFigures:
    parts = cuts(columns.iops, phase)
    measured = integrals(parts)
    problems += phase_problems.of_phase(run, phase, columns.iops, measured)
    reads, writes = integrate_all(columns.reads, phase), integrate_all(columns.writes, phase)
    both = reads.keys() & writes.keys()
    share = _percent(_total({vm: reads[vm] for vm in both}), _total({vm: writes[vm] for vm in both}))
    total, vms, seconds = _total(measured), len(measured), phase.duration_s
    iops, read_iops, write_iops = (_over(_total(found), seconds) for found in (measured, reads, writes))
    pooled = _pooled(parts)
    read_latency = latencies(columns.read_latency, columns.reads, phase)
    write_latency = latencies(columns.write_latency, columns.writes, phase)
    ram_end, ram_peak = _end_and_peak(columns.cache_ram, phase)
    disk_end, disk_peak = _end_and_peak(columns.cache_disk, phase)
    size = run.configuration.ram_cache_mb
    return PhaseFigures(
        phase=phase,
        vms=vms or run.vms,
        users=run.users,
        total_io=total,
        total_io_per_vm=_over(total, vms),
        iops=iops,
        iops_per_vm=_over(iops, vms),
        iops_per_user=_over(iops, users_of(run, vms)),
        read_iops=read_iops,
        write_iops=write_iops,
        read_iops_per_vm=_over(read_iops, len(reads)),
        write_iops_per_vm=_over(write_iops, len(writes)),
        read_percent=share,
        write_percent=None if share is None else 100 - share,
        p95_iops_per_vm=percentile(pooled, 95),
        peak_iops_per_vm=float(pooled.max()) if pooled.size else None,
        read_latency_ms=mean_ms(read_latency),
        read_latency_p95_ms=p95_ms(read_latency),
        write_latency_ms=mean_ms(write_latency),
        write_latency_p95_ms=p95_ms(write_latency),
        cache_ram_used_mb_end=ram_end,
        cache_ram_used_mb_peak=ram_peak,
        cache_ram_used_percent=None if ram_peak is None or not size else 100 * ram_peak / size,
        cache_ram_estimate=any(samples.estimate for samples in columns.cache_ram.values()),
        cache_disk_used_mb_end=disk_end,
        cache_disk_used_mb_peak=disk_peak,
        overflow_start=_inside(columns.overflow, phase),
        cpu_percent=_mean_over_vms(columns.cpu, phase),
        vantage=_vantage(columns),
        measured_percent=_measured_percent(measured, phase),
        worst_vms=worst_vms(measured, parts),
    )


def _total(integrals: dict[str, Integral]) -> float | None:
    return sum(integral.total for integral in integrals.values()) if integrals else None


def _measured_percent(integrals: dict[str, Integral], phase: Phase) -> float | None:
    """Share of the phase that has samples, mean over the measured VMs."""
    if not integrals:
        return None
    return 100 * float(np.mean([found.covered_s for found in integrals.values()])) / phase.duration_s


def _percent(reads: float | None, writes: float | None) -> float | None:
    return None if reads is None or writes is None or reads + writes <= 0 else 100 * reads / (reads + writes)


def _over(value: float | None, divisor: float | None) -> float | None:
    return None if value is None or not divisor else value / divisor


def users_of(run: Run, vms: int) -> float | None:
    """Users on the measured VMs: their share of all, when some VMs have no samples."""
    if run.users is None or not run.vms or vms >= run.vms:
        return run.users
    return run.users * vms / run.vms


def _pooled(parts: Sequence[Cut]) -> FloatArray:
    """All known samples of all VMs that lie in the phase."""
    values = [part.inside.ravel() for part in parts]
    pooled = values[0] if len(values) == 1 else np.concatenate([np.empty(0), *values])
    return pooled[~np.isnan(pooled)] if np.isnan(pooled.sum()) else pooled


def _end_and_peak(by_vm: BySeries, phase: Phase) -> tuple[float | None, float | None]:
    """MB: the mean over VMs of the last reading in the phase, and the highest of any VM."""
    within = [values for samples in by_vm.values() if (values := gauge(samples, phase)).size]
    if not within:
        return None, None
    return float(np.mean([values[-1] for values in within])) / MB, max(
        float(values.max()) for values in within
    ) / MB


def overflow_start(by_vm: BySeries) -> float | None:
    """When the first VM's cache disk had grown by `OVERFLOW_BYTES` from its lowest so far, None if never."""
    moments = [moment for samples in by_vm.values() if (moment := overflow_of_vm(samples)) is not None]
    return min(moments) if moments else None


def overflow_of_vm(samples: Samples) -> float | None:
    """When one VM's cache disk had grown by `OVERFLOW_BYTES` from its lowest so far, None if never."""
    known = ~np.isnan(samples.values)
    values, end = samples.values[known], samples.end[known]
    # From the lowest so far: a cache disk is emptied at a restart.
    grown = np.flatnonzero(values - np.minimum.accumulate(values) > OVERFLOW_BYTES)
    return float(end[grown[0]]) if grown.size else None


def _overflow_of(run: Run, by_vm: BySeries) -> float | None:
    if run.configuration.write_cache in _ON_DISK or run.configuration.ram_cache_mb == 0:
        return None
    return overflow_start(by_vm)


def _inside(moment: float | None, phase: Phase) -> float | None:
    return moment if moment is not None and phase.start <= moment < phase.end else None


def _mean_over_vms(by_vm: BySeries, phase: Phase) -> float | None:
    found = [integral.total / integral.covered_s for integral in integrate_all(by_vm, phase).values()]
    return float(np.mean(found)) if found else None


def _vantage(columns: _Columns) -> str | None:
    seen = sorted({samples.vantage.value for samples in columns.iops.values()})
    return " + ".join(seen) if seen else None
