"""The user's request for an export."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from workbench.charts.palette import ThemeName
from workbench.words.translated import ENGLISH

if TYPE_CHECKING:
    from workbench.study.anonymising.pseudonyms import Pseudonyms

# The content of an export: everything, the current page as shown, the saved views, or only the findings.
What = Literal["all", "page", "views", "findings"]
# The length of a document: only the answer, the content that a review needs, or everything.
Length = Literal["brief", "review", "full"]
LENGTHS: tuple[Length, ...] = ("brief", "review", "full")


@dataclass(frozen=True, slots=True)
class Face:
    """The cover or head of a document; parts are empty if not stated. `title` "": that of the storyboard, otherwise the
    name of the study. `logo` is an image file."""

    title: str = ""
    customer: str = ""
    author: str = ""
    logo: Path | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The request for an export.

    `only` names pages, views (`cache:sweep`), `findings`, `views` or `data`. `span` is the part of x that the current
    page is zoomed to. `phase` and `baseline` override the state. With `anonymise`, names are replaced, and the list of
    replaced names is written to `key`, if any; `names` are the replacements once they exist. `face` is the cover.
    `each_study`: one workbook per study. `length` is that of a document of everything, `language` that of the fixed
    texts of a document.
    """

    path: Path
    what: What = "all"
    only: tuple[str, ...] = ()
    phase: str | None = None
    baseline: str | None = None
    template: Path | None = None
    theme: ThemeName = "light"
    size: tuple[int, int] = (1600, 900)
    scale: float = 1.0
    span: tuple[float, float] | None = None
    anonymise: bool = False
    key: Path | None = None
    names: Pseudonyms | None = None
    face: Face = field(default_factory=Face)
    each_study: bool = False
    length: Length = "review"
    language: str = ENGLISH
