"""A page of the window as a sheet: its questions with cards, native charts and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.answers.findings.tables import caveats_in
from workbench.answers.prepare.spec import KEY as PREPARE
from workbench.charts.content import Card, Content
from workbench.charts.inputs import Input
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.job import DocumentPart
from workbench.exporters.workbook.card_cells import card_figure
from workbench.exporters.workbook.cells import QUIET, TEXT, in_a_row, inked, put, text_width
from workbench.exporters.workbook.figure_block import Link
from workbench.exporters.workbook.making import FINDINGS, Making
from workbench.exporters.workbook.sheets.chart import LEADING, WIDTH_PX, Sheet, SheetSection
from workbench.exporters.workbook.table_block import add_table, add_text_sheet, table_widths
from workbench.words.captions import named
from workbench.words.numbers import marked
from workbench.words.translated import spoken_words

# The sheet with the questions of a page that the data do not answer.
MISSING_DATA = "Missing data"
_LEAST_COLUMNS = 12
# Pages that share a sheet, because they show the same quantity.
IOPS_KEY = "overview"
_OF_IOPS = (IOPS_KEY, "per-vm-iops")


@dataclass(frozen=True, eq=False)
class Chapter:
    """A page: its key, its name (also that of the sheet), its study, and the answers of its views."""

    key: str
    name: str
    study: str
    parts: tuple[DocumentPart, ...]


def chapters_of(parts: Sequence[DocumentPart]) -> list[Chapter]:
    """The parts grouped into pages; parts of one page and study are together."""
    pages: dict[tuple[str, str], list[DocumentPart]] = {}
    for part in parts:
        pages.setdefault((part.page, part.study), []).append(part)
    return [
        Chapter(page, parts[0].name.removeprefix(f"{study}: ").partition(",")[0], study, tuple(parts))
        for (page, study), parts in pages.items()
    ]


def with_iops(chapters: Sequence[Chapter]) -> list[Chapter]:
    """The chapters, with those on IOPS of one study joined."""
    merged: dict[tuple[str, str], Chapter] = {}
    for chapter in chapters:
        key = (LEADING if chapter.key in _OF_IOPS else chapter.key), chapter.study
        known = merged.get(key)
        parts = (*known.parts, *chapter.parts) if known else chapter.parts
        merged[key] = Chapter(IOPS_KEY, LEADING, chapter.study, parts) if key[0] == LEADING else chapter
    return list(merged.values())


def write_chapter(
    making: Making,
    chapter: Chapter,
    links: Sequence[Link] = (),
    left_out: frozenset[str] = frozenset(),
    more: Sequence[SheetSection] = (),
) -> None:
    """Add the sheet of a chapter, with `more` charts below.

    `links` give the formula of a bar before its source does. `left_out` are tables that the workbook has elsewhere,
    with formulas.
    """
    label = chapter.study
    if _says(chapter, left_out) or more:
        columns = _columns([part.content for part in chapter.parts], left_out)
        page = Sheet(making, making.sheet(chapter.name, label), columns, has_inputs=chapter.key == "sizing")
        page.title(f"{chapter.name}: {label}" if label else chapter.name)
        written: set[str] = set()
        for part in chapter.parts:
            _content(page, part.content, links, left_out, written)
            page.row += 1
        for section in more:
            page.add(section)
        figures = [figure for section in more for figure in section.figures]
        figures += [part.content.figure for part in chapter.parts if part.content.figure is not None]
        if not (written or any(part.content.inputs for part in chapter.parts) or any(one.panels for one in figures)):
            making.blank.add(page.sheet.title)
        page.finish()


def shared_sentences(chapters: Sequence[Chapter]) -> frozenset[str]:
    """The tables of sentences that are equal in several chapters: they belong to no study and are written once."""
    counter = Counter(
        key
        for chapter in chapters
        for key in {_key(table) for part in chapter.parts for table in part.content.tables if _in_sentences(table)}
    )
    return frozenset(key for key, count in counter.items() if count > 1)


def _says(chapter: Chapter, left_out: frozenset[str]) -> bool:
    """True if the sheet has content other than the question; an overview may lose all of its content."""
    for content in (part.content for part in chapter.parts):
        tables = [table for table in content.tables if not (_in_sentences(table) or _elsewhere(table, left_out))]
        if tables or content.cards or content.empty or content.inputs or content.figure is not None:
            return True
    return False


def _in_sentences(table: TableData) -> bool:
    return any(column.fills for column in table.columns) and not any(column.numeric for column in table.columns)


def _elsewhere(table: TableData, left_out: frozenset[str]) -> bool:
    return any(table.name.startswith(name) for name in left_out)


def _key(table: TableData) -> str:
    return repr((table.name, table.columns, len(table.rows), table.rows[:1]))


def write_sentences(making: Making, chapter: Chapter, shared: frozenset[str]) -> None:
    """Add the sheet of a chapter's tables of sentences, one below the other. Tables that studies have in common
    (`shared`) are on one common sheet."""
    tables: dict[str, TableData] = {}
    for table in (table for part in chapter.parts for table in part.content.tables):
        if _in_sentences(table) and table.rows and _key(table) not in making.told:
            tables.setdefault(_key(table), table)
    own = [table for key, table in tables.items() if key not in shared]
    if own:
        name = MISSING_DATA if chapter.key == PREPARE else FINDINGS
        add_text_sheet(making, name, [_for_paper(table) for table in own], chapter.study)
    for key in tables.keys() & shared:
        making.told.add(key)
        add_text_sheet(making, tables[key].name or FINDINGS, [tables[key]], "")


def _for_paper(table: TableData) -> TableData:
    """The findings with their caveats, which the window shows as tooltips, and the first ones without the words about
    mouse actions in the window."""
    if table.columns[0].title != "Finding":
        return table
    every = [caveats_in(row[0].tip) for row in table.rows]
    cells = [Cell(text, text or None) for text in map("\n".join, every)]
    rows = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
    columns = (*table.columns, Column("Caveats", numeric=False, fills=True))
    return replace(table, columns=columns, rows=rows, legend="" if table.name == FINDINGS else table.legend)


def _content(page: Sheet, content: Content, links: Sequence[Link], left_out: frozenset[str], written: set[str]) -> None:
    figure = content.figure
    if figure is not None and figure.panels:
        chosen = (_first_of([*links, page.making.link()]),)
        # The head of the page, which may be its answer: a chart is named by its question.
        headed = replace(figure, question=content.question, method=content.definitions)
        section = SheetSection((headed,), chosen, with_summary=not content.cards)
        page.add(section, lambda: _cards(page, content.cards), len(content.cards) + 1)
    else:
        page.question(content.question)
        page.line(content.empty or (figure.empty if figure else "") or content.caption)
        page.lines(content.definitions)
        _cards(page, content.cards)
    _inputs(page, content.inputs)
    for index, table in enumerate(content.tables):
        # The views of a page share tables; a sheet has each of them once.
        key = _key(table)
        if key in written or _elsewhere(table, left_out) or _in_sentences(table):
            continue
        written.add(key)
        add_table(page, table, "" if len(content.tables) == 1 else f"Table {index + 1}")


def _first_of(links: Sequence[Link]) -> Link:
    """The first formula that any of the links has for a bar."""
    return lambda panel, bars, index: next(
        (text for link in links if (text := link(panel, bars, index)) is not None), None
    )


def _cards(page: Sheet, cards: Sequence[Card]) -> None:
    """Write the cards of the page, one per line."""
    if not cards:
        return
    for card in cards:
        card_figure(page.making, page.sheet, page.row, 2, card)
        title = put(page.sheet, page.row, 1, card.title, page.making.notes, font=inked(card.look))
        title.alignment = TEXT
        words = in_a_row(" · ".join(text.replace("\n", " · ") for text in (card.note, card.detail) if text))
        put(page.sheet, page.row, 3, words, page.making.notes, font=QUIET).alignment = TEXT
        page.row += 1
    page.row += 1


def _inputs(page: Sheet, inputs: Sequence[Input]) -> None:
    """Write the inputs of the page on one line."""
    if not inputs or len(inputs) > 8:
        return
    page.line(f"Page settings: {'; '.join(map(_setting, inputs))}")
    page.row += 1


def _setting(field: Input) -> str:
    """Text like `Desktops = 500 (assumed)`, or `Baseline = 'PVS 1 GB'`. The label may contain the unit."""
    value = named(spoken_words(field.name)) if isinstance(field.value, str) else marked(f"{field.value:,.6g}")
    unit = "" if field.unit.casefold() in field.label.casefold() else field.counted
    origin = f"({field.origin})" if field.origin else ""
    return f"{spoken_words(field.label)} = {' '.join(filter(None, (value, unit, origin)))}"


def _columns(contents: Sequence[Content], left_out: frozenset[str]) -> list[float]:
    tables = [
        table
        for content in contents
        for table in content.tables
        if not _elsewhere(table, left_out) and not _in_sentences(table)
    ]
    values = table_widths(tables)
    values += [9.0] * (_LEAST_COLUMNS - len(values))
    # Wide enough for the charts, which determine the print area.
    while sum(round(7 * width + 5) for width in values) < WIDTH_PX + 60:
        values.append(9.0)
    cards = [card for content in contents for card in content.cards]
    values[0] = max(values[0], text_width([card.title for card in cards], most=40))
    figures = [f"{card.value} {card.unit}" for card in cards]
    values[1] = max(values[1], text_width(figures, most=24))
    return values
