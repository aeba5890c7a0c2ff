"""The catalogue of a perfmon binary log: the meaning of each block of a sample, and the names of title indices.

The layout was worked out from the bytes of two real logs. A catalogue is 8 bytes and one record per entry of the data
collector set. Every sample holds its blocks in the order of these records. A record (little-endian):

| at | holds |
|---|---|
| 0 | its size in bytes |
| 4 | its form: 0 one counter, 1 one counter of many instances, 0x10 whole objects |
| 12 | the counter type, a number from winperf.h (not used for whole objects) |
| 16 | the time base: ticks per second of the counter's clock (64 bits) |
| 24 | the default scale, an exponent of ten; used only for drawing |
| 28, 32, 36, 40, 48 | offsets of computer, object, instance, parent instance and counter, counted from byte 52 |
| 44 | the number of the instance among those with the same name |
| 52 | the names, UTF-16, each ended by a zero; an offset of -1 means "none" |

Names of whole objects are numbers, as in winperf.h. Separate messages translate them: a computer name, then pairs of
number and name, as in the registry value `Counter 009`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_HEAD = 8
_NAMES_AT = 52
_SMALLEST_RECORD = _NAMES_AT + 2
_NONE = 0xFFFFFFFF
# PDH's own limit for one part of a path is 1,024 characters.
LONGEST_NAME = 1024

# Logs written by PowerShell's Export-Counter also set a flag (0x20000000) in the form.
_FORM = 0xFF

Names = dict[str, dict[int, str]]


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One entry. `host` begins with two backslashes. `instance` and `parent` are None if the entry names none."""

    form: int
    kind: int
    time_base: int
    host: str
    object: str
    instance: str | None
    parent: str | None
    number: int
    counter: str

    def path(self, instance: str | None, object_name: str | None = None, counter: str | None = None) -> str:
        r"""The counter path of one instance of this entry, `\\HOST\Object(instance)\Counter`."""
        middle = "" if instance is None else f"({instance})"
        return f"{self.host}\\{object_name or self.object}{middle}\\{counter or self.counter}"

    def own_path(self) -> str:
        """The counter path of an entry for a single counter."""
        if self.instance is None:
            return self.path(None)
        name = f"{self.parent}/{self.instance}" if self.parent else self.instance
        return self.path(f"{name}#{self.number}" if self.number else name)


def parse_catalogue(body: bytes) -> tuple[CatalogueEntry, ...] | None:
    """Returns the entries of a catalogue message, or None if its records do not fit their bytes."""
    entries: list[CatalogueEntry] = []
    index = _HEAD
    while index + _SMALLEST_RECORD <= len(body):
        size = struct.unpack_from("<I", body, index)[0]
        if size == 0:
            break
        if size < _SMALLEST_RECORD or index + size > len(body):
            return None
        entry = _entry(body[index : index + size])
        if entry is None:
            return None
        entries.append(entry)
        index += size
    return tuple(entries) if entries and not any(body[index:]) else None


def parse_names(body: bytes, names: Names) -> bool:
    """Adds the numbers and names of one message to `names`. Returns False if the message is malformed."""
    host, *cells = body.decode("utf-16-le", errors="replace").split("\0")
    while cells and not cells[-1]:
        cells.pop()
    if not host or len(cells) % 2:
        return False
    name_bytes = names.setdefault(host.casefold(), {})
    for number, name in zip(cells[::2], cells[1::2], strict=True):
        if not (number.isascii() and number.isdigit() and len(number) <= 10):
            return False
        name_bytes[int(number)] = name[:LONGEST_NAME]
    return True


def text_at(data: bytes, start: int) -> str | None:
    """Returns the UTF-16 text from `start` up to the next zero, or None if it does not fit or is too long."""
    if not 0 <= start < len(data):
        return None
    end, limit = start, start + 2 * LONGEST_NAME + 2
    while (end := data.find(b"\0\0", end, limit)) >= 0 and (end - start) % 2:
        end += 1
    if end < 0:
        return None
    return data[start:end].decode("utf-16-le", errors="replace")


def _entry(record: bytes) -> CatalogueEntry | None:
    form, kind, base = struct.unpack_from("<4xI4xIQ", record)
    host_at, object_at, instance_at, parent_at, number, counter_at = struct.unpack_from("<6I", record, 28)
    texts = [text_at(record, _NAMES_AT + at) for at in (host_at, object_at, counter_at)]
    host, object_name, counter = texts
    if not host or not object_name or not counter:
        return None
    instance, parent = (None if at == _NONE else text_at(record, _NAMES_AT + at) for at in (instance_at, parent_at))
    if instance is None and instance_at != _NONE:
        return None
    return CatalogueEntry(form & _FORM, kind, base, host, object_name, instance, parent, number, counter)
