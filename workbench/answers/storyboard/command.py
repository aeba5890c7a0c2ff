"""`vdiwb storyboard`."""

from __future__ import annotations

import argparse

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy


def _options(parser: argparse.ArgumentParser) -> None:
    # A workspace file brings its storyboard, saved views and findings.
    parser.set_defaults(state=None)


COMMANDS = (
    Command(
        "storyboard",
        "list the slides of the storyboard with their headlines",
        "vdiwb storyboard sample_data --format json",
        Lazy("workbench.answers.storyboard.reply", "storyboard"),
        options=_options,
    ),
)
