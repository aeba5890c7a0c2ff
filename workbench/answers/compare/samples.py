"""The distribution of a measure's samples in one phase: all samples of all VMs of a configuration's runs together.

Which samples count is the rule of the percentiles of the phase table: those that lie in the phase for at least half of
their interval, each weighs the seconds of its interval; of a latency those with I/O.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from workbench.disk_arrays import Room
from workbench.measures.configurations import Group
from workbench.measures.measure import Measure
from workbench.measures.percentile import Ascending, ascending, over_time
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import RunFigures
from workbench.measures.rules import MeanLatency
from workbench.study.series.vm_series import kept_samples

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RunCounts:
    """What one run gives: the `vms` with samples of all `known_vms`, the `samples` that count, those `missing` in the
    phase, and of a latency those `without_io`. `measured` is the share of the phase that has samples, over all of
    its VMs."""

    run: str
    vms: int
    known_vms: int
    samples: int
    missing: int
    without_io: int
    measured: float


@dataclass(frozen=True, eq=False)
class Distribution:
    """`over_time` are the samples, at least one, in the measure's unit.

    `runs` are those with the phase, `without` the names of runs that have no sample of the measure in it."""

    label: str
    over_time: Ascending
    runs: tuple[RunCounts, ...]
    without: tuple[str, ...]

    @property
    def samples(self) -> int:
        """How many samples it is of."""
        return sum(run.samples for run in self.runs)

    @property
    def missing(self) -> int:
        """How many samples in the phase have no value."""
        return sum(run.missing for run in self.runs)

    @property
    def without_io(self) -> int:
        """How many samples of a latency had no I/O and are left out."""
        return sum(run.without_io for run in self.runs)

    @property
    def measured(self) -> float:
        """The share of the phase that has samples, mean over the runs."""
        return float(np.mean([run.measured for run in self.runs]))

    def percentile(self, share: float) -> float:
        """The percentile (`share` of 0 to 100), as in the phase table."""
        return self.over_time.percentile(share)

    def shares(self, at: FloatArray) -> FloatArray:
        """The empirical distribution function, in percent of the time: at or below each of `at`."""
        return self.over_time.shares(at)

    def bins(self, edges: FloatArray) -> FloatArray:
        """The percent of the time from each of the `edges` to below the next, the last one included."""
        below = self.over_time.shares(edges, side="left")
        below[-1] = self.shares(edges[-1:])[0]
        return np.diff(below)

    def above(self, limit: float) -> float:
        """The percent of the time above a limit."""
        return 100.0 - float(self.shares(np.array([limit]))[0])


@dataclass(frozen=True, eq=False)
class _Part:
    """The samples of a run that count, machines by machines of one file, with the lengths of their intervals."""

    counts: RunCounts
    values: Sequence[FloatArray]
    spans: Sequence[FloatArray]


def distribution(group: Group, phase: str, measure: Measure) -> Distribution | None:
    """All samples of a measure that is drawn over time, in a phase of the runs of a configuration; None where there are
    none."""
    parts = [_part(run, phase, measure) for run in group.runs]
    known = [part for part in parts if part is not None and part.counts.samples]
    if not known:
        return None
    of_run = {part.counts.run for part in known}
    without = tuple(run.run.name for run in group.runs if run.run.name not in of_run)
    spans = [part_spans for part in known for part_spans in part.spans]
    samples = over_time([values for part in known for values in part.values], spans)
    np.multiply(samples.values, measure.factor, out=samples.values)
    return Distribution(group.label, ascending(samples), tuple(part.counts for part in known), without)


def _part(run: RunFigures, phase: str, measure: Measure) -> _Part | None:
    row = run.phase(phase)
    if row is None or measure.trace is None:
        return None
    samples = PhaseSamples(RunSamples(run.run, partial(kept_samples, run.run)), row.phase)
    parts = samples.cuts(measure.trace)
    inside = [part.inside for part in parts]
    missing = [np.isnan(values) for values in inside]
    spans = [part.spans[part.within] for part in parts]
    covered = sum(float(((~np.isnan(part.values)).sum(axis=0) * part.seconds).sum()) for part in parts)
    vms = len(samples.by_vm(measure.trace))
    known = sum(int((~cells).sum()) for cells in missing)
    measured_vms = sum(int((~cells).any(axis=1).sum()) for cells in missing)
    if isinstance(measure.rule, MeanLatency):
        busy = list(samples.latencies(measure.trace, measure.rule.rate).values())
        keep = Room().keep
        inside = [keep(latency.values[latency.busy]) for latency in busy]
        spans = [keep(latency.spans[latency.busy]) for latency in busy]
        measured_vms = sum(bool((~np.isnan(values)).any()) for values in inside)
    used = sum(int((~np.isnan(values)).sum()) for values in inside)
    expected = max(vms, run.run.vms or 0)
    measured = covered / (expected * row.phase.duration_s) if expected and row.phase.duration_s else 0.0
    counts = RunCounts(
        run.run.name,
        measured_vms,
        expected,
        used,
        sum(int(cells.sum()) for cells in missing),
        known - used,
        min(1.0, measured),
    )
    return _Part(counts, inside, spans)
