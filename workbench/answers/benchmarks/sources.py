"""The sources of storage benchmark figures: the tool's file, and the line or the place in it.

The place is given by the reader: the line of a text, or the path of a value in JSON or XML. A figure that the tool
states has one source. Means over repeats and sums over clones have one for each row, with its share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from workbench.answers.benchmarks.compute import BenchmarkGroup, Quantity, runs_of_rows
from workbench.answers.benchmarks.raw_disk import Raw, counterpart
from workbench.answers.benchmarks.sweeps import DepthSweep, doubling_gains
from workbench.charts.figure import FigureSource
from workbench.charts.tables import Cell
from workbench.model.benchmark import Benchmark, Op
from workbench.model.source import Explanation, SourceRows, stated_source
from workbench.words.captions import named

BENCHMARK_FIGURES: tuple[Quantity, ...] = (
    "iops",
    "mb_per_s",
    "latency_mean_ms",
    "latency_p50_ms",
    "latency_p95_ms",
    "latency_p99_ms",
)
_SUMMED = ("iops", "mb_per_s")
# Tools whose name is not written in lowercase.
_TOOLS = {"sqlio": "SQLIO", "iometer": "Iometer", "diskspd": "DiskSpd", "vmfleet": "VMFleet"}
_TOTALS = {
    "fio": "IOPS and MB/s of reads and writes are added up; the mean latency is weighted by the number of I/Os",
    "vmfleet": "MB/s of reads and writes are added up; the mean latency is weighted by IOPS",
}


def explain_row(row: Benchmark, figure: str) -> Explanation:
    """The source of a figure (a field of Benchmark) of one row."""
    value = getattr(row, figure)
    return _of_row(row, figure, value, _stated(row), (_source(row, value),))


def explain_benchmarks(rows: Iterable[Benchmark]) -> Iterator[Explanation]:
    """The sources of every figure of each row."""
    for row in rows:
        for figure in BENCHMARK_FIGURES:
            if getattr(row, figure) is not None:
                yield explain_row(row, figure)


def explain_group(group: BenchmarkGroup, op: Op, figure: Quantity) -> Explanation:
    """The source of a test's mean over its repeats: each row with its share of the mean."""
    measured = group.measured(op, figure)
    rows = [row for row in group.rows if row.op is op and row.error is None]
    if measured is None or not rows:
        first = group.rows[0]
        return _of_row(first, figure, None, _stated(first), note="Not measured.")
    runs = [run for run in runs_of_rows(rows) if all(getattr(row, figure) is not None for row in run)]
    adds = figure in _SUMMED or all(len(run) == 1 for run in runs)
    sources = tuple(
        _source(row, getattr(row, figure) / measured.n if adds else None, f"run {index}" if len(runs) > 1 else "")
        for index, run in enumerate(runs, 1)
        for row in run
    )
    words = [_stated(rows[0])]
    if any(len(run) > 1 for run in runs):
        words.append("clones are added up" if figure in _SUMMED else "mean over clones, weighted by IOPS")
    if measured.n > 1:
        words.append(f"mean of {measured.n} runs")
    return _of_row(rows[0], figure, measured.mean, "; ".join(words), sources)


def _stated(row: Benchmark) -> str:
    whole = _TOTALS.get(row.tool) if row.op is Op.TOTAL else None
    return whole or f"as reported by {_TOOLS.get(row.tool, row.tool)}"


def _source(row: Benchmark, value: float | None, run: str = "") -> SourceRows:
    job = row.job or row.test
    op = "total of reads and writes" if row.op is Op.TOTAL else row.op.value
    words = ", ".join(filter(None, (_TOOLS.get(row.tool, row.tool), named(job) if job else "", op, run)))
    return stated_source(row.path, row.line, value, words, row.place, row.host or "")


def _of_row(
    row: Benchmark, figure: str, value: float | None, formula: str, sources: tuple[SourceRows, ...] = (), note: str = ""
) -> Explanation:
    name = row.test or row.job or row.path
    return Explanation(figure, value, formula, sources, note, run=name, configuration=row.job or "")


BENCHMARKS = "benchmarks"
MIB_WORDS = "The number is in MiB/s (MB/s ÷ 1.048576)."
_RATIO = "The number is IOPS of the test ÷ IOPS of the raw disk with the same settings. Both tests are listed below."
_DOUBLING = (
    "The number is the gain in IOPS from doubling the I/Os in flight of this step. It uses the highest IOPS up to each "
    "point and interpolates between steps. The steps are listed below."
)
_GAIN = "The number is the gain in IOPS over the best of the smaller steps. Both steps are listed below."


def row_source(row: Benchmark, figure: str, how: str = "") -> FigureSource | None:
    """The source of a figure of one row; None if not measured."""
    if getattr(row, figure) is None:
        return None
    return FigureSource((), "", figure, answer=BENCHMARKS, how=how, explanations=(explain_row(row, figure),))


def group_source(group: BenchmarkGroup, op: Op, figure: Quantity, how: str = "") -> FigureSource | None:
    """The source of the mean of a test; None if not measured."""
    explanation = explain_group(group, op, figure)
    return (
        None
        if explanation.value is None
        else FigureSource((), "", figure, answer=BENCHMARKS, how=how, explanations=(explanation,))
    )


def ratio_source(raw: Raw, group: BenchmarkGroup, op: Op) -> FigureSource:
    """The sources of a test's IOPS and of the raw disk's."""
    explanations = (explain_group(group, op, "iops"), explain_group(counterpart(raw, group), op, "iops"))
    return FigureSource((), "", "iops", answer=BENCHMARKS, how=_RATIO, explanations=explanations)


def step_source(sweep: DepthSweep, index: int, figure: Quantity, how: str = "") -> FigureSource | None:
    """The source of a figure of one step of a sweep."""
    return group_source(sweep.steps[index].group, sweep.op, figure, how)


def gain_source(sweep: DepthSweep, index: int) -> FigureSource | None:
    """The sources of a step's gain: the step and the best of those before it; None for the first."""
    if not index:
        return None
    best = max(range(index), key=lambda at: sweep.steps[at].iops.mean)
    explanations = tuple(explain_group(sweep.steps[at].group, sweep.op, "iops") for at in (index, best))
    return FigureSource((), "", "iops", answer=BENCHMARKS, how=_GAIN, explanations=explanations)


def doubling_source(sweep: DepthSweep, place: int) -> FigureSource | None:
    """The sources of the gain of a doubling: the steps with the most IOPS up to this step and up to its double; None if
    unknown."""
    if doubling_gains(sweep)[place] is None:
        return None
    double = [at for at, depth in enumerate(sweep.at) if depth < 2 * sweep.at[place]]
    ends = (place, min(len(sweep.at) - 1, double[-1] + 1))
    steps = dict.fromkeys(max(range(end + 1), key=lambda at: sweep.steps[at].iops.mean) for end in ends)
    explanations = tuple(explain_group(sweep.steps[at].group, sweep.op, "iops") for at in steps)
    return FigureSource((), "", "iops", answer=BENCHMARKS, how=_DOUBLING, explanations=explanations)


def led(cells: Sequence[Cell], sources: Sequence[FigureSource | None]) -> list[Cell]:
    """The cells, each with its source."""
    return [replace(cell, source=source) for cell, source in zip(cells, sources, strict=True)]
