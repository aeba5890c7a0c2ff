"""Paths that a system opens only in a certain form: long Windows paths, and drives that it cannot resolve."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Prefix of a long path. Without this prefix, Windows opens no file with more than 259 characters in its path and no
# folder with more than 247. An administrator can allow longer paths:
# https://learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation
_ANY_LENGTH = "\\\\?\\"
_SHARE = "UNC\\"
_LONGEST = 247
# The name of a temporary file may be longer than the file name by this many characters.
BESIDE = 60


def openable(path: Path, more: int = 0) -> Path:
    """The path, or the long-path form if it is too long for Windows. `more` is the number of characters to be added
    later."""
    return of_any_length(path) if is_too_long(path, more) else path


def is_too_long(path: Path, more: int = 0) -> bool:
    """True if Windows may reject the path for its length, with `more` further characters. Always False on other
    systems."""
    return _on_windows() and not _is_ready(path) and len(_full(path)) + more > _LONGEST


def of_any_length(path: Path) -> Path:
    """The path in the long-path form on Windows; the unchanged path on other systems."""
    if not _on_windows() or _is_ready(path):
        return path
    full = _full(path)
    on_share = full.startswith("\\\\")
    return Path(_ANY_LENGTH + (_SHARE + full.removeprefix("\\\\") if on_share else full))


def as_written(path: Path) -> Path:
    """The path as people write it, without the long-path prefix."""
    text = str(path)
    if not text.startswith(_ANY_LENGTH):
        return path
    plain = text.removeprefix(_ANY_LENGTH)
    return Path("\\\\" + plain.removeprefix(_SHARE) if plain.startswith(_SHARE) else plain)


def true_path(path: Path) -> Path:
    """The path without links. For some drives and long paths Windows cannot resolve links; then the absolute path."""
    try:
        return path.resolve()
    except OSError:
        return path.absolute()


def place_to_write(path: Path) -> Path:
    """The path to write a file to. Links are followed, so they stay links, and the name leaves room for a temporary
    file."""
    return openable(true_path(openable(path)), BESIDE)


def _on_windows() -> bool:
    return sys.platform == "win32"


def _full(path: Path) -> str:
    """The path from the drive on and without `..`, because Windows accepts nothing else after the long-path prefix."""
    return os.path.normpath(path.absolute())


def _is_ready(path: Path) -> bool:
    return str(path).startswith((_ANY_LENGTH, "\\\\.\\"))
