"""Reads and writes: how the IOPS per VM of each configuration divide, one panel per phase."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.measures.configurations import Group
from workbench.words.metrics import phase_words
from workbench.words.numbers import percent

QUESTION = "Is it reads or writes?"
EMPTY = "No run separates reads from writes. Log 'Disk Reads/sec' and 'Disk Writes/sec' to see how they divide."
# Not the provisionings' hues: a direction is no configuration.
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
            shares = (f"{group.label} {percent(group.mean(phase, 'read_percent'))}" for group in shown)
            words.append(f"Share of reads in {phase_words(phase)}: {'; '.join(shares)}.")
    if not panels:
        return Figure("read-write", QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    caption, method = "Read and write IOPS per VM, mean of all runs", ("Mean over the phase, then over the runs",)
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
