"""Latency over a phase: the mean over I/Os, and the 95th percentile of the samples that had any.

mean = sum over VMs of the integral of latency x rate / the integral of rate, over the VMs whose rate is known; over
time where none is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.disk_arrays import Room
from workbench.measures.percentile import over_time, percentile
from workbench.model.phase import Phase
from workbench.phases.integral import overlap, touching, weighted_sum
from workbench.study.series.vm_series import BySeries

FloatArray = npt.NDArray[np.float64]


class Latency(NamedTuple):
    """One VM's latencies and the lengths of their intervals (s), what each weighs, and which of them had I/O; `first`
    is the place of the first among all samples of the VM."""

    first: int
    values: FloatArray
    spans: FloatArray
    weights: FloatArray
    busy: npt.NDArray[np.bool_]
    by_io: bool


def latencies(latency: BySeries, rates: BySeries, phase: Phase) -> dict[str, Latency]:
    """Each VM's latencies in the phase; those weighted by I/O where there are any, else over time."""
    found: dict[str, Latency] = {}
    room = Room()
    for vm, samples in latency.items():
        part = touching(samples, phase.start, phase.end)
        first = int(np.searchsorted(samples.end, phase.start, side="right"))
        seconds = overlap(part, phase.start, phase.end)
        within = seconds >= 0.5 * np.maximum(part.span, 1e-9)
        rate = touching(rates[vm], phase.start, phase.end) if vm in rates else None
        if rate is None or not np.array_equal(rate.end, part.end):
            found[vm] = Latency(first, part.values, part.span, room.keep(seconds), room.keep(within), by_io=False)
            continue
        ios = np.nan_to_num(rate.values)
        # perfmon writes 0 s where there was no I/O
        weights, busy = room.keep(seconds * ios), room.keep(within & (ios > 0))
        found[vm] = Latency(first, part.values, part.span, weights, busy, by_io=True)
    return {vm: latency for vm, latency in found.items() if latency.by_io} or found


def mean_ms(found: dict[str, Latency]) -> float | None:
    """The weighted mean in ms, None when nothing weighs anything."""
    weighted = sum(weighted_sum(latency.values, latency.weights) for latency in found.values())
    weights = sum(float(latency.weights.sum()) for latency in found.values())
    return 1e3 * weighted / weights if weights > 0 else None


def p95_ms(found: dict[str, Latency]) -> float | None:
    """95th percentile in ms over the samples in which there was any I/O."""
    room = Room()
    values = [room.keep(latency.values[latency.busy]) for latency in found.values()]
    spans = [room.keep(latency.spans[latency.busy]) for latency in found.values()]
    p95 = percentile(over_time(values, spans), 95)
    return None if p95 is None else 1e3 * p95
