"""The user documentation: its pages, and the blocks of text in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "sample_data/README.md", "sample_data/damaged/README.md")
    for path in ROOT.glob(pattern)
)
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, its language, its text."""

    page: str
    language: str
    text: str


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks() -> list[Block]:
    return [Block(page, found[1], found[2]) for page in PAGES for found in FENCE.finditer(text_of(page))]


def prose(page: str) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", text_of(page))


# Matches the beginning of a list item.
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
# A sentence ends before a capital letter, a digit, code, emphasis, a link or a bracket.
_END = re.compile(r"(?<=[.!?:])[)*_”\"]*\s+(?=[A-Z0-9*`_(\[\"“])")


def paragraphs(page: str) -> list[str]:
    """Paragraphs and list items of a page, each in one line; no headings, tables, quotes and comments."""
    found: list[list[str]] = [[]]
    for line in re.sub(r"<!--.*?-->", "", prose(page), flags=re.DOTALL).splitlines():
        words = line.strip()
        if not words or words.startswith(("#", "|", "!", "> ")):
            found.append([])
        elif item := _ITEM.match(words):
            found.append([words[item.end() :]])
        else:
            found[-1].append(words)
    return [" ".join(lines) for lines in found if lines]


def sentences(paragraph: str) -> list[str]:
    return [sentence for sentence in _END.split(paragraph) if sentence]
