"""The question of the benchmark page: tests side by side, sweeps, repeats and latencies."""

from __future__ import annotations

import argparse

from workbench.answers.common.options import explain_option
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec

# The value of --raw for the test whose name says that it is the raw disk.
GUESS = "guess"


def _options(parser: argparse.ArgumentParser) -> None:
    explain_option(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--sweeps", action="store_true", help="show how IOPS change with queue depth or threads")
    which.add_argument("--repeats", action="store_true", help="show the mean and confidence interval of repeated tests")
    which.add_argument("--raw", metavar="TEST", help=f"raw-disk test for comparison: name, file or '{GUESS}'")


COMMANDS = (
    Command(
        "benchmarks",
        "list storage benchmark results",
        "vdiwb benchmarks sample_data --format json",
        Lazy("workbench.answers.benchmarks.reply", "benchmarks"),
        options=_options,
    ),
)


KEY = "benchmarks"
PAGE = PageSpec(
    KEY,
    "Benchmarks",
    Lazy("workbench.answers.benchmarks.page", "benchmarks"),
    table_share=34,
    # A view has up to two tables; each has its name.
    table_names=("Benchmark results", "Repeated tests"),
    views=(
        ("side-by-side", "Side by side"),
        ("sweeps", "Queue depth and threads"),
        ("load", "Load curve"),
        ("repeats", "Repeated runs"),
        ("latency", "Latency"),
    ),
    of_every_study=True,
    parts="benchmarks",
    reading={
        "side-by-side": (
            Sign("bar", "Bar: reads or writes of one test"),
            Sign("whisker", "Whiskers: 95 % interval (two runs: range)"),
            Sign("QD", "Queue depth; ×: threads or job clones"),
            Sign("×", "Multiple of the raw disk's IOPS"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "sweeps": (
            Sign("line", "Line: IOPS of each step"),
            Sign("dotted", "Dotted: latency from outstanding I/Os ÷ IOPS"),
            Sign("margin", "Shaded: beyond the knee, IOPS barely rise"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "load": (
            Sign("line", "Line: mean response time"),
            Sign("margin", "Shaded: beyond the knee, latency rises faster"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "repeats": (
            Sign("dots", "Dot: one run"),
            Sign("line", "Line: mean of the runs"),
            Sign("band", "Band: 95 % interval (two runs: range)"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "latency": (
            Sign("bar", "Left: latency percentile of one test"),
            Sign("bar", "Right: share of I/Os per latency range"),
            Sign("—", "Not available (this is not 0)"),
        ),
    },
    docs="answers/benchmarks.md",
)
SPEC = Spec(PAGE, COMMANDS, place=70)
