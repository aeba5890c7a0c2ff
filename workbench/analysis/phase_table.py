"""The phase table: what each phase of each run cost in storage I/O, cache and time.

Formulas (all from overlap-weighted integrals, see `phases.integral`):
total I/O = sum over VMs of the integral of the VM's IOPS; IOPS = total I/O / duration; per VM = / measured VMs;
latency = mean over I/Os: integral of latency x rate / integral of rate; p95 and peak of per-VM IOPS over all
samples of all VMs that lie in the phase. Cache at end: mean over VMs of the last sample; peak: the highest VM.
MB of cache are 2^20 bytes, as the consoles count cache sizes. None is not available, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Provisioning, Run
from workbench.phases.integral import gaps, inside, integrate, last_before, mean, overlap
from workbench.phases.rules import phases_of
from workbench.study.vm_series import Samples, vm_samples

MB = 2**20
# A cache disk counts as used once it has grown by this much: less is the driver's own bookkeeping.
OVERFLOW_BYTES = 1 * MB
# A phase is reported as partly measured when a VM lacks more than this share of it.
GAP_SHARE = 0.01

BySeries = dict[str, Samples]


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


def run_figures(run: Run) -> RunFigures:
    """The phase table of one run."""
    phases, problems = phases_of(run)
    columns = _columns(run)
    found: list[Problem] = list(problems)
    if not columns.iops:
        found.append(_no_iops(run))
    rows = tuple(_figures(run, phase, columns, found) for phase in phases)
    return RunFigures(run, rows, tuple(found))


def _columns(run: Run) -> _Columns:
    ram = vm_samples(run, Quantity.CACHE_RAM_USED)
    if not ram and run.configuration.provisioning is Provisioning.PVS:
        ram = vm_samples(run, Quantity.POOL_NONPAGED)
    return _Columns(
        iops=vm_samples(run, Quantity.IOPS),
        reads=vm_samples(run, Quantity.READ_IOPS),
        writes=vm_samples(run, Quantity.WRITE_IOPS),
        read_latency=vm_samples(run, Quantity.READ_LATENCY),
        write_latency=vm_samples(run, Quantity.WRITE_LATENCY),
        cache_ram=ram,
        cache_disk=vm_samples(run, Quantity.CACHE_DISK_USED),
        cpu=vm_samples(run, Quantity.CPU),
    )


def _figures(run: Run, phase: Phase, columns: _Columns, problems: list[Problem]) -> PhaseFigures:
    totals = _per_vm_totals(columns.iops, phase)
    vms = len(totals) or None
    problems += _partly_measured(run, phase, columns.iops, vms)
    total = sum(totals.values()) if totals else None
    reads = _sum_or_none(_per_vm_totals(columns.reads, phase))
    writes = _sum_or_none(_per_vm_totals(columns.writes, phase))
    seconds = phase.duration_s
    pooled = _pooled(columns.iops, phase)
    share = None if reads is None or writes is None or reads + writes <= 0 else 100 * reads / (reads + writes)
    iops = _over(total, seconds)
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
        iops_per_user=_over(iops, run.users),
        read_iops=_over(reads, seconds),
        write_iops=_over(writes, seconds),
        read_iops_per_vm=_over(_over(reads, seconds), vms),
        write_iops_per_vm=_over(_over(writes, seconds), vms),
        read_percent=share,
        write_percent=None if share is None else 100 - share,
        p95_iops_per_vm=float(np.percentile(pooled, 95)) if pooled.size else None,
        peak_iops_per_vm=float(pooled.max()) if pooled.size else None,
        read_latency_ms=_latency_ms(columns.read_latency, columns.reads, phase),
        read_latency_p95_ms=_latency_p95_ms(columns.read_latency, columns.reads, phase),
        write_latency_ms=_latency_ms(columns.write_latency, columns.writes, phase),
        write_latency_p95_ms=_latency_p95_ms(columns.write_latency, columns.writes, phase),
        cache_ram_used_mb_end=ram_end,
        cache_ram_used_mb_peak=ram_peak,
        cache_ram_used_percent=None if ram_peak is None or not size else 100 * ram_peak / size,
        cache_ram_estimate=any(samples.estimate for samples in columns.cache_ram.values()),
        cache_disk_used_mb_end=disk_end,
        cache_disk_used_mb_peak=disk_peak,
        overflow_start=_overflow_in(columns.cache_disk, phase),
        cpu_percent=_mean_over_vms(columns.cpu, phase),
        vantage=_vantage(columns),
    )


def _per_vm_totals(by_vm: BySeries, phase: Phase) -> dict[str, float]:
    found = {vm: integrate(samples, phase) for vm, samples in by_vm.items()}
    return {vm: integral.total for vm, integral in found.items() if integral is not None}


def _sum_or_none(totals: dict[str, float]) -> float | None:
    return sum(totals.values()) if totals else None


def _over(value: float | None, divisor: float | None) -> float | None:
    return None if value is None or not divisor else value / divisor


def _pooled(by_vm: BySeries, phase: Phase) -> npt.NDArray[np.float64]:
    parts = [inside(samples, phase) for samples in by_vm.values()]
    return np.concatenate(parts) if parts else np.empty(0)


def _latency_ms(latency: BySeries, rates: BySeries, phase: Phase) -> float | None:
    """Mean over I/Os; over time where no matching rate was recorded."""
    weighted = seconds = 0.0
    for vm, samples in latency.items():
        weights = overlap(samples, phase.start, phase.end)
        rate = rates.get(vm)
        if rate is not None and np.array_equal(rate.end, samples.end):
            weights = weights * np.nan_to_num(rate.values)
        weighted += float(np.dot(weights, np.nan_to_num(samples.values)))
        seconds += float(weights.sum())
    return 1e3 * weighted / seconds if seconds > 0 else None


def _latency_p95_ms(latency: BySeries, rates: BySeries, phase: Phase) -> float | None:
    """95th percentile over the samples in which there was any I/O (perfmon writes 0 s where there was none)."""
    parts: list[npt.NDArray[np.float64]] = []
    for vm, samples in latency.items():
        busy = overlap(samples, phase.start, phase.end) >= 0.5 * np.maximum(samples.span, 1e-9)
        rate = rates.get(vm)
        if rate is not None and np.array_equal(rate.end, samples.end):
            busy &= np.nan_to_num(rate.values) > 0
        parts.append(samples.values[busy])
    pooled = np.concatenate(parts) if parts else np.empty(0)
    return 1e3 * float(np.percentile(pooled, 95)) if pooled.size else None


def _end_and_peak(by_vm: BySeries, phase: Phase) -> tuple[float | None, float | None]:
    within = {vm: _within(samples, phase) for vm, samples in by_vm.items()}
    measured = [vm for vm, values in within.items() if values.size]
    if not measured:
        return None, None
    ends = [last_before(by_vm[vm], phase.end) for vm in measured]
    known = [value for value in ends if value is not None]
    return float(np.mean(known)) / MB, max(float(within[vm].max()) for vm in measured) / MB


def _within(samples: Samples, phase: Phase) -> npt.NDArray[np.float64]:
    chosen = (samples.end >= phase.start) & (samples.end <= phase.end) & ~np.isnan(samples.values)
    return samples.values[chosen]


def overflow_start(by_vm: BySeries) -> float | None:
    """When the first VM's cache disk had grown by `OVERFLOW_BYTES` since its first sample, None if never."""
    moments = [moment for samples in by_vm.values() if (moment := _overflow(samples)) is not None]
    return min(moments) if moments else None


