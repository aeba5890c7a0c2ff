"""Which jobs of one name in one fio result ran together: clones (numjobs), which are added, or one after the other.

A job that waits for those before it (`stonewall`, `wait_for_previous`) or has `new_group` begins a new `groupid`; its
clones share it. `job_start` (3.36 on) tells whether groups overlapped. Before, fio gives all jobs one start, and does
not list an option without a value, as `stonewall` mostly is (3.42 does): there `elapsed` decides, the seconds of the
whole result, rounded up: groups that ran one after the other take the sum of their run times or more.
Source: fio HOWTO, "Threads, processes and job synchronization"; init.c and stat.c of axboe/fio.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.readers.fio.documents import OPS, JsonObject
from workbench.readers.fio.options import Options
from workbench.readers.text.json import number

_WAITS = ("stonewall", "wait_for_previous")
_NEW_GROUP = "new_group"
_DELAY = "startdelay"
_START_S = 2.0


@dataclass(frozen=True, slots=True)
class Runs:
    """The run of each entry of a job, from 1; None for all where it cannot be told which ran together. `by_time`: they
    were told apart by how long the result took, which the laying out of files makes longer too."""

    numbers: tuple[int | None, ...]
    by_time: bool = False


@dataclass(frozen=True, slots=True)
class _Job:
    """One entry: its group, its start (None: not stated) and run time in seconds, and its options."""

    group: float
    start: float | None
    runtime: float
    options: Options


def runs_of_job(entries: Sequence[JsonObject], options: Sequence[Options], every: Sequence[JsonObject]) -> Runs:
    """The runs of the entries of one job, which have these options; `every` are all entries of the result."""
    jobs = [_job(entry, own) for entry, own in zip(entries, options, strict=True)]
    groups = {group: [job for job in jobs if job.group == group] for group in sorted({job.group for job in jobs})}
    together, apart = Runs((1,) * len(jobs)), {group: place for place, group in enumerate(groups, 1)}
    if all(job.start is not None for job in jobs):
        numbers = _by_start(groups)
        return Runs(tuple(numbers[job.group] for job in jobs))
    if any(len({job.options.get(_DELAY) for job in members}) > 1 for members in groups.values()):
        return Runs((None,) * len(jobs))
    elapsed = max((number(entry.get("elapsed")) or 0.0 for entry in every), default=0.0)
    if len(groups) == 1 or _overlapped(_longest(entries), elapsed):
        return together
    later = list(groups.values())[1:]
    waits = all(_says(members, *_WAITS) for members in later)
    if waits or _one_after_the_other(_longest(every), elapsed):
        return Runs(tuple(apart[job.group] for job in jobs), by_time=not waits)
    return together if all(_says(members, _NEW_GROUP) for members in later) else Runs((None,) * len(jobs))


def _job(entry: JsonObject, options: Options) -> _Job:
    start = number(entry.get("job_start"))
    return _Job(_group(entry), start / 1000 if start else None, _runtime(entry), options)


def _group(entry: JsonObject) -> float:
    return number(entry.get("groupid")) or 0.0


def _by_start(groups: Mapping[float, Sequence[_Job]]) -> dict[float, int]:
    """Groups that overlapped are one run. Run times are those of the I/O, without the ramp before it."""
    spans = sorted(
        (min(job.start or 0.0 for job in jobs), max((job.start or 0.0) + job.runtime for job in jobs), group)
        for group, jobs in groups.items()
    )
    run, until, numbers = 1, spans[0][1], {}
    for start, end, group in spans:
        run, until = (run + 1, end) if start >= until else (run, max(until, end))
        numbers[group] = run
    return numbers


def _longest(entries: Sequence[JsonObject]) -> list[float]:
    """The longest run time of each group, the shortest first."""
    longest: dict[float, float] = {}
    for entry in entries:
        longest[_group(entry)] = max(longest.get(_group(entry), 0.0), _runtime(entry))
    return sorted(longest.values())


def _overlapped(longest: Sequence[float], elapsed: float) -> bool:
    """Whether no two groups can have run one after the other: there was no time for the two shortest."""
    return 0 < elapsed < sum(longest[:2])


def _one_after_the_other(longest: Sequence[float], elapsed: float) -> bool:
    """Whether the result took as long as all groups one after the other, and so much longer than the longest of them
    that the start of fio does not explain it."""
    return elapsed >= sum(longest) >= longest[-1] + _START_S


def _says(jobs: Sequence[_Job], *names: str) -> bool:
    """Whether an option without a value, or with a true one, stands at the job."""
    return any(job.options.get(*names) not in (None, "0") for job in jobs)


def _runtime(entry: JsonObject) -> float:
    """Seconds of the direction that ran longest."""
    times = (number(entry[op].get("runtime")) for op in OPS if isinstance(entry.get(op), dict))
    return max((value for value in times if value is not None), default=0.0) / 1000
