"""The declaration of a question: its page in the window, and its commands on the command line. Cheap to import.

A page answers a question with a pure function, which runs off the window's thread, and shows the result. A command
declares its text, its options, and the function that computes its reply.

The rail, the command lines and the help text read these declarations before any answer is imported: `vdiwb --help`
reads every command and imports no answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from workbench.answers.common.choices import Choices
    from workbench.answers.common.library import Library
    from workbench.charts.content import Content

    Answer = Callable[[Library, Choices], Content]


@dataclass(frozen=True, slots=True)
class Spec:
    """A question; `page` is None if the window has no page for it. `place` orders the rail and the help text."""

    page: PageSpec | None = None
    commands: tuple[Command, ...] = ()
    place: int = 900


@dataclass(frozen=True, slots=True)
class Lazy:
    """Calls `name` of `module`. The module is given as text, so a spec does not import its question."""

    module: str
    name: str

    def load(self) -> Any:
        """The function itself. Raises ImportError or AttributeError if it does not exist."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any) -> Any:
        """The result of the function."""
        return self.load()(*arguments)


FORMATS = ("table", "json", "csv")
# Exit status of `vdiwb`: success; success, but some files were not imported; wrong usage; nothing recognised; a check
# failed.
OK, SOME_REFUSED, USAGE, NOTHING, LIMIT_FAILED = range(5)


class UsageError(Exception):
    """A sentence for the user: the request is invalid as stated (exit status 2)."""


class StoppedError(UsageError):
    """A sentence for the user: the request was tried and failed (exit status 1)."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line. `reply` is called with the options and the studies and returns a `Reply`; it may
    raise `UsageError`. `formats` are the choices of --format (none: no such option), `options` adds the command's own
    options. `check` may raise `UsageError` before any file is read. `answers_nothing` runs the command even if nothing
    was recognised, and without `needs_paths` also if no path is given."""

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
    """A mark of a chart or table, and its meaning in at most eight words. `glyph` is one of `GLYPHS`, or the text that
    is shown."""

    glyph: str
    words: str


GLYPHS = ("line", "dashed", "dotted", "band", "margin", "whisker", "bar", "outlined", "heat", "dots", "diamond")


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page: its key, its name, the function that answers its question, and its layout.

    `question` may be a `Lazy`, which imports the page when it is first needed. `choosers` are those that the page uses;
    `unused` lists by view those without effect there, `whole_run` the views that can show whole runs. (In all fields ""
    means the only view of a page.) `views` are (key, name) of the views to choose from; the first is the default.
    Several tables are under tabs; with `tables_apart` each of `table_names` has a separate card. `movable_phases`: the
    columns of its figure are configurations, and the edges of their phases can be dragged. `icon` names a file in
    resources/icons (default: the key). `place` is its place in the sidebar: among the pages, under *Tools*, or as the
    badge over the runs. `of_every_study`: it answers from all that is open, not only from the current study. `parts`
    are the items of a study that it uses; a study that has such parts can be shown alone. `asks` is the question in a
    window without studies; with it the page need not be imported for that. A page that `lists` shows rows with a filter
    if there are many configurations. `headed`: its cards are the heads of the columns of its figure. `own_view` is the
    view that the window draws with a special widget; exports leave it out. `keys` are its shortcut if it has no digit.
    A page that `slides` has a slider under its figure for an input with a step. `reading` explains by view, in at most
    six lines, how its chart is read; `docs` is the page of the docs about its question.
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
    parts: Literal["", "runs", "benchmarks"] = ""
    place: Literal["page", "tool", "badge"] = "page"
    asks: str = ""
    lists: bool = False
    headed: bool = False
    own_view: str | None = None
    keys: str = ""
    slides: bool = False
    reading: Mapping[str, tuple[Sign, ...]] = field(default_factory=dict, compare=False)
    docs: str = ""

    def answer(self, library: Library, choices: Choices) -> Content:
        """The content of the page. A cell with an absurd value such as 1e300 overflows: its results are not available,
        and numpy prints no warning."""
        if self.asks and not library.files and not choices.findings:
            from workbench.answers.common.chosen import without_answer

            return without_answer(self.asks, library)
        import numpy as np

        from workbench.charts.short_names import with_short_names

        if chosen := self.chosen_study(library, choices):
            library = replace(library, studies=tuple(study for study in library.studies if study.name == chosen))
        with np.errstate(over="ignore", invalid="ignore"):
            content = self.question(library, choices)
        if choices.own_columns:
            content = content.with_own_columns(self.table_names, choices.own_columns)
        content = with_short_names(content, (group.label for group in library.groups(choices)))
        if not (choices.hidden or choices.hidden_entries(self.key)):
            return content
        from workbench.answers.common.hidden_entries import with_hidden_entries

        return with_hidden_entries(content, library, choices, self.key)

    def studies(self, library: Library) -> tuple[str, ...]:
        """The names of the studies that a page of every study can show alone."""
        return tuple(
            dict.fromkeys(study.name for study in library.studies if self.parts and getattr(study, self.parts))
        )

    def chosen_study(self, library: Library, choices: Choices) -> str:
        """The name of the study that a page of every study shows alone: the chosen one, without a choice the current
        one. Empty for all studies, and if the page has no content for that study."""
        chosen = choices.study_alone(self.key)
        if chosen is None:
            chosen = next((study.name for study in library.studies if study.folder == choices.study), "")
        return chosen if chosen in self.studies(library) else ""

    def load(self) -> None:
        """Imports the module that answers, so the first answer does not have to."""
        if isinstance(self.question, Lazy):
            self.question.load()
