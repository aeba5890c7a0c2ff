"""Short, distinct names of storage tests. They include the kind of I/O if it differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from workbench.answers.benchmarks.compute import BenchmarkGroup, BenchmarkKind, Family
from workbench.model.benchmark import LatencyKind, Op
from workbench.words.numbers import THIN

_LABEL_LENGTH = 40


def labels(shown: Sequence[BenchmarkGroup]) -> tuple[str, ...]:
    """The shortest distinct names of the tests.

    If the tests have different kinds of I/O, each name includes the parts that are not common to all.
    """
    ways: tuple[Callable[[BenchmarkGroup], tuple[str | None, ...]], ...] = (
        lambda group: (group.subject.test,),
        lambda group: (group.subject.job,),
        lambda group: (group.subject.test, group.subject.job),
        lambda group: (group.subject.test, group.subject.job, group.subject.host),
        lambda group: (group.subject.path, group.subject.job, group.subject.host),
    )
    differences = _differences(shown)
    names: list[str] = []
    for way in ways:
        parts = zip(*(_without_common(column) for column in zip(*map(way, shown), strict=True)), strict=True)
        names = [_joined(row, words) for row, words in zip(parts, differences, strict=True)]
        if len(set(names)) == len(names):
            break
    totals, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} #{seen[name]}" if totals[name] > 1 else name)
    return tuple(numbered)


def latency_name(name: str, kinds: Iterable[LatencyKind | None]) -> str:
    """The name of a latency, `Mean latency`, with a note if it is the completion latency."""
    unlike = set(kinds)
    if LatencyKind.COMPLETION not in unlike:
        return name
    if len(unlike) > 1:
        return f"{name} (some tests: completion latency)"
    return name.replace("latency", "completion latency").replace("Latency", "Completion latency")


def _without_common(names: Sequence[str | None]) -> list[str | None]:
    """File names such as `raw_randread-4k_qd16` without the words that all have; the whole name if nothing would be
    left."""
    words = [re.split(r"[_ ]+", name) if name and "_" in name and " " not in name else [] for name in names]
    common = set.intersection(*map(set, words)) if words else set()
    short = ["_".join(word for word in row if word not in common) for row in words]
    distinct = len(set(short)) == len(set(names)) and all(short)
    return list(short) if distinct and len(set(names)) > 1 else list(names)


def _joined(parts: Sequence[str | None], text: str) -> str:
    distinct = dict.fromkeys(part for part in parts if part)
    name = shortened(" · ".join(distinct) or "unnamed")
    return f"{name} ({text})" if text else name


def shortened(name: str) -> str:
    """The two ends of a long name, which distinguish the names of one series."""
    if len(name) <= _LABEL_LENGTH:
        return name
    half = _LABEL_LENGTH // 2
    return f"{name[: half - 1]}…{name[-half:]}"


def _differences(shown: Sequence[BenchmarkGroup]) -> list[str]:
    """The kind of I/O of each test, without the parts that are common to all."""
    parts = [_asked(group.kind, group.clones) for group in shown]
    alike = [len(set(column)) == 1 for column in zip(*parts, strict=True)]
    kept = (" ".join(part for part, same in zip(row, alike, strict=True) if part and not same) for row in parts)
    return [_typeset(words) for words in kept]


def kind_key(kind: BenchmarkKind, clones: int) -> str:
    """`4KiB rand 20% reads QD16 ×4`: the kind of I/O, as far as the file says, as workspaces store it."""
    return " ".join(part for part in _asked(kind, clones) if part)


def kind_name(kind: BenchmarkKind, clones: int) -> str:
    """The kind of I/O as shown to users: `4 KiB rand 20 % reads QD16 ×4`."""
    return _typeset(kind_key(kind, clones))


def _typeset(key: str) -> str:
    """The words with a space between each number and its unit."""
    return re.sub(r"(?<=\d)(?=([KM]i)?B\b|%)", THIN, key)


def _asked(kind: BenchmarkKind, clones: int) -> tuple[str, ...]:
    mixed = kind.read_percent not in (None, 0, 100)
    threads = clones if kind.threads is None else kind.threads * clones
    return (
        _size(kind.block_bytes) if kind.block_bytes else "",
        {"random": "rand", "sequential": "seq"}.get(kind.pattern or "", kind.pattern or ""),
        f"{kind.read_percent}% reads" if mixed else "",
        f"QD{kind.queue_depth}" if kind.queue_depth is not None else "",
        f"×{threads}" if threads != 1 else "",
    )


def _size(count: int) -> str:
    """`4KiB`: bytes in the largest unit of 1,024 that divides them."""
    for unit, scale in (("MiB", 1024**2), ("KiB", 1024)):
        if count >= scale and count % scale == 0:
            return f"{count // scale}{unit}"
    return f"{count}B"


def family_key(family: Family) -> str:
    """`4KiB random, 20% reads`: the common properties of the tests on one axis, as workspaces store them."""
    block = _size(family.block_bytes) if family.block_bytes else "block size not stated"
    mix = {None: _OP_WORDS[family.op or Op.TOTAL], 100: "reads", 0: "writes"}.get(
        family.read_percent, f"{family.read_percent}% reads"
    )
    return f"{block} {family.pattern}, {mix}" if family.pattern else f"{block}, {mix}"


def family_name(family: Family) -> str:
    """The common properties of the tests on one axis for readers: `4 KiB random reads`, `4 KiB, 20 % reads`."""
    key = family_key(family)
    # A comma separates a share or a note.
    return _typeset(key if re.search("%|stated", key) else key.replace(", ", " "))


_OP_WORDS = {
    Op.READ: "reads",
    Op.WRITE: "writes",
    Op.TRIM: "trims",
    Op.MIXED: "reads and writes",
    Op.TOTAL: "direction not stated",
}


def common_kind(shown: Sequence[BenchmarkGroup]) -> str:
    """The properties of I/O that all tests share."""
    parts = [_asked(group.kind, group.clones) for group in shown]
    columns = [set(column) for column in zip(*parts, strict=True)]
    return " ".join(column.pop() for column in columns if len(column) == 1 and column != {""})
