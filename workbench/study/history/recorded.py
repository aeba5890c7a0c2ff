"""A sum of what was recorded in a run, by which the same run is known again: wherever its files lie now, packed or in a
bundle, under other names, and whatever the user has stated about it since."""

from __future__ import annotations

import xxhash

from workbench.model.kept import kept_with_run
from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.study.store.columns import read_columns

# The values of so many counters of a file count. With the times of its samples no two tests agree in them.
_COUNTERS = 2


@kept_with_run
def recorded(run: Run) -> str:
    """64 bits in hexadecimal digits, of times, counters and values; empty of a run in which nothing was recorded.
    Raises ColumnsError for samples that the column store has lost."""
    parts = sorted(_of_recording(recording) for recording in run.recordings)
    parts += sorted(f"session {session.logon_s!r} {session.state}" for session in run.sessions)
    parts += sorted(f"event {event.kind}" for event in run.events)
    parts += sorted(f"measured {measurement.kind} {measurement.value!r}" for measurement in run.measurements)
    return xxhash.xxh3_64_hexdigest("\n".join(parts).encode()) if parts else ""


def _of_recording(recording: Recording) -> str:
    # Times as the file writes them: a time zone that the user states changes no file.
    shape = f"{recording.rows} {recording.first_us} {recording.last_us} {len(recording.series)}"
    digest = xxhash.xxh3_64(shape.encode())
    known = [series.column for series in recording.series if series.metric is not None]
    for column, values in read_columns(recording, known[:_COUNTERS]).items():
        digest.update(f"{column} ".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()
