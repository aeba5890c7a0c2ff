"""Writes the table of the plausibility rules in docs/plausibility.md: uv run python docs/tools/plausibility.py"""

from __future__ import annotations

from pathlib import Path

from workbench.study.plausibility.rules import RULES, PlausibilityRule

PAGE = Path(__file__).parents[1] / "plausibility.md"
BEGIN, END = "<!-- rules: written by docs/tools/plausibility.py -->\n", "<!-- end of the rules -->\n"
HEADS = ("code", "checked data", "condition", "samples excluded")


def table() -> str:
    """The rules as a Markdown table, one line each."""
    lines = [HEADS, ("---",) * len(HEADS), *(cells(rule) for rule in RULES)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cells(rule: PlausibilityRule) -> tuple[str, ...]:
    """The table row of a rule."""
    return f"`{rule.code}`", rule.looks_at, rule.limit, rule.left_out


def written(text: str) -> str:
    """The page with the current table between its two marks."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}{table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), encoding="utf-8")
