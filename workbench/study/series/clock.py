"""Puts the files and events of a run without an offset from UTC on one clock.

The order of evidence is the file's own offset, then `time_zone` of run.toml, then the single offset that all other
files of the run share. If the zone is known, from the file or from run.toml, the hour skipped at the start of summer
time is not a gap. If no offset is known, all times stay as in the files, and a problem says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import Recording
from workbench.model.session import Event
from workbench.study.importing.sessions import timed_records
from workbench.study.series.time_zone import in_zone, offset_minutes, offset_text

UNKNOWN, SKIP = "time-zone-unknown", "summer-time-start"
GUESSED, MIXED = "time-zone-guessed", "time-zone-mixed"


def in_utc(readings: Sequence[Reading], time_zone: str | None, problems: list[Problem]) -> list[Reading]:
    """Returns the readings with an offset for every recording, as far as the run gives one."""
    placed = [reading.recording for reading in readings if reading.recording is not None]
    agreed = _agreed(recording for recording in placed if not recording.relative)
    settled = [_settled(reading, time_zone, agreed) for reading in readings]
    recordings = [
        reading.recording for reading in settled if reading.recording is not None and not reading.recording.relative
    ]
    lost = [recording for recording in recordings if recording.utc_offset_minutes is None]
    if lost and len(lost) < len(recordings):
        problems += [_mixed(recording.file) for recording in lost]
    return settled


def _settled(reading: Reading, time_zone: str | None, agreed: int | None) -> Reading:
    recording = reading.recording
    if recording is None:
        local = any(not event.has_offset for event in reading.events)
        local = local or any(not record.has_offset for record in timed_records(reading))
        stated = time_zone is not None and local
        return replace(reading, problems=_without_unknown(reading)) if stated else reading
    if recording.relative:
        return reading
    stated, zone = recording.utc_offset_minutes is not None, recording.zone or time_zone
    problems = reading.problems if stated else _without_unknown(reading)
    if zone is not None:
        placed = in_zone(recording, zone)
        problems = _placed_summer_time(problems, placed, zone)
    elif stated or agreed is None:
        return reading
    else:
        placed = replace(recording, utc_offset_minutes=agreed)
        problems = (*problems, _guessed(recording.file, agreed))
    if placed == recording:
        return reading
    offset = placed.utc_offset_minutes
    assert offset is not None
    report = replace(
        reading.report,
        utc_offset_minutes=offset,
        first=_iso(placed.first_us, offset),
        last=_iso(placed.last_us, offset),
    )
    return replace(reading, report=report, problems=problems, recording=placed)


def events_in_utc(
    readings: Iterable[Reading], time_zone: str | None, recordings: Sequence[Recording], problems: list[Problem]
) -> tuple[Event, ...]:
    """Returns all events in time order. Events without an offset use the run's, or that of its recordings."""
    events: list[Event] = []
    zones = {recording.zone for recording in recordings if not recording.relative}
    if time_zone is None and len(zones) == 1 and any(recording.late for recording in recordings):
        (time_zone,) = zones
    offsets = {recording.utc_offset_minutes for recording in recordings if not recording.relative}
    for reading in readings:
        own_events = [replace(event, file=reading.report.path) for event in reading.events]
        local = [event for event in own_events if not event.has_offset]
        events += [event for event in own_events if event.has_offset]
        if time_zone is not None:
            events += [moved(event, offset_minutes(time_zone, event.at)) for event in local]
        elif len(offsets) <= 1:
            # Files without an offset show the lab's clock, and so do these events: they stay on one clock.
            offset = next(iter(offsets), None)
            events += local if offset is None else [moved(event, offset) for event in local]
        elif local:
            problems.append(_events_left_out(reading.report.path, len(local)))
    return tuple(sorted(events, key=lambda event: event.at))


def zone_guessed(readings: Iterable[Reading], problems: Iterable[Problem]) -> bool:
    """True if a file was put on the clock of the run's other files, or has no offset while others have one."""
    told = [*problems, *(problem for reading in readings for problem in reading.problems)]
    return any(problem.code in (GUESSED, MIXED) for problem in told)


def moved(event: Event, offset: int) -> Event:
    """Returns an event of local time, `offset` minutes ahead of UTC, converted to UTC."""
    return replace(event, at=event.at - 60 * offset, has_offset=True)


def _agreed(recordings: Iterable[Recording]) -> int | None:
    """Returns the one offset of all recordings that have one, or None."""
    offsets = {recording.utc_offset_minutes for recording in recordings} - {None}
    return next(iter(offsets)) if len(offsets) == 1 else None


def _without_unknown(reading: Reading) -> tuple[Problem, ...]:
    return tuple(problem for problem in reading.problems if problem.code != UNKNOWN)


def _placed_summer_time(problems: tuple[Problem, ...], placed: Recording, zone: str) -> tuple[Problem, ...]:
    """Returns the problems, with a note in place of the question if a skip is the start of summer time."""
    if not placed.late:
        return problems
    asked = [problem for problem in problems if problem.code == SKIP]
    moment = _iso(placed.late[0][0], 0).removesuffix("Z").replace("T", " ")
    note = Problem(
        Severity.INFO,
        placed.file,
        SKIP,
        f"The clock skipped to {moment} at the start of summer time in {zone}.",
        "the skipped hour is not treated as a gap",
        asked[0].line if asked else None,
    )
    return (*(problem for problem in problems if problem.code != SKIP), note)


def _iso(local_us: int, offset: int) -> str:
    moment = datetime.fromtimestamp(local_us / 1e6 - 60 * offset, UTC)
    timespec = "auto" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=timespec).replace("+00:00", "Z")


def _guessed(name: str, offset: int) -> Problem:
    return Problem(
        Severity.WARNING,
        name,
        GUESSED,
        f"The file contains no UTC offset, but the other files of the run have {offset_text(offset)}.",
        f'times imported with this offset; to confirm it, set time_zone = "{offset_text(offset)}" in run.toml',
    )


def _mixed(name: str) -> Problem:
    return Problem(
        Severity.WARNING,
        name,
        MIXED,
        "The file contains no UTC offset, and the offsets of the other files of the run differ.",
        'timestamps treated as UTC; set time_zone = "+01:00" in run.toml',
    )


def _events_left_out(name: str, count: int) -> Problem:
    return Problem(
        Severity.WARNING,
        name,
        "events-without-zone",
        f"{count} event{'s have' if count > 1 else ' has'} no UTC offset, and the offsets of the run's files differ.",
        f'event{"s" * (count > 1)} ignored; set time_zone = "+01:00" in run.toml',
    )
