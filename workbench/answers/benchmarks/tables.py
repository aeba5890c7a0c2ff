"""The tables behind the benchmark charts.

Figures keep the digits that the tools printed, so users find the published number again. MB/s are 10^6 bytes per
second, MiB/s (called MB/s by most tools) 2^20.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.answers.benchmarks.compute import (
    BenchmarkGroup,
    Family,
    Measured,
    Quantity,
    benchmark_table,
    families,
    groups,
    runs_of_rows,
)
from workbench.answers.benchmarks.latency_figure import bucket_names, common_edges, regrouped, with_histogram
from workbench.answers.benchmarks.names import labels
from workbench.answers.benchmarks.raw_disk import Raw, ratio_to_raw
from workbench.answers.benchmarks.repeats_figure import repeats_name, runs_of, spread_percent
from workbench.answers.benchmarks.sources import (
    MIB_WORDS,
    doubling_source,
    gain_source,
    group_source,
    led,
    ratio_source,
    row_source,
    step_source,
)
from workbench.answers.benchmarks.sweeps import DepthSweep, doubling_gains, gains
from workbench.answers.common.change_words import change_text
from workbench.charts.figure import FigureSource
from workbench.charts.tables import (
    Cell,
    Column,
    RowField,
    TableData,
    number_field,
    table_by_columns,
    table_of,
    text_field,
)
from workbench.model.benchmark import Benchmark
from workbench.words.numbers import MISSING, THIN, fixed, four_digits, number

MIB = 1.048576
_MB = Column("Throughput", "MB/s", tip="Throughput in 10⁶ bytes per second")
_MIB = Column(
    "Throughput", "MiB/s", tip="Throughput in 2²⁰ bytes per second (MB/s in SQLIO, Iometer, DiskSpd and vdbench)"
)
_LATENCY_OF = Column(
    "Type of latency",
    numeric=False,
    tip="Total: from submission to completion. Completion: without submission time. "
    "—: the tool reports only one latency",
)
_UNITS = "1 MB = 10⁶ bytes, 1 MiB = 2²⁰ bytes"
_PERCENTILES = "The benchmark tool calculated the percentiles"
_Part = tuple[Column, Sequence[Cell]]


def results_table(rows: Sequence[Benchmark], shown: Family | None, raw: Raw | None) -> TableData:
    """Every benchmark row, those of the family `shown` first and with the ratio of their IOPS to the raw disk's."""
    ordered = _family_first(benchmark_table(rows), shown)
    ratios = _ratios(ordered, shown, raw)
    mib = _by_tool(ordered, [_mib(row.mb_per_s) for row in ordered])
    against = Column("IOPS", "× raw", tip="IOPS as a multiple of the raw disk with the same settings")
    return table_by_columns(
        *_subjects(ordered),
        (Column("IOPS"), _of_rows(ordered, "iops")),
        (against, [ratios.get(id(row), Cell(MISSING)) for row in ordered]),
        (_MB, _of_rows(ordered, "mb_per_s")),
        (_MIB, led(mib, [row_source(row, "mb_per_s", MIB_WORDS) for row in ordered])),
        *_latencies(ordered),
        *_settings(ordered),
        (Column("Job", numeric=False), [Cell(row.job or MISSING, row.job) for row in ordered]),
        _tools(ordered),
        (Column("Error", numeric=False), [Cell(row.error or "", row.error) for row in ordered]),
        method=(_UNITS, _PERCENTILES),
    )


def latency_table(rows: Sequence[Benchmark], shown: Family | None) -> TableData:
    """The latencies of every row, with the rows of the family `shown` first."""
    ordered = _family_first(benchmark_table(rows), shown)
    iops = Column("IOPS"), _of_rows(ordered, "iops")
    columns = *_subjects(ordered), *_latencies(ordered), iops, *_settings(ordered), _tools(ordered)
    return table_by_columns(*columns, method=(_PERCENTILES,))


