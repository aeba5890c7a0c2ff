"""Comparison of tests with the raw disk: the test that ran on the storage without a cache.

The ratio is the test's figure divided by the raw disk's figure of the same family and direction. The queue depth and
threads are the same if the raw disk was measured with them. Its uncertainty is that of `statistics.change`: none for
single runs, the range for two, a 95 % interval for three or more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from workbench.answers.benchmarks.compute import BenchmarkGroup, Quantity
from workbench.measures.statistics import Change, change
from workbench.model.benchmark import Op

_SAYS_RAW = re.compile(r"(?<![a-z])raw(?![a-z])")


@dataclass(frozen=True, slots=True)
class Raw:
    """The raw-disk test: its name, its groups, and True if only its name shows that it is one."""

    name: str
    groups: tuple[BenchmarkGroup, ...]
    guessed: bool

    def holds(self, group: BenchmarkGroup) -> bool:
        """True if a group is the raw disk itself."""
        return any((member.kind, member.subject) == (group.kind, group.subject) for member in self.groups)


def raw_disk(shown: Sequence[BenchmarkGroup], chosen: str | None = None) -> Raw | None:
    """The raw-disk test: the one chosen by name (test, job or file), otherwise the first whose name says raw. None if
    there is none, or if the chosen one is missing."""
    groups = [group for group in shown if chosen is None or is_called(group, chosen)]
    if chosen is None:
        first = next((group for group in groups if _says_raw(group)), None)
        groups = [] if first is None else [group for group in groups if group.name == first.name]
    return Raw(groups[0].name, tuple(groups), chosen is None) if groups else None


def is_called(group: BenchmarkGroup, name: str) -> bool:
    """True if the name is that of the test, the job or the file (with or without folder and ending)."""
    subject = group.subject
    path = PurePosixPath(subject.path.replace("\\", "/"))
    return name.casefold() in {
        text.casefold() for text in (subject.test, subject.job, subject.path, path.name, path.stem) if text
    }


def ratio_to_raw(raw: Raw | None, group: BenchmarkGroup, op: Op, quantity: Quantity = "iops") -> Change | None:
    """The test's figure divided by the raw disk's; None for the raw disk itself and if either is missing."""
    if raw is None or raw.holds(group):
        return None
    base = counterpart(raw, group).measured(op, quantity)
    ours = group.measured(op, quantity)
    return change(base.values, ours.values) if base and ours else None


def counterpart(raw: Raw, group: BenchmarkGroup) -> BenchmarkGroup:
    """The raw-disk test with the same kind of I/O, otherwise the first."""
    kind = (group.kind.queue_depth, group.threads)
    return next((group for group in raw.groups if (group.kind.queue_depth, group.threads) == kind), raw.groups[0])


def _says_raw(group: BenchmarkGroup) -> bool:
    subject = group.subject
    return any(_SAYS_RAW.search(name.casefold()) for name in (subject.test, subject.job, subject.path) if name)
