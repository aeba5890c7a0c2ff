"""The report, a .pdf to hand over. Contents: the answer on one page, the table of contents, the findings with their
charts, the pages that they are based on, the method, the limitations, and the sources; at most 25 pages per study. A
review has at most 12 pages and no table of contents; a brief is only the page with the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.charts.scales import scales_of
from workbench.charts.tables import TableData, problem_table
from workbench.exporters.document.document import Document, Section, Slide
from workbench.exporters.document.story import HASH
from workbench.exporters.safe_file import LEFT_OUT, alone
from workbench.exporters.texts import allowed, plain_text
from workbench.gui.pictures.files import in_memory, pdf_writer, without_moment
from workbench.gui.pictures.flow import Draw, Flow
from workbench.gui.pictures.head import GAP as CARD_GAP
from workbench.gui.pictures.head import CardRow, card_rows, paint_rule
from workbench.gui.pictures.report_links import ReportContents, finish_report
from workbench.gui.pictures.report_story import flow_findings, flow_first_page, paint_failure
from workbench.gui.pictures.report_table import MOST_ROWS, MOST_SOURCES, flow_table
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.layout import fitting
from workbench.gui.plot.picture import MARGIN, paint_figure
from workbench.gui.services.assets import searchable_type, ui_font
from workbench.measures.significance.method import PROGRAM
from workbench.words.captions import as_sentences

A4_PT = (595.276, 841.89)
# The page in logical pixels. It prints at four fifths of the screen's size, so text of 9 points prints as 7.2.
SIZE = (992.0, 1403.0)
# The maximum number of pages per study, by the length of its document.
MOST_PAGES = {"brief": 1, "review": 12, "full": 25}
_EDGE, _FOOT = 76.0, 40.0
_LEAST_CHART, _MOST_CHART = 380.0, 640.0
_GAP = 6.0
_STORY_ROWS, _MOST_TAIL = 16, 8
_STEP = 44.0
_BETWEEN = 48.0
_SEVERAL_LEFT_OUT = "Omitted: "
# If less than this share of the last page is used, it looks like a mistake.
_LEAST_USED = 0.25


def write_report(path: Path, story: Document) -> tuple[str, ...]:
    """Writes the report. Returns sentences about content that could not be shown in full. Raises `OSError`."""
    with searchable_type():
        # Paper is white.
        ink, contents = Ink("light"), ReportContents()
        pages = _planned(ink, story, contents)
        held = in_memory()
        writer = pdf_writer(held, A4_PT, story.title)
        painter = QPainter()
        if not painter.begin(writer):
            raise OSError("Qt could not start writing the file")
        share = writer.width() / SIZE[0]
        painter.scale(share, share)
        for number, drawings in enumerate(pages, 1):
            if number > 1:
                writer.newPage()
            contents.now = number
            painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
            for draw in drawings:
                draw(painter)
            _paint_foot(painter, ink, story, number, len(pages))
        if not painter.end():
            raise OSError("Qt could not finish the file")
        del painter, writer
    finish_report(without_moment(bytes(held.data().data())), path, story, contents, A4_PT[0] / SIZE[0])
    return tuple(dict.fromkeys(contents.told))


def _flow(ink: Ink) -> Flow:
    return Flow(ink, QRectF(_EDGE, _EDGE, SIZE[0] - 2 * _EDGE, SIZE[1] - 2 * _EDGE - _FOOT))


def _planned(ink: Ink, story: Document, contents: ReportContents) -> list[list[Draw]]:
    """All pages; `contents` stores the first page of each part. Parts are arranged separately, so parts without room
    can be left out."""
    first, findings = _flow(ink), _flow(ink)
    shown: tuple[Slide, ...] = ()
    has_findings = False
    if story.all_slides:
        shown = flow_first_page(first, contents, story)
        has_findings = any(slide not in shown for slide in story.all_slides)
    else:
        _flow_title(first, story)
        contents.entries.append((story.title, "summary", 1))
    contents.pages["summary"] = 1
    if story.length == "brief":
        return first.pages[:1]
    headings = [*contents.entries]
    contents.entries = []
    if has_findings:
        contents.entries.append((story.word("Findings"), "findings", 1))
        contents.pages["findings"] = 1
        findings.words(story.word("Findings"), ink.question)
        told = [*contents.told]
        flow_findings(findings, contents, story, shown)
        if _almost_empty(findings):
            findings, contents.entries, contents.told = _flow(ink), contents.entries[:1], [*told]
            findings.words(story.word("Findings"), ink.question)
            flow_findings(findings, contents, story, shown, short=True)
    found = contents.entries
    contents.entries = []
    told = [*contents.told]
    tail, _keys = _tail(ink, story, contents, tight=False)
    contents.told = told
    listing = story.length != "review"
    begun = first.number + findings.number * has_findings + listing
    # One page more, because the last part names the content without room.
    sections = _chosen(ink, story, contents, begun + len(tail) + 1)
    tail, keys = _tail(ink, story, contents, tight=True)
    listed = _flow(ink)
    _number(contents, found, first.number + listing)
    at = first.number + listing + findings.number * has_findings
    entries = [*headings, *found]
    if sections:
        entries.append((story.word("Pages"), f"s{min(sections) + 1}", 1)) if story.all_slides else None
    pages, begins = _placed([sections[place] for place in sorted(sections)])
    for place, begin in zip(sorted(sections), begins, strict=True):
        key = f"s{place + 1}"
        contents.pages[key] = at + begin
        entries.append((story.sections[place].name, key, 2 if story.all_slides else 1))
    for heading, key, page in keys:
        contents.pages[key] = at + len(pages) + page
        entries.append((heading, key, 1))
    contents.entries = entries
    _flow_contents(listed, contents, story.word("Contents"))
    return [*first.pages, *listed.pages[:listing], *(findings.pages if has_findings else []), *pages, *tail]


def _placed(flows: Sequence[Flow]) -> tuple[list[list[Draw]], list[int]]:
    """The pages of all flows, and the first page of each, from 1. A short flow goes below the previous one if all of it
    fits there."""
    pages: list[list[Draw]] = []
    begins: list[int] = []
    end = 0.0
    for flow in flows:
        top, below = flow.area.top(), end + _BETWEEN
        if pages and flow.number == 1 and below + flow.y - top <= flow.area.bottom():
            pages[-1].append(partial(_draw_lower, flow.pages[0], below - top))
            begins.append(len(pages))
            end = below + flow.y - top
        else:
            begins.append(len(pages) + 1)
            pages += [[*drawings] for drawings in flow.pages]
            end = flow.y
    return pages, begins


def _draw_lower(drawings: Sequence[Draw], down: float, painter: QPainter) -> None:
    painter.save()
    painter.translate(0.0, down)
    for draw in drawings:
        draw(painter)
    painter.restore()


def _number(contents: ReportContents, entries: Sequence[tuple[str, str, int]], before: int) -> None:
    """Adds the pages before the findings to their page numbers, which counted only their own pages."""
    for _, key, _depth in entries:
        contents.pages[key] += before


def _almost_empty(flow: Flow) -> bool:
    """True if the last of several pages is almost empty."""
    return flow.number > 1 and flow.y - flow.area.top() < _LEAST_USED * flow.area.height()


def _tail(
    ink: Ink, story: Document, contents: ReportContents, tight: bool
) -> tuple[list[list[Draw]], list[tuple[str, str, int]]]:
    """The last parts with their headings, keys and pages. Long sources are cut in a report with a story. If `tight`,
    gaps get smaller and tables shorter if a few lines would be alone on the last page."""
    told = [*contents.told]
    flow, keys = _tail_of(ink, story, contents, MOST_SOURCES)
    most = MOST_SOURCES
    if story.all_slides and flow.number > _MOST_TAIL:
        contents.told, most = [*told], MOST_ROWS
        flow, keys = _tail_of(ink, story, contents, most)
    fewest = _STORY_ROWS if story.all_slides else most
    for rows, gaps in ((most, 0.5), (most, 0.2), (fewest, 0.5)) if tight else ():
        if not _almost_empty(flow):
            break
        contents.told = [*told]
        flow, keys = _tail_of(ink, story, contents, rows, gaps)
    return flow.pages, keys


def _tail_of(
    ink: Ink, story: Document, contents: ReportContents, most_sources: int, gaps: float = 1.0
) -> tuple[Flow, list[tuple[str, str, int]]]:
    flow, keys = _flow(ink), list[tuple[str, str, int]]()

    def begin(heading: str, key: str, room: float = 200.0) -> None:
        flow.gap(26 * gaps)
        flow.need(room)
        keys.append((story.word(heading), key, flow.number))
        flow.words(story.word(heading), ink.question)

    for heading, key, texts in (("Method", "method", story.method), ("Limitations", "limits", story.limits)):
        if texts:
            begin(heading, key)
        for text in texts:
            flow.gap(6 * gaps)
            flow.words(text, ui_font(10.5))
    most = _STORY_ROWS if story.all_slides else MOST_ROWS
    for heading, key, tables, rows in (
        ("Problems", "problems", (problem_table(story.problems),) if story.problems else (), most),
        ("Sources", "sources", story.sources, most_sources),
    ):
        begin(heading, key)
        if not any(table.rows for table in tables):
            flow.words(story.word("None."), ui_font(11.0), "quiet")
        for table in (_without_hashes(table) for table in tables if table.rows):
            if message := flow_table(flow, table, table.name or heading, rows):
                contents.told.append(message)
    left_out = _joined((*story.remarks, *contents.told))
    tall = sum(flow.height(text, ui_font(9.5), flow.area.width()) + 6 for text in left_out)
    begin("Omitted", "left-out", min(200.0, tall + 50))
    if not left_out:
        flow.words("No limitations except the notes below the tables.", ui_font(10.0), "quiet")
    for text in left_out:
        flow.gap(4 * gaps)
        flow.words(text, ui_font(9.5))
    return flow, keys


def _joined(texts: Sequence[str]) -> list[str]:
    """The texts without repetition; parts that are omitted for one reason are one text."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for text in dict.fromkeys(texts):
        what, omitted, why = text.partition(LEFT_OUT)
        by_reason.setdefault((omitted, why) if omitted else (text, ""), []).append(what)
    return [
        f"{_SEVERAL_LEFT_OUT}{'; '.join(names)}. {why}"
        if len(names) > 1
        else f"{names[0]}{omitted if why else ''}{why}"
        for (omitted, why), names in by_reason.items()
    ]


