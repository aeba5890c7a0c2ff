"""The beginning of a report: the answer with its chart on one page, the contents, then one finding after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter

from workbench.charts.figure import Figure
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.lengths import COST, DIVIDER, LIMITS, TABLE
from workbench.exporters.safe_file import LEFT_OUT, alone
from workbench.exporters.texts import plain_text
from workbench.gui.pictures.claims import paint_claims
from workbench.gui.pictures.flow import Flow
from workbench.gui.pictures.head import WRAPPED, paint_rule
from workbench.gui.pictures.report_links import ReportContents
from workbench.gui.pictures.report_table import flow_table
from workbench.gui.plot.picture import MARGIN, paint_figure
from workbench.gui.services.assets import ui_font

_LEAD, _SMALL, _CLAIM, _FIGURE, _PANEL = 300.0, 200.0, 230.0, 320.0, 130.0
_FEW_ROWS, _FEW_LIMITS = 12, 4
_LOGO = (190.0, 64.0)
_BESIDE = 36.0
# Heights on the answer's page: its chart, the chart of the cost, a table row, the space kept free for the limitations.
_ANSWER, _COST, _ROW, _CLOSING = 320.0, 210.0, 26.0, 110.0
# The chart of the answer is taller by this many pixels if nothing else is on its page.
_ALONE = 160.0
_FACT_GAP = 30.0
# The headers of the table of all values wrap over this many more pixels, and its legend follows.
_WIDE_HEAD = 90.0
_MOST_CONFIGURATIONS, _FEW_CONFIGURATIONS = 40, 30


def flow_first_page(flow: Flow, contents: ReportContents, story: Document) -> tuple[Slide, ...]:
    """Adds the answer as the title, the summary, the chart that shows it, two more charts, a table, and the
    limitations. Returns the slides that are complete and not repeated later."""
    lead = next((slide for slide in story.all_slides if slide.facts), story.all_slides[0])
    contents.entries.append((story.word("Summary"), "summary", 1))
    _flow_face(flow, contents, story)
    flow.gap(18)
    if lead.facts:
        return _flow_answer(flow, story, lead)
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
    return ()


def _flow_answer(flow: Flow, story: Document, lead: Slide) -> tuple[Slide, ...]:
    """Adds the answer of the first study with its facts and chart, and its limits and cost below. The answers of the
    other studies follow in one line each, all on this page. Returns the parts shown in full."""
    shown = [lead]
    flow.words(lead.title, ui_font(24.0, QFont.Weight.Bold))
    flow.gap(14)
    _flow_facts(flow, lead)
    flow.gap(18)
    several = sum(bool(slide.facts) for slide in story.slides) > 1
    parts = (LIMITS, COST) if several or story.length == "brief" else (LIMITS, COST, TABLE)
    own = [slide for slide in story.all_slides if slide.study == lead.study]
    below = [slide for slide in own if slide.part in parts and (slide.part != TABLE or _is_short(slide))]
    _flow_chart(flow, lead, _ANSWER, 1, 0.0 if below or several else _ALONE)
    for slide in below:
        table = slide.tables[0] if slide.tables and slide.figure is None else None
        tall = 60.0 + _ROW * len(table.rows) if table is not None else _COST
        tall += _WIDE_HEAD * (slide.part == TABLE)
        if tall + 40 + _CLOSING > flow.left_over:
            continue
        flow.gap(16)
        if slide.part != TABLE:
            flow.words(slide.title, ui_font(13.0, QFont.Weight.DemiBold))
        flow.gap(4)
        if table is not None:
            legend = table.legend if slide.part == TABLE else ""
            name = slide.title if slide.part == TABLE else table.name
            flow_table(flow, replace(table, legend=legend), name, _FEW_ROWS)
        elif slide.figure is not None:
            area = QRectF(flow.area.left() - MARGIN, flow.y - 8, flow.area.width() + 2 * MARGIN, _COST)
            flow.draw(partial(_draw_figure, flow, slide.figure, area), _COST)
        shown.append(slide)
    for other in (slide for slide in story.slides if slide.facts and slide is not lead):
        text = f"{other.study}: {other.title}"
        if flow.height(text, ui_font(11.0), flow.area.width()) + 8 <= flow.left_over:
            flow.gap(6)
            flow.words(text, ui_font(11.0))
    _flow_limits(flow, story)
    return tuple(shown)


def _is_short(slide: Slide) -> bool:
    return all(len(table.rows) <= _FEW_ROWS for table in slide.tables)


def _flow_facts(flow: Flow, slide: Slide) -> None:
    """Adds the parts of an answer side by side, between two lines."""
    top, count = flow.y, max(1, len(slide.facts))
    wide = (flow.area.width() - _FACT_GAP * (count - 1)) / count
    fonts = (ui_font(10.0), ui_font(15.0, QFont.Weight.DemiBold), ui_font(10.0))
    bottom = top
    for place, fact in enumerate(slide.facts):
        flow.y = top + 10
        indent = place * (wide + _FACT_GAP)
        for text, font, token in zip(
            (fact.label, fact.words, fact.note), fonts, ("quiet", "text", "quiet"), strict=True
        ):
            if text:
                flow.words(text, font, token, indent, wide + indent)
        bottom = max(bottom, flow.y)
    for y in (top, bottom + 8):
        line = QPointF(flow.area.left(), y)
        flow.draw(lambda painter, line=line: paint_rule(painter, flow.ink, line, flow.area.width()), 0.0)  # type: ignore[misc]
    flow.y = bottom + 8


def _flow_face(flow: Flow, contents: ReportContents, story: Document) -> None:
    """Adds study, customer, author and date at the left, the logo at the right."""
    logo = QImage(str(story.logo)) if story.logo is not None else QImage()
    if story.logo is not None and logo.isNull():
        contents.told.append(f"The logo {story.logo.name}{LEFT_OUT}It cannot be read as an image.")
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
    where = "" if story.length == "brief" else " under “Limitations”"
    texts = [*shown, *((f"{more} more{where}.",) if more else ())]
    font = ui_font(9.5)
    tall = 20 + sum(flow.height(text, font, flow.area.width() - 18) + 2 for text in texts)
    if tall + 10 > flow.left_over:
        return
    flow.gap(16)
    bar = QRectF(flow.area.left(), flow.y, 4, tall)
    flow.draw(lambda painter: painter.fillRect(bar, flow.ink.token("accent")), 0.0)
    flow.words(story.word("Limitations"), ui_font(9.5, QFont.Weight.Bold), indent=18)
    for text in texts:
        flow.words(text, font, indent=18)


def _flow_beside(flow: Flow, slides: list[Slide]) -> None:
    """Adds the charts of two more findings, each under its sentence."""
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


def flow_findings(
    flow: Flow, contents: ReportContents, story: Document, shown: tuple[Slide, ...] = (), short: bool = False
) -> None:
    """Adds the findings of the story with their charts, those of the appendix as sentences. `shown` are on earlier
    pages. If `short`, sentences take less room and tables have fewer rows."""
    rows = _FEW_CONFIGURATIONS if short else _MOST_CONFIGURATIONS
    for number, slide in enumerate((slide for slide in story.slides if slide not in shown), 1):
        key = f"f{number}"
        if slide.part == DIVIDER:
            flow.gap(18)
            flow.need(_CLAIM + 120)
            contents.pages[key] = flow.number
            contents.entries.append((slide.title, key, 2))
            flow.words(slide.title, flow.ink.question)
            continue
        flow.need(min(flow.area.height(), _finding_height(flow, slide)))
        contents.pages[key] = flow.number
        contents.entries.append((slide.title, key, 2))
        flow.gap(14)
        flow.words(f"{number}.  {slide.title}", ui_font(13.0, QFont.Weight.DemiBold))
        flow.gap(6)
        if slide.facts:
            _flow_facts(flow, slide)
            flow.gap(10)
        _flow_chart(flow, slide, _CLAIM, 3)
        if slide.figure is None:
            for table in slide.tables:
                if message := flow_table(flow, table, table.name, _FEW_ROWS):
                    contents.told.append(message)
        _flow_rest(flow, contents, story, slide)
    for slide in (slide for slide in story.appendix if slide.part == TABLE and slide not in shown):
        flow.gap(18)
        for table in slide.tables:
            if message := flow_table(flow, table, slide.title, rows):
                contents.told.append(message)
    appendix = [slide for slide in story.appendix if slide.part != TABLE]
    if not appendix:
        return
    flow.gap(18)
    flow.words(story.word("More findings"), ui_font(13.0, QFont.Weight.DemiBold))
    flow.words(
        "The exported page (.html) and the slides (.pptx) contain the charts of these findings.", ui_font(9.5), "quiet"
    )
    for slide in appendix:
        flow.gap(1 if short else 6)
        flow.words(slide.title, ui_font(10.5))
        texts = [*filter(None, (slide.evidence, *slide.caveats))]
        for text in [" · ".join(texts)] if short and texts else texts:
            flow.words(text, ui_font(8.0 if short else 9.0), "quiet", 18)


def _texts(slide: Slide) -> tuple[str, ...]:
    others = f"{len(slide.also)} more finding{'s' * (len(slide.also) > 1)}"
    more = f"{others} on the same chart: see the exported page (.html)." if slide.also else ""
    return tuple(filter(None, (*slide.caveats, slide.evidence, more)))


def _finding_height(flow: Flow, slide: Slide) -> float:
    words = sum(flow.height(text, ui_font(9.5), flow.area.width()) + 2 for text in _texts(slide))
    chart = _CLAIM if slide.pointed else _figure_height(slide.figure) if slide.figure is not None else 0.0
    return (
        flow.height(f"9.  {slide.title}", ui_font(13.0, QFont.Weight.DemiBold), flow.area.width()) + chart + words + 56
    )


def _flow_rest(flow: Flow, contents: ReportContents, story: Document, slide: Slide) -> None:
    for text in _texts(slide):
        flow.words(text, ui_font(9.5), "quiet")
    place = story.evidence_of(slide)
    if place is None:
        return
    key, words = f"s{place + 1}", story.evidence_words(place)
    box = QRectF(flow.area.left(), flow.y, flow.area.width(), 18)

    def draw(painter: QPainter) -> None:
        # A section without room in the report has no page number.
        number = contents.pages.get(key)
        where = f"page {number}" if number else "in the exported page (.html)"
        painter.setFont(ui_font(9.5))
        painter.setPen(flow.ink.token("accent" if number else "quiet"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft), plain_text(f"{words}, {where}"))
        if number:
            contents.link(box, key)

    flow.draw(draw, 20.0)


def _flow_chart(flow: Flow, slide: Slide, tall: float, most: int, more: float = 0.0) -> None:
    """Adds the claims of the slide, otherwise its figure; it is taller by `more`."""
    tall += more
    if slide.pointed:
        flow.need(tall)
        box = QRectF(flow.area.left(), flow.y, flow.area.width(), tall - 12)
        flow.draw(partial(_draw_claims, flow, slide, box, most), tall)
    elif slide.figure is not None:
        high = _figure_height(slide.figure) + more
        flow.need(high)
        area = QRectF(flow.area.left() - MARGIN, flow.y - MARGIN, flow.area.width() + 2 * MARGIN, high + MARGIN)
        flow.draw(partial(_draw_figure, flow, slide.figure, area), high)


def _figure_height(figure: Figure) -> float:
    """The height of a figure, taller the more panels are below each other."""
    stacked = Counter(panel.column for panel in figure.panels)
    return _FIGURE + _PANEL * (max(stacked.values(), default=1) - 1)


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
    """Paints the reason why a chart could not be drawn in its place."""
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
