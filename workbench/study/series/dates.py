"""Ambiguous dates: the order in which a file's days and months are read, and the other reading.

A reader reads ambiguous dates in one order if all samples are within one day: the other order then moves all of them by
the same time. For the files of a run this evidence decides, strongest first: the date that run.toml states, AM and PM
or decimal commas in the file, other files of the run or of the opened folder, and the time at which the file was
written. Otherwise the month comes first. The result is always a guess. If a phase or another file needs the run's date,
the file is refused until the order is stated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import DayMonth, FileReport, Recording
from workbench.readers.text.timestamps import STATED_ORDERS, iso
from workbench.study.series.time_zone import in_zone, offset_minutes

GUESSED = "date-guessed"
# A file is written at its last sample, whatever clock and offset it has. Most of the world is within this distance of
# UTC.
_WRITTEN = 14 * 3600


def dated(
    readings: Sequence[Reading],
    written: Sequence[float | None],
    elsewhere: frozenset[DayMonth],
    placed: bool,
    day: str = "",
) -> list[Reading]:
    """Returns the readings of a run with every guessed date read in the most likely order, and a problem that says so.

    `written` is the time of each file in seconds since 1970, None if unknown. `elsewhere` are the orders of all opened
    files. `placed`: run.toml states phases of the run. `day` is the date that it states.
    """
    placed = placed or any(reading.events or reading.sessions or reading.measurements for reading in readings)
    own = orders_of(readings)
    result = []
    for reading, at in zip(readings, written, strict=True):
        recording = reading.recording
        if recording is None or recording.dates is None or not recording.date_guessed:
            result.append(reading)
        elif placed:
            result.append(_refused(reading, recording))
        else:
            result.append(_guessed(reading, recording, *_likely(recording, own, elsewhere, at, day)))
    return result


def orders_of(readings: Iterable[Reading]) -> frozenset[DayMonth]:
    """Returns the orders of dates of those files that decide it themselves."""
    recordings = (reading.recording for reading in readings)
    return frozenset(
        each.dates.order for each in recordings if each is not None and each.dates is not None and not each.date_guessed
    )


def read_in(recording: Recording, order: DayMonth, zone: str | None) -> Recording:
    """Returns the recording with its guessed dates read in a known order; `zone` is that of its run."""
    dates = recording.dates
    if dates is None or not recording.date_guessed:
        return recording
    if order == dates.order:
        return replace(recording, dates=replace(dates, other_us=0))
    moved = _moved(recording)
    # A named zone may have another offset on the other date.
    if zone is not None and recording.utc_offset_minutes == offset_minutes(zone, recording.first_us / 1e6):
        moved = in_zone(replace(moved, utc_offset_minutes=None), zone)
    return replace(moved, dates=replace(dates, order=order, other_us=0))


def _likely(
    recording: Recording, own: frozenset[DayMonth], elsewhere: frozenset[DayMonth], written: float | None, day: str
) -> tuple[DayMonth, str]:
    """Returns the most likely order, and the reason."""
    dates = recording.dates
    assert dates is not None
    readings = ((dates.order, recording.last_us), (dates.other, recording.last_us + dates.other_us))
    for order, last_us in readings:
        if day and day[:10] in (
            iso(last_us, None)[:10],
            iso(last_us - (recording.last_us - recording.first_us), None)[:10],
        ):
            return order, "run.toml contains that day"
    if dates.mark:
        return dates.order, dates.mark
    for orders, where in ((own, "the run"), (elsewhere, "the folder")):
        if len(orders) == 1:
            return next(iter(orders)), f"other files of {where} have this order"
    if written is not None:
        fits = [order for order, last_us in readings if abs(written - last_us / 1e6) <= _WRITTEN]
        if len(fits) == 1:
            return fits[0], "the file was written on that day"
    return dates.order, "perfmon writes the month first"


def _guessed(reading: Reading, recording: Recording, order: DayMonth, why: str) -> Reading:
    dates = recording.dates
    assert dates is not None
    if order != dates.order:
        recording = replace(_moved(recording), dates=replace(dates, order=order, other_us=-dates.other_us))
        dates = recording.dates
        assert dates is not None
    read, other = (iso(at, None)[:10] for at in (recording.first_us, recording.first_us + dates.other_us))
    problem = Problem(
        Severity.WARNING,
        reading.report.path,
        GUESSED,
        f"The dates are ambiguous: {read} or {other}.",
        f"imported as {read} ({STATED_ORDERS[order]}), because {why}; if this is wrong, set date_order in run.toml",
    )
    offset = recording.utc_offset_minutes
    report = replace(reading.report, first=iso(recording.first_us, offset), last=iso(recording.last_us, offset))
    return replace(reading, report=report, recording=recording, problems=(*reading.problems, problem))


def _refused(reading: Reading, recording: Recording) -> Reading:
    dates = recording.dates
    assert dates is not None
    read, other = (iso(at, None)[:10] for at in (recording.first_us, recording.first_us + dates.other_us))
    problem = Problem(
        Severity.REFUSED,
        reading.report.path,
        "ambiguous-date",
        f"The dates are ambiguous ({read} or {other}), but must match the dates of phases or events.",
        'file not imported; set date_order = "mdy" or "dmy" in run.toml',
    )
    report = FileReport(
        reading.report.path,
        reading.report.reader,
        recognised=True,
        encoding=reading.report.encoding,
        delimiter=reading.report.delimiter,
        rejected_rows=reading.report.rows + reading.report.rejected_rows,
    )
    return replace(reading, report=report, recording=None, problems=(*reading.problems, problem))


def _moved(recording: Recording) -> Recording:
    """Returns the recording in the other order."""
    by = 0 if recording.dates is None else recording.dates.other_us
    return replace(
        recording,
        first_us=recording.first_us + by,
        last_us=recording.last_us + by + sum(late for _, late in recording.late),
        clock_jumps=tuple((before + by, after + by) for before, after in recording.clock_jumps),
        late=(),
        moved_us=recording.moved_us + by,
    )
