"""Where the figures of storage benchmarks come from: the file of a tool, and the line or the place in its document.

The place is as the reader knows it: the line of a text, the path of a value in JSON or XML. What a tool states of a
test as a whole has one source; means over repeats and sums over clones have one for each row, with its share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.answers.benchmarks.compute import Group, Quantity, runs_of_rows
from workbench.model.benchmark import Benchmark, Op
from workbench.model.source import Explanation, SourceRows, stated_source

BENCHMARK_FIGURES: tuple[Quantity, ...] = (
    "iops",
    "mb_per_s",
    "latency_mean_ms",
    "latency_p50_ms",
    "latency_p95_ms",
    "latency_p99_ms",
)
_SUMMED = ("iops", "mb_per_s")
_TOTALS = {
    "fio": "of both directions: IOPS and MB/s added, the mean latency weighted by the count of I/Os",
    "vmfleet": "of both directions: MB/s added, the mean latency weighted by IOPS",
}


def explain_row(row: Benchmark, figure: str) -> Explanation:
    """Where a figure (a field of Benchmark) of one row comes from."""
    value = getattr(row, figure)
    return _of_row(row, figure, value, _stated(row), (_source(row, value),))


def explain_benchmarks(rows: Iterable[Benchmark]) -> Iterator[Explanation]:
    """Every figure that each row has."""
    for row in rows:
        for figure in BENCHMARK_FIGURES:
            if getattr(row, figure) is not None:
                yield explain_row(row, figure)


def explain_group(group: Group, op: Op, figure: Quantity) -> Explanation:
    """Where the mean of a test over its repeats comes from: each row with its share of the mean."""
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
        words.append("clones added" if figure in _SUMMED else "mean over clones weighted by IOPS")
    if measured.n > 1:
        words.append(f"mean over {measured.n} runs")
    return _of_row(rows[0], figure, measured.mean, "; ".join(words), sources)


def _stated(row: Benchmark) -> str:
    whole = _TOTALS.get(row.tool) if row.op is Op.TOTAL else None
    return whole or f"as {row.tool} states it"


def _source(row: Benchmark, value: float | None, run: str = "") -> SourceRows:
    named = [row.tool, row.job or row.test or "", row.op.value, run]
    words = ", ".join(part for part in named if part)
    return stated_source(row.path, row.line, value, words, row.place, row.host or "")


def _of_row(
    row: Benchmark, figure: str, value: float | None, formula: str, sources: tuple[SourceRows, ...] = (), note: str = ""
) -> Explanation:
    name = row.test or row.job or row.path
    return Explanation(figure, value, formula, sources, note, run=name, configuration=row.job or "")
