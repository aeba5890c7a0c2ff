"""Highlights the subject of a finding: its bar, or in a chart of curves the configuration, VM and moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from workbench.charts.claim import Pointed, pointed_figure
from workbench.charts.figure import Bars, Emphasis, Figure, Heatmap, Line, Look, Mark, Moment, Panel, Points

_LIT = Look("text")


def marked_figure(figure: Figure, pointed: Pointed | None) -> Figure:
    """The figure with everything dimmed except the subject of the finding; unchanged if it does not show the
    subject.
    """
    if pointed is None:
        return figure
    with_bars = pointed_figure(figure, pointed)
    if with_bars is not figure:
        return with_bars
    moment = pointed.moment
    if any({pointed.configuration, *pointed.also} & set(panel.x.of) for panel in figure.panels):
        return replace(figure, panels=tuple(_over_names(figure, panel, pointed) for panel in figure.panels))
    if not pointed.configuration and moment is not None and moment.chart == figure.key:
        # The first panel shows the subject of the finding.
        return replace(figure, panels=(_with_moment(figure, figure.panels[0], pointed), *figure.panels[1:]))
    columns = {panel.column for panel in figure.panels if panel.title == pointed.configuration != ""}
    if columns:
        panels = tuple(_of_columns(figure, panel, pointed, columns) for panel in figure.panels)
    elif any(_of(mark.name, pointed.configuration) for panel in figure.panels for mark in _named(panel)):
        panels = tuple(_of_names(figure, panel, pointed) for panel in figure.panels)
    else:
        return figure
    return replace(figure, panels=panels)


def lit_figure(figure: Figure, vm: str | None) -> Figure:
    """The figure with a VM highlighted in every column that has it, and nothing dimmed."""
    if not vm:
        return figure
    return replace(figure, panels=tuple(_with_vm(figure, panel, vm, "all") for panel in figure.panels))


def vm_line(figure: Figure, panel: Panel, vm: str) -> Line | None:
    """The line of the VM, otherwise its row of the heatmap in the same column if both have one unit; otherwise None."""
    for mark in panel.marks:
        if isinstance(mark, Line) and mark.vm == vm:
            return mark
    for other in figure.panels:
        for mark in other.marks if other.column == panel.column else ():
            if isinstance(mark, Heatmap) and vm in mark.rows and mark.unit == panel.y.unit:
                middles = (mark.edges[:-1] + mark.edges[1:]) / 2
                return Line(vm, middles, mark.values[mark.rows.index(vm)], _LIT, vm=vm)
    return None


# Charts with one column per configuration.


def _of_columns(figure: Figure, panel: Panel, pointed: Pointed, columns: set[int]) -> Panel:
    if panel.column not in columns:
        own = {other.title for other in figure.panels if other.column == panel.column}
        strength: Emphasis = "baseline" if pointed.baseline in own - {""} else "others"
        return replace(panel, marks=tuple(replace(mark, emphasis=strength) for mark in panel.marks))
    heat = any(isinstance(mark, Heatmap) for mark in panel.marks)
    spoken_of = panel if heat else _with_moment(figure, panel, pointed)
    return _with_vm(figure, spoken_of, pointed.vm) if pointed.vm else spoken_of


def _with_vm(figure: Figure, panel: Panel, vm: str, others: Emphasis = "baseline") -> Panel:
    """The panel with one VM highlighted and emphasis `others` for the rest; unchanged if it lacks the VM."""
    if any(isinstance(mark, Heatmap) and vm in mark.rows for mark in panel.marks):
        rows = (replace(mark, lit=vm, emphasis=others) for mark in panel.marks if isinstance(mark, Heatmap))
        return replace(panel, marks=tuple(rows))
    line = vm_line(figure, panel, vm)
    if line is None:
        return panel
    rest = (replace(mark, emphasis=others) for mark in panel.marks if mark is not line)
    # The subtitle calls this line grey, but it is highlighted now.
    subtitle = panel.subtitle.removesuffix(f". The grey line is {vm}")
    return replace(panel, subtitle=subtitle, marks=(*rest, replace(line, look=_LIT, prominent=True)))


# Charts with one configuration per name on the x axis.


def _over_names(figure: Figure, panel: Panel, pointed: Pointed) -> Panel:
    """The panel with bars highlighted one by one; if curves run over the names, with a moment at the
    highlighted name."""
    strengths = tuple(map(pointed.strength, panel.x.of))
    if any(isinstance(mark, Bars) for mark in panel.marks):
        bars = (replace(mark, strengths=strengths) if isinstance(mark, Bars) else mark for mark in panel.marks)
        return replace(panel, marks=tuple(bars), readout=pointed.readout)
    lit = [place for place, strength in enumerate(strengths) if strength == "all"]
    if len(lit) != 1:
        return panel
    return replace(panel, moments=(Moment(figure.key, float(lit[0]), panel.x.categories[lit[0]]),))


# Charts with configurations as names of curves.


def _of_names(figure: Figure, panel: Panel, pointed: Pointed) -> Panel:
    marks = tuple(part for mark in panel.marks for part in _parted(mark, pointed))
    if not any(_of(mark.name, pointed.configuration) for mark in _named(panel)):
        return replace(panel, marks=marks)
    return replace(_with_moment(figure, panel, pointed), marks=marks)


def _parted(mark: Mark, pointed: Pointed) -> Iterator[Mark]:
    """The mark with the emphasis of its configuration. Dots of several configurations are split into separate marks."""
    if not isinstance(mark, Points) or not mark.names:
        yield replace(mark, emphasis=_strength(mark.name, pointed))
        return
    strengths = [_strength(name, pointed) for name in mark.names]
    for strength in dict.fromkeys(strengths):
        kept = [place for place, other in enumerate(strengths) if other == strength]
        names = tuple(mark.names[place] for place in kept)
        yield replace(mark, x=mark.x[kept], y=mark.y[kept], names=names, emphasis=strength)


def _strength(name: str, pointed: Pointed) -> Emphasis:
    if _of(name, pointed.configuration):
        return "all"
    return "baseline" if _of(name, pointed.baseline) else "others"


def _of(name: str, configuration: str) -> bool:
    """True if a curve with this name belongs to the configuration: `MCS`, `MCS: p5–p95 of VMs`."""
    return bool(configuration) and (name == configuration or name.startswith(f"{configuration}: "))


def _named(panel: Panel) -> Iterator[Mark]:
    return (mark for mark in panel.marks if not isinstance(mark, Bars))


def _with_moment(figure: Figure, panel: Panel, pointed: Pointed) -> Panel:
    """The panel with the value of the finding, and with its moment if it is in this figure. A finding without a moment
    keeps the moments of the panel."""
    moment = pointed.moment
    if moment is None:
        return replace(panel, readout=pointed.readout)
    here = moment.chart == figure.key and np.isfinite(moment.start)
    return replace(panel, moments=(moment,) if here else (), readout=pointed.readout)
