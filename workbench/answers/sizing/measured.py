"""The measured inputs of the capacity plan: the values of a configuration's runs for one VM.

Every value is the mean over the runs that have it. IOPS: a percentile over all samples of all VMs in the phase (samples
with at least half of their interval in it), or the mean over the phase. I/O size: bytes moved / I/Os, both as
overlap-weighted integrals over the VMs that have both.

The load of all VMs together (`summed_load`) is the load of all measured VMs, moment by moment, from which the plan
scales to more VMs. The mean of n loads of variance s² that correlate by r in pairs has the variance s² (1 + (n - 1) r)
/ n (Kish, 1965, as the design effect), so r follows from the variation of the summed load. Busy moments of many
consumers do not coincide, and the peak per consumer falls with the root of their number towards a floor: this is the
coincidence factor of distribution networks (Rusck, 1956), the reciprocal of the diversity factor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.measures.configurations import Group, Mean, mean_of
from workbench.measures.percentile import Timed
from workbench.measures.percentile import percentile as percentile_of
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity, Side
from workbench.model.phase import BOOT, LOGON, Phase
from workbench.model.run import Run, SessionType
from workbench.model.run_cache import kept_with_run
from workbench.phases.integral import integrate_all
from workbench.study.series.vm_series import BySeries, Samples, samples_of
from workbench.words.captions import named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import ordinal

# The percentiles in the phase table.
_OF_TABLE = {95.0: "p95_iops_per_vm", 100.0: "peak_iops_per_vm"}


@dataclass(frozen=True, slots=True)
class MeasuredInput:
    """A value per VM and the text of its origin; `shared` is that text without the configuration and the number of
    runs. `figure` is the phase and the value of the phase table whose mean over the runs it is, None if it is a
    different value. `between` is its interval between the runs."""

    value: float
    source: str
    shared: str
    figure: tuple[str, str] | None = None
    between: Mean | None = None


def measured(group: Group, phase: str, figure: str, percentile: float, summed: bool = True) -> dict[str, MeasuredInput]:
    """Name of the plan's input -> the measured value of the group's runs; unmeasured inputs are left out.

    `figure` is `percentile`, `summed` or `mean`; `percentile` is from 0 to 100. `summed`: includes the load of all VMs
    together.
    """
    # The label of the input names the quantity: the origin says only what the label does not.
    of = "highest sample of any VM" if percentile == 100 else f"{ordinal(percentile)} percentile"
    measureds = {
        "iops_per_vm": _iops(group, phase, figure, percentile, "mean" if figure == "mean" else of),
        "read_percent": _mean(group, phase, "read_percent"),
        "io_size_kib": _over_runs(
            group, [io_size_kib(run, phase) for run in group.runs], _during(phase, "bytes per I/O")
        ),
        "boot_io_per_vm": _mean(group, BOOT, "total_io_per_vm", "total I/O per VM"),
        "boot_read_percent": _mean(group, BOOT, "read_percent"),
        "logon_io_per_vm": _mean(group, LOGON, "total_io_per_vm", "total I/O per VM"),
        "logon_read_percent": _mean(group, LOGON, "read_percent"),
        "desktops_per_vm": _sharing(group),
        "cache_ram_mb": _cache_ram(group),
        "cache_disk_mb": _cache_disk(group),
        "mean_iops_per_vm": _iops(group, phase, "mean", percentile),
        "percentile_iops_per_vm": _iops(group, phase, "percentile", percentile),
        **(_summed(group, phase, percentile) if summed or figure == "summed" else {}),
    }
    return {name: one for name, one in measureds.items() if one is not None}


def desktops_per_vm(group: Group) -> float | None:
    """Desktops (for RDS: users) on one VM, mean over the runs; None if an RDS run does not state it."""
    if group.session_type is SessionType.VDI:
        return 1.0
    shares = [run.run.users / run.run.vms for run in group.runs if run.run.users and run.run.vms]
    return float(np.mean(shares)) if shares else None


# Cached: a change of another input needs these values again, and reading the samples of a large study is slow.
@kept_with_run
def iops_percentile(run: RunFigures, phase: str, percentile: float) -> float | None:
    """The percentile over all samples of all VMs in the phase, None if there are none."""
    row = run.phase(phase)
    if row is None:
        return None
    if percentile in _OF_TABLE:
        value: float | None = getattr(row, _OF_TABLE[percentile])
        return value
    samples = RunSamples(run.run, lambda quantity: samples_of(run.run, (quantity,))[quantity])
    return percentile_of(PhaseSamples(samples, row.phase).pooled(Quantity.IOPS), percentile)


@kept_with_run
def io_size_kib(run: RunFigures, phase: str) -> float | None:
    """Bytes moved per I/O in KiB (2^10 bytes), None if no VM has both throughput and IOPS."""
    row = run.phase(phase)
    if row is None or not _moves_bytes(run.run):
        return None
    wanted = (Quantity.IOPS, Quantity.THROUGHPUT, Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT)
    by_vm = samples_of(run.run, wanted)
    ios = _totals(by_vm[Quantity.IOPS], row.phase)
    moved = _totals(by_vm[Quantity.THROUGHPUT], row.phase)
    reads, writes = (_totals(by_vm[quantity], row.phase) for quantity in wanted[2:])
    moved = {vm: reads[vm] + writes[vm] for vm in reads if vm in writes} | moved
    # In the order of the VMs' names: sets have another order in each process, and sums then differ in the last digits.
    both = [vm for vm in ios if vm in moved]
    total = sum(ios[vm] for vm in both)
    return sum(moved[vm] for vm in both) / total / 1024 if total > 0 else None


def _moves_bytes(run: Run) -> bool:
    """True if any file has throughput counters. If none has, no sample needs to be read."""
    seen = {
        series.metric.quantity
        for recording in run.recordings
        for series in recording.series
        if series.metric is not None
    }
    return Quantity.THROUGHPUT in seen or {Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT} <= seen


def _totals(by_vm: BySeries, phase: Phase) -> dict[str, float]:
    return {vm: integral.total for vm, integral in integrate_all(by_vm, phase).items()}


def _iops(group: Group, phase: str, figure: str, percentile: float, what: str = "") -> MeasuredInput | None:
    if figure == "mean":
        return _mean(group, phase, "iops_per_vm", what)
    values = [iops_percentile(run, phase, percentile) for run in group.runs]
    of_table = (phase, _OF_TABLE.get(percentile, ""))
    return _over_runs(group, values, _during(phase, what), _above(group, phase), of_table)


def _summed(group: Group, phase: str, percentile: float) -> dict[str, MeasuredInput | None]:
    loads = [load for run in group.runs if (load := summed_load(run, phase, percentile)) is not None]

    def over_runs(value: Callable[[SummedLoad], float | None], what: str = "") -> MeasuredInput | None:
        return _over_runs(group, [value(load) for load in loads], _during(phase, what))

    peak = f"peak samples (total IOPS of all VMs ≥ p{percentile:g})"
    return {
        "summed_iops_per_vm": over_runs(lambda load: load.percentile),
        "summed_vms": over_runs(lambda load: load.vms, "number of simultaneously sampled VMs"),
        "correlation": over_runs(lambda load: load.correlation, "IOPS"),
        "busy_read_percent": over_runs(lambda load: load.busy_read_percent, peak),
    }


def _mean(group: Group, phase: str, figure: str, what: str = "") -> MeasuredInput | None:
    values, more = list(group.values(phase, figure)), _above(group, phase)
    return _over_runs(group, values, _during(phase, what), more, (phase, figure))


def _during(phase: str, what: str) -> str:
    return f"{what} {in_phase(phase)}" if what else phase_words(phase)


def _above(group: Group, phase: str) -> str:
    """A note if requests to the cache were counted: the disks then need fewer IOPS."""
    above = any(Side.ABOVE in (row.side or "") for row in group.phase(phase))
    return ", counted above the cache" * above


def _over_runs(
    group: Group, values: Sequence[float | None], what: str, more: str = "", figure: tuple[str, str] = ("", "")
) -> MeasuredInput | None:
    """The mean of the known values; `more` follows the name of the configuration in the text of the origin."""
    known = [value for value in values if value is not None]
    mean = mean_of(known)
    if mean is None:
        return None
    source = f"{what} with {named(group.label)}{more}, {mean_words(mean.n)}"
    return MeasuredInput(mean.value, source, f"{what}{more}", figure if all(figure) else None, mean)


def mean_words(runs: int) -> str:
    """The number of runs behind a value: `mean of 3 runs`."""
    return f"mean of {runs} runs" if runs > 1 else "1 run"


def _sharing(group: Group) -> MeasuredInput | None:
    share = desktops_per_vm(group)
    vdi = group.session_type is SessionType.VDI
    words, of = ("one session per VM", "with") if vdi else ("users ÷ session hosts in the runs", "of")
    return None if share is None else MeasuredInput(share, f"{words} {of} {named(group.label)}", words)


def _cache_ram(group: Group) -> MeasuredInput | None:
    size = group.configuration.ram_cache_mb
    words = "RAM cache size"
    return None if size is None else MeasuredInput(float(size), f"{words} of configuration {named(group.label)}", words)


def _cache_disk(group: Group) -> MeasuredInput | None:
    peaks = [
        [row.cache_disk_used_mb_peak for row in run.phases if row.cache_disk_used_mb_peak is not None]
        for run in group.runs
    ]
    return _over_runs(group, [max(peak) for peak in peaks if peak], "highest cache disk use of a VM")


FloatArray = npt.NDArray[np.float64]
# A moment counts if at least this share of the VMs is known; a VM if it is known at this share of moments.
_VMS_KNOWN, _MOMENTS_KNOWN = 0.9, 0.5
# With fewer moments a percentile has no meaning.
_FEWEST_MOMENTS = 20
_HALVES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)


@dataclass(frozen=True, slots=True)
class SummedLoad:
    """The summed load of `vms` VMs. `percentile` is that of the sum over time, divided by the VMs (IOPS). `correlation`
    is the mean over pairs of VMs weighted by their variation, from 0 to 1 (below 0 counts as 0), None for a single
    VM or for loads that never change. `busy_read_percent` is the share of reads in the moments at or above the
    percentile."""

    vms: int
    percentile: float
    correlation: float | None
    busy_read_percent: float | None


# Cached: a change of another input needs these values again.
@kept_with_run
def summed_load(run: RunFigures, phase: str, percentile: float) -> SummedLoad | None:
    """The summed load in a phase, None if there are too few moments at which the VMs are known together."""
    row = run.phase(phase)
    if row is None or row.iops_per_vm is None:
        return None
    # Together, so each file is read once.
    by_vm = samples_of(run.run, (Quantity.IOPS, *_HALVES))
    moments = moments_of(by_vm[Quantity.IOPS], row.phase)
    loads, together = known_together(at_moments(by_vm[Quantity.IOPS], moments))
    if together.sum() < _FEWEST_MOMENTS:
        return None
    moments, mean = moments[together], _mean_over_vms(loads)
    top = percentile_of(Timed(mean), percentile)
    assert top is not None
    reads, writes = (by_vm[half] for half in _HALVES)
    return SummedLoad(len(loads), top, correlation(loads), _read_percent(reads, writes, moments[mean >= top]))


def correlation(loads: FloatArray) -> float | None:
    """The correlation of loads (a row per VM, a column per moment, NaN if missing) that gives the variation of their
    mean: (n Var(mean) - s²) / ((n - 1) s²), with s² the mean variance of one load; below 0 counts as 0. None for one
    VM or without variation."""
    variance = np.nanvar if np.isnan(loads.sum()) else np.var
    # VM by VM: for all at once numpy would copy the whole table.
    variances = np.array([variance(load) for load in loads])
    count, single = len(loads), float(variances.mean())
    if count < 2 or single <= 0:
        return None
    together = float(_mean_over_vms(loads).var())
    return min(1.0, max(0.0, (count * together - single) / ((count - 1) * single)))


def _mean_over_vms(loads: FloatArray) -> FloatArray:
    mean: FloatArray = np.nanmean(loads, axis=0) if np.isnan(loads.sum()) else loads.mean(axis=0)
    return mean


def known_together(loads: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The loads of VMs that are known at enough moments, at the moments when enough of them are known; and which VMs
    these are."""
    known = ~np.isnan(loads)
    if loads.size and known.all():
        return loads, known[0]
    enough = known.sum(axis=1) >= _MOMENTS_KNOWN * max(1, known.shape[1])
    together = known[enough].sum(axis=0) >= _VMS_KNOWN * max(1, enough.sum())
    return loads[enough][:, together], together


