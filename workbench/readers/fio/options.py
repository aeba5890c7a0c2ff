"""fio job options: block size, queue depth, threads, read share and access pattern as the job was set up.

Defaults are fio's own (bs 4096, iodepth 1, numjobs 1, rwmixread 50) and are taken only where the document
lists every option it was given: from fio 2.17 on, which lists `global options` beside `job options`.
Source: fio HOWTO, "Parameter types" and "Job parameters".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.readers.fio.documents import IN_PART

_LISTS_EVERYTHING = (2, 17)
_NANOSECONDS_SINCE = (2, 99)
_SIZE = re.compile(r"(0x[0-9a-f]+|[0-9]+)\s*([kmgtp]?)(i?)b?", re.IGNORECASE)
_POWERS = "kmgtp"
_DIRECTIONS = ("read", "write", "trim")
_BOTH = ("rw", "readwrite", "randrw")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one job. `complete`: what is not listed has fio's default."""

    values: Mapping[str, str]
    complete: bool

    def get(self, *names: str) -> str | None:
        """The value under the first of the names (fio's aliases) that is listed."""
        return next((self.values[name] for name in names if name in self.values), None)


def options_of(job: Mapping[str, Any], content: Mapping[str, Any]) -> Options:
    """The global options overlaid with the job's own."""
    own = job.get("job options")
    values = {**_global_options(job, content), **_pairs(own)}
    listed = "global options" in content or _version(content.get("fio version")) >= _LISTS_EVERYTHING
    return Options(values, isinstance(own, dict) and listed and IN_PART not in content)


def block_bytes(options: Options, op: str, measured: float | None) -> int | None:
    """The block size of a direction in bytes; of `mixed` where reads and writes have the same.

    None for a range or a split of sizes and where it is not known. `measured` bytes per I/O settle what
    "4KiB" means: fio reads it as 4000 unless kb_base is 1000, the opposite of the standard.
    """
    if options.get("bsrange", "blocksize_range", "bssplit") is not None:
        return None
    if op not in _DIRECTIONS:
        sizes = {block_bytes(options, direction, measured) for direction in ("read", "write")}
        return sizes.pop() if len(sizes) == 1 else None
    text = options.get("bs", "blocksize")
    if text is None:
        return 4096 if options.complete else None
    parts = [part.strip() for part in text.split(",")]
    index = _DIRECTIONS.index(op)
    # A value covers the directions after it, unless a comma ends the list.
    part = parts[min(index, len(parts) - 1)]
    if not part:
        return 4096
    return _bytes(part, options.get("kb_base"), measured)


def queue_depth(options: Options) -> int | None:
    """`iodepth` as set, also where a synchronous engine cannot reach it."""
    return _whole(options.get("iodepth"), 1 if options.complete else None)


def threads(options: Options, entries: int) -> int | None:
    """Jobs behind one entry: `numjobs` where fio merged the clones into one (group_reporting), else 1.

    `entries` is the number of entries of the same job in the document.
    """
    clones = _whole(options.get("numjobs"), 1 if options.complete else None)
    if clones is None or entries == 1:
        return clones
    return 1 if entries % clones == 0 else None


def read_percent(options: Options, ios: Mapping[str, float]) -> float | None:
    """Share of reads in the job: the stated mix where both directions ran, else what was measured.

    `ios` holds the I/O counts by direction; a `mixed` count says nothing about the mix.
    """
    reads, writes = ios.get("read", 0.0), ios.get("write", 0.0)
    if ios.get("mixed"):
        return _unified_percent(options)
    if not reads + writes:
        return None
    stated = _stated_mix(options)
    return stated if reads and writes and stated is not None else 100.0 * reads / (reads + writes)


def pattern(options: Options) -> str | None:
    """`random` or `sequential`; None where it is unknown or partly random."""
    mode = (options.get("rw", "readwrite") or "").split(":")[0]
    if not mode or options.get("percentage_random") is not None:
        return None
    return "random" if mode.startswith("rand") else "sequential"


def directions(options: Options) -> tuple[str, ...]:
    """The directions the job was meant to issue; empty where it is unknown."""
    mode = (options.get("rw", "readwrite") or "").split(":")[0]
    if mode in _BOTH:
        return ("read", "write")
    if mode.endswith("trimwrite"):
        return ("write", "trim")
    return tuple(op for op in _DIRECTIONS if mode.removeprefix("rand") == op)


def _unified_percent(options: Options) -> float | None:
    meant = directions(options)
    if meant == ("read", "write"):
        stated = _stated_mix(options)
        return 50.0 if stated is None and options.complete else stated
    return {"read": 100.0, "write": 0.0}.get(meant[0]) if len(meant) == 1 else None


def _stated_mix(options: Options) -> float | None:
    reads = _whole(options.get("rwmixread"), None)
    writes = _whole(options.get("rwmixwrite"), None)
    share = reads if reads is not None else None if writes is None else 100 - writes
    return float(share) if share is not None and 0 <= share <= 100 else None


def _bytes(text: str, kb_base: str | None, measured: float | None) -> int | None:
    match = _SIZE.fullmatch(text)
    if not match:
        return None
    digits, unit, infix = match.groups()
    if len(digits) > 18:
        return None
    count = int(digits, 16 if digits[:2].lower() == "0x" else 10)
    power = _POWERS.index(unit.lower()) + 1 if unit else 0
    readings = [count * 1024**power, count * 1000**power]
    # kb_base holds for the options after it alone.
    if measured is not None and (infix or any(abs(size - measured) < 0.001 * size for size in readings)):
        return min(readings, key=lambda size: abs(size - measured)) or None
    decimal = bool(infix) != (kb_base == "1000")
    return readings[int(decimal)] or None


def _global_options(job: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, str]:
    """fio 3.42 lists the global options per client; older versions as one object."""
    stated = content.get("global options")
    if not isinstance(stated, list):
        return _pairs(stated)
    values: dict[str, str] = {}
    for entry in stated:
        pairs = _pairs(entry)
        if all(pairs.get(key) in (None, str(job.get(key))) for key in ("hostname", "port")):
            values.update(pairs)
    return values


def _pairs(stated: object) -> dict[str, str]:
    if isinstance(stated, str):
        name, _, value = stated.partition("=")
        return {name.strip(): value.strip()}
    if isinstance(stated, dict):
        simple = (str, int, float)
        return {str(key): str(value).strip() for key, value in stated.items() if isinstance(value, simple)}
    return {}


def counts_nanoseconds(version: str | None) -> bool | None:
    """Whether this fio measures and logs latencies in nanoseconds (2.99 on), not in microseconds; None: not known."""
    stated = _version(version)
    return stated >= _NANOSECONDS_SINCE if stated > (0, 0) else None


def _version(stated: object) -> tuple[int, int]:
    match = re.search(r"(\d{1,4})\.(\d{1,4})", stated) if isinstance(stated, str) else None
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _whole(text: str | None, default: int | None) -> int | None:
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
