"""The storyboard as a table: a row for each slide."""

from __future__ import annotations

from workbench.answers.findings.tables import evidence_words, strength_words
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.charts.tables import Cell, Column, TableData
from workbench.words.numbers import MISSING

NAME = "Storyboard"


def storyboard_table(story: ShownStory) -> TableData:
    """Number, sentence, what is shown, strength; the appendix is named in its rows."""
    columns = (
        Column("Slide"),
        Column("Sentence", numeric=False, fills=True),
        Column("Shows", numeric=False),
        Column("Strength", numeric=False),
        Column("Study", numeric=False),
        Column("Part", numeric=False),
    )
    rows = tuple(_row(place, shown) for place, shown in enumerate(story.slides, 1))
    appendix = sum(shown.slide.appendix for shown in story.slides)
    return TableData(columns, rows, f"{len(rows) - appendix} slides, {appendix} in the appendix", NAME)


def shows_words(shown: ShownSlide) -> str:
    """`Compare, steady state · 6 runs · 3 findings`, or the name of the saved view."""
    slide = shown.slide
    if shown.findings:
        count = len(shown.findings)
        return " · ".join((evidence_words(shown.findings[0]), *((f"{count} findings",) if count > 1 else ())))
    if slide.kind == "view":
        return f"saved view “{slide.view}”"
    return ", ".join(filter(None, (slide.page, slide.page_view))) if slide.kind == "page" else "words"


def _row(place: int, shown: ShownSlide) -> tuple[Cell, ...]:
    strength = strength_words(shown.findings[0]) if shown.findings else MISSING
    part = "appendix" if shown.slide.appendix else "story"
    return (
        Cell(str(place), place, key=shown.slide.key),
        Cell(shown.sentence or MISSING, shown.sentence or None, "\n".join(shown.also)),
        Cell(words := shows_words(shown), words),
        Cell(strength, strength),
        Cell(name := shown.study.name if shown.study else MISSING, name),
        Cell(part, part),
    )
