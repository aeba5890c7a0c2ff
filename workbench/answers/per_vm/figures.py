"""The typical desktop over time: the median over the VMs of every configuration, in one chart.

Reads and writes: the shares of reads and writes in the IOPS per VM of each configuration, one panel per phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.common.looks import looks
from workbench.answers.common.traces.marks import TREND
from workbench.answers.common.traces.trace_figure import per_vm_figure, time_axis
from workbench.answers.common.traces.traces import View
from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Panel
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED
from workbench.words.captions import named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import percent


def median_figure(groups: Sequence[Group], view: View) -> Figure:
    """One panel with a line per configuration: the median that `per_vm_figure` draws for it, inside the phase."""
    look = looks(groups)
    shown = TRACED[view.metric]
    question = f"How do the VMs load the storage {in_phase(view.phase)}?"
    lines: list[Line] = []
    for group in groups:
        alone = per_vm_figure(groups, view, (group.label,))
        lines += [
            replace(_inside(mark, alone.panels[0], view), name=group.label, look=look[group.label])
            for mark in (alone.panels[0].marks if alone.panels else ())
            if isinstance(mark, Line) and mark.vm is None and not mark.name.startswith(TREND)
        ]
    if not lines:
        text = f"No run has data on {shown.within} {in_phase(view.phase)}. Choose another phase or metric."
        return Figure("median", question, "", (), empty=text, summary=text)
    panel = Panel(
        title=f"Median {shown.within} {in_phase(view.phase)}",
        x=time_axis(view, [run for group in groups for run in group.runs]),
        y=Axis(shown.name, shown.unit),
        marks=tuple(lines),
    )
    caption, method = f"{shown.name}, median of all VMs in all runs", (f"Aligned at {view.alignment}",)
    return Figure("median", question, caption, (panel,), method=method)


def _inside(line: Line, panel: Panel, view: View) -> Line:
    """The trace without the time before and after the phase, which would determine the scale."""
    region = next((region for region in panel.regions if region.name == view.phase), None)
    if region is None:
        return line
    inside = (line.x >= region.start) & (line.x <= region.end)
    return replace(line, x=line.x[inside], y=line.y[inside])


QUESTION = "Are there more reads or writes?"
EMPTY = "No run separates reads from writes. Log 'Disk Reads/sec' and 'Disk Writes/sec' to separate them."
# Colours other than those of provisioning types, because a direction is not a configuration.
_PARTS = (
    ("Reads", "read_iops_per_vm", Look("other")),
    ("Writes", "write_iops_per_vm", Look("other", tint=0.9, dash="dash")),
)


def read_write_figure(groups: Sequence[Group], phases: Sequence[str]) -> Figure:
    """One panel per phase; stacked bars are the mean over runs of read and of write IOPS per VM."""
    panels: list[Panel] = []
    words: list[str] = []
    for phase in phases:
        shown = [group for group in groups if any(group.values(phase, figure) for _, figure, _ in _PARTS)]
        if shown:
            panels.append(_panel(len(panels), phase, shown))
            shares = (f"{named(group.label)}: {percent(group.mean(phase, 'read_percent'))}" for group in shown)
            words.append(f"Share of reads {in_phase(phase)}: {'; '.join(shares)}.")
    if not panels:
        return Figure("read-write", QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    caption, method = (
        "Read and write IOPS per VM, mean of all runs",
        ("Each bar shows the mean over the phase, then over runs",),
    )
    said = " ".join(words)
    return Figure("read-write", QUESTION, caption, tuple(panels), share_y=False, summary=said, method=method)


def _panel(column: int, phase: str, groups: list[Group]) -> Panel:
    bars = tuple(
        Bars(name, np.array([_or_nan(group.mean(phase, figure)) for group in groups]), look, stack="direction")
        for name, figure, look in _PARTS
    )
    return Panel(
        title=phase_words(phase).capitalize(),
        x=Axis("", categories=tuple(group.label for group in groups)),
        y=Axis("IOPS per VM", "IOPS"),
        marks=bars,
        column=column,
    )


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
