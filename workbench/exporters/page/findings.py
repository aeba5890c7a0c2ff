"""What a reader sees first: the summary, and a finding after the other with its chart, its limits and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.lengths import DIVIDER, TABLE
from workbench.exporters.page.making import Making
from workbench.exporters.page.words import element, held

_THEMES: tuple[ThemeName, ...] = ("light", "dark")
_CLAIM_TALL, _CLAIM_WIDE, _PANEL_WIDE = 270, 560, 400
Figures = Callable[[Making, Slide, str], str]


def summary(story: Document) -> str:
    """At most five sentences, the recommendation last."""
    if not story.summary:
        return ""
    return part("summary", story.word("Summary"), f"<ul>{_items(story.summary)}</ul>")


def findings(making: Making, story: Document, figure: Figures) -> str:
    """The slides of the story, then those of its appendix folded. `figure` draws one that points at nothing."""
    if not story.all_slides:
        return ""
    shown = "".join(_finding(making, story, slide, place, figure) for place, slide in enumerate(story.slides, 1))
    first = len(story.slides) + 1
    placed = list(enumerate(story.appendix, first))
    shown += "".join(_finding(making, story, slide, place, figure) for place, slide in placed if slide.part == TABLE)
    folded = [(place, slide) for place, slide in placed if slide.part != TABLE]
    more = "".join(_finding(making, story, slide, place, figure) for place, slide in folded)
    if more:
        words = f"{len(folded)} more finding{'s' * (len(folded) != 1)}"
        more = f'<details class="more"><summary>{words}</summary>{more}</details>'
    return part("findings", story.word("Findings"), shown + more)


def limits(story: Document) -> str:
    """What limits the figures."""
    if not story.limits:
        return ""
    return part("limits", story.word("Limitations"), f"<ul>{_items(story.limits)}</ul>")


def part(key: str, heading: str, inside: str) -> str:
    """A part of the page under its heading; `inside` is markup."""
    return f'<section id="{key}" aria-labelledby="{key}-h"><h2 id="{key}-h">{held(heading)}</h2>{inside}</section>'


def _items(texts: Sequence[str]) -> str:
    return "".join(element("li", text) for text in texts)


def _finding(making: Making, story: Document, slide: Slide, place: int, figure: Figures) -> str:
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
    also = ""
    if slide.also:
        words = f"{len(slide.also)} more on the same chart"
        also = f"<details><summary>{words}</summary><ul>{_items(slide.also)}</ul></details>"
    return (
        f'<article id="{key}" aria-labelledby="{key}-h">{element("h3", slide.title, id=f"{key}-h", class_="sentence")}'
        f"{facts}{_chart(making, slide, key, figure)}{caveats}"
        + (element("p", slide.evidence, class_="quiet") if slide.evidence else "")
        + _way(story, slide)
        + f"{also}</article>"
    )


def _chart(making: Making, slide: Slide, key: str, figure: Figures) -> str:
    """What the finding points at, drawn for each theme; else its figure, else its tables."""
    if making.drawing is None or not slide.pointed or slide.figure is None:
        return figure(making, slide, key)
    figure_of, count = slide.figure, len(slide.claims)
    size = (_CLAIM_WIDE if count == 1 else _PANEL_WIDE, _CLAIM_TALL)
    # A drawing for each panel, so that a narrow window can put them below each other.
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
    """The link to the section that the finding rests on."""
    place = story.evidence_of(slide)
    if place is None:
        return ""
    name = story.sections[place].name
    return f'<p><a class="evidence" href="#s{place + 1}">{held(story.word("Evidence"))}: {held(name)}</a></p>'
