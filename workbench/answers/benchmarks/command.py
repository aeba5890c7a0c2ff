"""`vdiwb benchmarks`: its options."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import explain_option

# The value of --raw for the test whose name says that it is the raw disk.
GUESS = "guess"


def _options(parser: argparse.ArgumentParser) -> None:
    explain_option(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--sweeps", action="store_true", help="show queue-depth and thread sweeps with their knee")
    which.add_argument("--repeats", action="store_true", help="show the mean and interval of repeated tests")
    which.add_argument("--raw", metavar="TEST", help=f"raw-disk test to compare with: name, file or '{GUESS}'")


COMMANDS = (
    Command(
        "benchmarks",
        "list storage benchmark results",
        "vdiwb benchmarks sample_data --format json",
        Lazy("workbench.answers.benchmarks.reply", "benchmarks"),
        options=_options,
    ),
)
