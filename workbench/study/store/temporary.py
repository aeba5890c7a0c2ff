"""Files that are still being written, under names that say whose they are, and what is left of dead processes.

    .vdiwb-<machine>-<process>-<random>.part        what follows the random part may be another ending

A folder may lie on a share: two machines have processes of one number, and which of another machine's processes still
live cannot be asked. Nothing but files of such names is ever swept.
"""

from __future__ import annotations

import os
import re
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from platform import node
from stat import S_ISDIR

import platformdirs

from workbench.cancellation import stop_if_cancelled
from workbench.file_replace import deleted_afterwards, replace_file, try_to_delete
from workbench.windows_paths import BESIDE, openable

_OURS = re.compile(r"\.vdiwb-(?P<machine>[0-9a-f]{8})-(?P<process>\d+)-[0-9a-f]{12}(\..*)?")
_NAME = "vdi-workbench"
_PRIVATE_FOLDER, _PRIVATE_FILE, _ANY_FILE = 0o700, 0o600, 0o666
# Nothing of ours takes this long to write.
FORGOTTEN_S = 24 * 3600.0


def temporary_beside(path: Path, ending: str = ".part") -> Path:
    """A name in the same folder that no other file has, for what is to take the place of `path` in one step."""
    return path.with_name(f".vdiwb-{machine()}-{os.getpid()}-{os.urandom(6).hex()}{ending}")


def own_folder(folder: Path) -> None:
    """Makes a folder that this user alone may read, with those above it. A folder that is there keeps its rights. The
    program's own in the user's cache, settings and data are closed to others. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    if sys.platform == "win32":
        return  # A folder there has the rights of the user's profile.
    for own in _own_places():
        if own == folder or own in folder.parents:
            with suppress(OSError):
                status = own.lstat()
                if status.st_mode & 0o077 and S_ISDIR(status.st_mode) and status.st_uid == os.getuid():
                    own.chmod(_PRIVATE_FOLDER)


def is_own(folder: Path) -> bool:
    """Whether a folder is the program's own, by its place."""
    return any(own == folder or own in folder.parents for own in _own_places())


def _own_places() -> tuple[Path, ...]:
    places = (platformdirs.user_cache_dir, platformdirs.user_config_dir, platformdirs.user_data_dir)
    return tuple(Path(place(_NAME)) for place in places)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Such a name to write to; what was written takes the place of `path` at the end of the block, unless that fails:
    `path` is then as it was, and nothing is left beside it. Raises OSError."""
    temporary = temporary_beside(path)
    with deleted_afterwards(temporary):
        yield temporary
        replace_file(temporary, path)


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Puts `data` in the place of `path` in one step, on the disk before it counts; a `private` file can be read by
    this user alone. Raises OSError, and Cancelled: `path` is then as it was."""
    path = openable(path, BESIDE)
    own_folder(path.parent)
    sweep(path.parent)
    mode = _PRIVATE_FILE if private else _ANY_FILE
    with (
        replacing(path) as temporary,
        open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as stream,
    ):
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
        stop_if_cancelled()


def sweep(folder: Path, killed: frozenset[int] = frozenset()) -> int:
    """Deletes what processes that are no more have left in a folder; returns the number of files and folders. `killed`
    are processes of this machine that are known to be no more, though the system may still list them."""
    try:
        left = [file for file in folder.glob(".vdiwb-*") if _abandoned(file, killed)]
    except OSError:
        return 0
    return sum(try_to_delete(file) for file in left)


def machine() -> str:
    """Eight digits for this machine. Machines of one name differ in what the system knows them by, containers in whose
    processes they see."""
    return f"{zlib.crc32(f'{node()}{_known_by()}'.encode()):08x}"


@cache
def _known_by() -> str:
    known_by = ""
    with suppress(OSError):
        known_by += Path("/etc/machine-id").read_text(errors="replace")
    with suppress(OSError):
        known_by += str(Path("/proc/self/ns/pid").readlink())
    return known_by


def _abandoned(file: Path, killed: frozenset[int]) -> bool:
    name = _OURS.fullmatch(file.name)
    if name is None:
        return False
    if name["machine"] == machine() and int(name["process"]) in killed:
        return True
    if name["machine"] == machine() and sys.platform != "win32":
        return not _alive(int(name["process"]))
    # Windows deletes no file that is open, but a signal to ask a process whether it lives would end it.
    try:
        return time.time() - file.lstat().st_mtime > FORGOTTEN_S
    except OSError:
        return False


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
