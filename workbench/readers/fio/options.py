"""fio job options (block size, queue depth, threads, read share, access pattern), and which jobs ran together.

Defaults are fio's own (bs 4096, iodepth 1, numjobs 1, rwmixread 50). They are used only if the document lists every
option it was given: since fio 2.17, which lists `global options` next to `job options`. Source: fio HOWTO, "Parameter
types" and "Job parameters".

Jobs with one name in one fio result are either clones (numjobs), which are added up, or ran one after the other. A job
that waits for those before it (`stonewall`, `wait_for_previous`) or has `new_group` begins a new `groupid`; its clones
share it. `job_start` (since 3.36) shows if groups overlapped. Older versions give all jobs one start and do not list an
option without a value, as `stonewall` usually is (3.42 lists it). There `elapsed` decides: it is the seconds of the
whole result, rounded up, and groups that ran one after the other take at least the sum of their run times. Source: fio
HOWTO, "Threads, processes and job synchronization"; init.c and stat.c of axboe/fio.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.readers.fio.documents import IN_PART, OPS, JsonObject
from workbench.readers.text.json import number

_LISTS_EVERYTHING = (2, 17)
_NANOSECONDS_SINCE = (2, 99)
_SIZE = re.compile(r"(0x[0-9a-f]+|[0-9]+)\s*([kmgtp]?)(i?)b?", re.IGNORECASE)
_POWERS = "kmgtp"
_DIRECTIONS = ("read", "write", "trim")
# The engines that read and write files and disks of the machine.
_OF_FILES = frozenset(
    ("sync", "psync", "vsync", "pvsync", "pvsync2", "libaio", "io_uring", "posixaio", "mmap", "windowsaio", "splice")
)
_BOTH = ("rw", "readwrite", "randrw")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one job. `complete`: an option that is not listed has fio's default."""

    values: Mapping[str, str]
    complete: bool

    def get(self, *names: str) -> str | None:
        """Returns the value of the first of the names (fio's aliases) that is listed."""
        return next((self.values[name] for name in names if name in self.values), None)


def options_of(job: Mapping[str, Any], content: Mapping[str, Any]) -> Options:
    """Returns the global options, overridden by the job's own."""
    own = job.get("job options")
    values = {**_global_options(job, content), **_pairs(own)}
    listed = "global options" in content or _version(content.get("fio version")) >= _LISTS_EVERYTHING
    return Options(values, isinstance(own, dict) and listed and IN_PART not in content)


