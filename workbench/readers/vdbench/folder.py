"""One run of a vdbench output folder: each value once, with the shares of hosts, storage and workloads as slices.

A folder states its results several times: in its flatfile, totals, summary and log, and a script may add the flatfile
as CSV. The values show which files belong together, not the names: a report repeats another if each of its runs is also
in the other, with the same printed rate and response time. Of such reports the one with the most runs counts, otherwise
the flatfile, then totals, summary and log. Pages of a host, a slave, storage or a workload become slices of its rows.

The title of a file shows its kind. Source: *Report files* in the Vdbench Users Guide 5.04.07
(github.com/sine-io/VdbenchUsersGuide-cn, commit 2d0d64e1), the titles in vdbench's own source (`new Report(…)`,
github.com/itfanr/vdbench, commit 2a92906b), and whole folders of two testers (github.com: cloudanimal/Vdbench 30a1dc23,
masakioui/vdb 8dce9ec4, masakioui/vdb_oceanstor d45784f3). `flatfile`, `totals`, `summary` and the log state the results
of the whole run. Pages of a host, a slave (a process on a host), an SD or FSD (storage), and a WD or FWD (workload)
state each one's share of the same run. The other files hold no results of a run.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import groupby
from pathlib import PurePosixPath

from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reading
from workbench.readers.common.row_problems import acted, numbered
from workbench.readers.text import documents as bt
from workbench.readers.vdbench.tables import TOOL, flatfile_header

# Reports print a rate with one decimal and a response time with three.
_RATE, _RESPONSE, _SHARE = 0.06, 0.0011, 1e-3
_OWN_NAMES = ("flatfile", "totals", "summary", "logfile")
# Pages, histograms and other files without results add nothing to the run's own reports.
_SAID_BY_RUN = ("contents", "no-results")
_Key = tuple[str | None, str]


def vdbench_runs(readings: Sequence[Reading], folder: str) -> list[Reading]:
    """Returns the readings of a folder, with those of vdbench as one run (or as several if their results differ);
    `folder` is its name."""
    places: dict[PurePosixPath, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        if reading.report.reader == TOOL:
            places[PurePosixPath(reading.report.path).parent].append(index)
    result = list(readings)
    for place, indices in places.items():
        for index, reading in zip(indices, _one_run([readings[i] for i in indices], place.name or folder), strict=True):
            result[index] = reading
    return result


def _one_run(files: Sequence[Reading], folder: str) -> list[Reading]:
    ranked = sorted(
        (index for index, file in enumerate(files) if _is_whole(file)), key=lambda index: _rank(files[index])
    )
    copies: dict[int, list[int]] = {}
    for index in ranked:
        lead = next((lead for lead in copies if _repeats(files[lead], files[index])), None)
        if lead is None:
            copies[index] = []
        else:
            copies[lead].append(index)
    if not copies:
        return [_quiet(file) for file in files] if any(file.report.part in WHOLE for file in files) else list(files)
    slices, unclear = {lead: list[int]() for lead in copies}, list[int]()
    for index, file in enumerate(files):
        if file.benchmarks and not _is_whole(file):
            leads = [lead for lead in copies if _covers(files[lead], file)]
            if len(leads) == 1:
                slices[leads[0]].append(index)
            elif leads:
                unclear.append(index)
    result = [_quiet(file) for file in files]
    for index in unclear:
        lost = _unplaced(files[index].benchmarks, files[index].report.path)
        file = _emptied(files[index], keeps_series=True)
        result[index] = replace(file, problems=(*file.problems, *lost))
    for lead, repeated in copies.items():
        _gather(result, lead, repeated, slices[lead], folder)
    return result


def _gather(files: list[Reading], lead: int, repeated: list[int], slices: list[int], folder: str) -> None:
    """Adds slices to the rows of the lead, and removes duplicate results from the others."""
    rows = [_named(row, folder) for row in files[lead].benchmarks]
    kinds = Counter(_kind(files[index]) for index in slices)
    problems = list(files[lead].problems)
    for index in slices:
        rows, lost = _with_slices(rows, files[index].benchmarks)
        files[index] = _emptied(files[index], keeps_series=_tells(_kind(files[index]), kinds))
        problems += _unplaced(lost, files[index].report.path)
    for index in repeated:
        files[index] = _emptied(files[index], keeps_series=False)
    if repeated or slices:
        problems.append(_copies_problem(files[lead], [files[index] for index in repeated], len(slices)))
    files[lead] = replace(files[lead], benchmarks=tuple(rows), problems=tuple(problems))


def _is_whole(file: Reading) -> bool:
    return bool(file.benchmarks) and file.report.part in WHOLE


def _rank(file: Reading) -> tuple[int, int, bool, str]:
    """Sorts the report with the most runs first, then the one with the most digits, and vdbench's own before a CSV
    copy."""
    path = file.report.path
    return -len(_runs(file)), WHOLE.index(file.report.part or ""), not path.endswith(".html"), path


def _runs(file: Reading) -> list[Benchmark]:
    """Returns one row per average: `total`, or the only direction."""
    return [list(rows)[-1] for _, rows in groupby(file.benchmarks, key=lambda row: row.line)]


def _repeats(lead: Reading, file: Reading) -> bool:
    left = _runs(lead)
    for row in _runs(file):
        same = next((other for other in left if _same(row, other)), None)
        if same is None:
            return False
        left.remove(same)
    return True


def _same(row: Benchmark, other: Benchmark) -> bool:
    near = _near(row.iops, other.iops, _RATE)
    return row.job == other.job and near and _near(row.latency_mean_ms, other.latency_mean_ms, _RESPONSE)


def _near(value: float | None, other: float | None, step: float) -> bool:
    if value is None or other is None:
        return value is other
    return abs(value - other) <= step + _SHARE * abs(other)


def _covers(lead: Reading, file: Reading) -> bool:
    return {row.job for row in file.benchmarks} <= {row.job for row in lead.benchmarks}


def _kind(file: Reading) -> str:
    return (file.report.part or "").rpartition(" ")[0]


def _tells(kind: str, kinds: Counter[str]) -> bool:
    """True if slices of a kind add information: a single host does not, and neither do slaves if each host has one."""
    return kinds[kind] > 1 and not (kind == "slave" and kinds["slave"] == kinds["host"])


def _with_slices(rows: list[Benchmark], slices: Sequence[Benchmark]) -> tuple[list[Benchmark], list[Benchmark]]:
    """Returns the rows with these slices, and the slices whose run is unknown, because some of several runs with one
    name lack a slice."""
    places: dict[_Key, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        places[row.job, row.op].append(index)
    result, lost = list(rows), list[Benchmark]()
    for key, members in _by_key(slices).items():
        if len(places[key]) != len(members):
            lost += members
            continue
        for index, member in zip(places[key], members, strict=True):
            result[index] = replace(result[index], slices=(*result[index].slices, member))
    return result, lost


def _by_key(rows: Iterable[Benchmark]) -> dict[_Key, list[Benchmark]]:
    members: dict[_Key, list[Benchmark]] = defaultdict(list)
    for row in rows:
        members[row.job, row.op].append(row)
    return members


def _named(row: Benchmark, folder: str) -> Benchmark:
    """Names a run after its folder if it only has one of vdbench's own file names."""
    return replace(row, test=folder) if row.test in _OWN_NAMES and folder else row


