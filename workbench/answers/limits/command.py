"""`vdiwb check`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import FORMATS, Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import baseline_option, path_of


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limits",
        type=path_of,
        metavar="FILE",
        help="file with limits (default: from the workspace file or limits.toml)",
    )
    baseline_option(parser)
    parser.add_argument("--strict", action="store_true", help="treat inconclusive checks as failures")
    parser.add_argument(
        "-o", "--output", type=path_of, metavar="FILE", dest="reply_file", help="file to write to (default: terminal)"
    )
    # A workspace file brings its limits.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "check",
        "check acceptance limits: pass, fail or inconclusive (exit status 4: failed)",
        "vdiwb check sample_data/rds-mcsio-cache-sweep",
        Lazy("workbench.answers.limits.reply", "checked"),
        (*FORMATS, "junit"),
        options=_options,
        check=Lazy("workbench.answers.limits.reply", "check_file"),
    ),
)
