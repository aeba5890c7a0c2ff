"""Files of our own that something may have damaged.

What only we have is set aside under a telling name, and the user hears of it (`read_own`). What can be made again from
result files is sealed, and counts as not there (`read_sealed`).
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
from workbench.option_files import option_bytes

T = TypeVar("T")
Tell = Callable[[str], None]
# What the name of a file says from where it was set aside: `settings.json.damaged-2026-11-22-1`.
MARK = ".damaged-"
# Far more than any of these files takes.
_MOST_BYTES = 64 * 2**20
# A line feed, and 64 bits in hexadecimal digits.
SEAL_BYTES = 17
# What decoding bytes that are not ours may raise: msgspec has errors of its own for most of it.
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Partly(Generic[T]):
    """What is whole of a file that is damaged in part: its value, in words the places of what was `lost`, and the
    `content` of a file that holds the value alone."""

    value: T
    lost: tuple[str, ...]
    content: bytes


def read_own(file: Path, decode: Callable[[bytes], T | Partly[T]], tell: Tell, instead: str) -> T | None:
    """What `decode` makes of a file of ours; None where there is none that can be opened.

    A damaged file is set aside, never deleted; `tell` hears which, where it is now, and `instead`: what is done without
    it and what to do next. Where it is damaged in part, a file with what is whole takes its place.
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
        # What is no file (a device stands for none) was put there on purpose and is nobody's damage.
        if file.is_file():
            tell(f"{file} is damaged. {_now_at(set_aside(file))} {instead}")
        return None
    if not isinstance(kept, Partly):
        return kept
    aside = set_aside(file)
    if aside is not None:
        # What cannot be written now is written with the next change.
        with suppress(OSError):
            file.write_bytes(kept.content)
    tell(f"{file} is damaged in part. {_now_at(aside)} {left_out(kept.lost)}")
    return kept.value


def left_out(lost: tuple[str, ...]) -> str:
    """The sentence on what was left out of a file that is damaged in part, by the words for its places."""
    more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
    return f"Lost: {'; '.join(lost[:5])}{more}. Everything else is kept."


def set_aside(file: Path) -> Path | None:
    """Renames a damaged file, never over an earlier one; the new place, or None where it cannot be renamed."""
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
    """The JSON in a sealed file of the column store; None where it has to be made again: there is none, it is damaged,
    or it is another file's. Nothing is set aside and nobody hears of it: it is read from its source, and a store of
    thousands of files would keep damaged ones that nobody needs."""
    try:
        return msgspec.json.decode(unsealed(file), type=kind)
    except (OSError, *UNREADABLE):
        return None


def sealed(data: bytes, file: Path) -> bytes:
    """The data with a sum behind it, of its bytes and of the `file` that they are for: a wrong digit, or two files that
    were exchanged, would change figures. A store may be moved, so the file counts by its folder's name and its own."""
    return data + _sum(data, file)


def unsealed(file: Path) -> bytes:
    """What was sealed for this file. Raises OSError, and ValueError where a byte of it is another or it was sealed for
    another file."""
    return opened(file.read_bytes(), file)


def opened(content: bytes, file: Path) -> bytes:
    """What was sealed for this file, out of its sealed bytes. Raises ValueError where they are not as written."""
    data, own = content[:-SEAL_BYTES], content[-SEAL_BYTES:]
    if own != _sum(data, file):
        raise ValueError("not as it was written")
    return data


def seal(digest: xxhash.xxh3_64, file: Path) -> bytes:
    """What stands behind the data of this file, by a digest that was given the data alone."""
    digest.update(f"{file.parent.name}/{file.name}".encode())
    return b"\n" + digest.hexdigest().encode()


def _sum(data: bytes, file: Path) -> bytes:
    return seal(xxhash.xxh3_64(data), file)


def silent(_: str) -> None:
    """Takes what nobody needs to know."""


def _now_at(aside: Path | None) -> str:
    return f"It was set aside as {aside.name}." if aside is not None else "It could not be renamed."
