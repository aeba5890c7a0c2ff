"""The overlap-weighted integral: how much of each sample's interval is inside a phase.

A rate sample is the mean over the interval that ends at its timestamp. It counts for the part of that interval inside
`[start, end)`. Source of the rule: PDH rate counters are differences between two collections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.model.phase import Phase
from workbench.study.series.vm_series import BySeries, Matrix, Samples

FloatArray = npt.NDArray[np.float64]
# Number of values copied or multiplied together: it fits the cache of a core. All at once would need new memory of the
# size of a file.
_TOGETHER = 1 << 16


class Integral(NamedTuple):
    """`total` = sum of rate x seconds; `covered_s` = seconds of the phase that have a sample."""

    total: float
    covered_s: float


# Hot path: skips the Python constructor for thousands of machines.
_INTEGRAL = partial(tuple.__new__, Integral)
_TOTAL, _COVERED = itemgetter(0), itemgetter(1)


def touching(samples: Samples, start: float, end: float) -> Samples:
    """The samples whose intervals touch `[start, end)`, as views without copying."""
    first = int(np.searchsorted(samples.end, start, side="right"))
    last = int(np.searchsorted(samples.end, end, side="left")) + 1
    part = slice(first, last)
    return replace(samples, end=samples.end[part], span=samples.span[part], values=samples.values[part])


def overlap(samples: Samples, start: float, end: float) -> FloatArray:
    """Seconds of each sample's interval inside `[start, end)`; 0 if the sample is missing."""
    return np.where(np.isnan(samples.values), 0.0, seconds_inside(samples.end, samples.span, start, end))


def integrate(samples: Samples, phase: Phase) -> Integral | None:
    """The integral of a rate over a phase; None if no sample is inside (not measured, not 0)."""
    return integrate_all({"": samples}, phase).get("")


@dataclass(frozen=True, eq=False)
class Cut:
    """The samples of some VMs that touch a phase, a row per VM. `values` is NaN if missing.

    `end`, `span` and `seconds` (the part of each sample inside the phase) have one row if the VMs share their times,
    otherwise a row per VM. Shorter rows end with missing samples at infinity. `first` is the index of each VM's first
    sample among all of its samples. `beside` are the values of another quantity at the same times.
    """

    vms: Sequence[str]
    values: FloatArray
    end: FloatArray
    span: FloatArray
    seconds: FloatArray
    first: npt.NDArray[np.intp]
    beside: FloatArray | None = None

    @cached_property
    def within(self) -> npt.NDArray[np.bool_]:
        """A mask of the samples with at least half of their interval inside the phase, in rows like `seconds`."""
        return (self.span > 0) & (self.seconds >= 0.5 * self.span)

    @property
    def places(self) -> npt.NDArray[np.intp]:
        """The index of each sample among all samples of its VM."""
        return self.first[:, None] + np.arange(self.end.shape[1])

    def pooled(self) -> tuple[FloatArray, FloatArray]:
        """The samples `within` the phase and their lengths (of each row, if the VMs share their times)."""
        if len(self.within) > 1:
            return self.values[self.within], self.span[self.within]
        places = np.flatnonzero(self.within)
        adjacent = places.size > 0 and places[-1] - places[0] == places.size - 1
        # A slice is not copied.
        chosen = slice(places[0], places[-1] + 1) if adjacent else places
        return self.values[:, chosen], self.span[0, chosen]

    def groups(self) -> Iterator[Cut]:
        """Yields the VMs together if they share their times, otherwise each one."""
        rows = map(slice, range(len(self.vms)), range(1, len(self.vms) + 1))
        return (
            Cut(self.vms[row], self.values[row], self.end[row], self.span[row], self.seconds[row], self.first[row])
            for row in ([slice(None)] if len(self.end) == 1 else rows)
        )


def cuts(by_vm: BySeries, phase: Phase, beside: BySeries | None = None) -> Iterator[Cut]:
    """The samples of all machines in a phase, a few machines at a time. `beside` has the same machines with the same
    times in the phase."""
    groups = [*by_times(by_vm)]
    alone = [vms[0] for vms in groups if len(vms) == 1]
    for vms in (*(vms for vms in groups if len(vms) > 1), alone):
        timed = [by_vm[vm] for vm in (alone if vms is alone else vms[:1])]
        parts = [_part(one.end, phase) for one in timed] * (1 if vms is alone else len(vms))
        for rows in few_rows(len(vms), max((part.stop - part.start for part in parts), default=0)):
            if vms is alone or not rows.start:
                end, span = (
                    _rows([getattr(one, name) for one in timed[rows]], parts[rows], fill)
                    for name, fill in (("end", np.inf), ("span", 0.0))
                )
                seconds = seconds_inside(end, span, phase.start, phase.end)
            some, first = vms[rows], np.array([part.start for part in parts[rows]])
            others = (
                None if beside is None else _table(beside, vms, rows, [_part(beside[vm].end, phase) for vm in some])
            )
            yield Cut(some, _table(by_vm, vms, rows, parts[rows]), end, span, seconds, first, others)