def block_bytes(options: Options, op: str, measured: float | None) -> int | None:
    """Returns the block size of a direction in bytes; for `mixed` only if reads and writes have the same size.

    None if the size is a range, a split or unknown. `measured` bytes per I/O decide the meaning of "4KiB": fio reads it
    as 4000 unless kb_base is 1000, the opposite of the standard.
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
    # A value applies to the directions after it, unless a comma ends the list.
    part = parts[min(index, len(parts) - 1)]
    if not part:
        return 4096
    return _bytes(part, options.get("kb_base"), measured)


def queue_depth(options: Options) -> int | None:
    """Returns `iodepth` as set, even if a synchronous engine cannot reach it."""
    return _whole(options.get("iodepth"), 1 if options.complete else None)


def buffered(options: Options) -> bool:
    """True if the job goes through the page cache of the machine: fio's default, if neither `direct` nor `buffered`
    says otherwise."""
    if (options.get("ioengine") or "psync") not in _OF_FILES:
        return False
    direct, through = options.get("direct"), options.get("buffered")
    if direct is None and through is None:
        return options.complete
    # An option without a value is on.
    return through not in (None, "0") or (direct == "0" and through is None)


def threads(options: Options, entries: int) -> int | None:
    """Returns the jobs behind one entry: `numjobs` if fio merged the clones into one (group_reporting), otherwise 1.

    `entries` is the number of entries of the same job in the document.
    """
    clones = _whole(options.get("numjobs"), 1 if options.complete else None)
    if clones is None or entries == 1:
        return clones
    return 1 if entries % clones == 0 else None


def read_percent(options: Options, ios: Mapping[str, float]) -> float | None:
    """Returns the read share of the job in percent: the stated mix if both directions ran, otherwise the measured one.

    `ios` holds the I/O counts by direction; a `mixed` count does not show the mix.
    """
    reads, writes = ios.get("read", 0.0), ios.get("write", 0.0)
    if ios.get("mixed"):
        return _unified_percent(options)
    if not reads + writes:
        return None
    stated = _stated_mix(options)
    return stated if reads and writes and stated is not None else 100.0 * reads / (reads + writes)


def pattern(options: Options) -> str | None:
    """Returns `random` or `sequential`; None if the pattern is unknown or partly random."""
    mode = (options.get("rw", "readwrite") or "").split(":")[0]
    if not mode or options.get("percentage_random") is not None:
        return None
    return "random" if mode.startswith("rand") else "sequential"


def directions(options: Options) -> tuple[str, ...]:
    """Returns the directions that the job was meant to issue; empty if unknown."""
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
    # kb_base applies only to the options after it.
    if measured is not None and (infix or any(abs(size - measured) < 0.001 * size for size in readings)):
        return min(readings, key=lambda size: abs(size - measured)) or None
    decimal = bool(infix) != (kb_base == "1000")
    return readings[int(decimal)] or None


def _global_options(job: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, str]:
    """Returns the global options. fio 3.42 lists them per client, older versions as one object."""
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
    """True if this fio measures and logs latencies in nanoseconds (since 2.99), False if in microseconds; None:
    unknown."""
    stated = _version(version)
    return stated >= _NANOSECONDS_SINCE if stated > (0, 0) else None


def _version(stated: object) -> tuple[int, int]:
    match = re.search(r"(\d{1,4})\.(\d{1,4})", stated) if isinstance(stated, str) else None
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _whole(text: str | None, default: int | None) -> int | None:
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


_WAITS = ("stonewall", "wait_for_previous")
_NEW_GROUP = "new_group"
_DELAY = "startdelay"
_START_S = 2.0


@dataclass(frozen=True, slots=True)
class Runs:
    """The run number of each entry of a job, from 1; None for all if it is unknown which entries ran together.
    `by_time`: the runs were separated by the duration of the result, which also includes laying out the files."""

    numbers: tuple[int | None, ...]
    by_time: bool = False


@dataclass(frozen=True, slots=True)
class _Job:
    """One entry: its group, its start (None: not stated), its run time in seconds, and its options."""

    group: float
    start: float | None
    runtime: float
    options: Options


def runs_of_job(entries: Sequence[JsonObject], options: Sequence[Options], every: Sequence[JsonObject]) -> Runs:
    """Returns the runs of the entries of one job with these options. `every` are all entries of the result."""
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
    """Separates runs by start time: groups that overlapped are one run. Run times cover the I/O without the ramp before
    it."""
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
    """Returns the longest run time of each group, the shortest first."""
    longest: dict[float, float] = {}
    for entry in entries:
        longest[_group(entry)] = max(longest.get(_group(entry), 0.0), _runtime(entry))
    return sorted(longest.values())


def _overlapped(longest: Sequence[float], elapsed: float) -> bool:
    """True if no two groups can have run one after the other: the time was too short even for the two shortest."""
    return 0 < elapsed < sum(longest[:2])


def _one_after_the_other(longest: Sequence[float], elapsed: float) -> bool:
    """True if the result took as long as all groups one after the other, and so much longer than the longest group that
    the start of fio does not explain the difference."""
    return elapsed >= sum(longest) >= longest[-1] + _START_S


def _says(jobs: Sequence[_Job], *names: str) -> bool:
    """True if the job has this option without a value or with a true one."""
    return any(job.options.get(*names) not in (None, "0") for job in jobs)


def _runtime(entry: JsonObject) -> float:
    """Returns the seconds of the direction that ran longest."""
    times = (number(entry[op].get("runtime")) for op in OPS if isinstance(entry.get(op), dict))
    return max((value for value in times if value is not None), default=0.0) / 1000
