"""IOPS of VMs, a line for each moment and VM, as a lab script may print them.

    time;vm;iops
    2016-05-10T09:00:15+01:00;W10-001;12.5

`time` is ISO-8601 with an offset, `iops` the I/Os per second over the interval that ends there.
Source of the format: invented for this reader.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import Problems
from workbench.readers.login.metrics import Sample, recording_of
from workbench.readers.text import documents
from workbench.readers.text.timestamps import iso

LABEL = "toy-lines"
_HEADER = "time;vm;iops"


def identify(head: bytes, _name: str) -> float:
    """1.0 if the first line is the header."""
    return float(documents.head_text(head).partition("\n")[0].strip() == _HEADER)


def read(path: Path, name: str, columns: Path) -> Reading:
    """A recording with a column for each VM; a line that cannot be read is rejected with a problem."""
    loaded = documents.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    problems = Problems(name)
    lines = [(number, line) for number, line in enumerate(loaded.text.split("\n"), start=1) if line.strip()][1:]
    samples = [sample for number, line in lines if (sample := _sample(line, number, problems)) is not None]
    recording = recording_of(samples, columns, 0, problems)
    rejected = len(lines) - len(samples)
    if recording is None:
        problems.add(Severity.REFUSED, "no-rows", "No line could be read.", "file not imported; write it again")
        return Reading(FileReport(name, LABEL, recognised=True, rejected_rows=rejected), problems.all())
    report = FileReport(
        name,
        LABEL,
        recognised=True,
        rows=len(samples),
        columns=len(recording.series),
        hosts=recording.hosts,
        first=iso(recording.first_us, 0),
        last=iso(recording.last_us, 0),
        utc_offset_minutes=0,
        encoding=loaded.encoding,
        delimiter=";",
        cells=len(samples),
        rejected_rows=rejected,
    )
    return Reading(report, problems.all(), recording)


READER = Reader(LABEL, identify, read)


def _sample(line: str, number: int, problems: Problems) -> Sample | None:
    cells = [cell.strip() for cell in line.split(";")]
    at, iops = _seconds(cells[0]), documents.number(cells[-1])
    if len(cells) != 3 or at is None or iops is None or not cells[1]:
        problems.warn("line-rejected", f"Line {number} is not {_HEADER}.", "line rejected", number)
        return None
    return Sample(at, cells[1], "PhysicalDisk: Disk Transfers/sec", "_Total", "", "IOPS", iops)


def _seconds(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if moment.tzinfo is None else moment.timestamp()
