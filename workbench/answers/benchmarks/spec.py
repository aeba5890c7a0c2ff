"""Storage benchmarks: tests side by side, sweeps, repeats and latencies."""

from __future__ import annotations

from workbench.answers.benchmarks.command import COMMANDS
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec

KEY = "benchmarks"
PAGE = PageSpec(
    KEY,
    "Benchmarks",
    Lazy("workbench.answers.benchmarks.page", "benchmarks"),
    table_share=34,
    # Up to two tables stand on a view; each names itself.
    table_names=("Benchmark results", "Repeated tests"),
    views=(
        ("side-by-side", "Side by side"),
        ("sweeps", "Queue depth and threads"),
        ("load", "Load curve"),
        ("repeats", "Repeated runs"),
        ("latency", "Latency"),
    ),
    of_every_study=True,
    reading={
        "side-by-side": (
            Sign("bar", "Bar: one test and direction"),
            Sign("whisker", "Whiskers: 95 % interval or range"),
            Sign("QD", "Queue depth × threads or clones"),
            Sign("×", "Times the raw disk"),
            Sign("—", "Not available, never 0"),
        ),
        "sweeps": (
            Sign("line", "Line: IOPS of each step"),
            Sign("dotted", "Dotted: outstanding I/O ÷ IOPS"),
            Sign("margin", "Shaded: beyond the knee"),
            Sign("—", "Not available, never 0"),
        ),
        "load": (
            Sign("line", "Line: mean response time"),
            Sign("margin", "Shaded: beyond the knee"),
            Sign("—", "Not available, never 0"),
        ),
        "repeats": (
            Sign("dots", "Dot: one run"),
            Sign("line", "Line: mean of the runs"),
            Sign("band", "Band: 95 % interval or range"),
            Sign("—", "Not available, never 0"),
        ),
        "latency": (
            Sign("bar", "Left bar: a percentile of a test"),
            Sign("bar", "Right bar: share of the I/Os"),
            Sign("—", "Not available, never 0"),
        ),
    },
    docs="answers/benchmarks.md",
)
SPEC = Spec(PAGE, COMMANDS)
