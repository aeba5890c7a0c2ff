"""The distribution of a metric's samples in a phase: histogram, distribution function and percentiles.

It takes the samples of all VMs of all runs of a configuration together. The rule for samples is that of the percentiles
in the phase table: a sample counts if at least half of its interval is in the phase, and its weight is the length of
the interval in seconds. A sample of a latency counts only if there was I/O.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_metric, chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import LINES, Figured, listed, picked
from workbench.answers.common.looks import looks
from workbench.answers.common.sources import source_of
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Figure, FloatArray, Line, Look, Panel, Points
from workbench.charts.tables import Cell, Column, TableData
from workbench.charts.ticks import step
from workbench.measures.configurations import Group, phase_names
from workbench.measures.measure import Measure, value_words
from workbench.measures.percentile import Ascending, ascending, over_time
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import RunFigures
from workbench.measures.rules import MeanLatency
from workbench.measures.traced import TRACED
from workbench.model.problem import all_named, few_named
from workbench.study.series.vm_series import kept_samples
from workbench.words.captions import captioned, named, named_lines
from workbench.words.metrics import in_phase, is_or_are
from workbench.words.numbers import THIN, fixed, marked, percent, plural

DISTRIBUTION = "distribution"
QUESTION = "How often does each value occur?"
# The percentiles that the table lists and the dots of the chart mark.
SHARES, MARKED = (5.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0), (50.0, 95.0, 99.0)
MOST_BINS = 60
# The number of places along the axis at which the distribution function is exact.
PLACES = 2_000
# The axis ends near the highest p99 if the highest sample is more than this many times larger.
FAR_OUT = 1.5


@dataclass(frozen=True, eq=False)
class Bins:
    """Bins of one `width` from 0 over all configurations, in the measure's unit."""

    width: float
    count: int

    @property
    def edges(self) -> FloatArray:
        """The edges of the bins, one more than there are bins; rounded, because 3 × 0.1 gives surplus digits in
        floating-point arithmetic.
        """
        return np.round(np.arange(self.count + 1) * self.width, 12)

    @property
    def end(self) -> float:
        """The end of the last bin and of the axis."""
        return float(self.edges[-1])


def shared_bins(distributions: Sequence[Distribution]) -> Bins:
    """Common bins by the rule of Freedman and Diaconis (1981).

    The width is 2 × (p75 − p25) ÷ the cube root of the number of samples. The smallest width of all configurations is
    rounded up to 1, 2 or 5 times a power of ten. There are at most `MOST_BINS` bins.
    """
    highest = max(float(one.over_time.values[-1]) for one in distributions)
    usual = max(one.percentile(99) for one in distributions)
    end = usual if highest > FAR_OUT * usual > 0 else highest
    if not end > 0:
        return Bins(1.0, 1)
    widths = (2 * (one.percentile(75) - one.percentile(25)) / float(np.cbrt(one.samples)) for one in distributions)
    wanted = min((width for width in widths if width > 0), default=end / MOST_BINS)
    width = step(max(wanted, end / MOST_BINS), 1)
    return Bins(width, max(1, int(np.ceil(end / width - 1e-9))))


def distributions_of(groups: Sequence[Group], phase: str, measure: Measure) -> list[Distribution]:
    """The distribution of each configuration that has samples of the measure in the phase."""
    every = (distribution(group, phase, measure) for group in groups)
    return [one for one in every if one is not None]


