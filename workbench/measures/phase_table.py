"""The phase table: storage I/O, cache use and duration of each phase of each run.

`measures.catalogue` declares the metrics and how each is computed (all from overlap-weighted integrals, see
`phases.integral`). MB of cache are 2^20 bytes, as the vendors' consoles show cache sizes. None is not available, never
0. If part of a phase has no samples, total I/O and IOPS are lower bounds, and `measured_percent` is the measured share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, make_dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.measures import phase_problems
from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.coverage.extent import Extent, extents
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.rules import Total
from workbench.measures.steadiness import Steadiness, steadiness, steady_problems
from workbench.measures.worst_vms import VmLoad, worst_vms
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY, Phase
from workbench.model.problem import Problem
from workbench.model.run import Run
from workbench.model.run_cache import kept_with_run
from workbench.phases.integral import Integral
from workbench.phases.rules import phases_of
from workbench.study.plausibility.apart import apart_problems
from workbench.study.plausibility.days import days_problem
from workbench.study.plausibility.machines import machine_problems
from workbench.study.series.sides import distinct_places, side_words
from workbench.study.series.vm_series import BySeries, keep_ahead, samples_of
from workbench.words.metrics import quantity_words

_AMOUNTS = {"reads": Total(Quantity.READ_IOPS), "writes": Total(Quantity.WRITE_IOPS)}
_COMPUTED = {key: measure for key, measure in MEASURES.items() if key != DURATION}
# Amounts first, because they need more of a quantity than other metrics.
_RULES = sorted((measure.rule for measure in _COMPUTED.values()), key=lambda rule: not isinstance(rule, Total))

if TYPE_CHECKING:

    class _Measured:
        vms: int | None
        users: int | None

        def __getattr__(self, key: str) -> float | None: ...

else:
    # Each entry of the catalogue is a field. Rows created without a computation (test case, simulation) lack some.
    _Measured = make_dataclass(
        "_Measured",
        [(key, "float | None", field(default=None)) for key in _COMPUTED],
        frozen=True,
        kw_only=True,
        slots=True,
    )


@dataclass(frozen=True, slots=True)
class PhaseFigures(_Measured):
    """One row of the phase table: properties of the phase, and the metrics of the catalogue under their keys.

    None means not available. The key contains the unit; times are seconds since 1970 UTC. `reads` and `writes` are I/Os
    of all VMs. `side` is the side of the write cache where IOPS were counted (`study.series.sides`). `extents` is the
    measured part of each quantity.
    """

    phase: Phase
    vantage: str | None = None
    side: str | None = None
    cache_ram_estimate: bool = False
    worst_vms: tuple[VmLoad, ...] = ()
    steadiness: Steadiness | None = None
    extents: tuple[Extent, ...] = ()
    reads: float | None = None
    writes: float | None = None

    @property
    def duration_s(self) -> float:
        """Length of the phase in seconds."""
        return self.phase.duration_s

    @property
    def lower_bound(self) -> bool:
        """True if so much of the phase has no samples that its I/O values are lower bounds."""
        measured, least = self.measured_percent, 1 - phase_problems.GAP_SHARE
        return (measured is not None and measured < 100 * least) or any(
            seconds > phase_problems.GAP_SHARE * self.duration_s
            for extent in self.extents
            if extent.quantity is Quantity.IOPS
            for _, seconds in extent.gaps
        )

    def extent(self, quantity: Quantity) -> Extent | None:
        """The measured part of a quantity; None if it has no samples in the phase."""
        return next((extent for extent in self.extents if extent.quantity is quantity), None)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run with the rows of its phases and the problems found."""

    run: Run
    phases: tuple[PhaseFigures, ...]
    problems: tuple[Problem, ...]

    def phase(self, name: str) -> PhaseFigures | None:
        """The row of one phase; None if the run lacks the phase."""
        for figures in self.phases:
            if figures.phase.name == name:
                return figures
        return None


@kept_with_run
def run_figures(run: Run) -> RunFigures:
    """The phase table of one run."""
    # A faulty cell of 1e300 makes the values computed from it overflow. These values become not available and are
    # reported.
    with np.errstate(over="ignore", invalid="ignore"):
        phases, problems = phases_of(run)
        whole = _samples(run)
        read = {quantity_words(quantity): whole.by_vm(quantity) for quantity in _quantities()}
        found = [
            *machine_problems(run),
            *apart_problems(run),
            *problems,
            *phase_problems.of_run(run, whole.by_vm(Quantity.IOPS), read),
        ]
        rows: list[PhaseFigures] = []
        loads: list[dict[str, Integral]] = []
        for phase in phases:
            part = PhaseSamples(whole, phase)
            rows.append(_row(part, found))
            loads.append(part.integrals(Quantity.IOPS))
        found += phase_problems.of_machines(run, [load for load in loads if load])
    if (days := days_problem(run, phases)) is not None:
        # One sentence per cause.
        found = [*(problem for problem in found if problem.code != days.code), days]
    return RunFigures(run, tuple(rows), tuple(found))


def _quantities() -> tuple[Quantity, ...]:
    """The distinct quantities that the metrics read."""
    return tuple(dict.fromkeys(quantity for measure in MEASURES.values() for quantity in measure.rule.quantities))


def _samples(run: Run) -> RunSamples:
    """The samples of all quantities that the metrics read. Each file is read once."""
    known = samples_of(run, _quantities())
    # The quantities that pages over time show first.
    keep_ahead(run, Quantity.IOPS, known[Quantity.IOPS])

    def load(quantity: Quantity) -> BySeries:
        if quantity not in known:
            known.update(samples_of(run, (quantity,)))
        return known[quantity]

    return RunSamples(run, load)


def _row(samples: PhaseSamples, problems: list[Problem]) -> PhaseFigures:
    """The row of one phase, without values too large for a number. New problems are appended to `problems`."""
    run, iops, measured = samples.run, samples.by_vm(Quantity.IOPS), samples.integrals(Quantity.IOPS)
    problems += phase_problems.of_phase(run, samples.phase, iops, measured)
    values = {key: measure.rule.value(samples) for key, measure in _COMPUTED.items()}
    numbers = {key: value for key, value in values.items() if value is not None}
    named = {_COMPUTED[key].within: value for key, value in numbers.items()}
    problems += phase_problems.of_figures(samples, named, _quantities())
    problems += phase_problems.contradictions(samples, numbers)
    zero, faulty = phase_problems.zero_latencies(samples, numbers)
    numbers = {key: value for key, value in numbers.items() if key not in zero}
    problems += faulty
    steady = steadiness(samples) if samples.phase.name == STEADY else None
    problems += steady_problems(run, samples.phase, steady)
    numbers |= {key: total for key, rule in _AMOUNTS.items() if (total := rule.value(samples)) is not None}
    return PhaseFigures(
        samples.phase,
        vantage=" + ".join(sorted(vantage.value for vantage in {iop.vantage for iop in iops.values()})) or None,
        side=side_words(distinct_places(run)[Quantity.IOPS]),
        cache_ram_estimate=any(series.estimate for series in samples.by_vm(Quantity.CACHE_RAM_USED).values()),
        worst_vms=worst_vms(measured, tuple(samples.cuts(Quantity.IOPS)), iops, samples.phase.start, samples.phase.end),
        steadiness=steady,
        extents=extents(samples, _RULES),
        **{key: value for key, value in numbers.items() if math.isfinite(value)},
    )
