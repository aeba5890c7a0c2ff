"""Acceptance limits: which configurations keep to what was agreed on."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec
from workbench.answers.limits.command import COMMANDS

KEY = "limits"
PAGE = PageSpec(
    KEY,
    "Limits",
    Lazy("workbench.answers.limits.page", "answer"),
    table_names=("Verdicts", "Figures"),
    table_share=40,
    keys="Ctrl+Shift+L",
    place="tool",
    reading={
        "": (
            Sign("bar", "Bar: mean of the runs"),
            Sign("whisker", "Whiskers: 95 % interval or range"),
            Sign("dashed", "Dashed: the limit"),
            Sign("✓", "Pass: the interval meets the limit"),
            Sign("✗", "Fail: the interval exceeds the limit"),
            Sign("~", "Not shown: neither pass nor fail"),
        )
    },
    docs="answers/limits.md",
)
SPEC = Spec(PAGE, COMMANDS)
