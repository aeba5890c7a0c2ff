"""The question of the page Limits, and the options of `vdiwb check`."""

from __future__ import annotations

import argparse

from workbench.answers.common.options import baseline_option, path_of
from workbench.answers.common.spec import FORMATS, Command, Lazy, PageSpec, Sign, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limits",
        type=path_of,
        metavar="FILE",
        help="file with limits (default: limits in workspace file or limits.toml)",
    )
    baseline_option(parser)
    parser.add_argument("--strict", action="store_true", help="treat inconclusive checks as failures")
    parser.add_argument(
        "-o", "--output", type=path_of, metavar="FILE", dest="reply_file", help="file to write to (default: terminal)"
    )
    # A workspace file contains limits.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "check",
        "check whether results meet the acceptance limits",
        "vdiwb check sample_data/rds-mcsio-cache-sweep",
        Lazy("workbench.answers.limits.reply", "checked"),
        (*FORMATS, "junit"),
        options=_options,
        check=Lazy("workbench.answers.limits.reply", "check_file"),
    ),
)


KEY = "limits"
PAGE = PageSpec(
    KEY,
    "Limits",
    Lazy("workbench.answers.limits.page", "answer"),
    table_names=("Verdicts", "Values"),
    table_share=40,
    keys="Ctrl+Shift+L",
    place="tool",
    reading={
        "": (
            Sign("bar", "Bar: mean of the runs"),
            Sign("whisker", "Whiskers: 95 % interval (two runs: range)"),
            Sign("dashed", "Dashed: the limit"),
            Sign("✓", "Pass: the whole interval meets the limit"),
            Sign("✗", "Fail: the whole interval is beyond the limit"),
            Sign("~", "Inconclusive: neither pass nor fail"),
        )
    },
    docs="answers/limits.md",
)
SPEC = Spec(PAGE, COMMANDS, place=110)
