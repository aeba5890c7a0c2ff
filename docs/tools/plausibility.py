"""Writes the rules of plausibility into docs/plausibility.md: uv run python docs/tools/plausibility.py"""

from __future__ import annotations

import tomllib
from pathlib import Path

from workbench.model.resources import resource
from workbench.study.plausibility.rules import RULES, PlausibilityRule

PAGE = Path(__file__).parents[1] / "plausibility.md"
BEGIN, END = "<!-- rules: written by docs/tools/plausibility.py -->\n", "<!-- end of the rules -->\n"


def rules() -> str:
    """The rules as Markdown, a section each with the title of its cause in the import report."""
    causes = tomllib.loads(resource("causes.toml").read_text(encoding="utf-8"))
    titles = {code: title for group in ("needs", "fixed", "others") for code, title in causes[group].items()}
    return "".join(f"\n### {titles[rule.code]}\n\n{section(rule)}" for rule in RULES)


def section(rule: PlausibilityRule) -> str:
    """The section of a rule, without its heading."""
    return (
        f"Code: `{rule.code}`\n\n- **Checked data:** {rule.looks_at}\n- **Condition:** {rule.limit}\n"
        f"- **Effect:** {rule.left_out}\n"
    )


def written(text: str) -> str:
    """The page with the rules of today between its two marks."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}{rules()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), encoding="utf-8")
