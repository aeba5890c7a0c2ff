"""Combines the fio files of one folder once all are read.

Logs do not say if their latencies are in nanoseconds or microseconds. A result in the same folder, or in the nearest
folder above, states fio's version, which decides the unit. A text report is left out if the same folder has JSON of the
same run, so each run counts once. JSON is preferred to the normal report, and that to terse output.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import dirname

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem, Severity, all_named
from workbench.model.reading import Reading
from workbench.readers.common.row_problems import acted, numbered
from workbench.readers.fio import log
from workbench.readers.fio.options import counts_nanoseconds

_RESULT, _LOG = "fio", log.LABEL
TWICE = "report-twice"
_EMPTY_SLAT = re.compile(r"_slat(?:\.\d{1,9})?\.log$", re.IGNORECASE)
_SAME_MEAN = 0.02
_PRINTED_MS = 1e-5


def settled(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the readings in their order. Readings of fio are updated with facts from the other fio files next to
    them."""
    # Sort by name: files are read in any order, and the first one of a folder decides for the others.
    ours = sorted(
        (index for index, each in enumerate(readings) if _is_ours(each)), key=lambda at: readings[at].report.path
    )
    known = list(readings)
    if len(ours) > 1:
        for index, reading in zip(ours, _settled([readings[index] for index in ours]), strict=True):
            known[index] = reading
    return known


def _is_ours(reading: Reading) -> bool:
    return reading.report.reader in (_RESULT, _LOG) or _is_empty_slat(reading)


def _is_empty_slat(reading: Reading) -> bool:
    empty = any(problem.code == "empty-file" for problem in reading.problems)
    return empty and _EMPTY_SLAT.search(reading.report.path) is not None


def _settled(readings: list[Reading]) -> list[Reading]:
    units = _units(readings)
    placed = [_with_unit(reading, units) if reading.report.reader == _LOG else reading for reading in readings]
    folders = {_folder(reading) for reading in readings if not _is_empty_slat(reading)}
    explained = [
        _explained(reading) if _is_empty_slat(reading) and _folder(reading) in folders else reading
        for reading in placed
    ]
    return _each_run_once(explained)


def _explained(reading: Reading) -> Reading:
    """Returns an empty submission log with a note: next to other files of fio nothing is missing."""
    name = reading.report.path
    message = "The log of submission latencies is empty: engines that wait for each I/O have no submission latency."
    action = "file ignored; no data is missing"
    return replace(reading, problems=(Problem(Severity.INFO, name, "empty-file", message, action),))


def _folder(reading: Reading) -> PurePosixPath:
    return PurePosixPath(dirname(reading.report.path))


def _units(readings: Iterable[Reading]) -> dict[PurePosixPath, bool]:
    """Maps each folder with results to True if its fio counts nanoseconds. Folders with contradicting results are left
    out."""
    stated: dict[PurePosixPath, set[bool]] = defaultdict(set)
    for reading in readings:
        for version in {row.tool_version for row in reading.benchmarks}:
            if (nanoseconds := counts_nanoseconds(version)) is not None:
                stated[_folder(reading)].add(nanoseconds)
    return {folder: next(iter(units)) for folder, units in stated.items() if len(units) == 1}


def _with_unit(reading: Reading, units: dict[PurePosixPath, bool]) -> Reading:
    folder = _folder(reading)
    nearest = units.get(folder)
    if nearest is None:
        nearest = next((units[above] for above in folder.parents if above in units), None)
    return reading if nearest is None else log.with_unit(reading, nearest)


def _each_run_once(readings: list[Reading]) -> list[Reading]:
    """Returns the readings without the runs of text reports that another file of the same folder also holds."""
    folders: dict[PurePosixPath, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        if reading.benchmarks:
            folders[_folder(reading)].append(index)
    known = list(readings)
    for members in folders.values():
        if len(members) > 1:
            for index, reading in _without_repeats({index: readings[index] for index in members}):
                known[index] = reading
    return known


def _without_repeats(readings: dict[int, Reading]) -> Iterator[tuple[int, Reading]]:
    better: dict[str, list[Benchmark]] = {}
    for rank in range(3):
        members = {index: reading for index, reading in readings.items() if _rank(reading) == rank}
        left = {path: list(rows) for path, rows in better.items()}
        for index, reading in members.items():
            twice: dict[str, list[Benchmark]] = defaultdict(list)
            for rows in _runs(reading):
                path = _taken(rows, left, reading.report.path)
                if path:
                    twice[path] += rows
            if twice:
                reading = _left_out(reading, twice)
                yield index, reading
            better[reading.report.path] = list(reading.benchmarks)


def _rank(reading: Reading) -> int:
    """Returns 0 for JSON, 1 for a normal report, 2 for terse output; the lowest of these for a file with several."""
    codes = {problem.code for problem in reading.problems}
    return 0 if any(row.place for row in reading.benchmarks) else 1 if "rounded-figures" in codes else 2


def _runs(reading: Reading) -> list[list[Benchmark]]:
    runs: dict[int | None, list[Benchmark]] = defaultdict(list)
    for row in reading.benchmarks:
        if not row.place:
            runs[row.run].append(row)
    return list(runs.values())


def _taken(rows: list[Benchmark], left: dict[str, list[Benchmark]], path: str) -> str | None:
    """Returns the file in `left` that has all these rows, or None. The rows are removed from `left`, so each run there
    matches only one run here. A file with the same name but another ending is tried first."""
    stem = PurePosixPath(path).stem
    for other in sorted(left, key=lambda each: (PurePosixPath(each).stem != stem, each)):
        rest = list(left[other])
        for row in rows:
            same = next((index for index, each in enumerate(rest) if _is_same(row, each)), None)
            if same is None:
                break
            del rest[same]
        else:
            left[other] = rest
            return other
    return None


def _is_same(row: Benchmark, other: Benchmark) -> bool:
    """True if a text row and another row are one measurement: IOPS agree within 1, means within their printed
    precision."""
    if (row.job, row.op, row.tool_version) != (other.job, other.op, other.tool_version):
        return False
    if row.iops is None or other.iops is None:
        return row.iops is other.iops and row.error == other.error
    # In a total, each of its parts was cut to a whole number.
    if abs(row.iops - other.iops) > max(2.0 if row.op is Op.TOTAL else 1.0, 1e-5 * other.iops):
        return False
    if row.latency_mean_ms is None or other.latency_mean_ms is None:
        return row.latency_mean_ms is other.latency_mean_ms
    return abs(row.latency_mean_ms - other.latency_mean_ms) <= _SAME_MEAN * other.latency_mean_ms + _PRINTED_MS


def _left_out(reading: Reading, twice: dict[str, list[Benchmark]]) -> Reading:
    gone = {id(row) for rows in twice.values() for row in rows}
    kept = tuple(row for row in reading.benchmarks if id(row) not in gone)
    name, others = reading.report.path, all_named(list(twice))
    repeat = "repeats a run" if len(gone) == 1 else "repeat runs"
    message = f"{numbered(len(gone), 'row')} of this text report {repeat} in {others}."
    problem = Problem(Severity.INFO, name, TWICE, message, acted("row ignored, so each run counts once", len(gone)))
    report = replace(reading.report, rows=len(kept))
    # Rounding is irrelevant in a report without rows.
    rest = tuple(each for each in reading.problems if kept or each.severity is not Severity.INFO)
    return replace(reading, report=report, benchmarks=kept, problems=(*rest, problem))
