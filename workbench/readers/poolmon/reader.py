"""poolmon: what the RAM cache of PVS holds, from snapshots of the kernel's memory pools (tag VhdR, nonpaged).

Any text of poolmon is read: the screen redirected into a file, `poolmon /n FILE`, and many snapshots appended to one
log. Of each snapshot three numbers are kept, in bytes: the nonpaged bytes of VhdR (the RAM cache) and of VhdL (what
the driver keeps beside it), and the whole nonpaged pool (`Pool N`).
The time of a snapshot is the one written beside it, else the one in the file's name, else the file's own time, with a
warning. The machine is the one that the text names (`Computer: …`), else the file's name, else its folder.

Sources: Microsoft, "PoolMon Display" and "PoolMon Startup Command" (learn.microsoft.com/windows-hardware/drivers/
devtest/poolmon-display, …/poolmon-startup-command); Citrix, "Analyzing PVS RAM Cache with Overflow"
(docs.citrix.com/en-us/advanced-concepts/implementation-guides/digging-into-pvs-with-poolmon-and-wpa.html).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import Problems
from workbench.readers.login.metrics import Sample, recording_of
from workbench.readers.poolmon.moments import UndecidedError, moment_in_name, moments, without_moment
from workbench.readers.poolmon.snapshots import CACHE, DRIVER, Snapshot, is_poolmon, snapshots
from workbench.readers.text.documents import Loaded, head_text, load, open_end, refused
from workbench.readers.text.timestamps import SECOND, STATED_ORDERS, Order, iso

LABEL = "poolmon"
OBJECT = "PoolMon"
_MACHINE = re.compile(
    r"\b(?:computer|host|machine)\s?(?:name)?\s{0,4}[:=]\s{0,8}([A-Za-z0-9][A-Za-z0-9.-]{0,62})", re.IGNORECASE
)
_TOOL = re.compile(
    r"(?<![a-z])(?:pool(?:mon|snap|tags?)?|snap(?:shots?)?|vhd[rl]|ram|cache|log)(?![a-z])", re.IGNORECASE
)
# Folders that hold one part of a run and are no machine.
_PARTS = frozenset(
    ("guest", "guests", "vm", "vms", "logs", "log", "results", "raw", "data", "poolmon", "poolsnap", "perf")
)


def identify(head: bytes, _name: str) -> float:
    """1.0 for a text with the heads of poolmon's columns, or with rows of the tags of PVS."""
    return 1.0 if is_poolmon(head_text(head)) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Every snapshot that lists VhdR and whose time is known; of each other the reason."""
    return read_dated(path, name, columns, "")


def read_dated(path: Path, name: str, columns: Path, order: str) -> Reading:
    """The same; `order` (mdy, dmy, ymd) settles dates that can be read in two ways."""
    loaded = load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    listed, behind = snapshots(loaded.text)
    problems = Problems(name)
    try:
        times, offset = _times(listed, behind, path, name, STATED_ORDERS.get(order), problems)
    except UndecidedError as undecided:
        if (guess := undecided.guess) is not None:
            reading = read_dated(path, name, columns, guess.order)
            recording = reading.recording
            return reading if recording is None else replace(reading, recording=replace(recording, dates=guess))
        message = f"The dates of the snapshots, such as '{undecided}', fit month first and day first."
        advice = 'set date_order = "mdy" or "dmy" in run.toml'
        return refused(LABEL, name, "ambiguous-date", message, advice, encoding=loaded.encoding, rejected=len(listed))
    machine = _machine(loaded.text, path, name)
    if not machine:
        problems.warn(
            "machine-not-named",
            "Neither the text nor the name of the file or its folder names the machine.",
            "read without a machine; call the file by the machine, as in 'W10-001 poolmon.txt'",
        )
    samples: list[Sample] = []
    rejected = 0
    for snapshot, time in zip(listed, times, strict=True):
        for line in snapshot.damaged:
            message = f"Line {line:,}: the numbers of this row do not fit together."
            problems.warn("row-damaged", message, "row rejected", line)
        if CACHE in snapshot.bytes and time is not None:
            samples += _samples(snapshot, time, machine)
        else:
            rejected += 1
            _leave_out(snapshot, time, problems)
    for end in open_end(loaded, name, ()):
        problems.info(end.code, end.message, end.action, end.line)
    return _reading(name, columns, loaded, samples, offset, rejected, problems)


def _reading(
    name: str,
    columns: Path,
    loaded: Loaded,
    samples: list[Sample],
    offset: int | None,
    rejected: int,
    problems: Problems,
) -> Reading:
    recording = recording_of(samples, columns, offset, problems)
    report = FileReport(name, LABEL, recognised=True, encoding=loaded.encoding, rejected_rows=rejected)
    if recording is None:
        return Reading(report, problems.all())
    cells = recording.rows * len(recording.series)
    report = replace(
        report,
        rows=recording.rows,
        columns=len(recording.series),
        hosts=recording.hosts,
        first=iso(recording.first_us, offset),
        last=iso(recording.last_us, offset),
        utc_offset_minutes=offset,
        cells=cells,
        missing_cells=max(0, cells - len(samples)),
        # Two snapshots of one time are one row.
        rejected_rows=rejected + sum(CACHE in sample.name for sample in samples) - recording.rows,
    )
    return Reading(report, problems.all(), recording)


def _samples(snapshot: Snapshot, time: int, machine: str) -> list[Sample]:
    at = time / SECOND
    cells = [(f"{tag} Nonpaged Bytes", snapshot.bytes[tag]) for tag in (CACHE, DRIVER) if tag in snapshot.bytes]
    if snapshot.pool is not None:
        cells.append(("Pool N Bytes", snapshot.pool))
    return [Sample(at, machine, f"{OBJECT}: {counter}", "", "", "", float(value)) for counter, value in cells]


def _leave_out(snapshot: Snapshot, time: int | None, problems: Problems) -> None:
    if CACHE not in snapshot.bytes:
        problems.info(
            "no-pvs-tag",
            f"The snapshot on line {snapshot.line:,} lists {snapshot.rows} tags and not {CACHE}: no RAM cache of PVS.",
            "snapshot ignored",
            snapshot.line,
        )
    elif time is None:
        problems.warn(
            "snapshot-without-time",
            f"The snapshot on line {snapshot.line:,} has no time, and the file contains several.",
            "snapshot ignored; let the script write date and time before each, or write each to a separate file",
            snapshot.line,
        )


def _times(
    listed: Sequence[Snapshot], behind: str, path: Path, name: str, stated: Order | None, problems: Problems
) -> tuple[list[int | None], int | None]:
    """The time of each snapshot and the offset of these times in minutes, None where they are local."""
    times = moments([*(snapshot.before for snapshot in listed), behind], stated)
    # A script may write the time behind each snapshot.
    written = times[1:] if times[0] is None and times[-1] is not None else times[:-1]
    if any(time is not None for time in written) or not listed:
        return written, None
    if len(listed) > 1:
        return [None] * len(listed), None
    if (moment := moment_in_name(PurePosixPath(name).name)) is not None:
        problems.info("time-from-name", "The time of the snapshot comes from the file name.", "read as local time")
        return [moment], None
    problems.warn(
        "time-from-file",
        "Neither the file nor its name contains a time: the time of the last change was used.",
        "may be wrong if the file was copied; let the script write date and time before the snapshot",
    )
    return [path.stat().st_mtime_ns // 1000], 0


def _machine(text: str, path: Path, name: str) -> str:
    if stated := _MACHINE.search(text):
        return stated[1]
    shown = PurePosixPath(name)
    # What stands between the date, the tool's name and a running number.
    parts = _TOOL.sub("\0", without_moment(shown.stem)).split("\0")
    own = [re.sub(r"_\d{1,4}$", "", part).strip(" _.-") for part in parts if re.search("[A-Za-z]", part)]
    if own:
        return own[0]
    folder = shown.parent.name or (path.parent.name if path.name == shown.name else "")
    return "" if folder.casefold() in _PARTS else folder


READER = Reader(LABEL, identify, read, by_place=True, read_dated=read_dated)
