"""The page: one .html file that opens without a network; charts to zoom and to read, tables to sort, paper for print.

Its own policy forbids everything but the scripts and styles it carries, each named by its hash, and pictures inside
itself: a page can neither fetch nor send. Charts are drawn twice: by the script, and as a still drawing for paper and
for browsers without scripts.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from workbench import __version__
from workbench.charts.cards import Card
from workbench.charts.content import Content
from workbench.charts.figure import Figure, Heatmap, Panel
from workbench.charts.palette import ThemeName
from workbench.charts.scales import heat_limits, scales_of
from workbench.charts.tables import TableData, problem_table
from workbench.exporters.alone import LEFT_OUT, alone
from workbench.exporters.document import Document, Section
from workbench.exporters.page.charts import Arrays, chart_data, chart_notes, legend
from workbench.exporters.page.colours import HEAT, Colours
from workbench.exporters.page.tables import rows_cut, table_html
from workbench.exporters.page.words import element, held, script_json
from workbench.measures.judging.method import PROGRAM
from workbench.model.resources import resource
from workbench.words.numbers import THIN, number

Drawing = Callable[[Figure, tuple[int, int], str], str]
"""A figure in a size (pixels) as an .svg element; the last is what its ids begin with."""

_LEAST_WIDTH, _PANEL_WIDTH, _STILL_HEIGHT, _MORE_ROWS = 1200, 300, 440, 240
NO_DRAWING = (
    "This page was written on a machine that could not draw: its charts need a browser with scripts, and paper shows "
    "the tables."
)


@dataclass
class _Making:
    """What comes together while a page is written."""

    svg: Drawing | None
    colours: Colours = field(default_factory=Colours)
    arrays: Arrays = field(default_factory=Arrays)
    charts: dict[str, object] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def write_page(path: Path, story: Document, theme: ThemeName = "light", svg: Drawing | None = None) -> tuple[str, ...]:
    """Writes the page; returns in sentences what could not be shown in full. `theme` is the one it opens in."""
    text, notes = page_html(story, theme, svg)
    path.write_text(text, encoding="utf-8", newline="\n")
    return notes


def check_page(path: Path) -> None:
    """Reopens a page; raises `OSError` when it does not end or refers to anything outside itself."""
    text = path.read_text(encoding="utf-8")
    if not text.rstrip().endswith("</html>"):
        raise OSError("the page is not whole")
    looked = _Outside()
    looked.feed(text)
    if looked.found:
        raise OSError(f"the page refers to {looked.found[0][:80]}")


class _Outside(HTMLParser):
    """Finds what a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Looks at the attributes that name an address."""
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "data", "action", "srcset", "poster", "formaction") and value:
                inside = value.startswith("#") or (tag == "image" and value.startswith("data:image/png;base64,"))
                if not inside:
                    self.found.append(value)


def page_html(story: Document, theme: ThemeName, svg: Drawing | None) -> tuple[str, tuple[str, ...]]:
    """The whole page, and in sentences what could not be shown in full."""
    making = _Making(svg)
    sections = [_section_alone(making, section, f"s{index}") for index, section in enumerate(story.sections, 1)]
    if svg is None and making.charts:
        making.notes.append(NO_DRAWING)
    tail = [_method(story), _problems(making, story), _sources(making, story), _left_out(making, story)]
    body = "\n".join(filter(None, [_findings(story), *sections, *tail]))
    return _document(making, story, theme, body), tuple(dict.fromkeys(making.notes))


def _document(making: _Making, story: Document, theme: ThemeName, body: str) -> str:
    data = {"arrays": making.arrays.held, "looks": making.colours.table(), "heat": HEAT, "charts": making.charts}
    style = f"{_resource('uplot.min.css')}\n{making.colours.style()}\n{_resource('page.css')}"
    scripts = (_resource("uplot.min.js"), _resource("page.js"))
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        f"script-src {' '.join(_hash(script) for script in scripts)}; base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        (
            f'<!DOCTYPE html>\n<html lang="en" data-theme="{theme}">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="generator" content="VDI Workbench {held(__version__)}">',
            '<meta name="referrer" content="no-referrer">',
            f"{element('title', story.title)}\n<style>{style}</style>\n</head>\n<body>",
            '<a class="skip" href="#main">To the content</a>',
            f"<header><div>{element('h1', story.title)}{element('p', story.subtitle, class_='quiet')}</div>"
            '<button type="button" id="theme" hidden>Light or dark</button></header>',
            _contents(story),
            f'<main id="main" tabindex="-1">\n{body}\n</main>',
            f"<footer>{element('p', f'Written by {PROGRAM}. The page holds everything it shows.')}"
            '<p class="keys" hidden>Charts: drag to zoom, double click for everything; or focus one and use ← → '
            "to read, + − to zoom, 0 for everything.</p></footer>",
            '<p id="spoken" class="spoken" role="status" aria-live="polite"></p>',
            f'<script type="application/json" id="data">{script_json(data)}</script>',
            *(f"<script>{script}</script>" for script in scripts),
            "</body>\n</html>\n",
        )
    )


@lru_cache(maxsize=8)
def _resource(name: str) -> str:
    return resource("page", name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _contents(story: Document) -> str:
    groups: dict[str, list[tuple[str, str]]] = {"": [("findings", "Findings")] if story.all_slides else []}
    for index, section in enumerate(story.sections, 1):
        name = section.name.removeprefix(f"{section.study}: ")
        groups.setdefault(section.study, []).append((f"s{index}", name))
    groups[""] += [("method", "Method"), ("problems", "Problems"), ("sources", "Sources"), ("left-out", "Left out")]
    shown = ""
    for study, links in groups.items():
        items = "".join(f'<li><a href="#{key}">{held(name)}</a></li>' for key, name in links)
        shown += (element("p", study, class_="page-name") if study else "") + f"<ul>{items}</ul>"
    return f'<nav aria-label="Contents">{shown}</nav>'


def _findings(story: Document) -> str:
    if not story.all_slides:
        return ""
    message = "".join(
        f"<li>{element('p', finding.title, class_='sentence')}"
        + (element("p", finding.evidence, class_="quiet") if finding.evidence else "")
        + "".join(element("p", text, class_="quiet") for text in finding.caveats)
        + "</li>"
        for finding in story.all_slides
    )
    return (
        '<section id="findings" aria-labelledby="findings-h"><h2 id="findings-h">Findings</h2>'
        f"<ol>{message}</ol></section>"
    )


def _section_alone(making: _Making, section: Section, key: str) -> str:
    """The section; one that fails says so in its place."""

    def failed(words: str) -> str:
        making.charts.pop(key, None)
        making.notes.append(f"{section.name}{LEFT_OUT}{words}")
        return _section(making, Section(section.name, Content(section.content.question, empty=words)), key)

    return alone("", lambda: _section(making, section, key), failed)


def _section(making: _Making, section: Section, key: str) -> str:
    content = section.content
    parts = [
        element("p", section.name, class_="page-name"),
        f'<h2 id="{key}-h">{held(content.question)}</h2>',
        element("p", content.caption, class_="quiet") if content.caption else "",
    ]
    if content.empty:
        parts.append(element("p", content.empty, class_="remark"))
    else:
        parts.append(_cards(making, content.cards))
        if content.figure is not None:
            parts.append(_figure(making, content.figure, key))
        parts += [_table(making, table, section.name) for table in content.tables]
        parts += [element("p", text, class_="legend-line") for text in section.elsewhere]
    return f'<section id="{key}" aria-labelledby="{key}-h">{"".join(parts)}</section>'


def _cards(making: _Making, cards: tuple[Card, ...]) -> str:
    if not cards:
        return ""
    shown = "".join(
        f"<li>{making.colours.swatch(card.look)} {element('strong', card.title)}"
        + element("p", f"{card.value}{THIN}{card.unit}" if card.unit else card.value, class_="big")
        + "".join(element("p", text, class_="quiet") for text in (card.note, card.detail) if text)
        + "</li>"
        for card in cards
    )
    return f'<ul class="cards">{shown}</ul>'


def _figure(making: _Making, figure: Figure, key: str) -> str:
    if figure.empty:
        return element("p", figure.empty, class_="remark")
    making.charts[key] = chart_data(figure, making.arrays, making.colours)
    columns = 1 + max(panel.column for panel in figure.panels)
    rows = max(sum(panel.column == column for panel in figure.panels) for column in range(columns))
    still = ""
    if making.svg is not None:
        size = (max(_LEAST_WIDTH, columns * _PANEL_WIDTH), _STILL_HEIGHT + _MORE_ROWS * (rows - 1))
        still = f'<div class="still">{making.svg(figure, size, key)}</div>'
    notes = chart_notes(figure)
    words = element("p", figure.summary, class_="summary") if figure.summary else ""
    panels = "".join(_column(making, figure, column, columns, key) for column in range(columns))
    without = "" if still else " no-still"
    return (
        f'<figure class="chart{without}" aria-label="{held(figure.question)}">'
        f'<div class="live c{min(columns, 6)}" hidden>'
        f"{panels}</div>{still}<figcaption>{words}"
        + "".join(element("p", note, class_="legend-line") for note in notes)
        + f"{_heat_legend(figure)}</figcaption></figure>"
    )


def _column(making: _Making, figure: Figure, column: int, columns: int, key: str) -> str:
    """The heads of the panels that stack in one column; the script draws into `.plot`."""
    shown = []
    for index, panel in enumerate(figure.panels):
        if panel.column != column:
            continue
        title = panel.title or (figure.question if columns == 1 else "")
        label = ", ".join(filter(None, (title, panel.subtitle, panel.y.label)))
        shown.append(
            f"{_panel_head(making, panel)}"
            f'<div class="plot" data-chart="{key}" data-panel="{index}" tabindex="0" role="group" '
            f'aria-roledescription="chart" aria-label="{held(label)}"></div>'
        )
    return f'<div class="card">{"".join(shown)}</div>'


def _panel_head(making: _Making, panel: Panel) -> str:
    swatch = f"{making.colours.swatch(panel.look)} " if panel.look is not None and panel.title else ""
    names = "".join(f"<li>{making.colours.swatch(look, kind)} {held(name)}</li>" for name, look, kind in legend(panel))
    return (
        (f"<h3>{swatch}{held(panel.title)}</h3>" if panel.title else "")
        + (element("p", panel.subtitle, class_="quiet") if panel.subtitle else "")
        + (f'<ul class="legend">{names}</ul>' if names else "")
    )


def _heat_legend(figure: Figure) -> str:
    if not any(isinstance(mark, Heatmap) for panel in figure.panels for mark in panel.marks):
        return ""
    gaps = " · hatched: not measured" if any(scales.gaps for scales in scales_of(figure)) else ""
    return "".join(
        f'<p class="legend-line heat">{held(unit)} {number(low)} <span class="ramp"></span> ≥{THIN}{number(high)}'
        f"{gaps}</p>"
        for unit, (low, high) in heat_limits(figure).items()
    )


def _table(making: _Making, table: TableData, section: str) -> str:
    name = table.name or section
    if cut := rows_cut(table):
        making.notes.append(f"{cut} rows of the table “{name}” are not in the page; the window shows them all.")
    return table_html(table, name, making.colours)


def _method(story: Document) -> str:
    message = "".join(element("li", text) for text in story.method)
    return f'<section id="method" aria-labelledby="method-h"><h2 id="method-h">Method</h2><ul>{message}</ul></section>'


def _problems(making: _Making, story: Document) -> str:
    table = problem_table(story.problems)
    shown = _table(making, table, "Problems") if story.problems else "<p>No problems were met.</p>"
    return f'<section id="problems" aria-labelledby="problems-h"><h2 id="problems-h">Problems</h2>{shown}</section>'


def _left_out(making: _Making, story: Document) -> str:
    """What is not in the page, and why; the last thing, because nothing of it is an answer."""
    message = "".join(element("li", text) for text in dict.fromkeys((*story.remarks, *making.notes)))
    return (
        '<section id="left-out" aria-labelledby="left-out-h"><h2 id="left-out-h">Left out</h2>'
        f"{f'<ul>{message}</ul>' if message else '<p>Nothing.</p>'}</section>"
    )


def _sources(making: _Making, story: Document) -> str:
    shown = "".join(_table(making, table, "Sources") for table in story.sources)
    return (
        '<section id="sources" aria-labelledby="sources-h"><h2 id="sources-h">Sources</h2>'
        f"{shown or '<p>Nothing is known of it.</p>'}</section>"
    )