def _emptied(file: Reading, keeps_series: bool) -> Reading:
    """Returns a file without its results, which another file holds. Its warnings stay."""
    kept = tuple(problem for problem in file.problems if problem.severity is not Severity.INFO)
    return replace(file, benchmarks=(), problems=kept, recording=file.recording if keeps_series else None)


def _quiet(file: Reading) -> Reading:
    """Returns a file without results as belonging to the run, without a message, if the run's report is in the
    folder."""
    if file.benchmarks or file.report.part in WHOLE:
        return file
    return replace(file, problems=tuple(problem for problem in file.problems if problem.code not in _SAID_BY_RUN))


def _unplaced(lost: Sequence[Benchmark], path: str) -> list[Problem]:
    if not lost:
        return []
    rows = f"{numbered(len(lost), 'row')} of {PurePosixPath(path).name}"
    action = acted("row ignored; the totals of the runs are complete", len(lost))
    return [bt.info(path, "copies", f"{rows} may belong to several runs with the same name.", action)]


def _copies_problem(lead: Reading, repeated: Sequence[Reading], slices: int) -> Problem:
    names = [PurePosixPath(file.report.path).name for file in repeated]
    files = f"{few_named(names, 1)}{' files' * (len(names) > 2)} repeat{'s' * (len(names) == 1)}"
    parts = [f"{files} this vdbench run"] * bool(names)
    contain = "contains" if slices == 1 else "contain"
    whole = "it" if names else "this vdbench run"
    parts += [f"{numbered(slices, 'other file')} {contain} parts of {whole}"] * bool(slices)
    action = f"each value is imported once, from {PurePosixPath(lead.report.path).name}" + (
        "; parts are listed under their run" if slices else ""
    )
    return Problem(Severity.INFO, lead.report.path, "copies", f"{'; '.join(parts)}.", action)


