"""Files are replaced and deleted here and nowhere else: on Windows a virus scanner, a backup or another window may hold
one open for a moment, and Windows replaces and deletes no file that is open. So it is tried again for a while.
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

# So long a file may stay open elsewhere before it is given up.
PATIENCE_S = 2.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.2
# Windows: access denied, sharing violation, lock violation, open as a mapped section.
_DENIED = 5
_HELD = frozenset((_DENIED, 32, 33, 1224))
_THREAD = local()


def wait_at_most(seconds: float) -> None:
    """From now on this thread waits no longer for a file: the window's own thread must not stand still."""
    _THREAD.patience_s = seconds


def replace_file(source: Path, target: Path) -> None:
    """Puts `source` in the place of `target` in one step. Raises OSError where that stays impossible or `target` is a
    device or a pipe, and Cancelled: both files are then as they were."""
    if target.exists() and not (target.is_file() or target.is_dir()):
        # The superuser would put a file in the place of /dev/null, for every program of the machine.
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file", str(target))
    _patiently(lambda: source.replace(target), target, stop_if_cancelled)


def delete_file(path: Path) -> None:
    """Deletes a file that may be gone already. Raises OSError where that stays impossible."""
    _patiently(lambda: path.unlink(missing_ok=True), path)


@contextmanager
def deleted_afterwards(path: Path) -> Iterator[None]:
    """Deletes a temporary file at the end of the block, however that ends; one that stays open is left to a later
    sweep, and never hides why the block ended."""
    try:
        yield
    except BaseException as error:
        # The functions that failed still hold what they have read, and Windows deletes nothing that is mapped.
        clear_frames(error.__traceback__)
        raise
    finally:
        with suppress(OSError):
            delete_file(path)


def try_to_delete(path: Path) -> bool:
    """Deletes a file, or a folder with all in it, at the first try; False where some of it is left, as it is open.
    For what a later sweep finds again."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
            return not path.exists()
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def held_open(error: OSError) -> bool:
    """Whether Windows refused because some program has the file open (or, rarely, because of rights)."""
    return getattr(error, "winerror", None) in _HELD


def reason(error: OSError) -> str:
    """Why a file could not be written, replaced or deleted, as the middle of a sentence."""
    if not held_open(error):
        return error.strerror or str(error)
    # Windows would say it in its own language.
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
            # Windows says the same of a folder, which stays one.
            if not held_open(error) or time.monotonic() >= end or path.is_dir():
                raise
        between()
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
