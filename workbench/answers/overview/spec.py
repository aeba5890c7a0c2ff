"""The overview: what each configuration costs, and what the tests found."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec
from workbench.answers.overview.command import COMMANDS

QUESTION = "What does each configuration cost in storage I/O?"
PAGE = PageSpec(
    "overview",
    "Overview",
    Lazy("workbench.answers.overview.page", "overview"),
    frozenset(("phase",)),
    table_share=49,
    table_names=("Phase table",),
    lists=True,
    asks=QUESTION,
    reading={
        "": (
            Sign("bar", "Bar: mean of all runs"),
            Sign("dashed", "Dashed: the baseline"),
            Sign("−7 %", "Change from the baseline"),
            Sign("[ ]", "95 % interval of the change"),
            Sign("~", "Inconclusive"),
            Sign("—", "Not available, never 0"),
        )
    },
    docs="answers/findings.md",
)
SPEC = Spec(PAGE, COMMANDS)
