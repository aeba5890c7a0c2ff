"""Writes the whole kit or nothing, and never overwrites files that do not belong to the kit.

Also the kit as JSON, for the command line and for the list of its files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Literal

import msgspec

from workbench.answers.common.document import Table
from workbench.answers.common.spec import UsageError
from workbench.answers.prepare.kit.contents import Kit
from workbench.answers.prepare.kit.mix import Mix
from workbench.file_replace import delete_file, reason, replace_file, try_to_delete
from workbench.model.problem import few_named
from workbench.study.store.temporary import sweep, temporary_beside
from workbench.windows_paths import place_to_write

LISTING = "kit.json"
# The name of the kit's subfolder in a folder that contains other files.
FOLDER = "test-kit"


@dataclass(frozen=True, slots=True)
class _Listed:
    """A file of the kit: its path in the folder, and the checksum of its written content."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class _Listing:
    """The part of a `kit.json` that lists the kit's own files."""

    schema: Literal["vdi-workbench/kit/1"]
    files: list[_Listed]


def write_kit(folder: Path, kit: Kit) -> tuple[str, ...]:
    """Writes the kit into a folder that is new, empty, or contains an unchanged kit. Returns the paths of its files.
    Raises UsageError with a sentence if it may not, or if the disk fails; the old content is then unchanged."""
    with _named(folder):
        target = place_to_write(folder)
        for swept in (target, target.parent):
            sweep(swept)
        _refuse(target, folder)
        return _put(target, kit)


def write_kit_beside(folder: Path, kit: Kit) -> Path:
    """Writes the kit into this folder, or into a separate subfolder if it contains other files. Returns the folder of
    the kit. Raises as `write_kit` does."""
    with _named(folder):
        taken = folder.is_dir() and any(folder.iterdir()) and not _own(folder)
    target = folder / FOLDER if taken else folder
    write_kit(target, kit)
    return target


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """Raises a disk error as a UsageError with its reason."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"The kit was not written to {folder}: {reason(error)}. The folder is unchanged. Choose another folder."
        ) from error


def _refuse(target: Path, shown: Path) -> None:
    if not target.exists():
        if not target.parent.is_dir():
            raise UsageError(f"The folder {shown.parent} does not exist. Create it first, or choose another folder.")
        return
    if not target.is_dir():
        raise UsageError(f"{shown} is a file. Enter a folder for the kit.")
    own = _own(target)
    if own is None:
        raise UsageError(
            f"The {LISTING} in {shown} does not belong to a kit. Nothing was written. Choose another folder."
        )
    for name in _files(target):
        path = target / name
        if name != LISTING and (path.is_symlink() or _sum(path.read_bytes()) not in own.get(name, ())):
            state = "was changed since the kit was written" if name in own else "does not belong to a kit"
            raise UsageError(f"{shown} is not empty: {name} {state}. Nothing was written. Choose another folder.")


def _files(target: Path) -> list[str]:
    """The names of all files in a folder, including links to folders."""
    there = (path for path in target.rglob("*") if not path.is_dir() or path.is_symlink())
    return sorted(path.relative_to(target).as_posix() for path in there)


def _own(target: Path) -> dict[str, set[str]] | None:
    """The possible checksums of each file of the kit in that folder: two if the program was killed while it replaced an
    earlier kit. Empty if there is no listing; None if the listing does not belong to a kit."""
    sums: dict[str, set[str]] = {}
    if not (target / LISTING).exists():
        return sums
    try:
        listing = msgspec.json.decode((target / LISTING).read_bytes(), type=_Listing)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    for file in listing.files:
        sums.setdefault(file.path, set()).add(file.sha256)
    return sums


def _put(target: Path, kit: Kit) -> tuple[str, ...]:
    """Creates the kit next to its final folder and then moves it there: as a whole if the folder is new, otherwise file
    by file, because it may be someone's current folder. If that fails, the files are moved back."""
    there = target.exists()
    draft = temporary_beside(target / LISTING if there else target)
    contents, kept = _contents(kit), _files(target)
    try:
        new = draft / "new" if there else draft
        _fill(new, contents)
        if there:
            # Copied before anything changes: a full disk then changes nothing, and moving back needs no room.
            _fill(draft / "earlier", {name: (target / name).read_bytes() for name in kept})
            _exchange(target, new, draft / "earlier", dict.fromkeys((*contents, *kept)))
        else:
            replace_file(draft, target)
        return tuple(contents)
    finally:
        if draft.exists():
            try_to_delete(draft)


