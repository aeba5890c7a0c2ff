"""The commands of the window: each is a function that registers with its menu, text and keys.

Menus, Ctrl+K and the sheet of keys read `ACTIONS`. It is complete once the main window is imported.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, get_type_hints

from workbench.answers.registry import PAGES

Function = TypeVar("Function", bound=Callable[..., object])
_MENUS = ("&File", "&Edit", "&View", "&Run", "F&indings", "&Storyboard", "&Help")
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

    def bound(self, services: Iterable[object]) -> Callable[..., object]:
        """The method of the service that has it; otherwise the function with the services that the types of its
        parameters name. Raises StopIteration if there is no such service."""
        known, name = tuple(services), self.function.__name__
        for service in known:
            if getattr(type(service), name, None) is self.function:
                return getattr(service, name)  # type: ignore[no-any-return]
        kinds = [kind for parameter, kind in get_type_hints(self.function).items() if parameter != "return"]
        return partial(self.function, *(next(one for one in known if isinstance(one, kind)) for kind in kinds))


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
    """The keys of a page by its position in the rail, from 1: those of a digit, 0 for the tenth page; none for later
    pages."""
    return f"Ctrl+{place % 10}" if place <= 10 else ""


def keys_of_pages() -> dict[str, str]:
    """The shortcut of each page by its key: its own, otherwise the digit of its position among pages without one."""
    numbered = [spec.key for spec in PAGES if not spec.keys]
    return {spec.key: spec.keys or page_keys(numbered.index(spec.key) + 1) for spec in PAGES}
