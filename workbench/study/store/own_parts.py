"""The intact part of a damaged file of the program: a value of a wrong type is left out, others are kept."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
Path = tuple[str | int, ...]
# The form in msgspec's messages: `$.edits[0].phases[1].start`; for a table by names it is `[...]`.
_AT = re.compile(r"at `\$([^`]*)`")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")
_ANY = "..."
# A file with more damage than this is damaged as a whole.
_MOST_LOST = 100


def whole_parts(raw: Any, kind: type[T], deepest: int | None = None) -> tuple[T, tuple[str, ...]]:
    """Returns `raw` (decoded JSON, which is changed) as `kind`, and the places of the values left out, in words.

    A value of a wrong type removes itself and everything that requires it, and at least the element `deepest` steps
    from the root. Raises msgspec.ValidationError if no part is intact.
    """
    lost: list[Path] = []
    while True:
        try:
            return msgspec.convert(raw, kind), tuple(map(_words, lost))
        except msgspec.ValidationError as error:
            path = _path_of(error)[:deepest]
            if not path or len(lost) >= _MOST_LOST:
                raise
            for place in _damaged(raw, path, kind) or [path[: path.index(_ANY)]]:
                written = _as_written(place, lost)
                _drop(raw, place)
                lost = [*(earlier for earlier in lost if earlier[: len(written)] != written), written]


def _as_written(path: Path, lost: list[Path]) -> Path:
    """Returns the original position of a value, before others in front of it were left out."""
    written: Path = ()
    for step in path:
        if isinstance(step, int):
            gone = sorted(place[-1] for place in lost if place[:-1] == written and isinstance(place[-1], int))
            for index in gone:
                step += index <= step
        written = (*written, step)
    return written


def _words(path: Path) -> str:
    """Returns a place in words: `edits, entry 3, excluded`."""
    return ", ".join(f"entry {step + 1}" if isinstance(step, int) else step[:80] for step in path if step != "state")


def _path_of(error: msgspec.ValidationError) -> Path:
    match = _AT.search(str(error))
    steps = _STEP.findall(match[1]) if match else []
    return tuple(int(index) if index else name or _ANY for name, index, _ in steps)


def _damaged(raw: Any, path: Path, kind: type[Any]) -> list[Path]:
    """Returns the path itself. For a table, whose names msgspec does not give, returns the path in each damaged
    entry."""
    if _ANY not in path:
        return [path]
    at = path.index(_ANY)
    table = raw
    for step in path[:at]:
        table = table[step]
    entries, places = dict(table), list[Path]()
    for name, value in entries.items():
        table.clear()
        table[name] = value
        try:
            msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            within = _path_of(error)
            if within[: at + 1] == path[: at + 1]:
                places.append((*path[:at], name, *takewhile(lambda step: step != _ANY, within[at + 1 :])))
    table.clear()
    table.update(entries)
    return places


def _drop(raw: Any, path: Path) -> None:
    for step in path[:-1]:
        raw = raw[step]
    del raw[path[-1]]