def _part(end: FloatArray, phase: Phase) -> slice:
    """The samples whose intervals touch a phase."""
    last = min(int(end.searchsorted(phase.end, "left")) + 1, end.size)
    return slice(min(int(end.searchsorted(phase.start, "right")), last), last)


def _table(by_vm: BySeries, vms: list[str], rows: slice, parts: Sequence[slice]) -> FloatArray:
    """The values of some of the machines, a part of each as one row. Do not change them."""
    if isinstance(by_vm, Matrix) and len(vms) == len(by_vm):
        return by_vm.table[rows, parts[0]]
    return _rows([by_vm[vm].values for vm in vms[rows]], parts, np.nan)


def _rows(arrays: Sequence[FloatArray], parts: Sequence[slice], fill: float) -> FloatArray:
    """These parts of the arrays as rows of equal length. A single one is not copied."""
    if len(arrays) == 1:
        return arrays[0][None, parts[0]]
    table = np.full((len(arrays), max(part.stop - part.start for part in parts)), fill)
    for row, array, part in zip(table, arrays, parts, strict=True):
        row[: part.stop - part.start] = array[part]
    return table


def integrate_all(by_vm: BySeries, phase: Phase) -> dict[str, Integral]:
    """`integrate` for each machine that has samples in the phase, in their order."""
    found: dict[str, Integral] = {}
    for cut in cuts(by_vm, phase):
        seconds = np.broadcast_to(cut.seconds, cut.values.shape)
        # Does not use np.dot: its threads stall on a busy machine.
        totals, covered = np.einsum("ij,ij->i", cut.values, seconds), np.resize(cut.seconds.sum(axis=1), len(cut.vms))
        if (missing := np.isnan(totals)).any():
            values = cut.values[missing]
            known = np.where(np.isnan(values), 0.0, seconds[missing])
            totals[missing], covered[missing] = np.nansum(values * known, axis=1), known.sum(axis=1)
        rows = zip(cut.vms, map(_INTEGRAL, zip(totals.tolist(), covered.tolist(), strict=True)), strict=True)
        found |= rows if (covered > 0.0).all() else {vm: integral for vm, integral in rows if integral.covered_s > 0.0}
    return {vm: found[vm] for vm in by_vm if vm in found}


def totals_of(by_vm: Mapping[str, Integral]) -> list[float]:
    """The totals of the machines, in their order."""
    return [*map(_TOTAL, by_vm.values())]


def covered_of(by_vm: Mapping[str, Integral]) -> list[float]:
    """The covered seconds of the machines, in their order."""
    return [*map(_COVERED, by_vm.values())]


