"""The tables of the overview: the phase table, the I/O by measuring point and tier, and the worst VMs by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.change_words import change_text
from workbench.answers.common.looks import looks
from workbench.answers.common.sources import source_of
from workbench.charts.figure import FigureSource, Look
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.configurations import Group, Mean, baseline_of, mean_of, phase_names
from workbench.measures.measure import Measure, Tables, measure_words
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.statistics import change
from workbench.measures.steadiness import steady_words
from workbench.measures.vantage import TierFigures, tiers_of
from workbench.measures.worst_vms import VmLoad
from workbench.model.metric import Tier, Vantage
from workbench.model.phase import STEADY
from workbench.model.run import SessionType
from workbench.words.captions import MOST_IN_FOOTER, captioned, named, named_lines
from workbench.words.metrics import evidence_of, in_phase, phase_words, rule_of
from workbench.words.numbers import MISSING, THIN, number, percent, plural, signed

NAME = "Phase table"
_SECOND_PART = re.compile(" (?=(?:per|of|at|in) )")
_MEASURES = tuple(measure for measure in MEASURES.values() if Tables.SCREEN in measure.tables)


def phase_table(groups: Sequence[Group], per_run: bool = False) -> TableData:
    """The phase table: a row for each configuration and phase (means over runs), or for each run and phase.

    Columns without any value are omitted, and the legend names them.
    """
    look, base = looks(groups), baseline_of(groups)
    measures = [
        measure for measure in _MEASURES if measure.key != DURATION and (not measure.optional or _any(groups, measure))
    ]
    first = (
        Column("Configuration", numeric=False),
        Column("Phase", numeric=False),
        Column("Source of phase", numeric=False),
        Column("Run", numeric=False) if per_run else Column("Runs"),
        Column("VMs"),
        Column("Users"),
    )
    longer = Column(
        "Change",
        "in duration",
        tip="Change in duration from the baseline. The tester sets the duration of steady state",
    )
    rows = [
        _row(group, look[group.label], phase, runs, base, measures, runs[0].run.name if per_run else None)
        for group in groups
        for phase in phase_names([group])
        for runs in _rows_of(group, phase, per_run)
    ]
    columns = (*first, _column(MEASURES[DURATION]), longer, *(_column(measure) for measure in measures))
    legend, method = _legend(groups)
    return TableData(columns, tuple(rows), legend, NAME, method=method)


def _rows_of(group: Group, phase: str, per_run: bool) -> list[list[RunFigures]]:
    runs = [run for run in group.runs if run.phase(phase) is not None]
    return [[run] for run in runs] if per_run else [runs]


def _row(
    group: Group,
    look: Look,
    phase: str,
    runs: list[RunFigures],
    base: Group | None,
    measures: Sequence[Measure],
    run: str | None,
) -> tuple[Cell, ...]:
    rows = [row for run in runs if (row := run.phase(phase)) is not None]
    vms = rows[0].vms if run is not None else group.vms
    folders = tuple(run.run.folder for run in runs)
    lasted, *others = (
        _cell(measure, rows, FigureSource(folders, phase, measure.key)) for measure in (MEASURES[DURATION], *measures)
    )
    return (
        Cell(group.label, group.label, look=look),
        *_phase_cells(phase, rows),
        _count(len(rows)) if run is None else Cell(run, run),
        _count(vms),
        _count(rows[0].users),
        lasted,
        _longer(base, group, phase, rows),
        *others,
    )


def _phase_cells(phase: str, figures: Sequence[PhaseFigures]) -> tuple[Cell, Cell]:
    """The phase and its evidence, with the rule as a tip."""
    words = phase_words(phase)
    rules = "\n".join([*sorted({rule_of(row.phase) for row in figures}), *_steady(figures)])
    evidence = ", ".join(sorted({evidence_of(row.phase) for row in figures}))
    return Cell(words, words, rules), Cell(evidence, evidence, rules)


def _steady(figures: Sequence[PhaseFigures]) -> list[str]:
    """The steadiness of each run, in the order of the runs."""
    return [f"run {place + 1}: {steady_words(row.steadiness)}" for place, row in enumerate(figures) if row.steadiness]


def _longer(base: Group | None, group: Group, phase: str, rows: Sequence[PhaseFigures]) -> Cell:
    """The difference in length between the phase and that of the baseline."""
    if base is None or base is group or phase == STEADY:
        return Cell("baseline" if base is group else MISSING)
    longer = change(base.values(phase, "duration_s"), [row.duration_s for row in rows])
    if longer is None:
        return Cell(MISSING, None, f"{named(base.label)} does not have this phase")
    text = f"{signed(longer.percent, 1)}{THIN}%"
    return Cell(text, longer.percent, f"{change_text(longer, 's', None)}, compared with {named(base.label)}")


def _column(measure: Measure) -> Column:
    """The column title, in two lines if it has a second part (`IOPS` over `per VM`), with its unit at the end."""
    title, *second = _SECOND_PART.split(measure.name, maxsplit=1)
    unit = "time after phase start" if measure.moment else measure.shown_unit
    return Column(title, ", ".join(filter(None, (*second, unit))), tip=measure.tip)


def _cell(measure: Measure, rows: Sequence[PhaseFigures], source: FigureSource) -> Cell:
    mean = mean_of([value for row in rows if (value := _value(row, measure)) is not None])
    if mean is None:
        return Cell(measure_words(None, measure), None, source=source)
    text, tip = measure_words(mean.value, measure), _mean_tip(measure, mean)
    if measure.spread and mean.half_width is not None:
        text += f"{THIN}±{THIN}{number(mean.half_width, 2)}"
    if measure.of_cache_ram and any(row.cache_ram_estimate for row in rows):
        text, tip = f"{text}*", f"Estimate from the nonpaged pool\n{tip}"
    if measure.lower_bound and any(row.lower_bound for row in rows):
        text, tip = f"≥{THIN}{text}", f"Lower bound: part of the phase has no samples\n{tip}"
    return Cell(text, mean.value, tip.strip(), source=source)


def _mean_tip(measure: Measure, mean: Mean) -> str:
    if mean.low is None:
        return ""
    words = "95 % interval" if mean.basis == "interval" else "range"
    low, high = (measure_words(edge, measure) for edge in (mean.low, mean.high))
    return f"mean of {mean.n} runs, {words} {low} to {high}"


def _value(row: PhaseFigures, measure: Measure) -> float | None:
    """The measure in a row; a time counts from the start of the phase."""
    value = getattr(row, measure.key)
    return None if value is None else float(value - row.phase.start if measure.moment else value)


def _any(groups: Sequence[Group], measure: Measure) -> bool:
    return any(getattr(row, measure.key) is not None for group in groups for run in group.runs for row in run.phases)


def _legend(groups: Sequence[Group]) -> tuple[str, tuple[str, ...]]:
    """The line under the table: the signs that occur in it, and the method."""
    rows = [row for group in groups for run in group.runs for row in run.phases]
    excluded = sum(len(group.excluded) for group in groups)
    facts, method = [], []
    running = [run.run.name for group in groups for run in group.runs if run.run.running]
    if running:
        facts.append(f"Not final: {', '.join(running)}")
    if excluded:
        facts.append(f"{plural(excluded, 'run')} excluded")
    if any(row.lower_bound for row in rows):
        facts.append("≥ lower bound")
        method.append("≥: part of the phase has no samples")
    if any(row.cache_ram_estimate for row in rows):
        facts.append("* means estimated")
        method.append("Estimates are upper bounds: the nonpaged pool contains more than the cache")
    if any(len(group.runs) >= 3 for group in groups):
        method.append("± is half the width of the 95 % interval (Student's t)")
    if any(group.session_type is SessionType.RDS for group in groups):
        method.append("For RDS, IOPS are shown per VM, per user and in total")
    left = [
        measure.name for measure in _MEASURES if measure.optional and not measure.quiet and not _any(groups, measure)
    ]
    return captioned(facts, (*method, *named_lines("Not measured in any run", left)), MOST_IN_FOOTER)


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)


ASSUMED = "'assumed': tier guessed from the disk type"
TIERS, WORST = "By measuring point and tier", "Worst VMs"
_TIER_WORDS = {None: "all", Tier.SHARED: "shared storage", Tier.CACHE_DISK: "cache disk", Tier.RAM: "RAM cache"}


def tier_table(groups: Sequence[Group]) -> TableData:
    """A row for each configuration, phase, measuring point and tier; means over the runs."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Phase", numeric=False),
        Column("Measured at", numeric=False),
        Column(
            "Above/below cache",
            numeric=False,
            tip="Position relative to the write cache. Above: I/O that VMs request. Below: I/O that reaches a disk",
        ),
        Column("Tier", numeric=False),
        Column("Runs"),
        Column("Machines", tip="Number of measured VMs, hosts or LUNs"),
        Column("IOPS", "all machines"),
        Column("Read", "IOPS"),
        Column("Write", "IOPS"),
        Column("Read", "MB/s", tip="Read throughput in 10⁶ bytes per second"),
        Column("Write", "MB/s", tip="Write throughput in 10⁶ bytes per second"),
        Column(
            "Disagreement",
            "%",
            tip="Difference from the measurement in the 'Compared with' column, for machines in both measurements",
        ),
        Column("Compared with", numeric=False),
        Column("Measured", "%", tip="Share of the phase with samples"),
        Column("Source of the tier", numeric=False),
    )
    look = looks(groups)
    rows = tuple(
        (
            Cell(group.label, group.label, look=look[group.label]),
            Cell(phase_words(phase), phase_words(phase)),
            *_tier_cells(tiers, group, phase),
        )
        for group in groups
        for phase in phase_names([group])
        for tiers in _by_tier(group, phase).values()
    )
    return TableData(columns, rows, "", TIERS, method=(ASSUMED,))


