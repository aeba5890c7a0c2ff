"""The chart of repeated tests: a dot per run, with the mean and its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from workbench.answers.benchmarks.compute import BenchmarkGroup, BenchmarkKind, Measured, Quantity, groups
from workbench.answers.benchmarks.names import family_name, kind_name, latency_name
from workbench.charts.figure import Axis, Band, Figure, Line, Look, Mark, Panel, Points
from workbench.model.benchmark import Benchmark
from workbench.words.captions import captioned
from workbench.words.numbers import THIN, marked, number, percent, plural

QUESTION = "How much do repeated tests vary?"
EMPTY = "No test was repeated, so the variation between runs is unknown. Run a test several times."
# Throughput of one block size has the same shape; the table contains it.
PANELS: tuple[tuple[str, str, Quantity], ...] = (
    ("I/O per second", "IOPS", "iops"),
    ("Mean latency", "ms", "latency_mean_ms"),
)
_RUN = Look("other", marker="circle")
_MEAN = Look("accent")
_SPREAD = {"range": "range of the two runs", "interval": "95 % interval of the mean"}


def repeated(rows: Sequence[Benchmark]) -> tuple[BenchmarkGroup, ...]:
    """The tests that were run more than once, most runs first."""
    by_runs = [(runs_of(group), group) for group in groups(rows)]
    return tuple(group for runs, group in sorted(by_runs, key=lambda pair: -pair[0]) if runs > 1)


def runs_of(group: BenchmarkGroup) -> int:
    """The number of runs of a test with IOPS."""
    measured = group.measured(group.main_op, "iops")
    return measured.n if measured else 0


def repeats_name(group: BenchmarkGroup, kind: Callable[[BenchmarkKind, int], str] = kind_name) -> str:
    """`ten-runs: 8 KiB rand QD16 ×2 read, 10 runs`: a distinct name of a repeated test. With `kind_key` as `kind` it is
    the one that workspaces store."""
    text = kind(group.kind, group.clones)
    return f"{group.name}: {text} {group.main_op.value}, {runs_of(group)} runs".replace("  ", " ")


def repeats_figure(group: BenchmarkGroup) -> Figure:
    """A panel per measured quantity: the runs in their order as dots, their mean as a line, and its 95 % interval as a
    band (the range for two runs)."""
    measureds = [
        (_axis_name(label, quantity, group), unit, group.measured(group.main_op, quantity))
        for label, unit, quantity in PANELS
    ]
    panels = tuple(
        _panel(label, unit, measured, group, index == 0)
        for index, (label, unit, measured) in enumerate(measureds)
        if measured is not None and (unit != "ms" or _says_something(measured))
    )
    subject = " · ".join(dict.fromkeys(part for part in (group.subject.host, group.name) if part))
    runs = runs_of(group)
    spread = "95 % interval of the mean (Student's t)" if runs > 2 else "range of the two runs"
    caption, method = captioned(
        ("The axis does not begin at 0", f"The {plural(runs, 'run')} are in file order"),
        (f"Test: {subject} ({group.subject.tool})", f"Line: mean. Band: {spread}"),
    )
    summary = spread_words(group)
    return Figure("benchmarks-repeats", QUESTION, caption, panels, share_y=False, summary=summary, method=method)


def _axis_name(label: str, quantity: Quantity, group: BenchmarkGroup) -> str:
    if quantity != "latency_mean_ms":
        return label
    return latency_name(label, group.latency_kinds([group.main_op], quantity))


def spread_words(group: BenchmarkGroup) -> str:
    """The answer as a sentence."""
    measured = group.measured(group.main_op, "iops")
    if measured is None or measured.low is None or measured.high is None:
        return "One run each."
    return (
        f"The mean of {plural(measured.n, 'run')} is {number(measured.mean)} IOPS ({_SPREAD[measured.basis]}: "
        f"{number(measured.low)} to {number(measured.high)}). "
        f"All runs are within {spread_percent(measured)} of each other."
    )


def spread_percent(measured: Measured) -> str:
    """Highest minus lowest in percent of the mean."""
    if not measured.mean:
        return percent(None)
    share = 100 * (max(measured.values) - min(measured.values)) / measured.mean
    return marked(f"{share:.2f}") + f"{THIN}%" if share < 1 else percent(share)


def _says_something(measured: Measured) -> bool:
    """True if the values differ. Latencies cut to whole milliseconds are mostly equal and show nothing."""
    return len(set(measured.values)) > 1


def _panel(label: str, unit: str, measured: Measured, group: BenchmarkGroup, first: bool) -> Panel:
    at = np.arange(measured.n, dtype=np.float64)
    ends = np.array([-0.5, measured.n - 0.5])
    marks: list[Mark] = []
    if measured.low is not None and measured.high is not None:
        name = _SPREAD[measured.basis]
        marks.append(Band(name, ends, np.full(2, measured.low), np.full(2, measured.high), _MEAN))
    marks.append(Line("mean", ends, np.full(2, measured.mean), _MEAN))
    names = tuple(f"run {run}" for run in range(1, measured.n + 1))
    marks.append(Points("one run", at, np.array(measured.values), _RUN, names))
    axis = Axis("Run", categories=tuple(str(run) for run in range(1, measured.n + 1)))
    subtitle = family_name(group.family) if first else ""
    return Panel("", axis, Axis(label, unit, limits=_limits(measured)), tuple(marks), subtitle=subtitle, legend=first)


def _limits(measured: Measured) -> tuple[float, float]:
    """Axis limits around the runs and the interval: repeats are close, and an axis from 0 would show one line."""
    ends = [value for value in (measured.low, measured.high) if value is not None]
    low, high = min((*measured.values, *ends)), max((*measured.values, *ends))
    pad = 0.12 * (high - low) or 0.01 * abs(high) or 1.0
    return (low - pad if low - pad > 0 or low < 0 else 0.0), high + pad
