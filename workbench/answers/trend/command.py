"""`vdiwb trend`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import path_of


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--history", type=path_of, metavar="DIR", help="a history folder: earlier runs that need no import"
    )
    parser.add_argument("--keep", action="store_true", help="with --history: keep the figures of these studies there")
    parser.add_argument(
        "--configuration",
        action="append",
        default=[],
        metavar="NAME",
        help="only this one; may be repeated (default: all)",
    )
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="this measure, as the JSON calls it; may be repeated (default: the primary measures)",
    )
    # A workspace file brings its history folder.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "trend",
        "steps and drifts over the runs of weeks: which build changed a measure, and by how much",
        "vdiwb trend sample_data/windows-11-builds",
        Lazy("workbench.answers.trend.reply", "reply"),
        options=_options,
        check=Lazy("workbench.answers.trend.reply", "check"),
    ),
)
