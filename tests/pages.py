"""Tables that a command writes into a page of the docs, between two marks, with the day."""

from __future__ import annotations

from datetime import date
from pathlib import Path


def put_between(page: Path, begin: str, end: str, body: str) -> None:
    """Puts `body` between two lines of a page. Raises ValueError if a line is missing or occurs twice."""
    text = page.read_text("utf-8")
    before, begins, rest = text.partition(f"{begin}\n")
    old, ends, after = rest.partition(f"{end}\n")
    if not (begins and ends) or begin in f"{old}{after}" or end in f"{before}{after}":
        raise ValueError(f"{page.name} does not have the marks {begin} and {end}")
    page.write_text(f"{before}{begins}\n{body}\n{ends}{after}", encoding="utf-8")


def today() -> str:
    """The day in the format of the pages: 5 November 2026."""
    return f"{date.today():%d %B %Y}".removeprefix("0")