def distribution_page(library: Library, choices: Choices) -> Content:
    """The histogram, the distribution function and the percentiles of the chosen metric in the chosen phase."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    phase, measure = chosen_phase(library, choices), TRACED[chosen_metric(library, choices)]
    columns = [Figured(name, measure) for name in phase_names(groups)]
    chosen = listed(groups, choices, columns, phase, LINES, look=looks(library.groups(choices)))
    every = distributions_of(groups, phase, measure)
    # The look of a configuration does not change while others are hidden.
    look = looks(library.groups(choices))
    figure = distribution_figure(picked(every, chosen), look, phase, measure)
    if not every:
        return Content(figure.question, empty=figure.empty)
    table = distribution_table(groups, every, look, phase, measure)
    if chosen is not None:
        return chosen.content(figure, (table,))
    return Content(figure.question, figure.caption, (), figure, (table,))


def distribution_figure(
    distributions: Sequence[Distribution], look: Mapping[str, Look], phase: str, measure: Measure
) -> Figure:
    """The share of samples in each bin (above) and at or below each value (below), one line per configuration."""
    question = f"How {is_or_are(measure.within)} {measure.within} distributed {in_phase(phase)}?"
    if not distributions:
        text = f"No run has data on {measure.within} {in_phase(phase)}. Choose another phase or metric."
        return Figure(DISTRIBUTION, question, "", (), empty=text, summary=text)
    bins = shared_bins(distributions)
    # On a numeric axis a marker would appear at every corner of a step.
    plain = {one.label: replace(look[one.label], marker="none") for one in distributions}
    axis = Axis(measure.name, measure.shown_unit, limits=(0.0, bins.end))
    width = f"{marked(f'{bins.width:g}')}{THIN}{measure.unit}"
    histogram = Panel(
        "Histogram",
        axis,
        Axis("Samples", "%"),
        tuple(_steps(one, bins, plain[one.label]) for one in distributions),
        subtitle=f"share of samples per bin of {width}",
        names_one=True,
    )
    places = np.linspace(0.0, bins.end, PLACES)
    curves = [Line(one.label, places, one.shares(places), plain[one.label]) for one in distributions]
    function = Panel(
        "Distribution function",
        axis,
        Axis("Samples at or below the value", "%", limits=(0.0, 100.0)),
        (*curves, *(_dots(one, look[one.label], bins, measure) for one in distributions)),
        subtitle="dots: p50, p95, p99",
        column=1,
        legend=False,
    )
    alike = len({one.samples for one in distributions}) == 1
    counted = _counted(distributions)
    caption, method = captioned(
        ("All samples of all VMs and runs", *counted * alike),
        (
            f"The chart shows {measure.within} {in_phase(phase)}",
            *_beyond(distributions, bins, measure),
            *(() if alike else named_lines("Samples", counted)),
        ),
    )
    summary = " ".join(_sentence(one, measure) for one in distributions)
    panels = (histogram, function)
    return Figure(DISTRIBUTION, question, caption, panels, share_y=False, summary=summary, method=method)


def distribution_table(
    groups: Sequence[Group],
    distributions: Sequence[Distribution],
    look: Mapping[str, Look],
    phase: str,
    measure: Measure,
) -> TableData:
    """The percentiles of each configuration, the number of samples behind them, and the missing data."""
    members, unit = {group.label: group for group in groups}, measure.shown_unit
    columns = (
        Column("Configuration", numeric=False),
        Column("Runs", tip="Number of runs with samples of this metric in the phase"),
        Column("VMs", tip="Lowest and highest number of VMs with samples in a run"),
        Column("Samples"),
        Column("Missing", tip="Samples without a value in the phase. They are ignored (not counted as 0)"),
        *([Column("No I/O", tip="Latency samples without I/O, which are ignored")] if _idle(distributions) else []),
        Column("Measured", tip="Share of the phase with samples, across all VMs and runs"),
        *(Column(title, unit) for title in ("Lowest", *(_named(share) for share in SHARES), "Highest")),
    )
    rows = tuple(_row(one, members[one.label], look[one.label], phase, measure, distributions) for one in distributions)
    groups_without, runs_without = _without(groups, distributions)
    without = [*groups_without, *runs_without]
    counts = ((groups_without, "configuration"), (runs_without, "run"))
    counted = all_named([plural(len(names), noun) for names, noun in counts if names])
    legend = f"No samples: {counted}" if without else ""
    method = (
        *([f"No data on {measure.within} {in_phase(phase)}: {few_named([*map(named, without)])}"] if without else []),
        "Each sample is weighted by the length of its interval",
    )
    return TableData(columns, rows, legend, "Percentiles", method=method)


def percentiles_of(one: Distribution) -> list[tuple[str, float]]:
    """Names and values of the percentiles, from the lowest sample to the highest."""
    lowest, highest = float(one.over_time.values[0]), float(one.over_time.values[-1])
    return [("lowest", lowest), *((_named(share), one.percentile(share)) for share in SHARES), ("highest", highest)]


def _steps(one: Distribution, bins: Bins, look: Look) -> Line:
    """The outline of the histogram: the two ends of each bin, and its middle for the read-out."""
    left, right = bins.edges[:-1], bins.edges[1:]
    x = np.concatenate((left[:1], np.column_stack((left, (left + right) / 2, right)).ravel(), right[-1:]))
    heights = np.repeat(one.bins(bins.edges), 3)
    return Line(one.label, x, np.concatenate(([0.0], heights, [0.0])), look)


def _dots(one: Distribution, look: Look, bins: Bins, measure: Measure) -> Points:
    marked = [(share, one.percentile(share)) for share in MARKED if one.percentile(share) <= bins.end]
    names = tuple(f"{one.label}: {_named(share)} {_with_unit(value, measure)}" for share, value in marked)
    x, y = (np.array([pair[place] for pair in marked]) for place in (1, 0))
    return Points(one.label, x, y, look, names)


def _beyond(distributions: Sequence[Distribution], bins: Bins, measure: Measure) -> Iterator[str]:
    """The share of samples beyond the end of the axis, by configuration, as lines of the method."""
    shares = [(one.label, one.above(bins.end)) for one in distributions]
    beyond = [f"{percent(share)} ({named(label)})" for label, share in shares if share > 0]
    return named_lines(f"Samples above {_with_unit(bins.end, measure)} are not shown", beyond)


def _counted(distributions: Sequence[Distribution]) -> tuple[str, ...]:
    """The number of samples of each configuration; one text if all have the same number."""
    if len({one.samples for one in distributions}) == 1:
        count = plural(distributions[0].samples, "sample")
        return (f"Each configuration has {count}" if len(distributions) > 1 else f"There are {count}",)
    return tuple(f"{fixed(one.samples, 0)} ({named(one.label)})" for one in distributions)


def _with_unit(value: float, measure: Measure) -> str:
    """A value with its unit."""
    words = value_words(value, measure.unit)
    return words if measure.unit in ("%", "s") else f"{words}{THIN}{measure.unit}"


def _sentence(one: Distribution, measure: Measure) -> str:
    marked = ", ".join(f"{_named(share)} {_with_unit(one.percentile(share), measure)}" for share in MARKED)
    return f"{named(one.label)}: {marked} ({plural(one.samples, 'sample')}, {fixed(one.missing, 0)} missing)."


def _idle(distributions: Sequence[Distribution]) -> bool:
    return any(one.without_io for one in distributions)


def _row(
    one: Distribution, group: Group, look: Look, phase: str, measure: Measure, every: Sequence[Distribution]
) -> tuple[Cell, ...]:
    vms = sorted({run.vms for run in one.runs})
    source, cells = source_of(group, phase, measure.key), []
    for name, value in percentiles_of(one):
        how = f"{name} of all samples of all VMs and runs in the phase"
        found = None if source is None else replace(source, how=how)
        cells.append(Cell(value_words(value, measure.unit), value, source=found))
    return (
        Cell(one.label, one.label, look=look),
        _count(len(one.runs)),
        Cell("–".join(str(count) for count in dict.fromkeys((vms[0], vms[-1]))), vms[-1]),
        _count(one.samples),
        _count(one.missing),
        *([_count(one.without_io)] if _idle(every) else []),
        Cell(percent(100 * one.measured), 100 * one.measured),
        *cells,
    )


def _count(count: int) -> Cell:
    return Cell(fixed(count, 0), count)


def _without(groups: Sequence[Group], distributions: Sequence[Distribution]) -> tuple[list[str], list[str]]:
    """The configurations, and the runs of other configurations, without samples in the phase."""
    labels = {one.label for one in distributions}
    without = [group.label for group in groups if group.label not in labels]
    return without, [run for one in distributions for run in one.without]


def _named(share: float) -> str:
    """The usual name of a percentile, such as p99.9."""
    return marked(f"p{share:g}")


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Counts of one run.

    `vms` of all `known_vms` have samples. `samples` count, `missing` have no value in the phase, and `without_io`
    (latencies only) had no I/O. `measured` is the share of the phase that has samples, over all VMs of the run.
    """

    run: str
    vms: int
    known_vms: int
    samples: int
    missing: int
    without_io: int
    measured: float


