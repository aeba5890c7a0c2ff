"""Archives next to the folder that they were packed from: files that are also there unpacked are read once."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from workbench.cancellation import stop_if_cancelled
from workbench.model.problem import Problem, Severity
from workbench.study.discovery.archive import Listed
from workbench.study.importing.source import ImportSource

_BLOCK = 1 << 20
# Unpacked files by name, case-insensitive, and size in bytes.
_Loose = Mapping[tuple[str, int], Sequence[ImportSource]]
# Unpacked files by checksum.
_Known = dict[tuple[str, int], dict[int | None, list[ImportSource]]]
# With this many copies of one content, only the nearest is named.
_COMPARED = 64


def without_copies(
    opened: Iterable[ImportSource], looked: Sequence[list[ImportSource | Listed]]
) -> list[list[ImportSource | Listed]]:
    """Returns the content of each opened file, without archive members that are also unpacked below the same paths:
    files with the same name, size and checksum. An archive that contains only such files is left out as a whole.
    Raises Cancelled."""
    packed = [any(isinstance(item, ImportSource) and item.member for item in items) for items in looked]
    if not any(packed):
        return list(looked)
    loose: dict[tuple[str, int], list[ImportSource]] = defaultdict(list)
    for items in looked:
        for item in items:
            if (
                isinstance(item, ImportSource)
                and item.member is None
                and item.problem is None
                and (stamp := item.stamp)
            ):
                loose[item.path.name.casefold(), stamp.size].append(item)
    return [
        _without(source, items, loose) if is_archive else items
        for source, items, is_archive in zip(opened, looked, packed, strict=True)
    ]


def _without(archive: ImportSource, items: list[ImportSource | Listed], loose: _Loose) -> list[ImportSource | Listed]:
    members = [
        item for item in items if isinstance(item, ImportSource) and item.member is not None and item.problem is None
    ]
    known: _Known = {}
    copies = {member.name: same for member in members if (same := _same(member, loose, known)) is not None}
    if members and len(copies) == len(members):
        folder = next(iter(copies.values())).name.rpartition("/")[0] or "the same folder"
        many = {1: "The file", 2: "Both files"}.get(len(members), f"All {len(members)} files")
        verb = "is" if len(members) == 1 else "are"
        message = f"{many} of this archive {verb} also unpacked in the opened folders, for example in {folder}."
        return [
            replace(archive, problem=_problem(archive.name, message, "archive ignored; each file is imported once"))
        ]
    return [
        replace(
            item,
            problem=_problem(
                item.name, f"This file is a copy of {same.name}.", "copy ignored; the file is imported once"
            ),
        )
        if isinstance(item, ImportSource) and (same := copies.get(item.name)) is not None
        else item
        for item in items
    ]


def _same(source: ImportSource, loose: _Loose, known: _Known) -> ImportSource | None:
    """Returns the unpacked file with the content of an archive member."""
    member = source.member
    assert member is not None
    key = source.path.name.casefold(), member.size
    if key not in known:
        known[key] = _by_checksum(loose.get(key, ()))
    same = known[key].get(member.crc, ())
    return max(same[:_COMPARED], key=lambda file: _shared_folders(file, source), default=None)


def _by_checksum(alike: Sequence[ImportSource]) -> dict[int | None, list[ImportSource]]:
    """Groups files of one name and size by checksum. Each is read once, however many members have that name."""
    files: dict[int | None, list[ImportSource]] = defaultdict(list)
    for file in alike:
        stop_if_cancelled()
        if (stamp := file.stamp) is not None:
            files[_checksum(file.path, stamp.size, stamp.mtime_ns)].append(file)
    return files


def _shared_folders(file: ImportSource, member: ImportSource) -> int:
    """Returns how many folders before the names are equal: of several copies the nearest is named."""
    pairs = zip(reversed(file.path.parts), reversed(member.path.parts), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@lru_cache(maxsize=65_536)
def _checksum(path: Path, _size: int, _mtime_ns: int) -> int | None:
    """Returns the checksum of a file as archives store it, or None if it cannot be read."""
    checksum = 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                checksum = zlib.crc32(block, checksum)
    except OSError:
        return None
    return checksum


def _problem(name: str, message: str, action: str) -> Problem:
    return Problem(Severity.INFO, name, "packed-copy", message, action)
