"""The question of the overview: the cost of each configuration, and the results of the tests."""

from __future__ import annotations

from workbench.answers.common.options import check_explain, explain_options
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec

COMMANDS = (
    Command(
        "summary",
        "show the metrics of each run and phase",
        "vdiwb summary sample_data --format json",
        Lazy("workbench.answers.overview.reply", "summary"),
        options=explain_options,
        check=check_explain,
    ),
)


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
            Sign("—", "Not available (this is not 0)"),
        )
    },
    docs="answers/findings.md",
)
SPEC = Spec(PAGE, COMMANDS, place=10)
