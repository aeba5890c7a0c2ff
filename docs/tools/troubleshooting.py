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
# The button of the import report for each decision. Buttons that only show data are not listed.
BUTTONS = {
    Mending.TIME_ZONE: "Set time zone…",
    Mending.DATE_ORDER: "Swap day and month",
    Mending.SPLIT: "Split into runs…",
    Mending.MACHINES: "Choose machines…",
    Mending.MAP_COLUMNS: "Map columns…",
    Mending.KEEP_APART: "Separate these runs",
    Mending.JOIN_RUNS: "Join into one configuration",
    Mending.BASELINE: "Choose baseline…",
    Mending.EDIT_RUN: "Edit run…",
}
HEAD = """\
# Troubleshooting

The import report groups problems by their cause. Search this page for the title or the code of the cause.
`vdiwb inspect --format json` prints the codes.

- [Causes that need a decision](#causes-that-need-a-decision): check these causes before you use the values. *Button* is
  the name of a button in the import report.
- [Fixed automatically](#fixed-automatically): if a file has many of these problems, check how the file was made.
- [Notes](#notes): you only need to act if the explanation contains a step.
- [Files that were not imported](#files-that-were-not-imported): each cause explains why a file, archive or folder is
  missing.

The [Fix what was guessed](how-to/fix-guesses.md) page shows each fix step by step.

## Causes that need a decision
"""
TABLES = {"fixed": "Fixed automatically", "notes": "Notes", "refused": "Files that were not imported"}


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
        button = f"- **Button:** *{BUTTONS[mending]}*\n" if mending in BUTTONS else ""
        parts += (f"\n### {title}\n\nCode: `{code}`\n\n", f"{means}\n\n" if means else "")
        parts.append(f"- **Action taken:** {done}\n- **To do:** {to_do}\n{button}")
    titles = causes["fixed"] | causes["others"]
    for group, heading in TABLES.items():
        parts.append(f"\n## {heading}\n\n| cause | explanation and action | code |\n| --- | --- | --- |\n")
        listed = by_title({code: titles[code] for code in texts[group]})
        parts += (f"| {title} | {texts[group][code]} | `{code}` |\n" for code, title in listed)
    return "".join(parts)


def by_title(group: dict[str, str]) -> list[tuple[str, str]]:
    """Code and title of each cause of a group, in the order of the titles."""
    return sorted(group.items(), key=lambda cause: cause[1].casefold())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
