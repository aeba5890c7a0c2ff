"""Session files (`.vdiwb`): everything the user did, and which folders it was done with.

A JSON object: `schema` and `version` first, then the paths opened, the size and content of each file read, the
state, and the window's layout. Older versions are brought up to date by `migrations`; a newer one is refused
with a sentence, for what it holds cannot be known.

Sessions of earlier versions, brought up to date one version at a time.

A migration takes the JSON object of its version and returns that of the next; it never drops what it does not
know. The program saves the newest version only. Version 2 added the storyboard, which an earlier program would lose.
Version 3 takes fewer numbers of folders for numbers of runs; what an earlier version grouped is stated as edits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import msgspec

from workbench.answers.changes.moves import KeptFigures
from workbench.file_replace import reason
from workbench.option_files import option_bytes
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
    """Version 1 had no storyboard: the default one is shown."""
    state = raw.get("state")
    return {**raw, "state": {"storyboard": None, **state}} if isinstance(state, dict) else raw


def _with_earlier_names(raw: Raw) -> Raw:
    """Version 2 named configurations by other rules: which names these gave is known once the folders are read."""
    state = raw.get("state")
    return {**raw, "state": {**state, "earlier_names": True}} if isinstance(state, dict) else raw


MIGRATIONS: Migrations = {1: _with_storyboard, 2: _with_earlier_names}


def up_to_date(raw: Raw, newest: int = VERSION, migrations: Migrations = MIGRATIONS) -> Raw:
    """The object as version `newest` writes it; `migrations` has one step for each earlier version."""
    while raw["version"] < newest:
        version = raw["version"]
        raw = {**migrations[version](raw), "version": version + 1}
    return raw


SCHEMA = "vdi-workbench/session"
ENDING = SESSION


class SessionError(ValueError):
    """A session that cannot be opened or saved; the message is a sentence for the user."""


class NewerError(SessionError):
    """A session of a later version: nothing is wrong with it."""


class SavedSource(msgspec.Struct, frozen=True):
    """A file that was read: the name the user sees, its size in bytes, and its modification time."""

    name: str
    size: int
    mtime_ns: int


class SessionDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What a session file holds. `paths` are those opened, `layout` is the window's own, base64;
    `method` is the version of the rules of verdicts it was saved with, 0 where it does not say; `figures` is what it
    showed, None where it does not say. `anonymised`: names are replaced in it."""

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
    """The document as JSON, indented for those who read it or keep it in version control."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def decode(data: bytes, name: str) -> SessionDocument:
    """The document in `data`. Raises SessionError with a sentence that names the file."""
    document, lost = decode_parts(data, name)
    if lost:
        raise SessionError(f"{name} holds something that cannot be read ({lost[0]}). It was not opened.")
    return document


def decode_parts(data: bytes, name: str) -> tuple[SessionDocument, tuple[str, ...]]:
    """What is whole of the document in `data`, and in words the places of what is not. Raises SessionError with a
    sentence that names the file."""
    try:
        raw: Any = msgspec.json.decode(data)
    except UNREADABLE as error:
        raise SessionError(
            f"{name} is not a workspace file, or it is damaged: {error}. Open the result folder instead."
        ) from error
    if not isinstance(raw, dict) or raw.get("schema") != SCHEMA:
        raise SessionError(f"{name} is not a workspace file of VDI Workbench. Open the result folder instead.")
    version = raw.get("version")
    if not isinstance(version, int) or version < 1:
        raise SessionError(f"{name} does not state its version; it was not opened.")
    if version > VERSION:
        raise NewerError(
            f"{name} was saved by a newer VDI Workbench (version {version}; this program reads up to "
            f"{VERSION}). Open it there, or open the result folder here."
        )
    try:
        document, lost = whole_parts(up_to_date(raw), SessionDocument)
    except UNREADABLE as error:
        raise SessionError(f"{name} holds something that cannot be read: {error}. It was not opened.") from error
    if any("\0" in path for path in document.paths):
        raise SessionError(
            f"{name} is damaged: it holds an invalid path of a result folder. It was not opened; open the folder."
        )
    return document, lost


def save_session(path: Path, document: SessionDocument) -> None:
    """Writes the session, paths below the session's own folder relative to it. Raises SessionError."""
    relative = tuple(
        source_path if _is_foreign(source_path) else _relative(Path(source_path), path.parent)
        for source_path in document.paths
    )
    try:
        write_whole(path, encode(msgspec.structs.replace(document, paths=relative)))
    except OSError as error:
        raise SessionError(
            f"{path.name} was not saved: {reason(error)}. What was there before is unchanged; "
            "save it under another name."
        ) from error


