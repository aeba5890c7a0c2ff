"""What the user states by hand about a run that its files do not."""

from __future__ import annotations

from dataclasses import replace

from workbench.model.run import Run
from workbench.study.clock import moved
from workbench.study.sessions import in_zone
from workbench.study.time_zone import offset_minutes


def in_time_zone(run: Run, zone: str) -> Run:
    """The run with `zone` for every recording and event that has no offset of its own.

    Raises ValueError for an unknown zone. Files and events that state their offset keep it.
    """
    recordings = tuple(
        recording
        if recording.utc_offset_minutes is not None or recording.relative
        else replace(recording, utc_offset_minutes=offset_minutes(zone, recording.first_us / 1e6))
        for recording in run.recordings
    )
    events = sorted(
        (event if event.has_offset else moved(event, offset_minutes(zone, event.at)) for event in run.events),
        key=lambda event: event.at,
    )
    return replace(
        run, recordings=recordings, events=tuple(events), time_zone=zone,
        sessions=tuple(in_zone(one, zone) for one in run.sessions),
        measurements=tuple(in_zone(one, zone) for one in run.measurements),
        summaries=tuple(in_zone(one, zone) for one in run.summaries),
        eux_summaries=tuple(in_zone(one, zone) for one in run.eux_summaries),
    )  # fmt: skip


def lacks_time_zone(run: Run) -> bool:
    """Whether any recording of the run does not say its offset from UTC."""
    return any(recording.utc_offset_minutes is None for recording in run.recordings if not recording.relative)
