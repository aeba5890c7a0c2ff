"""`vdiwb trend`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import path_of


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--history", type=path_of, metavar="DIR", help="history folder with saved values of earlier runs"
    )
    parser.add_argument("--keep", action="store_true", help="save the values of these studies to the history folder")
    parser.add_argument(
        "--configuration",
        action="append",
        default=[],
        metavar="NAME",
        help="configuration to show; repeatable (default: all)",
    )
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="metric key; repeatable (default: primary metrics)",
    )
    # A workspace file brings its history folder.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "trend",
        "find steps and drifts over time, such as between builds",
        "vdiwb trend sample_data/windows-11-builds",
        Lazy("workbench.answers.trend.reply", "reply"),
        options=_options,
        check=Lazy("workbench.answers.trend.reply", "check"),
    ),
)