def _exchange(target: Path, new: Path, earlier: Path, names: Iterable[str]) -> None:
    """Replaces file by file, so each file is always either the earlier or the new one. Meanwhile the listing has the
    checksums of both: a kit that a killed program left half replaced still counts as a kit, and the next one can
    replace it."""
    files = [(new / name, target / name) for name in names if name != LISTING]
    changed: list[str] = []
    try:
        for source, path in ((_both(new, earlier), target / LISTING), *files, (new / LISTING, target / LISTING)):
            path.parent.mkdir(parents=True, exist_ok=True)
            changed.insert(0, path.relative_to(target).as_posix())
            if source.exists():
                replace_file(source, path)
            else:
                delete_file(path)
    except BaseException as error:
        if lost := _put_back(target, earlier, dict.fromkeys(changed)):
            raise UsageError(
                f"The kit was not written to {target}: {error}. These files of the earlier kit could not be restored: "
                f"{few_named(lost)}. Close programs that use files there, and write the kit again."
            ) from error
        raise
    finally:
        _drop_empty(target, names)


def _both(new: Path, earlier: Path) -> Path:
    """A listing with the files of the new and of the earlier kit."""
    sums = [
        (name, value) for folder in (earlier, new) for name, known in (_own(folder) or {}).items() for value in known
    ]
    both = new / f"{LISTING}.both"
    both.write_bytes(msgspec.json.encode(_Listing(KIT_SCHEMA, [_Listed(name, value) for name, value in sums])))
    return both


def _put_back(target: Path, earlier: Path, changed: Iterable[str]) -> list[str]:
    """Puts the earlier files back, the last one first. Returns the names for which the disk fails."""
    lost = []
    for name in changed:
        try:
            if (earlier / name).exists():
                replace_file(earlier / name, target / name)
            else:
                delete_file(target / name)
        except OSError:
            lost.append(name)
    return lost


def _drop_empty(target: Path, names: Iterable[str]) -> None:
    """Deletes those folders of these files that are empty."""
    folders = {parent for name in names for parent in PurePosixPath(name).parents if parent.name}
    for folder in sorted(folders, key=lambda folder: -len(folder.parts)):
        with suppress(OSError):
            (target / folder).rmdir()


def _contents(kit: Kit) -> dict[str, bytes]:
    """The content of each file of the kit, its listing last."""
    contents = {file.path: file.content for file in kit.files}
    listing = kit_document(kit)
    for entry in listing["files"]:
        entry["sha256"] = _sum(contents[entry["path"]])
    contents[LISTING] = (json.dumps(listing, indent=1, ensure_ascii=False) + "\n").encode()
    return contents


def _fill(folder: Path, contents: Mapping[str, bytes]) -> None:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


KIT_SCHEMA: Final = "vdi-workbench/kit/1"


def kit_document(kit: Kit, folder: str | None = None) -> Table:
    """Everything about the kit as a JSON value; `folder` is its folder (None: not written)."""
    planned = kit.planned
    return {
        "schema": KIT_SCHEMA,
        "folder": folder,
        "questions": [{"key": question.key, "text": question.text} for question in kit.choices.asked],
        "interval_s": kit.choices.sample_s,
        "configurations": [configuration.name for configuration in planned.configurations],
        "baseline": planned.baseline,
        "baseline_evidence": planned.baseline_by.value,
        "runs": planned.runs,
        "runs_reason": planned.reason,
        "detect_percent": 100 * kit.choices.detect,
        "order": [configuration.name for configuration in planned.order],
        "mix": [_mix(mix) for mix in kit.mixes],
        "files": [{"path": file.path, "place": file.place or None, "about": file.about} for file in kit.files],
    }


def _mix(mix: Mix) -> Table:
    return {
        "phase": mix.phase,
        "desktops": mix.desktops,
        "desktops_assumed": mix.assumed_desktops,
        "values": [asdict(value) for value in mix.values],
    }
