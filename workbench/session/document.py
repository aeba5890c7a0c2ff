"""Workspace files (`.vdiwb`): all of the user's work, and the paths of its folders.

A workspace file is a JSON object: `schema` and `version`, then the opened paths, size and content of each file read,
the state, and the window layout. Earlier versions are migrated one version at a time: a migration takes the JSON object
of its version, returns that of the next, and keeps unknown keys. A later version is not opened, because its content is
unknown. The program saves only the newest version.

Version 2 added the storyboard, which an earlier program would lose. Version 3 reads fewer numbers in folder names as
numbers of runs; the grouping of an earlier version is kept as edits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import msgspec

from workbench.answers.changes.moves import KeptFigures
from workbench.file_replace import reason
from workbench.model.problem import few_named
from workbench.option_files import option_bytes
from workbench.session.earlier_columns import current_column
from workbench.session.files import SESSION
from workbench.session.state import State
from workbench.study.store.own_files import UNREADABLE, Tell, left_out, silent
from workbench.study.store.own_parts import whole_parts
from workbench.study.store.temporary import write_whole
from workbench.windows_paths import as_written, true_path

Raw = dict[str, Any]
Migrations = Mapping[int, Callable[[Raw], Raw]]
VERSION = 3


def _with_storyboard(raw: Raw) -> Raw:
    """Version 1 had no storyboard, so the default one is shown."""
    state = raw.get("state")
    return {**raw, "state": {"storyboard": None, **state}} if isinstance(state, dict) else raw


def _with_earlier_names(raw: Raw) -> Raw:
    """Version 2 named configurations by other rules. The new names are known only after the folders are read."""
    state = raw.get("state")
    return {**raw, "state": {**state, "earlier_names": True}} if isinstance(state, dict) else raw


MIGRATIONS: Migrations = {1: _with_storyboard, 2: _with_earlier_names}


def up_to_date(raw: Raw, newest: int = VERSION, migrations: Migrations = MIGRATIONS) -> Raw:
    """The object in version `newest`. `migrations` has one step for each earlier version."""
    while raw["version"] < newest:
        version = raw["version"]
        raw = {**migrations[version](raw), "version": version + 1}
    return raw


SCHEMA = "vdi-workbench/session"
ENDING = SESSION


class SessionError(ValueError):
    """A workspace file cannot be opened or saved; the message is a sentence for the user."""


class NewerError(SessionError):
    """The workspace file is from a later version; it is not damaged."""


class SavedSource(msgspec.Struct, frozen=True):
    """A file that was read: its name for the user, its size in bytes, and its modification time."""

    name: str
    size: int
    mtime_ns: int


class SessionDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a workspace file.

    `paths` are the opened paths. `layout` is the window layout, base64. `method` is the version of the verdict rules at
    the time of saving, 0 if unknown. `figures` are the values shown then, None if unknown. `anonymised`: names are
    replaced.
    """

    schema: str = SCHEMA
    version: int = VERSION
    program: str = ""
    method: int = 0
    saved: str = ""
    paths: tuple[str, ...] = ()
    files: tuple[SavedSource, ...] = ()
    state: State = State()
    layout: str = ""
    figures: KeptFigures | None = None
    anonymised: bool = False


