"""From a number of a chart or table back to the runs, phase and figure that it is the mean of."""

from __future__ import annotations

import math

from workbench.answers.common.traces.traces import View, trace_names
from workbench.charts.figure import Source
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED
from workbench.model.source import Explanation
from workbench.study.series.kept_samples import kept_samples


def source_of(group: Group, phase: str, figure: str, value: float | None = None) -> Source | None:
    """The runs of a configuration that have the figure (a field of PhaseFigures) in the phase.

    None where there is none, or where a `value` is given that is not the mean over them: then the number was formed
    in another way, which the samples of the figure would not add up to.
    """
    numbers = [
        (run.run.folder, float(number))
        for run in group.runs
        if (row := run.phase(phase)) is not None and (number := getattr(row, figure)) is not None
    ]
    if not numbers:
        return None
    mean = sum(number for _, number in numbers) / len(numbers)
    if value is not None and not math.isclose(mean, value, rel_tol=1e-9, abs_tol=1e-12):
        return None
    return Source(tuple(folder for folder, _ in numbers), phase, figure)


def change_source(base: Group | None, group: Group, phase: str, figure: str) -> Source | None:
    """What a change against the baseline rests on: the figure of the runs of both; None where a side lacks it."""
    ours = source_of(group, phase, figure)
    theirs = None if base is None else source_of(base, phase, figure)
    return None if ours is None or theirs is None else Source(ours.runs, phase, figure, theirs.runs)


def trace_sources(group: Group, view: View) -> dict[str, Source]:
    """For each trace, by its name, the view's figure over the runs of the configuration, the trace's own run and VM
    first; under no name the same without a VM. Empty where the runs lack the figure."""
    whole = source_of(group, view.phase, TRACED[view.metric].key)
    if whole is None:
        return {}
    sources = {"": whole}
    for run in group.runs:
        folder = run.run.folder
        if folder in whole.runs:
            runs = (folder, *(other for other in whole.runs if other != folder))
            vms = kept_samples(run.run, view.metric)
            for name, vm in zip(trace_names(group, run, vms), vms, strict=True):
                sources[name] = Source(runs, whole.phase, whole.figure, vm=vm)
    return sources


def known_source(explanation: Explanation, how: str = "") -> Source | None:
    """Of a number whose explanation is known already; None where there is no number."""
    return (
        None
        if explanation.value is None
        else Source((), "", explanation.figure, answer="known", how=how, explanations=(explanation,))
    )
