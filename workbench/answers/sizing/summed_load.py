"""The load of all measured VMs together, moment by moment: what the plan for more VMs is scaled from.

The mean of n loads of variance s² that correlate by r in pairs has the variance s² (1 + (n - 1) r) / n (Kish, 1965, as
the design effect); so r follows from the spread of the summed load. That the busy moments of many consumers do not
coincide, and the peak per consumer falls with the root of their number towards a floor, is the coincidence factor of
distribution networks (Rusck, 1956), the reciprocal of the diversity factor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench import scratch
from workbench.measures.percentile import Timed
from workbench.measures.percentile import percentile as percentile_of
from workbench.measures.phase_table import RunFigures
from workbench.model.kept import kept_with_run
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.study.series.vm_series import BySeries, Samples, samples_of

FloatArray = npt.NDArray[np.float64]
# A moment counts when so many of the VMs are known; a VM when it is known at so many moments.
_VMS_KNOWN, _MOMENTS_KNOWN = 0.9, 0.5
# Fewer moments have no percentile to speak of.
_FEWEST_MOMENTS = 20
_HALVES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)


@dataclass(frozen=True, slots=True)
class SummedLoad:
    """The summed load of `vms` VMs. `percentile` is that of the sum over time, divided by the VMs (IOPS); `correlation`
    the mean over pairs of VMs weighted by their spread, from 0 to 1 (below 0 counts as 0), None of a single VM or of
    loads that never change. `busy_read_percent` is the share of reads in the moments at or above the percentile."""

    vms: int
    percentile: float
    correlation: float | None
    busy_read_percent: float | None


# A change of another input asks for the same again.
@kept_with_run
def summed_load(run: RunFigures, phase: str, percentile: float) -> SummedLoad | None:
    """The summed load in a phase, None where there are too few moments at which the VMs are known together."""
    row = run.phase(phase)
    if row is None or row.iops_per_vm is None:
        return None
    # Together: each file is read once.
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
    """The correlation of loads (a row per VM, a column per moment, NaN where missing) that gives the spread of their
    mean: (n Var(mean) - s²) / ((n - 1) s²) with s² the mean variance of one; below 0 counts as 0."""
    variance = np.nanvar if np.isnan(loads.sum()) else np.var
    # VM by VM: of all at once numpy would copy the whole table.
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
    """The VMs that are known at enough moments, at the moments at which enough of them are; and which these are."""
    known = ~np.isnan(loads)
    if loads.size and known.all():
        return loads, known[0]
    enough = known.sum(axis=1) >= _MOMENTS_KNOWN * max(1, known.shape[1])
    together = known[enough].sum(axis=0) >= _VMS_KNOWN * max(1, enough.sum())
    return loads[enough][:, together], together


def at_moments(by_vm: BySeries, moments: FloatArray) -> FloatArray:
    """The rate of each VM (a row) at each moment: of the sample whose interval holds it, NaN where none does."""
    loads: FloatArray = scratch.empty((len(by_vm), moments.size), np.float64)
    # By identity: the machines of one file share its times.
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
    """The middles of equal stretches of the phase as long as the shortest usual interval."""
    spans = {id(samples.span): samples.span[samples.span > 0] for samples in by_vm.values()}
    usual = [float(np.median(span)) for span in spans.values() if span.size]
    count = int(phase.duration_s / min(usual)) if usual else 0
    return phase.start + phase.duration_s * (np.arange(count) + 0.5) / max(count, 1)


def _read_percent(reads: BySeries, writes: BySeries, moments: FloatArray) -> float | None:
    """The share of reads at these moments, of the VMs that have both."""
    both = [vm for vm in reads if vm in writes]
    read, written = (at_moments({vm: half[vm] for vm in both}, moments) for half in (reads, writes))
    known = ~np.isnan(read) & ~np.isnan(written)
    total = float(read[known].sum() + written[known].sum())
    return 100 * float(read[known].sum()) / total if total > 0 else None
