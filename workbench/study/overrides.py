"""What the user states by hand about a run that its files do not."""

from __future__ import annotations

from dataclasses import replace

from workbench.model.run import Run
from workbench.study.clock import moved
from workbench.study.time_zone import offset_minutes


def in_time_zone(run: Run, zone: str) -> Run:
    """The run with `zone` for every recording and event that has no offset of its own.

    Raises ValueError for an unknown zone. Files and events that state their offset keep it.
    """
    recordings = tuple(
        recording
        if recording.utc_offset_minutes is not None
        else replace(recording, utc_offset_minutes=offset_minutes(zone, recording.first_us / 1e6))
        for recording in run.recordings
    )
    events = sorted(
        (event if event.has_offset else moved(event, offset_minutes(zone, event.at)) for event in run.events),
        key=lambda event: event.at,
    )
    return replace(run, recordings=recordings, events=tuple(events), time_zone=zone)


def lacks_time_zone(run: Run) -> bool:
    """Whether any recording of the run does not say its offset from UTC."""
    return any(recording.utc_offset_minutes is None for recording in run.recordings)
