"""The question of the page Trend: a metric over the runs of weeks, with its steps and drifts, and the build that caused
them.

Also the options of `vdiwb trend`.
"""

from __future__ import annotations

import argparse

from workbench.answers.common.options import path_of
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--history", type=path_of, metavar="DIR", help="folder with saved values of earlier runs")
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
        metavar="KEY",
        help="metric to show, such as iops_per_vm; repeatable (default: primary metrics)",
    )
    # A workspace file contains its history folder.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "trend",
        "find changes in metrics over time, for example between builds",
        "vdiwb trend sample_data/windows-11-builds",
        Lazy("workbench.answers.trend.reply", "reply"),
        options=_options,
        check=Lazy("workbench.answers.trend.reply", "check"),
    ),
)


KEY = "trend"
# The session input that names the history folder.
FOLDER = "trend.history"
# The session input that names the metric on the page, and its value for the primary ones.
MEASURE = "trend.measure"
PRIMARY = "Primary metrics"
PAGE = PageSpec(
    KEY,
    "Trend",
    Lazy("workbench.answers.trend.page", "answer"),
    table_share=34,
    table_names=("Changes", "Runs"),
    of_every_study=True,
    parts="runs",
    keys="Ctrl+Shift+B",
    place="tool",
    reading={
        "": (
            Sign("dots", "Dot: one run"),
            Sign("line", "Line: mean between two steps"),
            Sign("band", "Band: 95 % interval of the mean"),
            Sign("—", "Not available (this is not 0)"),
        )
    },
    docs="answers/trend.md",
)
SPEC = Spec(PAGE, COMMANDS, place=120)