def worst_vm_table(groups: Sequence[Group], phase: str, top: int = 10) -> TableData:
    """The `top` VMs of each configuration by mean and by peak in a phase, from any run, highest mean first."""
    columns = (
        Column("Configuration", numeric=False),
        Column("VM", numeric=False),
        Column("Run", numeric=False),
        Column("Mean", "IOPS"),
        Column("Peak", "IOPS", tip="Highest IOPS sample of the VM"),
        Column(
            "Mean",
            "× other VMs",
            tip="Mean IOPS as a multiple of the other VMs' mean in this run\n"
            "mean of the VM ÷ mean of the other VMs; only seconds in which both have samples",
        ),
        Column("Rank", "by mean"),
        Column("Rank", "by peak"),
    )
    look = looks(groups)
    rows = tuple(
        (Cell(group.label, group.label, look=look[group.label]), *cells)
        for group in groups
        for cells in _worst(group, phase, top)
    )
    legend, method = (
        f"VMs with the highest I/O {in_phase(phase)}",
        f"The table lists the {top} highest means and the {top} highest peaks",
    )
    return TableData(columns, rows, legend, WORST, method=(method,))


def _by_tier(group: Group, phase: str) -> dict[tuple[Vantage, Tier | None], list[TierFigures]]:
    by_tier: dict[tuple[Vantage, Tier | None], list[TierFigures]] = {}
    for run in group.runs:
        for row in tiers_of(run).get(phase, ()):
            by_tier.setdefault((row.vantage, row.tier), []).append(row)
    return by_tier


