"""The beginning of a report: the answer with its chart on one page, the contents, then a finding after the other."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter

from workbench.charts.figure import Figure
from workbench.exporters.alone import LEFT_OUT, alone
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.plain_text import plain_text
from workbench.gui.pictures.claims import paint_claims
from workbench.gui.pictures.flow import Flow
from workbench.gui.pictures.head import WRAPPED
from workbench.gui.pictures.report_links import Contents
from workbench.gui.pictures.report_table import flow_table
from workbench.gui.plot.picture import MARGIN, paint_figure
from workbench.gui.services.assets import ui_font

_LEAD, _SMALL, _CLAIM, _FIGURE = 300.0, 200.0, 230.0, 320.0
_FEW_ROWS, _FEW_LIMITS = 12, 4
_LOGO = (190.0, 64.0)
_BESIDE = 36.0


def flow_first_page(flow: Flow, contents: Contents, story: Document) -> None:
    """The answer as the title, the summary, the chart that shows it, two more, a table, and what limits it."""
    lead = story.all_slides[0]
    contents.entries.append(("Summary", "summary", 1))
    _flow_face(flow, contents, story)
    flow.gap(18)
    flow.words(story.summary[0] if story.summary else lead.title, ui_font(22.0, QFont.Weight.Bold))
    flow.gap(8)
    for sentence in story.summary[1:]:
        flow.words(sentence, ui_font(12.0))
    flow.gap(16)
    _flow_chart(flow, lead, _LEAD, 1)
    _flow_beside(flow, [slide for slide in story.all_slides[1:] if slide.pointed][:2])
    place = story.evidence_of(lead)
    tables = story.sections[place].content.tables if place is not None else ()
    if tables and len(tables[0].rows) <= _FEW_ROWS and flow.left_over > 60 + 24 * len(tables[0].rows):
        flow_table(flow, tables[0], tables[0].name, _FEW_ROWS)
    _flow_limits(flow, story)


def _flow_face(flow: Flow, contents: Contents, story: Document) -> None:
    """Study, customer, author and date at the left, the logo at the right."""
    logo = QImage(str(story.logo)) if story.logo is not None else QImage()
    if story.logo is not None and logo.isNull():
        contents.told.append(f"The logo {story.logo.name}{LEFT_OUT}it cannot be read as a picture.")
    if not logo.isNull():
        scale = min(_LOGO[0] / logo.width(), _LOGO[1] / logo.height())
        box = QRectF(0, flow.y, logo.width() * scale, logo.height() * scale)
        box.moveRight(flow.area.right())
        flow.draw(lambda painter: painter.drawImage(box, logo), 0.0)
    wide = flow.area.width() - _LOGO[0] - 20
    top = flow.y
    flow.words(story.title, ui_font(11.0, QFont.Weight.DemiBold), wide=wide)
    for text in filter(None, (story.face, *story.subtitle.split("\n"))):
        flow.words(text, ui_font(10.0), "quiet", wide=wide)
    flow.y = max(flow.y, top + (0 if logo.isNull() else _LOGO[1]))


def _flow_limits(flow: Flow, story: Document) -> None:
    shown = story.limits[:_FEW_LIMITS]
    if not shown:
        return
    more = len(story.limits) - len(shown)
    texts = [*shown, *((f"{more} more under “What limits these figures”.",) if more else ())]
    font = ui_font(9.5)
    tall = 20 + sum(flow.height(text, font, flow.area.width() - 18) + 2 for text in texts)
    if tall + 10 > flow.left_over:
        return
    flow.gap(16)
    bar = QRectF(flow.area.left(), flow.y, 4, tall)
    flow.draw(lambda painter: painter.fillRect(bar, flow.ink.token("accent")), 0.0)
    flow.words("What limits it", ui_font(9.5, QFont.Weight.Bold), indent=18)
    for text in texts:
        flow.words(text, font, indent=18)


def _flow_beside(flow: Flow, slides: list[Slide]) -> None:
    """The charts of two more findings, each under its sentence."""
    font = ui_font(10.5, QFont.Weight.DemiBold)
    wide = (flow.area.width() - _BESIDE) / 2
    heads = max((flow.height(slide.title, font, wide) for slide in slides), default=0.0)
    if not slides or heads + _SMALL + 30 > flow.left_over:
        return
    flow.gap(18)
    top = flow.y
    for place, slide in enumerate(slides):
        box = QRectF(flow.area.left() + place * (wide + _BESIDE), top, wide, heads)

        def head(painter: QPainter, box: QRectF = box, text: str = slide.title) -> None:
            painter.setFont(font)
            painter.setPen(flow.ink.token("text"))
            painter.drawText(box, WRAPPED, plain_text(text))

        flow.draw(head, 0.0)
        chart = QRectF(box.left(), top + heads + 8, wide, _SMALL)
        flow.draw(partial(_draw_claims, flow, slide, chart, 1), 0.0)
    flow.y = top + heads + 8 + _SMALL


def flow_findings(flow: Flow, contents: Contents, story: Document) -> None:
    """The findings of the story with their charts; those of the appendix as sentences."""
    for number, slide in enumerate(story.slides, 1):
        key = f"f{number}"
        flow.need(min(flow.area.height(), _finding_height(flow, slide)))
        contents.pages[key] = flow.number
        contents.entries.append((slide.title, key, 2))
        flow.gap(14)
        flow.words(f"{number}.  {slide.title}", ui_font(13.0, QFont.Weight.DemiBold))
        flow.gap(6)
        _flow_chart(flow, slide, _CLAIM, 3)
        if slide.figure is None:
            for table in slide.tables:
                if message := flow_table(flow, table, table.name, _FEW_ROWS):
                    contents.told.append(message)
        _flow_rest(flow, contents, story, slide)
    if not story.appendix:
        return
    flow.gap(18)
    flow.words("More findings", ui_font(13.0, QFont.Weight.DemiBold))
    flow.words("Their charts stand in the exported page (.html) and in the slides (.pptx).", ui_font(9.5), "quiet")
    for slide in story.appendix:
        flow.gap(6)
        flow.words(slide.title, ui_font(10.5))
        for text in filter(None, (slide.evidence, *slide.caveats)):
            flow.words(text, ui_font(9.0), "quiet", 18)


def _texts(slide: Slide) -> tuple[str, ...]:
    more = f"{len(slide.also)} more findings on the same chart: see the exported page (.html)." if slide.also else ""
    return tuple(filter(None, (*slide.caveats, slide.evidence, more)))


def _finding_height(flow: Flow, slide: Slide) -> float:
    words = sum(flow.height(text, ui_font(9.5), flow.area.width()) + 2 for text in _texts(slide))
    chart = _CLAIM if slide.pointed else _FIGURE if slide.figure is not None else 0.0
    return (
        flow.height(f"9.  {slide.title}", ui_font(13.0, QFont.Weight.DemiBold), flow.area.width()) + chart + words + 56
    )


def _flow_rest(flow: Flow, contents: Contents, story: Document, slide: Slide) -> None:
    for text in _texts(slide):
        flow.words(text, ui_font(9.5), "quiet")
    place = story.evidence_of(slide)
    if place is None:
        return
    key, name = f"s{place + 1}", story.sections[place].name
    box = QRectF(flow.area.left(), flow.y, flow.area.width(), 18)

    def draw(painter: QPainter) -> None:
        # A section that had no room in the report has no number.
        number = contents.pages.get(key)
        where = f"page {number}" if number else "in the exported page (.html)"
        painter.setFont(ui_font(9.5))
        painter.setPen(flow.ink.token("accent" if number else "quiet"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft), plain_text(f"Evidence: {name}, {where}"))
        if number:
            contents.link(box, key)

    flow.draw(draw, 20.0)


def _flow_chart(flow: Flow, slide: Slide, tall: float, most: int) -> None:
    """What the slide points at, else its figure."""
    if slide.pointed:
        flow.need(tall)
        box = QRectF(flow.area.left(), flow.y, flow.area.width(), tall - 12)
        flow.draw(partial(_draw_claims, flow, slide, box, most), tall)
    elif slide.figure is not None:
        flow.need(_FIGURE)
        area = QRectF(flow.area.left() - MARGIN, flow.y - MARGIN, flow.area.width() + 2 * MARGIN, _FIGURE + MARGIN)
        flow.draw(partial(_draw_figure, flow, slide.figure, area), _FIGURE)


def _draw_claims(flow: Flow, slide: Slide, box: QRectF, most: int, painter: QPainter) -> None:
    painter.save()
    alone("", lambda: paint_claims(painter, flow.ink, box, slide, most), partial(paint_failure, painter, box))
    painter.restore()


def _draw_figure(flow: Flow, figure: Figure, area: QRectF, painter: QPainter) -> None:
    painter.save()
    alone(
        "",
        lambda: paint_figure(painter, figure, area, flow.ink.theme, title=False),
        partial(paint_failure, painter, area),
    )
    painter.restore()


def paint_failure(painter: QPainter, area: QRectF, words: str) -> None:
    """Why a chart could not be drawn, in its place."""
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
