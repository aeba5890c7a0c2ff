"""The overlap-weighted integral: how much of each sample's interval lies inside a phase.

A rate sample is the average over the interval that ends at its time stamp; it counts for the part of that
interval inside `[start, end)`. Source of the rule: PDH rate counters are differences between two collections.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workbench.model.phase import Phase
from workbench.study.vm_series import BySeries, Samples

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Integral:
    """`total` = sum of rate x seconds; `covered_s` = seconds of the phase that have a sample."""

    total: float
    covered_s: float


def touching(samples: Samples, start: float, end: float) -> Samples:
    """The samples whose intervals touch `[start, end)`: views, nothing is copied."""
    first = int(np.searchsorted(samples.end, start, side="right"))
    last = int(np.searchsorted(samples.end, end, side="left")) + 1
    part = slice(first, last)
    return replace(samples, end=samples.end[part], span=samples.span[part], values=samples.values[part])


def overlap(samples: Samples, start: float, end: float) -> FloatArray:
    """Seconds of each sample's interval inside `[start, end)`, 0 where the sample is missing."""
    inside = np.minimum(samples.end, end) - np.maximum(samples.start, start)
    return np.where(np.isnan(samples.values), 0.0, np.maximum(inside, 0.0))


def weighted_sum(values: FloatArray, weights: FloatArray) -> float:
    """Sum of value x weight over what is known. No np.dot: its threads stall on a busy machine."""
    products = values * weights
    return float(products[~np.isnan(products)].sum())


def integrate(samples: Samples, phase: Phase) -> Integral | None:
    """The integral of a rate over a phase; None when no sample of it lies inside (not measured, not 0)."""
    part = touching(samples, phase.start, phase.end)
    weights = overlap(part, phase.start, phase.end)
    covered = float(weights.sum())
    if covered <= 0.0:
        return None
    return Integral(weighted_sum(part.values, weights), covered)


@dataclass(frozen=True, eq=False)
class Cut:
    """The part of some machines' samples that touches a phase: machines of one file, which share its times.

    `values` has a row per machine in `vms`, NaN where missing; `seconds` are those of each sample inside the
    phase, and `within` tells which samples lie in it for at least half of their interval.
    """

    vms: tuple[str, ...]
    values: FloatArray
    seconds: FloatArray
    within: npt.NDArray[np.bool_]

    @property
    def inside(self) -> FloatArray:
        """The columns of `values` that lie in the phase (a view where all do)."""
        return self.values if self.within.all() else self.values[:, self.within]


def cuts(by_vm: BySeries, phase: Phase) -> tuple[Cut, ...]:
    """The samples of all machines in a phase, those of one file as one table: a sum over all of them is a
    thousand times fewer calls than over one machine after the other."""
    # By identity: the machines of one file hold the same arrays, which live as long as `by_vm` does.
    alike: dict[tuple[int, int], list[str]] = {}
    for vm, samples in by_vm.items():
        alike.setdefault((id(samples.end), id(samples.span)), []).append(vm)
    return tuple(_cut(by_vm, vms, phase) for vms in alike.values())


def integrals(parts: Iterable[Cut]) -> dict[str, Integral]:
    """`integrate` for each machine that has samples in the phase."""
    found: dict[str, Integral] = {}
    for part in parts:
        # No np.dot: its threads stall on a busy machine.
        totals = np.einsum("ij,j->i", part.values, part.seconds)
        covered = np.full(totals.size, part.seconds.sum())
        for row in np.flatnonzero(np.isnan(totals)):
            known = np.where(np.isnan(part.values[row]), 0.0, part.seconds)
            totals[row], covered[row] = weighted_sum(part.values[row], known), known.sum()
        rows = zip(part.vms, totals.tolist(), covered.tolist(), strict=True)
        found |= {vm: Integral(total, seconds) for vm, total, seconds in rows if seconds > 0.0}
    return found


def integrate_all(by_vm: BySeries, phase: Phase) -> dict[str, Integral]:
    """The same from samples, in their order."""
    found = integrals(cuts(by_vm, phase))
    return {vm: found[vm] for vm in by_vm if vm in found}


def _cut(by_vm: BySeries, vms: list[str], phase: Phase) -> Cut:
    one = by_vm[vms[0]]
    first = int(np.searchsorted(one.end, phase.start, side="right"))
    last = int(np.searchsorted(one.end, phase.end, side="left")) + 1
    end, span = one.end[first:last], one.span[first:last]
    seconds = np.maximum(np.minimum(end, phase.end) - np.maximum(end - span, phase.start), 0.0)
    within = (span > 0) & (seconds >= 0.5 * span)
    return Cut(tuple(vms), np.stack([by_vm[vm].values[first:last] for vm in vms]), seconds, within)


def mean(samples: Samples, phase: Phase) -> float | None:
    """The mean over the measured seconds of a phase, None when there are none."""
    found = integrate(samples, phase)
    return None if found is None else found.total / found.covered_s


def inside(samples: Samples, phase: Phase) -> FloatArray:
    """The values of the samples that lie in the phase for at least half of their interval."""
    part = touching(samples, phase.start, phase.end)
    chosen = (part.span > 0) & (overlap(part, phase.start, phase.end) >= 0.5 * part.span)
    values: FloatArray = part.values[chosen & ~np.isnan(part.values)]
    return values


def gauge(samples: Samples, phase: Phase) -> FloatArray:
    """The readings of a gauge taken in `[start, end)`: a gauge speaks for its moment, not for an interval."""
    first, last = np.searchsorted(samples.end, (phase.start, phase.end), side="left")
    values = samples.values[first:last]
    known: FloatArray = values[~np.isnan(values)]
    return known


def binned(samples: Samples, edges: FloatArray) -> FloatArray:
    """The rate averaged over each bin of `edges` (UTC seconds), NaN where nothing was measured.

    Integral-preserving: the sum of bin x covered seconds equals the integral over the same stretch.
    """
    part = touching(samples, float(edges[0]), float(edges[-1]))
    good = ~np.isnan(part.values) & (part.span > 0)
    if not good.any():
        return np.full(edges.size - 1, np.nan)
    # Relative times: running sums of seconds since 1970 would lose what a short bin holds.
    start, end, values = part.start[good] - edges[0], part.end[good] - edges[0], part.values[good]
    # Knots at both ends of every interval: between intervals (gaps) both integrals stand still.
    knots = np.column_stack((start, end)).ravel()
    seconds = np.zeros(knots.size)
    seconds[1::2] = end - start
    amount = np.zeros(knots.size)
    amount[1::2] = values * seconds[1::2]
    places = edges - edges[0]
    total = np.diff(np.interp(places, knots, np.cumsum(amount)))
    covered = np.diff(np.interp(places, knots, np.cumsum(seconds)))
    # Below this share of a bin the quotient is rounding noise of the running sums.
    enough = covered > 1e-6 * np.diff(edges)
    rates: FloatArray = np.divide(total, covered, out=np.full(total.size, np.nan), where=enough)
    return rates
