"""The IOPS of every VM side by side: one column per configuration, a heatmap of VM x time under median and 5-95 % band.

The traces drawn last stay in memory: returning to a phase or a metric computes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from weakref import ref

import numpy as np

from workbench.answers.common.looks import looks
from workbench.answers.common.sources import trace_sources
from workbench.answers.common.traces.marks import steady_facts, steady_regions, trend_line, unsteady
from workbench.answers.common.traces.traces import (
    WHOLE_RUN,
    Alignment,
    Traces,
    View,
    alignment_lines,
    phase_means,
    traces,
    windows,
    zero_of,
)
from workbench.charts.figure import Axis, Band, Figure, Heatmap, Line, Look, Mark, Panel, Region
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.traced import TRACED
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.run_cache import KeptBytes
from workbench.phases.clock import offset_of
from workbench.phases.integral import FloatArray
from workbench.study.series.time_zone import offset_text
from workbench.words.captions import captioned, few, named, named_lines
from workbench.words.metrics import MEASURED_AT, in_phase, known_from
from workbench.words.numbers import number

QUESTION = "How much storage I/O does each VM generate?"
# Number of columns that are readable side by side on a laptop.
MAX_COLUMNS = 5
# A VM whose peak is this many times the median of all VMs' peaks is named on the chart.
ODD_VM = 1.5
# The measuring points in a sentence.
_SCALE_WORDS = {"log": "Logarithmic axis, linear colours", "own": "Each panel has its own scale"}


def per_vm_figure(
    groups: Sequence[Group], view: View, chosen: Sequence[str] = (), scale: str = "linear", most: int = MAX_COLUMNS
) -> Figure:
    """The figure for the groups named in `chosen` (all that have the phase if empty), at most `most` of them.

    `scale` is `linear`, `log`, or `own` (each panel has its own y range); the caption says which one is used.
    """
    look = looks(groups)
    shown = [group for group in groups if group.runs and (not chosen or group.label in chosen)]
    shown.sort(key=lambda group: chosen.index(group.label) if chosen else 0)
    limits = windows(shown, view)
    present = [group for group in shown if group.label in limits]
    kept = present[:most]
    if not kept:
        return _empty(view)
    shared = min(limits[g.label][0] for g in kept), max(limits[g.label][1] for g in kept)
    own_x = view.alignment is Alignment.CLOCK
    traces = shown_traces(kept, view, limits if own_x else {g.label: shared for g in kept})
    measured = [group for group in kept if traces[group.label].names]
    if not measured:
        return _empty(view)
    drawn = [traces[group.label] for group in measured]
    heat = _heat_limits(drawn)
    odd = [_odd_vm(one) for one in drawn]
    tops = [_top(one, index) for one, index in zip(drawn, odd, strict=True)]
    panels: list[Panel] = []
    for column, group in enumerate(measured):
        panels += _column(
            column,
            group,
            drawn[column],
            odd[column],
            look[group.label],
            view,
            heat,
            scale,
            tops[column] if scale == "own" else max(tops),
        )
    base = baseline_of(groups)
    against = measured.index(base) if base in measured and len(measured) > 1 else None
    panels = [panel if panel.title == "" else replace(panel, against=against) for panel in panels]
    left_out = [group.label for group in shown if group not in measured]
    caption, method = _captions(measured, drawn, view, scale, left_out)
    return Figure(
        key="per-vm-iops",
        question=QUESTION,
        caption=caption,
        panels=tuple(panels),
        share_y=scale != "own",
        summary=_summary(measured, view, base),
        joined=len(measured) > 1 and scale != "own" and len({one.names for one in drawn}) == 1,
        scrolls=True,
        method=method,
    )


def worst_vms(group: Group, view: View, count: int = 3) -> list[tuple[str, float]]:
    """The VMs with the highest mean of the metric in the phase: name and mean, highest first."""
    shown = TRACED[view.metric]
    means = phase_means(group, view)
    return [(name, mean * shown.factor) for name, mean in sorted(means, key=lambda pair: -pair[1])[:count]]


def _column(
    column: int,
    group: Group,
    found: Traces,
    odd: int | None,
    look: Look,
    view: View,
    heat: tuple[float, float],
    scale: str,
    top: float,
) -> list[Panel]:
    shown = TRACED[view.metric]
    x, sources = time_axis(view, group.runs), trace_sources(group, view)
    runs = f", {len(group.runs)} runs" if len(group.runs) > 1 else ""
    trends, stretches = _unsteady(group, view)
    band = Panel(
        title=group.label,
        subtitle=_subtitle(found, runs, odd),
        x=x,
        y=Axis(shown.name, shown.unit, scale="log")
        if scale == "log"
        else Axis(shown.name, shown.unit, limits=(0.0, 1.04 * top)),
        marks=(*_marks(found, odd, look, group.label), *trends),
        column=column,
        look=look,
        regions=(*found.regions, *stretches),
        legend=len(found.names) < 2,
        focus=found.focus,
        sources=sources,
    )
    heatmap = Panel(
        title="",
        x=x,
        y=Axis("VM", categories=found.names),
        marks=(Heatmap(group.label, found.edges, found.names, found.around, heat, shown.unit),),
        column=column,
        look=look,
        regions=found.regions,
        focus=found.focus,
        sources=sources,
    )
    return [band, heatmap]


def _unsteady(group: Group, view: View) -> tuple[list[Line], list[Region]]:
    """The trends of the runs that are not steady, and the warm-up or step of the first run with one."""
    if not _judges_steady(view):
        return [], []
    placed = [(run, zero) for run in group.runs if (zero := zero_of(run, view)) is not None]
    lines = [line for run, zero in placed if (line := trend_line(run, zero)) is not None]
    if len(lines) > 1:
        names = [run.run.name for run, _ in placed if unsteady(run) is not None]
        lines = [replace(line, name=f"{line.name}, {name}") for line, name in zip(lines, names, strict=True)]
    stretches = (steady_regions(run, zero) for run, zero in placed)
    return lines, list(next(filter(None, stretches), ()))


def _judges_steady(view: View) -> bool:
    return view.metric is Quantity.IOPS and view.phase in (STEADY, WHOLE_RUN)


def _subtitle(found: Traces, runs: str, odd: int | None) -> str:
    if len(found.names) < 2:
        return f"{len(found.names)} VM{runs}"
    stands_out = "" if odd is None else f". The grey line is {found.names[odd]}"
    return f"median and p5–p95 of {len(found.names)} VMs{runs}{stands_out}"


def _marks(found: Traces, odd: int | None, look: Look, label: str) -> tuple[Mark, ...]:
    x = found.centres
    solid = Look(look.hue, look.tint)
    marks: list[Mark] = []
    if len(found.names) > 1:
        marks.append(Band(f"{label}: p5–p95 of VMs", x, found.percentile(5), found.percentile(95), solid))
    marks.append(Line(f"{label}: median" if len(found.names) > 1 else label, x, found.percentile(50), solid))
    if odd is not None:
        name = found.names[odd]
        marks.append(Line(name, x, found.values[odd], Look("quiet", 0.0, "dash"), vm=name))
    return tuple(marks)


def _odd_vm(found: Traces) -> int | None:
    """The VM that behaves differently (odd VM) in groups of three or more: the one with the highest mean over any
    twelfth of the phase, if this is at least `ODD_VM` times the corresponding value of the median VM. Both are taken
    over the bins that both have."""
    inside = found.values[:, found.in_focus]
    if len(found.names) < 3 or not np.isfinite(inside).any():
        return None
    width = max(1, round(inside.shape[1] / 12))
    theirs = _highest(inside, width)
    index = int(theirs.argmax())
    ours = np.full(theirs.size, theirs[index])
    if np.isnan(inside).any():
        both = ~np.isnan(inside) & ~np.isnan(inside[index])
        theirs = _highest(np.where(both, inside, np.nan), width)
        ours = _highest(np.where(both, inside[index], np.nan), width)
    beside = np.divide(theirs, ours, out=np.full(theirs.size, np.nan), where=ours > 0)
    typical = float(np.median(beside[~np.isnan(beside)])) if (ours > 0).any() else 0.0
    return index if typical > 0 and ODD_VM * typical <= 1 else None


def _highest(values: FloatArray, width: int) -> FloatArray:
    """The highest mean of each row over any `width` bins; a missing bin adds nothing."""
    sums = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(np.where(np.isnan(values), 0.0, values), axis=1, out=sums[:, 1:])
    highest: FloatArray = (sums[:, width:] - sums[:, :-width]).max(axis=1) / width
    return highest


def _top(found: Traces, odd: int | None) -> float:
    """The highest value drawn inside the phase: of the band, the median, and the odd VM."""
    shares = (95, 50) if len(found.names) > 1 else (50,)
    rows = [found.percentile(share) for share in shares]
    rows += [found.values[odd]] if odd is not None else []
    inside = np.concatenate([row[found.in_focus] for row in rows])
    return float(np.nanmax(inside)) if np.isfinite(inside).any() and np.nanmax(inside) > 0 else 1.0


def _heat_limits(found: list[Traces]) -> tuple[float, float]:
    """One colour scale for all panels: 0 to the 99.5th percentile inside the phase, so a spike does not turn the rest
    grey."""
    parts = [traces.values[:, traces.in_focus] for traces in found]
    whole = [part if np.isfinite(part).all() else part[~np.isnan(part)] for part in parts]
    pooled = np.concatenate(whole, axis=None)
    # The array is not used later, so numpy may sort it in place.
    high = float(np.percentile(pooled, 99.5, overwrite_input=True)) if pooled.size else 1.0
    return 0.0, high if high > 0 else 1.0


def time_axis(view: View, runs: Iterable[RunFigures]) -> Axis:
    """The x axis of an alignment, in seconds. Clock times are those of the runs, with their offset from UTC."""
    if view.alignment is Alignment.CLOCK:
        offsets = {offset_of(figures.run) for figures in runs}
        minutes = offsets.pop() if len(offsets) == 1 else None
        zone = "each run with its own clock" if minutes is None else f"UTC{offset_text(minutes) if minutes else ''}"
        return Axis(f"Time of day, {zone}", "clock", zone=zone)
    zero = "run start" if view.alignment is Alignment.RUN_START or view.phase == WHOLE_RUN else "phase start"
    return Axis(f"Time since {zero}", "s")


def _captions(
    groups: list[Group], drawn: list[Traces], view: View, scale: str, left_out: list[str]
) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    vantages = {place for g in groups for f in _rows(g, view) if f.vantage for place in f.vantage.split(" + ")}
    evidence = sorted({known_from(f.phase) for g in groups for f in _rows(g, view)})
    counts = sorted({len(group.runs) for group in groups})
    runs = "1 run" if counts == [1] else f"{counts[0]} runs" if len(counts) == 1 else f"{counts[0]}–{counts[-1]} runs"
    every = [run for group in groups for run in group.runs]
    fact, steady = steady_facts(every) if _judges_steady(view) else ("", ())
    name, within = TRACED[view.metric].name, TRACED[view.metric].within
    places = " and ".join(words for vantage, words in MEASURED_AT.items() if vantage in vantages)
    return captioned(
        (
            fact,
            f"Not shown: {few(left_out)}" if left_out else "",
            _SCALE_WORDS.get(scale, ""),
            _spread(drawn) or f"{name}, one VM per configuration",
        ),
        (
            *steady,
            f"The chart shows {within}{f', measured {places}' if places else ''}",
            f"Each configuration has {runs}",
            *alignment_lines(view),
            f"The phases are {' and '.join(evidence)}" if evidence else "",
            *(named_lines("Not shown", [*map(named, left_out)])),
        ),
    )


def _spread(drawn: list[Traces]) -> str:
    """The meaning of the line and the band of each column with several VMs, and their number; empty if each column has
    only one VM.
    """
    counts = sorted({len(traces.names) for traces in drawn if len(traces.names) > 1})
    if not counts:
        return ""
    words = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"Median and 5th to 95th percentile of {words} VMs"


def _rows(group: Group, view: View) -> Sequence[PhaseFigures]:
    return group.phase(view.phase) if view.phase != WHOLE_RUN else [row for run in group.runs for row in run.phases]


def _summary(groups: list[Group], view: View, base: Group | None) -> str:
    measure = TRACED[view.metric]
    parts = []
    for group in groups:
        mean = group.mean(view.phase, measure.key)
        word = " (baseline)" if base is group else ""
        parts.append(f"{named(group.label)}{word}: {number(mean)} {measure.unit}")
    return f"{measure.name} {in_phase(view.phase)}. " + "; ".join(parts) + "."


def _empty(view: View) -> Figure:
    text = (
        f"No run contains {TRACED[view.metric].within} {in_phase(view.phase)}. "
        "Choose another phase or metric. The import report shows each file's content."
    )
    return Figure("per-vm-iops", QUESTION, "", (), empty=text, summary=text)


Span = tuple[float, float]
# Maximum size of stored traces; those unused for longest are dropped first. 150 VMs with 800 bins are 1 MB.
MAX_BYTES = 64 * 10**6
_KEPT: KeptBytes[Traces] = KeptBytes()


def shown_traces(groups: Sequence[Group], view: View, limits: Mapping[str, Span]) -> dict[str, Traces]:
    """The traces of each group's metric over its `limits`, by label, in the shown unit; do not change them.

    The groups are read and computed in parallel: most of the work is done in numpy and the system. With more threads
    than cores, three groups share two cores evenly.
    """
    if len(groups) < 2 or all(_kept(group, view, limits[group.label]) for group in groups):
        return {group.label: _one(group, view, limits[group.label]) for group in groups}
    with ThreadPoolExecutor(min(len(groups), 2 * (os.cpu_count() or 1)), "traces") as pool:
        traced = pool.map(lambda group: _one(group, view, limits[group.label]), groups)
        return {group.label: group_traces for group, group_traces in zip(groups, traced, strict=True)}


def forget_traces() -> None:
    """Drops all stored traces."""
    _KEPT.clear()


def _kept(group: Group, view: View, limits: Span) -> Traces | None:
    return _KEPT.get(group.runs[0].run, _key(group, view, limits))


def _key(group: Group, view: View, limits: Span) -> Hashable:
    """All inputs of the traces. An edited run is another run, and so are its samples."""
    runs = tuple((ref(run.run), tuple(row.phase for row in run.phases)) for run in group.runs)
    return runs, view, limits


def _one(group: Group, view: View, limits: Span) -> Traces:
    if (known := _kept(group, view, limits)) is not None:
        return known
    scaled = traces(group, view, (view.metric,), limits)
    factor = TRACED[view.metric].factor
    scaled = scaled if factor == 1.0 else replace(scaled, values=scaled.values * factor, around=scaled.around * factor)
    # Every chart of the traces draws the median.
    scaled.percentile(50)
    _KEPT.put(group.runs[0].run, _key(group, view, limits), scaled, 2 * scaled.values.nbytes, MAX_BYTES)
    return scaled
