"""The tables of the verdicts as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tests.tools.simulations.cells import Cell, heads, joined, line
from tests.tools.simulations.verdicts import NARROW, RUNS, SCATTERS

_VERDICTS = (
    "runs per configuration, variation between runs, share of *no change* studies with a false primary verdict, "
    "share of *half changed* studies with a false primary verdict, "
    "share of false verdicts of other metrics in *no change* studies, "
    "share of false verdicts of other metrics in *half changed* studies, "
    "share of true changes of −30 % found in primary metrics, share of true changes of −30 % found in other metrics"
)
_SAME = (
    "runs per configuration, variation between runs, "
    "share of comparisons with a false *same* (true change at the margin), "
    "share of studies with a false *same* (true change at the margin), "
    "share of comparisons with the verdict *same* (no true change)"
)


def verdict_table(cells: dict[str, Cell]) -> Iterator[str]:
    """The shares of false and found differences, for each number of runs and variation."""
    yield from heads(*_VERDICTS.split(", "))
    for label, none, half in _rows(cells, SCATTERS, "none", "half"):
        false = [cell[name] for name in ("false primary", "false others") for cell in (none, half)]
        yield line(*label, *false, half["found"], half["found others"])


def same_table(cells: dict[str, Cell]) -> Iterator[str]:
    """How often "the same" is false if the truth is at the margin, and shown if the true difference is zero."""
    yield from heads(*_SAME.split(", "))
    for label, at, same in _rows(cells, NARROW, "margin", "same"):
        yield line(*label, at["same"], at["false primary"], same["same"])


def coverage(cells: dict[str, Cell]) -> str:
    """How often the range of two runs and the interval of more runs contain the true change."""
    two, more = ([cell for name, cell in cells.items() if _runs_of(name) in runs] for runs in ({2}, {*RUNS} - {2}))
    of_two, of_more = (f"{100 * np.mean(joined(cells)['covered']):.1f} %" for cells in (two, more))
    return (
        f"The range of two runs contains the true change in {of_two} of the comparisons. "
        f"The 95 % interval of three or more runs contains the true change in {of_more} of the comparisons."
    )


def agreement(cells: dict[str, Cell]) -> str:
    """The number of studies with equal answers through files and the command."""
    agree = cells["command"]["agree"]
    return (
        f"In {sum(agree):.0f} of {len(agree)} studies, `vdiwb compare` gives the same verdicts when it reads the study "
        "from files."
    )


def _runs_of(name: str) -> int | None:
    """The number of runs of a cell of the first table."""
    truth, *numbers = name.split(" ")
    return int(numbers[0]) if truth in ("none", "half") else None


def _rows(
    cells: dict[str, Cell], scatters: Sequence[float], first: str, second: str
) -> Iterator[tuple[tuple[str, str], Cell, Cell]]:
    """Each cell of both kinds of studies with three runs or more, and all of them together."""
    for runs in RUNS[1:]:
        for scatter in scatters:
            one, other = (cells[f"{name} {runs} {scatter}"] for name in (first, second))
            yield (f"{runs} runs", f"{100 * scatter:g} %"), one, other
    whole = (
        joined(cells[f"{name} {runs} {scatter}"] for runs in RUNS[1:] for scatter in scatters)
        for name in (first, second)
    )
    yield (("3 to 10 runs", "all"), *whole)  # type: ignore[misc]
