"""Private temporary files inside the store's folder: for what has to be seekable while it is read.

    <root>/v1/spool/<machine>-<process>-<random>.part

A file here belongs to the process whose number it bears and is deleted as soon as it has been read. What a
killed process has left behind is deleted when the next import starts, and when this one ends.
"""

from __future__ import annotations

import os
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from platform import node

from workbench.study.column_store import Store

# A file of another machine (a store on a share), or one whose process number is in use again, goes by age.
KEEP_S = 24 * 3600.0
_ENDING = ".part"


def new_file(store: Store) -> Path:
    """An empty file of a random name that only this user can read."""
    folder = _folder(store)
    folder.mkdir(parents=True, exist_ok=True)
    handle, path = tempfile.mkstemp(_ENDING, f"{_machine()}-{os.getpid()}-", folder)
    os.close(handle)
    return Path(path)


@contextmanager
def temporary_file(store: Store) -> Iterator[Path]:
    """Such a file, deleted at the end of the block."""
    path = new_file(store)
    try:
        yield path
    finally:
        remove(path)


@contextmanager
def link_to(path: Path, store: Store) -> Iterator[Path]:
    """A link to a file under a name of plain letters, deleted at the end of the block."""
    link = new_file(store)
    try:
        link.unlink()
        link.symlink_to(path.absolute())
        yield link
    finally:
        remove(link)


def remove(path: Path) -> None:
    """Deletes a file of the spool; one that is still open on Windows waits for the next sweep."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sweep(store: Store, keep_s: float = KEEP_S) -> int:
    """Deletes what processes that are no more have left behind; returns the number of files deleted."""
    deleted = 0
    for file in _folder(store).glob(f"*{_ENDING}"):
        try:
            if _in_use(file.name) and file.stat().st_mtime > time.time() - keep_s:
                continue
            file.unlink()
        except OSError:  # open elsewhere, or another window was faster
            continue
        deleted += 1
    return deleted


def _folder(store: Store) -> Path:
    return store.root / "v1" / "spool"


def _machine() -> str:
    return f"{zlib.crc32(node().encode()):08x}"


def _in_use(name: str) -> bool:
    machine, process, _ = name.split("-", 2) if name.count("-") >= 2 else ("", "", "")
    if machine != _machine() or not process.isdigit():
        return True
    return _lives(int(process))


def _lives(process: int) -> bool:
    """Whether a process of this number runs. Windows keeps open files from being deleted by itself, and
    there `os.kill` would end the process."""
    if process == os.getpid():
        return True
    if os.name == "nt":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
