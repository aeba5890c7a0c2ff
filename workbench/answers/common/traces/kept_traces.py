"""The traces that were drawn last, kept in memory: looking back at a phase or a metric computes nothing again."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from weakref import ref

from workbench.answers.common.traces.traces import Traces, View, traces
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED
from workbench.model.kept import KeptBytes

Span = tuple[float, float]
# What is kept at most; what was used longest ago goes first. 150 machines with 800 bins are 1 MB.
MAX_BYTES = 64 * 10**6

_KEPT: KeptBytes[Traces] = KeptBytes()


def shown_traces(groups: Sequence[Group], view: View, limits: Mapping[str, Span]) -> dict[str, Traces]:
    """By label the traces of each group's metric over its `limits`, in the unit that is shown; not to be changed.

    The groups are read and computed beside each other: most of it is numpy's and the system's work. With more threads
    than cores three groups share two cores evenly.
    """
    if len(groups) < 2 or all(_kept(group, view, limits[group.label]) for group in groups):
        return {group.label: _one(group, view, limits[group.label]) for group in groups}
    with ThreadPoolExecutor(min(len(groups), 2 * (os.cpu_count() or 1)), "traces") as pool:
        traced = pool.map(lambda group: _one(group, view, limits[group.label]), groups)
        return {group.label: group_traces for group, group_traces in zip(groups, traced, strict=True)}


def forget_traces() -> None:
    """Keeps nothing of what was drawn so far."""
    _KEPT.clear()


def _kept(group: Group, view: View, limits: Span) -> Traces | None:
    return _KEPT.get(group.runs[0].run, _key(group, view, limits))


def _key(group: Group, view: View, limits: Span) -> Hashable:
    """All that the traces depend on. A run that was edited is another run, and so are its samples."""
    runs = tuple((ref(run.run), tuple(row.phase for row in run.phases)) for run in group.runs)
    return runs, view, limits


def _one(group: Group, view: View, limits: Span) -> Traces:
    if (known := _kept(group, view, limits)) is not None:
        return known
    scaled = traces(group, view, (view.metric,), limits)
    factor = TRACED[view.metric].factor
    scaled = scaled if factor == 1.0 else replace(scaled, values=scaled.values * factor, around=scaled.around * factor)
    # Every chart of them draws the median.
    scaled.percentile(50)
    _KEPT.put(group.runs[0].run, _key(group, view, limits), scaled, 2 * scaled.values.nbytes, MAX_BYTES)
    return scaled
