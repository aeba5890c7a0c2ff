"""Queue-depth and thread sweeps: the same test with increasing I/O outstanding, and the step from which more is not
worth it.

Rows belong to one sweep if tool, host, direction, block size, pattern and mix are the same. Their names may differ only
in the queue depth or the number of threads. A sweep has three steps or more. In a queue-depth sweep the threads are
constant. In a thread sweep the queue depth is constant, or the total I/Os outstanding (threads × queue depth). A
constant total is used to test whether one processor core was the limit.

The knee is the first step whose doubling gains less than 10 % more IOPS. Doubling is used because the steps of a sweep
are uneven: the gain from 4 to 5 is not comparable with that from 4 to 8. The gain is that of the most IOPS up to a
step, because IOPS waver beyond the knee: a step that only recovers a loss gains nothing. If the last doubling still
gains 10 %, the sweep ended too early, and its last step counts as the knee.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from workbench.answers.benchmarks.compute import BenchmarkGroup, BenchmarkKind, BenchmarkSubject, Measured, groups
from workbench.model.benchmark import Benchmark, Op

# The minimum gain of a doubling, as a share.
GAIN = 0.10
MIN_STEPS = 3
Varies = Literal["queue_depth", "threads"]

# Less than half a doubling is too short to estimate the gain of a whole one.
_SHORTEST = math.sqrt(2)
_NUMBER = re.compile(r"\d{1,18}")


@dataclass(frozen=True, slots=True)
class SweepStep:
    """One step: the I/O requested, and its figures as means over repeats. Latency in ms, MB of 10^6 bytes."""

    queue_depth: int | None
    threads: int | None
    group: BenchmarkGroup
    iops: Measured
    mb_per_s: Measured | None
    latency_ms: Measured | None
    p99_ms: Measured | None = None

    @property
    def outstanding(self) -> int | None:
        """Total I/Os outstanding: threads × queue depth."""
        if self.queue_depth is None or self.threads is None:
            return None
        return self.queue_depth * self.threads


@dataclass(frozen=True, slots=True)
class DepthSweep:
    """`varies` rises over the steps; `held` is the constant number, `holds` its kind."""

    name: str
    subject: BenchmarkSubject
    kind: BenchmarkKind
    op: Op
    varies: Varies
    holds: Literal["threads", "queue_depth", "outstanding"]
    held: int | None
    steps: tuple[SweepStep, ...]

    @property
    def at(self) -> tuple[int, ...]:
        """The queue depths or threads of the steps."""
        return tuple(getattr(step, self.varies) or 0 for step in self.steps)

    @property
    def knee(self) -> int:
        """The index of the step from which more is not worth it."""
        return knee(doubling_gains(self))

    @property
    def best(self) -> int:
        """The index of the step with the most IOPS."""
        return max(range(len(self.steps)), key=lambda index: self.steps[index].iops.mean)

    @property
    def open_ended(self) -> bool:
        """True if the last doubling still gained that much: more might gain more."""
        return self.knee == len(self.steps) - 1


def knee(doublings: Sequence[float | None]) -> int:
    """The index of the first step whose doubling gains less than `GAIN`, otherwise the last step.

    `doublings` are in percent, None if unknown.
    """
    paying = {place: gain >= 100 * GAIN for place, gain in enumerate(doublings) if gain is not None}
    if not paying:
        return 0
    return len(doublings) - 1 if paying[max(paying)] else next(place for place in paying if not paying[place])


def doubling_gains(sweep: DepthSweep) -> tuple[float | None, ...]:
    """The gain of doubling queue depth or threads from each step, in percent of the most IOPS up to that step.

    Between two steps, IOPS are interpolated over the logarithm of the depth. If the sweep ends before the double, the
    rest counts as the start of a whole doubling. None without I/O, and if less than half a doubling is left.
    """
    at = sweep.at
    most = np.maximum.accumulate([step.iops.mean for step in sweep.steps])

    def gain(place: int) -> float | None:
        end = min(2 * at[place], at[-1])
        if not most[place] or end < (_SHORTEST if place else 1.0) * at[place]:
            return None
        ratio = float(np.interp(math.log2(end), np.log2(at), most) / most[place])
        return 100 * (math.pow(ratio, 1 / math.log2(end / at[place])) - 1)

    return tuple(gain(place) for place in range(len(at)))


def gains(sweep: DepthSweep) -> tuple[float | None, ...]:
    """The gain of each step in percent over the best of all before it; None for the first."""
    values: list[float | None] = []
    best: float | None = None
    for step in sweep.steps:
        value = step.iops.mean
        values.append(None if not best else 100 * (value / best - 1))
        best = value if best is None else max(best, value)
    return tuple(values)


def sweeps(rows: Iterable[Benchmark]) -> tuple[DepthSweep, ...]:
    """Every sweep in the rows, longest first; queue depth before threads. Failed jobs are not steps."""
    found: list[DepthSweep] = []
    for name, members in _alike(groups(rows)):
        steps = _steps(members)
        at_depth = _split(steps, "queue_depth", "threads")
        at_threads = _split(steps, "threads", "queue_depth")
        covered = {id(step) for _, part in (*at_depth, *at_threads) for step in part}
        rest = [step for step in steps if id(step) not in covered]
        found += [_sweep(name, members, "queue_depth", "threads", held, part) for held, part in at_depth]
        found += [_sweep(name, members, "threads", "queue_depth", held, part) for held, part in at_threads]
        found += [
            _sweep(name, members, "threads", "outstanding", held, part)
            for held, part in _split(rest, "threads", "outstanding")
            if held is not None
        ]
    return tuple(sorted(found, key=lambda sweep: (sweep.varies, -len(sweep.steps))))


def without_steps(shown: Iterable[BenchmarkGroup], found: Iterable[DepthSweep]) -> tuple[BenchmarkGroup, ...]:
    """The groups, with only the best step of each sweep."""
    steps = {_key(step.group) for sweep in found for step in sweep.steps}
    best = {_key(sweep.steps[sweep.best].group) for sweep in found}
    return tuple(group for group in shown if _key(group) not in steps or _key(group) in best)


def _key(group: BenchmarkGroup) -> tuple[BenchmarkKind, BenchmarkSubject]:
    return group.kind, group.subject


def _alike(found: Iterable[BenchmarkGroup]) -> list[tuple[str, list[BenchmarkGroup]]]:
    """The groups whose names differ only in queue depth and threads, with their common name."""
    templates: dict[tuple[object, ...], list[BenchmarkGroup]] = defaultdict(list)
    for group in found:
        if group.kind.queue_depth is not None or group.threads is not None:
            templates[(*_asked(group), group.main_op, group.ops, *_template(group))].append(group)
    alike: dict[tuple[object, ...], list[BenchmarkGroup]] = defaultdict(list)
    for template, members in templates.items():
        numbers = [tuple(int(found) for name in _names(group) for found in _NUMBER.findall(name)) for group in members]
        free = [_is_free(members, [row[index] for row in numbers]) for index in range(len(numbers[0]))]
        for group, row in zip(members, numbers, strict=True):
            kept = tuple(None if is_free else one for one, is_free in zip(row, free, strict=True))
            alike[(template, kept)].append(group)
    return [(_shared_name(members), members) for members in alike.values()]


def _asked(group: BenchmarkGroup) -> tuple[object, ...]:
    kind = group.kind
    return (group.subject.tool, group.subject.host, kind.block_bytes, kind.pattern, kind.read_percent)


def _names(group: BenchmarkGroup) -> tuple[str, ...]:
    return (group.subject.path, group.subject.test or "", group.subject.job or "")


def _template(group: BenchmarkGroup) -> tuple[str, ...]:
    return tuple(_NUMBER.sub("#", name) for name in _names(group))


def _is_free(members: Sequence[BenchmarkGroup], numbers: Sequence[int]) -> bool:
    """True if a number in the names is the queue depth of each, or the threads of each."""
    if len(set(numbers)) == 1:
        return False
    return any(
        all(number == asked for number, asked in zip(numbers, of_all, strict=True))
        for of_all in (
            [group.kind.queue_depth for group in members],
            [group.kind.threads for group in members],
            [group.threads for group in members],
        )
    )


def _shared_name(members: Sequence[BenchmarkGroup]) -> str:
    """The common name, with N in place of the parts that differ."""
    first = members[0].name
    if len({group.name for group in members}) == 1:
        return first
    rows = [_NUMBER.findall(group.name) for group in members]
    numbers = iter(zip(*rows, strict=False))
    return _NUMBER.sub(lambda match: match[0] if len(set(next(numbers))) == 1 else "N", first)


def _steps(members: Sequence[BenchmarkGroup]) -> list[SweepStep]:
    """One step per queue depth and threads; equal steps with different names are repeats."""
    rows: dict[tuple[int | None, int | None], list[BenchmarkGroup]] = defaultdict(list)
    for group in members:
        rows[(group.kind.queue_depth, group.threads)].append(group)
    steps = []
    for (depth, threads), same in rows.items():
        first = same[0]
        group = BenchmarkGroup(first.kind, first.subject, tuple(row for group in same for row in group.rows))
        iops = group.measured(group.main_op, "iops")
        if iops is not None:
            op = group.main_op
            steps.append(
                SweepStep(
                    depth,
                    threads,
                    group,
                    iops,
                    group.measured(op, "mb_per_s"),
                    group.measured(op, "latency_mean_ms"),
                    group.measured(op, "latency_p99_ms"),
                )
            )
    return steps


def _split(steps: Iterable[SweepStep], varies: Varies, holds: str) -> list[tuple[int | None, list[SweepStep]]]:
    """The steps by the constant number, if there are enough values of the other."""
    parts: dict[int | None, list[SweepStep]] = defaultdict(list)
    for step in steps:
        if getattr(step, varies) is not None:
            parts[getattr(step, holds)].append(step)
    rising = {held: sorted(part, key=lambda step: getattr(step, varies)) for held, part in parts.items()}
    return [(held, part) for held, part in rising.items() if len(part) >= MIN_STEPS]


def _sweep(
    name: str,
    members: Sequence[BenchmarkGroup],
    varies: Varies,
    holds: Literal["threads", "queue_depth", "outstanding"],
    held: int | None,
    part: Sequence[SweepStep],
) -> DepthSweep:
    first = part[0].group
    return DepthSweep(name, first.subject, first.kind, members[0].main_op, varies, holds, held, tuple(part))
