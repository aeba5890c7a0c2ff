"""Opens a zip archive of unknown origin. Its directory is checked before Python's zipfile reads it, and decides which
members may be read.
"""

from __future__ import annotations

import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The directory of an archive is held in memory as a whole.
MAX_DIRECTORY_BYTES = 64 * 2**20


class RefusedError(Exception):
    """An archive that is refused as a whole."""

    def __init__(self, code: str, message: str, action: str = "archive not imported") -> None:
        super().__init__(message)
        self.code, self.message, self.action = code, message, action


def too_many(limit: int) -> RefusedError:
    """Returns the refusal of an archive with more members than this."""
    return RefusedError(
        "archive-members",
        f"The archive contains more than {limit:,} files.",
        "archive not imported; unpack it and open the unpacked folder",
    )


def too_large(limit: int) -> RefusedError:
    """Returns the refusal of an archive that would contain more bytes than this."""
    return RefusedError(
        "archive-too-large",
        f"The archive would take up more than {limit / 1e9:,.0f} GB when unpacked.",
        "archive not imported; unpack the files that you need, and open their folder",
    )


def swelling() -> RefusedError:
    """Returns the refusal of an archive that unpacks to far more bytes than its size."""
    return RefusedError(
        "archive-ratio",
        f"The archive would grow to more than {MAX_RATIO} times its size when unpacked, like a zip bomb.",
        "archive not imported; if you trust it, unpack it and open the unpacked folder",
    )


# Exceptions that a damaged, encrypted or unsupported member or directory raises while it is read: `zipfile` uses
# positions, sizes and names from the archive without checking them. NotImplementedError is a RuntimeError.
DAMAGE = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    AssertionError,
    MemoryError,
    OSError,
)


@contextmanager
def opened_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Yields the archive, open for reading. Raises RefusedError if its directory is damaged or too large."""
    size = _directory_size(path)
    if size is None:
        raise RefusedError(
            "archive-unreadable",
            "The zip archive has no file index at its end: it is cut off or not an archive.",
            "archive not imported; copy or pack it again",
        )
    if size > MAX_DIRECTORY_BYTES:
        raise RefusedError(
            "archive-too-large",
            f"The file index of the archive is too large ({size / 2**20:,.0f} MB).",
            "archive not imported; unpack it and open the unpacked folder",
        )
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGE as error:
        raise RefusedError(
            "archive-unreadable",
            "The file index of the zip archive is damaged.",
            "archive not imported; copy or pack it again",
        ) from error
    with archive:
        yield archive


def _directory_size(path: Path) -> int | None:
    """Returns the bytes of the central directory, as stated at the archive's end; None if it has no end record."""
    with path.open("rb") as stream:
        end = stream.seek(0, 2)
        start = max(0, end - 65_535 - 22 - 20)
        stream.seek(start)
        tail = stream.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            return None
        size = int(struct.unpack_from("<L", tail, at + 12)[0])
        if size != 0xFFFFFFFF or at < 20 or tail[at - 20 : at - 16] != b"PK\x06\x07":
            return size
        index = int(struct.unpack_from("<Q", tail, at - 12)[0])
        if index > end:  # some 64-bit positions are invalid for any file
            return None
        stream.seek(index)
        record = stream.read(56)
    whole = record.startswith(b"PK\x06\x06") and len(record) == 56
    return int(struct.unpack_from("<Q", record, 40)[0]) if whole else None


MAX_RATIO = 200
# A smaller archive can do no harm, and a short file of one repeated sample may really pack 500:1.
RATIO_FROM_BYTES = 2**20
MAX_NAME = 1_024
MAX_NAME_PART = 255
_DRIVE = re.compile(r"^[A-Za-z]:")
_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules", "__MACOSX"))
_ENCRYPTED = 0x1 | 0x40
_RENAME = "rename the file, and pack the archive again"


def reason_against(info: zipfile.ZipInfo, names: Counter[str]) -> tuple[str, str, str] | None:
    """Returns code, sentence and advice for a member that must not be read, otherwise None."""
    name = inner_name(info.filename)
    parts = name.split("/")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if ".." in parts or name.startswith("/") or _DRIVE.match(name):
        return "member-path", "The path of this file points outside the archive.", "pack the archive again"
    if not info.orig_filename.isprintable() or not name:
        return "member-name", "The name of this file in the archive contains forbidden characters.", _RENAME
    if len(name) > MAX_NAME or max(len(part.encode(errors="replace")) for part in parts) > MAX_NAME_PART:
        return "member-name", f"The name of this file in the archive is {len(name):,} characters long.", _RENAME
    if kind not in (0, stat.S_IFREG):
        what = "a link" if kind == stat.S_IFLNK else "a folder or a device"
        return "member-link", f"This entry of the archive is {what}.", "pack the archive again, with files only"
    if info.flag_bits & _ENCRYPTED:
        return "member-encrypted", "The file in the archive is encrypted.", "unpack it and open the unpacked folder"
    if info.file_size > RATIO_FROM_BYTES and info.file_size > MAX_RATIO * max(1, info.compress_size):
        return (
            "member-ratio",
            f"The file in the archive would grow to more than {MAX_RATIO} times its size when unpacked.",
            "if you trust it, unpack it and open the unpacked folder",
        )
    if names[name] > 1:
        return "member-twice", "The archive contains several files with this name.", _RENAME
    return None


def inner_name(name: str) -> str:
    """Returns the name with `/` between its parts; some packers on Windows write backslashes."""
    parts = name.replace("\\", "/").split("/")
    last = len(parts) - 1
    # `./guest/a.csv`, as bsdtar packs it, is the same file as `guest/a.csv`.
    kept = (
        part for index, part in enumerate(parts) if part not in (".", "") or index == last or (index == 0 and not part)
    )
    return "/".join(kept)


def is_folder(info: zipfile.ZipInfo) -> bool:
    """True if the member is a folder, with either kind of slash."""
    return inner_name(info.filename).endswith("/")


def is_hidden(name: str) -> bool:
    """True if a member is hidden, by the rules for folders. A name that leads out of the archive is reported, hidden or
    not."""
    parts = inner_name(name).split("/")
    if ".." in parts or not parts[0]:
        return False
    return any(part in _SKIPPED_FOLDERS for part in parts[:-1]) or any(part.startswith((".", "~$")) for part in parts)


def shown(name: str) -> str:
    """Returns a name that can be shown: control characters escaped, no longer than a line."""
    text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name[:300])
    return text + "…" if len(name) > 300 else text