def encode(document: SessionDocument) -> bytes:
    """The document as JSON, indented for people and version control."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def decode(data: bytes, name: str) -> SessionDocument:
    """The document in `data`. Raises SessionError with a sentence that names the file."""
    document, lost = decode_parts(data, name)
    if lost:
        raise SessionError(f"{name} contains data that cannot be read ({lost[0]}). It was not opened.")
    return document


def decode_parts(data: bytes, name: str) -> tuple[SessionDocument, tuple[str, ...]]:
    """The undamaged parts of the document in `data`, and the damaged places in words. Raises SessionError with a
    sentence that names the file."""
    try:
        raw: Any = msgspec.json.decode(data)
    except UNREADABLE as error:
        raise SessionError(
            f"{name} is not a workspace file, or it is damaged. Open the result folder instead."
        ) from error
    if not isinstance(raw, dict) or raw.get("schema") != SCHEMA:
        raise SessionError(f"{name} is not a workspace file of VDI Workbench. Open the result folder instead.")
    version = raw.get("version")
    if not isinstance(version, int) or version < 1:
        raise SessionError(f"{name} contains no version number. It was not opened.")
    if version > VERSION:
        raise NewerError(
            f"{name} was saved by a newer version of VDI Workbench (file format {version}; this version reads up to "
            f"format {VERSION}). Open it with the newer version, or open the result folder."
        )
    try:
        document, lost = whole_parts(up_to_date(raw), SessionDocument)
    except UNREADABLE as error:
        raise SessionError(
            f"{name} contains data that cannot be read. It was not opened. Open the result folder instead."
        ) from error
    if any("\0" in path for path in document.paths):
        raise SessionError(
            f"{name} is damaged: it contains an invalid path of a result folder. It was not opened. Open the result "
            "folder instead."
        )
    state = replace(document.state, own_columns=tuple(map(current_column, document.state.own_columns)))
    return msgspec.structs.replace(document, state=state), lost


def save_session(path: Path, document: SessionDocument) -> None:
    """Write the workspace file. Paths below its folder are written relative to it. Raises SessionError."""
    relative = tuple(
        source_path if _is_foreign(source_path) else _relative(Path(source_path), path.parent)
        for source_path in document.paths
    )
    try:
        write_whole(path, encode(msgspec.structs.replace(document, paths=relative)))
    except OSError as error:
        raise SessionError(
            f"{path.name} was not saved: {reason(error)}. An earlier file of this name is "
            "unchanged. Save under another name."
        ) from error


def load_session(path: Path, tell: Tell = silent) -> SessionDocument:
    """The workspace in a file, with absolute paths. `tell` is called with damaged places. The file belongs to the user
    and is not changed. Raises SessionError."""
    try:
        data = option_bytes(path)
    except OSError as error:
        raise SessionError(f"{path.name} cannot be opened: {error.strerror or error}.") from error
    document, lost = decode_parts(data, path.name)
    if lost:
        unchanged = "To keep this file as it is, save under another name."
        tell(f"{path.name} is partly damaged. {left_out(lost)} {unchanged}")
    if elsewhere := [source_path for source_path in document.paths if _is_foreign(source_path)]:
        tell(
            f"{path.name} was saved on another system with results in {elsewhere[0]}. Open the results on this "
            "system, or save the file there again next to its results and copy both."
        )
    # Uses os.path: an invalid path of this machine stays unchanged, and is then not found.
    return msgspec.structs.replace(
        _beside(document, true_path(path.parent)),
        paths=tuple(
            source_path if _is_foreign(source_path) else os.path.realpath(path.parent / source_path)
            for source_path in document.paths
        ),
    )


def _beside(document: SessionDocument, folder: Path) -> SessionDocument:
    """The document, adapted if the results are in the `folder` of the workspace file now. The paths of runs and studies
    in its state and values are absolute, so they are rewritten."""
    earlier = _earlier_folder(document, folder)
    if earlier is None or str(earlier) == str(folder):
        return document
    held = {"state": document.state, "figures": document.figures}
    moved = _moved(msgspec.to_builtins(held), earlier, folder)
    return msgspec.structs.replace(
        document,
        state=msgspec.convert(moved["state"], State),
        figures=msgspec.convert(moved["figures"], KeptFigures | None),
    )


def _earlier_folder(document: SessionDocument, folder: Path) -> PurePath | None:
    """The folder in which the workspace file was saved, on any system: the study path before the part that exists in
    `folder` now. None if the results are not with the workspace file."""
    paths = list(map(_pure, document.paths))
    with_session = [path for path in paths if not path.is_absolute()]
    elsewhere = [path for path in paths if path.is_absolute()]
    study = _pure(document.state.study or "")
    if not with_session or not study.is_absolute() or any(_is_below(study, path) for path in elsewhere):
        return None
    for at in range(1, len(study.parts)):
        below = Path(*study.parts[at:])
        if (folder / below).exists():
            return type(study)(*study.parts[:at])
    return study if "." in document.paths else None


def _is_below(path: PurePath, folder: PurePath) -> bool:
    return type(path) is type(folder) and path.is_relative_to(folder)


def _pure(path: str) -> PurePath:
    """A path of the system that it was written for: Windows if it has a drive or a share, otherwise POSIX."""
    return PureWindowsPath(path) if _is_of_windows(path) else PurePosixPath(path)


def _is_of_windows(path: str) -> bool:
    return not path.startswith("/") and PureWindowsPath(path).is_absolute()


def _is_foreign(path: str) -> bool:
    """True for an absolute path of another system. On this system it would be read as relative to the working
    folder."""
    return path.startswith("/") if sys.platform == "win32" else _is_of_windows(path)


def _moved(value: Any, earlier: PurePath, now: Path) -> Any:
    """The value with every path below `earlier` moved below `now`, in the notation of this system."""
    if isinstance(value, str):
        separator = "\\" if isinstance(earlier, PureWindowsPath) else "/"
        if value == str(earlier):
            return str(now)
        start = str(earlier).rstrip(separator) + separator
        if not value.startswith(start):
            return value
        return f"{now}{os.sep}{value.removeprefix(start).replace(separator, os.sep)}"
    if isinstance(value, dict):
        return {key: _moved(item, earlier, now) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_moved(item, earlier, now) for item in value]
    return value


def _relative(path: Path, folder: Path) -> str:
    """A relative path if the results are with the workspace file, so both can be moved together."""
    try:
        return as_written(true_path(path)).relative_to(as_written(true_path(folder))).as_posix() or "."
    except ValueError:
        return os.fspath(path)


def source_files(places: Mapping[str, Path], stamps: Mapping[Path, tuple[int, int]]) -> tuple[SavedSource, ...]:
    """Size and modification time of the files at these paths."""
    return tuple(SavedSource(name, *stamps[path]) for name, path in sorted(places.items()) if path in stamps)


def stamps_of(files: Iterable[SavedSource]) -> dict[str, tuple[int, int]]:
    """Size in bytes and modification time in ns, by file name."""
    return {file.name: (file.size, file.mtime_ns) for file in files}


def changed_files(document: SessionDocument, now: tuple[SavedSource, ...]) -> tuple[str, ...]:
    """One sentence for each kind of difference between the saved and the current files; none if all agree."""
    then_by, now_by = ({file.name: file for file in files} for files in (document.files, now))
    gone = sorted(then_by.keys() - now_by.keys())
    new = sorted(now_by.keys() - then_by.keys())
    other = sorted(n for n in then_by.keys() & now_by.keys() if then_by[n] != now_by[n])
    reasons = ((gone, "are gone", "is gone"), (new, "are new", "is new"), (other, "have changed", "has changed"))
    return tuple(
        f"{few_named(names)} {many if len(names) > 1 else singular} since the workspace file was saved."
        for names, many, singular in reasons
        if names
    )
