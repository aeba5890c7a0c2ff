"""The metrics of a run while the user drags the edge of a phase, from cumulative integrals.

A drag needs new means in every frame. The integral from the first sample is kept for every 64th sample, so the integral
between any two moments needs only a look at the two edges. For percentiles the upper samples of a rate are kept in time
order, because a high percentile of any interval needs only those. The results equal the phase table in every digit
shown. Metrics that are not requested become not available, because old values would be wrong. Tables and exports use
`integrate`, whose sums are not differences.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.coverage.extent import extents
from workbench.measures.percentile import Timed, are_equal, percentile, upper_percentile
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.rules import Percentile
from workbench.measures.steadiness import steadiness
from workbench.model.metric import Quantity
from workbench.model.phase import EDITED, STEADY, Phase
from workbench.model.run import Run
from workbench.phases.integral import Integral, binned, by_times, integrate, seconds_inside
from workbench.phases.rules import phases_of
from workbench.study.series.vm_series import BySeries, Samples, samples_of

FloatArray = npt.NDArray[np.float64]
# Needed in every row, in addition to the wanted metrics.
_ALWAYS = ("vms", "users", "measured_percent")
# The upper samples begin at this percentile of the phase, so the 95th percentile is still among them after a move.
_UPPER_PERCENT = 90.0
# A phase with fewer intervals is computed sample by sample.
_FEW_INTERVALS = 50


@dataclass(frozen=True, eq=False)
class _Together:
    """Machines that were measured and missing at the same moments, and the sum of their samples."""

    vms: tuple[str, ...]
    summed: Samples


@dataclass(frozen=True, eq=False)
class _Sums:
    """Cumulative sums of a run while its phases move, each computed at first use."""

    run: Run
    samples: dict[Quantity, BySeries] = field(default_factory=dict)
    integrals: dict[Quantity, Cumulative] = field(default_factory=dict)
    uppers: dict[Quantity, Upper] = field(default_factory=dict)
    groups: dict[Quantity, list[_Together]] = field(default_factory=dict)

    def load(self, quantity: Quantity) -> BySeries:
        if quantity not in self.samples:
            self.samples.update(samples_of(self.run, (quantity,)))
        return self.samples[quantity]

    def between(self, quantity: Quantity, by_vm: BySeries, start: float, end: float) -> dict[str, Integral]:
        if quantity not in self.integrals:
            self.integrals[quantity] = cumulative(by_vm)
        return self.integrals[quantity].between(start, end)

    def together(self, quantity: Quantity, by_vm: BySeries) -> list[_Together]:
        if quantity not in self.groups:
            self.groups[quantity] = [group for vms in by_times(by_vm) for group in _together(by_vm, vms)]
        return self.groups[quantity]


@dataclass(frozen=True, eq=False)
class _Moved(PhaseSamples):
    """The samples of a phase, with sums as differences of cumulative sums."""

    sums: _Sums = field(kw_only=True)

    def integrals(self, quantity: Quantity) -> dict[str, Integral]:
        def known() -> dict[str, Integral]:
            return self.sums.between(quantity, self.by_vm(quantity), self.phase.start, self.phase.end)

        return self._once("integrals", quantity, known)

    def mean_rates(self, quantity: Quantity, edges: FloatArray) -> FloatArray:
        measured = self.integrals(quantity)
        groups = [group for group in self.sums.together(quantity, self.by_vm(quantity)) if group.vms[0] in measured]
        rates = (binned(group.summed, edges) for group in groups)
        total: FloatArray = sum(rates, np.zeros(edges.size - 1)) / len(measured)
        return total

    def percentile(self, rule: Percentile) -> float | None:
        """The value of the rule, from the upper samples if they are enough."""
        quantity, phase = rule.quantity, self.phase
        by_vm = self.by_vm(quantity)
        longest = max((float(samples.span.max(initial=0.0)) for samples in by_vm.values()), default=0.0)
        if phase.duration_s < _FEW_INTERVALS * longest:
            return rule.value(self)
        known = self.sums.uppers.get(quantity)
        value = None if known is None else known.percentile(phase.start, phase.end, rule.percent)
        if value is None and (least := percentile(self.pooled(quantity), _UPPER_PERCENT)) is not None:
            known = self.sums.uppers[quantity] = upper(by_vm, least)
            value = known.percentile(phase.start, phase.end, rule.percent)
        return value


class MovingRun:
    """A run while the edge of a phase is dragged. `measures` are the keys of the wanted metrics. Thread-safe."""

    def __init__(self, figures: RunFigures, measures: Collection[str]) -> None:
        self._figures, self._lock = figures, Lock()
        self._measures = {key: MEASURES[key] for key in (*_ALWAYS, *measures) if key != DURATION}
        sums = _Sums(figures.run)
        self._sums, self._whole = sums, RunSamples(figures.run, sums.load)

    def figures(self, run: Run) -> RunFigures:
        """The metrics of the run with other stated phases (as `edited` states them)."""
        with self._lock, np.errstate(over="ignore", invalid="ignore"):
            return replace(self._figures, run=run, phases=tuple(map(self._row, self._phases(run))))

    def _phases(self, run: Run) -> tuple[Phase, ...]:
        """The phases of the run. Phases detected from activity keep their edges, because detection takes long."""
        rows = {row.phase.name: row.phase for row in self._figures.phases}
        if not any(phase.evidence == "activity" for phase in rows.values()):
            return phases_of(run)[0]
        return tuple((rows | {phase.name: phase for phase in run.stated_phases if phase.evidence == EDITED}).values())

    def _row(self, phase: Phase) -> PhaseFigures:
        before = self._figures.phase(phase.name)
        if before is not None and before.phase == phase:
            return before
        samples = _Moved(self._whole, phase, sums=self._sums)
        values = {
            key: samples.percentile(rule) if isinstance(rule := measure.rule, Percentile) else rule.value(samples)
            for key, measure in self._measures.items()
        }
        known = {key: value if value is not None and math.isfinite(value) else None for key, value in values.items()}
        return replace(
            before or self._figures.phases[0],
            phase=phase,
            worst_vms=(),
            steadiness=steadiness(samples) if phase.name == STEADY else None,
            extents=extents(samples, (measure.rule for measure in self._measures.values()), fills=False),
            reads=None,
            writes=None,
            **(dict.fromkeys(set(MEASURES) - {DURATION}) | known),  # type: ignore[arg-type]
        )


def _together(by_vm: BySeries, vms: Sequence[str]) -> list[_Together]:
    """The groups among the machines of one file."""
    alike: dict[bytes, list[str]] = defaultdict(list)
    for vm in vms:
        alike[np.packbits(np.isnan(by_vm[vm].values)).tobytes()].append(vm)
    sums = ((some, np.add.reduce([by_vm[vm].values for vm in some])) for some in alike.values())
    return [_Together(tuple(some), replace(by_vm[some[0]], values=values)) for some, values in sums]


class _Samples(NamedTuple):
    """Middle (ascending) and length of the intervals of the known samples of a number of machines."""

    machines: int
    middles: FloatArray
    spans: FloatArray


@dataclass(frozen=True, eq=False)
class Upper:
    """The upper samples of a rate: all `values` of at least `least`.

    `middles` (ascending, UTC seconds) and `spans` are the middle and the length of their intervals. `every` are the
    intervals of all known samples.
    """

    values: FloatArray
    middles: FloatArray
    spans: FloatArray
    every: tuple[_Samples, ...]

    def percentile(self, start: float, end: float, share: float) -> float | None:
        """The percentile of all samples with at least half of their interval between `start` and `end`, as `percentile`
        computes it. None if it is below `least`, or if there are no samples. `start` to `end` must be longer than
        any interval."""
        inside = [(known.machines, known.spans[_part(known.middles, start, end)]) for known in self.every]
        spans = np.concatenate([np.empty(0), *(some for _, some in inside)])
        if not spans.size:
            return None
        part = _part(self.middles, start, end)
        if are_equal(spans):
            size = sum(machines * some.size for machines, some in inside)
            highest = Timed(self.values[part], np.ones(self.values[part].size))
            return upper_percentile(highest, share, float(size), 1.0)
        total = sum(machines * float(some.sum()) for machines, some in inside)
        return upper_percentile(Timed(self.values[part], self.spans[part]), share, total, float(spans.min()))


def upper(by_vm: BySeries, least: float) -> Upper:
    """The samples of at least `least` of all machines."""
    values, middles, spans = [np.empty(0)], [np.empty(0)], [np.empty(0)]
    alike: dict[tuple[int, bytes], tuple[FloatArray, FloatArray, list[str]]] = {}
    for file, vms in enumerate(by_times(by_vm)):
        samples = by_vm[vms[0]]
        held = samples.span > 0
        span = samples.span[held]
        middle = samples.end[held] - 0.5 * span
        for vm in vms:
            own = by_vm[vm].values[held]
            high, known = own >= least, ~np.isnan(own)
            values.append(own[high])
            middles.append(middle[high])
            spans.append(span[high])
            key = file, np.packbits(known).tobytes()
            alike.setdefault(key, (middle[known], span[known], []))[2].append(vm)
    every = tuple(_Samples(len(vms), middle, span) for middle, span, vms in alike.values())
    at = np.concatenate(middles)
    order = np.argsort(at, kind="stable")
    return Upper(np.concatenate(values)[order], at[order], np.concatenate(spans)[order], every)


def _part(middles: FloatArray, start: float, end: float) -> slice:
    """The slice of the middles between `start` and `end`."""
    return slice(int(middles.searchsorted(start, "left")), int(middles.searchsorted(end, "right")))


BLOCK = 64


@dataclass(frozen=True, eq=False)
class _File:
    """Machines that share their times. Per machine (row) and up to the start of each block of samples: the sum of value
    x seconds, and the seconds with a sample."""

    vms: tuple[str, ...]
    machines: tuple[Samples, ...]
    totals: FloatArray
    seconds: FloatArray


@dataclass(frozen=True, eq=False)
class Cumulative:
    """The cumulative integrals of all machines for one metric."""

    vms: tuple[str, ...]
    files: tuple[_File, ...]

    def between(self, start: float, end: float) -> dict[str, Integral]:
        """Like `integrate_all` over `[start, end)` (UTC seconds), with an error of 10⁻¹⁵ of the sum up to `end`.
        Machines without a sample in it are missing."""
        with np.errstate(over="ignore", invalid="ignore"):
            known = {vm: integral for file in self.files for vm, integral in _between(file, start, end)}
        return {vm: known[vm] for vm in self.vms if vm in known}


def cumulative(by_vm: BySeries) -> Cumulative:
    """The cumulative integrals of all machines. Looks once at every sample and needs 1/32 of their memory."""
    with np.errstate(over="ignore", invalid="ignore"):
        return Cumulative(tuple(by_vm), tuple(_file(by_vm, vms) for vms in by_times(by_vm)))


def _file(by_vm: BySeries, vms: Sequence[str]) -> _File:
    machines = tuple(by_vm[vm] for vm in vms)
    span = machines[0].span[: machines[0].span.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    totals, seconds = (np.zeros((len(vms), len(span) + 1)) for _ in range(2))
    for row, samples in enumerate(machines):
        values = samples.values[: span.size].reshape(-1, BLOCK)
        sums, covered = np.einsum("ij,ij->i", values, span), span.sum(axis=1)
        if np.isnan(sums).any():
            missing = np.isnan(values)
            sums = np.einsum("ij,ij->i", np.where(missing, 0.0, values), span)
            covered = np.where(missing, 0.0, span).sum(axis=1)
        np.cumsum(sums, out=totals[row, 1:])
        np.cumsum(covered, out=seconds[row, 1:])
    return _File(tuple(vms), machines, totals, seconds)


def _between(file: _File, start: float, end: float) -> list[tuple[str, Integral]]:
    times = file.machines[0].end
    first, last = int(np.searchsorted(times, start, "right")), int(np.searchsorted(times, end, "left")) + 1
    # The first and the last sample may count only in part.
    left, right = -(-(first + 1) // BLOCK), (min(last, times.size) - 1) // BLOCK
    if left < right:
        edges = [slice(first, left * BLOCK), slice(right * BLOCK, last)]
        totals = file.totals[:, right] - file.totals[:, left]
        seconds = file.seconds[:, right] - file.seconds[:, left]
    else:
        edges = [slice(first, last)]
        totals, seconds = np.zeros(len(file.vms)), np.zeros(len(file.vms))
    for edge in edges:
        inside = seconds_inside(times[edge], file.machines[0].span[edge], start, end)
        values = np.stack([samples.values[edge] for samples in file.machines])
        known = np.where(np.isnan(values), 0.0, inside)
        totals = totals + np.nansum(values * known, axis=1)
        seconds = seconds + known.sum(axis=1)
    # A faulty value of 1e300 overflows, and with it all later differences.
    for row in np.flatnonzero(~np.isfinite(totals)):
        alone = integrate(file.machines[row], Phase("", start, end, ""))
        totals[row] = 0.0 if alone is None else alone.total
    rows = zip(file.vms, totals.tolist(), seconds.tolist(), strict=True)
    return [(vm, Integral(total, covered)) for vm, total, covered in rows if covered > 0.0]
