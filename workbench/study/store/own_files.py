"""Files that the program wrote, and that may be damaged.

A damaged file with unique data is renamed so that its name says that it is damaged, and the user gets a message
(`read_own`). Data that can be made again from result files is sealed, and counts as missing if damaged (`read_sealed`).
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import xxhash

from workbench.file_replace import replace_file, try_to_delete
from workbench.model.problem import few_named
from workbench.option_files import option_bytes

T = TypeVar("T")
Tell = Callable[[str], None]
# The suffix of a file that was set aside: `settings.json.damaged-2026-11-22-1`.
MARK = ".damaged-"
# Far more than any of these files takes.
_MOST_BYTES = 64 * 2**20
# A line feed, and 64 bits in hexadecimal digits.
SEAL_BYTES = 17
# Exceptions from decoding foreign bytes: for most of them msgspec has its own errors.
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Partly(Generic[T]):
    """The intact part of a damaged file: its value, the places of the `lost` values in words, and the `content` of a
    file with only that value."""

    value: T
    lost: tuple[str, ...]
    content: bytes


def read_own(file: Path, decode: Callable[[bytes], T | Partly[T]], tell: Tell, instead: str) -> T | None:
    """Returns the result of `decode` for a file of the program; None if there is no readable one.

    A damaged file is set aside, never deleted. `tell` is called with its name, its new path, and `instead`: the
    program's action without it and the next step for the user. If only a part is damaged, a file with the intact part
    replaces it.
    """
    try:
        data: bytes | None = option_bytes(file, _MOST_BYTES)
    except OSError as error:
        if error.errno != errno.EFBIG:
            # A device or a folder is there on purpose.
            if error.errno == errno.EINVAL and file.is_fifo():
                tell(f"{file} cannot be read: {error.strerror}. {instead}")
            return None
        data = None
    except ValueError:
        return None
    try:
        if data is None:
            raise ValueError("too large")
        kept = decode(data)
    except UNREADABLE:
        # An entry that is not a file (such as a device) is there on purpose and is not damage.
        if file.is_file():
            tell(f"{file} is damaged. {_now_at(set_aside(file))} {instead}")
        return None
    if not isinstance(kept, Partly):
        return kept
    aside = set_aside(file)
    if aside is not None:
        # If it cannot be written now, it is written with the next change.
        with suppress(OSError):
            file.write_bytes(kept.content)
    tell(f"{file} is partly damaged. {_now_at(aside)} {left_out(kept.lost)}")
    return kept.value


def left_out(lost: tuple[str, ...]) -> str:
    """Returns the sentence on the values left out of a partly damaged file, by the words for their places."""
    return f"Lost: {few_named(lost)}. Everything else is kept."


def set_aside(file: Path) -> Path | None:
    """Renames a damaged file, never over an earlier one. Returns the new path, or None if it cannot be renamed."""
    number = 1
    while True:
        target = file.with_name(f"{file.name}{MARK}{date.today().isoformat()}-{number}")
        try:
            target.touch(exist_ok=False)
        except FileExistsError:
            number += 1
            continue
        except OSError:
            return None
        try:
            replace_file(file, target)
        except OSError:
            try_to_delete(target)
            return None
        return target


def read_sealed(file: Path, kind: type[T]) -> T | None:
    """Returns the JSON in a sealed file of the column store. None if it has to be made again, because it is missing,
    damaged or another file's. Nothing is set aside or reported: it is read again from its source, and a store of
    thousands of files would otherwise fill with useless damaged ones."""
    try:
        return msgspec.json.decode(unsealed(file), type=kind)
    except (OSError, *UNREADABLE):
        return None


def sealed(data: bytes, file: Path) -> bytes:
    """Returns the data followed by a checksum of its bytes and of the `file` that it belongs to. A wrong digit, or two
    exchanged files, would change results. A store may be moved, so only the names of the file and its folder count."""
    return data + _sum(data, file)


def unsealed(file: Path) -> bytes:
    """Returns the data sealed for this file. Raises OSError, and ValueError if a byte has changed or it was sealed for
    another file."""
    return opened(file.read_bytes(), file)


def opened(content: bytes, file: Path) -> bytes:
    """Returns the data sealed for this file, from its sealed bytes. Raises ValueError if they are not as written."""
    data, own = content[:-SEAL_BYTES], content[-SEAL_BYTES:]
    if own != _sum(data, file):
        raise ValueError("not as it was written")
    return data


def seal(digest: xxhash.xxh3_64, file: Path) -> bytes:
    """Returns the seal after the data of this file, from a digest of only the data."""
    digest.update(f"{file.parent.name}/{file.name}".encode())
    return b"\n" + digest.hexdigest().encode()


def _sum(data: bytes, file: Path) -> bytes:
    return seal(xxhash.xxh3_64(data), file)


def silent(_: str) -> None:
    """Ignores a message that is not needed."""


def _now_at(aside: Path | None) -> str:
    return f"It was renamed to {aside.name}." if aside is not None else "It could not be renamed."
