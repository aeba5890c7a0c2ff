"""From a number of the benchmark page to the lines of the tools' files that it stands in, or is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.benchmarks.compute import Group, Quantity
from workbench.answers.benchmarks.raw_disk import Raw, counterpart
from workbench.answers.benchmarks.sources import explain_group, explain_row
from workbench.answers.benchmarks.sweeps import Sweep, doubling_gains
from workbench.charts.figure import Source
from workbench.charts.tables import Cell
from workbench.model.benchmark import Benchmark, Op

BENCHMARKS = "benchmarks"
MIB_WORDS = "The number is MiB/s: MB/s ÷ 1.048576."
_RATIO = "The number is IOPS of the test ÷ IOPS of the raw disk, asked the same; both stand below."
_DOUBLING = (
    "The number is how much more IOPS the double has than this step, of the most up to each; between two steps it is "
    "interpolated. The steps stand below."
)
_GAIN = "The number is how much more IOPS the step has than the best before it; both stand below."


def row_source(row: Benchmark, figure: str, how: str = "") -> Source | None:
    """Of a figure of one row; None where it is not measured."""
    if getattr(row, figure) is None:
        return None
    return Source((), "", figure, answer=BENCHMARKS, how=how, explanations=(explain_row(row, figure),))


def group_source(group: Group, op: Op, figure: Quantity, how: str = "") -> Source | None:
    """Of the mean of a test; None where it is not measured."""
    explanation = explain_group(group, op, figure)
    return (
        None
        if explanation.value is None
        else Source((), "", figure, answer=BENCHMARKS, how=how, explanations=(explanation,))
    )


def ratio_source(raw: Raw, group: Group, op: Op) -> Source:
    """Of a test's IOPS against the raw disk's: both."""
    explanations = (explain_group(group, op, "iops"), explain_group(counterpart(raw, group), op, "iops"))
    return Source((), "", "iops", answer=BENCHMARKS, how=_RATIO, explanations=explanations)


def step_source(sweep: Sweep, index: int, figure: Quantity, how: str = "") -> Source | None:
    """Of a figure of one step of a sweep."""
    return group_source(sweep.steps[index].group, sweep.op, figure, how)


def gain_source(sweep: Sweep, index: int) -> Source | None:
    """Of what a step buys: the step and the best of those before it; None for the first."""
    if not index:
        return None
    best = max(range(index), key=lambda at: sweep.steps[at].iops.mean)
    explanations = tuple(explain_group(sweep.steps[at].group, sweep.op, "iops") for at in (index, best))
    return Source((), "", "iops", answer=BENCHMARKS, how=_GAIN, explanations=explanations)


def doubling_source(sweep: Sweep, place: int) -> Source | None:
    """Of what doubling buys from a step on: the steps with the most IOPS up to it and up to its double; None where that
    is not known."""
    if doubling_gains(sweep)[place] is None:
        return None
    double = [at for at, depth in enumerate(sweep.at) if depth < 2 * sweep.at[place]]
    ends = (place, min(len(sweep.at) - 1, double[-1] + 1))
    steps = dict.fromkeys(max(range(end + 1), key=lambda at: sweep.steps[at].iops.mean) for end in ends)
    explanations = tuple(explain_group(sweep.steps[at].group, sweep.op, "iops") for at in steps)
    return Source((), "", "iops", answer=BENCHMARKS, how=_DOUBLING, explanations=explanations)


def led(cells: Sequence[Cell], sources: Sequence[Source | None]) -> list[Cell]:
    """The cells, each with its source."""
    return [replace(cell, source=source) for cell, source in zip(cells, sources, strict=True)]
