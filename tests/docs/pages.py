"""The pages that tell users about the program, and the blocks of text in them."""

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
    """A fenced block: the page it is on, its language, its text."""

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
