"""The questions: their pages in the order of the rail, and their commands.

Light to import: each page and the answer of each command load when they are first asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

from workbench import answers
from workbench.answers.common.spec import Command, PageSpec, Spec

if TYPE_CHECKING:
    from workbench.answers.common.choices import Choices

_PAGES: list[PageSpec] = []
_COMMANDS: list[Command] = []
# What the window, the console and the exports read; both grow with `register`.
PAGES: Sequence[PageSpec] = _PAGES
COMMANDS: Sequence[Command] = _COMMANDS


def page_of(key: str) -> PageSpec | None:
    """The page of that key; None where there is none."""
    return next((page for page in PAGES if page.key == key), None)


def register(spec: Spec) -> None:
    """Adds a question: its page at the end of the rail, its commands behind the others. The window and the console take
    what is registered when they start. Raises ValueError for the key of a page or the name of a command that is
    taken."""
    if spec.page is not None and page_of(spec.page.key) is not None:
        raise ValueError(f"There is a page '{spec.page.key}' already.")
    names = {command.name for command in COMMANDS}
    if known := [command.name for command in spec.commands if command.name in names]:
        raise ValueError(f"There is a command '{known[0]}' already.")
    _PAGES.extend([spec.page] if spec.page else [])
    _COMMANDS.extend(spec.commands)


def _specs() -> Iterator[Spec]:
    """The `SPEC` of each folder beside this module that has one."""
    for folder in iter_modules(answers.__path__):
        name = f"{answers.__name__}.{folder.name}.spec"
        if folder.ispkg and find_spec(name) and (spec := getattr(import_module(name), "SPEC", None)):
            yield spec


for _question in sorted(_specs(), key=attrgetter("place")):
    register(_question)


def unused_choosers(page: str, view: str) -> frozenset[str]:
    """The names of the choosers of a page that change nothing in one of its views ("" where it has but one)."""
    spec = page_of(page)
    return frozenset() if spec is None else spec.unused.get(view, frozenset())


def whole_run_shown(page: str, view: str) -> bool:
    """True if the view can show whole runs. Other views answer for one phase."""
    spec = page_of(page)
    return spec is not None and view in spec.whole_run


_Choices = TypeVar("_Choices", bound="Choices")


def answerable(choices: _Choices) -> _Choices:
    """The state of a session with pages and views that there are: the first page stands for one that nobody knows, and
    each page has its own first view for such a view."""
    views = {spec.key: {key for key, _ in spec.views} for spec in PAGES}
    saved = (view if view.page in views else replace(view, page=PAGES[0].key, page_view="") for view in choices.views)
    return replace(
        choices,
        page=choices.page if choices.page in views else PAGES[0].key,
        views=tuple(saved),
        page_views=tuple((page, view) for page, view in choices.page_views if view in views.get(page, ())),
    )


def load_pages() -> None:
    """Loads every page, what explains their numbers, and what a save keeps of them: a tenth of a second's work for a
    thread beside the window, which the first answer then need not do."""
    for page in PAGES:
        page.load()
    import_module("workbench.answers.sources")
    import_module("workbench.answers.changes.compute")