@dataclass(frozen=True, eq=False)
class Distribution:
    """The distribution of one configuration. `over_time` are the samples, at least one, in the measure's unit.

    `runs` are the runs with the phase, `without` the names of runs that have no sample of the measure in it.
    """

    label: str
    over_time: Ascending
    runs: tuple[RunCounts, ...]
    without: tuple[str, ...]

    @property
    def samples(self) -> int:
        """The number of samples."""
        return sum(run.samples for run in self.runs)

    @property
    def missing(self) -> int:
        """The number of samples in the phase without a value."""
        return sum(run.missing for run in self.runs)

    @property
    def without_io(self) -> int:
        """The number of latency samples that are ignored because there was no I/O."""
        return sum(run.without_io for run in self.runs)

    @property
    def measured(self) -> float:
        """The share of the phase that has samples, mean over the runs."""
        return float(np.mean([run.measured for run in self.runs]))

    def percentile(self, share: float) -> float:
        """The percentile, as in the phase table; `share` is 0 to 100."""
        return self.over_time.percentile(share)

    def shares(self, at: FloatArray) -> FloatArray:
        """The empirical distribution function: the percentage of time at or below each value of `at`."""
        return self.over_time.shares(at)

    def bins(self, edges: FloatArray) -> FloatArray:
        """The percentage of time in each bin. A bin includes its lower edge; the last bin includes both."""
        below = self.over_time.shares(edges, side="left")
        below[-1] = self.shares(edges[-1:])[0]
        return np.diff(below)

    def above(self, limit: float) -> float:
        """The percentage of time above a limit."""
        return 100.0 - float(self.shares(np.array([limit]))[0])


