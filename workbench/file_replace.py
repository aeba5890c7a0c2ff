"""The only place that replaces and deletes files.

On Windows a virus scanner, a backup or another window may hold a file open for a moment, and an open file cannot be
replaced or deleted. So the operation is repeated for a while.
"""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import local
from traceback import clear_frames

from workbench.cancellation import stop_if_cancelled

# The time that a file may stay open in another program before the operation fails.
PATIENCE_S = 2.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.2
# Windows: access denied, sharing violation, lock violation, open as a mapped section.
_DENIED = 5
_HELD = frozenset((_DENIED, 32, 33, 1224))
_THREAD = local()


def wait_at_most(seconds: float) -> None:
    """Limit how long this thread waits for a file, because the GUI thread must not block."""
    _THREAD.patience_s = seconds


def replace_file(source: Path, target: Path) -> None:
    """Replace `target` by `source` in one step. Raises OSError if it stays impossible or `target` is a device or a
    pipe, and Cancelled. Both files are then unchanged."""
    if target.exists() and not (target.is_file() or target.is_dir()):
        # A superuser would replace /dev/null by a file, for every program on the machine.
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file", str(target))
    _patiently(lambda: source.replace(target), target, stop_if_cancelled)


def delete_file(path: Path) -> None:
    """Delete a file if it exists. Raises OSError if it stays impossible."""
    _patiently(lambda: path.unlink(missing_ok=True), path)


@contextmanager
def deleted_afterwards(path: Path) -> Iterator[None]:
    """Delete a temporary file at the end of the block, however the block ends. If it stays open, a later cleanup
    deletes it; this never hides the exception of the block."""
    try:
        yield
    except BaseException as error:
        # The frames of the failed functions still hold the data that they have read, and Windows cannot delete a mapped
        # file.
        clear_frames(error.__traceback__)
        raise
    finally:
        with suppress(OSError):
            delete_file(path)


def try_to_delete(path: Path) -> bool:
    """Delete a file, or a folder with its contents, at the first try. False if something remains because it is open.
    Use it for files that a later cleanup finds again."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
            return not path.exists()
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def held_open(error: OSError) -> bool:
    """True if Windows refused because some program has the file open (or, rarely, because of permissions)."""
    return getattr(error, "winerror", None) in _HELD


def reason(error: OSError) -> str:
    """The reason why a file could not be written, replaced or deleted, as the middle of a sentence."""
    if not held_open(error):
        return error.strerror or str(error)
    # The message of Windows would be in the system language.
    sure = getattr(error, "winerror", None) != _DENIED
    return "it is open in another program" + ("" if sure else ", or you may not write there")


def _patiently(work: Callable[[], object], path: Path, between: Callable[[], None] = lambda: None) -> None:
    end = time.monotonic() + getattr(_THREAD, "patience_s", PATIENCE_S)
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            work()
            return
        except OSError as error:
            # Windows reports this for folders too, but waiting does not help there.
            if not held_open(error) or time.monotonic() >= end or path.is_dir():
                raise
        between()
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
