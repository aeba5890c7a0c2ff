"""Private temporary files inside the store's folder, for data that must be seekable while it is read.

    <root>/v1/spool/<machine>-<random>.owner                 one for each process that has files here
    <root>/v1/spool/<machine>-<random>-<random>.part         its files

A process keeps its `.owner` locked as long as it has files. The system releases the lock when the process ends, however
it ends. Files of ended processes are deleted when the next import starts, and when this one ends. Files of a running
process are kept at any age. All names are in lower case.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, local

from workbench.file_replace import delete_file, try_to_delete
from workbench.study.store.column_store import Store
from workbench.study.store.temporary import machine

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Other machines may not see a lock (a store on a share), and some shares have none: there the age since the last file
# of a process decides.
KEEP_S = 24 * 3600.0
_ENDING, _OWNER = ".part", ".owner"
# Threads of a process make and delete files concurrently.
_TURN = Lock()


@dataclass(eq=False, slots=True)
class _Owner:
    """The locked file of this process in a spool, its handle, and the files that belong to it."""

    path: Path
    handle: int
    files: set[Path] = field(default_factory=set)
    # Files that Windows could not delete yet, because they were still open.
    left: set[Path] = field(default_factory=set)


# By spool and process: a forked process has its own.
_OWNERS: dict[tuple[Path, int], _Owner] = {}
# Files that this thread has made within `kept_if_all_goes_well`.
_MADE = local()


def new_file(store: Store) -> Path:
    """Returns an empty file with a random name that only this user can read."""
    folder = _folder(store)
    folder.mkdir(parents=True, exist_ok=True)
    with _TURN:
        owner = _own(folder)
        handle, name = tempfile.mkstemp(_ENDING, f"{owner.path.stem}-", folder)
        os.close(handle)
        owner.files.add(Path(name))
    getattr(_MADE, "files", []).append(Path(name))
    return Path(name)


@contextmanager
def kept_if_all_goes_well() -> Iterator[None]:
    """Deletes the files that this thread has made within the block if the block ends with an exception."""
    files: list[Path] = []
    _MADE.files = files
    try:
        yield
    except BaseException:
        for file in files:
            remove(file)
        raise
    finally:
        del _MADE.files


@contextmanager
def temporary_file(store: Store) -> Iterator[Path]:
    """Yields an empty private file, deleted at the end of the block."""
    path = new_file(store)
    try:
        yield path
    finally:
        remove(path)


@contextmanager
def link_to(path: Path, store: Store) -> Iterator[Path]:
    """Yields a link to a file under a name of plain letters, deleted at the end of the block."""
    link = new_file(store)
    try:
        delete_file(link)
        link.symlink_to(path.absolute())
        yield link
    finally:
        remove(link)


def remove(path: Path) -> None:
    """Deletes a file of the spool. If it is still open on Windows, it is deleted with the next file of this process, or
    by the next sweep."""
    with _TURN:
        owner = _OWNERS.get((path.parent, os.getpid()))
        if owner is None:
            try_to_delete(path)
            return
        owner.left.add(path)
        if not _delete_left(owner):
            # Windows does not delete a mapped file: unused frames and reference cycles may still hold one.
            gc.collect()
            _delete_left(owner)


def _delete_left(owner: _Owner) -> bool:
    """Deletes the remaining files of this process, and its owner with the last file. Returns True if nothing is
    left."""
    gone = {path for path in owner.left if try_to_delete(path)}
    owner.left -= gone
    owner.files -= gone
    if not owner.files:
        _release(_OWNERS.pop((owner.path.parent, os.getpid())))
    return not owner.left


def sweep(store: Store, keep_s: float = KEEP_S) -> int:
    """Deletes the files of ended processes, and those that this one could not delete before. Returns the number of
    deleted files of others."""
    folder = _folder(store)
    with _TURN:
        own = _OWNERS.get((folder, os.getpid()))
        if own is not None and own.left:
            _delete_left(own)
    deleted = sum(_swept(owner, keep_s) for owner in folder.glob(f"*{_OWNER}"))
    for file in folder.glob(f"*{_ENDING}"):
        # The process of a file without an owner is unknown.
        if not file.with_name(f"{file.stem.rpartition('-')[0]}{_OWNER}").exists() and _age(file) > keep_s:
            deleted += try_to_delete(file)
    return deleted


def _swept(path: Path, keep_s: float) -> int:
    """Deletes the owner of an ended process with its files. Returns the number of files."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:  # deleted meanwhile, or owned by another user
        return 0
    deleted, dead = 0, False
    try:
        locked = _lock(handle)
        sure = locked is True and path.name.startswith(machine())
        dead = sure or (locked is not False and _age(path) > keep_s)
        if dead:
            deleted = sum(try_to_delete(file) for file in path.parent.glob(f"{path.stem}-*{_ENDING}"))
            try_to_delete(path)  # while locked: a new owner file looks dead until its process locks it
    finally:
        os.close(handle)
    if dead:
        try_to_delete(path)  # Windows deletes no open file
    return deleted


def _own(folder: Path) -> _Owner:
    """Returns this process' owner in a spool, created if there is none; a user may have emptied the folder
    meanwhile."""
    key = (folder, os.getpid())
    owner = _OWNERS.get(key)
    if owner is not None and not owner.path.exists():
        os.close(owner.handle)
        owner = None
    if owner is None:
        owner = _OWNERS[key] = _new_owner(folder)
    with suppress(OSError):
        os.utime(owner.path)
    return owner


def _new_owner(folder: Path) -> _Owner:
    while True:
        handle, name = tempfile.mkstemp(_OWNER, f"{machine()}-", folder)
        # A sweep may have deleted the file before it was locked.
        if _lock(handle) is not False and Path(name).exists():
            return _Owner(Path(name), handle)
        os.close(handle)


def _release(owner: _Owner) -> None:
    try_to_delete(owner.path)
    # Unlocks a file that is closed next: Windows releases a lock some time after closing.
    if sys.platform == "win32":
        with suppress(OSError):
            msvcrt.locking(owner.handle, msvcrt.LK_UNLCK, 1)
    os.close(owner.handle)
    try_to_delete(owner.path)


def _folder(store: Store) -> Path:
    return store.root / "v1" / "spool"


def _lock(handle: int) -> bool | None:
    """Locks a file until it is closed. Returns False if another process has locked it, None if locking is not
    possible."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return None
    return True


def _age(file: Path) -> float:
    """Returns seconds since a file was made, written or renamed. A modification time that was set explicitly does not
    count."""
    try:
        status = file.lstat()
    except OSError:
        return 0.0
    return time.time() - max(status.st_mtime, status.st_ctime)
