"""What the user asks of an export."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from workbench.charts.palette import ThemeName
from workbench.words.translated import ENGLISH

if TYPE_CHECKING:
    from workbench.study.anonymising.pseudonyms import Pseudonyms

# What is written: everything, the page at hand as it is looked at, the saved views, or the findings alone.
What = Literal["all", "page", "views", "findings"]
# How much of everything a document holds: the answer alone; what a review goes through; all of it.
Length = Literal["brief", "review", "full"]
LENGTHS: tuple[Length, ...] = ("brief", "review", "full")


@dataclass(frozen=True, slots=True)
class Face:
    """What stands on the cover or head of a document; empty where nobody stated it. `title` "": that of the storyboard,
    else the name of the study. `logo` is a picture file."""

    title: str = ""
    customer: str = ""
    author: str = ""
    logo: Path | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """`only` names pages, views (`cache:sweep`), `findings`, `views` or `data`; `span` is the stretch of x that the
    page at hand is zoomed to; `phase` and `baseline` are looked at instead of what the state says. With
    `anonymise` names are replaced and the table of them is written to `key`, if any; `names` are those once they are
    known. `face` is what stands on the cover; `each_study`: a workbook for each study.
    `length` is that of a document of everything, `language` that of the fixed texts of a document."""

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
