"""The reading of a file whose samples were written to the store: its report, its problems and its recording."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.model.problem import Problem
from workbench.model.reading import Reading
from workbench.model.recording import DateOrder, FileReport, Recording, Series
from workbench.readers.text.timestamps import clock_jumps, iso


def recorded(
    name: str,
    label: str,
    times: npt.NDArray[np.int64],
    series: tuple[Series, ...],
    offset: int | None,
    missing: int,
    rejected: int,
    problems: tuple[Problem, ...],
    encoding: str | None = None,
    delimiter: str | None = None,
    dates: DateOrder | None = None,
    zone: str | None = None,
) -> Reading:
    """The reading of a file with one row for each of `times` (microseconds since 1970 UTC) and one cell for each series
    in it. `missing` cells have no value, and `rejected` rows were left out. `offset` is minutes east of UTC, `dates`
    the order of day and month (None: the format states it), `zone` the time zone that gave `offset`. If the clock has
    no offset, its times may skip the hour at the start of summer time."""
    first, last, rows = int(times.min()), int(times.max()), len(times)
    hosts = tuple(dict.fromkeys(column.host for column in series if column.host))
    report = FileReport(
        path=name,
        reader=label,
        recognised=True,
        rows=rows,
        columns=len(series),
        hosts=hosts,
        first=iso(first, offset),
        last=iso(last, offset),
        utc_offset_minutes=offset,
        encoding=encoding,
        delimiter=delimiter,
        cells=rows * len(series),
        missing_cells=missing,
        rejected_rows=rejected,
    )
    jumps = clock_jumps(times) if offset is None or zone else ()
    recording = Recording(series, rows, first, last, offset, hosts, zone=zone, clock_jumps=jumps, dates=dates)
    return Reading(report, problems, recording)
