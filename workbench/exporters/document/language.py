"""A document in another language: its fixed texts and its sentences. Names stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from workbench.answers.storyboard.answer import MEASURED, OWN, PRICE, REASON, RECOMMENDATION, RECOMMENDED, SURE
from workbench.charts.claim import Claim, Lead, TimeClaim
from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Bars, Figure, Mark, Panel
from workbench.charts.tables import Cell, TableData
from workbench.exporters.document.document import METHODS, SHORT_METHODS, Document, Section, Slide
from workbench.exporters.names import kept_names
from workbench.model.run import Study
from workbench.words.translated import ENGLISH, speaking, spoken, spoken_words

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
    *SHORT_METHODS,
    *METHODS,
)


def in_language(document: Document, language: str, studies: Sequence[Study]) -> Document:
    """The document on these studies in a language; unchanged for English. The names in the studies stay."""
    if language == ENGLISH:
        return document
    with speaking(language, kept_names(studies)):
        return replace(
            document,
            language=language,
            subtitle=spoken(document.subtitle),
            slides=tuple(map(_slide, document.slides)),
            appendix=tuple(map(_slide, document.appendix)),
            summary=tuple(map(spoken, document.summary)),
            limits=tuple(map(spoken, document.limits)),
            method=tuple(map(spoken_words, document.method)),
            sections=tuple(map(_section, document.sections)),
            sources=tuple(map(_table, document.sources)),
            remarks=tuple(map(spoken, document.remarks)),
        )


def page_in_language(content: Content, language: str, studies: Sequence[Study]) -> Content:
    """The content of a page of the window in a language. Names of tables, titles of columns, regions, and categories
    without a full name stay, because the window finds them by these texts."""
    names = kept_names(studies)
    live = content.live

    def moved(library: Any) -> tuple[tuple[Card, ...], tuple[TableData, ...]]:
        cards, tables = live.answer(library)  # type: ignore[union-attr]
        with speaking(language, names):
            return tuple(map(_shown_card, cards)), tuple(map(_shown_table, tables))

    with speaking(language, names):
        return replace(
            content,
            question=spoken_words(content.question),
            caption=spoken_words(content.caption),
            empty=spoken_words(content.empty),
            advice=spoken_words(content.advice),
            cards=tuple(map(_shown_card, content.cards)),
            figure=content.figure and _shown_figure(content.figure),
            tables=tuple(map(_shown_table, content.tables)),
            method=tuple(map(spoken_words, content.method)),
            listing=content.listing and replace(content.listing, table=_shown_table(content.listing.table)),
            lead=content.lead and _lead(content.lead),
            live=live and replace(live, answer=moved),
        )


def _lead(lead: Lead) -> Lead:
    findings = tuple(
        replace(
            card,
            sentence=spoken(card.sentence),
            number=spoken(card.number),
            foot=spoken_words(card.foot),
            tip=spoken(card.tip),
            claim=card.claim and _claim(card.claim),
        )
        for card in lead.findings
    )
    statement = lead.statement
    if statement is not None:
        why, steps = (tuple(map(spoken, lines)) for lines in (statement.why, statement.next_steps))
        statement = replace(statement, why=why, next_steps=steps)
    return replace(
        lead, findings=findings, caption=spoken_words(lead.caption), banner=spoken(lead.banner), statement=statement
    )


def _shown_card(card: Card) -> Card:
    return replace(_card(card), short=card.short and spoken_words(card.short))


def _shown_table(table: TableData) -> TableData:
    return replace(_table(table), name=table.name, columns=table.columns)


def _shown_figure(figure: Figure) -> Figure:
    panels = tuple(
        replace(
            _panel(panel),
            subtitle=spoken_words(panel.subtitle),
            x=_shown_axis(panel.x),
            y=_shown_axis(panel.y),
            marks=tuple(map(_shown_mark, panel.marks)),
            regions=tuple(replace(region, shown=spoken_words(region.words)) for region in panel.regions),
            moments=panel.moments,
        )
        for panel in figure.panels
    )
    return replace(_figure(replace(figure, panels=())), panels=panels)


def _shown_axis(axis: Axis) -> Axis:
    categories = tuple(map(spoken_words, axis.categories)) if axis.full or axis.of else axis.categories
    return replace(axis, label=spoken_words(axis.label), categories=categories)


def _shown_mark(mark: Mark) -> Mark:
    if isinstance(mark, Bars):
        return replace(mark, name=spoken_words(mark.name), words=tuple(map(spoken_words, mark.words)))
    return replace(mark, name=spoken_words(mark.name))


def _slide(slide: Slide) -> Slide:
    title = spoken_words(slide.title)
    return replace(
        slide,
        title=title,
        evidence=spoken(slide.evidence),
        notes=spoken(slide.notes),
        caveats=tuple(map(spoken, slide.caveats)),
        also=tuple(map(spoken, slide.also)),
        facts=tuple(
            replace(fact, label=spoken_words(fact.label), words=spoken(fact.words), note=spoken_words(fact.note))
            for fact in slide.facts
        ),
        claims=tuple(map(_claim, slide.claims)),
        figure=slide.figure and _figure(slide.figure),
        tables=tuple(map(_table, slide.tables)),
        lists=tuple((spoken_words(head), tuple(map(spoken_words, items))) for head, items in slide.lists),
    )


def _claim(claim: Claim) -> Claim:
    if isinstance(claim, TimeClaim):
        return replace(
            claim,
            rows=tuple(replace(row, words=spoken(row.words)) for row in claim.rows),
            moments=tuple((spoken_words(words), at) for words, at in claim.moments),
            foot=(spoken(claim.foot[0]), spoken(claim.foot[1]), spoken(claim.foot[2])),
        )
    bars = tuple(
        replace(bar, words=spoken_words(bar.words), stack_words=spoken_words(bar.stack_words)) for bar in claim.bars
    )
    change, outlined = spoken_words(claim.change), spoken_words(claim.outlined)
    return replace(claim, bars=bars, change=change, outlined=outlined, left_out=spoken(claim.left_out))


def _section(section: Section) -> Section:
    return replace(
        section,
        name=spoken_words(section.name),
        content=_content(section.content),
        elsewhere=tuple(map(spoken, section.elsewhere)),
    )


def _content(content: Content) -> Content:
    return replace(
        content,
        question=spoken_words(content.question),
        caption=spoken(content.caption),
        empty=spoken(content.empty),
        cards=tuple(map(_card, content.cards)),
        figure=content.figure and _figure(content.figure),
        tables=tuple(map(_table, content.tables)),
        method=tuple(map(spoken, content.method)),
    )


def _card(card: Card) -> Card:
    value, unit = spoken_words(card.value), spoken_words(card.unit)
    return replace(
        card,
        title=spoken_words(card.title),
        value=value,
        unit=unit,
        note=spoken_words(card.note),
        detail=spoken_words(card.detail),
    )


def _figure(figure: Figure) -> Figure:
    return replace(
        figure,
        question=spoken_words(figure.question),
        caption=spoken(figure.caption),
        summary=spoken(figure.summary),
        empty=spoken(figure.empty),
        method=tuple(map(spoken, figure.method)),
        panels=tuple(map(_panel, figure.panels)),
    )


def _panel(panel: Panel) -> Panel:
    return replace(
        panel,
        title=spoken_words(panel.title),
        subtitle=spoken(panel.subtitle),
        x=_axis(panel.x),
        y=_axis(panel.y),
        marks=tuple(replace(mark, name=spoken_words(mark.name)) for mark in panel.marks),
        regions=tuple(replace(region, name=spoken_words(region.words)) for region in panel.regions),
        moments=tuple(
            replace(moment, words=spoken(moment.words), lines=tuple(map(spoken_words, moment.lines)))
            for moment in panel.moments
        ),
    )


def _axis(axis: Axis) -> Axis:
    categories = tuple(map(spoken, axis.categories))
    return replace(axis, label=spoken_words(axis.label), categories=categories)


def _table(table: TableData) -> TableData:
    columns = tuple(
        replace(column, title=spoken_words(column.title), unit=spoken_words(column.unit)) for column in table.columns
    )
    rows = tuple(tuple(map(_cell, row)) for row in table.rows)
    return replace(table, columns=columns, rows=rows, name=spoken_words(table.name), legend=spoken(table.legend))


def _cell(cell: Cell) -> Cell:
    return replace(cell, text=spoken_words(cell.text), tip=spoken(cell.tip), brief=spoken_words(cell.brief))
