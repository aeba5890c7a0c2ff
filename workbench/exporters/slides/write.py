"""Writes a deck: cover, agenda, a slide for each finding, method, problems. The file is checked before it is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR

from workbench import __version__
from workbench.charts.claim import BarClaim, Claim, TimeClaim
from workbench.charts.palette import ThemeName
from workbench.exporters.chart_plan import ChartPlan
from workbench.exporters.document.document import BOTH, Document, Slide
from workbench.exporters.document.lengths import DIVIDER
from workbench.exporters.document.making import method_and_limits
from workbench.exporters.safe_file import LEFT_OUT, alone, write_safely
from workbench.exporters.slides.agenda import AGENDA, Agenda, link_agenda, put_agenda, put_sections
from workbench.exporters.slides.claim_chart import common_scale, hide_values, show_claim, show_times
from workbench.exporters.slides.fit import SUBSTITUTE, Fitted, clean, fitted, shortened
from workbench.exporters.slides.ink import SlideInk
from workbench.exporters.slides.layout import Page, cells, in_words, pages_of
from workbench.exporters.slides.native_chart import SeriesStyle, SlideBox, add_chart, align_plots
from workbench.exporters.slides.table import TITLE as PROBLEMS_TITLE
from workbench.exporters.slides.table import add_problems, put_table
from workbench.exporters.slides.template import kind_of, logo_place, open_template
from workbench.exporters.slides.words import (
    EVIDENCE_BELOW,
    INCH,
    MOST_SPOKEN,
    Maker,
    list_notes,
    list_pages,
    put_footer,
    put_list,
    put_notes,
    put_text,
    put_title,
)
from workbench.exporters.texts import line_count, line_height
from workbench.measures.significance.method import PROGRAM
from workbench.words.captions import as_sentences
from workbench.words.numbers import plural

# The place of the rest of a table.
ELSEWHERE = "The workbook (.xlsx) and the report page (.html) show all of them."
METHOD, APPENDIX = "Method", "Appendix"
SUMMARY, LIMITS = "Summary", "Limitations"
# Other sections of the deck.
FINDINGS, METHOD_AND_LIMITS = "Findings", "Method and limitations"
# The program that wrote the file: python-pptx would name the program that made its template file.
_PROGRAM_PART = "/docProps/app.xml"
_PROGRAM = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>VDI Workbench</Application></Properties>"
)
_GAP = round(0.2 * INCH)
# Inches and points: parts of an answer; texts on the slide of method and limits.
_FACTS_SHARE, _LEAST_FACTS = 0.36, 3
_FACT_SIZES: tuple[float, ...] = (20, 18, 16, 14, 12)
_NOTE_SIZES: tuple[float, ...] = (13, 12, 11, 10)
_BOTH_SIZES: tuple[float, ...] = (16, 14, 13, 12, 11)
_LIMIT_LETTERS = 220
_SUMMARY_SIZES: tuple[float, ...] = (24, 20, 18, 16, 14)
_METHOD_SIZES: tuple[float, ...] = (16, 14, 12)
_LIMIT_SIZES: tuple[float, ...] = (16, 14, 12, 11)
_CAPTION_SIZES: tuple[float, ...] = (13, 12, 11, 10)
_CAVEAT_SIZES: tuple[float, ...] = (12, 11, 10)
_CAVEAT_HEIGHTS = (0.5, 0.75)


@dataclass(frozen=True, slots=True)
class WrittenDeck:
    """The number of slides and charts written, and sentences on what could not be shown in full."""

    slides: int
    charts: int
    left_out: tuple[str, ...] = ()


def write_deck(path: Path, deck: Document, template: Path | None = None, theme: ThemeName = "light") -> WrittenDeck:
    """Write the deck to `path` (.pptx), into the user's `template`, or the program's own in `theme`.

    A template keeps all of its content, including its slides; its background decides between light and dark. Raises
    `ExportError` with a sentence if nothing was written; an earlier file is then unchanged.
    """
    maker = Maker(opened := open_template(template, theme), SlideInk(opened.theme, opened.tokens))
    before = len(opened.deck.slides)
    _cover(maker, deck)
    # A deck with few slides has no agenda.
    agenda = put_agenda(maker, _agenda_items(deck), deck.word(AGENDA)) if deck.length == "full" else Agenda([])
    sections = [(SUMMARY, 0), *_body(maker, deck, agenda)]
    if agenda.items:
        link_agenda(maker, agenda)
    put_sections(maker, sections)
    _properties(opened.deck, deck, template is None)
    written = WrittenDeck(maker.slides, maker.charts, tuple(dict.fromkeys(maker.left_out)))
    write_safely(path, lambda path: opened.deck.save(str(path)), lambda path: _check(path, before, written))
    return written


def _body(maker: Maker, deck: Document, agenda: Agenda) -> list[tuple[str, int]]:
    """Write the slides of the agenda; returns the sections after the first, with their first slides."""
    sections: list[tuple[str, int]] = []
    if deck.summary and not deck.answered and (deck.length == "full" or not deck.slides):
        agenda.begins(maker)
        _list_slide(maker, deck.word(SUMMARY), deck.summary, _SUMMARY_SIZES)
    for slide in deck.slides:
        if _on_agenda(slide, deck):
            agenda.begins(maker)
        if not sections and not (slide.facts or slide.part == DIVIDER):
            sections.append((FINDINGS, maker.slides))
        _finding_alone(maker, slide)
    sections.append((METHOD_AND_LIMITS, maker.slides))
    if deck.length != "full":
        _method_and_limits(maker, deck)
    else:
        if deck.method:
            agenda.begins(maker)
            _list_slide(maker, deck.word(METHOD), deck.method, _METHOD_SIZES, deck.files)
        agenda.begins(maker)
        if deck.limits:
            _list_slide(maker, deck.word(LIMITS), deck.limits, _LIMIT_SIZES)
        else:
            add_problems(maker, deck.problems)
    if deck.appendix:
        agenda.begins(maker)
        sections.append((APPENDIX, maker.slides))
    for slide in deck.appendix:
        _finding_alone(maker, slide, deck.word(APPENDIX))
    return sections


def _check(path: Path, before: int, written: WrittenDeck) -> None:
    """Open the file again and read every chart with the workbook inside it."""
    slides = list(Presentation(str(path)).slides)
    charts = [shape.chart for slide in slides[before:] for shape in slide.shapes if shape.has_chart]
    whole = all(chart.part.chart_workbook.xlsx_part.blob.startswith(b"PK") and len(chart.plots) for chart in charts)
    if len(slides) != before + written.slides or len(charts) != written.charts or not whole:
        raise OSError("the presentation on disk differs from what was written")


def _properties(presentation: Any, deck: Document, own: bool) -> None:
    properties = presentation.core_properties
    properties.title = clean(deck.title)[:255]
    properties.modified = datetime.now(UTC).replace(tzinfo=None)
    if own:
        properties.created = properties.modified
        properties.author = clean(deck.author)[:255] or "VDI Workbench"
        properties.subject = clean(deck.subtitle)[:255]
        properties.last_modified_by, properties.comments = "VDI Workbench", f"Written by {PROGRAM}"
        for part in presentation.part.package.iter_parts():
            if part.partname == _PROGRAM_PART:
                part._blob = _PROGRAM


def _cover(maker: Maker, deck: Document) -> None:
    slide = maker.new(maker.template.cover)
    title = slide.shapes.title
    body = maker.template.body
    face = " · ".join(filter(None, (deck.customer, deck.author, deck.date)))
    lines = [*filter(None, (face,)), *deck.subtitle.splitlines()]
    box = (
        maker.template.title
        if title is None
        else SlideBox(*map(int, (title.left, title.top, title.width, title.height)))
    )
    put_title(maker, slide, deck.title, box)
    below = next((shape for shape in slide.placeholders if kind_of(shape) is PP_PLACEHOLDER.SUBTITLE), None)
    if below is not None:
        below.text_frame.text = "\n".join(clean(line) for line in lines)
    else:
        put_text(slide, body, lines, 18, maker.ink.tokens.quiet)
    _logo(maker, slide, deck.logo)
    put_notes(
        slide, f"{deck.title}\n{deck.subtitle}\nWritten by VDI Workbench {__version__}, {datetime.now(UTC):%Y-%m-%d}."
    )


def _logo(maker: Maker, slide: Any, logo: Path | None) -> None:
    """Add the logo on the cover, as large as its box. If the file is not an image, it is omitted and named."""
    if logo is None:
        return
    place = logo_place(maker.template)
    try:
        picture = slide.shapes.add_picture(str(logo), 0, 0, height=place.height)
    except (OSError, ValueError) as error:
        maker.left_out.append(f"The logo {logo.name}{LEFT_OUT}It cannot be read as an image ({type(error).__name__}).")
        return
    if picture.width > place.width:
        picture.height = round(picture.height * place.width / picture.width)
        picture.width = place.width
    on_the_right = place.left + place.width / 2 > maker.template.deck.slide_width / 2
    picture.left = place.left + (place.width - picture.width) * on_the_right
    picture.top = place.top + (place.height - picture.height) // 2
    picture.name = "Logo"


def _list_slide(
    maker: Maker, title: str, items: Sequence[str], sizes: tuple[float, ...], below: Sequence[str] = ()
) -> None:
    """Add a list on one slide in the largest size that fits; in the smallest size on as many slides as needed."""
    for size in sizes:
        pages = list_pages(items, maker.list_box, size)
        if len(pages) == 1:
            break
    _lists(maker, title, pages, items, size, below)


def _method_and_limits(maker: Maker, deck: Document) -> None:
    """Add a slide with the method at the left and the limitations at the right; the notes have both in full."""
    slide = maker.plain(deck.word(BOTH))
    body = maker.template.body
    head = round(0.42 * INCH)
    wide = (body.width - 2 * _GAP) // 2
    for at, (title, items) in enumerate(method_and_limits(deck)):
        left = body.left + at * (wide + 2 * _GAP)
        put_text(slide, SlideBox(left, body.top, wide, head), [title], 18, maker.ink.tokens.text, bold=True)
        room = SlideBox(left, body.top + head, wide, body.height - head)
        lines = [shortened(clean(item), _LIMIT_LETTERS) for item in items]
        size = next((size for size in _BOTH_SIZES if len(list_pages(lines, room, size)) == 1), _BOTH_SIZES[-1])
        put_list(maker, slide, room, list_pages(lines, room, size)[0], size)
    spoken = [*map(deck.word, deck.short_method)]
    method = [line for line in deck.method if line not in spoken]
    put_notes(slide, list_notes(spoken, ("", *method, "", *deck.limits, "", *deck.files)))


def _on_agenda(slide: Slide, deck: Document) -> bool:
    """True if the agenda lists the slide. Of several studies it lists only the first slides: the titles of all slides
    would be cut."""
    return slide.part == DIVIDER or all(each.part != DIVIDER for each in deck.slides)


def _agenda_items(deck: Document) -> list[str]:
    items = [
        *([deck.word(SUMMARY)] if deck.summary and not deck.answered else []),
        *(slide.title for slide in deck.slides if _on_agenda(slide, deck)),
    ]
    items += [*([deck.word(METHOD)] if deck.method else []), deck.word(LIMITS) if deck.limits else PROBLEMS_TITLE]
    if deck.appendix:
        items.append(f"{APPENDIX}: {plural(len(deck.appendix), 'slide')}")
    return items


def _lists(
    maker: Maker, title: str, pages: list[list[str]], items: Sequence[str], size: float, below: Sequence[str]
) -> None:
    """Add a list on its slides, with the items in full in the notes; `below` is under the last items."""
    first = 1
    for index, part in enumerate(pages):
        slide = maker.listed(_of(title, index, len(pages)))
        put_list(maker, slide, maker.list_box, part, size, numbered=False)
        ends = below if index == len(pages) - 1 else ()
        put_notes(slide, list_notes(items[first - 1 : first - 1 + len(part)], ends))
        first += len(part)


def _of(title: str, index: int, count: int) -> str:
    return title if count == 1 else f"{title} ({index + 1} of {count})"


def _finding_alone(maker: Maker, finding: Slide, mark: str = "") -> None:
    """The slides of a finding; if they fail, one slide with its sentence and a message. `mark` begins the footer."""
    slides, charts = maker.slides, maker.charts

    def failed(words: str) -> None:
        maker.forget(slides)
        maker.charts = charts
        maker.left_out.append(f"The chart of “{shortened(clean(finding.title), 60)}”{LEFT_OUT}{words}")
        slide = maker.plain(finding.title)
        put_text(slide, maker.template.body, [words], 14, maker.ink.tokens.text)

    alone("", lambda: _finding(maker, finding, mark), failed)


def _finding(maker: Maker, finding: Slide, mark: str) -> None:
    if finding.part == DIVIDER:
        _divider(maker, finding)
        return
    pages, notes = pages_of(finding.figure) if finding.figure is not None else ([], [])
    name = clean(finding.title)
    if finding.of_story and len(pages) > 1:
        more = len(pages) - 1
        notes.append(f"{plural(more, 'more slide')} of its charts {'are' if more > 1 else 'is'} omitted")
        pages = pages[:1]
    maker.left_out += [f"“{shortened(name, 60)}”: {note}" for note in notes]
    remarks = [remark for page in pages for chart in page.charts for remark in chart.plan.remarks]
    messages = list(dict.fromkeys((*notes, *remarks)))
    for index, page in enumerate(pages or [Page((), 0, 0)]):
        slide = maker.plain(_of(finding.title, index, len(pages) or 1))
        body = _facts(maker, slide, finding) if finding.facts else _caption(maker, slide, finding)
        body = _caveats(maker, slide, finding, body)
        _charts(maker, slide, page, body, finding)
        put_footer(maker, slide, as_sentences((mark, finding.evidence)) if mark else finding.evidence)
        put_notes(slide, _notes(finding, messages))


def _divider(maker: Maker, slide: Slide) -> None:
    """Add a slide with the name of a study before its slides, formatted like the title of the cover."""
    made = maker.new(maker.template.cover)
    title = made.shapes.title
    box = (
        maker.template.title
        if title is None
        else SlideBox(*map(int, (title.left, title.top, title.width, title.height)))
    )
    put_title(maker, made, slide.title, box)
    below = next((shape for shape in made.placeholders if kind_of(shape) is PP_PLACEHOLDER.SUBTITLE), None)
    if below is not None:
        below.text_frame.text = clean(slide.evidence)
    else:
        put_text(made, maker.template.body, [slide.evidence], 18, maker.ink.tokens.quiet)
    put_notes(made, slide.title)


def _facts(maker: Maker, slide: Any, finding: Slide) -> SlideBox:
    """Add the parts of the answer at the left; returns the remaining box for the chart."""
    body, tokens = maker.template.body, maker.ink.tokens
    wide = round(_FACTS_SHARE * body.width)
    high = body.height / INCH / max(len(finding.facts), _LEAST_FACTS)
    label, top = 0.28, 0.0
    for at, fact in enumerate(finding.facts):
        words = fitted(fact.words, 0.88 * wide / INCH, 0.45 * high, _FACT_SIZES, True)
        note = fitted(fact.note, wide / INCH, 0.32 * high, _NOTE_SIZES)
        tall, below = _tall(words, wide, True), _tall(note, wide) if note.text else 0.0
        top = max(top, at * high)
        for text, size, down, room, bold in (
            (fact.label, 13.0, 0.0, label, False),
            (words.text, words.size, label, tall, True),
            (note.text, note.size, label + tall, below, False),
        ):
            if text:
                box = SlideBox(body.left, body.top + round((top + down) * INCH), wide, round(room * INCH))
                put_text(slide, box, [text], size, tokens.text if bold else tokens.quiet, bold)
        top += label + tall + below
    left = body.left + wide + _GAP
    return _captioned(maker, slide, finding, SlideBox(left, body.top, body.width - wide - _GAP, body.height))


def _tall(text: Fitted, wide: int, bold: bool = False) -> float:
    """The height in inches of a text, also in a font that is wider than Calibri."""
    lines = line_count(text.text, SUBSTITUTE * wide / INCH, text.size, bold)
    return lines * line_height(text.size) + 0.06


def _caption(maker: Maker, slide: Any, finding: Slide) -> SlideBox:
    """Add the caption of the figure under the title; returns the remaining box."""
    return _captioned(maker, slide, finding, maker.template.body)


def _captioned(maker: Maker, slide: Any, finding: Slide, body: SlideBox) -> SlideBox:
    caption = finding.figure.caption if finding.figure is not None else ""
    if not clean(caption):
        return body
    high = round(0.42 * INCH)
    words = fitted(caption, body.width / INCH - 0.1, high / INCH, _CAPTION_SIZES)
    put_text(slide, SlideBox(body.left, body.top, body.width, high), [words.text], words.size, maker.ink.tokens.quiet)
    return SlideBox(body.left, body.top + high, body.width, body.height - high)


def _caveats(maker: Maker, slide: Any, finding: Slide, body: SlideBox) -> SlideBox:
    """Add the caveats of the sentence above the footer; returns the remaining box."""
    text = as_sentences([clean(caveat) for caveat in finding.caveats if clean(caveat)])
    if not text:
        return body
    wide = SUBSTITUTE * body.width / INCH - 0.1
    fits = [(tall, fitted(text, wide, tall - 0.05, _CAVEAT_SIZES)) for tall in _CAVEAT_HEIGHTS]
    tall, words = next((fit for fit in fits if not fit[1].cut), fits[-1])
    high = round(tall * INCH)
    foot = SlideBox(body.left, body.top + body.height - high, body.width, high)
    put_text(slide, foot, [words.text], words.size, maker.ink.tokens.text, anchor=MSO_ANCHOR.BOTTOM)
    return SlideBox(body.left, body.top, body.width, body.height - high)


def _charts(maker: Maker, slide: Any, page: Page, body: SlideBox, finding: Slide) -> None:
    figure = finding.figure
    if not page.charts:
        if figure is None and finding.tables:
            left_out = put_table(maker, slide, finding.tables[0], body, ELSEWHERE)
            if left_out:
                maker.left_out.append(f"“{shortened(clean(finding.title), 60)}”: {left_out}")
        elif figure is not None:
            text = figure.empty or figure.summary or "This chart cannot be shown as an editable chart."
            words = fitted(text, body.width / INCH - 0.2, body.height / INCH, (18, 16, 14, 12))
            put_text(slide, body, [words.text], words.size, maker.ink.tokens.text)
        return
    titled = any(chart.plan.title or chart.plan.subtitle for chart in page.charts)
    size = 12.0 if len(page.charts) == 1 else (11.0 if page.columns < 3 and page.rows == 1 else 10.0)
    style = SeriesStyle(maker.ink, size, size + (3 if page.rows == 1 else 1), flat=page.rows > 1, titled=titled)
    summary = "" if figure is None else figure.summary or figure.question
    places = list(zip(page.charts, cells(page, body, _GAP), strict=True))
    said = [(_claim_of(finding, chart.plan), chart.plan, box) for chart, box in places]
    drawn = [(_said(plan, claim), box, claim) for claim, plan, box in said]
    scale = common_scale(drawn, finding.switches, style)
    beside = []
    for plan, box, claim in drawn:
        frame = add_chart(slide, box, plan, style, in_words(plan, [plan for plan, _, _ in drawn], summary))
        if isinstance(claim, BarClaim):
            show_claim(slide, frame, box, plan, claim, finding.switches, style, scale)
        elif isinstance(claim, TimeClaim):
            show_times(frame.chart, claim, style)
            if not finding.switches.value_axis:
                hide_values(frame.chart)
        if claim is None and page.rows == 1:
            beside.append((frame.chart, plan, box))
        maker.charts += 1
    align_plots(beside, style)


def _claim_of(finding: Slide, plan: ChartPlan) -> Claim | None:
    """The claim that this chart shows, None if it shows none. The panels of the figure are in the order of its
    claims."""
    return finding.pointed[plan.panel.column] if plan.panel.column < len(finding.pointed) else None


def _said(plan: ChartPlan, claim: Claim | None) -> ChartPlan:
    """The plan, with a unit after each time. With long names the bars are horizontal and have no bracket, so the
    subtitle states the change."""
    if isinstance(claim, TimeClaim):
        return replace(plan, label_format=f'{plan.label_format}"\u202f{plan.panel.y.unit}"')
    if claim is None or not plan.lying:
        return plan.without_total if isinstance(claim, BarClaim) else plan
    return replace(plan, panel=replace(plan.panel, subtitle=f"{claim.change} {claim.ends}".strip()))


def _notes(finding: Slide, notes: list[str]) -> str:
    """The speaker's notes, with a limited number of words, and below a line the evidence."""
    title = finding.title.casefold()
    facts = (_sentence(fact.said) for fact in finding.facts if fact.said and fact.said.casefold() not in title)
    said = finding.said or " ".join((_sentence(finding.title), *facts, *map(_sentence, finding.caveats)))
    spoken = said if finding.said else _spoken(said)
    parts = [spoken, EVIDENCE_BELOW, "" if finding.title in f"{spoken}{finding.notes}" else finding.title]
    figure = finding.figure
    if figure is not None:
        # The question of a finding's chart is the finding, which the notes have in full.
        asked = "" if figure.question in f"{finding.title}\n{finding.notes}" else figure.question
        shown = [text for text in (asked, figure.caption, as_sentences(figure.method)) if text]
        parts += [f"Chart: {shown[0]}", *shown[1:]] if shown else []
        whole = figure.summary and (finding.pointed or not shown)
        parts += ["Values in the chart:" if whole else "", figure.summary]
    parts += [finding.evidence, *(f"Caveat: {caveat}" for caveat in finding.caveats if caveat not in spoken)]
    parts += [finding.notes]
    parts += ["Notes on the charts:", *(f"- {note}" for note in notes)] if notes else []
    return "\n".join(part for part in parts if part.strip())


def _spoken(text: str) -> str:
    """The first sentences of the text, as many as a speaker would say."""
    words = list(re.finditer(r"\S+", text))
    if len(words) <= MOST_SPOKEN:
        return text
    cut = text[: words[MOST_SPOKEN - 1].end()]
    whole = cut[: max((end.start() + 1 for end in re.finditer(r"(?<!\bvs)[.?!](?= [A-ZÄÖÜ'„])", cut)), default=0)]
    return whole or f"{cut}…"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
