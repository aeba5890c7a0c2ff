"""The question of the page Prepare: the counters and files to collect, and the questions that a study cannot answer.

Also the options of `vdiwb kit`.
"""

from __future__ import annotations

import argparse

from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.common.options import margin_option, path_of, whole
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=path_of,
        metavar="DIR",
        dest="kit_folder",
        help="new or empty folder for files (default: only list them)",
    )
    parser.add_argument(
        "--check", action="store_true", dest="check_results", help="list counters and data missing from the results"
    )
    parser.add_argument(
        "--question",
        action="append",
        default=[],
        metavar="KEY",
        help="question to answer, such as overflow; repeatable (default: all)",
    )
    parser.add_argument(
        "--configurations",
        nargs="+",
        default=[],
        metavar="NAME",
        help="configurations to compare, baseline first (default: all in PATH)",
    )
    parser.add_argument(
        "--interval",
        type=whole,
        metavar="SECONDS",
        help="sample interval in seconds (default: depends on the questions)",
    )
    parser.add_argument(
        "--runs", type=whole, metavar="N", help="runs per configuration (default: as planned by vdiwb plan)"
    )
    # argparse interprets a single percent sign in a help text as a placeholder.
    parser.add_argument(
        "--detect", default="5%", metavar="PERCENT", help="smallest change that the runs must detect (default: 5%%)"
    )
    parser.add_argument(
        "--desktops",
        type=whole,
        metavar="N",
        help=f"desktops whose load the storage test simulates (default: {ASSUMED_DESKTOPS})",
    )
    margin_option(parser)


COMMANDS = (
    Command(
        "kit",
        "write collectors, scripts, run.toml, a run plan and storage jobs",
        "vdiwb kit sample_data/rds-mcsio-cache-sweep --question overflow --question storage-limit",
        Lazy("workbench.answers.prepare.reply", "kit_of"),
        ("table", "json"),
        options=_options,
        check=Lazy("workbench.answers.prepare.reply", "check_kit"),
        needs_paths=False,
    ),
)


KEY = "prepare"
ANSWERS, GAPS, NEEDS = "Questions this study can answer", "Missing data", "Data for each question"
COLLECTIONS = "Questions that standard collector sets cannot answer"
PAGE = PageSpec(
    KEY,
    "Prepare a test",
    Lazy("workbench.answers.prepare.page", "answer"),
    table_share=100,
    table_names=(ANSWERS, GAPS),
    keys="Ctrl+Shift+K",
    place="tool",
    reading={
        "": (
            Sign("✓", "Answered"),
            Sign("~", "Answered in part"),
            Sign("✗", "Not answered"),
            Sign("—", "Does not apply to this configuration"),
        )
    },
    docs="answers/prepare.md",
)
SPEC = Spec(PAGE, COMMANDS, place=130)
