"""The storyboard: what a review sees, and in which order."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec
from workbench.answers.storyboard.command import COMMANDS

QUESTION = "What does the review see, and in which order?"
KEY = "storyboard"
PAGE = PageSpec(
    KEY,
    "Storyboard",
    Lazy("workbench.answers.storyboard.page", "storyboard"),
    table_share=100,
    table_names=("Storyboard",),
    of_every_study=True,
    asks=QUESTION,
    own_view="",
    reading={"": (Sign("1", "Slides in the order they are shown"), Sign("A", "Appendix: behind the last slide"))},
    docs="storyboard.md",
)
SPEC = Spec(PAGE, COMMANDS)
