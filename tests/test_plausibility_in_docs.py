"""docs/plausibility.md lists the rules as the code declares them."""

from __future__ import annotations

import runpy
from pathlib import Path

from workbench.study.plausibility.rules import RULES

ROOT = Path(__file__).parents[1]


def test_that_the_docs_match_the_rules() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "tools" / "plausibility.py"))
    page = (ROOT / "docs" / "plausibility.md").read_text("utf-8")
    assert generator["written"](page) == page, "run: uv run python docs/tools/plausibility.py"
    assert all(f"\nCode: `{rule.code}`\n" in page for rule in RULES)
