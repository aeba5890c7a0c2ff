"""A file is judged by the rules when it has just been read: certain cases are left out, every case is a problem.

Benchmark rows are judged by the rules when their file has just been read: figures that cannot be are left empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.model.benchmark import Benchmark, LatencyKind
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.study.plausibility.notes import place
from workbench.study.plausibility.rules import FIGURES, MEAN_SLACK, MEAN_SLACK_MS
from workbench.study.plausibility.stored import FloatArray
from workbench.study.series.segments import GAP_MEDIANS, paced

if TYPE_CHECKING:
    import numpy.typing as npt

    from workbench.study.plausibility.cases import Case
    from workbench.study.plausibility.spikes import Standstill
    from workbench.study.plausibility.stored import Stored

    Cells = dict[int, npt.NDArray[np.intp]]

# What is kept of counters that are looked at more than once: those of a machine, and up to so many values.
_LEAST_KEPT, _KEPT_VALUES = 8, 1 << 22


# numpy and polars are loaded where samples are looked at: a worker that reads none starts without them.


def plausible(reading: Reading, columns: Path) -> Reading:
    """The reading with a problem for each case, the samples of certain ones left empty in `columns`.

    Recordings without a clock, of benchmarks, are no desktops' and are not judged; the rows of a benchmark are.
    """
    reading = plausible_figures(reading)
    recording = reading.recording
    if recording is None or recording.relative or recording.rows < 2:
        return reading
    if all(series.metric is None for series in recording.series):
        return reading
    import numpy as np

    from workbench.readers.common.stored_rows import leave_empty
    from workbench.study.plausibility.notes import notes
    from workbench.study.plausibility.stored import opened

    stored = opened(columns, recording.rows)
    times = stored.times
    with np.errstate(over="ignore", invalid="ignore"):
        cases, standstills = _found(reading, stored, times)
    pace = pace_problem(reading, times)
    if not cases and not standstills and pace is None:
        return reading
    cells = _left_out(cases, standstills, stored, reading)
    problems = [*notes(reading, times, cases, standstills), *([pace] if pace else [])]
    del stored  # Windows replaces no file that is mapped.
    leave_empty(columns, cells)
    missing = reading.report.missing_cells + sum(rows.size for rows in cells.values())
    report = replace(reading.report, missing_cells=missing)
    return replace(reading, report=report, problems=(*reading.problems, *problems))


def _found(reading: Reading, stored: Stored, times: FloatArray) -> tuple[list[Case], list[Standstill]]:
    import numpy as np

    from workbench.study.plausibility.screen import suspects
    from workbench.study.plausibility.spikes import high_cases, standstills

    assert reading.recording is not None
    series = reading.recording.series
    by_column = {one.column: one for one in series}
    steps = np.diff(times)
    usual = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    seconds = np.concatenate(([usual], steps))
    high, still = suspects(stored, series, usual)
    if not high and not still:
        return [], []

    @lru_cache(maxsize=max(_LEAST_KEPT, _KEPT_VALUES // stored.rows))
    def scaled(column: int) -> FloatArray:
        metric, values = by_column[column].metric, stored.column(column)
        return values if metric is None or metric.scale == 1.0 else values * metric.scale

    cases = list(high_cases([by_column[place] for place in high], series, seconds, lambda one: scaled(one.column)))
    return cases, standstills([by_column[place] for place in still], series, lambda one: scaled(one.column))


def _left_out(
    cases: Sequence[Case], standstills: Sequence[Standstill], stored: Stored, reading: Reading
) -> Mapping[int, npt.NDArray[np.intp]]:
    """The rows to leave empty of each column: those that hold a value."""
    import numpy as np

    assert reading.recording is not None
    rows: dict[int, list[npt.NDArray[np.intp]]] = defaultdict(list)
    for case in cases:
        if case.left_out:
            rows[case.series.column].append(case.rows)
    for standstill in standstills:
        if standstill.whole:
            repeats = np.arange(standstill.first + 1, standstill.last + 1, dtype=np.intp)
            for series in _of_machines(standstill, reading):
                rows[series].append(repeats)
    cells: Cells = {}
    for column, parts in rows.items():
        joined = np.unique(np.concatenate(parts))
        cells[column] = joined[~np.isnan(stored.column(column)[joined])]
    return {column: found for column, found in cells.items() if found.size}


def _of_machines(standstill: Standstill, reading: Reading) -> list[int]:
    """The columns of all counters with a meaning of the machines that stood still."""
    assert reading.recording is not None
    machines = {(still.series.vm, still.series.host) for still in standstill.stills}
    return [
        series.column
        for series in reading.recording.series
        if series.metric is not None and (series.vm, series.host) in machines
    ]


_PERCENTILES = (("latency_p50_ms", 50), ("latency_p95_ms", 95), ("latency_p99_ms", 99))
_NAMES = {
    "mb_per_s": "MB/s",
    "latency_mean_ms": "mean latency in ms",
    **{field: f"p{percent} latency in ms" for field, percent in _PERCENTILES},
    "block_bytes": "block size in bytes",
    "queue_depth": "queue depth",
    "read_percent": "share of reads in %",
}
_ACTIONS = {
    "impossible-figure": "left empty; the row may be damaged: check it, or copy the file again",
    "latency-contradiction": "these latencies left empty; the row may be damaged: check it, or copy the file again",
}


def plausible_figures(reading: Reading) -> Reading:
    """The reading with benchmark rows without figures that cannot be, and one problem for each kind of fault."""
    faults: dict[str, list[tuple[Benchmark, str]]] = defaultdict(list)
    rows = tuple(_judged(row, faults) for row in reading.benchmarks)
    if not faults:
        return reading
    problems = [_problem(reading.report.path, code, found) for code, found in faults.items()]
    return replace(reading, benchmarks=rows, problems=(*reading.problems, *problems))


def _judged(row: Benchmark, faults: dict[str, list[tuple[Benchmark, str]]]) -> Benchmark:
    for code, fields, fault in _faults(row):
        faults[code].append((row, fault))
        empty: dict[str, Any] = dict.fromkeys(fields)
        row = replace(row, **empty)
    return replace(row, slices=tuple(_judged(part, faults) for part in row.slices)) if row.slices else row


def _faults(row: Benchmark) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """The code of each fault, the fields that it makes useless, and what is wrong."""
    outside = set()
    for field, (least, most) in FIGURES.items():
        value = getattr(row, field)
        if value is not None and not least <= value <= most:
            outside.add(field)
            yield "impossible-figure", (field,), f"{_NAMES.get(field, field)} is {value:,.12g}"
    known = [(f, p, getattr(row, f)) for f, p in _PERCENTILES if f not in outside and getattr(row, f) is not None]
    fields = tuple(field for field, _ in _PERCENTILES)
    for (_, low, below), (_, high, above) in pairwise(known):
        if below > above:
            yield "latency-contradiction", fields, f"p{low} is {below:g} ms, p{high} only {above:g} ms"
            return
    mean = row.latency_mean_ms
    if mean is None or "latency_mean_ms" in outside:
        return
    # Of a completion alone the mean is less than of the total.
    if row.latency_kind is LatencyKind.COMPLETION and row.percentile_kind is LatencyKind.TOTAL:
        return
    for _, percent, value in known:
        if value * (100 - percent) / 100 > mean * MEAN_SLACK + MEAN_SLACK_MS:
            fault = f"the mean is {mean:g} ms, but {100 - percent} % of the I/Os took p{percent} = {value:g} ms or more"
            yield "latency-contradiction", ("latency_mean_ms", *fields), fault
            return


def _problem(file: str, code: str, found: list[tuple[Benchmark, str]]) -> Problem:
    """One problem for all rows with one kind of fault."""
    row, fault = found[0]
    name = " ".join(filter(None, (row.test if row.test != row.job else None, row.job, row.part)))
    where = f"Line {row.line:,}, " if row.line else ""
    more = f" {len(found) - 1:,} more values of the file are also impossible." if len(found) > 1 else ""
    message = f"{where}{row.op} of “{name or row.tool}”: {fault}, which is impossible.{more}"
    return Problem(Severity.WARNING, file, code, message, _ACTIONS[code], line=row.line)


def pace_problem(reading: Reading, times: FloatArray) -> Problem | None:
    """The problem of a file whose samples come slower from some row on, or for a while; None for any other."""
    steps = np.diff(times)
    forward = steps[steps > 0]
    if not forward.size or steps.max() <= GAP_MEDIANS * (usual := float(np.median(forward))):
        return None
    slower = np.flatnonzero(paced(steps, steps > GAP_MEDIANS * usual))
    if not slower.size:
        return None
    row = int(slower[0]) + 1
    return Problem(
        Severity.INFO,
        reading.report.path,
        "pace-changes",
        f"{place(reading, times, row)}: samples come every {np.median(steps[slower]):g} s from here, every {usual:g} s "
        f"elsewhere ({slower.size:,} slower samples).",
        "each sample counts for its own interval, without gaps; percentiles and peaks mix both rates",
        reading.line(row),
    )