def _tier_cells(rows: Sequence[TierFigures], group: Group, phase: str) -> tuple[Cell, ...]:
    first = rows[0]
    # The phase table takes its figures from one measuring point, over all tiers; other rows have no link to samples.
    same = first.tier is None and all(row.vantage == first.vantage.value for row in group.phase(phase))
    difference = _mean([row.difference_percent for row in rows])
    rules = "\n".join(dict.fromkeys(row.rule for row in rows if row.rule))
    star = "*" if any(row.estimate for row in rows) else ""
    bytes_tip = "estimate: the counter is not marked as a rate" if star else ""
    known = f"{first.basis}: {rules}" if rules else first.basis
    tier = _TIER_WORDS[first.tier] + (" (assumed)" if first.basis == "assumed" else "")
    return (
        Cell(first.vantage.value, first.vantage.value),
        _side_cell(rows),
        Cell(tier, tier, rules),
        Cell(str(len(rows)), len(rows)),
        Cell(str(first.machines) if first.machines else MISSING, first.machines),
        *(_rate(name, rows, group if same else None, phase) for name in ("iops", "read_iops", "write_iops")),
        _number([row.read_mb_per_s for row in rows], star, bytes_tip),
        _number([row.write_mb_per_s for row in rows], star, bytes_tip),
        Cell(MISSING if difference is None else f"{signed(difference, 1)}{THIN}%", difference),
        Cell(first.compared_with or MISSING, first.compared_with or None, _compared(first)),
        Cell(percent(_mean([row.measured_percent for row in rows])), _mean([row.measured_percent for row in rows])),
        Cell(known, known, rules),
    )