@dataclass(frozen=True, eq=False)
class _Part:
    """The samples of a run that count, for machines of one file, with the lengths of their intervals."""

    counts: RunCounts
    timed: Sequence[tuple[FloatArray, FloatArray]]


def distribution(group: Group, phase: str, measure: Measure) -> Distribution | None:
    """All samples of a measure in a phase of a configuration's runs, or None if there are none.

    The measure must be one that is drawn over time.
    """
    parts = [_part(run, phase, measure) for run in group.runs]
    known = [part for part in parts if part is not None and part.counts.samples]
    if not known:
        return None
    of_run = {part.counts.run for part in known}
    without = tuple(run.run.name for run in group.runs if run.run.name not in of_run)
    samples = over_time([timed for part in known for timed in part.timed])
    np.multiply(samples.values, measure.factor, out=samples.values)
    return Distribution(group.label, ascending(samples), tuple(part.counts for part in known), without)


def _part(run: RunFigures, phase: str, measure: Measure) -> _Part | None:
    row = run.phase(phase)
    if row is None or measure.trace is None:
        return None
    samples = PhaseSamples(RunSamples(run.run, partial(kept_samples, run.run)), row.phase)
    parts = tuple(samples.cuts(measure.trace))
    timed = [part.pooled() for part in parts]
    within = [part.within & ~np.isnan(part.values) for part in parts]
    missing = sum(int((part.within & np.isnan(part.values)).sum()) for part in parts)
    covered = sum(float((~np.isnan(part.values) * part.seconds).sum()) for part in parts)
    vms = len(samples.by_vm(measure.trace))
    known = sum(int(cells.sum()) for cells in within)
    used, measured_vms = known, sum(int(cells.any(axis=1).sum()) for cells in within)
    if isinstance(measure.rule, MeanLatency):
        latency = samples.latency(measure.trace, measure.rule.rate)
        timed, measured_vms = latency.busy, latency.busy_vms
        used = sum(values.size for values, _ in timed)
    expected = max(vms, run.run.vms or 0)
    measured = covered / (expected * row.phase.duration_s) if expected and row.phase.duration_s else 0.0
    counts = RunCounts(run.run.name, measured_vms, expected, used, missing, known - used, min(1.0, measured))
    return _Part(counts, timed)
