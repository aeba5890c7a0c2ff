"""The report: a .pdf to hand over. A title page with contents, the findings, a page for each answer with its chart as
vectors and its tables, the method, the problems, and where all of it comes from.

A4 landscape: charts of several configurations stand side by side and tables are wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.charts.tables import problem_table
from workbench.exporters.alone import LEFT_OUT, alone
from workbench.exporters.document import Document, Section, Slide
from workbench.exporters.plain_text import plain_text
from workbench.gui.pictures.files import pdf_writer, without_moment
from workbench.gui.pictures.flow import Draw, Flow
from workbench.gui.pictures.head import paint_head, paint_rule
from workbench.gui.pictures.report_table import MOST_ROWS, MOST_SOURCES, flow_table
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.picture import MARGIN, paint_figure
from workbench.gui.services.assets import searchable_type, ui_font
from workbench.measures.judging.method import PROGRAM

A4_LANDSCAPE_PT = (841.89, 595.276)
# The page in logical pixels: at four fifths of the screen's size, type of 9 points prints as 7.2.
SIZE = (1403.0, 992.0)
_EDGE, _FOOT = 52.0, 40.0
_LEAST_CHART = 380.0
_GAP = 6.0


@dataclass
class _Contents:
    """Where each part begins, and what could not be shown in full."""

    entries: list[tuple[str, int]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def write_report(path: Path, story: Document, theme: ThemeName = "light") -> tuple[str, ...]:
    """Writes the report; returns in sentences what could not be shown in full. Raises `OSError`."""
    with searchable_type():
        ink = Ink(theme)
        flow, contents = _planned(ink, story)
        writer = pdf_writer(path, A4_LANDSCAPE_PT, story.title)
        painter = QPainter()
        if not painter.begin(writer):
            raise OSError("Qt could not begin the file")
        share = writer.width() / SIZE[0]
        painter.scale(share, share)
        pages: list[list[Draw]] = [[partial(_paint_title, ink=ink, story=story, contents=contents)], *flow.pages]
        for number, drawings in enumerate(pages, 1):
            if number > 1:
                writer.newPage()
            painter.fillRect(QRectF(-2, -2, SIZE[0] + 4, SIZE[1] + 4), ink.token("ground"))
            painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
            for draw in drawings:
                draw(painter)
            _paint_foot(painter, ink, story, number, len(pages))
        if not painter.end():
            raise OSError("Qt could not finish the file")
        del painter, writer
    without_moment(path)
    return tuple(dict.fromkeys(contents.told))


def _planned(ink: Ink, story: Document) -> tuple[Flow, _Contents]:
    area = QRectF(_EDGE, _EDGE, SIZE[0] - 2 * _EDGE, SIZE[1] - 2 * _EDGE - _FOOT)
    flow, contents = Flow(ink, area), _Contents()
    if story.all_slides:
        _begin(flow, contents, "Findings")
        for number, finding in enumerate(story.all_slides, 1):
            _flow_finding(flow, number, finding)
    for section in story.sections:
        _flow_section_alone(flow, contents, section)
    _begin(flow, contents, "Method")
    for text in story.method:
        flow.gap(6)
        flow.words(text, ui_font(11.0), wide=1100)
    for heading, tables, most in (
        ("Problems", (problem_table(story.problems),) if story.problems else (), MOST_ROWS),
        ("Sources", story.sources, MOST_SOURCES),
    ):
        _begin(flow, contents, heading)
        if not tables:
            flow.words("None.", ui_font(11.0), "quiet")
        for table in tables:
            if message := flow_table(flow, table, table.name or heading, most):
                contents.told.append(message)
    if left_out := dict.fromkeys((*story.remarks, *contents.told)):
        _begin(flow, contents, "Left out")
        for text in left_out:
            flow.gap(4)
            flow.words(text, ui_font(10.0), wide=1180)
    return flow, contents


def _flow_finding(flow: Flow, number: int, told_finding: Slide) -> None:
    """A finding with all that limits it on one page."""
    texts = [(f"{number}.  {told_finding.title}", ui_font(12.0, QFont.Weight.DemiBold), "text", 0.0)]
    texts += [(text, ui_font(9.5), "quiet", 26.0) for text in (told_finding.evidence, *told_finding.caveats) if text]
    flow.gap(10)
    flow.need(
        min(flow.area.height(), sum(flow.height(text, font, 1180 - indent) + 2 for text, font, _, indent in texts))
    )
    for text, font, token, indent in texts:
        flow.words(text, font, token, indent, 1180)


def _begin(flow: Flow, contents: _Contents, heading: str) -> None:
    flow.new_page()
    # The title page comes before all.
    contents.entries.append((heading, flow.number + 1))
    flow.words(heading, flow.ink.question)


def _flow_section_alone(flow: Flow, contents: _Contents, section: Section) -> None:
    """The section; one that fails says so where it stops."""

    def failed(words: str) -> None:
        contents.told.append(f"{section.name}{LEFT_OUT}{words}")
        flow.words(words, ui_font(11.0))

    alone("", lambda: _flow_section(flow, contents, section), failed)


def _flow_section(flow: Flow, contents: _Contents, section: Section) -> None:
    content, ink = section.content, flow.ink
    flow.new_page()
    contents.entries.append((section.name, flow.number + 1))
    flow.words(section.name, ui_font(9.0, QFont.Weight.DemiBold), "accent")
    if content.empty:
        flow.words(content.question, ink.question)
        flow.words(content.empty, ui_font(11.0), "quiet")
        return
    box = QRectF(flow.area.left(), flow.y, flow.area.width(), flow.left_over)
    flow.draw(lambda painter: paint_head(painter, ink, content, box), _head_height(ink, section, box))
    if content.figure is not None:
        # Where nothing else follows the chart, what is said below it stands on the same page.
        below = 0.0 if content.tables else _words_height(flow, section.elsewhere)
        _flow_figure(flow, content.figure, below)
    for table in content.tables:
        if message := flow_table(flow, table, table.name or section.name):
            contents.told.append(f"{section.name}, {message}")
    for text in section.elsewhere:
        flow.gap(_GAP)
        flow.words(text, ink.small, "quiet")


def _words_height(flow: Flow, texts: Sequence[str]) -> float:
    return sum(flow.height(text, flow.ink.small, flow.area.width()) + _GAP + 3 for text in texts)


def _head_height(ink: Ink, section: Section, box: QRectF) -> float:
    """Measured by painting it where nobody sees it."""
    from PySide6.QtGui import QPicture

    nowhere = QPicture()
    painter = QPainter(nowhere)
    below = paint_head(painter, ink, section.content, box)
    painter.end()
    return below - box.top()


def _flow_figure(flow: Flow, figure: Figure, below: float = 0.0) -> None:
    """The figure over the rest of the page, except what is kept free `below` it."""
    flow.need(_LEAST_CHART + below)
    top, tall = flow.y - 8, flow.left_over - below
    # The chart brings its own margin, which the page has already.
    area = QRectF(flow.area.left() - MARGIN, top, flow.area.width() + 2 * MARGIN, tall)
    theme = flow.ink.theme

    def draw(painter: QPainter) -> None:
        painter.save()
        alone("", lambda: paint_figure(painter, figure, area, theme, title=False), partial(_paint_words, painter, area))
        painter.restore()

    flow.draw(draw, tall)


def _paint_words(painter: QPainter, area: QRectF, words: str) -> None:
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)


def _paint_title(painter: QPainter, ink: Ink, story: Document, contents: _Contents) -> None:
    flow = Flow(ink, QRectF(_EDGE * 2, 150, SIZE[0] - 4 * _EDGE, SIZE[1] - 230))
    painter.fillRect(QRectF(0, 0, 14, SIZE[1]), ink.token("accent"))
    flow.words(story.title, ui_font(30.0, QFont.Weight.Bold))
    flow.words(story.subtitle, ui_font(13.0), "quiet")
    flow.gap(30)
    for draw in flow.pages[0]:
        draw(painter)
    columns = 2 if len(contents.entries) > 16 else 1
    per_column = -(-len(contents.entries) // columns)
    wide, font = flow.area.width() / 2 - 30, ui_font(11.0)
    step = min(30.0, (SIZE[1] - 130 - flow.y) / max(1, per_column))
    for index, (name, number) in enumerate(contents.entries):
        x = flow.area.left() + (index // per_column) * (wide + 60)
        box = QRectF(x, flow.y + index % per_column * step, wide, step)
        painter.setFont(font)
        painter.setPen(ink.token("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), plain_text(name)[:90])
        painter.setPen(ink.token("quiet"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(number))


def _paint_foot(painter: QPainter, ink: Ink, story: Document, number: int, count: int) -> None:
    y = SIZE[1] - _EDGE - 6
    paint_rule(painter, ink, QPointF(_EDGE, y), SIZE[0] - 2 * _EDGE)
    box = QRectF(_EDGE, y + 4, SIZE[0] - 2 * _EDGE, 24)
    painter.setFont(ink.small)
    painter.setPen(ink.token("quiet"))
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | middle), f"{plain_text(story.title)[:120]} · {PROGRAM}")
    painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | middle), f"{number} of {count}")
