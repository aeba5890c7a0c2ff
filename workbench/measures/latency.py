"""Latency over a phase: the mean over I/Os, and the 95th percentile of the samples that had any.

mean = sum over VMs of the integral of latency x rate / the integral of rate, over the VMs whose rate is known; over
time where none is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.measures.percentile import percentile
from workbench.model.phase import Phase
from workbench.phases.integral import overlap, touching, weighted_sum
from workbench.study.series.vm_series import BySeries

FloatArray = npt.NDArray[np.float64]


class Latency(NamedTuple):
    """One VM's latencies (s), what each weighs, and which of them had I/O; `first` is the place of the first among all
    samples of the VM."""

    first: int
    values: FloatArray
    weights: FloatArray
    busy: npt.NDArray[np.bool_]
    by_io: bool


def latencies(latency: BySeries, rates: BySeries, phase: Phase) -> dict[str, Latency]:
    """Each VM's latencies in the phase; those weighted by I/O where there are any, else over time."""
    by_vm: dict[str, Latency] = {}
    for vm, samples in latency.items():
        part = touching(samples, phase.start, phase.end)
        first = int(np.searchsorted(samples.end, phase.start, side="right"))
        seconds = overlap(part, phase.start, phase.end)
        within = seconds >= 0.5 * np.maximum(part.span, 1e-9)
        rate = touching(rates[vm], phase.start, phase.end) if vm in rates else None
        if rate is None or not np.array_equal(rate.end, part.end):
            by_vm[vm] = Latency(first, part.values, seconds, within, by_io=False)
            continue
        ios = np.nan_to_num(rate.values)
        # perfmon writes 0 s where there was no I/O
        by_vm[vm] = Latency(first, part.values, seconds * ios, within & (ios > 0), by_io=True)
    return {vm: latency for vm, latency in by_vm.items() if latency.by_io} or by_vm


def mean_ms(by_vm: dict[str, Latency]) -> float | None:
    """The weighted mean in ms, None when nothing weighs anything."""
    weighted = sum(weighted_sum(latency.values, latency.weights) for latency in by_vm.values())
    weights = sum(float(latency.weights.sum()) for latency in by_vm.values())
    return 1e3 * weighted / weights if weights > 0 else None


def p95_ms(by_vm: dict[str, Latency]) -> float | None:
    """95th percentile in ms over the samples in which there was any I/O."""
    pooled = np.concatenate([np.empty(0), *(latency.values[latency.busy] for latency in by_vm.values())])
    p95 = percentile(pooled, 95)
    return None if p95 is None else 1e3 * p95
