"""`vdiwb logons`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import baseline_option, explain_option, path_of


def _options(parser: argparse.ArgumentParser) -> None:
    baseline_option(parser)
    explain_option(parser)
    parser.add_argument("--model", metavar="NAME", help="VSImax model (default: VSImax 4.1)")
    parser.add_argument(
        "--models", type=path_of, metavar="FILE", help="file with your own models, like resources/vsimax_models.toml"
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