def _side_cell(rows: Sequence[TierFigures]) -> Cell:
    """Each measuring point, if the runs differ."""
    sides = sorted({row.side or "unknown" for row in rows})
    if sides == ["unknown"]:
        return Cell(MISSING, None, "no write cache, or measuring point unknown: set guest_counters in run.toml")
    words = " + ".join(sides).replace("-", " ")
    return Cell(words, words)


def _rate(name: str, rows: Sequence[TierFigures], group: Group | None, phase: str) -> Cell:
    """The mean over the runs; it links to its samples if it is a figure of the phase table."""
    cell = _number([getattr(row, name) for row in rows])
    if group is None or cell.value is None:
        return cell
    return replace(cell, source=source_of(group, phase, name, cell.value))


def _compared(row: TierFigures) -> str:
    if not row.compared_with:
        return ""
    if not row.compared_machines:
        return "compared in total"
    return f"compared for {plural(row.compared_machines, 'machine')} in both measurements"


def _worst(group: Group, phase: str, top: int) -> list[tuple[Cell, ...]]:
    loads: list[tuple[VmLoad, str]] = []
    tops = _tops(group, phase)
    for figures in group.runs:
        row = figures.phase(phase)
        if row is not None:
            loads += [(load, figures.run.name) for load in row.worst_vms]
    places = range(len(loads))
    by_mean = sorted(places, key=lambda place: -loads[place][0].mean_iops)
    by_peak = sorted(places, key=lambda place: -(loads[place][0].peak_iops or 0.0))
    ranks = [{place: rank for rank, place in enumerate(order)} for order in (by_mean, by_peak)]
    chosen = [place for place in by_mean if any(rank[place] < top for rank in ranks)]
    return [
        (
            Cell(load.vm, load.vm),
            Cell(run, run),
            _number([load.mean_iops]),
            replace(_number([load.peak_iops]), source=tops.get((load.vm, run))),
            _number([load.times_others]),
            *(_rank(rank[place]) for rank in ranks),
        )
        for place, (load, run) in ((place, loads[place]) for place in chosen)
    ]


def _tops(group: Group, phase: str) -> dict[tuple[str, str], FigureSource]:
    """The VM of each run with the highest sample, which is a figure of the phase table, and its run."""
    sources: dict[tuple[str, str], FigureSource] = {}
    for run in group.runs:
        row = run.phase(phase)
        top = None if row is None else row.peak_iops_per_vm
        vms = [] if row is None or top is None else [load.vm for load in row.worst_vms if load.peak_iops == top]
        sources |= {
            (vm, run.run.name): FigureSource((run.run.folder,), phase, "peak_iops_per_vm", vm=vm) for vm in vms[:1]
        }
    return sources


def _rank(index: int) -> Cell:
    return Cell(str(index + 1), index + 1)


def _mean(values: Sequence[float | None]) -> float | None:
    mean = mean_of([value for value in values if value is not None])
    return None if mean is None else mean.value


def _number(values: Sequence[float | None], star: str = "", tip: str = "") -> Cell:
    value = _mean(values)
    return Cell(number(value) + (star if value is not None else ""), value, tip if value is not None else "")
