"""Checks the user's folders. Everything here may take long, or forever if a network share does not respond. Call it on
a thread (`Tasks.look`), never on the window's thread.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic

import msgspec
from PySide6.QtCore import QLockFile

from workbench.answers.common.library import Library
from workbench.model.problem import failures
from workbench.session import bundle, document
from workbench.session.document import SessionDocument, SessionError
from workbench.windows_paths import openable, true_path

ENDINGS = (document.ENDING, bundle.ENDING)
# Seconds in which all recent folders together must respond.
_RECENT_S = 0.8


@dataclass(frozen=True, eq=False)
class Brought:
    """The existing folders of a workspace, True if they are one bundle, and the lock on its file or who has it."""

    present: tuple[Path, ...]
    bundle: bool
    lock: QLockFile | str | None


@dataclass(frozen=True, slots=True)
class Places:
    """The type of given paths: True if they are one workspace file or bundle and not results, True if any of them
    exists, and the paths without links."""

    given: tuple[Path, ...]
    session: bool
    present: bool
    paths: tuple[Path, ...]


def places_of(paths: Sequence[Path]) -> Places:
    """Checks the folders. Do not call it on the window's thread."""
    paths = list(map(openable, paths))
    session = takes(paths)
    present = any(os.path.lexists(path) for path in paths)
    return Places(tuple(paths), session, present, tuple(map(true_path, paths)))


def assumed(paths: Sequence[Path]) -> Places:
    """Like `places_of`, but only from the names, for shares that do not respond."""
    session = len(paths) == 1 and paths[0].suffix.lower() in ENDINGS
    return Places(tuple(paths), session, True, tuple(path.absolute() for path in paths))


def existing(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths that exist, in their order. A path that does not respond in time counts as missing."""
    present: set[str] = set()

    def look(path: str) -> None:
        # os.path returns False for a path that is too long or in a closed folder; pathlib raises.
        if os.path.exists(path):  # noqa: PTH110
            present.add(path)

    # One thread per path: a blocked one does not block the others.
    threads = [Thread(target=look, args=(path,), daemon=True) for path in paths]
    for thread in threads:
        thread.start()
    give_up = monotonic() + _RECENT_S
    for thread in threads:
        thread.join(max(0.0, give_up - monotonic()))
    return tuple(path for path in paths if path in present)


def takes(paths: Sequence[Path]) -> bool:
    """True if these paths are one workspace file or bundle, and not results."""
    return len(paths) == 1 and paths[0].suffix.lower() in ENDINGS and paths[0].is_file()


def answers(folder: Path) -> bool:
    """True if a folder exists."""
    return os.path.isdir(folder)  # noqa: PTH112


def locked(path: Path, held: QLockFile | None) -> QLockFile | str:
    """A lock on a workspace file, or who has it if another window does. Neither if its folder is missing; saving there
    reports that."""
    if held is not None:
        return held
    lock = QLockFile(f"{path}.lock")
    if not answers(path.parent):
        return lock
    lock.setStaleLockTime(0)
    if lock.tryLock(0):
        return lock
    _pid, host, program = lock.getLockInfo()
    return f" ({program} on {host})" if host else ""


def with_figures(kept: SessionDocument, library: Library | None) -> SessionDocument:
    """A workspace with its known values. Without them if they are being computed (None) or cannot be stated, because
    the user must still be able to save."""
    # The window starts without the code that computes answers.
    from workbench.answers.changes.compute import known_figures

    if library is None:
        return kept
    try:
        return msgspec.structs.replace(kept, figures=known_figures(library, kept.state))
    except failures():
        return kept


def written(path: Path, kept: SessionDocument, held: QLockFile | None) -> tuple[SessionDocument, QLockFile | str]:
    """Saves a workspace. Returns the saved document, and the lock on its file or who else has it. Raises
    SessionError.
    """
    lock = locked(path, held)
    if isinstance(lock, str):
        return kept, lock
    try:
        document.save_session(path, kept)
    except SessionError:
        if lock is not held:
            lock.unlock()
        raise
    return kept, lock


def brought(loaded: SessionDocument, file: Path | None, held: QLockFile | None) -> Brought:
    """The existing folders of the workspace in `file`."""
    # os.path returns False for a path that is too long; pathlib raises.
    present = tuple(Path(path) for path in loaded.paths if os.path.exists(path))  # noqa: PTH110
    lock = locked(file, held) if present and file is not None else None
    return Brought(present, takes(present), lock)


def still_there(loaded: bundle.Bundle) -> tuple[bundle.BundledFile, ...]:
    """The source files that are still in the same place on this computer as when the bundle was made."""
    roots = [Path(path) for path in loaded.document.paths]
    places: dict[str, Path] = {}
    for source in loaded.sources:
        for root in roots:
            # os.path, because pathlib raises for a name that is too long.
            target = root / source.name if os.path.isdir(root) else root  # noqa: PTH112
            if os.path.isfile(target):  # noqa: PTH113
                places[source.name] = target
    return bundle.sources_of(places)
