"""Checks a file right after it was read: samples that are certainly wrong are left out, and every case is a problem."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.model.reading import Reading
from workbench.study.plausibility.figures import plausible_figures

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from workbench.model.recording import Series
    from workbench.study.plausibility.cases import Case
    from workbench.study.plausibility.spikes import Standstill

    FloatArray = npt.NDArray[np.float64]
    Cells = dict[int, npt.NDArray[np.intp]]

# Cache of counters that are read more than once: those of a machine, up to this many values.
_LEAST_KEPT, _KEPT_VALUES = 8, 1 << 22

# numpy and polars are loaded by the functions that read samples: a worker that reads none starts without them.


def plausible(reading: Reading, columns: Path) -> Reading:
    """Returns the reading with a problem for each case; samples that are certainly wrong are left empty in `columns`.

    Recordings without a clock come from benchmarks, not desktops, and are not checked; the rows of a benchmark are.
    """
    reading = plausible_figures(reading)
    recording = reading.recording
    if recording is None or recording.relative or recording.rows < 2:
        return reading
    if all(series.metric is None for series in recording.series):
        return reading
    import numpy as np

    from workbench.readers.common.flat_columns import leave_empty
    from workbench.study.plausibility.notes import notes, pace_problem

    matrix = np.load(columns, mmap_mode="r")
    times = np.asarray(matrix[0]) / 1e6
    with np.errstate(over="ignore", invalid="ignore"):
        cases, standstills = _found(reading, matrix, times)
    pace = pace_problem(reading, times)
    if not cases and not standstills and pace is None:
        return reading
    cells = _left_out(cases, standstills, matrix, reading)
    problems = [*notes(reading, times, cases, standstills), *([pace] if pace else [])]
    del matrix  # Windows replaces no file that is mapped.
    leave_empty(columns, cells)
    missing = reading.report.missing_cells + sum(rows.size for rows in cells.values())
    report = replace(reading.report, missing_cells=missing)
    return replace(reading, report=report, problems=(*reading.problems, *problems))


def _found(reading: Reading, matrix: FloatArray, times: FloatArray) -> tuple[list[Case], list[Standstill]]:
    import numpy as np

    from workbench.study.plausibility.screen import suspects
    from workbench.study.plausibility.spikes import high_cases, standstills

    assert reading.recording is not None
    series = reading.recording.series
    by_column = {one.column: one for one in series}
    steps = np.diff(times)
    usual = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    seconds = np.concatenate(([usual], steps))
    high, still = suspects(matrix, series, usual)
    if not high and not still:
        return [], []

    @lru_cache(maxsize=max(_LEAST_KEPT, _KEPT_VALUES // reading.recording.rows))
    def scaled(column: int) -> FloatArray:
        return _scaled(matrix, by_column[column])

    cases = list(high_cases([by_column[place] for place in high], series, seconds, lambda one: scaled(one.column)))
    return cases, standstills([by_column[place] for place in still], series, lambda one: scaled(one.column))


def _scaled(matrix: FloatArray, series: Series) -> FloatArray:
    """Returns a counter's values in its metric's unit."""
    values: FloatArray = matrix[1 + series.column]
    return values if series.metric is None or series.metric.scale == 1.0 else values * series.metric.scale


def _left_out(
    cases: Sequence[Case], standstills: Sequence[Standstill], matrix: FloatArray, reading: Reading
) -> Mapping[int, npt.NDArray[np.intp]]:
    """Returns the rows to leave empty in each column: those that hold a value."""
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
        cells[column] = joined[~np.isnan(matrix[1 + column, joined])]
    return {column: found for column, found in cells.items() if found.size}


def _of_machines(standstill: Standstill, reading: Reading) -> list[int]:
    """Returns the columns of all counters with a metric on the machines that stood still."""
    assert reading.recording is not None
    machines = {(still.series.vm, still.series.host) for still in standstill.stills}
    return [
        series.column
        for series in reading.recording.series
        if series.metric is not None and (series.vm, series.host) in machines
    ]
