"""One file of a test that runs: what is known of it now, and what it takes to know it again after it has grown."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from workbench.model.reading import Reading
from workbench.patience import deleted_afterwards
from workbench.readers.registry import recognise
from workbench.study.discovery.limits_text import LIMITS
from workbench.study.discovery.manifest import MANIFEST
from workbench.study.importing.source import HEAD_BYTES, Source
from workbench.study.plausibility.judge import plausible
from workbench.study.store.columns import drop_columns, put_columns
from workbench.study.store.stamps import Stamp

if TYPE_CHECKING:
    from workbench.readers.perfmon.growing import Growing

# The reader, and polars with it, is loaded by the functions that need it: a window starts without.


@dataclass(frozen=True, eq=False)
class Followed:
    """A file as it was last looked at. `reading` None: it has to be read. `growing`: how far it was read, where new
    rows are read alone; `columns` is where its samples lie then, and `before` where they lay at the look before.
    `grew_at` is when it was last seen to be written to (seconds of the caller's clock), None where never."""

    source: Source
    stamp: Stamp | None
    reading: Reading | None
    growing: Growing | None = None
    columns: Path | None = None
    before: Path | None = None
    grew_at: float | None = None

    @property
    def holds_results(self) -> bool:
        """Whether it is part of a run's results, and no note beside them or what is stated about the run."""
        recognised = self.reading is not None and self.reading.report.recognised
        return recognised and self.source.path.name not in (MANIFEST, LIMITS)


def grown(file: Followed, folder: Path, now: float) -> Followed | None:
    """The file with the rows that were appended; None where it has to be read as a whole. The samples are written into
    `folder`. Raises OSError where it cannot be read."""
    from workbench.readers.perfmon import growing as perfmon

    source = file.source
    if source.member is not None or source.problem is not None:
        return None
    known = None if file.growing is None else perfmon.extended(file.growing)
    if known is None:
        known = _begun(source)
    if known is None:
        return None
    if file.growing is not None and known.read_to == file.growing.read_to and known.rows is file.growing.rows:
        return file  # half a line
    name = xxhash.xxh3_64_hexdigest(os.fsencode(source.path))
    columns = folder / f"{name}-{time.monotonic_ns()}.arrow"
    reading = _read(known, columns)
    return taken_in(replace(file, growing=known), reading, columns, now)


def taken_in(file: Followed, reading: Reading, columns: Path | None, now: float) -> Followed:
    """The file with what was read of it. What the earlier look has kept stays until the next one: it is on the screen
    until the new figures are."""
    if file.before is not None and file.before != columns:
        drop_columns(file.before)
    return replace(file, reading=reading, columns=columns, before=file.columns, grew_at=now)


def rows_of(file: Followed) -> int:
    """The rows that are known of a file."""
    return 0 if file.reading is None else file.reading.report.rows


def _begun(source: Source) -> Growing | None:
    """The file from its first row on, where its reader reads new rows alone."""
    from workbench.readers.perfmon import growing as perfmon
    from workbench.readers.perfmon.reader import LABEL

    with source.path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    reader = recognise(head, source.path.name)
    if reader is None or reader.label != LABEL:
        return None
    begun = perfmon.begin(source.path, source.name, source.date_order or None)
    return None if begun is None else perfmon.extended(begun)


def _read(growing: Growing, columns: Path) -> Reading:
    """What an import makes of the same lines, see `importing.source`."""
    from workbench.readers.perfmon import growing as perfmon

    part = columns.with_suffix(".part")
    with deleted_afterwards(part):
        reading = perfmon.reading(growing, part)
        if reading.recording is None:
            return reading
        reading = plausible(reading, part)
        put_columns(part, columns)
    recording = reading.recording
    assert recording is not None
    return replace(reading, recording=recording.placed(reading.report.path, str(columns)))
