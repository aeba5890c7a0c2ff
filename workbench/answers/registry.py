"""The questions: their pages in the order of the navigation list, and their commands.

Fast to import: each page and each command's answer is loaded at first use.
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
# Read by the window, the command line and the exports; `register` extends both.
PAGES: Sequence[PageSpec] = _PAGES
COMMANDS: Sequence[Command] = _COMMANDS


def page_of(key: str) -> PageSpec | None:
    """The page with that key; None if it does not exist."""
    return next((page for page in PAGES if page.key == key), None)


def register(spec: Spec) -> None:
    """Adds a question: its page at the end of the navigation list, its commands after the others. The window and the
    command line read the registered questions when they start. Raises ValueError if the key of a page or the name of a
    command already exists."""
    if spec.page is not None and page_of(spec.page.key) is not None:
        raise ValueError(f"There is a page '{spec.page.key}' already.")
    names = {command.name for command in COMMANDS}
    if known := [command.name for command in spec.commands if command.name in names]:
        raise ValueError(f"There is a command '{known[0]}' already.")
    _PAGES.extend([spec.page] if spec.page else [])
    _COMMANDS.extend(spec.commands)


def _specs() -> Iterator[Spec]:
    """The `SPEC` of each folder next to this module that has one."""
    for folder in iter_modules(answers.__path__):
        name = f"{answers.__name__}.{folder.name}.spec"
        if folder.ispkg and find_spec(name) and (spec := getattr(import_module(name), "SPEC", None)):
            yield spec


for _question in sorted(_specs(), key=attrgetter("place")):
    register(_question)


def unused_choosers(page: str, view: str) -> frozenset[str]:
    """The names of the choosers of a page that change nothing in one of its views ("" for a page with only one
    view).
    """
    spec = page_of(page)
    return frozenset() if spec is None else spec.unused.get(view, frozenset())


def whole_run_shown(page: str, view: str) -> bool:
    """True if the view can show whole runs. Other views show one phase."""
    spec = page_of(page)
    return spec is not None and view in spec.whole_run


_Choices = TypeVar("_Choices", bound="Choices")


def answerable(choices: _Choices) -> _Choices:
    """The state with only existing pages and views: the first page replaces an unknown page, and the first view of a
    page replaces an unknown view."""
    views = {spec.key: {key for key, _ in spec.views} for spec in PAGES}
    saved = (view if view.page in views else replace(view, page=PAGES[0].key, page_view="") for view in choices.views)
    return replace(
        choices,
        page=choices.page if choices.page in views else PAGES[0].key,
        views=tuple(saved),
        page_views=tuple((page, view) for page, view in choices.page_views if view in views.get(page, ())),
    )


def load_pages() -> None:
    """Loads every page, the explanations of their numbers, and the parts needed for saving. This takes a tenth of a
    second in a background thread, so the first answer is faster."""
    for page in PAGES:
        page.load()
    import_module("workbench.answers.sources")
    import_module("workbench.answers.changes.compute")
