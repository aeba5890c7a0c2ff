"""Files of our own that something may have damaged: read whole, or set aside under a telling name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import xxhash

T = TypeVar("T")
Tell = Callable[[str], None]
# What the name of a file says from where it was set aside: `settings.json.damaged-2026-11-22-1`.
MARK = ".damaged-"
# Far more than any of these files takes.
_MOST_BYTES = 64 * 2**20
# A line feed, and 64 bits in hexadecimal digits.
_SUM_BYTES = 17
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
        with file.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError):
        return None
    try:
        if len(data) > _MOST_BYTES:
            raise ValueError("larger than any file of ours")
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
    return f"Left out: {'; '.join(lost[:5])}{more}. Everything else is kept."


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
            return file.replace(target)
        except OSError:
            target.unlink(missing_ok=True)
            return None


def sealed(data: bytes) -> bytes:
    """The data with a sum of its bytes behind it, for files in which a wrong digit would change figures."""
    return data + _sum(data)


def unsealed(data: bytes) -> bytes:
    """What was sealed. Raises ValueError where a byte of it is another."""
    held, own = data[:-_SUM_BYTES], data[-_SUM_BYTES:]
    if own != _sum(held):
        raise ValueError("not as it was written")
    return held


def _sum(data: bytes) -> bytes:
    return b"\n" + xxhash.xxh3_64_hexdigest(data).encode()


def silent(_: str) -> None:
    """Takes what nobody needs to know."""


def _now_at(aside: Path | None) -> str:
    return f"It was set aside as {aside.name}." if aside is not None else "It could not be renamed."
