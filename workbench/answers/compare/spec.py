"""The question of Compare and its page, and the options of `vdiwb compare` and `vdiwb plan`."""

from __future__ import annotations

import argparse

from workbench.answers.common.options import baseline_option, check_explain, explain_options, margin_option
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    baseline_option(parser)
    margin_option(parser)
    parser.add_argument(
        "--phase", action="append", default=[], metavar="PHASE", help="phase to show; repeatable (default: all)"
    )
    explain_options(parser)


def _plan_options(parser: argparse.ArgumentParser) -> None:
    # argparse treats a single percent sign in a help text as a placeholder.
    parser.add_argument(
        "--detect", default="5%", metavar="PERCENT", help="smallest change that the runs must detect (default: 5%%)"
    )
    baseline_option(parser)
    margin_option(parser)
    parser.add_argument(
        "--add",
        action="append",
        default=[],
        metavar="CONFIGURATION",
        help="additional configuration to plan, such as 'MCSIO 8 GB'; repeatable",
    )


def _distribution_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metric",
        default="iops_per_vm",
        metavar="KEY",
        help="metric to show, such as read_latency_ms (default: iops_per_vm)",
    )
    parser.add_argument(
        "--phase", action="append", default=[], metavar="PHASE", help="phase to show; repeatable (default: all)"
    )


COMMANDS = (
    Command(
        "compare",
        "compare configurations, with confidence intervals and verdicts",
        "vdiwb compare sample_data --baseline MCS --format json",
        Lazy("workbench.answers.compare.reply", "compared"),
        options=_options,
        check=check_explain,
    ),
    Command(
        "plan",
        "plan the number and order of runs",
        "vdiwb plan sample_data --detect 5%",
        Lazy("workbench.answers.compare.plan", "planned"),
        options=_plan_options,
        check=Lazy("workbench.answers.compare.plan", "check_plan"),
    ),
    Command(
        "distribution",
        "show percentiles and a histogram of a metric",
        "vdiwb distribution sample_data --metric read_latency_ms --phase steady",
        Lazy("workbench.answers.compare.reply", "distributed"),
        options=_distribution_options,
        check=Lazy("workbench.answers.compare.reply", "check_metric"),
    ),
)


_CHANGES = (
    Sign("bar", "Bar: change from the baseline"),
    Sign("whisker", "Whiskers: 95 % interval (two runs: range)"),
    Sign("margin", "Changes inside the band are rated 'same'"),
    Sign("✓", "Better or worse: outside the band and significant"),
    Sign("~", "Inconclusive"),
    Sign("—", "Not available (this is not 0)"),
)
PAGE = PageSpec(
    "compare",
    "Compare",
    Lazy("workbench.answers.compare.page", "answer"),
    frozenset(("phase", "metric")),
    table_share=36,
    table_names=("Comparison",),
    views=(
        ("estimation", "Differences"),
        ("metric", "Every phase"),
        ("distribution", "Distribution"),
        ("duration", "Phase durations"),
        ("plan", "Runs needed"),
    ),
    unused={"duration": frozenset(("metric",)), "plan": frozenset(("phase", "metric"))},
    lists=True,
    reading={
        "estimation": (
            Sign("dots", "A dot is one run"),
            Sign("line", "Line: mean of the runs"),
            Sign("whisker", "Below: difference with its interval or range"),
            Sign("margin", "Changes inside the band are rated 'same'"),
            Sign("✓", "Better or worse: outside the band and significant"),
            Sign("dashed", "Dashed: the baseline"),
        ),
        "metric": _CHANGES,
        "duration": _CHANGES,
        "distribution": (
            Sign("line", "Left: share of samples in each bin"),
            Sign("line", "Right: share of samples up to a value"),
            Sign("dots", "Dots: p50, p95 and p99"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "plan": (Sign("*", "Variation assumed, not measured"), Sign("—", "Not available (this is not 0)")),
    },
    docs="answers/compare.md",
)
SPEC = Spec(PAGE, COMMANDS, place=80)
