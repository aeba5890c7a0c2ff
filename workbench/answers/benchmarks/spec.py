"""Storage benchmarks: tests side by side, sweeps, repeats and latencies."""

from __future__ import annotations

from workbench.answers.benchmarks.command import COMMANDS
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
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
)
SPEC = Spec(PAGE, COMMANDS)
