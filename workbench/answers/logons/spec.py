"""Logon times, active sessions, VSImax and EUX, application starts."""

from __future__ import annotations

import argparse

from workbench.answers.common.options import baseline_option, explain_option, path_of
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    baseline_option(parser)
    explain_option(parser)
    parser.add_argument("--model", metavar="NAME", help="name of the VSImax model (default: VSImax 4.1)")
    parser.add_argument(
        "--models",
        type=path_of,
        metavar="FILE",
        help="file with your VSImax models (format: see resources/vsimax_models.toml)",
    )


COMMANDS = (
    Command(
        "logons",
        "show logon times, stuck sessions, VSImax and application starts",
        "vdiwb logons sample_data/rds-mcsio-cache-sweep --format json",
        Lazy("workbench.answers.logons.reply", "logons"),
        options=_options,
        check=Lazy("workbench.answers.logons.reply", "check"),
    ),
)


KEY = "logons"
PAGE = PageSpec(
    KEY,
    "Logons",
    Lazy("workbench.answers.logons.page", "logons"),
    table_share=36,
    table_names=("Logon times", "Sessions"),
    views=(
        ("times", "Logon times"),
        ("active", "Active sessions"),
        ("vsimax", "VSImax / EUX"),
        ("apps", "Application starts"),
    ),
    reading={
        "times": (
            Sign("dots", "Dot: the logon of one session"),
            Sign("dashed", "Dashed: trend over the logon storm"),
            Sign("p95", "95 % of the logons were faster"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "active": (
            Sign("line", "Solid: active sessions"),
            Sign("dashed", "Dashed: launched sessions"),
            Sign("band", "Band: range of the runs"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "vsimax": (
            Sign("dots", "Dot: one response"),
            Sign("line", "Line: response index of the VSImax model"),
            Sign("dashed", "Dashed: the threshold"),
            Sign("dotted", "Dotted: number of sessions at VSImax"),
            Sign("—", "Not available (this is not 0)"),
        ),
        "apps": (
            Sign("line", "Line: median start time"),
            Sign("dots", "Dot: one start"),
            Sign("—", "Not available (this is not 0)"),
        ),
    },
    docs="answers/logons.md",
)
SPEC = Spec(PAGE, COMMANDS, place=60)
