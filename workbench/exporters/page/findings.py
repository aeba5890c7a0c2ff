"""What a reader sees first: the summary, and a finding after the other with its chart, its limits and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.exporters.document.document import Document, Slide
from workbench.exporters.page.making import Making
from workbench.exporters.page.words import element, held

_CLAIM_TALL, _CLAIM_WIDE, _PANEL_WIDE = 270, 560, 400
Figures = Callable[[Making, Slide, str], str]


def summary(story: Document) -> str:
    """At most five sentences, the recommendation last."""
    if not story.summary:
        return ""
    return _section("summary", "Summary", f"<ul>{_items(story.summary)}</ul>")


def findings(making: Making, story: Document, figure: Figures) -> str:
    """The slides of the story, then those of its appendix folded. `figure` draws one that points at nothing."""
    if not story.all_slides:
        return ""
    shown = "".join(_finding(making, story, slide, place, figure) for place, slide in enumerate(story.slides, 1))
    first = len(story.slides) + 1
    more = "".join(_finding(making, story, slide, place, figure) for place, slide in enumerate(story.appendix, first))
    if more:
        words = f"{len(story.appendix)} more finding{'s' * (len(story.appendix) != 1)}"
        more = f'<details class="more"><summary>{words}</summary>{more}</details>'
    return _section("findings", "Findings", shown + more)


def limits(story: Document) -> str:
    """What limits the figures."""
    if not story.limits:
        return ""
    return _section("limits", "What limits these figures", f"<ul>{_items(story.limits)}</ul>")


def _section(key: str, heading: str, inside: str) -> str:
    return f'<section id="{key}" aria-labelledby="{key}-h"><h2 id="{key}-h">{held(heading)}</h2>{inside}</section>'


def _items(texts: Sequence[str]) -> str:
    return "".join(element("li", text) for text in texts)


def _finding(making: Making, story: Document, slide: Slide, place: int, figure: Figures) -> str:
    key = f"f{place}"
    caveats = "".join(element("p", text, class_="caveat") for text in slide.caveats)
    also = ""
    if slide.also:
        words = f"{len(slide.also)} more on the same chart"
        also = f"<details><summary>{words}</summary><ul>{_items(slide.also)}</ul></details>"
    return (
        f'<article id="{key}" aria-labelledby="{key}-h">{element("h3", slide.title, id=f"{key}-h", class_="sentence")}'
        f"{_chart(making, slide, key, figure)}{caveats}"
        + (element("p", slide.evidence, class_="quiet") if slide.evidence else "")
        + _way(story, slide)
        + f"{also}</article>"
    )


def _chart(making: Making, slide: Slide, key: str, figure: Figures) -> str:
    """What the finding points at, drawn for each theme; else its figure, else its tables."""
    if making.drawing is None or not slide.pointed or slide.figure is None:
        return figure(making, slide, key)
    wide = max(_CLAIM_WIDE, _PANEL_WIDE * len(slide.claims))
    size = (wide, _CLAIM_TALL)
    light, dark = (making.drawing.claims(slide, size, f"{key}-{theme}", theme) for theme in ("light", "dark"))
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
    return f'<p><a class="evidence" href="#s{place + 1}">Evidence: {held(name)}</a></p>'
