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
        help="the limits to hold to (default: those of the workspace file, else limits.toml in the study's folder or "
        "above it)",
    )
    baseline_option(parser)
    parser.add_argument("--strict", action="store_true", help="what is not shown counts as failed")
    parser.add_argument(
        "-o", "--output", type=path_of, metavar="FILE", dest="reply_file", help="write there, not on the terminal"
    )
    # A workspace file brings its limits.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "check",
        "acceptance limits: pass, fail or not shown, each with its interval (exit status 4: a limit failed)",
        "vdiwb check sample_data/rds-mcsio-cache-sweep",
        Lazy("workbench.answers.limits.reply", "checked"),
        (*FORMATS, "junit"),
        options=_options,
        check=Lazy("workbench.answers.limits.reply", "check_file"),
    ),
)
