"""Writes docs/troubleshooting.md from the causes and their explanations: uv run python docs/tools/troubleshooting.py"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from workbench.answers.common.causes import mending_of
from workbench.model.problem import Mending
from workbench.model.resources import resource

PAGE = Path(__file__).parents[1] / "troubleshooting.md"
TEXTS = PAGE.with_suffix(".toml")
# The button of the import report for each decision.
BUTTONS = {
    Mending.TIME_ZONE: "Set time zone…",
    Mending.DATE_ORDER: "Swap day and month",
    Mending.SPLIT: "Split into runs…",
    Mending.MACHINES: "Exclude or include…",
    Mending.MAP_COLUMNS: "Map columns…",
    Mending.KEEP_APART: "Separate these runs",
    Mending.JOIN_RUNS: "Join as one configuration",
    Mending.BASELINE: "Choose the baseline…",
    Mending.EDIT_RUN: "Edit run…",
    Mending.TIMELINE: "Show timeline",
    Mending.FILES: "Show all files",
}
# What each button does, as the end of a sentence.
DOES = {
    Mending.TIME_ZONE: "sets the time zone",
    Mending.DATE_ORDER: "uses the other order",
    Mending.SPLIT: "splits the folder",
    Mending.MACHINES: "lets you choose the machines",
    Mending.MAP_COLUMNS: "lets you state what the columns contain",
    Mending.KEEP_APART: "separates the runs",
    Mending.JOIN_RUNS: "joins the runs",
    Mending.BASELINE: "lets you choose the baseline",
    Mending.EDIT_RUN: "opens the settings of the run",
    Mending.TIMELINE: "shows the samples at this time",
    Mending.FILES: "lists the files of the run",
}
HEAD = """\
# Troubleshooting

The import report groups problems by their cause. This page explains each cause. Search for the title of the cause. In
the JSON of `vdiwb inspect`, search for its code.

- [Causes that need you](#causes-that-need-you): check these causes before you use the values. *Done* states what VDI
  Workbench did with the data. *To do* states what you can do.
- [Fixed automatically](#fixed-automatically): VDI Workbench solved these problems. If a file has many of them, check
  how the file was made.
- [Notes and files that were not imported](#notes-and-files-that-were-not-imported): these causes are information, or
  state why a file is missing.

[Fix what was guessed](how-to/fix-guesses.md) shows each fix step by step.

## Causes that need you
"""
TABLES = (("fixed", "Fixed automatically"), ("others", "Notes and files that were not imported"))


def loaded() -> tuple[dict[str, Any], dict[str, Any]]:
    """The titles of the causes by group and code, and the texts of this page."""
    causes = tomllib.loads(resource("causes.toml").read_text(encoding="utf-8"))
    return causes, tomllib.loads(TEXTS.read_text(encoding="utf-8"))


def page() -> str:
    """The page, with an entry for each cause, by title."""
    causes, texts = loaded()
    parts = [HEAD]
    for code, title in by_title(causes["needs"]):
        means, done, to_do = texts["needs"][code]
        mending = mending_of(code)
        shown = f" *{BUTTONS[mending]}* in the import report {DOES[mending]}." if mending in BUTTONS else ""
        parts.append(f"\n### {title}\n\n{means} (`{code}`)\n\n- **Done:** {done}\n- **To do:** {to_do}{shown}\n")
    for group, heading in TABLES:
        parts.append(
            f"\n## {heading}\n\n| cause | meaning | what was done, and what you can do | code |\n| --- | --- | --- | --- |\n"
        )
        parts += (
            f"| {title} | {' | '.join(texts[group][code])} | `{code}` |\n" for code, title in by_title(causes[group])
        )
    return "".join(parts)


def by_title(group: dict[str, str]) -> list[tuple[str, str]]:
    """Code and title of each cause of a group, in the order of the titles."""
    return sorted(group.items(), key=lambda cause: cause[1].casefold())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
