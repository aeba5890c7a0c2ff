"""`vdiwb kit`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.common.options import margin_option, path_of


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=path_of,
        metavar="DIR",
        dest="kit_folder",
        help="write the kit there: a new or an empty folder",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        dest="check_results",
        help="say what the results in PATH can answer, and which counter is missing; also of the log of a trial",
    )
    parser.add_argument(
        "--question",
        action="append",
        default=[],
        metavar="KEY",
        help="what to find out; may be given again (default: all)",
    )
    parser.add_argument(
        "--configurations",
        nargs="+",
        default=[],
        metavar="NAME",
        help="what is to be compared, the baseline first (default: the configurations of PATH)",
    )
    parser.add_argument(
        "--interval", type=int, metavar="SECONDS", help="between two samples (default: as the questions need)"
    )
    parser.add_argument(
        "--runs", type=int, metavar="N", help="runs of each configuration (default: as vdiwb plan says)"
    )
    # argparse takes a lone percent sign in a help for one of its own marks.
    parser.add_argument("--detect", default="5%", metavar="PERCENT", help="the change to be shown (default: 5%%)")
    parser.add_argument(
        "--desktops",
        type=int,
        metavar="N",
        help=f"desktops of the storage test; RDS: session hosts (default: {ASSUMED_DESKTOPS}, assumed)",
    )
    margin_option(parser)


COMMANDS = (
    Command(
        "kit",
        "what to collect: collector sets, event scripts, run.toml, run plan, fio and DiskSpd jobs",
        "vdiwb kit sample_data/rds-mcsio-cache-sweep --question overflow --question storage-limit",
        Lazy("workbench.answers.prepare.reply", "kit_of"),
        ("table", "json"),
        options=_options,
        check=Lazy("workbench.answers.prepare.reply", "check_kit"),
        needs_paths=False,
    ),
)
