"""The same I/O by vantage and tier, and the worst VMs, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.looks import looks
from workbench.answers.common.sources.figure_sources import source_of
from workbench.charts.figure import Source
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.configurations import Group, phase_names
from workbench.measures.replicates import mean_of
from workbench.measures.vantage import TierFigures, tiers_of
from workbench.measures.worst_vms import VmLoad
from workbench.model.metric import Tier, Vantage
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, number, percent, signed

ASSUMED = "Assumed tier: from the kind of disk, not from a counter"
TIERS, WORST = "By vantage and tier", "Worst VMs"
_TIER_WORDS = {None: "all", Tier.SHARED: "shared storage", Tier.CACHE_DISK: "cache disk", Tier.RAM: "RAM cache"}


def tier_table(groups: Sequence[Group]) -> TableData:
    """A row for each configuration, phase, vantage and tier; means over the runs."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Phase", numeric=False),
        Column("Vantage", numeric=False),
        Column("Side", numeric=False, tip="of the write cache: above it what was asked for, below it what was left"),
        Column("Tier", numeric=False),
        Column("Runs"),
        Column("Machines", tip="VMs, hosts or LUNs measured"),
        Column("IOPS", "all machines"),
        Column("Read", "IOPS"),
        Column("Write", "IOPS"),
        Column("Read", "MB/s", tip="10⁶ bytes per second"),
        Column("Write", "MB/s", tip="10⁶ bytes per second"),
        Column("Disagreement", "%", tip="against what the guests measured, over the machines that both did"),
        Column("Against", numeric=False),
        Column("Measured", "%", tip="share of the phase that has samples"),
        Column("How the tier is known", numeric=False),
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
    """Of each configuration the `top` VMs of any run by mean and by peak in a phase, highest mean first."""
    columns = (
        Column("Configuration", numeric=False),
        Column("VM", numeric=False),
        Column("Run", numeric=False),
        Column("Mean", "IOPS"),
        Column("Peak", "IOPS", tip="its highest sample"),
        Column("Mean", "× other VMs", tip="against the other VMs of its run, over the seconds that both were measured"),
        Column("Rank", "by mean"),
        Column("Rank", "by peak"),
    )
    look = looks(groups)
    rows = tuple(
        (Cell(group.label, group.label, look=look[group.label]), *cells)
        for group in groups
        for cells in _worst(group, phase, top)
    )
    legend, method = f"In {phase_words(phase)}: top {top} each", f"Worst VMs: the {top} highest by mean, and by peak"
    return TableData(columns, rows, legend, WORST, method=(method,))


def _by_tier(group: Group, phase: str) -> dict[tuple[Vantage, Tier | None], list[TierFigures]]:
    by_tier: dict[tuple[Vantage, Tier | None], list[TierFigures]] = {}
    for run in group.runs:
        for row in tiers_of(run).get(phase, ()):
            by_tier.setdefault((row.vantage, row.tier), []).append(row)
    return by_tier


def _tier_cells(rows: Sequence[TierFigures], group: Group, phase: str) -> tuple[Cell, ...]:
    first = rows[0]
    # The phase table takes its figures from one vantage, over all tiers; no other row is explained by them.
    same = first.tier is None and all(row.vantage == first.vantage.value for row in group.phase(phase))
    difference = _mean([row.difference_percent for row in rows])
    rules = "\n".join(dict.fromkeys(row.rule for row in rows if row.rule))
    star = "*" if any(row.estimate for row in rows) else ""
    bytes_tip = "an estimate: the counter does not say that it is a rate" if star else ""
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
    """Where the runs differ, each side."""
    sides = sorted({row.side or "unknown" for row in rows})
    if sides == ["unknown"]:
        return Cell(MISSING, None, "no write cache, or nothing tells the side: state guest_counters in run.toml")
    words = " + ".join(sides).replace("-", " ")
    return Cell(words, words)


def _rate(name: str, rows: Sequence[TierFigures], group: Group | None, phase: str) -> Cell:
    """The mean over the runs; it leads to its samples where it is the phase table's."""
    cell = _number([getattr(row, name) for row in rows])
    if group is None or cell.value is None:
        return cell
    return replace(cell, source=source_of(group, phase, name, cell.value))


def _compared(row: TierFigures) -> str:
    if not row.compared_with:
        return ""
    return f"over {row.compared_machines} machines that both measured" if row.compared_machines else "in total"


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


def _tops(group: Group, phase: str) -> dict[tuple[str, str], Source]:
    """The VM of each run that holds the highest sample of all, which is a figure of the phase table, and its run."""
    sources: dict[tuple[str, str], Source] = {}
    for run in group.runs:
        row = run.phase(phase)
        top = None if row is None else row.peak_iops_per_vm
        vms = [] if row is None or top is None else [load.vm for load in row.worst_vms if load.peak_iops == top]
        sources |= {(vm, run.run.name): Source((run.run.folder,), phase, "peak_iops_per_vm", vm=vm) for vm in vms[:1]}
    return sources


def _rank(index: int) -> Cell:
    return Cell(str(index + 1), index + 1)


def _mean(values: Sequence[float | None]) -> float | None:
    mean = mean_of([value for value in values if value is not None])
    return None if mean is None else mean.value


def _number(values: Sequence[float | None], star: str = "", tip: str = "") -> Cell:
    value = _mean(values)
    return Cell(number(value) + (star if value is not None else ""), value, tip if value is not None else "")
