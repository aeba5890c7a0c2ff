"""`vdiwb benchmarks`: storage benchmark results in one table, sweeps, repeats, and the comparison with the raw disk.

JSON and CSV rows; schemas vdi-workbench/sweeps/1 and vdi-workbench/repeats/1. Keys may be added, never renamed or
removed. null is not available; MB are 10^6 bytes, latencies milliseconds, gains and shares percent.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from workbench.answers.benchmarks.compute import BenchmarkGroup, Measured, families, groups
from workbench.answers.benchmarks.load import RULE, knee_rows, load_curves, load_words
from workbench.answers.benchmarks.raw_disk import is_called, ratio_to_raw, raw_disk
from workbench.answers.benchmarks.repeats_figure import EMPTY as NO_REPEATS
from workbench.answers.benchmarks.repeats_figure import repeated, repeats_name, spread_words
from workbench.answers.benchmarks.sources import BENCHMARK_FIGURES, explain_benchmarks, explain_group
from workbench.answers.benchmarks.spec import GUESS
from workbench.answers.benchmarks.sweep_figure import EMPTY as NO_SWEEP
from workbench.answers.benchmarks.sweep_figure import knee_words, sweep_names
from workbench.answers.benchmarks.sweeps import GAIN, DepthSweep, SweepStep, doubling_gains, gains, sweeps
from workbench.answers.benchmarks.tables import repeated_table, runs_table, sweep_table, telling_slices
from workbench.answers.common.document import Table, attributes, benchmark_rows
from workbench.answers.common.reply import Block, Reply, Text, explain_rows, explain_table, with_sources
from workbench.answers.common.spec import UsageError
from workbench.charts.tables import Cell, RowField, TableData, number_field, table_of, text_field
from workbench.measures.statistics import Change
from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import few_named
from workbench.model.run import Study
from workbench.model.source import Explanation

_MOST_NAMED = 12
NO_BENCHMARKS = "There are no storage benchmark results. The supported tools are listed in docs/formats.md."


def benchmarks(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """Every benchmark row, or the sweeps, repeats or ratios that the options ask for. Raises UsageError for an unknown
    raw-disk test."""
    rows = [row for study in studies for row in study.benchmarks]
    if options.sweeps:
        return _sweeps(rows, options.explain)
    if options.repeats:
        every = repeated(rows)
        reply = Reply(lambda: _repeats_text(every), lambda: repeats_table(every), lambda: repeat_rows(every))
        return _with_means(reply, [(group, group.main_op) for group in every], options.explain)
    if options.raw is not None:
        plain = rows_against_raw(rows, _chosen(rows, options.raw))
        text: Text = [[_ratios_table(plain)]]
    else:
        plain = rows_with_histograms(rows)
        text = [
            [table_of(_RESULT, _with_slices(rows), legend=_UNITS, method=_RESULT_METHOD), *_curves(rows)]
            if rows
            else [NO_BENCHMARKS]
        ]
    if options.explain:
        return _explained(rows, plain)
    flat = list(map(_flat, plain))
    return Reply(lambda: text, lambda: plain, lambda: flat)


def _flat(row: Table) -> Table:
    return {key: value for key, value in row.items() if key not in ("percentile_kind", "histogram", "slices")}


def _with_slices(rows: Sequence[Benchmark]) -> list[Table]:
    """The rows, each followed by its slices that say more than the row."""
    shown: list[Table] = []
    for row in rows:
        slices = telling_slices(row)
        shown += benchmark_rows([row])
        shown += [{**table, "job": f"  {table['part']}"} for table in benchmark_rows(slices)]
    return shown


def _curves(rows: Sequence[Benchmark]) -> list[Block]:
    """A sentence for each load curve, and the rule of its knee."""
    curves: list[Block] = [f"{curve.name}: {load_words(curve)}" for curve in load_curves(rows)]
    return [*curves, RULE] if curves else []


def _explained(rows: Sequence[Benchmark], plain: Sequence[Table]) -> Reply:
    """The rows with the file and the line, or the place in the document, of each figure."""
    return Reply(
        lambda: _listed(list(explain_benchmarks(rows))),
        lambda: [
            table | {"explain": [explain_table(way) for way in explain_benchmarks([row])]}
            for table, row in zip(plain, rows, strict=True)
        ],
        lambda: explain_rows(explain_benchmarks(rows)),
    )


def _listed(ways: Sequence[Explanation]) -> Text:
    return [[way] for way in ways] or [[NO_BENCHMARKS]]


def _sweeps(rows: Sequence[Benchmark], explain: bool) -> Reply:
    every = sweeps(rows)
    reply = Reply(
        lambda: (
            [
                [name, knee_words(sweep), sweep_table(sweep)]
                for name, sweep in zip(sweep_names(every), every, strict=True)
            ]
            or [[NO_SWEEP]]
        ),
        lambda: sweeps_table(every),
        lambda: sweep_rows(every),
    )
    return _with_means(reply, [(step.group, sweep.op) for sweep in every for step in sweep.steps], explain)


def _repeats_text(every: Sequence[BenchmarkGroup]) -> Text:
    if not every:
        return [[NO_REPEATS]]
    tests: list[list[Block]] = [[repeats_name(group), spread_words(group), runs_table(group)] for group in every]
    return [*tests, [repeated_table(every)]]


def _with_means(reply: Reply, tests: Sequence[tuple[BenchmarkGroup, Op]], explain: bool) -> Reply:
    """The reply with the sources of these tests' means, if requested."""
    if not explain:
        return reply
    every = [explain_group(group, op, figure) for group, op in tests for figure in BENCHMARK_FIGURES]
    ways = [way for way in every if way.value is not None]
    sourced = with_sources(reply, ways, below=False)
    return Reply(lambda: _listed(ways), sourced.json, sourced.rows)