def _without_hashes(table: TableData) -> TableData:
    """The table without hashes, because nobody compares 64 letters on paper."""
    kept = [at for at, column in enumerate(table.columns) if column.title != HASH]
    if len(kept) == len(table.columns):
        return table
    rows = tuple(tuple(row[at] for at in kept) for row in table.rows)
    legend = f"The workbook (.xlsx) and the exported page (.html) have the {HASH} of each file."
    return TableData(tuple(table.columns[at] for at in kept), rows, legend, table.name)


def _chosen(ink: Ink, story: Document, contents: ReportContents, others: int) -> dict[int, Flow]:
    """The sections that fit next to the `others` pages: first those that findings are based on, then the first view of
    each page, then the rest. All sections if pages were requested and not a story."""
    studies = max(1, len({section.study for section in story.sections}))
    most = MOST_PAGES[story.length]
    room = most * studies - others if story.all_slides else 10**6
    rests = [place for slide in story.slides if (place := story.evidence_of(slide)) is not None]
    firsts: dict[tuple[str, str], int] = {}
    for place, section in enumerate(story.sections):
        firsts.setdefault((section.study, section.key.partition(":")[0]), place)
    chosen: dict[int, Flow] = {}
    for place in dict.fromkeys((*rests, *firsts.values(), *range(len(story.sections)))):
        flow, told = _flow(ink), [*contents.told]
        _flow_section_alone(flow, contents, story, story.sections[place])
        more = {**chosen, place: flow}
        if len(_placed([more[known] for known in sorted(more)])[0]) <= room:
            chosen = more
        else:
            contents.told = [
                *told,
                f"{story.sections[place].name}{LEFT_OUT}The report has at most {most} pages per study. The "
                "HTML and Excel exports contain this part.",
            ]
    return chosen