def sweep_table(sweep: DepthSweep) -> TableData:
    """The steps of a sweep: the gain over the best before, and the knee."""
    steps = sweep.steps
    marks = ["" for _ in steps]
    marks[sweep.best] = "most IOPS"
    marks[sweep.knee] = "knee, most IOPS" if sweep.best == sweep.knee else "knee"
    doubling = "IOPS gain from doubling the I/Os in flight. Knee: first step with a gain below 10 %"

    def counts(values: Iterable[int | None]) -> list[Cell]:
        return [_count(value) for value in values]

    def measured(values: Sequence[float | None], figure: Quantity, most: int = 2, how: str = "") -> list[Cell]:
        return led(figures(values, most), [step_source(sweep, index, figure, how) for index in range(len(steps))])

    def gained(
        values: Sequence[float | None], source: Callable[[DepthSweep, int], FigureSource | None]
    ) -> Sequence[Cell]:
        cells = [Cell(MISSING if gain is None else fixed(gain, 1), gain) for gain in values]
        return led(cells, [source(sweep, index) for index in range(len(steps))])

    mb = [_mean(step.mb_per_s) for step in steps]
    return table_by_columns(
        (Column("Queue", "depth"), counts(step.queue_depth for step in steps)),
        (Column("Threads"), counts(step.threads for step in steps)),
        (Column("Outstanding I/Os", tip="Threads × queue depth"), counts(step.outstanding for step in steps)),
        (Column("IOPS"), measured([step.iops.mean for step in steps], "iops")),
        (
            Column("Gain", "over the best smaller step, %", tip="IOPS gain over the best of the smaller steps"),
            gained(gains(sweep), gain_source),
        ),
        (Column("Gain", "from doubling the load, %", tip=doubling), gained(doubling_gains(sweep), doubling_source)),
        (_MB, measured(mb, "mb_per_s")),
        (_MIB, measured([_mib(value) for value in mb], "mb_per_s", how=MIB_WORDS)),
        (Column("Mean", "ms"), measured([_mean(step.latency_ms) for step in steps], "latency_mean_ms", 3)),
        (Column("p99", "ms"), measured([_mean(step.p99_ms) for step in steps], "latency_p99_ms", 3)),
        (Column("Repeats"), counts(step.iops.n for step in steps)),
        (Column("Remark", numeric=False), [Cell(mark, mark or None) for mark in marks]),
        method=(_UNITS,),
    )


def runs_table(group: BenchmarkGroup) -> TableData:
    """The runs of a repeated test in their order, then their mean and the ends of its interval."""
    columns = Column("IOPS"), _MB, _MIB, Column("Mean", "ms")
    measureds = [group.measured(group.main_op, quantity) for quantity in _RUN_QUANTITIES]
    scales = (1.0, 1.0, MIB, 1.0)
    runs = max((measured.n for measured in measureds if measured), default=0)
    names = [str(run) for run in range(1, runs + 1)]
    spread = {"interval": "95 % interval,", "range": "range,"}.get(measureds[0].basis if measureds[0] else "", "")
    # The mean of ten figures with two decimals has three.
    columns_of = [
        figures(_shown(measured, runs, scale)[:runs]) + figures(_shown(measured, runs, scale)[runs:], 3)
        for measured, scale in zip(measureds, scales, strict=True)
    ]
    quantities = zip(columns_of, _RUN_QUANTITIES, ("", "", MIB_WORDS, ""), strict=True)
    columns_of = [
        [replace(cell, source=_run_source(group, quantity, index, runs, how)) for index, cell in enumerate(cells)]
        for cells, quantity, how in quantities
    ]
    heads = [Cell(name, name) for name in (*names, "mean", f"{spread} from", f"{spread} to")]
    parts = zip(columns, columns_of, strict=True)
    return table_by_columns((Column("Run", numeric=False), heads), *parts, method=(_UNITS,))


class _Repeated(NamedTuple):
    group: BenchmarkGroup
    measured: Measured

    def source(self, _figure: str) -> FigureSource | None:
        return group_source(self.group, self.group.main_op, "iops")


_BASIS = {"interval": "95 % interval of the mean", "range": "range of two runs", "single": "one run"}
_REPEATED: tuple[RowField[_Repeated], ...] = (
    text_field("Test", lambda row: Cell(repeats_name(row.group), row.group.name)),
    number_field("Runs", lambda row: _count(runs_of(row.group))),
    number_field("IOPS", lambda row: row.measured.mean, unit="mean", figure="iops"),
    number_field("Interval", lambda row: row.measured.low, unit="low"),
    number_field("Interval", lambda row: row.measured.high, unit="high"),
    text_field("Type of interval", lambda row: Cell(_BASIS[row.measured.basis], row.measured.basis)),
    number_field(
        "Variation",
        lambda row: _range(row.measured),
        unit="%",
        tip="Variation between runs: highest minus lowest, as % of the mean",
    ),
)


def repeated_table(tests: Sequence[BenchmarkGroup]) -> TableData:
    """Every test that was repeated, with its mean, its interval and its spread."""
    every = ((group, group.measured(group.main_op, "iops")) for group in tests)
    return table_of(_REPEATED, [_Repeated(group, found) for group, found in every if found], _Repeated.source)


