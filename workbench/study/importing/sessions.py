"""The sessions, measurements and summaries of a run: puts them on its clock, and joins the halves of one session.

Times without an offset are treated like those of events (`study.series.clock`). Times that count from the start of the
test are placed if a summary of the same run states that start, and otherwise stay relative.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

import msgspec

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import Recording, Series
from workbench.model.session import EuxSummary, Measurement, Session, VsiSummary
from workbench.readers.common.counters import AVD_NETWORK, metric_of
from workbench.study.series.time_zone import offset_minutes

# The reader whose sessions are halves: a file of the launcher, or a file of the desktop.
SHARE = "login-vsi-share"

Record = Session | Measurement | VsiSummary | EuxSummary
_Timed = TypeVar("_Timed", Session, Measurement, VsiSummary, EuxSummary)
_SESSION_TIMES = ("logon_start", "logon_end", "apps_started", "session_end")
# Times that follow the start of the logon within minutes.
_SOON = ("logon_end", "apps_started")
_ROUNDED_S = 1e-3
_EUX_TIMES = ("created", "started", "finished", "ramp_up_completed", "vsimax_at")
_FIELDS: dict[type, tuple[str, ...]] = {
    Session: _SESSION_TIMES,
    Measurement: ("at",),
    VsiSummary: ("at",),
    EuxSummary: _EUX_TIMES,
}


@dataclass(frozen=True, slots=True)
class SessionRecords:
    """The load generator's records in the files of one run."""

    sessions: tuple[Session, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    summaries: tuple[VsiSummary, ...] = ()
    eux_summaries: tuple[EuxSummary, ...] = ()


def records_in_utc(
    readings: Iterable[Reading],
    time_zone: str | None,
    recordings: Sequence[Recording],
    label: str,
    problems: list[Problem],
) -> SessionRecords:
    """Returns all records sorted by time and in UTC, as far as the run's offset is known. `label` is the run's name in
    problems."""
    readings = [_with_file(reading) for reading in readings]
    offset = _offset(time_zone, recordings)
    halves = [reading for reading in readings if reading.report.reader == SHARE]
    whole = [reading for reading in readings if reading.report.reader != SHARE]
    _tell_unplaced(whole, offset, problems)
    eux = _moved_all(chain.from_iterable(reading.eux_summaries for reading in readings), offset)
    start = _start(eux)
    sessions = [
        *_moved_all(chain.from_iterable(reading.sessions for reading in whole), offset),
        *joined(tuple(chain.from_iterable(reading.sessions for reading in halves)), label, problems),
    ]
    written = _moved_all(chain.from_iterable(reading.measurements for reading in readings), offset)
    measurements = _measured_once(written, label, problems)
    records = SessionRecords(
        tuple(sorted(_once([_placed(session, start) for session in sessions], label, problems), key=_begin)),
        tuple(sorted((_placed(measurement, start) for measurement in measurements), key=_begin)),
        _moved_all(chain.from_iterable(reading.summaries for reading in readings), offset),
        eux,
    )
    timed: list[Session | Measurement] = [*records.sessions, *records.measurements]
    if any(record.relative for record in timed):
        problems.append(_no_start(label, len(eux)))
    return records


def _with_file(reading: Reading) -> Reading:
    """Returns the reading with its file's name in each record."""
    if not timed_records(reading):
        return reading
    file = reading.report.path
    return replace(
        reading,
        sessions=tuple(replace(session, file=file) for session in reading.sessions),
        measurements=tuple(replace(measurement, file=file) for measurement in reading.measurements),
        summaries=tuple(replace(summary, file=file) for summary in reading.summaries),
        eux_summaries=tuple(replace(eux_summary, file=file) for eux_summary in reading.eux_summaries),
    )


def placed_by_session(recordings: Sequence[Recording], sessions: Sequence[Session]) -> tuple[Recording, ...]:
    """Returns the recordings with a machine for each series that names only a session, if a session of the run names
    it."""
    machines = {session.id: session.vm for session in sessions if session.id and session.vm}

    def placed(series: Series) -> Series:
        if series.vm or series.object != AVD_NETWORK or series.host not in machines:
            return series
        metric = metric_of(series.object, series.instance, series.counter)
        return msgspec.structs.replace(series, vm=machines[series.host], metric=metric)

    return tuple(
        replace(one, series=tuple(map(placed, one.series))) if any(s.object == AVD_NETWORK for s in one.series) else one
        for one in recordings
    )


def timed_records(reading: Reading) -> list[Record]:
    """Returns all records with a time that a load generator wrote in a reading."""
    return [*reading.sessions, *reading.measurements, *reading.summaries, *reading.eux_summaries]


def moved(timed: _Timed, seconds: float) -> _Timed:
    """Returns the records with every time `seconds` later."""
    times = {name: getattr(timed, name) for name in _FIELDS[type(timed)]}
    changed = {name: time + seconds for name, time in times.items() if time is not None}
    return replace(timed, **changed)


def in_zone(timed: _Timed, time_zone: str) -> _Timed:
    """Returns the records with local times read in `time_zone`. Times with an offset, or on no clock, stay."""
    at = _moment(timed)
    if timed.has_offset or at is None or (isinstance(timed, Session | Measurement) and timed.relative):
        return timed
    return _in_utc(timed, at, lambda time: offset_minutes(time_zone, time))


def _in_utc(timed: _Timed, first: float, ahead: Callable[[float], int]) -> _Timed:
    """Returns a record of local times in UTC; `first` is its earliest time, `ahead` gives the minutes that the clock is
    ahead of UTC.

    If summer time begins during a logon, the skipped hour is not part of it. An end of a logon keeps the offset of its
    start at the end of summer time: tools state lengths, and readers derive the end from them.
    """
    times = {name: time for name in _FIELDS[type(timed)] if (time := getattr(timed, name)) is not None}
    start = ahead(first)
    minutes = {name: max(start, ahead(time)) if name in _SOON else ahead(time) for name, time in times.items()}
    placed = replace(timed, has_offset=True, **{name: time - 60.0 * minutes[name] for name, time in times.items()})
    if isinstance(timed, Session) and isinstance(placed, Session) and len(set(minutes.values())) > 1:
        length, other = _logon(timed), _logon(placed)
        if length is not None and timed.logon_s is not None and abs(length - timed.logon_s) < _ROUNDED_S:
            return replace(placed, logon_s=other)
    return placed


def _logon(session: Session) -> float | None:
    start, end = session.logon_start, session.logon_end
    return None if start is None or end is None else end - start


def joined(halves: tuple[Session, ...], label: str, problems: list[Problem]) -> list[Session]:
    """Joins the sessions that the launcher and the desktop each wrote on a Login VSI share, user by user.

    A desktop's file ends the latest earlier launch of its user that no other file has ended. Half a session without the
    other half is kept unchanged.
    """
    by_user: dict[str, list[Session]] = defaultdict(list)
    for half in halves:
        by_user[half.user.casefold()].append(half)
    sessions = list(chain.from_iterable(_joined_user(some) for some in by_user.values()))
    if sessions:
        problems.append(_by_file_times(label, sessions))
    return sessions


def _joined_user(halves: list[Session]) -> list[Session]:
    launched = sorted((halve for halve in halves if halve.logon_start is not None), key=_begin)
    active = sorted((halve for halve in halves if halve.logon_end is not None), key=_begin)
    sessions: list[Session] = []
    for end in active:
        before = [session for session in launched if _begin(session) <= _begin(end)]
        if not before:
            sessions.append(end)
            continue
        start = before[-1]
        launched.remove(start)
        sessions.append(
            replace(start, vm=end.vm, logon_end=end.logon_end, logon_s=_begin(end) - _begin(start), state=end.state)
        )
    return [*sessions, *launched]


def _once(sessions: list[Session], label: str, problems: list[Problem]) -> list[Session]:
    """Merges sessions that two files contain, by the tool's own name: values missing in the first are filled from the
    others."""
    by_key: dict[str, Session] = {}
    nameless = [session for session in sessions if not session.id]
    named = sorted((record for record in sessions if record.id), key=lambda record: record.relative)
    for session in named:
        first = by_key.setdefault(session.id, session)
        if first is not session and first.relative == session.relative:
            by_key[session.id] = _filled(first, session)
    if len(by_key) < len(named):
        twice = len(named) - len(by_key)
        problems.append(
            Problem(
                Severity.INFO,
                label,
                "session-twice",
                f"{twice} session record{'s are duplicates' if twice > 1 else ' is a duplicate'}.",
                "each session counted once",
            )
        )
    return [*nameless, *by_key.values()]


def _measured_once(measurements: Sequence[Measurement], label: str, problems: list[Problem]) -> list[Measurement]:
    """Returns each measurement once. Pages of an answer overlap, and a bundle repeats its parts: then the session, the
    value and the time agree to a fraction of a second."""
    kept: dict[Measurement | int, Measurement] = {}
    for place, one in enumerate(measurements):
        is_exact = one.session and one.at is not None and one.at % 1
        kept.setdefault(one if is_exact else place, one)
    if twice := len(measurements) - len(kept):
        message = f"{twice} measurement{'s are duplicates' if twice > 1 else ' is a duplicate'}."
        problems.append(Problem(Severity.INFO, label, "measurement-twice", message, "each measurement counted once"))
    return list(kept.values())


def _filled(session: Session, other: Session) -> Session:
    empty = {
        name: getattr(other, name)
        for name in (*_SESSION_TIMES, "logon_s", "user", "vm", "state")
        if getattr(session, name) in (None, "")
    }
    return replace(session, **empty) if session.has_offset == other.has_offset else session


def _offset(time_zone: str | None, recordings: Sequence[Recording]) -> Callable[[float], int | None] | None:
    """Returns minutes ahead of UTC at a local moment; None if the run's files disagree."""
    zones = {recording.zone for recording in recordings if not recording.relative}
    if time_zone is None and len(zones) == 1 and any(recording.late for recording in recordings):
        (time_zone,) = zones
    if time_zone is not None:
        zone = time_zone
        return lambda at: offset_minutes(zone, at)
    offsets = {recording.utc_offset_minutes for recording in recordings if not recording.relative}
    if len(offsets) > 1:
        return None
    agreed = next(iter(offsets), None)
    return lambda _at: agreed


def _moved_all(records: Iterable[_Timed], offset: Callable[[float], int | None] | None) -> tuple[_Timed, ...]:
    kept: list[_Timed] = []
    for record in records:
        at = _moment(record)
        if record.has_offset or at is None or (isinstance(record, Session | Measurement) and record.relative):
            kept.append(record)
        elif offset is None:
            kept.append(_without_times(record))
        else:
            minutes = offset(at)
            # If the offset is unknown, everything in the run shows the lab's clock and stays on it.
            kept.append(record if minutes is None else _in_utc(record, at, lambda time: offset(time) or 0))
    return tuple(kept)


def _without_times(timed: _Timed) -> _Timed:
    nothing: dict[str, Any] = dict.fromkeys(_FIELDS[type(timed)])
    return replace(timed, **nothing)


def _start(summaries: tuple[EuxSummary, ...]) -> EuxSummary | None:
    """Returns the one test of the run with a known start. With several tests it is unknown which one is meant."""
    started = [summary for summary in summaries if summary.started is not None]
    return started[0] if len({summary.started for summary in started}) == 1 else None


def _placed(timed: _Timed, start: EuxSummary | None) -> _Timed:
    if not (isinstance(timed, Session | Measurement) and timed.relative) or start is None or start.started is None:
        return timed
    return replace(moved(timed, start.started), relative=False, has_offset=start.has_offset)


def _moment(record: Record) -> float | None:
    """Returns the earliest known time."""
    times = [getattr(record, name) for name in _FIELDS[type(record)]]
    return min((time for time in times if time is not None), default=None)


def _begin(record: Session | Measurement) -> float:
    at = _moment(record)
    return float("inf") if at is None else at


def _tell_unplaced(
    readings: list[Reading], offset: Callable[[float], int | None] | None, problems: list[Problem]
) -> None:
    if offset is not None:
        return
    for reading in readings:
        local = sum(not record.has_offset and _moment(record) is not None for record in timed_records(reading))
        if local:
            problems.append(_disagreed(reading.report.path, local))


def _disagreed(name: str, count: int) -> Problem:
    return Problem(
        Severity.WARNING,
        name,
        "sessions-without-zone",
        f"{count} record{'s have' if count > 1 else ' has'} no UTC offset, and the offsets of the run's files differ.",
        'durations kept, timestamps ignored; set time_zone = "+01:00" in run.toml',
    )


def _no_start(label: str, tests: int) -> Problem:
    why = "no file contains it" if not tests else "the run contains several start times"
    return Problem(
        Severity.WARNING,
        label,
        "test-start-unknown",
        f"Some times are relative to the test start, but {why}.",
        "durations kept; for phases, add the JSON of the test run, or VSI-results.csv",
    )


def _by_file_times(label: str, sessions: list[Session]) -> Problem:
    """Notes that logon times from file times are only as good as the copy that they come from."""
    whole = [session.logon_s for session in sessions if session.logon_s is not None]
    action = "values kept; import from the share, or use robocopy /COPY:DAT"
    lead = "Logon times are file times, which copying changes"
    if not whole:
        return Problem(
            Severity.WARNING,
            label,
            "share-times",
            f"{lead}: every session lacks a file or ends before it starts.",
            action,
        )
    if len(whole) < len(sessions):
        others = len(sessions) - len(whole)
        message = f"{lead}: {others} of {len(sessions)} sessions lack a file or end before they start."
        return Problem(Severity.WARNING, label, "share-times", message, action)
    if len(whole) > 1 and max(whole) < 1.0:
        message = f"{lead}: all {len(whole)} logons take less than a second."
        return Problem(Severity.WARNING, label, "share-times", message, action)
    return Problem(Severity.INFO, label, "share-times", f"{lead}.", action)
