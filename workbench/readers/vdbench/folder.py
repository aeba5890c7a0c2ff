"""One run of a folder that vdbench wrote: each figure once, the shares of hosts, storage and workloads below it.

A folder states the same results in its flatfile, totals, summary and log, and a script may add the flatfile as CSV.
The figures show what belongs together, not the names: a report repeats another where each of its runs stands
there as well, with the same rate and response time as far as they are printed. Of such reports the one with the most
runs counts, else the flatfile, then totals, summary and log. Pages of a host, a slave, storage or a workload become
slices of its rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePosixPath

from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.readers.text import documents as bt
from workbench.readers.vdbench.files import WHOLE
from workbench.readers.vdbench.rows import TOOL

# Reports print a rate with one decimal and a response time with three.
_RATE, _RESPONSE, _SHARE = 0.06, 0.0011, 1e-3
_OWN_NAMES = ("flatfile", "totals", "summary", "logfile")
_NAMED = 4
# Of a page, a histogram and other files that hold no results the run's own reports say all there is to say.
_SAID_BY_RUN = ("contents", "no-results")
_Key = tuple[str | None, str]


def vdbench_runs(readings: Sequence[Reading], folder: str) -> list[Reading]:
    """The readings of a folder, those of vdbench as one run (or as several, where their results differ); `folder` is
    its name."""
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
    """Gives the rows of the lead their slices, and takes from the others what would count twice."""
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
    """The report with the most runs first, then the one with the most digits; vdbench's own before a copy as CSV."""
    path = file.report.path
    return -len(_runs(file)), WHOLE.index(file.report.part or ""), not path.endswith(".html"), path


def _runs(file: Reading) -> list[Benchmark]:
    """One row for each average: `total`, or the only direction."""
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
    """Whether slices of a kind say more than the run: one host alone does not, nor do slaves, one on each host."""
    return kinds[kind] > 1 and not (kind == "slave" and kinds["slave"] == kinds["host"])


def _with_slices(rows: list[Benchmark], slices: Sequence[Benchmark]) -> tuple[list[Benchmark], list[Benchmark]]:
    """The rows with these slices, and the slices whose run cannot be told: of several runs of one name some lack."""
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
    """A run of vdbench's own file names is called after its folder."""
    return replace(row, test=folder) if row.test in _OWN_NAMES and folder else row


def _emptied(file: Reading, keeps_series: bool) -> Reading:
    """A file whose results stand elsewhere. Its warnings stay."""
    kept = tuple(problem for problem in file.problems if problem.severity is not Severity.INFO)
    return replace(file, benchmarks=(), problems=kept, recording=file.recording if keeps_series else None)


def _quiet(file: Reading) -> Reading:
    """A file without results beside the report of a run needs no word: it belongs to the run."""
    if file.benchmarks or file.report.part in WHOLE:
        return file
    return replace(file, problems=tuple(problem for problem in file.problems if problem.code not in _SAID_BY_RUN))


def _unplaced(lost: Sequence[Benchmark], path: str) -> list[Problem]:
    if not lost:
        return []
    message = f"{len(lost)} rows of {PurePosixPath(path).name} fit several runs of the same name."
    return [bt.info(path, "copies", message, "ignored as parts; the results of the whole runs are complete")]


def _copies_problem(lead: Reading, repeated: Sequence[Reading], slices: int) -> Problem:
    names = [PurePosixPath(file.report.path).name for file in repeated]
    shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    parts = [
        f"{shown} state the same vdbench run" if len(names) > 1 else f"{shown} states the same vdbench run"
    ] * bool(names)
    parts += [
        f"{slices} files state it by host, slave, storage or workload" if slices > 1 else "1 file states a part of it"
    ] * bool(slices)
    own = PurePosixPath(lead.report.path).name
    action = f"each figure counts once, from {own}" + ("; the parts are listed under their run" if slices else "")
    return Problem(Severity.INFO, lead.report.path, "copies", f"{'; '.join(parts)}.", action)