def _range(measured: Measured) -> Cell:
    return Cell(spread_percent(measured).removesuffix(f"{THIN}%"), max(measured.values) - min(measured.values))


def histogram_table(shown: Sequence[BenchmarkGroup]) -> TableData:
    """The shares of the I/Os by latency: a row per bucket that all tests share, a column per test."""
    histograms = with_histogram(shown)
    edges = common_edges([histogram for _, histogram in histograms])
    names = labels([group for group, _ in histograms])
    columns = (Column("Latency", "ms", numeric=False), *(Column(name, "% of I/Os") for name in names))
    shares = [regrouped(histogram, edges) for _, histogram in histograms]
    rows = tuple(
        (Cell(name, edge), *(Cell(fixed(column[index], 1), column[index]) for column in shares))
        for index, (name, edge) in enumerate(zip(bucket_names(edges), edges, strict=True))
    )
    return TableData(columns, rows, "All tests use the same latency buckets")


def figures(values: Sequence[float | None], most: int = 2) -> list[Cell]:
    """The cells of one column, all with the decimals of the finest value, at most `most`."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    decimals = max((_decimals(value, most) for value in known), default=0)
    return [
        Cell(MISSING) if value is None else Cell(fixed(value, decimals), value, brief=_brief(value, decimals))
        for value in values
    ]


def _brief(value: float, decimals: int) -> str:
    """The text in the window: at most four significant digits."""
    whole = len(f"{abs(value):.0f}")
    return fixed(four_digits(value), min(decimals, max(0, 4 - whole)))


def _run_source(group: BenchmarkGroup, quantity: Quantity, index: int, runs: int, how: str) -> FigureSource | None:
    """The source of one run's number, otherwise of the mean, which also applies to the ends of its interval."""
    rows = [row for row in group.rows if row.op is group.main_op and row.error is None]
    alone = [run for run in runs_of_rows(rows) if all(getattr(row, quantity) is not None for row in run)]
    if index < len(alone) and len(alone[index]) == 1:
        return row_source(alone[index][0], quantity, how)
    return group_source(group, group.main_op, quantity, how) if index >= runs else None


_RUN_QUANTITIES: tuple[Quantity, ...] = ("iops", "mb_per_s", "mb_per_s", "latency_mean_ms")


def _shown(measured: Measured | None, runs: int, scale: float) -> list[float | None]:
    values: list[float | None] = [None] * (runs + 3)
    if measured is None:
        return values
    known = [*measured.values, *[None] * (runs - measured.n), measured.mean, measured.low, measured.high]
    return [None if value is None else value / scale for value in known]


def _decimals(value: float, most: int) -> int:
    """The number of decimals that show the value fully, at most `most`."""
    return next(count for count in range(most + 1) if math.isclose(round(value, count), round(value, most)))


def _family_first(rows: Sequence[Benchmark], shown: Family | None) -> list[Benchmark]:
    """The rows of a family, then the others, each in their order."""
    by_family = families(groups(rows))
    of_family = {id(row) for group in by_family.get(shown, ()) for row in group.rows} if shown else set()
    return sorted(rows, key=lambda row: id(row) not in of_family)


def _ratios(rows: Sequence[Benchmark], shown: Family | None, raw: Raw | None) -> dict[int, Cell]:
    """The cells with the ratio of each row of the family to the raw disk."""
    if shown is None or raw is None:
        return {}
    cells: dict[int, Cell] = {}
    for group in families(groups(rows)).get(shown, ()):
        for row in group.rows:
            change = ratio_to_raw(raw, group, row.op) if row.error is None else None
            if raw.holds(group):
                cells[id(row)] = Cell("raw disk", 1.0)
            elif change is not None:
                words, source = change_text(change, "IOPS", None), ratio_source(raw, group, row.op)
                cells[id(row)] = Cell(number(change.ratio), change.ratio, words, source=source)
    return cells


def _of_rows(rows: Sequence[Benchmark], figure: str) -> list[Cell]:
    """A figure of each row as its tool states it, with its source."""
    cells = _by_tool(rows, [getattr(row, figure) for row in rows])
    return led(cells, [row_source(row, figure) for row in rows])


def _by_tool(rows: Sequence[Benchmark], values: Sequence[float | None]) -> list[Cell]:
    """A column in which each tool keeps its decimals: Iometer's whole numbers stay whole next to SQLIO's."""
    cells: list[Cell] = [Cell(MISSING)] * len(rows)
    for tool in {row.tool for row in rows}:
        places = [index for index, row in enumerate(rows) if row.tool == tool]
        for index, cell in zip(places, figures([values[index] for index in places]), strict=True):
            cells[index] = cell
    return cells


