"""The stamp that identifies a source file, and the store's note on it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO, FileIO
from pathlib import Path

import msgspec
import xxhash

# Bytes of a sampled block: larger blocks make opening a stored study slower.
_SAMPLE = 4096


class Remembered(msgspec.Struct):
    """The store's note on a source: its stamp when it was read, and the key of its content."""

    path: str
    size: int
    mtime_ns: int
    key: str
    readers: int = 0
    crc: int = 0
    header: str = ""
    mapping: str = ""
    date_order: str = ""
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Stamp:
    """The properties that must be unchanged for the note on a file to be valid: size and time of the file, or of its
    archive with the member's checksum; for a CSV read through a column mapping its header and the mapping (empty:
    none); the order of dates that its run states; the hash of a few of its blocks (see `sample_of`), which `lookup`
    computes itself."""

    size: int
    mtime_ns: int
    crc: int = 0
    header: str = ""
    mapping: str = ""
    date_order: str = ""
    sample: str = ""


def stamp_of(status: os.stat_result) -> Stamp:
    """Returns the stamp of a file on disk."""
    return Stamp(status.st_size, status.st_mtime_ns)


def sample_of(path: Path, size: int) -> str:
    """Returns the hash of the first, the middle and the last block of a file of `size` bytes. It reveals a file that
    was replaced at equal size and time. Empty for a member of an archive, whose checksum does the same, and for an
    unreadable file."""
    try:
        with FileIO(path) as stream:
            return _sampled(stream, size)
    except OSError:
        return ""


def sample_of_bytes(data: bytes) -> str:
    """Like `sample_of`, for a file that has been read."""
    return _sampled(BytesIO(data), len(data))


def _sampled(stream: FileIO | BytesIO, size: int) -> str:
    digest = xxhash.xxh3_64()
    for start in sorted({0, max(0, (size - _SAMPLE) // 2), max(0, size - _SAMPLE)}):
        stream.seek(start)
        digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()
