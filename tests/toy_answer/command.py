"""`vdiwb toy-runs`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.spec import Command, Lazy


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--least", type=int, default=0, metavar="N", help="only those with so many runs")


COMMANDS = (
    Command(
        "toy-runs",
        "how many runs each configuration has",
        "vdiwb toy-runs sample_data",
        Lazy("tests.toy_answer.reply", "reply"),
        options=_options,
    ),
)
