"""The storyboard as a table: a row for each slide."""

from __future__ import annotations

from workbench.answers.findings.tables import evidence_words, strength_words
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.charts.tables import Cell, RowField, TableData, number_field, table_of, text_field
from workbench.words.captions import first_lines
from workbench.words.numbers import MISSING, plural

NAME = "Storyboard"
_NONE = Cell(MISSING, MISSING)


def storyboard_table(story: ShownStory) -> TableData:
    """Number, sentence, content, strength; rows of the appendix say so."""
    return table_of(_SLIDE, enumerate(story.slides, 1), legend=counted_slides(story), name=NAME)


def counted_slides(story: ShownStory) -> str:
    """The number of slides as text: `18 slides, plus 26 slides in the appendix`."""
    appendix = sum(shown.slide.appendix for shown in story.slides)
    count = len(story.slides) - appendix
    more = f", plus {plural(appendix, 'slide')} in the appendix" if appendix else ""
    return f"{plural(count, 'slide')}{more}"


def shows_words(shown: ShownSlide) -> str:
    """The content of a slide as text: `Compare, steady state · 6 runs · 3 findings`, or the name of the saved view."""
    slide = shown.slide
    if shown.findings:
        count = len(shown.findings)
        return " · ".join((evidence_words(shown.findings[0]), *((f"{count} findings",) if count > 1 else ())))
    if slide.kind == "view":
        return f"saved view “{slide.view}”"
    return ", ".join(filter(None, (slide.page, slide.page_view))) if slide.kind == "page" else "words"


_SLIDE: tuple[RowField[tuple[int, ShownSlide]], ...] = (
    number_field("Slide", lambda row: Cell(str(row[0]), row[0], key=row[1].slide.key)),
    text_field(
        "Headline",
        lambda row: Cell(row[1].sentence or MISSING, row[1].sentence or None, first_lines(row[1].also, "finding")),
        fills=True,
    ),
    text_field("Shows", lambda row: Cell(words := shows_words(row[1]), words)),
    text_field(
        "Strength", lambda row: strength_words(row[1].findings[0]) if row[1].findings else Cell(MISSING, MISSING)
    ),
    text_field("Study", lambda row: row[1].study.name if row[1].study else Cell(MISSING, MISSING)),
    text_field("Part", lambda row: "appendix" if row[1].slide.appendix else "slides"),
)
