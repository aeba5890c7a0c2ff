"""Prepare a test: what to collect so that the questions can be answered, and what a study cannot answer."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec
from workbench.answers.prepare.command import COMMANDS

KEY = "prepare"
ANSWERS, GAPS, NEEDS = "What this study can answer", "What is missing", "What each question needs"
COLLECTIONS = "What standard collections cannot answer"
PAGE = PageSpec(
    KEY,
    "Prepare a test",
    Lazy("workbench.answers.prepare.page", "answer"),
    table_share=100,
    table_names=(ANSWERS, GAPS),
    keys="Ctrl+Shift+K",
    place="tool",
    reading={
        "": (
            Sign("✓", "Answered"),
            Sign("~", "Answered in part"),
            Sign("✗", "Not answered"),
            Sign("—", "Not asked of this configuration"),
        )
    },
    docs="answers/prepare.md",
)
SPEC = Spec(PAGE, COMMANDS)
