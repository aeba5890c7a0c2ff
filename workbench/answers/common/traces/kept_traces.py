"""The traces that were drawn last, kept in memory: looking back at a phase or a metric computes nothing again."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock

from workbench.answers.common.traces.traces import Traces, View, traces
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED

Span = tuple[float, float]
# What is kept at most; what was used longest ago goes first. 150 machines with 800 bins are 1 MB.
MAX_BYTES = 64 * 10**6

_kept: OrderedDict[object, Traces] = OrderedDict()
_lock = Lock()


def shown_traces(groups: Sequence[Group], view: View, limits: Mapping[str, Span]) -> dict[str, Traces]:
    """By label the traces of each group's metric over its `limits`, in the unit that is shown; not to be changed.

    The groups are read and computed beside each other: most of it is numpy's and the system's work. With more threads
    than cores three groups share two cores evenly.
    """
    if len(groups) < 2 or all(_known(_key(group, view, limits[group.label])) for group in groups):
        return {group.label: _one(group, view, limits[group.label]) for group in groups}
    with ThreadPoolExecutor(min(len(groups), 2 * (os.cpu_count() or 1)), "traces") as pool:
        traced = pool.map(lambda group: _one(group, view, limits[group.label]), groups)
        return {group.label: group_traces for group, group_traces in zip(groups, traced, strict=True)}


def forget_traces() -> None:
    """Keeps nothing of what was drawn so far."""
    with _lock:
        _kept.clear()


def _known(key: object) -> bool:
    with _lock:
        return key in _kept


def _key(group: Group, view: View, limits: Span) -> object:
    """All that the traces depend on. A run that was edited is another run, and so are its samples."""
    runs = tuple((run.run, tuple(row.phase for row in run.phases)) for run in group.runs)
    return runs, view, limits


def _one(group: Group, view: View, limits: Span) -> Traces:
    key = _key(group, view, limits)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    scaled = traces(group, view, (view.metric,), limits)
    factor = TRACED[view.metric].factor
    scaled = scaled if factor == 1.0 else replace(scaled, values=scaled.values * factor)
    # Every chart of them draws the median.
    scaled.percentile(50)
    with _lock:
        _kept[key] = scaled
        _kept.move_to_end(key)
        while sum(kept.values.nbytes for kept in _kept.values()) > MAX_BYTES:
            _kept.popitem(last=False)
    return scaled
