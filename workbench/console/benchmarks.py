"""`vdiwb benchmarks`: storage benchmark results in one table, their sweeps, their repeats, and against the raw disk."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.answers.benchmarks import document as exported
from workbench.answers.benchmarks.compute import groups
from workbench.answers.benchmarks.raw_disk import is_called
from workbench.answers.benchmarks.repeats_figure import EMPTY as NO_REPEATS
from workbench.answers.benchmarks.repeats_figure import repeated, repeats_name, spread_words
from workbench.answers.benchmarks.sources import BENCHMARK_FIGURES, explain_group
from workbench.answers.benchmarks.sources import explain_rows as rows_explained
from workbench.answers.benchmarks.sweep_figure import EMPTY as NO_SWEEP
from workbench.answers.benchmarks.sweep_figure import knee_words, sweep_name
from workbench.answers.benchmarks.sweeps import sweeps
from workbench.answers.benchmarks.tables import repeated_table, runs_table, sweep_table
from workbench.answers.common.document import Table, benchmark_rows, to_csv, to_json
from workbench.answers.common.explain_document import explain_rows
from workbench.console.command import Command, UsageError
from workbench.console.explain import explain_key, explain_option, explain_text
from workbench.console.tables import benchmarks_text, cell_text, drawn, printable, table_text, text_table
from workbench.model.benchmark import Benchmark
from workbench.model.run import Study
from workbench.model.source import Explanation
from workbench.words.numbers import number

GUESS = "guess"
_MOST_NAMED = 12
NO_BENCHMARKS = "No storage benchmark results (docs/formats.md lists the tools that are read)."


def _benchmarks(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    rows = [row for study in studies for row in study.benchmarks]
    if options.explain:
        return _explained(rows, options)
    if options.sweeps:
        return _sweeps(rows, options.format)
    if options.repeats:
        return _repeats(rows, options.format)
    if options.raw is not None:
        return _against_raw(rows, options.raw, options.format)
    if options.format == "json":
        return to_json(exported.rows_with_histograms(rows))
    contract = benchmark_rows(rows)
    if options.format == "csv":
        return to_csv(contract)
    return benchmarks_text(contract) if rows else NO_BENCHMARKS


def _explained(rows: Sequence[Benchmark], options: argparse.Namespace) -> str:
    """The same with the file and the line, or the place in its document, of each figure."""
    means = _means(rows, options)
    if options.format == "csv":
        return to_csv(explain_rows(rows_explained(rows) if means is None else means))
    if options.format == "table":
        return explain_text(list(rows_explained(rows)) if means is None else means) or NO_BENCHMARKS
    if means is not None:
        table = (
            exported.sweeps_table(sweeps(rows)) if options.sweeps else exported.repeats_table(repeated(rows))
        )
        return to_json(table | explain_key(options, means))
    plain = exported.rows_with_histograms(rows)
    if options.raw is not None:
        plain = exported.rows_against_raw(rows, _chosen(rows, options.raw))
    return to_json(
        [
            one | explain_key(options, list(rows_explained([row])))
            for one, row in zip(plain, rows, strict=True)
        ]
    )


def _means(rows: Sequence[Benchmark], options: argparse.Namespace) -> list[Explanation] | None:
    """Of the steps of the sweeps, or of the repeated tests, where these are asked for."""
    if options.sweeps:
        tests = [(step.group, one.op) for one in sweeps(rows) for step in one.steps]
    elif options.repeats:
        tests = [(group, group.main_op) for group in repeated(rows)]
    else:
        return None
    found = [explain_group(group, op, figure) for group, op in tests for figure in BENCHMARK_FIGURES]
    return [one for one in found if one.value is not None]


def _sweeps(rows: Sequence[Benchmark], form: str) -> str:
    found = sweeps(rows)
    if form == "json":
        return to_json(exported.sweeps_table(found))
    if form == "csv":
        return to_csv(exported.sweep_rows(found))
    parts = [
        "\n".join((printable(sweep_name(one)), printable(knee_words(one)), table_text(sweep_table(one))))
        for one in found
    ]
    return "\n\n".join(parts) or NO_SWEEP


def _repeats(rows: Sequence[Benchmark], form: str) -> str:
    found = repeated(rows)
    if form == "json":
        return to_json(exported.repeats_table(found))
    if form == "csv":
        return to_csv(exported.repeat_rows(found))
    if not found:
        return NO_REPEATS
    parts = [
        "\n".join((printable(repeats_name(one)), printable(spread_words(one)), table_text(runs_table(one))))
        for one in found
    ]
    return "\n\n".join([*parts, table_text(repeated_table(found))])


def _against_raw(rows: Sequence[Benchmark], raw: str, form: str) -> str:
    found = exported.rows_against_raw(rows, _chosen(rows, raw))
    if form == "json":
        return to_json(found)
    if form == "csv":
        return to_csv([{key: value for key, value in row.items() if key != "histogram"} for row in found])
    return _ratios_text(found)


def _chosen(rows: Sequence[Benchmark], raw: str) -> str | None:
    """The raw-disk test, None where it is to be guessed; raises UsageError where there is no such test."""
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
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    raise UsageError(
        printable(
            f"No benchmark is called '{name}'. There are: {', '.join(names[:_MOST_NAMED])}{more}; "
            f"'{GUESS}' takes the test whose name says raw."
        )
    )


def _ratios_text(rows: Sequence[Table]) -> str:
    table = text_table(("Test", "Op", "Raw disk", "IOPS", "x raw", "from", "to", "MB/s", "Mean ms"), left=3)
    for row in rows:
        table.add_row(
            cell_text(row["test"] or row["path"]),
            row["op"],
            cell_text(row["raw_test"] or "—"),
            number(row["iops"]),
            number(row["iops_ratio_to_raw"]),
            number(row["iops_ratio_low"]),
            number(row["iops_ratio_high"]),
            number(row["mb_per_s"]),
            number(row["latency_mean_ms"]),
        )
    guessed = " The raw disk was guessed by its name." if any(row["raw_test_guessed"] for row in rows) else ""
    return (
        f"{drawn(table)}\nx raw is IOPS of the test / IOPS of the raw disk of the same block size, pattern, mix and "
        f"direction; from and to need repeats.{guessed} MB is 10^6 bytes. — is not measured."
    )


def _options(parser: argparse.ArgumentParser) -> None:
    explain_option(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--sweeps", action="store_true", help="queue-depth and thread sweeps with their knee")
    which.add_argument("--repeats", action="store_true", help="repeated tests with their mean and interval")
    which.add_argument(
        "--raw", metavar="TEST", help=f"against this raw-disk test (its name or file; '{GUESS}': by its name)"
    )


COMMAND = Command(
    "benchmarks",
    "storage benchmark results in one table",
    "vdiwb benchmarks sample_data --format json",
    _benchmarks,
    ("table", "json", "csv"),
    _options,
)
