"""The Sizing question: the capacity plan from measured values, and the boot and logon what-if.

Also the options of `vdiwb sizing` and `vdiwb what-if`.
"""

from __future__ import annotations

import argparse

from workbench.answers.common.options import decimal, explain_option, path_of
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec
from workbench.model.phase import BOOT, LOGON, STEADY


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--desktops", required=True, metavar="N", help="number of desktops (RDS: users)")
    explain_option(parser)
    parser.add_argument("--configuration", metavar="NAME", help="configuration to show (default: all)")


def _sizing_options(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    parser.add_argument(
        "--phase", default=STEADY, metavar="PHASE", help="phase whose load is used for the plan (default: steady)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="input for the plan, such as disk_iops=180; repeatable",
    )
    parser.add_argument(
        "--constants", type=path_of, metavar="FILE.toml", help="file with inputs, one NAME = VALUE per line"
    )


def _what_if_options(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    parser.add_argument(
        "--minutes", required=True, type=decimal, metavar="M", help="longest acceptable boot or logon time in minutes"
    )
    parser.add_argument(
        "--phase",
        default=BOOT,
        type=str.casefold,
        choices=(BOOT, LOGON),
        help="phase to calculate the IOPS for (default: boot)",
    )
    parser.add_argument("--window", type=decimal, metavar="M", help="time window in minutes for all boots or logons")


COMMANDS = (
    Command(
        "sizing",
        "plan capacity based on measured values",
        "vdiwb sizing sample_data --desktops 500 --set disk_iops=180",
        Lazy("workbench.answers.sizing.reply", "plan"),
        options=_sizing_options,
        check=Lazy("workbench.answers.sizing.reply", "check_plan"),
    ),
    Command(
        "what-if",
        "calculate the IOPS required for acceptable boot or logon times",
        "vdiwb what-if sample_data --desktops 500 --minutes 4",
        Lazy("workbench.answers.sizing.reply", "what_if"),
        options=_what_if_options,
        check=Lazy("workbench.answers.sizing.reply", "check_what_if"),
    ),
)


KEY = "sizing"
PLAN, WHAT_IF = "plan", "what-if"
PAGE = PageSpec(
    KEY,
    "Sizing",
    Lazy("workbench.answers.sizing.page", "sizing"),
    table_share=46,
    table_names=("Steps", "Configurations", "Inputs"),
    views=((PLAN, "Capacity plan"), (WHAT_IF, "Boot and logon what-if")),
    lists=True,
    place="tool",
    reading={
        PLAN: (
            Sign("bar", "Bar: number that one limit requires"),
            Sign("▸", "Deciding step: largest value of its group"),
            Sign("a–b", "95 % interval over the runs"),
            Sign("—", "Not available (this is not 0)"),
        ),
        WHAT_IF: (
            Sign("line", "Line: IOPS needed for an acceptable time"),
            Sign("diamond", "Diamond: the time that you chose"),
            Sign("×", "Cross: the published example"),
            Sign("—", "Not available (this is not 0)"),
        ),
    },
    docs="answers/sizing.md",
)
SPEC = Spec(PAGE, COMMANDS, place=90)
