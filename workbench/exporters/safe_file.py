"""Writes a file in a way that a failure leaves the earlier file unchanged.

The new file is written next to its target under a temporary name. It is opened again and checked, and only then
replaces the target in one step. The temporary name contains the process that writes it: the next export into that
folder deletes the files that a killed process left there.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from workbench.file_replace import delete_file, held_open, replace_file
from workbench.model.problem import failures
from workbench.study.store.columns import ColumnsError
from workbench.study.store.temporary import sweep, temporary_beside
from workbench.windows_paths import place_to_write

# Windows has no separate error for quotas.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class ExportError(ValueError):
    """An export failed; the message is a sentence for the user."""


class EmptyExportError(ExportError):
    """An export failed because the results have nothing to write."""


def write_safely(target: Path, write: Callable[[Path], None], check: Callable[[Path], None]) -> None:
    """Write a file with `write`, check it with `check` (raises if it is incomplete), then replace `target`. Raises
    `ExportError`, or `ColumnsError` if the store lost data that was to be written; the earlier file is then unchanged.
    """
    path = _place(target)
    sweep(path.parent)
    temporary = temporary_beside(path, path.suffix)
    try:
        write(temporary)
        _to_disk(temporary)
        check(temporary)
        replace_file(temporary, path)
    except OSError as error:
        raise ExportError(_why_not(path, error)) from error
    except (ExportError, ColumnsError):
        # These messages are already sentences for the user.
        raise
    except failures() as error:
        raise ExportError(f"{path.name} was not written: {type(error).__name__}: {error}.{_kept(path)}") from error
    finally:
        with contextlib.suppress(OSError):
            delete_file(temporary)


def _place(target: Path) -> Path:
    """The path to write to. Raises ExportError for a path that can never be written."""
    path = place_to_write(target)
    if path.is_dir():
        raise ExportError(f"{target} is a folder. Give a file name, for example {target / 'findings.xlsx'}.")
    if not path.parent.is_dir():
        raise ExportError(f"The folder {path.parent} does not exist. Create the folder first, or choose another place.")
    if path.exists() and not os.access(path, os.W_OK):
        raise ExportError(f"{path.name} is read-only, so it was not changed. Choose another name.")
    return path


def _to_disk(path: Path) -> None:
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _why_not(path: Path, error: OSError) -> str:
    if isinstance(error, PermissionError) or held_open(error):
        reason = "it is open in another program, or its folder is read-only"
        advice = "Close the file there, or choose another name"
    else:
        reason = error.strerror or str(error)
        advice = "Free some space or choose another place" if error.errno in _FULL else "Choose another place"
    return f"{path.name} was not written: {reason}.{_kept(path)} {advice}."


def _kept(path: Path) -> str:
    return " The earlier file is unchanged." if path.exists() else ""


# The middle of the message on a part that was not written, and the beginning of the reason if it failed.
LEFT_OUT, FAILED = " is omitted. ", "It could not be "
# The end of the sentence on omissions in a shorter document. The surface that offers lengths adds how to choose one.
NO_ROOM = "omitted at this document length."
NEXT = "Everything else was exported. Export again. If the export fails again, report this message."
T = TypeVar("T")


def alone(name: str, make: Callable[[], T], failed: Callable[[str], T]) -> T:
    """The result of `make`, or of `failed` with the error message. Raises errors of the whole file: a full disk,
    columns that the store has lost, a request that cannot be met."""
    try:
        return make()
    except (OSError, MemoryError, ExportError, ColumnsError):
        raise
    except failures() as error:
        return failed(failure_words(name, "written", error))


def failure_words(name: str, what: str, error: BaseException) -> str:
    """The sentence on a failure: `Cache is omitted. It could not be computed (ValueError: …). …`. Without a name it
    starts with `It`.
    """
    words = f"{FAILED}{what} ({type(error).__name__}: {error}). {NEXT}"
    return f"{name}{LEFT_OUT}{words}" if name else words