def _chosen(rows: Sequence[Benchmark], raw: str) -> str | None:
    """The raw-disk test, None if it is to be guessed. Raises UsageError if the test does not exist."""
    chosen = None if raw == GUESS else raw
    if chosen is not None:
        _known(rows, chosen)
    return chosen


def _known(rows: Sequence[Benchmark], name: str) -> None:
    tests = groups(rows)
    if any(is_called(group, name) for group in tests):
        return
    names = list(dict.fromkeys(group.name for group in tests))
    if not names:
        raise UsageError(NO_BENCHMARKS)
    valid = few_named([f"'{test}'" for test in names], _MOST_NAMED)
    raise UsageError(
        f"No benchmark is called '{name}'. Valid names: {valid}. "
        f"To select the test with 'raw' in its name automatically, use '{GUESS}'."
    )


def _of(key: str) -> Callable[[Table], object]:
    return lambda row: row[key]


_RESULT: tuple[RowField[Table], ...] = (
    text_field("File", _of("path")),
    text_field("Tool", lambda row: f"{row['tool']} {row['tool_version'] or ''}".strip()),
    text_field("Job", _of("job")),
    text_field("Operation", _of("op")),
    number_field("IOPS", _of("iops")),
    number_field("MB/s", _of("mb_per_s")),
    number_field("Mean latency", _of("latency_mean_ms"), unit="ms"),
    number_field("Type of latency", _of("latency_kind"), text=str),
    number_field("p95 ms", _of("latency_p95_ms")),
    number_field("p99 ms", _of("latency_p99_ms")),
    number_field("Block (B)", _of("block_bytes"), text=str),
    number_field("QD", _of("queue_depth"), text=str),
    number_field("Error", lambda row: Cell(row["error"] or "")),
)
_RATIO: tuple[RowField[Table], ...] = (
    text_field("Test", lambda row: row["test"] or row["path"]),
    text_field("Operation", _of("op")),
    text_field("Raw disk", _of("raw_test")),
    number_field("IOPS", _of("iops")),
    number_field("Ratio to raw disk", _of("iops_ratio_to_raw")),
    number_field("from", _of("iops_ratio_low")),
    number_field("to", _of("iops_ratio_high")),
    number_field("MB/s", _of("mb_per_s")),
    number_field("Mean latency", _of("latency_mean_ms"), unit="ms"),
)
_UNITS = "1 MB = 10⁶ bytes. A dash (—) means not measured"
_RESULT_METHOD = (
    "The 'Type of latency' column applies to the mean latency of fio (other tools have only one type)",
    "fio percentiles usually refer to completion latency. To see their type, use --format json",
)
_RATIO_METHOD = (
    "'Ratio to raw disk' = IOPS of the test ÷ IOPS of the raw disk with the same settings",
    "'from' and 'to' are the interval of this ratio (only for repeated tests)",
)


def _ratios_table(rows: Sequence[Table]) -> TableData:
    """Every benchmark row with its ratio to the raw disk."""
    guessed = ("The raw disk test was guessed from its name",) if any(row["raw_test_guessed"] for row in rows) else ()
    return table_of(_RATIO, rows, legend=_UNITS, method=(*_RATIO_METHOD, *guessed))


SWEEPS_SCHEMA = "vdi-workbench/sweeps/1"
REPEATS_SCHEMA = "vdi-workbench/repeats/1"


def rows_with_histograms(rows: Sequence[Benchmark]) -> list[Table]:
    """The contract's rows with more keys.

    `histogram` is [upper edge in ms, share of I/Os in percent] of each bucket, or null. `is_knee` is for rows of a load
    curve, otherwise null. `percentile_kind` is the kind of latency of the percentiles, or null. `slices` are the parts
    of the row by host, storage and workload.
    """
    knees = knee_rows(rows)
    return [
        {
            **table,
            "is_knee": knees.get(id(row)),
            "percentile_kind": row.percentile_kind and row.percentile_kind.value,
            "histogram": [list(bucket) for bucket in row.histogram] or None,
            "slices": benchmark_rows(row.slices),
        }
        for table, row in zip(benchmark_rows(rows), rows, strict=True)
    ]


def rows_against_raw(rows: Sequence[Benchmark], raw: str | None) -> list[Table]:
    """The contract's rows, each with the ratio of its IOPS to the raw disk's of its family and direction.

    `raw` names the raw-disk test; None takes the one whose name says raw. The ratio's ends are the range for two runs
    or the 95 % interval for three or more; null without a ratio or uncertainty.
    """
    ratios = _against_raw(rows, raw)
    return [
        {**table, **_ratio_columns(ratios.get(id(row)))}
        for table, row in zip(rows_with_histograms(rows), rows, strict=True)
    ]


