"""Writing the kit: whole or not at all, and never over anything that is not the kit's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.answers.common.command import UsageError
from workbench.answers.prepare.kit.contents import Kit
from workbench.answers.prepare.kit.document import kit_document
from workbench.long_paths import place_to_write
from workbench.patience import replace_file, try_to_delete
from workbench.study.store.temporary import sweep, temporary_beside
from workbench.words.lists import listed

LISTING = "kit.json"


def write_kit(folder: Path, kit: Kit) -> tuple[str, ...]:
    """Writes the kit into a folder that is new, empty, or holds a kit that nobody has changed since; returns the paths
    of its files. Raises UsageError with a sentence where it may not, and where the disk refuses: what was there is
    then unchanged."""
    target = place_to_write(folder)
    try:
        _refuse(target, folder)
        return _put(target, kit)
    except OSError as error:
        raise UsageError(
            f"The kit was not written into {folder}: {error.strerror or error}. What was there is unchanged. "
            "Choose another folder."
        ) from error


def _refuse(target: Path, shown: Path) -> None:
    if not target.exists():
        if not target.parent.is_dir():
            raise UsageError(f"The folder {shown.parent} does not exist. Make it first, or choose another place.")
        return
    if not target.is_dir():
        raise UsageError(f"{shown} is a file. Name a folder for the kit.")
    there = sorted(path for path in target.rglob("*") if not path.is_dir() or path.is_symlink())
    own = _own(target)
    for path in there:
        name = path.relative_to(target).as_posix()
        if name != LISTING and (path.is_symlink() or own.get(name) != _sum(path.read_bytes())):
            state = "was changed since the kit was written" if name in own else "is not of a kit"
            raise UsageError(f"{shown} is not empty: {name} {state}. Choose another folder; nothing was written.")


def _own(target: Path) -> Mapping[str, Any]:
    """The sum of each file of the kit in that folder, none where there is no kit."""
    try:
        listing = json.loads((target / LISTING).read_bytes())
        return {str(entry["path"]): entry["sha256"] for entry in listing["files"]}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}


def _put(target: Path, kit: Kit) -> tuple[str, ...]:
    """Makes the kit beside its place and moves it there: as a whole where the folder is new; entry by entry where it is
    there already, as somebody may stand in it, and back again where that fails."""
    there = target.exists()
    draft = temporary_beside(target / LISTING if there else target)
    aside = temporary_beside(target / LISTING)
    sweep(draft.parent)
    moved: list[tuple[Path, Path]] = []
    try:
        written = _fill(draft, kit)
        if not there:
            replace_file(draft, target)
            return written
        old = sorted({name.split("/")[0] for name in (LISTING, *_own(target))})
        aside.mkdir()
        moves = [(target / name, aside / name) for name in old if (target / name).exists()]
        moves += [(draft / name, target / name) for name in sorted({path.split("/")[0] for path in written})]
        for source, place in moves:
            replace_file(source, place)
            moved.append((source, place))
        return written
    except BaseException as error:
        if lost := _put_back(moved):
            raise UsageError(
                f"The kit was not written into {target}: {error}. Of the kit that was there, {listed(lost)} could not "
                "be put back. Close the programs that hold files there open, and write the kit again."
            ) from error
        raise
    finally:
        for leftover in (draft, aside):
            if leftover.exists():
                try_to_delete(leftover)


def _put_back(moved: Sequence[tuple[Path, Path]]) -> list[str]:
    """Undoes the moves, the last one first; the names of those that the disk refuses to move back."""
    lost = []
    for source, place in reversed(moved):
        try:
            replace_file(place, source)
        except OSError:
            lost.append(source.name)
    return lost


def _fill(folder: Path, kit: Kit) -> tuple[str, ...]:
    contents = {file.path: file.content for file in kit.files}
    listing = kit_document(kit)
    for entry in listing["files"]:
        entry["sha256"] = _sum(contents[entry["path"]])
    contents[LISTING] = (json.dumps(listing, indent=1, ensure_ascii=False) + "\n").encode()
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tuple(contents)


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
