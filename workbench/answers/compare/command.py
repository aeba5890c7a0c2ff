"""`vdiwb compare` and `vdiwb plan`: their options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import baseline_option, check_explain, explain_options, margin_option


def _options(parser: argparse.ArgumentParser) -> None:
    baseline_option(parser)
    margin_option(parser)
    parser.add_argument(
        "--phase", action="append", default=[], metavar="PHASE", help="phase to show; repeatable (default: all)"
    )
    explain_options(parser)


def _plan_options(parser: argparse.ArgumentParser) -> None:
    # argparse takes a lone percent sign in a help for one of its own marks.
    parser.add_argument("--detect", default="5%", metavar="PERCENT", help="change to detect (default: 5%%)")
    baseline_option(parser)
    margin_option(parser)
    parser.add_argument(
        "--add",
        action="append",
        default=[],
        metavar="CONFIGURATION",
        help="configuration without runs, such as an untested size; repeatable",
    )


def _distribution_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--metric", default="iops_per_vm", metavar="METRIC", help="metric key (default: iops_per_vm)")
    parser.add_argument(
        "--phase", action="append", default=[], metavar="PHASE", help="phase to show; repeatable (default: all)"
    )


COMMANDS = (
    Command(
        "compare",
        "compare configurations, with intervals and verdicts",
        "vdiwb compare sample_data --baseline MCS --format json",
        Lazy("workbench.answers.compare.reply", "compared"),
        options=_options,
        check=check_explain,
    ),
    Command(
        "plan",
        "plan the number and order of runs",
        "vdiwb plan sample_data --detect 5%",
        Lazy("workbench.answers.compare.plan_reply", "planned"),
        options=_plan_options,
        check=Lazy("workbench.answers.compare.plan_reply", "check_plan"),
    ),
    Command(
        "distribution",
        "show percentiles and a histogram of a metric",
        "vdiwb distribution sample_data --metric read_latency_ms --phase steady",
        Lazy("workbench.answers.compare.distribution_reply", "distributed"),
        options=_distribution_options,
        check=Lazy("workbench.answers.compare.distribution_reply", "check_metric"),
    ),
)
