"""A run whose phases move: their figures from cumulative integrals, equal to those of the phase table to every digit
that is shown. What is not asked for is left not available rather than as it was."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np
import numpy.typing as npt

from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.moving.upper import Upper, upper
from workbench.measures.partial.extent import extents
from workbench.measures.percentile import percentile
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.rules import Percentile
from workbench.measures.steadiness import steadiness
from workbench.model.metric import Quantity
from workbench.model.phase import EDITED, STEADY, Phase
from workbench.model.run import Run
from workbench.phases.cumulative import Cumulative, cumulative
from workbench.phases.integral import Integral, binned, by_times
from workbench.phases.rules import phases_of
from workbench.study.series.vm_series import BySeries, Samples, samples_of

FloatArray = npt.NDArray[np.float64]

# What every row needs beside the measures that are asked for.
_ALWAYS = ("vms", "users", "measured_percent")
# The upper samples reach down to this percentile of the phase, for one of 95 to be found among them after a move.
_UPPER_PERCENT = 90.0
# A phase of fewer intervals than this is looked at sample by sample.
_FEW_INTERVALS = 50


@dataclass(frozen=True, eq=False)
class _Together:
    """Machines that were measured and missing at the same moments, and the sum of their samples."""

    vms: tuple[str, ...]
    summed: Samples


@dataclass(frozen=True, eq=False)
class _Sums:
    """What is kept of a run while its phases move, each worked out when it is first asked for."""

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
    """The samples of a phase, whose sums are differences of cumulative ones."""

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
        """The value of the rule, from the upper samples where they hold it."""
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
    """The run of these figures while an edge of a phase is dragged; `measures` are the keys that are asked for. It may
    be asked from several threads."""

    def __init__(self, figures: RunFigures, measures: Collection[str]) -> None:
        self._figures, self._lock = figures, Lock()
        self._measures = {key: MEASURES[key] for key in (*_ALWAYS, *measures) if key != DURATION}
        sums = _Sums(figures.run)
        self._sums, self._whole = sums, RunSamples(figures.run, sums.load)

    def figures(self, run: Run) -> RunFigures:
        """The figures of the run with other phases stated (as `edited` states them)."""
        with self._lock, np.errstate(over="ignore", invalid="ignore"):
            return replace(self._figures, run=run, phases=tuple(map(self._row, self._phases(run))))

    def _phases(self, run: Run) -> tuple[Phase, ...]:
        """The phases of the run; those detected from activity stand where they are, for looking takes long."""
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
    """Those of one file."""
    alike: dict[bytes, list[str]] = defaultdict(list)
    for vm in vms:
        alike[np.packbits(np.isnan(by_vm[vm].values)).tobytes()].append(vm)
    sums = ((some, np.add.reduce([by_vm[vm].values for vm in some])) for some in alike.values())
    return [_Together(tuple(some), replace(by_vm[some[0]], values=values)) for some, values in sums]