def _overflow(samples: Samples) -> float | None:
    known = ~np.isnan(samples.values)
    values, end = samples.values[known], samples.end[known]
    grown = np.flatnonzero(values - values[:1] > OVERFLOW_BYTES)
    return float(end[grown[0]]) if grown.size else None


def _overflow_in(by_vm: BySeries, phase: Phase) -> float | None:
    moment = overflow_start(by_vm)
    return moment if moment is not None and phase.start <= moment < phase.end else None


def _mean_over_vms(by_vm: BySeries, phase: Phase) -> float | None:
    found = [value for samples in by_vm.values() if (value := mean(samples, phase)) is not None]
    return float(np.mean(found)) if found else None


def _vantage(columns: _Columns) -> str | None:
    seen = sorted({samples.vantage.value for samples in columns.iops.values()})
    return " + ".join(seen) if seen else None


def _partly_measured(run: Run, phase: Phase, iops: BySeries, measured: int | None) -> list[Problem]:
    problems: list[Problem] = []
    if iops and measured is None:
        return [_problem(run, "phase-not-measured", f"Phase '{phase.name}' holds no samples of disk I/O.",
                         "figures left empty; check the phase's edges and the files' time zone")]  # fmt: skip
    if run.vms is not None and measured is not None and measured < run.vms:
        problems.append(_problem(run, "vms-missing",
            f"Phase '{phase.name}': {measured} of {run.vms} VMs have samples; totals are of those {measured}.",
            "per-VM figures are over the measured VMs"))  # fmt: skip
    short = [vm for vm, samples in iops.items()
             if 0 < gaps(samples, phase) < phase.duration_s
             and gaps(samples, phase) > GAP_SHARE * phase.duration_s]  # fmt: skip
    if short:
        worst = max(gaps(iops[vm], phase) for vm in short)
        problems.append(_problem(run, "gap",
            f"Phase '{phase.name}': {_names(short)} lack samples for up to {worst:.0f} s "
            f"of {phase.duration_s:.0f} s.",
            "the gap holds no I/O"))  # fmt: skip
    return problems


def _names(vms: list[str]) -> str:
    shown = ", ".join(vms[:3])
    return shown if len(vms) <= 3 else f"{shown} and {len(vms) - 3} more"


def _no_iops(run: Run) -> Problem:
    return _problem(run, "no-iops", "No file of this run has disk reads, writes or transfers per second for a VM.",
                    "its I/O figures are left empty")  # fmt: skip


def _problem(run: Run, code: str, message: str, action: str) -> Problem:
    return Problem(Severity.WARNING, run.name, code, message, action)
