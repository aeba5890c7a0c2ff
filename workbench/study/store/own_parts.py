"""What is whole in a file of our own that is damaged in part: a value of a wrong type is left out, others kept."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
Path = tuple[str | int, ...]
# What stands in messages of msgspec: `$.edits[0].phases[1].start`; of a table by names it says `[...]`.
_AT = re.compile(r"at `\$([^`]*)`")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")
_ANY = "..."
# A file with more damages than this is damaged as a whole.
_MOST_LOST = 100


def whole_parts(raw: Any, kind: type[T], deepest: int | None = None) -> tuple[T, tuple[str, ...]]:
    """`raw` (decoded JSON, which is changed) as `kind`, and the places of the values that were left out, in words.

    A value of a wrong type costs itself and what cannot be without it, and at least what lies `deepest` steps from the
    root. Raises msgspec.ValidationError where nothing of it is whole.
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
    """Where a value stood before others were left out in front of it."""
    written: Path = ()
    for step in path:
        if isinstance(step, int):
            gone = sorted(place[-1] for place in lost if place[:-1] == written and isinstance(place[-1], int))
            for index in gone:
                step += index <= step
        written = (*written, step)
    return written


def _words(path: Path) -> str:
    """A place as a sentence can hold it: `edits, entry 3, excluded`."""
    return ", ".join(f"entry {step + 1}" if isinstance(step, int) else step[:80] for step in path if step != "state")


def _path_of(error: msgspec.ValidationError) -> Path:
    match = _AT.search(str(error))
    steps = _STEP.findall(match[1]) if match else []
    return tuple(int(index) if index else name or _ANY for name, index, _ in steps)


def _damaged(raw: Any, path: Path, kind: type[Any]) -> list[Path]:
    """The path itself; of a table, whose names msgspec does not say, the path in each entry that is damaged."""
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
