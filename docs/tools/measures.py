"""Writes the table of metrics in docs/answers/overview.md from the catalogue: uv run python docs/tools/measures.py"""

from __future__ import annotations

import re
from pathlib import Path

from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import Measure
from workbench.words.metrics import phase_words

ANSWERS = Path(__file__).parents[1] / "answers" / "overview.md"
BEGIN, END = "<!-- measures: written by docs/tools/measures.py -->\n", "<!-- end of the measures -->\n"
HEADS = ("metric", "key", "unit", "formula", "formula based on other metrics", "change shown as", "better if", "primary in")
CHANGES = {None: "not compared", "points": "percentage points"}
# Parts of the formulas, and their short words. The page explains these words above the table. The order matters.
SHORT = (
    ("(read IOPS × seconds of the sample within the phase, summed over the samples of all VMs) ÷", "reads ÷"),
    ("(write IOPS × seconds of the sample within the phase, summed over the samples of all VMs) ÷", "writes ÷"),
    ("(IOPS × seconds of the sample within the phase, summed over the samples of all VMs) ÷", "total I/O ÷"),
    (", weighted by duration; only samples at least half inside the phase", ", weighted by time"),
    ("mean over the measured time of the phase, then over VMs", "mean over time and VMs"),
    ("mean over sessions and measured time of each VM, then over VMs", "mean over time, sessions and VMs"),
    ("; estimated by Azure for TCP or UDP", ""),
    (", × 1000 (s to ms)", ""),
    (" × 1000 (s to ms)", ""),
)


def table() -> str:
    """The metrics as a Markdown table, one line each."""
    lines = [HEADS, ("---",) * len(HEADS), *(cells(measure) for measure in MEASURES.values())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cells(measure: Measure) -> tuple[str, ...]:
    """The table row of a metric; empty if there is nothing to say."""
    return (
        measure.name,
        f"`{measure.key}`",
        measure.unit,
        short(measure.computed),
        f"`{plain(measure.formula)}`" if measure.formula else "",
        CHANGES.get(measure.change, measure.change or ""),
        measure.better if measure.change and measure.better != "none" else "",
        ", ".join(phase_words(phase) for phase in measure.primary),
    )


def short(words: str) -> str:
    """The formula in the short words that the page explains."""
    for long, new in SHORT:
        words = words.replace(long, new)
    return words


def plain(formula: str) -> str:
    """The formula without braces, with a space on both sides of each operator."""
    return re.sub(r"([*/+])", r" \1 ", formula.replace("{", "").replace("}", ""))


def written(text: str) -> str:
    """The page with the current table between its two marks."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}{table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    ANSWERS.write_text(written(ANSWERS.read_text("utf-8")), encoding="utf-8")
