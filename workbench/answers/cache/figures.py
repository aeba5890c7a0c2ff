"""Cache use over time: RAM used and cache disk used per VM, one colour per configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.answers.common.listing import Chosen, picked
from workbench.answers.common.looks import looks
from workbench.answers.common.traces.trace_figure import time_axis
from workbench.answers.common.traces.traces import Traces, View, alignment_lines, traces, windows
from workbench.charts.figure import Axis, Band, Figure, Line, Look, Mark, Panel, Region
from workbench.measures.configurations import Group
from workbench.model.metric import Quantity
from workbench.model.problem import few_named
from workbench.model.run import Provisioning
from workbench.words.captions import FEW, captioned, named, named_lines
from workbench.words.metrics import MB, phase_words
from workbench.words.numbers import number

QUESTION = "How much cache does each VM use?"
# Up to this many VM traces in a panel are drawn one by one; a band replaces more of them.
MAX_TRACES = 64
EMPTY = (
    "This phase has no cache counters. In the VMs, log 'Citrix MCS Storage Driver' (MCSIO) or "
    "'Memory\\Pool Nonpaged Bytes' (PVS)."
)


class _Panel(NamedTuple):
    title: str
    quantities: tuple[Quantity, ...]


_PANELS = (
    _Panel("RAM used", (Quantity.CACHE_RAM_USED, Quantity.POOL_NONPAGED)),
    _Panel("Cache disk used", (Quantity.CACHE_DISK_USED,)),
)


def cache_figure(groups: Sequence[Group], view: View, chosen: Chosen | None = None) -> Figure:
    """RAM used (left) and cache disk used (right) in MB (2^20 bytes) per VM, aligned as the view says. Of many
    configurations those `chosen` are drawn."""
    look = looks(groups)
    limits = windows(groups, view)
    every = [group for group in groups if group.label in limits and _has_cache(group)]
    cached = picked(every, chosen)
    if not cached:
        return Figure("cache", QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    axis = time_axis(view, [run for group in cached for run in group.runs])
    panels: list[Panel] = []
    estimated: list[str] = []
    for column, kind in enumerate(_PANELS):
        by_label = {g.label: traces(g, view, _quantities(kind, g), limits[g.label]) for g in cached}
        drawn = {label: group_traces for label, group_traces in by_label.items() if group_traces.names}
        estimated += [label for label, group_traces in drawn.items() if group_traces.estimate]
        if drawn:
            panels.append(_panel(column, kind, drawn, look, view, axis))
    if not panels:
        return Figure("cache", QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    without = [group.label for group in groups if group.runs and group not in every]
    caption, method = _captions(cached, view, bool(estimated), without)
    summary = _summary(cached, view)
    return Figure("cache", QUESTION, caption, tuple(panels), share_y=False, summary=summary, method=method)


def _has_cache(group: Group) -> bool:
    return group.configuration.provisioning is not Provisioning.MCS


def _quantities(kind: _Panel, group: Group) -> tuple[Quantity, ...]:
    """The nonpaged pool replaces the cache counter only for PVS, as in the phase table."""
    pvs = group.configuration.provisioning is Provisioning.PVS
    return tuple(quantity for quantity in kind.quantities if pvs or quantity is not Quantity.POOL_NONPAGED)


def _panel(column: int, kind: _Panel, drawn: dict[str, Traces], look: dict[str, Look], view: View, axis: Axis) -> Panel:
    single = sum(len(group_traces.names) for group_traces in drawn.values()) <= MAX_TRACES
    marks: list[Mark] = []
    for label, shown_traces in drawn.items():
        marks += _marks(label, shown_traces, look[label], single)
    what = "each VM and the median of all VMs" if single else "median and p5–p95 of VMs"
    return Panel(
        title=kind.title,
        subtitle=what,
        x=axis,
        y=Axis(f"{kind.title} per VM", "MB"),
        marks=tuple(marks),
        column=column,
        regions=_common_regions(list(drawn.values()), view.phase),
    )


def _common_regions(drawn: list[Traces], phase: str) -> tuple[Region, ...]:
    """The phases of all configurations if they agree to 2 % of the phase; otherwise none: they would mislead."""
    first = drawn[0].regions
    for other in drawn[1:]:
        if [region.name for region in other.regions] != [region.name for region in first]:
            return tuple(region for region in first if region.name == phase and _agree(region, drawn))
    return tuple(region for region in first if _agree(region, drawn))


def _agree(region: Region, drawn: list[Traces]) -> bool:
    slack = 0.02 * (region.end - region.start)
    twins = [other for group_traces in drawn for other in group_traces.regions if other.name == region.name]
    return len(twins) == len(drawn) and all(
        abs(twin.start - region.start) <= slack and abs(twin.end - region.end) <= slack for twin in twins
    )


def _marks(label: str, group_traces: Traces, look: Look, single: bool) -> list[Mark]:
    x, values = group_traces.centres, group_traces.values / MB
    marks: list[Mark] = []
    plain = Look(look.hue, look.tint)
    if single and len(group_traces.names) > 1:
        marks += [
            Line(name, x, row, plain, vm=name, prominent=False)
            for name, row in zip(group_traces.names, values, strict=True)
        ]
    elif len(group_traces.names) > 1:
        low, high = group_traces.percentile(5) / MB, group_traces.percentile(95) / MB
        marks.append(Band(f"{label}: p5–p95 of VMs", x, low, high, plain))
    marks.append(Line(label, x, group_traces.percentile(50) / MB, look))
    return marks


def _captions(groups: list[Group], view: View, estimated: bool, without: list[str]) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    counts = sorted({len(group.runs) for group in groups})
    runs = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
    return captioned(
        (
            "The PVS cache is estimated from the nonpaged pool" if estimated else "",
            f"No cache counters for {few_named([*map(named, without)], FEW)}" if without else "",
            "" if estimated or without else "Cache use of each VM",
        ),
        (
            "The nonpaged pool contains more than the PVS cache" if estimated else "",
            *(named_lines("Without cache counters", [*map(named, without)]) if len(without) > FEW else ()),
            f"Each configuration has {runs} run{'s' * (counts[-1] > 1)}",
            *alignment_lines(view),
            "Values are in MB per VM (1 MB = 2²⁰ bytes)",
        ),
    )


def _mb(group: Group, phase: str, figure: str) -> str:
    mean = group.mean(phase, figure)
    return "not measured" if mean is None else f"{number(mean)} MB"


def _summary(groups: list[Group], view: View) -> str:
    parts = [
        f"{named(group.label)}: RAM {_mb(group, view.phase, 'cache_ram_used_mb_end')}, "
        f"disk {_mb(group, view.phase, 'cache_disk_used_mb_end')}"
        for group in groups
    ]
    return f"Cache use per VM at the end of {phase_words(view.phase)}. " + "; ".join(parts) + "."
