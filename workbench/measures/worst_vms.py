"""The worst VMs by name: those with the highest mean and those with the highest sample in a phase."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import neg, truediv

import numpy as np

from workbench.phases.integral import Cut, FloatArray, Integral, binned_all, covered_of, totals_of
from workbench.study.series.vm_series import BySeries

# So many by mean, and so many by peak, are kept of each phase.
KEPT = 10
# VMs of many files have as many times as files: a phase is cut into so many stretches at most.
_STRETCHES = 4096
_ROUNDING_S = 1e-6


@dataclass(frozen=True, slots=True)
class VmLoad:
    """One VM in one phase: the mean of its IOPS over its measured seconds, its highest sample, and how many times the
    IOPS of the other VMs it did over the seconds that both were measured (None: without others, or they did none)."""

    vm: str
    mean_iops: float
    peak_iops: float | None
    times_others: float | None = None


def worst_vms(
    measured: Mapping[str, Integral], parts: Sequence[Cut], by_vm: BySeries, start: float, end: float
) -> tuple[VmLoad, ...]:
    """The `KEPT` worst by mean and the `KEPT` worst by peak, highest mean first.

    `measured` are the integrals of the VMs' IOPS over the phase from `start` to `end` (seconds UTC), `parts` the
    samples they come from, `by_vm` these of the whole run.
    """
    totals, covered = totals_of(measured), covered_of(measured)
    means = dict(zip(measured, map(truediv, totals, covered), strict=True))
    peaks = {vm: peak for part in parts for vm, peak in _peaks(part) if vm in means}
    chosen = {*_highest(means), *_highest(peaks)}
    if _measured_alike(measured, parts, end - start):
        # Over one and the same seconds the whole amounts say it.
        places = {vm: at for at, vm in enumerate(measured)}
        rests = {vm: sum(totals[places[vm] + 1 :], sum(totals[: places[vm]])) for vm in chosen}
        times = {vm: (len(measured) - 1) * measured[vm].total / rest for vm, rest in rests.items() if rest > 0}
    else:
        times = times_others({vm: by_vm[vm] for vm in means}, start, end)
    loads = [VmLoad(vm, means[vm], peaks.get(vm), times.get(vm)) for vm in chosen]
    return tuple(sorted(loads, key=lambda load: (-load.mean_iops, load.vm)))


def _measured_alike(measured: Mapping[str, Integral], parts: Sequence[Cut], seconds: float) -> bool:
    """Whether all VMs were measured over the same seconds: the whole phase, or all that their one file has of it."""
    whole = float(parts[0].seconds.sum()) if len(parts) == 1 else seconds
    return min(covered_of(measured), default=whole) >= whole - _ROUNDING_S


def times_others(by_vm: BySeries, start: float, end: float) -> dict[str, float]:
    """How many times the IOPS of the other VMs each did: its I/O over theirs, VM by VM over the seconds that both were
    measured, so that one measured over the busy half alone is held against the busy half of the others."""
    if len(by_vm) < 2:
        return {}
    edges = _edges(by_vm, start, end)
    rates = binned_all(by_vm, edges)
    known = ~np.isnan(rates)
    # Of each stretch: its seconds, how many VMs it has, and what they did in all.
    seconds, rates = np.diff(edges), np.where(known, rates, 0.0)
    own = (rates * (known.sum(axis=0) - 1) * seconds).sum(axis=1)
    others = (np.where(known, rates.sum(axis=0) - rates, 0.0) * seconds).sum(axis=1)
    return {vm: float(mine / theirs) for vm, mine, theirs in zip(by_vm, own, others, strict=True) if theirs > 0}


def _edges(by_vm: BySeries, start: float, end: float) -> FloatArray:
    """Where the samples of a phase begin and end, so that each VM has one sample or none between two of them."""
    distinct = {(id(samples.end), id(samples.span)): samples for samples in by_vm.values()}.values()
    times = np.concatenate([[start, end], *(one.end for one in distinct), *(one.start for one in distinct)])
    edges: FloatArray = np.unique(np.round(np.clip(times, start, end), 6))
    return edges if edges.size <= _STRETCHES else np.linspace(start, end, _STRETCHES + 1)


def _peaks(part: Cut) -> list[tuple[str, float]]:
    values = part.inside
    if not values.shape[1]:
        return []
    highest = np.fmax.reduce(values, axis=1).tolist()
    return [(vm, peak) for vm, peak in zip(part.vms, highest, strict=True) if not math.isnan(peak)]


def _highest(values: dict[str, float]) -> list[str]:
    return [vm for _, vm in sorted(zip(map(neg, values.values()), values, strict=True))[:KEPT]]