def _flow_title(flow: Flow, story: Document) -> None:
    flow.gap(0)
    flow.words(story.title, ui_font(26.0, QFont.Weight.Bold))
    for text in filter(None, (story.face, story.subtitle)):
        flow.words(text, ui_font(12.0), "quiet")


def _flow_contents(flow: Flow, contents: ReportContents, title: str) -> None:
    """Adds the parts with their pages, as links; long contents in smaller steps, on one page."""
    flow.words(title, flow.ink.question)
    flow.gap(10)
    step = min(_STEP, flow.left_over / max(1, len(contents.entries)))
    for heading, key, depth in contents.entries:
        box = QRectF(flow.area.left(), flow.y, flow.area.width(), step)
        flow.draw(partial(_paint_entry, flow.ink, contents, heading, key, depth, box), step)


def _paint_entry(
    ink: Ink, contents: ReportContents, heading: str, key: str, depth: int, box: QRectF, painter: QPainter
) -> None:
    font = ui_font(10.0, QFont.Weight.DemiBold if depth == 1 else QFont.Weight.Normal)
    painter.setFont(font)
    painter.setPen(ink.token("text"))
    left, right = (
        way | Qt.AlignmentFlag.AlignVCenter for way in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
    )
    words = box.adjusted(18.0 * (depth - 1), 0, -50, 0)
    shown = painter.fontMetrics().elidedText(plain_text(heading), Qt.TextElideMode.ElideRight, int(words.width()))
    painter.drawText(words, int(left), shown)
    painter.setPen(ink.token("quiet"))
    painter.drawText(box, int(right), str(contents.pages[key]))
    contents.link(box, key)


