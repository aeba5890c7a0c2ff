"""How many runs each configuration has: the page, and the command `runs`."""

from __future__ import annotations

from tests.toy_answer.command import COMMANDS
from workbench.answers.common.spec import Lazy, PageSpec, Spec

PAGE = PageSpec(
    "toy-runs",
    "Toy runs",
    Lazy("tests.toy_answer.page", "answer"),
    table_share=40,
    table_names=("Runs of each",),
    icon="search",
)
SPEC = Spec(PAGE, COMMANDS)
