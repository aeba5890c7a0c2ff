"""Opening a zip archive of unknown origin: its directory is weighed before Python's zipfile reads it."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.study.discovery.archive_members import MAX_RATIO

# The directory of an archive is held in memory as a whole.
MAX_DIRECTORY_BYTES = 64 * 2**20


class RefusedError(Exception):
    """An archive that is refused as a whole."""

    def __init__(self, code: str, message: str, action: str = "archive not imported") -> None:
        super().__init__(message)
        self.code, self.message, self.action = code, message, action


def too_many(limit: int) -> RefusedError:
    """The refusal of an archive with more members than this."""
    return RefusedError(
        "archive-members",
        f"The archive contains more than {limit:,} files.",
        "archive not imported; unpack it and open its folder",
    )


def too_large(limit: int) -> RefusedError:
    """The refusal of an archive that would hold more bytes than this."""
    return RefusedError(
        "archive-too-large",
        f"The archive would take more than {limit / 1e9:,.0f} GB when unpacked.",
        "archive not imported; unpack what is needed and open its folder",
    )


def swelling() -> RefusedError:
    """The refusal of an archive that unpacks to far more bytes than it has."""
    return RefusedError(
        "archive-ratio",
        f"The archive would grow by more than {MAX_RATIO} times when unpacked, as zip bombs do.",
        "archive not imported; unpack it and open its folder if you trust it",
    )


# What a damaged, encrypted or unsupported member or directory raises while it is read: `zipfile` takes what stands in
# the archive for places, sizes and names without a look at them. NotImplementedError is a RuntimeError.
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
    """The archive, open for reading. Raises RefusedError where its directory is damaged or too large."""
    size = _directory_size(path)
    if size is None:
        raise RefusedError(
            "archive-unreadable",
            "The zip archive has no directory at its end: it is cut off or not an archive.",
            "archive not imported; copy or pack it again",
        )
    if size > MAX_DIRECTORY_BYTES:
        raise RefusedError(
            "archive-too-large",
            f"The archive's directory alone takes {size / 2**20:,.0f} MB.",
            "archive not imported; unpack it and open its folder",
        )
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGE as error:
        raise RefusedError(
            "archive-unreadable",
            f"The zip archive's directory cannot be read: {error}.",
            "archive not imported; copy or pack it again",
        ) from error
    with archive:
        yield archive


def _directory_size(path: Path) -> int | None:
    """Bytes of the central directory as the archive's end states them; None where it has no end record."""
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
        if index > end:  # no file can even be asked for some of the places that 64 bits can name
            return None
        stream.seek(index)
        record = stream.read(56)
    whole = record.startswith(b"PK\x06\x06") and len(record) == 56
    return int(struct.unpack_from("<Q", record, 40)[0]) if whole else None