def _subjects(rows: Sequence[Benchmark]) -> tuple[_Part, ...]:
    tests = [Cell(row.test or row.path, row.test, row.path) for row in rows]
    return (Column("Test", numeric=False), tests), (
        Column("Operation", numeric=False),
        [Cell(row.op, row.op.value) for row in rows],
    )


def _latencies(rows: Sequence[Benchmark]) -> tuple[_Part, ...]:
    """The mean and the percentiles, and the kind of latency that they are."""
    named = {"Mean": "latency_mean_ms", "p50": "latency_p50_ms", "p95": "latency_p95_ms", "p99": "latency_p99_ms"}
    of_each = ((Column(title, "ms"), _of_rows(rows, name)) for title, name in named.items())
    return *of_each, (_LATENCY_OF, [_latency_kind(row) for row in rows])


def _settings(rows: Sequence[Benchmark]) -> tuple[_Part, ...]:
    blocks = [_number(_kib(row.block_bytes)) for row in rows]
    return (
        (Column("Block", "KiB"), blocks),
        (Column("Queue", "depth"), [_count(row.queue_depth) for row in rows]),
        (Column("Jobs"), [_count(row.threads) for row in rows]),
    )


def _tools(rows: Sequence[Benchmark]) -> _Part:
    texts = (f"{row.tool} {row.tool_version or ''}".strip() for row in rows)
    return Column("Tool", numeric=False), [Cell(text, text) for text in texts]


def _latency_kind(row: Benchmark) -> Cell:
    """The kind of latency of the mean, and of the percentiles if theirs is another."""
    kinds = dict.fromkeys((row.latency_kind or row.percentile_kind, row.percentile_kind or row.latency_kind))
    text = "; percentiles: ".join(kind for kind in kinds if kind)
    text = f"mean: {text}" if ";" in text else text
    return Cell(f"{text} latency" if ";" in text else text or MISSING, text or None)


def _kib(size: float | None) -> float | None:
    """Whole if it is a whole number of KiB."""
    return size if size is None else int(size // 1024) if size % 1024 == 0 else size / 1024


def _mib(mb: float | None) -> float | None:
    return None if mb is None else mb / MIB


def _mean(measured: Measured | None) -> float | None:
    return None if measured is None else measured.mean


def _number(value: float | None) -> Cell:
    return Cell(number(value), value)


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)


def telling_slices(row: Benchmark) -> tuple[Benchmark, ...]:
    """The slices that say more than the run: of kinds with several slices, and no slaves if each host has one."""
    kinds = Counter(_slice_kind(part) for part in row.slices)
    return tuple(
        part
        for part in row.slices
        if kinds[_slice_kind(part)] > 1 and not (_slice_kind(part) == "slave" and kinds["slave"] == kinds["host"])
    )


def _slice_kind(row: Benchmark) -> str:
    """`host` of `host n1`."""
    return (row.part or "").rpartition(" ")[0]


def slices_table(rows: Sequence[Benchmark]) -> TableData:
    """A row for each slice that says more than its run, with its share of the run's IOPS; no rows if there are none."""
    pairs = [(row, part) for row in rows for part in telling_slices(row)]
    parts = [part for _, part in pairs]
    shares = [100 * part.iops / row.iops if part.iops is not None and row.iops else None for row, part in pairs]

    def measured(figure: str, most: int = 2) -> list[Cell]:
        cells = figures([getattr(part, figure) for part in parts], most)
        return led(cells, [row_source(part, figure) for part in parts])

    return table_by_columns(
        (Column("Run", numeric=False), [Cell(row.job or row.path, row.job, row.path) for row, _ in pairs]),
        (Column("Slice", numeric=False), [Cell(part.part or MISSING, part.part, part.path) for part in parts]),
        (Column("Operation", numeric=False), [Cell(part.op, part.op.value) for part in parts]),
        (Column("IOPS"), measured("iops")),
        (Column("Share", "%", tip="Share of the run's IOPS in this direction"), figures(shares, 1)),
        (Column("Throughput", "MB/s", tip="Throughput in 10⁶ bytes per second"), measured("mb_per_s")),
        (Column("Mean", "ms"), measured("latency_mean_ms", 3)),
        legend="Slices repeat the values of their run",
        method=("Sums and comparisons exclude slices",),
    )
