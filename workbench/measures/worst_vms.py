"""The worst VMs by name: those with the highest mean and those with the highest sample in a phase."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from operator import neg, truediv

import numpy as np

from workbench.phases.integral import Cut, FloatArray, Integral, binned_all, covered_of, totals_of
from workbench.study.series.vm_series import BySeries

# Number of VMs kept per phase by mean, and by peak.
KEPT = 10
# VMs from many files have many different times; this limits the number of intervals in a phase.
_STRETCHES = 4096
_ROUNDING_S = 1e-6


@dataclass(frozen=True, slots=True)
class VmLoad:
    """One VM in one phase: its mean IOPS over its measured seconds, its highest sample, and the ratio of its IOPS to
    the mean of the other VMs over the seconds that both were measured (None: no other VMs, or they had no I/O).
    `largest_share` is the part of its I/O that its largest sample holds, in percent."""

    vm: str
    mean_iops: float
    peak_iops: float | None
    times_others: float | None = None
    largest_share: float | None = None

    @property
    def times_without_largest(self) -> float | None:
        """Returns `times_others` without the I/O of its largest sample."""
        share = self.largest_share
        return (
            self.times_others if share is None or self.times_others is None else self.times_others * (1 - share / 100)
        )

    @property
    def largest_adds(self) -> float:
        """Returns how much its largest sample adds to `mean_iops`, compared with the mean of its other samples."""
        share, peak = (self.largest_share or 0.0) / 100, self.peak_iops
        if not share or not peak:
            return 0.0
        # The part of its measured seconds that the sample covers.
        covered = share * self.mean_iops / peak
        return max(0.0, self.mean_iops * (share - covered) / (1 - covered)) if covered < 1 else 0.0


def worst_vms(
    measured: Mapping[str, Integral], parts: Sequence[Cut], by_vm: BySeries, start: float, end: float
) -> tuple[VmLoad, ...]:
    """The `KEPT` worst VMs by mean and the `KEPT` worst by peak, highest mean first.

    `measured` are the integrals of the VMs' IOPS over the phase from `start` to `end` (seconds UTC), `parts` the
    samples in the phase, `by_vm` the samples of the whole run.
    """
    totals, covered = totals_of(measured), covered_of(measured)
    means = dict(zip(measured, map(truediv, totals, covered), strict=True))
    peaks = {vm: peak for part in parts for vm, peak in _peaks(part) if vm in means}
    chosen = {*_highest(means), *_highest(peaks)}
    if _measured_alike(measured, parts, end - start):
        # If all VMs were measured over the same seconds, their totals are enough.
        places = {vm: at for at, vm in enumerate(measured)}
        rests = {vm: sum(totals[places[vm] + 1 :], sum(totals[: places[vm]])) for vm in chosen}
        times = {vm: (len(measured) - 1) * measured[vm].total / rest for vm, rest in rests.items() if rest > 0}
    else:
        times = times_others({vm: by_vm[vm] for vm in means}, start, end)
    largest: dict[str, float] = {}
    for part in parts:
        for vm, amount in _amounts(part, chosen):
            largest[vm] = max(amount, largest.get(vm, 0.0))
    shares = {vm: 100 * largest[vm] / measured[vm].total for vm in chosen if vm in largest and measured[vm].total > 0}
    loads = [VmLoad(vm, means[vm], peaks.get(vm), times.get(vm), shares.get(vm)) for vm in chosen]
    return tuple(sorted(loads, key=lambda load: (-load.mean_iops, load.vm)))


def _measured_alike(measured: Mapping[str, Integral], parts: Sequence[Cut], seconds: float) -> bool:
    """True if all VMs were measured over the same seconds: the whole phase, or the part of it in their only file."""
    one_file = parts and all(len(part.seconds) == 1 for part in parts)
    whole = float(parts[0].seconds.sum()) if one_file else seconds
    return min(covered_of(measured), default=whole) >= whole - _ROUNDING_S


def times_others(by_vm: BySeries, start: float, end: float) -> dict[str, float]:
    """The ratio of each VM's I/O to the mean I/O of the others.

    Only seconds that both were measured count, pair by pair. So a VM that was measured only in the busy half is
    compared with the busy half of the others.
    """
    if len(by_vm) < 2:
        return {}
    edges = _edges(by_vm, start, end)
    rates = binned_all(by_vm, edges)
    known = ~np.isnan(rates)
    # For each interval: its seconds, the number of VMs, and their total I/O.
    seconds, rates = np.diff(edges), np.where(known, rates, 0.0)
    own = (rates * (known.sum(axis=0) - 1) * seconds).sum(axis=1)
    others = (np.where(known, rates.sum(axis=0) - rates, 0.0) * seconds).sum(axis=1)
    return {vm: float(mine / theirs) for vm, mine, theirs in zip(by_vm, own, others, strict=True) if theirs > 0}


def _edges(by_vm: BySeries, start: float, end: float) -> FloatArray:
    """The start and end times of all samples in a phase: between two of them each VM has one sample or none."""
    distinct = {(id(samples.end), id(samples.span)): samples for samples in by_vm.values()}.values()
    times = np.concatenate([[start, end], *(one.end for one in distinct), *(one.start for one in distinct)])
    edges: FloatArray = np.unique(np.round(np.clip(times, start, end), 6))
    return edges if edges.size <= _STRETCHES else np.linspace(start, end, _STRETCHES + 1)


def _peaks(part: Cut) -> list[tuple[str, float]]:
    highest = np.fmax.reduce(np.where(part.within, part.values, np.nan), axis=1, initial=np.nan).tolist()
    return [(vm, peak) for vm, peak in zip(part.vms, highest, strict=True) if not math.isnan(peak)]


def _amounts(part: Cut, chosen: Set[str]) -> list[tuple[str, float]]:
    """The I/O of the largest sample of each chosen VM."""
    amounts = np.fmax.reduce(part.values * part.seconds, axis=1, initial=np.nan).tolist()
    return [(vm, one) for vm, one in zip(part.vms, amounts, strict=True) if vm in chosen and not math.isnan(one)]


def _highest(values: dict[str, float]) -> list[str]:
    return [vm for _, vm in sorted(zip(map(neg, values.values()), values, strict=True))[:KEPT]]
