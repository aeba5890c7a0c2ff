"""Overview: IOPS per VM by phase, one bar per configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.common.change_words import interval_words, percent_words
from workbench.answers.common.listing import Chosen, picked
from workbench.answers.common.looks import looks
from workbench.answers.overview.spec import QUESTION
from workbench.charts.figure import Axis, Bars, Figure, FigureSource, Look, Panel
from workbench.measures.catalogue import MEASURES
from workbench.measures.comparability import comparability, why_apart
from workbench.measures.configurations import Group, baseline_of, change_from
from workbench.measures.significance.objections import objection
from workbench.words.captions import named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import MISSING, THIN, duration, number

EMPTY = "Open a result folder to see the storage I/O of each configuration during boot, logon and steady state."
_IOPS = MEASURES["iops_per_vm"]
# Panels with one scale can be compared at a glance. If the tallest bars differ by more than this factor, the bars of
# the lower panel would be too short to read.
_SAME_SCALE_UP_TO = 5.0
# The rows without a baseline line; no configuration has this name.
_NO_BASELINE = "\0"


def overview_figure(groups: Sequence[Group], phases: Sequence[str], chosen: Chosen | None = None) -> Figure:
    """One panel per phase; bars are the mean over runs of IOPS per VM, whiskers the range of the runs. If there are
    many configurations, only those `chosen` are drawn."""
    used = [group for group in picked(groups, chosen) if group.runs]
    look = looks(groups)
    base = baseline_of(groups)
    panels = [
        _panel(column, phase, used, look, base)
        for column, phase in enumerate(name for name in phases if _measured(used, name))
    ]
    if not panels:
        return Figure("overview", QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    several = any(len(group.runs) > 1 for group in used)
    whiskers = ("The whiskers show the lowest and the highest run",) if several else ()
    return Figure(
        "overview",
        QUESTION,
        "IOPS per VM, mean of all runs" if several else "IOPS per VM, one run per configuration",
        tuple(panels),
        share_y=_comparable(panels),
        summary=_summary(used, phases),
        in_rows=used[0].label if base is None else base.label if comparability(used, base).comparable else _NO_BASELINE,
        legend={group.label: look[group.label] for group in used},
        method=("Each bar shows the mean over the phase, then over runs", *whiskers),
    )


def _comparable(panels: list[Panel]) -> bool:
    """True if the tallest bars of all panels can be read on one scale."""
    tallest = [max(float(np.nanmax(mark.values)) for mark in panel.marks if isinstance(mark, Bars)) for panel in panels]
    return max(tallest) <= _SAME_SCALE_UP_TO * min(tallest)


def _measured(groups: list[Group], phase: str) -> list[Group]:
    return [group for group in groups if group.values(phase, "iops_per_vm")]


def _panel(column: int, phase: str, groups: list[Group], look: dict[str, Look], base: Group | None) -> Panel:
    shown = _measured(groups, phase)
    # If nothing can be compared, only values are shown.
    compared = base if comparability(groups, base).comparable else None
    categories = tuple(group.label for group in shown)
    bars = tuple(
        replace(_bar(index, group, phase, look[group.label], len(shown)), words=_words(compared, group, phase))
        for index, group in enumerate(shown)
    )
    return Panel(
        title=phase_words(phase).capitalize(),
        x=Axis("", categories=categories),
        y=Axis("IOPS per VM", "IOPS"),
        marks=bars,
        column=column,
        subtitle=_lasted(shown, phase),
    )


def _words(base: Group | None, group: Group, phase: str) -> tuple[str, str, str]:
    """The value of a row, its change from the baseline, and the interval or range of that change."""
    at_least = group.lower_bound(phase)
    if base is not None and base is not group and why_apart(base, group) is not None:
        return f"≥{THIN}" * at_least + number(group.mean(phase, _IOPS.key)), MISSING, ""
    value = f"≥{THIN}" * at_least + number(group.mean(phase, _IOPS.key))
    if base is group or base is None:
        return value, "baseline" if base is group else "", ""
    if at_least or base.lower_bound(phase) or objection(base, group, phase, _IOPS) is not None:
        return value, "~", ""
    change = change_from(base, group, phase, _IOPS.key)
    if change is None:
        return value, MISSING, ""
    ends = interval_words(change).removesuffix(f"{THIN}%") if change.low is not None else ""
    return value, percent_words(change.ratio), ends


def _lasted(groups: Sequence[Group], phase: str) -> str:
    """The duration of the phase, if it is equal in every run."""
    lengths = {duration(value) for group in groups for value in group.values(phase, "duration_s")}
    return lengths.pop() if len(lengths) == 1 else ""


def _bar(index: int, group: Group, phase: str, look: Look, count: int) -> Bars:
    """A bar series with one value, so each configuration keeps its colour and its legend entry."""
    values = group.values(phase, "iops_per_vm")
    several = len(values) > 1
    folders = tuple(run.run.folder for run in group.runs if run.phase(phase) is not None)
    source = FigureSource(folders, phase, "iops_per_vm")
    return Bars(
        group.label,
        _at(index, count, float(np.mean(values))),
        Look(look.hue, look.tint),
        _at(index, count, min(values)) if several else np.empty(0),
        _at(index, count, max(values)) if several else np.empty(0),
        stack="configuration",
        sources=tuple(source if at == index else None for at in range(count)),
        counts=(str(len(values)),) * count,
        ends="lowest and highest run" if several else "",
    )


def _at(index: int, count: int, value: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = np.full(count, np.nan)
    values[index] = value
    return values


def _summary(groups: list[Group], phases: Sequence[str]) -> str:
    parts = []
    for phase in phases:
        shown = _measured(groups, phase)
        means = ", ".join(f"{named(group.label)} {number(group.mean(phase, 'iops_per_vm'))}" for group in shown)
        parts.append(f"IOPS per VM {in_phase(phase)}: {means}.")
    return " ".join(parts)
