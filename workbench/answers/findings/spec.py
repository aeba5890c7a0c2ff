"""The findings of a study. They have no separate page: the overview shows them."""

from __future__ import annotations

import argparse

from workbench.answers.common.options import baseline_option, explain_option, margin_option, path_of
from workbench.answers.common.spec import Command, Lazy, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    baseline_option(parser)
    margin_option(parser)
    explain_option(parser)
    parser.add_argument("--history", type=path_of, metavar="DIR", help="folder with saved values of earlier runs")
    # A workspace file contains its limits and its history folder.
    parser.set_defaults(state=None)
    parser.add_argument("--all", action="store_true", help="include less relevant findings (table only)")


COMMANDS = (
    Command(
        "findings",
        "list findings with evidence, strength and caveats",
        "vdiwb findings sample_data/rds-mcsio-cache-sweep",
        Lazy("workbench.answers.findings.reply", "concluded"),
        options=_options,
        check=Lazy("workbench.answers.trend.reply", "check_history"),
    ),
)


SPEC = Spec(commands=COMMANDS, place=20)
