"""The reading of a file whose samples were written to the store: its report, its problems and its recording."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.model.problem import Problem
from workbench.model.reading import Reading
from workbench.model.recording import DateOrder, FileReport, Recording, Series
from workbench.readers.text.timestamps import iso


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
) -> Reading:
    """A reading of one row for each of `times` (microseconds since 1970 UTC) and one cell for each series in it;
    `missing` cells have no value, `rejected` rows were left out, `offset` is minutes east of UTC,
    `dates` the order of day and month (None: the format states it)."""
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
    return Reading(report, problems, Recording(series, rows, first, last, offset, hosts, dates=dates))
