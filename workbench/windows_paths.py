"""Paths that a system opens only in a certain form: long ones of Windows, and drives that it cannot resolve."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# What a path of any length begins with; without it Windows opens no file whose path has more than 259 characters and no
# folder beyond 247, unless an administrator has allowed it:
# https://learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation
_ANY_LENGTH = "\\\\?\\"
_SHARE = "UNC\\"
_LONGEST = 247
# How much longer than a file's name the name of its temporary file may be.
BESIDE = 60


def openable(path: Path, more: int = 0) -> Path:
    """The path itself, or, where it is too long for Windows, the form in which Windows opens it. `more` characters are
    to be added to it later."""
    return of_any_length(path) if is_too_long(path, more) else path


def is_too_long(path: Path, more: int = 0) -> bool:
    """Whether Windows may refuse the path for its length, with `more` characters behind it; never on other systems."""
    return _on_windows() and not _is_ready(path) and len(_full(path)) + more > _LONGEST


def of_any_length(path: Path) -> Path:
    """The path in the form that Windows opens at any length; on other systems the path itself."""
    if not _on_windows() or _is_ready(path):
        return path
    full = _full(path)
    on_share = full.startswith("\\\\")
    return Path(_ANY_LENGTH + (_SHARE + full.removeprefix("\\\\") if on_share else full))


def as_written(path: Path) -> Path:
    """The path as people write it, without the beginning of long ones."""
    text = str(path)
    if not text.startswith(_ANY_LENGTH):
        return path
    plain = text.removeprefix(_ANY_LENGTH)
    return Path("\\\\" + plain.removeprefix(_SHARE) if plain.startswith(_SHARE) else plain)


def true_path(path: Path) -> Path:
    """The path without links. Some drives and long paths of Windows cannot be asked for it: the absolute path then."""
    try:
        return path.resolve()
    except OSError:
        return path.absolute()


def place_to_write(path: Path) -> Path:
    """Where a file is written: behind links, so that a link stays one, with room for a temporary file beside it."""
    return openable(true_path(openable(path)), BESIDE)


def _on_windows() -> bool:
    return sys.platform == "win32"


def _full(path: Path) -> str:
    """From the drive on and without `..`: Windows takes nothing else behind the beginning of long paths."""
    return os.path.normpath(path.absolute())


def _is_ready(path: Path) -> bool:
    return str(path).startswith((_ANY_LENGTH, "\\\\.\\"))
