"""Sources of a value: its formula, its phase, and every counter, file and row behind it.

The weights are those of the metric's rule, which also computes the phase table. `study.series.trace` finds the row of
the file for each sample. A percentile is not a sum over counters, so its sources have no contribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.rules import Percentile, PercentileOfLatency, Rule
from workbench.model.metric import Quantity, Tier
from workbench.model.phase import Phase
from workbench.model.recording import FileReport, Recording
from workbench.model.run import Run, Study
from workbench.model.source import NO_PHASE, Explanation, SourceRows, WithinRun
from workbench.study.series.trace import Traced, TracedPart, traced
from workbench.words.metrics import quantity_words
from workbench.words.numbers import number

FIGURES = tuple(MEASURES)
Reports = Mapping[str, FileReport]

# Readers whose files have one header line and then one line per row.
_ONE_LINE_HEADER = frozenset(("perfmon",))
# The role of a counter if it differs from the name of its quantity.
_PARTS = {
    Quantity.IOPS: "I/O per second",
    Quantity.READ_IOPS: "reads",
    Quantity.WRITE_IOPS: "writes",
    Quantity.CACHE_RAM_USED: "cache RAM used",
    Quantity.CACHE_DISK_USED: "cache disk used",
}


class TracedUse(NamedTuple):
    """The samples of one VM that a metric uses.

    `used` are indices of its samples. `weights` times value is the contribution; None if the metric is not a sum.
    `part` is the role of the counter (empty: the quantity that it measures). `whole` is the contribution of the VM to a
    metric that is not a sum, if one counter alone gives it.
    """

    vm: str
    traced: Traced
    used: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64] | None
    part: str = ""
    whole: float | None = None


@dataclass(frozen=True, eq=False)
class TracedRun:
    """The samples of a run (of the disks of a `tier`) with their rows in the files. Each quantity is read once."""

    run: Run
    tier: Tier | None = None
    known: dict[Quantity, dict[str, Traced]] = field(default_factory=dict)

    def traced(self, quantity: Quantity) -> dict[str, Traced]:
        """The samples of each VM with their rows."""
        if quantity not in self.known:
            self.known[quantity] = traced(self.run, quantity, self.tier)
        return self.known[quantity]

    def read(self, quantity: Quantity) -> dict[str, Traced]:
        """Like `traced`, for the quantity that is read instead: the nonpaged pool for the RAM cache of PVS, which has
        no counter."""
        return self.traced(self._samples.read(quantity))

    def uses(self, phase: Phase, rule: Rule) -> Iterator[TracedUse]:
        """The samples that a rule uses in a phase."""
        uses = rule.uses(PhaseSamples(self._samples, phase))
        return (TracedUse(use.vm, self.read(use.quantity)[use.vm], use.used, use.weights) for use in uses)

    def within(self, phase: Phase, rule: Rule, value: float) -> WithinRun | None:
        """The uncertainty of a percentile within the run; None for other rules."""
        if not isinstance(rule, Percentile | PercentileOfLatency):
            return None
        return rule.within(PhaseSamples(self._samples, phase), value)

    @property
    def _samples(self) -> RunSamples:
        return RunSamples(self.run, lambda quantity: {vm: one.samples for vm, one in self.traced(quantity).items()})


def part_words(quantity: Quantity) -> str:
    """The role of a counter in words: `reads`, `read latency`."""
    return _PARTS.get(quantity) or quantity_words(quantity)


def of_run(
    run: Run,
    figure: str,
    value: float | None,
    formula: str,
    sources: Sequence[SourceRows] = (),
    note: str = "",
    *,
    phase: Phase = NO_PHASE,
    moment: bool = False,
) -> Explanation:
    """The explanation of a value of this run."""
    whose = run.name, run.folder, run.configuration.name
    return Explanation(figure, value, formula, tuple(sources), note, *whose, phase, moment)


def reports_of(studies: Iterable[Study]) -> dict[str, FileReport]:
    """The reports of all files by their path."""
    return {report.path: report for study in studies for report in study.files}


class UnknownFigureError(LookupError):
    """The message for the user: no such metric or phase, with the valid names."""


def explain(
    figures: RunFigures, phase: str, figure: str, reports: Mapping[str, FileReport] | None = None
) -> Explanation:
    """The sources of `figure` (a field of PhaseFigures) in one phase. `reports` by file give line numbers.

    Raises UnknownFigureError if the run has no such phase, or if there is no such metric.
    """
    row = figures.phase(phase)
    if row is None:
        names = ", ".join(phase.phase.name for phase in figures.phases) or "none"
        raise UnknownFigureError(f"{figures.run.name} has no phase '{phase}'. Its phases: {names}.")
    check_figures([figure])
    return _explained(TracedRun(figures.run), row, figure, reports or {})


def explain_run(
    figures: RunFigures,
    names: Sequence[str] = FIGURES,
    reports: Mapping[str, FileReport] | None = None,
    phases: Sequence[str] = (),
) -> tuple[Explanation, ...]:
    """The sources of the named metrics in every phase of a run (or in `phases`); each counter is read once."""
    check_figures(names)
    run = TracedRun(figures.run)
    return tuple(
        _explained(run, row, name, reports or {})
        for row in figures.phases
        if not phases or row.phase.name in phases
        for name in names
    )


def check_figures(names: Sequence[str]) -> None:
    """Raises UnknownFigureError for a name that is not a metric of the phase table."""
    for name in names:
        if name not in MEASURES:
            raise UnknownFigureError(f"There is no metric '{name}'. Valid names: {', '.join(FIGURES)}.")


def _explained(run: TracedRun, row: PhaseFigures, figure: str, reports: Mapping[str, FileReport]) -> Explanation:
    measure, value = MEASURES[figure], getattr(row, figure)
    sources = sources_of(run.uses(row.phase, measure.rule), reports) if value is not None else ()
    shown = None if value is None else float(value)
    within = None if shown is None else run.within(row.phase, measure.rule, shown)
    note = " ".join(filter(None, (within_words(within, measure.unit), _note(row, value))))
    explained = of_run(run.run, figure, shown, measure.computed, sources, note, phase=row.phase, moment=measure.moment)
    return replace(explained, within=within)


def within_words(within: WithinRun | None, unit: str) -> str:
    """The interval of a percentile within its run, and how many samples are above it, as a sentence."""
    if within is None:
        return ""
    ends = f"{number(within.low)} to {number(within.high)} {unit}"
    return (
        f"95 % interval within this run: {ends} (block bootstrap, blocks of {within.block_s:.3g} s). "
        f"{within.above:,} of {within.samples:,} samples are higher than the 95th percentile. "
        "Other runs may be outside this interval."
    )


def explain_group(
    group: Group, phase: str, figure: str, reports: Mapping[str, FileReport] | None = None
) -> tuple[Explanation, ...]:
    """The sources for each run that has the phase and counts in the mean of the configuration."""
    runs = (run for run in group.runs if run.phase(phase) is not None)
    return tuple(explain(run, phase, figure, reports) for run in runs)


def sources_of(uses: Iterable[TracedUse], reports: Mapping[str, FileReport]) -> tuple[SourceRows, ...]:
    """The rows of every counter that is used."""
    return tuple(rows for use in uses for rows in _sources(use, reports))


def _note(row: PhaseFigures, value: float | None) -> str:
    if value is None:
        return "Not available: no counter of this run measures this metric in the phase."
    if row.lower_bound:
        return f"Only {row.measured_percent:.1f} % of the phase has samples: totals and rates are lower bounds."
    return ""


def _sources(use: TracedUse, reports: Mapping[str, FileReport]) -> list[SourceRows]:
    rows = [rows for part in use.traced.parts for rows in _source(use, part, reports)]
    alone = len(rows) == 1 and use.weights is None and use.whole is not None
    return [replace(rows[0], contribution=use.whole)] if alone else rows


def _source(use: TracedUse, part: TracedPart, reports: Mapping[str, FileReport]) -> Iterable[SourceRows]:
    chosen = use.used[part.places]
    if not chosen.any():
        return
    shares, rows = part.shares[chosen], part.rows[chosen]
    missing = int(np.isnan(shares).sum())
    contribution = None
    if use.weights is not None:
        contribution = float(np.nansum(shares * use.weights[part.places][chosen]))
    first, last = int(rows.min()) + 1, int(rows.max()) + 1
    header = header_lines(part.recording, reports)
    spans = use.traced.samples.span[part.places]
    yield SourceRows(
        part.recording.file,
        part.series.path,
        part.series.column + 2,
        use.vm,
        first,
        last,
        None if header is None else first + header,
        None if header is None else last + header,
        int(chosen.sum()) - missing,
        missing,
        float(np.median(spans[spans > 0])) if (spans > 0).any() else None,
        contribution,
        use.part or part_words(part.quantity),
    )


def header_lines(recording: Recording, reports: Reports) -> int | None:
    """Number of lines above the first row of a file; None if rows and lines may not correspond."""
    report = reports.get(recording.file)
    if report is None or report.reader not in _ONE_LINE_HEADER or report.rejected_rows:
        return None
    return 1 if report.rows == recording.rows else None