def load_session(path: Path, tell: Tell = silent) -> SessionDocument:
    """The session in a file, its paths absolute; `tell` hears what is damaged in it. The file is the user's own: it
    stays as it is. Raises SessionError."""
    try:
        data = option_bytes(path)
    except OSError as error:
        raise SessionError(f"{path.name} cannot be opened: {error.strerror or error}.") from error
    document, lost = decode_parts(data, path.name)
    if lost:
        unchanged = "The file is unchanged: save under another name to keep it."
        tell(f"{path.name} is damaged in part. {left_out(lost)} {unchanged}")
    if elsewhere := [source_path for source_path in document.paths if _is_foreign(source_path)]:
        tell(
            f"{path.name} was saved on another system, with results in {elsewhere[0]}. Open them from here, or save it "
            "there once more beside its results, and bring both."
        )
    # os.path: what cannot be a path on this machine stays as it is written, and is then not there.
    return msgspec.structs.replace(
        _beside(document, true_path(path.parent)),
        paths=tuple(
            source_path if _is_foreign(source_path) else os.path.realpath(path.parent / source_path)
            for source_path in document.paths
        ),
    )


def _beside(document: SessionDocument, folder: Path) -> SessionDocument:
    """The document for results that lie with the session in `folder`, wherever they lay when it was saved: the paths
    of runs and studies in its state and its figures are absolute."""
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
    """The folder in which the session was saved, on whichever system: the part of the study's path before what lies in
    `folder` now. None where the results do not lie with the session."""
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
    """A path of the system that it is written for: one with a drive or a share of Windows, else one with slashes."""
    return PureWindowsPath(path) if _is_of_windows(path) else PurePosixPath(path)


def _is_of_windows(path: str) -> bool:
    return not path.startswith("/") and PureWindowsPath(path).is_absolute()


def _is_foreign(path: str) -> bool:
    """Whether this is an absolute path of another system: below this system's working folder it would be nonsense."""
    return path.startswith("/") if sys.platform == "win32" else _is_of_windows(path)


def _moved(value: Any, earlier: PurePath, now: Path) -> Any:
    """The value with every path below the folder `earlier` below `now`, written as on this system."""
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
    """Relative where the results lie with the session, so that both can be moved together."""
    try:
        return as_written(true_path(path)).relative_to(as_written(true_path(folder))).as_posix() or "."
    except ValueError:
        return os.fspath(path)


def source_files(places: Mapping[str, Path], stamps: Mapping[Path, tuple[int, int]]) -> tuple[SavedSource, ...]:
    """The files at these places as they were when they were read."""
    return tuple(SavedSource(name, *stamps[path]) for name, path in sorted(places.items()) if path in stamps)


def stamps_of(files: Iterable[SavedSource]) -> dict[str, tuple[int, int]]:
    """By the name of each file its size in bytes and its time of change in ns."""
    return {file.name: (file.size, file.mtime_ns) for file in files}


def changed_files(document: SessionDocument, now: tuple[SavedSource, ...]) -> tuple[str, ...]:
    """One sentence for each kind of difference between the files of then and of now, none when all agree."""
    then_by, now_by = ({file.name: file for file in files} for files in (document.files, now))
    gone = sorted(then_by.keys() - now_by.keys())
    new = sorted(now_by.keys() - then_by.keys())
    other = sorted(n for n in then_by.keys() & now_by.keys() if then_by[n] != now_by[n])
    reasons = ((gone, "are gone", "is gone"), (new, "are new", "is new"), (other, "have changed", "has changed"))
    return tuple(
        f"{_names(names)} {many if len(names) > 1 else singular} since the workspace file was saved."
        for names, many, singular in reasons
        if names
    )


def _names(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
