"""The formats under attack: every reader with small generated files, and every project file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.tools.fuzz.mutations import Seed
from tests.tools.fuzz.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Format:
    """`make` returns the undamaged files; `read` reads the bytes of a file of this name in an empty folder, as the
    program does. `quiet`: a loss is repaired without a message, for example by reading the source again. `modules`
    are the modules that open such a file."""

    name: str
    make: Callable[[], tuple[Seed, ...]]
    read: Callable[[bytes, str, Path], Outcome]
    quiet: bool = False
    modules: tuple[str, ...] = field(default=())


@cache
def formats() -> Mapping[str, Format]:
    """All of them by name: readers by their labels, project files as `own-…`."""
    # Imported here, because these modules import this one.
    from tests.tools.fuzz.own_files import OWN
    from tests.tools.fuzz.reader_files import readers_files

    return {format_.name: format_ for format_ in (*readers_files(), *OWN)}


@cache
def seeds_of(name: str) -> tuple[Seed, ...]:
    """The undamaged files of a format."""
    return formats()[name].make()
