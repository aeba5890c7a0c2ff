"""What a DiskSpd command line asks for, for reports that print it without their input parameters (`-Rtext` of a part).

Options and defaults: DiskSpd's usage text in `CmdLineParser/CmdLineParser.cpp` and `Common/Common.h`
(github.com/microsoft/diskspd, commit c361eed6): blocks of 64 KiB, 2 I/Os outstanding per thread and target, 1 thread
per target, reads only, sequential. `-O` sets the I/Os of a thread, `-F` the threads in all. What stands in a profile
(`-X`) is not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.readers.text.documents import size_bytes, whole

DEFAULT_BLOCK, DEFAULT_OUTSTANDING, DEFAULT_THREADS = 64 * 1024, 2, 1
_WORD = re.compile(r'"([^"]*)"|(\S+)')
_RANDOM_SHARE = re.compile(r"s(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Command:
    """What was asked of each target: bytes, I/Os outstanding per thread, threads in all, percent of reads."""

    paths: tuple[str, ...]
    block_bytes: int | None
    outstanding: int | None
    threads: int | None
    read_percent: float | None
    pattern: str | None


def command_of(line: str) -> Command | None:
    """What the command line asks for; None where it is empty or names a profile. An option that cannot be read
    leaves its own figure unknown."""
    words = [match[1] if match[1] is not None else match[2] for match in _WORD.finditer(line)][1:]
    options = {word[1:2]: word[2:] for word in words if word[:1] in "-/" and word[1:2]}
    paths = tuple(word for word in words if word[:1] not in "-/")
    if not paths or "X" in options:
        return None
    writes = whole(options.get("w") or "0")
    per_target = _count(options, "t", DEFAULT_THREADS)
    in_all = None if per_target is None else per_target * len(paths)
    return Command(
        paths,
        size_bytes(options["b"]) if "b" in options else DEFAULT_BLOCK,
        _count(options, "O" if "O" in options else "o", DEFAULT_OUTSTANDING),
        _count(options, "F", 0) if "F" in options else in_all,
        100.0 - writes if writes is not None and writes <= 100 else None,
        _pattern(options.get("r")),
    )


def _count(options: dict[str, str], name: str, default: int) -> int | None:
    return whole(options[name]) if name in options else default


def _pattern(random: str | None) -> str | None:
    """`-r`, with an alignment or a distribution, is random; `-rs50` mixes both; without it the I/O is sequential."""
    if random is None:
        return "sequential"
    share = _RANDOM_SHARE.match(random)
    return None if share and share[1] != "100" else "random"
