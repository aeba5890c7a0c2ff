"""The typical desktop over time: the median over the VMs of every configuration, in one pair of axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.looks import looks
from workbench.answers.common.traces.steady_marks import TREND
from workbench.answers.common.traces.trace_figure import per_vm_figure, time_axis
from workbench.answers.common.traces.traces import View
from workbench.charts.figure import Axis, Figure, Line, Panel
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED
from workbench.words.metrics import phase_words


def median_figure(groups: Sequence[Group], view: View) -> Figure:
    """One panel with a line per configuration: the median that `per_vm_figure` draws for it, inside the phase."""
    look = looks(groups)
    shown = TRACED[view.metric]
    question = f"How do the desktops load the storage in {phase_words(view.phase)}?"
    lines: list[Line] = []
    for group in groups:
        alone = per_vm_figure(groups, view, (group.label,))
        lines += [
            replace(_inside(mark, alone.panels[0], view), name=group.label, look=look[group.label])
            for mark in (alone.panels[0].marks if alone.panels else ())
            if isinstance(mark, Line) and mark.vm is None and not mark.name.startswith(TREND)
        ]
    if not lines:
        text = f"No run has {shown.within} in {phase_words(view.phase)}."
        return Figure("median", question, "", (), empty=text, summary=text)
    panel = Panel(
        title=f"{shown.name}: median over the VMs, {phase_words(view.phase)}",
        x=time_axis(view),
        y=Axis(shown.name, shown.unit),
        marks=tuple(lines),
    )
    caption, method = f"{shown.name}, median of the VMs of all runs", (f"Aligned at {view.alignment}",)
    return Figure("median", question, caption, (panel,), method=method)


def _inside(line: Line, panel: Panel, view: View) -> Line:
    """Without what comes before and after the phase, which would set the scale."""
    region = next((region for region in panel.regions if region.name == view.phase), None)
    if region is None:
        return line
    inside = (line.x >= region.start) & (line.x <= region.end)
    return replace(line, x=line.x[inside], y=line.y[inside])
