"""Small files that a user names or keeps next to results: read whole, and only if they are regular files."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from stat import S_ISREG

# Workspace files, templates and saved replies are all smaller.
MOST_BYTES = 256 << 20


def check_option_file(path: Path, most: int = MOST_BYTES) -> None:
    """Raises OSError for a device, a pipe or a folder, and for more than `most` bytes. Its `strerror` is part of a
    sentence."""
    _check(path, path.stat(), most)


def option_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of the file. Raises OSError like `check_option_file`; never waits for a pipe."""
    check_option_file(path, most)
    # Opened without waiting, because the file may have become a pipe since the check.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as stream:
        status = os.fstat(stream.fileno())
        _check(path, status, most)
        content = stream.read(most + 1)
    if len(content) > most:
        raise _too_large(path, most)
    return content


def _check(path: Path, status: os.stat_result, most: int) -> None:
    if not S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device, a pipe or a folder", str(path))
    if status.st_size > most:
        raise _too_large(path, most)


def _too_large(path: Path, most: int) -> OSError:
    size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} KB"
    return OSError(errno.EFBIG, f"it is larger than {size}", str(path))