def sweeps_table(sweeps: Sequence[DepthSweep]) -> Table:
    """`vdiwb benchmarks --sweeps --format json` as a value."""
    return {"schema": SWEEPS_SCHEMA, "knee_gain_percent": 100 * GAIN, "sweeps": [_sweep(sweep) for sweep in sweeps]}


def sweep_rows(sweeps: Sequence[DepthSweep]) -> list[Table]:
    """The steps of every sweep, flat."""
    return [{"sweep": index, **_head(sweep), **step} for index, sweep in enumerate(sweeps, 1) for step in _steps(sweep)]


def repeats_table(tests: Sequence[BenchmarkGroup]) -> Table:
    """`vdiwb benchmarks --repeats --format json` as a value."""
    return {
        "schema": REPEATS_SCHEMA,
        "tests": [
            {
                **_subject(group),
                "n": len(_values(group)),
                **{name: _spread(group.measured(group.main_op, name)) for name in ("iops", "mb_per_s")},
                "latency_mean_ms": _spread(group.measured(group.main_op, "latency_mean_ms")),
                "latency_kind": group.latency_kind(group.main_op),
            }
            for group in tests
        ],
    }


def repeat_rows(tests: Sequence[BenchmarkGroup]) -> list[Table]:
    """The runs of every repeated test, flat."""
    return [
        {
            **_subject(group),
            "run": run + 1,
            "iops": value,
            "mb_per_s": _at(group.measured(group.main_op, "mb_per_s"), run),
            "latency_mean_ms": _at(group.measured(group.main_op, "latency_mean_ms"), run),
        }
        for group in tests
        for run, value in enumerate(_values(group))
    ]


def _against_raw(rows: Sequence[Benchmark], raw: str | None) -> dict[int, tuple[str, bool, Change | None]]:
    ratios: dict[int, tuple[str, bool, Change | None]] = {}
    for members in families(groups(rows)).values():
        disk = raw_disk(members, raw)
        if disk is None:
            continue
        for group in members:
            for row in group.rows:
                change = ratio_to_raw(disk, group, row.op) if row.error is None else None
                ratios[id(row)] = (disk.name, disk.guessed, change)
    return ratios


def _ratio_columns(ratio: tuple[str, bool, Change | None] | None) -> Table:
    name, guessed, change = ratio or (None, None, None)
    ratios = attributes(change, to_raw="ratio", low="low", high="high", basis="basis")
    return {"raw_test": name, "raw_test_guessed": guessed} | {f"iops_ratio_{key}": one for key, one in ratios.items()}


def _subject(group: BenchmarkGroup) -> Table:
    return {
        **attributes(group.subject, "path", "tool", "test", "job", "host"),
        "op": group.main_op.value,
        **attributes(group.kind, "block_bytes", "pattern", "read_percent", "queue_depth"),
        "threads": group.threads,
    }


def _head(sweep: DepthSweep) -> Table:
    return {
        "name": sweep.name,
        **attributes(sweep.subject, "tool", "host"),
        "op": sweep.op.value,
        **attributes(sweep.kind, "block_bytes", "pattern", "read_percent"),
        **attributes(sweep, "varies", "holds", "held"),
    }


def _sweep(sweep: DepthSweep) -> Table:
    steps = _steps(sweep)
    return {
        **_head(sweep),
        "knee": steps[sweep.knee],
        "best": steps[sweep.best],
        "still_rising": sweep.open_ended,
        "steps": steps,
    }


def _steps(sweep: DepthSweep) -> list[Table]:
    gained = zip(sweep.steps, gains(sweep), doubling_gains(sweep), strict=True)
    return [
        _step(step, sweep.op, gain, index == sweep.knee) | {"doubling_gain_percent": doubling}
        for index, (step, gain, doubling) in enumerate(gained)
    ]


def _step(step: SweepStep, op: Op, gain: float | None, is_knee: bool) -> Table:
    return {
        "path": step.group.subject.path,
        **attributes(step, "queue_depth", "threads", "outstanding"),
        "n": step.iops.n,
        "iops": step.iops.mean,
        "gain_percent": gain,
        "mb_per_s": _mean(step.mb_per_s),
        "latency_mean_ms": _mean(step.latency_ms),
        "latency_p99_ms": _mean(step.p99_ms),
        "latency_kind": step.group.latency_kind(op),
        "is_knee": is_knee,
    }


def _spread(measured: Measured | None) -> Table | None:
    return None if measured is None else attributes(measured, "mean", "low", "high", "basis", "values")


def _values(group: BenchmarkGroup) -> tuple[float, ...]:
    measured = group.measured(group.main_op, "iops")
    return measured.values if measured else ()


def _at(measured: Measured | None, run: int) -> float | None:
    return measured.values[run] if measured and run < measured.n else None


def _mean(measured: Measured | None) -> float | None:
    return None if measured is None else measured.mean
