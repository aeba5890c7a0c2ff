"""`vdiwb sizing` and `vdiwb what-if`: their options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import explain_option, path_of
from workbench.model.phase import BOOT, LOGON, STEADY


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--desktops", required=True, metavar="N", help="number of desktops (RDS: users)")
    explain_option(parser)
    parser.add_argument("--configuration", metavar="NAME", help="configuration to show (default: all)")


def _sizing_options(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    parser.add_argument(
        "--phase", default=STEADY, metavar="NAME", help="phase that sets the working load (default: steady)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="input value, such as disk_iops=180; repeatable",
    )
    parser.add_argument(
        "--constants", type=path_of, metavar="FILE.toml", help="file with input values: lines of NAME = VALUE"
    )


def _what_if_options(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    parser.add_argument(
        "--minutes", required=True, type=float, metavar="M", help="acceptable boot or logon time in minutes"
    )
    parser.add_argument("--phase", default=BOOT, type=str.casefold, choices=(BOOT, LOGON), help="phase (default: boot)")
    parser.add_argument("--window", type=float, metavar="M", help="minutes over which starts are spread")


COMMANDS = (
    Command(
        "sizing",
        "plan capacity from measured values",
        "vdiwb sizing sample_data --desktops 500 --set disk_iops=180",
        Lazy("workbench.answers.sizing.reply", "plan"),
        options=_sizing_options,
        check=Lazy("workbench.answers.sizing.reply", "check_plan"),
    ),
    Command(
        "what-if",
        "calculate the IOPS needed for a boot or logon time",
        "vdiwb what-if sample_data --desktops 500 --minutes 4",
        Lazy("workbench.answers.sizing.reply", "what_if"),
        options=_what_if_options,
        check=Lazy("workbench.answers.sizing.reply", "check_what_if"),
    ),
)
