"""Snapshots of the kernel's memory pools as text: what each lists of the tags that PVS uses, and the text between them.

A row as poolmon writes it, on the screen and with `/n` into a file; the numbers in parentheses may be absent:

     Tag  Type     Allocs            Frees            Diff   Bytes       Per Alloc
     VhdR Nonp      51234 (   0)      1234 (   0)    50000 204800000 (     0)   4096

A script that keeps `findstr VhdR` alone leaves rows without heads: each row of VhdR is then a snapshot.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# The RAM cache, and what the driver keeps of its own beside it.
CACHE, DRIVER = "VhdR", "VhdL"
_CHANGE = r"(?:\(\s{0,12}-?\d{1,20}\))?"
_ROW = re.compile(
    rf"\s{{0,4}}(?P<tag>\S.{{2}}\S)\s{{1,4}}Nonp\s{{1,20}}(?P<allocs>\d{{1,20}})\s{{0,20}}{_CHANGE}\s{{1,20}}(?P<frees>\d{{1,20}})\s{{0,20}}"
    rf"{_CHANGE}\s{{1,20}}(?P<diff>-?\d{{1,20}})\s{{1,20}}(?P<bytes>\d{{1,18}})\s{{0,20}}{_CHANGE}\s{{1,20}}\d{{1,20}}(?:\s{{1,20}}[^\s\d(\"].{{0,200}})?",
    re.ASCII,
)
_ANY_ROW = re.compile(r"\s{0,4}\S.{0,3}\s{1,4}(?:Nonp|Paged)\s{1,20}\d")
_COLUMNS = re.compile(r"Tag\s{1,8}Type\s{1,12}Allocs\s{1,20}(?:\(.{0,12}\)\s{0,20})?Frees\s")
_BEGIN = re.compile(r"\s{0,4}Memory:\s{0,12}\d{1,15}K\s{1,12}Avail:")
_QUIET = re.compile(r"\s{0,4}(?:Commit:|System pool information|Total\s)|\s{0,400}\Z")
_POOL = re.compile(r"Pool N:\s{0,12}(\d{1,15})K", re.ASCII)
_ROW_OF_CACHE = re.compile(r"^\s{0,4}Vhd[RL]\s{1,4}Nonp\s{1,20}\d", re.M)


@dataclass
class Snapshot:
    """One snapshot: the line it begins on, its nonpaged bytes by tag (of PVS alone), and the whole nonpaged pool in
    bytes. `before` is the text between the snapshot in front of it and this one."""

    line: int
    before: str
    bytes: dict[str, int] = field(default_factory=dict)
    pool: int | None = None
    rows: int = 0
    columns: bool = False
    damaged: list[int] = field(default_factory=list)


def is_poolmon(text: str) -> bool:
    """Whether a text holds the heads of poolmon's columns, or rows of the tags of PVS."""
    return _COLUMNS.search(text) is not None or _ROW_OF_CACHE.search(text) is not None


def snapshots(text: str) -> tuple[list[Snapshot], str]:
    """The snapshots in their order, and the text behind the last."""
    listed: list[Snapshot] = []
    between: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        heads, row, pool = _COLUMNS.search(line), _ROW.fullmatch(line.rstrip()), _POOL.search(line)
        # The line with the pools is the second of a snapshot, whose first may be damaged.
        begins = _BEGIN.match(line) or (pool and listed and listed[-1].pool is not None)
        if begins or (heads and _is_over(listed)) or (row and _stands_alone(listed, row["tag"])):
            listed.append(Snapshot(number, "\n".join(between)))
            between = []
        last = listed[-1] if listed else None
        if row or _ANY_ROW.match(line):
            _count(last, row, line, number)
        elif heads and last:
            last.columns = True
        elif last and pool:
            last.pool = 1024 * int(pool[1])
        elif not begins and not _QUIET.match(line):
            between.append(line)
    return listed, "\n".join(between)


def _is_over(listed: list[Snapshot]) -> bool:
    return not listed or listed[-1].columns


def _stands_alone(listed: list[Snapshot], tag: str) -> bool:
    """Whether a row begins a snapshot without heads."""
    return not listed or tag in listed[-1].bytes


def _count(snapshot: Snapshot | None, row: re.Match[str] | None, line: str, number: int) -> None:
    if snapshot is None:
        return
    snapshot.rows += 1
    if line.lstrip()[:4] not in (CACHE, DRIVER) or "Nonp" not in line:
        return
    # A number too many, or one too few, would stand in another column: these three are bound to each other.
    if row and int(row["allocs"]) - int(row["frees"]) == int(row["diff"]):
        snapshot.bytes[row["tag"]] = int(row["bytes"])
    else:
        snapshot.damaged.append(number)
