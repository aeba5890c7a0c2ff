"""The frame of a page: its policy, styles and scripts, the head with title and logo, navigation and search."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from workbench import __version__
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Document
from workbench.exporters.page.colours import HEAT
from workbench.exporters.page.making import PageMaking, attributes_of, element, held, script_json
from workbench.exporters.safe_file import LEFT_OUT
from workbench.measures.significance.method import PROGRAM
from workbench.model.resources import resource
from workbench.words.translated import spoken_words

_KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_MOST_LOGO = 300_000
_INSIDE = ("#", "data:image/png;base64,", "data:image/jpeg;base64,")


# Attributes that contain an address, and a pattern for addresses outside the page.
_ADDRESSES = ("src", "href", "xlink:href", "data", "action", "srcset", "poster", "formaction")
_LEADING = re.compile(rf"""(?<![\w-])(?:{"|".join(_ADDRESSES)})\s*=\s*(?!["']?#)""", re.IGNORECASE)
# An embedded image as this program writes it.
_PICTURE = re.compile(r'<(?:img|image)(?: [a-z-]+="[^"]*")*? (?:src|href|xlink:href)="data:image/(?:png|jpeg);base64,')


class Outside(HTMLParser):
    """Finds everything that a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check the attributes that contain an address."""
        for name, value in attrs:
            if name in _ADDRESSES and value:
                inside = value.startswith(_INSIDE if tag in ("image", "img") else "#")
                if not inside:
                    self.found.append(value)


def framed(making: PageMaking, story: Document, theme: ThemeName, head: str, body: str) -> str:
    """The whole page with this head and body."""
    words = {key: spoken_words(text) for key, text in _WORDS.items()}
    looks = making.colours.table()
    data = {"arrays": making.arrays.held, "looks": looks, "heat": HEAT, "charts": making.charts, "words": words}
    style = f"{_resource('uplot.min.css')}\n{making.colours.style()}\n{_resource('page.css')}"
    scripts = (_resource("uplot.min.js"), _resource("page.js"))
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        f"script-src {' '.join(_hash(script) for script in scripts)}; base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        (
            f'<!DOCTYPE html>\n<html lang="{story.language}" data-theme="{theme}">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="generator" content="VDI Workbench {held(__version__)}">',
            *(f"<meta{attributes_of(name='author', content=story.author)}>" for _ in [0] if story.author),
            '<meta name="referrer" content="no-referrer">',
            f"{element('title', story.title)}\n<style>{style}</style>\n</head>\n<body>",
            f'<a class="skip" href="#main">{held("Skip to content")}</a>',
            head,
            f'<main id="main" tabindex="-1">\n{body}\n</main>',
            f"<footer>{element('p', f'Written by {PROGRAM}. This page needs no other files.')}"
            f'<p class="keys" hidden>{held(_KEYS)}</p></footer>',
            '<p id="spoken" class="spoken" role="status" aria-live="polite"></p>',
            f'<script type="application/json" id="data">{script_json(data)}</script>',
            *(f"<script>{script}</script>" for script in scripts),
            "</body>\n</html>\n",
        )
    )


def page_head(making: PageMaking, story: Document) -> str:
    """Title, customer, author, date, the measured data, and the logo."""
    return (
        f"<header><div>{element('h1', story.title)}"
        + (element("p", story.face, class_="face") if story.face else "")
        + f"{element('p', ' · '.join(story.subtitle.splitlines()), class_='quiet')}</div>{_logo(making, story)}"
        f'<button type="button" id="theme" hidden>{held("Switch theme")}</button></header>'
    )


def _logo(making: PageMaking, story: Document) -> str:
    """The logo of the customer, embedded in the page. If the file is not an image, it is omitted and named."""
    if story.logo is None:
        return ""
    try:
        held_bytes = story.logo.read_bytes()
    except OSError as error:
        making.notes.append(f"The logo {story.logo.name}{LEFT_OUT}It cannot be read ({error.strerror}).")
        return ""
    kind = next((kind for start, kind in _KINDS.items() if held_bytes.startswith(start)), "")
    if not kind or len(held_bytes) > _MOST_LOGO:
        why = "It is not a .png or .jpg" if not kind else f"It is larger than {_MOST_LOGO // 1000} kB"
        making.notes.append(f"The logo {story.logo.name}{LEFT_OUT}{why}.")
        return ""
    name = f"Logo of {story.customer}" if story.customer else "Logo"
    return f'<img class="logo" alt="{held(name)}" src="data:{kind};base64,{b64encode(held_bytes).decode("ascii")}">'


@lru_cache(maxsize=8)
def _resource(name: str) -> str:
    return resource("page", name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


# The texts of page.js.
_WORDS = {"of": "of", "at": "at", "found": "found. Press Enter to go to the next match", "nothing": "Nothing found"}
_KEYS = (
    "Charts: drag to zoom, double-click to show everything. "
    "Keyboard: ← → to read values, + − to zoom, 0 to show everything."
)


def _search() -> str:
    return (
        f'<div id="search" role="search" hidden><label for="find">{held("Search this page")}</label>'
        '<input id="find" type="search" autocomplete="off"><p id="hits" class="quiet" role="status"></p></div>'
    )


def contents_list(story: Document) -> str:
    """The links to the parts of the page, and its search; placed after the summary."""
    groups: dict[str, list[tuple[str, str]]] = {"": []}
    groups[""] += [("summary", story.word("Summary"))] if story.summary else []
    groups[""] += [("findings", story.word("Findings"))] if story.all_slides else []
    groups[""] += [("limits", story.word("Limitations"))] if story.limits else []
    for index, section in enumerate(story.sections, 1):
        name = section.name.removeprefix(f"{section.study}: ")
        groups.setdefault(section.study or (story.word("Appendix") if story.all_slides else ""), []).append(
            (f"s{index}", name)
        )
    last = [
        (key, story.word(name))
        for key, name in (
            ("method", "Method"),
            ("problems", "Problems"),
            ("sources", "Sources"),
            ("left-out", "Omitted"),
        )
    ]
    shown = ""
    for group, links in (*groups.items(), ("", last)):
        items = "".join(f'<li><a href="#{key}">{held(name)}</a></li>' for key, name in links)
        shown += (element("p", group, class_="page-name") if group else "") + (f"<ul>{items}</ul>" if items else "")
    return f'<nav aria-label="{held(story.word("Contents"))}">{_search()}{shown}</nav>'


def check_page(path: Path) -> None:
    """Open the page again; raises `OSError` if it is incomplete or refers to anything outside itself."""
    text = path.read_text(encoding="utf-8")
    if not text.rstrip().endswith("</html>"):
        raise OSError("the page is incomplete")
    own = text.replace(_resource("uplot.min.js"), "").replace(_resource("page.js"), "")
    if not _LEADING.search(_PICTURE.sub("", own)):
        # A page is parsed only if it may refer to something outside, because parsing takes as long as writing.
        return
    looked = Outside()
    looked.feed(text)
    if looked.found:
        raise OSError(f"the page loads something from outside: {looked.found[0][:80]}")