def at_moments(by_vm: BySeries, moments: FloatArray) -> FloatArray:
    """The rate of each VM (a row) at each moment: of the sample whose interval contains it, NaN if there is none."""
    loads: FloatArray = disk_arrays.empty((len(by_vm), moments.size), np.float64)
    # By identity: the VMs of one file share its times.
    places: dict[tuple[int, int], tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]] = {}
    for row, samples in enumerate(by_vm.values()):
        key = id(samples.end), id(samples.span)
        at, held = places.get(key) or places.setdefault(key, _places(samples, moments))
        loads[row] = samples.values[at]
        loads[row, ~held] = np.nan
    return loads


def _places(samples: Samples, moments: FloatArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    at = np.searchsorted(samples.end, moments, side="left")
    held = at < samples.end.size
    at[~held] = 0
    return at, held & (moments > samples.start[at])


def moments_of(by_vm: BySeries, phase: Phase) -> FloatArray:
    """The middles of equal parts of the phase, each as long as the shortest usual interval."""
    spans = {id(samples.span): samples.span[samples.span > 0] for samples in by_vm.values()}
    usual = [float(np.median(span)) for span in spans.values() if span.size]
    count = int(phase.duration_s / min(usual)) if usual else 0
    return phase.start + phase.duration_s * (np.arange(count) + 0.5) / max(count, 1)


def _read_percent(reads: BySeries, writes: BySeries, moments: FloatArray) -> float | None:
    """The share of reads at these moments in percent, of the VMs that have reads and writes; None without I/O."""
    both = [vm for vm in reads if vm in writes]
    read, written = (at_moments({vm: half[vm] for vm in both}, moments) for half in (reads, writes))
    known = ~np.isnan(read) & ~np.isnan(written)
    total = float(read[known].sum() + written[known].sum())
    return 100 * float(read[known].sum()) / total if total > 0 else None
