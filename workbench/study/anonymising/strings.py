"""Every string of a nested value, with what it is: to gather names from them, and to replace names in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum, StrEnum, auto
from pathlib import PurePath
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Kind(StrEnum):
    """What a string is. A label is what the customer called something; what is kept is compared (a configuration); a
    counter is kept but for the values of its tags; text may hold names; a message may quote a file."""

    MACHINE = auto()
    HOST = auto()
    USER = auto()
    LABEL = auto()
    TEXT = auto()
    KEPT = auto()
    COUNTER = auto()
    MESSAGE = auto()


_BY_FIELD = {
    **dict.fromkeys(("vm", "machines", "left_out", "counted", "lit_vm"), Kind.MACHINE),
    **dict.fromkeys(("host", "hosts"), Kind.HOST),
    "user": Kind.USER,
    **dict.fromkeys(
        (
            "folder",
            "split_from",
            "file",
            "run",
            "path",
            "paths",
            "study",
            "instance",
            "test",
            "job",
            "label",
            "group",
            "build",
        ),
        Kind.LABEL,
    ),
    **dict.fromkeys(("message", "action", "error", "reason"), Kind.MESSAGE),
}
# Where a field's name alone does not tell.
_BY_TYPE = {
    ("Study", "name"): Kind.LABEL,
    ("Run", "name"): Kind.LABEL,
    ("Run", "session"): Kind.LABEL,
    ("SourceFile", "name"): Kind.LABEL,
    ("BundledFile", "name"): Kind.LABEL,
    ("Series", "path"): Kind.COUNTER,
    ("SeriesKey", "path"): Kind.COUNTER,
    ("Series", "object"): Kind.COUNTER,
    ("Series", "counter"): Kind.COUNTER,
    ("Configuration", "name"): Kind.KEPT,
    ("Run", "read_as"): Kind.KEPT,
    ("Run", "workload"): Kind.LABEL,
    ("Phase", "name"): Kind.KEPT,
    ("Members", "label"): Kind.TEXT,
    # `host n1`, `sd Disk1`; a run definition.
    ("Benchmark", "part"): Kind.LABEL,
    ("Benchmark", "curve"): Kind.LABEL,
    ("FileReport", "part"): Kind.LABEL,
}
# Words of the program's own, places of the column store, and what other programs know.
_LEFT = frozenset(
    (
        *("store_file", "code", "evidence", "tool", "tool_version", "reader", "encoding", "delimiter", "time_zone"),
        *("schema", "program", "saved", "layout", "page", "page_view", "page_views", "theme", "unit", "started", "op"),
        *(
            "first",
            "last",
            "field",
            "hash",
            "measure",
            "verdict",
            "write_cache",
            "scale",
            "vantage",
            "side",
            "date",
            "order",
            "mark",
        ),
    )
)
# Inputs that bring in what lies outside the studies: nobody has gathered its names.
_OUTSIDE = frozenset(("trend.history",))


def each_string(value: T, change: Callable[[Kind, str], str], kind: Kind = Kind.TEXT) -> T:
    """The value with every string as `change` returns it; parts in which nothing changes are the same objects."""
    return _changed(value, change, kind)  # type: ignore[no-any-return]


def _changed(value: Any, change: Callable[[Kind, str], str], kind: Kind) -> Any:
    if isinstance(value, str):
        return value if isinstance(value, Enum) else change(kind, value)
    if value is None or isinstance(value, int | float | Enum | PurePath):
        return value
    if isinstance(value, msgspec.Struct):
        return _fields_changed(value, value.__struct_fields__, change, msgspec.structs.replace)
    if is_dataclass(value):
        return _fields_changed(value, [one.name for one in fields(value)], change, replace)
    if isinstance(value, Mapping):
        return {_changed(key, change, kind): _changed(item, change, kind) for key, item in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return _items_changed(value, change, kind)
    return value


def _items_changed(value: Any, change: Callable[[Kind, str], str], kind: Kind) -> Any:
    items = [_changed(item, change, kind) for item in value]
    if all(now is before for now, before in zip(items, value, strict=True)):
        return value
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def _fields_changed(
    value: Any, names: Iterable[str], change: Callable[[Kind, str], str], replaced: Callable[..., Any]
) -> Any:
    changes = {}
    for name in names:
        if name in _LEFT:
            continue
        before = getattr(value, name)
        if name == "inputs":
            before = tuple(pair for pair in before if pair[0] not in _OUTSIDE)
        known = _BY_TYPE.get((type(value).__name__, name)) or _BY_FIELD.get(name) or Kind.TEXT
        now = _changed(before, change, known)
        if now is not getattr(value, name):
            changes[name] = now
    return replaced(value, **changes) if changes else value
