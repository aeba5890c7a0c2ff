"""Writing a file so that a failure leaves the earlier file as it was.

The new file is written next to its target under a name of its own, reopened and checked, and only then takes
the target's place in one step. Its name says which process writes it: what a killed one left behind goes with
the next export into that folder.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
import time
import uuid
import zlib
from collections.abc import Callable
from pathlib import Path

from workbench.model.failure import failures
from workbench.study.store.columns import ColumnsError

_LEFT_OVER = re.compile(r"\.vdiwb-(?P<machine>[0-9a-f]{8})-(?P<process>\d+)-[0-9a-f]{12}(\.\w+)?")
# Whether a process of another machine still writes cannot be asked; no export takes this long.
_FORGOTTEN_S = 24 * 3600.0


class ExportError(ValueError):
    """An export that was not made; the message is a sentence for the user."""


def write_safely(target: Path, write: Callable[[Path], None], check: Callable[[Path], None]) -> None:
    """Lets `write` make a file, lets `check` reopen it (it raises when the file is not whole), then puts it
    in the place of `target`. Raises `ExportError`, or `ColumnsError` where the store has lost what was to be written;
    the file that stood there before is then unchanged."""
    path = _place(target)
    sweep(path.parent)
    temporary = path.with_name(f".vdiwb-{_machine()}-{os.getpid()}-{uuid.uuid4().hex[:12]}{path.suffix}")
    try:
        write(temporary)
        _to_disk(temporary)
        check(temporary)
        temporary.replace(path)
    except OSError as error:
        raise ExportError(_why_not(path, error)) from error
    except (ExportError, ColumnsError):
        # Sentences for the user already.
        raise
    except failures() as error:
        raise ExportError(f"{path.name} was not written: {type(error).__name__}: {error}.{_kept(path)}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Deletes what exports that were killed have left in the folder."""
    with contextlib.suppress(OSError):
        for file in folder.glob(".vdiwb-*"):
            if _abandoned(file):
                file.unlink(missing_ok=True)


def _abandoned(file: Path) -> bool:
    match = _LEFT_OVER.fullmatch(file.name)
    if match is None:
        return False
    if match["machine"] == _machine() and sys.platform != "win32":
        return not _alive(int(match["process"]))
    # Windows deletes no file that is open, but a signal to ask a process whether it lives would end it.
    return time.time() - file.stat().st_mtime > _FORGOTTEN_S


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _place(target: Path) -> Path:
    """The file behind a link, so that the link stays one; refuses what can never be written."""
    path = target.resolve()
    if path.is_dir():
        raise ExportError(f"{target} is a folder. Give a file name, for example {target / 'findings.xlsx'}.")
    if not path.parent.is_dir():
        raise ExportError(f"The folder {path.parent} does not exist. Make it first, or choose another place.")
    if path.exists() and not os.access(path, os.W_OK):
        raise ExportError(f"{path.name} is read-only and was left as it is. Choose another name.")
    return path


def _to_disk(path: Path) -> None:
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _why_not(path: Path, error: OSError) -> str:
    if isinstance(error, PermissionError):
        reason = "it is open in another program, or its folder is read-only"
        advice = "Close it there, or choose another name"
    else:
        reason, advice = error.strerror or str(error), "Free some space or choose another place"
    return f"{path.name} was not written: {reason}.{_kept(path)} {advice}."


def _kept(path: Path) -> str:
    return " The earlier file is unchanged." if path.exists() else ""
