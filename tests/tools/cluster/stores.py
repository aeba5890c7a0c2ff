"""The content of a column store, for a comparison byte for byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from workbench.study.store.column_store import Store
from workbench.study.store.column_sums import sums_file
from workbench.study.store.own_files import opened, unsealed
from workbench.study.store.pack_file import PACK, place_of, read_index
from workbench.study.store.stamps import Remembered

Parts = Mapping[str, frozenset[bytes]]


def parts_of(root: Path) -> Parts:
    """The note, description, columns and checksums of every source, each by a name; several values if the store has a
    part twice and both differ. Half-written files count as parts.

    Small files that were read together share a file (a pack). The number of workers decides how many share one, so the
    parts of a source in a pack are compared with the parts in separate files.
    """
    store = Store(root)
    parts: dict[str, set[bytes]] = defaultdict(set)
    for folder in store.folders:
        for file in folder.iterdir():
            if file.name.startswith("."):
                parts[f"half-written {folder.name}"].add(file.name.encode())
            elif folder.name == "sources" or file.suffix == PACK:
                for name, content in _of_pack(file) if file.suffix == PACK else _alone(store, file):
                    parts[name].add(content)
    return {name: frozenset(contents) for name, contents in parts.items()}


def _alone(store: Store, file: Path) -> Iterator[tuple[str, bytes]]:
    """The parts of a source that has separate files."""
    note = msgspec.json.decode(unsealed(file), type=Remembered)
    yield f"note {note.path}", msgspec.json.encode(note)
    columns = store.columns(note.key)
    if store.reading(note.key).exists():
        yield f"description {note.path}", unsealed(store.reading(note.key))
    if columns.exists():
        yield f"columns {note.path}", columns.read_bytes()
        yield f"sums {note.path}", unsealed(sums_file(columns))


def _of_pack(file: Path) -> Iterator[tuple[str, bytes]]:
    """The parts of the sources that share a file."""
    data = file.read_bytes()
    for entry in read_index(file).values():
        path = entry.source.path
        yield f"note {path}", msgspec.json.encode(entry.source)
        if entry.reading != b"null":
            yield f"description {path}", bytes(entry.reading)
        place = place_of(file / entry.columns) if entry.columns else None
        if place is not None:
            end = place.start + place.size
            yield f"columns {path}", data[place.start : end]
            yield f"sums {path}", opened(data[end : end + place.sums], place.path)


def difference(store: Parts, other: Parts) -> list[str]:
    """The names of the parts that only one store has, or that differ."""
    return sorted(name for name in store.keys() | other.keys() if store.get(name) != other.get(name))
