"""The fixed texts of a document in another language. Names, and sentences made from results, stay as they are."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.storyboard.answer import MEASURED, OWN, PRICE, REASON, RECOMMENDATION, RECOMMENDED, SURE
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Figure, Panel
from workbench.charts.tables import TableData
from workbench.exporters.document.document import METHODS, SHORT_METHODS, Document, Slide
from workbench.words.translated import texts_of

# The note on parts that stay English, for documents in another language.
ENGLISH_PARTS = "Sentences made from results (titles of findings, captions, verdicts, notes) stay English."
# The fixed words of documents, in addition to those of pages and tables.
FRAME = (
    *(RECOMMENDATION, MEASURED, SURE, REASON, PRICE, OWN),
    *(
        "Agenda",
        "Summary",
        "Findings",
        "More findings",
        "Appendix",
        "Contents",
        "Pages",
        "Method",
        "Problems",
        "Sources",
    ),
    *("Omitted", "Limitations", "Method and limitations", "All values", "No limitation is known."),
    *("I/O of each configuration", "RAM for the cache", "One run each", "None.", "Evidence"),
    RECOMMENDED.strip(),
    ENGLISH_PARTS,
    *SHORT_METHODS,
    *METHODS,
)


def in_language(document: Document, language: str) -> Document:
    """The document with its fixed texts in a language; unchanged for English."""
    texts = texts_of(language)
    if not texts:
        return document
    return replace(
        document,
        language=language,
        slides=tuple(_slide(slide, texts) for slide in document.slides),
        appendix=tuple(_slide(slide, texts) for slide in document.appendix),
        method=tuple(texts.get(text, text) for text in (ENGLISH_PARTS, *document.method)),
        sections=tuple(replace(section, content=_content(section.content, texts)) for section in document.sections),
        sources=tuple(_table(table, texts) for table in document.sources),
    )


def _slide(slide: Slide, texts: dict[str, str]) -> Slide:
    title = texts.get(slide.title, slide.title)
    if slide.facts and title.startswith(RECOMMENDED):
        title = f"{texts.get(RECOMMENDED.strip(), RECOMMENDED.strip())} {title.removeprefix(RECOMMENDED)}"
    return replace(
        slide,
        title=title,
        facts=tuple(
            replace(fact, label=texts.get(fact.label, fact.label), note=texts.get(fact.note, fact.note))
            for fact in slide.facts
        ),
        figure=slide.figure and _figure(slide.figure, texts),
        tables=tuple(_table(table, texts) for table in slide.tables),
    )


def _content(content: Content, texts: dict[str, str]) -> Content:
    return replace(
        content,
        question=texts.get(content.question, content.question),
        figure=content.figure and _figure(content.figure, texts),
        tables=tuple(_table(table, texts) for table in content.tables),
    )


def _figure(figure: Figure, texts: dict[str, str]) -> Figure:
    return replace(
        figure,
        question=texts.get(figure.question, figure.question),
        panels=tuple(_panel(panel, texts) for panel in figure.panels),
    )


def _panel(panel: Panel, texts: dict[str, str]) -> Panel:
    # A panel in the colour of a configuration has its name, which is not translated.
    title = texts.get(panel.title, panel.title) if panel.look is None else panel.title
    return replace(panel, title=title, x=_axis(panel.x, texts), y=_axis(panel.y, texts))


def _axis(axis: Axis, texts: dict[str, str]) -> Axis:
    return replace(axis, label=texts.get(axis.label, axis.label))


def _table(table: TableData, texts: dict[str, str]) -> TableData:
    columns = tuple(replace(column, title=texts.get(column.title, column.title)) for column in table.columns)
    return replace(table, columns=columns, name=texts.get(table.name, table.name))