def few_rows(machines: int, samples: int) -> Iterator[slice]:
    """Slices of a few rows at a time: at most `_TOGETHER` values, at least one row."""
    step = max(1, _TOGETHER // max(1, samples))
    return (slice(at, at + step) for at in range(0, machines, step))


def mean(samples: Samples, phase: Phase) -> float | None:
    """The mean over the measured seconds of a phase; None if there are none."""
    integral = integrate(samples, phase)
    return None if integral is None else integral.total / integral.covered_s


def inside(samples: Samples, phase: Phase) -> FloatArray:
    """The values of the samples with at least half of their interval in the phase."""
    return known_values([cut.pooled()[0] for cut in cuts({"": samples}, phase)])


def gauge(samples: Samples, phase: Phase) -> FloatArray:
    """The samples of a gauge taken in `[start, end)`: a gauge describes a moment, not an interval."""
    first, last = np.searchsorted(samples.end, (phase.start, phase.end), side="left")
    values = samples.values[first:last]
    known: FloatArray = values[~np.isnan(values)]
    return known


def binned(samples: Samples, edges: FloatArray) -> FloatArray:
    """The mean rate in each bin of `edges` (UTC seconds); NaN if nothing was measured.

    Preserves the integral: the sum of bin x covered seconds equals the integral over the whole span.
    """
    good = ~np.isnan(samples.values) & (samples.span > 0)
    known = replace(samples, end=samples.end[good], span=samples.span[good], values=samples.values[good])
    # A faulty value of 1e300 overflows; its bins are not available.
    with np.errstate(over="ignore", invalid="ignore"):
        bins = _bins(known, edges)
        return _finite(_rates(known.values[None, bins.part], known.span[bins.part], bins)[0])


def binned_all(by_vm: BySeries, edges: FloatArray) -> FloatArray:
    """`binned` for each machine, one row each in their order. The bins are looked up once per file, because its
    machines share their times."""
    rates = np.empty((len(by_vm), edges.size - 1))
    places = dict(zip(by_vm, range(len(by_vm)), strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        for vms in by_times(by_vm):
            first = by_vm[vms[0]]
            bins = _bins(first, edges)
            for rows in few_rows(len(vms), bins.part.stop - bins.part.start):
                values = _table(by_vm, vms, rows, [bins.part] * len(vms[rows]))
                found = _rates(values, first.span[bins.part], bins)
                # A missing sample makes all its bins missing, so this machine is binned separately.
                for row in np.flatnonzero((np.isnan(found) & (bins.covered > 0)).any(axis=1)).tolist():
                    found[row] = binned(by_vm[vms[rows][row]], edges)
                rates[[places[vm] for vm in vms[rows]]] = found
    return _finite(rates)


def seconds_inside(ends: FloatArray, spans: FloatArray, start: float, end: float) -> FloatArray:
    """The seconds of each interval (by its end and length) inside `[start, end)`."""
    seconds: FloatArray = np.maximum(np.minimum(ends, end) - np.maximum(ends - spans, start), 0.0)
    return seconds


def by_times(by_vm: BySeries) -> Iterable[list[str]]:
    """Groups of machines that share their times. Compared by identity: the machines of one file have the same arrays,
    which exist as long as `by_vm`."""
    if isinstance(by_vm, Matrix):
        return [[*by_vm]]
    alike: dict[tuple[int, int], list[str]] = {}
    for vm, samples in by_vm.items():
        alike.setdefault((id(samples.end), id(samples.span)), []).append(vm)
    return alike.values()


def _finite(rates: FloatArray) -> FloatArray:
    infinite = np.isinf(rates)
    return np.where(infinite, np.nan, rates) if infinite.any() else rates


@dataclass(frozen=True, eq=False)
class _Bins:
    """Position of bins among the samples.

    Each edge is in sample `at` of `part`, after `before` seconds of it. `covered` is the seconds of each bin that have
    a sample (0: too few for a rate).
    """

    part: slice
    at: npt.NDArray[np.intp]
    before: FloatArray
    covered: FloatArray


def _bins(samples: Samples, edges: FloatArray) -> _Bins:
    first, last = np.searchsorted(samples.end, (edges[0], edges[-1]), side="right")
    part = slice(int(first), min(int(last) + 1, samples.end.size))
    end, span = samples.end[part], samples.span[part]
    if not end.size:
        return _Bins(part, np.zeros(0, np.intp), np.zeros(0), np.zeros(edges.size - 1))
    at = np.searchsorted(end, edges, side="right")
    beyond = at == end.size
    at = np.minimum(at, end.size - 1)
    before = np.clip(edges - (end[at] - span[at]), 0.0, span[at])
    before[beyond] = span[-1]
    covered = _between(np.add.reduceat(span, at), before, at)
    # Below this share of a bin the quotient is rounding noise.
    return _Bins(part, at, before, np.where(covered > 1e-6 * np.diff(edges), covered, 0.0))


def _rates(values: FloatArray, span: FloatArray, bins: _Bins) -> FloatArray:
    """The rates of machines that share their times, one row each. `values` and `span` are those of `bins.part`.

    The amount between two edges is that of whole samples. The part of the first sample before its edge is subtracted,
    and the part of the last sample before its edge is added. Sums within a bin keep small rates, which running sums
    would lose after large ones.
    """
    rates = np.full((len(values), bins.covered.size), np.nan)
    if not bins.at.size:
        return rates
    amounts = np.add.reduceat(values * span, bins.at, axis=1)
    total = _between(amounts, values[:, bins.at] * bins.before, bins.at)
    np.divide(total, bins.covered, out=rates, where=bins.covered > 0)
    return rates


def _between(amounts: FloatArray, before: FloatArray, at: npt.NDArray[np.intp]) -> FloatArray:
    """The amount between neighbouring edges, along the last axis. `amounts` are from the sample of each edge to that of
    the next; `before` is the part of each sample before the edge."""
    whole = np.where(at[:-1] == at[1:], 0.0, amounts[..., :-1])
    between: FloatArray = whole - before[..., :-1] + before[..., 1:]
    return between


def known_values(blocks: Sequence[FloatArray]) -> FloatArray:
    """The values of all blocks (1-D or 2-D) that are not missing, in their order, as a new array."""
    known: FloatArray = disk_arrays.empty(sum(block.size for block in blocks), np.float64)
    end = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for table in map(np.atleast_2d, blocks):
            for rows in few_rows(*table.shape):
                values = table[rows].ravel()
                # One sum is cheaper than testing each value.
                held = values[~np.isnan(values)] if np.isnan(values.sum()) else values
                known[end : end + held.size] = held
                end += held.size
    return known[:end]