def _flow_section_alone(flow: Flow, contents: ReportContents, story: Document, section: Section) -> None:
    """Adds the section. If it fails, a message follows at that place."""

    def failed(words: str) -> None:
        contents.told.append(f"{section.name}{LEFT_OUT}{words}")
        flow.words(words, ui_font(11.0))

    alone("", lambda: _flow_section(flow, contents, story, section), failed)


def _flow_section(flow: Flow, contents: ReportContents, story: Document, section: Section) -> None:
    content, ink = section.content, flow.ink
    flow.words(section.name, ui_font(9.0, QFont.Weight.DemiBold), "accent")
    if content.empty:
        flow.words(content.question, ink.question)
        flow.words(content.empty, ui_font(11.0), "quiet")
        return
    ends = tuple(filter(None, (*section.elsewhere, as_sentences(content.definitions))))
    flow.words(content.question, ink.question)
    flow.gap(2)
    flow.words(content.caption, ink.plain, "quiet")
    flow.gap(6)
    for row in card_rows(ink, content.cards, flow.area.width()):
        flow.need(row.tall)
        flow.draw(partial(_paint_cards, flow, row, flow.y), row.tall + ink.px(CARD_GAP))
    if content.figure is not None:
        # If nothing else follows the chart, the text below it is on the same page.
        below = 0.0 if content.tables else _words_height(flow, ends)
        _flow_figure(flow, content.figure, below)
    rows = _STORY_ROWS if story.all_slides else MOST_ROWS
    tables = [table for table in content.tables if table.rows]
    for table in tables:
        below = _words_height(flow, ends) if table is tables[-1] else 0.0
        if message := flow_table(flow, table, table.name or section.name, rows, below):
            place = f"Table “{table.name}” under “{section.name}”" if table.name else section.name
            contents.told.append(place + message.removeprefix(table.name or section.name))
    for text in ends:
        flow.gap(_GAP)
        flow.words(text, ink.small, "quiet")


def _words_height(flow: Flow, texts: Sequence[str]) -> float:
    return sum(flow.height(text, flow.ink.small, flow.area.width()) + _GAP + 3 for text in texts)


def _paint_cards(flow: Flow, row: CardRow, top: float, painter: QPainter) -> None:
    row.paint(painter, flow.ink, flow.area.left(), top)


def _flow_figure(flow: Flow, figure: Figure, below: float = 0.0) -> None:
    """Adds the figure in portrait format: not higher than wide, with the height `below` kept free below it. Columns
    that do not fit side by side follow below the others."""
    columns = sorted({panel.column for panel in figure.panels})
    rows = max((sum(p.column == c for p in figure.panels) for c in columns), default=1)
    scales = scales_of(figure)
    fits = fitting(figure, scales, flow.ink, flow.area.width()) if figure.scrolls else len(columns)
    count = -(-len(columns) // fits) if columns else 1
    each = -(-len(columns) // count)
    for first in range(0, max(1, len(columns)), each or 1):
        part = None if count == 1 else (first, min(each, len(columns) - first))
        kept = below if first + each >= len(columns) else 0.0
        flow.need(_LEAST_CHART + kept)
        top, tall = flow.y - 8, min(flow.left_over - kept, _LEAST_CHART + (_MOST_CHART - _LEAST_CHART) * (rows - 1))
        # The chart has its own margin, and the page already has one.
        area = QRectF(flow.area.left() - MARGIN, top, flow.area.width() + 2 * MARGIN, tall)
        flow.draw(partial(_draw_part, figure, area, flow.ink.theme, part), tall)


def _draw_part(figure: Figure, area: QRectF, theme: ThemeName, part: tuple[int, int] | None, painter: QPainter) -> None:
    painter.save()
    alone(
        "",
        lambda: paint_figure(painter, figure, area, theme, title=False, columns=part),
        partial(paint_failure, painter, area),
    )
    painter.restore()


def _paint_foot(painter: QPainter, ink: Ink, story: Document, number: int, count: int) -> None:
    y = SIZE[1] - _EDGE - 6
    paint_rule(painter, ink, QPointF(_EDGE, y), SIZE[0] - 2 * _EDGE)
    box = QRectF(_EDGE, y + 4, SIZE[0] - 2 * _EDGE, 24)
    painter.setFont(ink.small)
    painter.setPen(ink.token("quiet"))
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(
        box, int(Qt.AlignmentFlag.AlignLeft | middle), f"{allowed(story.title)[:120]} · {plain_text(PROGRAM)}"
    )
    painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | middle), plain_text(f"{number} of {count}"))
