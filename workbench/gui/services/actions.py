"""The commands of the window: each is a function that registers with its menu, text and keys.

Menus, Ctrl+K and the sheet of keys read `ACTIONS`. It is complete once the main window is imported.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, get_type_hints

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.answers.registry import PAGES
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.workspace import Workspace

Function = TypeVar("Function", bound=Callable[..., object])
_MENUS = ("&File", "&Edit", "&View", "&Run", "F&indings", "&Present", "&Help")
_LAST = 900


@dataclass(frozen=True, slots=True)
class Action:
    """A registered command: `function` runs it, with `argument` if there is one. `place` orders its menu; a line
    separates hundreds. `checkable`: its menu entry has a tick while it is on. `other_shortcut` also works on every
    system."""

    function: Callable[..., object]
    menu: str
    words: str
    shortcut: str = ""
    place: int = _LAST
    argument: str = ""
    checkable: bool = False
    other_shortcut: str = ""

    @property
    def key(self) -> str:
        """Module and name of the function, such as `history.undo`."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    def bound(self, parts: Iterable[object]) -> Callable[..., object]:
        """The method of the part of the window that has it; otherwise the function with the parts that the types of
        its parameters name. Raises StopIteration if there is no such part."""
        known, name = tuple(parts), self.function.__name__
        for part in known:
            if getattr(type(part), name, None) is self.function:
                return getattr(part, name)  # type: ignore[no-any-return]
        return partial(self.function, **_needed(self.function, known))


def _needed(by: object, parts: Iterable[object]) -> dict[str, Any]:
    """The first part of each type that the parameters of a function or the attributes of a class are annotated with."""
    known = tuple(parts)
    hints = {name: kind for name, kind in get_type_hints(by).items() if name != "return"}
    return {name: next(part for part in known if isinstance(part, kind)) for name, kind in hints.items()}


class Commands(QObject):
    """Commands that share a state. Each annotated attribute is the part of the window of that type; `_parent` is the
    window, as the parent of dialogs. Raises StopIteration if there is no such part."""

    _parent: QWidget
    _workspace: Workspace
    _tasks: Tasks
    _status: StatusLine

    def __init__(self, parts: Iterable[object]) -> None:
        needed = _needed(type(self), parts)
        super().__init__(needed["_parent"])
        for name, part in needed.items():
            setattr(self, name, part)


_ACTIONS: list[Action] = []
ACTIONS: Sequence[Action] = _ACTIONS


def command(menu: str, words: str, shortcut: str = "", **more: Any) -> Callable[[Function], Function]:
    """Registers the decorated function as an `Action`. Without a place it is the last one of its menu."""

    def register(function: Function) -> Function:
        action = Action(function, menu, words, shortcut, **more)
        insort(_ACTIONS, action, key=lambda known: (_MENUS.index(known.menu), known.place))
        return function

    return register


def page_keys(place: int) -> str:
    """The keys of a page by its position in the navigation list, from 1: those of a digit, 0 for the tenth page; none
    for later pages."""
    return f"Ctrl+{place % 10}" if place <= 10 else ""


def keys_of_pages() -> dict[str, str]:
    """The shortcut of each page by its key: its own, otherwise the digit of its position among pages without one."""
    numbered = [spec.key for spec in PAGES if not spec.keys]
    return {spec.key: spec.keys or page_keys(numbered.index(spec.key) + 1) for spec in PAGES}
