"""What a column store holds, so that two of them can be compared byte for byte."""

from __future__ import annotations

from pathlib import Path

import msgspec

from workbench.study.store.column_store import Store
from workbench.study.store.pack_file import read_index
from workbench.study.store.pack_place import PACK, place_of

Parts = dict[str, bytes]


def parts_of(root: Path) -> Parts:
    """The bytes of every part of a store by its name. Small files that were read together share a file (a pack), whose
    name holds a random number: of it each file's note, description and columns are parts."""
    store = Store(root)
    parts: Parts = {}
    for folder in store.folders:
        for file in folder.iterdir():
            if file.suffix == PACK:
                parts |= _of_pack(file)
            else:
                parts[f"{folder.name}/{file.name}"] = file.read_bytes()
    return parts


def _of_pack(file: Path) -> Parts:
    folder = file.name.partition("-")[0]
    parts: Parts = {}
    data = file.read_bytes()
    for name, entry in read_index(file).items():
        parts[f"packs/{folder}/{name}"] = msgspec.json.encode(entry.source) + bytes(entry.reading)
        place = place_of(file / entry.columns) if entry.columns else None
        if place is not None:
            parts[f"packs/{folder}/{name} columns"] = data[place.start : place.start + place.size]
    return parts


def difference(one: Parts, other: Parts) -> list[str]:
    """The names of the parts that only one store has, or that differ."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
