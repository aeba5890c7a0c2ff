"""The content of a history file: a line of JSON on the study, then one for each of its runs.

    {"sum": "9c0f…", "study": {"schema": "vdi-workbench/history", "version": 1, "name": …, "runs": 2, …}}
    {"sum": "51aa…", "run": {"name": …, "build": …, "date": …, "phases": [{"name": "steady", "figures": {…}}], …}}

Each line has a checksum of its content, so damage affects only its own line, and a changed digit cannot change a value.
The format is described in docs/formats/history.md.

A run is recognised by a checksum of its recorded data: wherever its files are now, packed or in a bundle, under other
names, and with any later statements of the user.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
import xxhash

from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.model.run_cache import kept_with_run
from workbench.study.store.columns import read_columns

SCHEMA, VERSION = "vdi-workbench/history", 1
ENDING = ".vdihistory"
# A study of 2,000 runs takes less; a larger file was not written by this program.
MOST_BYTES = 16 * 2**20
# The maximum length of names and paths of files, and of a table cell.
Text = Annotated[str, msgspec.Meta(max_length=4096)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class KeptStudy(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. `path` is the path of the study when it was kept, as text. `runs` is the number of lines that
    follow. `method` is the version of the rules of verdicts."""

    schema: str = SCHEMA
    version: int = VERSION
    name: Text
    path: Text = ""
    program: Text = ""
    method: Number = 0
    kept: Moment
    runs: Number = 0


class KeptPhase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A phase: its measured seconds (None: unknown), its values by the keys and in the units of the catalogue, and
    which of them are `lower_bounds`. A metric that was not measured has no entry. `primary` are the keys of the
    metrics that decided the phase's verdicts."""

    name: Text
    seconds: Annotated[float, msgspec.Meta(ge=0)] | None = None
    figures: dict[Text, float] = {}
    primary: tuple[Text, ...] = ()
    lower_bounds: tuple[Text, ...] = ()


class KeptRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run. `evidence` is the source of its date. `recorded` is the checksum of its recorded data. `excluded` is the
    reason that keeps it out of every metric (it has no phases then). `problems` counts the important ones by code.
    `started` is the first recorded timestamp. `session` distinguishes it from runs of other sessions."""

    name: Text
    configuration: Text = ""
    build: Text | None = None
    date: Moment | None = None
    started: Moment | None = None
    session: Text = ""
    evidence: Text = ""
    recorded: Text = ""
    excluded: Text | None = None
    circumstances: dict[Text, Text] = {}
    problems: dict[Text, Number] = {}
    phases: tuple[KeptPhase, ...] = ()


class HistoryLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line: the checksum of its study or run, and that study or run as JSON."""

    sum: str
    study: msgspec.Raw = msgspec.Raw(b"")
    run: msgspec.Raw = msgspec.Raw(b"")


def sum_of(data: bytes) -> str:
    """Returns a checksum: 64 bits in hexadecimal digits."""
    return xxhash.xxh3_64_hexdigest(data)


def written(study: KeptStudy, runs: tuple[KeptRun, ...]) -> bytes:
    """Returns the content of the file."""
    head = msgspec.json.encode(study)
    lines = [HistoryLine(sum_of(head), study=msgspec.Raw(head))]
    for run in runs:
        data = msgspec.json.encode(run)
        lines.append(HistoryLine(sum_of(data), run=msgspec.Raw(data)))
    return msgspec.json.Encoder().encode_lines(lines)


# The values of this many counters of a file are used. Together with the times of its samples they are unique for a
# test.
_COUNTERS = 2


@kept_with_run
def recorded(run: Run) -> str:
    """Returns a checksum of times, counters and values, 64 bits in hexadecimal digits; empty for a run without recorded
    data. Raises ColumnsError for samples that the column store has lost."""
    parts = sorted(_of_recording(recording) for recording in run.recordings)
    parts += sorted(f"session {session.logon_s!r} {session.state}" for session in run.sessions)
    parts += sorted(f"event {event.kind}" for event in run.events)
    parts += sorted(f"measured {measurement.kind} {measurement.value!r}" for measurement in run.measurements)
    return xxhash.xxh3_64_hexdigest("\n".join(parts).encode()) if parts else ""


def _of_recording(recording: Recording) -> str:
    # Times as the file writes them: the result does not depend on a time zone stated by the user.
    shape = f"{recording.rows} {recording.first_us} {recording.last_us} {len(recording.series)}"
    digest = xxhash.xxh3_64(shape.encode())
    known = [series.column for series in recording.series if series.metric is not None]
    for column, values in read_columns(recording, known[:_COUNTERS]).items():
        digest.update(f"{column} ".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()
