"""Writes the table of measures into docs/answers/overview.md from their catalogue: uv run python docs/tools/measures.py"""

from __future__ import annotations

from pathlib import Path

from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import Measure
from workbench.words.metrics import phase_words

ANSWERS = Path(__file__).parents[1] / "answers" / "overview.md"
BEGIN, END = "<!-- measures: written by docs/tools/measures.py -->\n", "<!-- end of the measures -->\n"
HEADS = ("metric", "key", "unit", "formula", "formula from other metrics", "change shown as", "better if", "primary in")
CHANGES = {None: "not compared", "points": "percentage points"}


def table() -> str:
    """The measures as a Markdown table, one line each."""
    lines = [HEADS, ("---",) * len(HEADS), *(cells(measure) for measure in MEASURES.values())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cells(measure: Measure) -> tuple[str, ...]:
    """The line of a measure; empty where there is nothing to say."""
    return (
        measure.name,
        f"`{measure.key}`",
        measure.unit,
        measure.computed,
        f"`{measure.formula}`" if measure.formula else "",
        CHANGES.get(measure.change, measure.change or ""),
        measure.better if measure.change and measure.better != "none" else "",
        ", ".join(phase_words(phase) for phase in measure.primary),
    )


def written(text: str) -> str:
    """The page with the table of today between its two marks."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}{table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    ANSWERS.write_text(written(ANSWERS.read_text("utf-8")), encoding="utf-8")
