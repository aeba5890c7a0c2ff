"""What a source file is known by, and what the store notes of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO, FileIO
from pathlib import Path

import msgspec
import xxhash

# Bytes of a block that a file is known by: more of them make opening a stored study slower.
_SAMPLE = 4096


class Remembered(msgspec.Struct):
    """What the store knows of a source: what it was like when it was read, and the key of its content."""

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
    """What must be as it was for what is remembered of a file to hold: size and time of the file, or of the
    archive it is a member of and then its checksum; for a CSV that is read through a column mapping its
    header, and the mapping it was read through (empty: none); the order of dates that its run states; the hash of a
    few of its blocks (see `sample_of`), which `lookup` takes itself."""

    size: int
    mtime_ns: int
    crc: int = 0
    header: str = ""
    mapping: str = ""
    date_order: str = ""
    sample: str = ""


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file on disk."""
    return Stamp(status.st_size, status.st_mtime_ns)


def sample_of(path: Path, size: int) -> str:
    """Hash of the first, the middle and the last block of a file of `size` bytes, by which one that was replaced at
    equal size and time is noticed; empty for a member of an archive, whose checksum says as much, and for a file that
    cannot be read."""
    try:
        with FileIO(path) as stream:
            return _sampled(stream, size)
    except OSError:
        return ""


def sample_of_bytes(data: bytes) -> str:
    """The same of a file that has been read."""
    return _sampled(BytesIO(data), len(data))


def _sampled(stream: FileIO | BytesIO, size: int) -> str:
    digest = xxhash.xxh3_64()
    for start in sorted({0, max(0, (size - _SAMPLE) // 2), max(0, size - _SAMPLE)}):
        stream.seek(start)
        digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()
