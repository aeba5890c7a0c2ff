"""What a question declares of itself: its page in the window, and its commands on the console. Light to import.

A console command of a question: what it says of itself, its options, and where its answer is computed.

Light to import: `vdiwb --help` reads every command, and loads the answer of none.

What every page is: a question answered by a pure function off the window's thread, then shown.

Light to import: the rail, the command lines and the console's help read specs before any answer is loaded.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from workbench.answers.common.choices import Choices
    from workbench.answers.common.library import Library
    from workbench.charts.content import Content

    Answer = Callable[[Library, Choices], Content]


@dataclass(frozen=True, slots=True)
class Spec:
    """A question; `page` is None where the window has no page of it."""

    page: PageSpec | None = None
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True)
class Lazy:
    """Calls `name` of `module`. The module is given as text, so that a spec imports nothing of its question."""

    module: str
    name: str

    def load(self) -> Any:
        """The function itself. Raises ImportError or AttributeError where there is none."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        return self.load()(*arguments)


FORMATS = ("table", "json", "csv")


class UsageError(Exception):
    """A sentence for the user: what they asked for cannot be done as asked (exit status 2)."""


class StoppedError(UsageError):
    """A sentence for the user: what they asked for was tried and could not be done (exit status 1)."""


@dataclass(frozen=True, slots=True)
class Command:
    """`reply` is called with the options and the studies, and returns a `Reply`; it may raise `UsageError`. `formats`
    are the choices of --format (none: no such option), `options` adds the command's own; `check` may raise `UsageError`
    before any file is read; `answers_nothing` runs the command even when nothing was recognised, and without
    `needs_paths` also when no path is given."""

    name: str
    text: str
    example: str
    reply: Lazy
    formats: tuple[str, ...] = FORMATS
    options: Callable[[argparse.ArgumentParser], None] | None = None
    check: Callable[[argparse.Namespace], None] | None = None
    answers_nothing: bool = False
    needs_paths: bool = True


class Sign(NamedTuple):
    """A mark of a chart or a table, and what it means in at most eight words. `glyph` is one of `GLYPHS`, or the text
    that is shown."""

    glyph: str
    words: str


GLYPHS = ("line", "dashed", "dotted", "band", "margin", "whisker", "bar", "hatched", "heat", "dots", "diamond")


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page: its key, its name, the function that answers its question, and how it is laid out.

    `question` may be a `Lazy`, which loads the page when it is first asked. `choosers` are those that the page listens
    to; `unused` names by view those that change nothing there, `whole_run` the views ("" where there is but one) that
    can show whole runs. `views` are (key, name) of the views to choose from, the first being the default. Several
    tables stand under tabs, unless `tables_apart`, where each of `table_names` has its own card. `movable_phases`: the
    columns of its figure are configurations, and the edges of their phases can be dragged. `icon` names a file in
    resources/icons (the key where it is empty). `place` says where the sidebar shows it: among the pages, under
    *Tools*, or as the badge over the runs. `of_every_study`: it answers from all that is open, whichever study is
    looked at. `asks` is the question over a window in which nothing is open; with it the page need not be loaded to
    say so. One that `lists` shows rows with a filter where configurations are many. `headed`: its cards are the heads
    of the columns of its figure. `own_view` is the view ("" where there is but one) that the window draws with a
    widget of its own: exports leave it out. `keys` are its shortcut where it takes no digit. One that `slides` has a
    slider under its figure for an input with a step. `reading` says by view ("" where there is but one) in at most six
    lines how its chart is read; `docs` is the page of the docs on its question. `rail` is a shorter name for the rail.
    """

    key: str
    name: str
    question: Answer
    choosers: frozenset[str] = field(default_factory=frozenset)
    table_share: int = 0
    table_names: tuple[str, ...] = ()
    views: tuple[tuple[str, str], ...] = ()
    tables_apart: bool = False
    movable_phases: bool = False
    unused: Mapping[str, frozenset[str]] = field(default_factory=dict, compare=False)
    whole_run: frozenset[str] = frozenset()
    icon: str = ""
    of_every_study: bool = False
    place: Literal["page", "tool", "badge"] = "page"
    asks: str = ""
    lists: bool = False
    headed: bool = False
    own_view: str | None = None
    keys: str = ""
    slides: bool = False
    reading: Mapping[str, tuple[Sign, ...]] = field(default_factory=dict, compare=False)
    docs: str = ""
    rail: str = ""

    def answer(self, library: Library, choices: Choices) -> Content:
        """What the page shows. A wild cell of 1e300 overflows what is formed of it: that is not available, and numpy
        warns of nothing."""
        if self.asks and not library.files and not choices.findings:
            from workbench.answers.common.chosen import without_answer

            return without_answer(self.asks, library)
        import numpy as np

        with np.errstate(over="ignore", invalid="ignore"):
            content = self.question(library, choices)
        if not (choices.hidden or choices.hidden_entries(self.key)):
            return content
        from workbench.answers.common.hidden_entries import with_hidden_entries

        return with_hidden_entries(content, library, choices, self.key)

    def load(self) -> None:
        """Loads the module that answers, so that the first answer need not."""
        if isinstance(self.question, Lazy):
            self.question.load()
