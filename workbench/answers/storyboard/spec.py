"""The storyboard: the slides of a review and their order."""

from __future__ import annotations

import argparse

from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec


def _options(parser: argparse.ArgumentParser) -> None:
    # A workspace file contains its storyboard, saved views and findings.
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


QUESTION = "Which slides are shown?"
KEY = "storyboard"
PAGE = PageSpec(
    KEY,
    "Present",
    Lazy("workbench.answers.storyboard.page", "storyboard"),
    table_share=100,
    table_names=("Storyboard",),
    of_every_study=True,
    asks=QUESTION,
    own_view="",
    reading={"": (Sign("1", "Slides in the order they are shown"), Sign("A", "Appendix: shown after the last slide"))},
    docs="storyboard.md",
)
SPEC = Spec(PAGE, COMMANDS, place=100)
