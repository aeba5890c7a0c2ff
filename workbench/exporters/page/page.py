"""Writes the page: one .html file that works without a network, with charts to zoom, tables to sort, and a print view.

Its content security policy allows only its own scripts and styles, each by hash, and embedded images, so a page can
neither fetch nor send anything. Charts are drawn twice: by the script, and as a still image for print and for browsers
without scripts.

The page begins with the summary. Each finding follows with its chart, its caveats and its evidence. Tables have units
in their headings, sort values for numbers, and a dash for values that are not available.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.answers.common.causes import counted
from workbench.answers.common.names import IMPORT_REPORT
from workbench.charts.content import Card, Content
from workbench.charts.figure import Figure, Heatmap, Panel
from workbench.charts.palette import ThemeName
from workbench.charts.scales import heat_limits, scales_of
from workbench.charts.tables import Cell, Column, TableData, heading, problem_table
from workbench.exporters.document.document import Document, Section, Slide
from workbench.exporters.document.lengths import DIVIDER, TABLE
from workbench.exporters.page.charts import chart_data, chart_notes, legend
from workbench.exporters.page.colours import Colours
from workbench.exporters.page.frame import check_page, contents_list, framed, page_head
from workbench.exporters.page.making import MOST_BYTES, Drawing, PageMaking, attributes_of, element, held
from workbench.exporters.safe_file import LEFT_OUT, alone
from workbench.model.problem import begun
from workbench.words.captions import as_sentences, definitions, named
from workbench.words.numbers import MISSING, THIN, number, plural

__all__ = ["NO_DRAWING", "Drawing", "check_page", "page_html", "write_page"]
_LEAST_WIDTH, _PANEL_WIDTH, _STILL_HEIGHT, _MORE_ROWS = 1200, 300, 440, 240
_FOLDED_ROWS = 12
_FEWER_ROWS = 20
NO_DRAWING = (
    "This page was written on a machine without Qt. The charts need JavaScript. Printouts show only the tables."
)
NO_SCRIPT = "This chart needs JavaScript, which is switched off. See the tables below."


def _no_script() -> str:
    return f"<noscript>{element('p', NO_SCRIPT, class_='remark')}</noscript>"


def write_page(
    path: Path, story: Document, theme: ThemeName = "light", drawing: Drawing | None = None
) -> tuple[str, ...]:
    """Write the page; returns sentences on what could not be shown in full. `theme` is the theme at opening."""
    text, notes = page_html(story, theme, drawing)
    path.write_text(text, encoding="utf-8", newline="\n")
    return notes


def page_html(story: Document, theme: ThemeName, drawing: Drawing | None) -> tuple[str, tuple[str, ...]]:
    """The whole page, and sentences on what could not be shown in full."""
    making = PageMaking(drawing, folded=bool(story.all_slides))
    head = page_head(making, story)
    first = [summary(story), contents_list(story), findings(making, story, _slide_figure), limits(story)]
    sections = _sections(making, story)
    if drawing is None and making.charts:
        making.notes.append(NO_DRAWING)
    tail = [_method(story), _problems(making, story), _sources(making, story), _left_out(making, story)]
    body = "\n".join(filter(None, [*first, *sections, *tail]))
    return framed(making, story, theme, head, body), tuple(dict.fromkeys(making.notes))


def _slide_figure(making: PageMaking, slide: Slide, key: str) -> str:
    """The figure of a slide without claims, otherwise its tables."""
    if slide.figure is not None:
        return alone("", lambda: _figure(making, slide.figure, key, True), _failed(making, slide.title, key))  # type: ignore[arg-type]
    return "".join(_table(making, table, slide.title) for table in slide.tables)


def _failed(making: PageMaking, name: str, key: str) -> Callable[[str], str]:
    def failed(words: str) -> str:
        making.charts.pop(key, None)
        making.notes.append(f"{name}{LEFT_OUT}{words}")
        return element("p", words, class_="remark")

    return failed


def _sections(making: PageMaking, story: Document) -> list[str]:
    """The pages of the window; if a part is too large, only its beginning."""
    room = MOST_BYTES * max(1, len({section.study for section in story.sections}))
    printed = element("p", "Only pages that are expanded on screen are printed.", class_="paper")
    shown = [element("h2", "Appendix: pages", id="appendix") + printed] if making.folded and story.sections else []
    used = 0
    for index, section in enumerate(story.sections, 1):
        key, arrays = f"s{index}", len(making.arrays.held)
        text = _section_alone(making, section, key)
        cost = len(text.encode()) + sum(map(len, making.arrays.held[arrays:]))
        if used + cost > room:
            making.arrays.forget(arrays)
            making.charts.pop(key, None)
            text = _section_alone(making, _shortened(making, section), key)
            cost = len(text.encode())
        used += cost
        shown.append(text)
    return shown


def _shortened(making: PageMaking, section: Section) -> Section:
    content = section.content
    making.notes.append(
        f"“{section.name}” is shortened: no chart, at most {_FEWER_ROWS} rows per table. The full page would exceed "
        "4 MB per study. VDI Workbench and the workbook show everything."
    )
    tables = tuple(replace(table, rows=table.rows[:_FEWER_ROWS]) for table in content.tables)
    return replace(section, content=replace(content, figure=None, tables=tables), elsewhere=(making.notes[-1],))


def _section_alone(making: PageMaking, section: Section, key: str) -> str:
    """The section; if it fails, a message instead."""

    def failed(words: str) -> str:
        making.charts.pop(key, None)
        making.notes.append(f"{section.name}{LEFT_OUT}{words}")
        return _section(making, replace(section, content=Content(section.content.question, empty=words)), key)

    return alone("", lambda: _section(making, section, key), failed)


def _section(making: PageMaking, section: Section, key: str) -> str:
    """A page in one of its views; folded if there are findings before it."""
    content = section.content
    level = "h3" if making.folded else "h2"
    heading = (
        f'<span class="page-name" id="{key}-n">{held(section.name)}</span> '
        f'<{level} id="{key}-h">{held(content.question)}</{level}>'
    )
    parts = [element("p", content.caption, class_="quiet") if content.caption else ""]
    if content.empty:
        parts.append(element("p", content.empty, class_="remark"))
    else:
        parts.append(_cards(making, content.cards))
        if content.figure is not None:
            parts.append(_figure(making, content.figure, key))
        # Problems are a separate section, with each cause once.
        tables = content.tables[1:] if section.key.startswith(IMPORT_REPORT) else content.tables
        parts += [_table(making, table, section.name) for table in tables]
        parts += [element("p", text, class_="legend-line") for text in section.elsewhere if text]
        parts.append(_definitions(content.definitions))
    inside = "".join(parts)
    body = f"<details><summary>{heading}</summary>{inside}</details>" if making.folded else f"{heading}{inside}"
    return f'<section id="{key}" class="view" aria-labelledby="{key}-n {key}-h">{body}</section>'


def _cards(making: PageMaking, cards: tuple[Card, ...]) -> str:
    if not cards:
        return ""
    shown = "".join(
        f"<li>{making.colours.swatch(card.look)} {element('strong', card.heading)}"
        + element("p", f"{card.value}{THIN}{card.unit}" if card.unit else card.value, class_="big")
        + "".join(element("p", text, class_="quiet") for text in (card.note, card.detail) if text)
        + "</li>"
        for card in cards
    )
    return f'<ul class="cards">{shown}</ul>'


def _figure(making: PageMaking, figure: Figure, key: str, still_too: bool = False) -> str:
    """The chart for the script, with a still image for print and for browsers without scripts."""
    if figure.empty:
        return element("p", figure.empty, class_="remark")
    making.charts[key] = chart_data(figure, making.arrays, making.colours)
    columns = 1 + max(panel.column for panel in figure.panels)
    rows = max(sum(panel.column == column for panel in figure.panels) for column in range(columns))
    still = ""
    if making.drawing is not None and still_too:
        size = (max(_LEAST_WIDTH, columns * _PANEL_WIDTH), _STILL_HEIGHT + _MORE_ROWS * (rows - 1))
        still = f'<div class="still">{making.drawing.svg(figure, size, key)}</div>'
    notes = chart_notes(figure)
    words = element("p", figure.summary, class_="summary") if figure.summary else ""
    panels = "".join(_column(making, figure, column, columns, key) for column in range(columns))
    without = "" if still else " no-still"
    return (
        f'<figure class="chart{without}" aria-label="{held(figure.question)}">'
        f'<div class="live c{min(columns, 6)}" hidden>'
        f"{panels}</div>{still or _no_script()}<figcaption>{words}"
        + "".join(element("p", note, class_="legend-line") for note in notes)
        + f"{_heat_legend(figure)}</figcaption></figure>"
    )


def _column(making: PageMaking, figure: Figure, column: int, columns: int, key: str) -> str:
    """The headings of the panels stacked in one column; the script draws into `.plot`."""
    shown = []
    for index, panel in enumerate(figure.panels):
        if panel.column != column:
            continue
        title = panel.title or (figure.question if columns == 1 else "")
        alone = panel.y.change and "vs. " not in panel.subtitle
        quantity = f"{panel.y.label} from the baseline" if alone else panel.y.label
        facts = dict.fromkeys((quantity, *panel.subtitle.split(" · ")))
        # A quantity such as `RAM used per VM` contains the title `RAM used`, and `Port utilisation` the quantity.
        title = "" if quantity.startswith(title) else title
        rest = begun("; ".join(text for text in facts if text.casefold() not in title.casefold()))
        title = named(title) if panel.look is not None and panel.title else title
        label = f"{title}{' ' if title.endswith('?') else '. '}{rest}" if title and rest else title or rest
        shown.append(
            f"{_panel_head(making, panel)}"
            f'<div class="plot" data-chart="{key}" data-panel="{index}" tabindex="0" role="group" '
            f'aria-roledescription="chart" aria-label="{held(label)}"></div>'
        )
    return f'<div class="card">{"".join(shown)}</div>'


def _panel_head(making: PageMaking, panel: Panel) -> str:
    swatch = f"{making.colours.swatch(panel.look)} " if panel.look is not None and panel.title else ""
    names = "".join(f"<li>{making.colours.swatch(look, kind)} {held(name)}</li>" for name, look, kind in legend(panel))
    return (
        (f"<h3>{swatch}{held(panel.heading)}</h3>" if panel.title else "")
        + (element("p", panel.subtitle, class_="quiet") if panel.subtitle else "")
        + (f'<ul class="legend">{names}</ul>' if names else "")
    )


def _heat_legend(figure: Figure) -> str:
    if not any(isinstance(mark, Heatmap) for panel in figure.panels for mark in panel.marks):
        return ""
    gaps = f" · {held('hatched: not measured')}" if any(scales.gaps for scales in scales_of(figure)) else ""
    return "".join(
        f'<p class="legend-line heat">{held(unit)} {number(low)} <span class="ramp"></span> ≥{THIN}{number(high)}'
        f"{gaps}</p>"
        for unit, (low, high) in heat_limits(figure).items()
    )


def _table(making: PageMaking, table: TableData, section: str) -> str:
    """The table; folded if it has many rows."""
    name = table.name or section
    if cut := rows_cut(table):
        making.notes.append(f"{cut} rows of the table “{name}” are not on the page. VDI Workbench shows all of them.")
    shown = table_html(table, name, making.colours)
    if len(table.rows) <= _FOLDED_ROWS:
        return shown
    # The names of some tables contain the number of rows.
    title = name if name.endswith(f" ({len(table.rows)})") else f"{name} ({len(table.rows) - cut} rows)"
    return f'<details class="fold"><summary>{held(title)}</summary>{shown}</details>'


def _method(story: Document) -> str:
    return part("method", story.word("Method"), f"<ul>{''.join(element('li', text) for text in story.method)}</ul>")


def _problems(making: PageMaking, story: Document) -> str:
    table = problem_table(counted(story.problems))
    shown = _table(making, table, "Problems") if story.problems else element("p", "No problems.")
    return part("problems", story.word("Problems"), shown)


def _left_out(making: PageMaking, story: Document) -> str:
    """The parts that are missing in the page, with the reasons. They come last, because they are not an answer."""
    message = "".join(element("li", text) for text in dict.fromkeys((*story.remarks, *making.notes)))
    return part(
        "left-out", story.word("Omitted"), f"<ul>{message}</ul>" if message else element("p", "Nothing was omitted.")
    )


def _sources(making: PageMaking, story: Document) -> str:
    shown = "".join(_table(making, table, "Sources") for table in story.sources)
    return part("sources", story.word("Sources"), shown or element("p", "No sources are listed."))


_THEMES: tuple[ThemeName, ...] = ("light", "dark")
_CLAIM_TALL, _CLAIM_WIDE, _PANEL_WIDE = 270, 560, 400
Figures = Callable[[PageMaking, Slide, str], str]


def summary(story: Document) -> str:
    """The summary: at most five sentences, the recommendation last."""
    if not story.summary:
        return ""
    return part("summary", story.word("Summary"), f"<ul>{_items(story.summary)}</ul>")


def findings(making: PageMaking, story: Document, figure: Figures) -> str:
    """The slides of the story, then those of its appendix, folded. `figure` draws a slide without claims."""
    if not story.all_slides:
        return ""
    shown = "".join(_finding(making, story, slide, place, figure) for place, slide in enumerate(story.slides, 1))
    first = len(story.slides) + 1
    placed = list(enumerate(story.appendix, first))
    shown += "".join(_finding(making, story, slide, place, figure) for place, slide in placed if slide.part == TABLE)
    folded = [(place, slide) for place, slide in placed if slide.part != TABLE]
    more = "".join(_finding(making, story, slide, place, figure) for place, slide in folded)
    if more:
        words = plural(len(folded), "more finding")
        more = f'<details class="more"><summary>{held(words)}</summary>{more}</details>'
    return part("findings", story.word("Findings"), shown + more)


def limits(story: Document) -> str:
    """The limitations of the values."""
    if not story.limits:
        return ""
    return part("limits", story.word("Limitations"), f"<ul>{_items(story.limits)}</ul>")


def part(key: str, heading: str, inside: str) -> str:
    """A section of the page with its heading; `inside` is markup."""
    return f'<section id="{key}" aria-labelledby="{key}-h"><h2 id="{key}-h">{held(heading)}</h2>{inside}</section>'


def _items(texts: Sequence[str]) -> str:
    return "".join(element("li", text) for text in texts)


def _finding(making: PageMaking, story: Document, slide: Slide, place: int, figure: Figures) -> str:
    key = f"f{place}"
    if slide.part == DIVIDER:
        return f'<h3 id="{key}" class="page-name">{held(slide.title)}</h3>'
    facts = "".join(
        f"<div>{element('dt', fact.label)}{element('dd', fact.words)}"
        f"{element('dd', fact.note, class_='quiet') if fact.note else ''}</div>"
        for fact in slide.facts
    )
    facts = f'<dl class="facts">{facts}</dl>' if facts else ""
    caveats = "".join(element("p", text, class_="caveat") for text in slide.caveats)
    # The legend of a table already states it.
    told = slide.figure is None and any(slide.evidence in table.whole_legend for table in slide.tables)
    also = ""
    if slide.also:
        count = len(slide.also)
        words = f"{plural(count, 'more finding')} on the same chart"
        also = f"<details><summary>{held(words)}</summary><ul>{_items(slide.also)}</ul></details>"
    return (
        f'<article id="{key}" aria-labelledby="{key}-h">{element("h3", slide.title, id=f"{key}-h", class_="sentence")}'
        f"{facts}{_chart(making, slide, key, figure)}{caveats}"
        + (element("p", slide.evidence, class_="quiet") if slide.evidence and not told else "")
        + _way(story, slide)
        + f"{also}</article>"
    )


def _chart(making: PageMaking, slide: Slide, key: str, figure: Figures) -> str:
    """The claims of the slide, drawn for each theme; otherwise its figure, otherwise its tables."""
    if making.drawing is None or not slide.pointed or slide.figure is None:
        return figure(making, slide, key)
    figure_of, count = slide.figure, len(slide.claims)
    size = (_CLAIM_WIDE if count == 1 else _PANEL_WIDE, _CLAIM_TALL)
    # One drawing per panel, so a narrow window can stack them.
    alone = [
        replace(slide, claims=(claim,), figure=replace(figure_of, panels=figure_of.panels[at : at + 1]))
        for at, claim in enumerate(slide.claims)
    ]
    drawn = {
        theme: "".join(making.drawing.claims(one, size, f"{key}-{theme}-{at}", theme) for at, one in enumerate(alone))
        for theme in _THEMES
    }
    light, dark = (f'<div class="panels">{drawn[theme]}</div>' for theme in _THEMES)
    caption = element("p", slide.figure.caption, class_="legend-line") if slide.figure.caption else ""
    return (
        f'<figure class="claim n{len(slide.claims)}"><div class="on-light">{light}</div>'
        f'<div class="on-dark">{dark}</div><figcaption>{caption}</figcaption></figure>'
    )


def _way(story: Document, slide: Slide) -> str:
    """The link to the section with the evidence of the finding."""
    place = story.evidence_of(slide)
    if place is None:
        return ""
    return f'<p><a class="evidence" href="#s{place + 1}">{held(story.evidence_words(place))}</a></p>'


ON_PAPER = 80
"""Tables with more rows are shown on screen only; the printed page says so."""
MOST_ROWS = 5_000
"""Maximum number of rows on a page. VDI Workbench shows all."""


def table_html(table: TableData, name: str, colours: Colours) -> str:
    """The table with its name and a legend line."""
    rows = table.rows[:MOST_ROWS]
    heads = "".join(_head(column) for column in table.columns)
    body = "".join(f"<tr>{_cells(table.columns, row, colours)}</tr>" for row in rows)
    legend = [table.legend] if table.legend else []
    if MISSING not in table.whole_legend and any(_missing(cell) for row in rows for cell in row):
        legend.append(f"A dash ({MISSING}) means not available, never 0")
    if len(rows) < len(table.rows):
        legend.append(f"These are the first {len(rows)} of {len(table.rows)} rows. VDI Workbench shows all rows")
    if not table.rows:
        legend.append("No rows")
    paper = f"The table “{name}” ({len(rows)} rows) is not printed." if len(rows) > ON_PAPER else ""
    # A scrollable area must be reachable without a mouse.
    kind = "table long" if len(rows) > ON_PAPER else "table"
    return (
        f'<div class="{kind}" tabindex="0" role="group" aria-label="{held(name)}"><table>'
        f"<caption>{held(name)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        + (element("p", as_sentences(legend), class_="legend-line") if legend else "")
        + _definitions(table.method)
        + (element("p", paper, class_="paper") if paper else "")
    )


def _definitions(lines: Sequence[str]) -> str:
    items = "".join(element("li", text) for text in definitions(lines))
    return f'<ul class="legend-line">{items}</ul>' if items else ""


def rows_cut(table: TableData) -> int:
    """Number of table rows that are not in the page."""
    return max(0, len(table.rows) - MOST_ROWS)


def _head(column: Column) -> str:
    """The heading of a column; a column without a title has notes, and its button for sorting needs words."""
    words = heading(column).removeprefix(column.title)
    shown = words.strip(" ,")
    unit = f' <span class="unit">{held(shown)}</span>' if shown else ""
    kind = attributes_of(scope="col", class_="n" if column.numeric else "", title=column.tip)
    return f"<th{kind}>{held(column.title or 'Note')}{',' * words.startswith(',')}{unit}</th>"


def _cells(columns: tuple[Column, ...], row: tuple[Cell, ...], colours: Colours) -> str:
    return "".join(_cell(column, cell, colours) for column, cell in zip(columns, row, strict=True))


def _cell(column: Column, cell: Cell, colours: Colours) -> str:
    words = "n" if column.numeric else ""
    if _missing(cell):
        words = f"{words} missing".strip()
    value = ""
    if isinstance(cell.value, int | float) and not isinstance(cell.value, bool) and math.isfinite(cell.value):
        value = repr(cell.value)
    shown = "" if cell.tip == cell.text else cell.tip
    swatch = f"{colours.swatch(cell.look)} " if cell.look is not None else ""
    return f"<td{attributes_of(class_=words, data_v=value, title=shown)}>{swatch}{held(cell.text)}</td>"


def _missing(cell: Cell) -> bool:
    return cell.text == MISSING
