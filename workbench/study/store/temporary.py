"""Files that are still being written, under names that identify their process, and the files left by dead processes.

    .vdiwb-<machine>-<process>-<random>.part        another ending may follow the random part

A folder may be on a share: two machines may have processes with one number, and it is unknown which processes of
another machine still run. Only files with such names are ever swept.
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
# No file takes the program this long to write.
FORGOTTEN_S = 24 * 3600.0


def temporary_beside(path: Path, ending: str = ".part") -> Path:
    """Returns an unused name in the same folder, for a file that will replace `path` in one step."""
    return path.with_name(f".vdiwb-{machine()}-{os.getpid()}-{os.urandom(6).hex()}{ending}")


def own_folder(folder: Path) -> None:
    """Creates a folder that only this user may read, with its parents. An existing folder keeps its rights. The
    program's own folders in the user's cache, settings and data are closed to others. Raises OSError."""
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
    """True if a folder is the program's own, by its path."""
    return any(own == folder or own in folder.parents for own in _own_places())


def _own_places() -> tuple[Path, ...]:
    places = (platformdirs.user_cache_dir, platformdirs.user_config_dir, platformdirs.user_data_dir)
    return tuple(Path(place(_NAME)) for place in places)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields such a name to write to. The written file replaces `path` at the end of the block. If that fails, `path`
    is unchanged, and nothing is left next to it. Raises OSError."""
    temporary = temporary_beside(path)
    with deleted_afterwards(temporary):
        yield temporary
        replace_file(temporary, path)


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Replaces `path` by `data` in one step, after the data is on disk. Only this user can read a `private` file.
    Raises OSError, and Cancelled: `path` is then unchanged."""
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
    """Deletes the files left by ended processes in a folder. Returns the number of files and folders. `killed` are
    processes of this machine that are known to have ended, although the system may still list them."""
    try:
        left = [file for file in folder.glob(".vdiwb-*") if _abandoned(file, killed)]
    except OSError:
        return 0
    return sum(try_to_delete(file) for file in left)


def machine() -> str:
    """Returns eight digits for this machine. Machines with one name differ in the identifier that the system has for
    them, containers in the processes that they see."""
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
    # Windows does not delete an open file, but a signal to test if a process lives would end it.
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
