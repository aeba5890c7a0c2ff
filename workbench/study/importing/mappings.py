"""Column mappings of the user, stored by header: one JSON file in the user's settings folder.

    {"schema": "vdi-workbench/mappings/1", "mappings": [{"names": [...], "delimiter": ",", ...}]}

Source of the format: this project (docs/formats/tables.md).
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import platformdirs

from workbench.model.mapping import ColumnMapping
from workbench.study.store.own_files import Partly, Tell, read_own, silent
from workbench.study.store.own_parts import whole_parts
from workbench.study.store.temporary import own_folder, replacing

SCHEMA = "vdi-workbench/mappings/1"
_INSTEAD = "Files that need a column mapping are not read until their columns are mapped again."
VARIABLE = "VDI_WORKBENCH_MAPPINGS"


class _File(msgspec.Struct, frozen=True):
    schema: str
    mappings: tuple[ColumnMapping, ...] = ()


def mappings_file() -> Path:
    """Returns the path of the mappings; VDI_WORKBENCH_MAPPINGS sets another file."""
    stated = os.environ.get(VARIABLE)
    return Path(stated) if stated else Path(platformdirs.user_config_dir("vdi-workbench")) / "mappings.json"


def load_mappings(tell: Tell = silent) -> dict[str, ColumnMapping]:
    """Returns the stored mappings by header; empty if the file is absent or not a mapping file. `tell` is called with
    damage.

    A mapping that names columns that its header does not have is left out.
    """
    kept = read_own(mappings_file(), _decode, tell, _INSTEAD) or ()
    return {mapping.header: mapping for mapping in kept if _is_sound(mapping)}


def save_mapping(mapping: ColumnMapping) -> bool:
    """Stores a mapping in place of an earlier one for its header. Returns False if the file cannot be written."""
    kept = load_mappings() | {mapping.header: mapping}
    file = mappings_file()
    try:
        own_folder(file.parent)
        content = msgspec.json.encode(_File(SCHEMA, tuple(kept.values())))
        with replacing(file) as temporary:
            temporary.write_bytes(msgspec.json.format(content, indent=1))
    except OSError:
        return False
    return True


def _decode(data: bytes) -> tuple[ColumnMapping, ...] | Partly[tuple[ColumnMapping, ...]]:
    # A mapping that lacks one of its values would change results: it is left out as a whole.
    held, lost = whole_parts(msgspec.json.decode(data), _File, deepest=2)
    if held.schema != SCHEMA:
        raise ValueError(f"not {SCHEMA}")
    return Partly(held.mappings, lost, msgspec.json.encode(held)) if lost else held.mappings


def _is_sound(mapping: ColumnMapping) -> bool:
    width = len(mapping.names)
    places = [*(column.column for column in mapping.columns), *mapping.key_columns]
    inside = all(0 <= index < width and index != mapping.time_column for index in places)
    return bool(mapping.columns) and inside and 0 <= mapping.time_column < width and len(set(places)) == len(places)