class FileKind(Enum):
    """A file states the whole run, a slice of it, or no results."""

    WHOLE = auto()
    SLICE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class File:
    """The kind of a file: `flatfile`, `host n1`, `skew report`."""

    part: str
    kind: FileKind


# The files that state the whole run, the best first: the flatfile has the most digits.
WHOLE = ("flatfile", "totals", "summary", "log")
HISTOGRAM, ERRORS, LOG = "histogram", "error log", "log"
_HEAD = 4000
# With the time of day that vdbench writes before it: scripts and vdbench's own source hold only the words.
_STARTS = re.compile(r"\d\d:\d\d:\d\d\.\d{3} Starting RD=")
NO_ERRORS = "Error log. If there "
_OPENS = re.compile(r"\s{0,9}(?:<title>Vdbench [^<\n]{0,400}</title>)?<pre>\s{0,9}")
_SLICES = (
    (re.compile(r"Host summary report\(s\) for host=(\S{1,200})"), "host {}"),
    (re.compile(r"Slave summary report for slave=(\S{1,200})"), "slave {}"),
    (re.compile(r"SD report for sd=(\S{1,200})"), "sd {}"),
    (re.compile(r"(?:Host|Slave) SD report for sd=([^\n]{1,200})"), "sd of one host {}"),
    (re.compile(r"Workload Report for wd=(\S{1,200})"), "wd {}"),
    (re.compile(r"Report for (fsd|fwd) (\S{1,200})"), "{} {}"),
)
_OTHERS = (
    (re.compile(r"(?s)\A(?:[^<]{0,400}?response time histogram\.\s*$|[^\n]{0,200}histogram\.)", re.M), HISTOGRAM),
    (re.compile(r"Performance histogram for "), HISTOGRAM),
    (re.compile(r"Workload skew report"), "skew report"),
    (re.compile(r"stdout/stderr for slave="), "slave messages"),
    (re.compile(r"\* Vdbench status"), "status"),
    (re.compile(r"Vdbench error log, created|" + NO_ERRORS), ERRORS),
    (re.compile(r"Anchor status report"), "file and directory report"),
    (re.compile(r"Output from script [^\n]{0,400}config"), "host configuration"),
    (re.compile(r"This file will contain the last 'nn' lines of files"), "host system messages"),
    (
        re.compile(r"(?:Host )?Kstat (?:summary|instance) report|Host nfs statistics report"),
        "operating system counters",
    ),
    (re.compile(r"\* Contents of parameter file: "), "parameter file"),
    (re.compile(r"\d\d:\d\d:\d\d\.\d{3} line: "), "parameter log"),
)
_SWAT = re.compile(r"(?s):date \d{8}-\d\d:\d\d:\d\d\.\d{3}\n.{0,3000}?:vdbench\d{1,6}_vdbench_data_for_swat")


def file_of(text: str) -> File | None:
    """Returns the kind of a text, or None if it is not a file of vdbench (or a copy of its console)."""
    head = text[:_HEAD]
    opens = _OPENS.match(head)
    if opens is None and _SWAT.match(head):
        return File("Swat data", FileKind.OTHER)
    title = head[opens.end() :] if opens else head
    if opens is None and not title.startswith(NO_ERRORS):
        return _whole(text, head)
    for pattern, part in _SLICES:
        if (match := pattern.match(title)) is not None:
            return File(part.format(*match.groups()), FileKind.SLICE)
    for pattern, part in _OTHERS:
        if pattern.match(title) is not None:
            return File(part, FileKind.OTHER)
    return _whole(text, head)


def _whole(text: str, head: str) -> File | None:
    if re.search(r"^Run totals\s*$", head, re.MULTILINE) and "<pre>" in head:
        return File("totals", FileKind.WHOLE)
    if "Vdbench summary report" in head and "<pre>" in head:
        return File("summary", FileKind.WHOLE)
    if "Vdbench distribution: " in head or "input argument scanned: " in head:
        return File(LOG, FileKind.WHOLE)
    if any(flatfile_header(line) for line in text.split("\n", 200)[:200]):
        return File("flatfile", FileKind.WHOLE)
    # A copy of the console, which has no title.
    return File(LOG, FileKind.WHOLE) if _STARTS.search(text) else None
