"""A folder in which a test is running: each look reads the new data.

Of a perfmon CSV only the new rows are read. Any other changed file is read again as a whole, at most every `WHOLE_S`
seconds. New files, such as the next segment of a capture, are added. The data is kept in a separate folder, not in the
column store: a test of eight hours would leave thousands of copies there. For each file the module keeps its reading
and the state needed to read it again after it has grown.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from workbench.file_replace import deleted_afterwards, try_to_delete
from workbench.model.mapping import ColumnMapping
from workbench.model.problem import failures
from workbench.model.reading import Reading
from workbench.model.run import Run, Study
from workbench.readers.registry import recognise
from workbench.study.discovery.folders import Found, Parts, find_sources
from workbench.study.discovery.manifest import LIMITS, MANIFEST
from workbench.study.importing import spool
from workbench.study.importing.pool import ImportJob, stored_reading
from workbench.study.importing.source import CHANGED, HEAD_BYTES, ImportSource
from workbench.study.plausibility.judge import plausible
from workbench.study.store.column_store import Store
from workbench.study.store.columns import drop_columns, put_columns
from workbench.study.store.stamps import Stamp, stamp_of

if TYPE_CHECKING:
    from workbench.readers.perfmon.growing import Growing

# Files whose new rows cannot be read alone are read again at most this often.
WHOLE_S = 30.0
# If a file was not written to for this long, its test has ended.
IDLE_S = 600.0
# Data left by a killed program is deleted after a day.
_LEFT_S = 24 * 3600.0
_POLL_S = 0.03
ReadWhole = Callable[[tuple[ImportSource, ...], Store, Mapping[str, ColumnMapping]], list[tuple[ImportSource, Reading]]]


@dataclass(frozen=True, eq=False)
class Following:
    """The files below `paths` at the last look. `fresh` are the files read at the last look, and `gone` is True if one
    has vanished. `whole_at` is when files were last read as a whole."""

    paths: tuple[Path, ...]
    store: Store
    folder: Path
    mappings: Mapping[str, ColumnMapping] = field(default_factory=dict)
    files: Mapping[Parts, Followed] = field(default_factory=dict)
    fresh: frozenset[Parts] = frozenset()
    gone: bool = False
    new_rows: int = 0
    whole_at: float | None = None

    @property
    def changed(self) -> bool:
        """True if the last look found anything new."""
        return bool(self.fresh) or self.gone

    @property
    def grew_at(self) -> float | None:
        """Returns when a result file was last seen growing."""
        moments = [file.grew_at for file in self.files.values() if file.holds_results and file.grew_at is not None]
        return max(moments, default=None)


def begin(paths: tuple[Path, ...], store: Store, mappings: Mapping[str, ColumnMapping] | None = None) -> Following:
    """Returns the folder as it is in the store. Changes since then are new at the first look."""
    around = store.root / "v1" / "following"
    around.mkdir(parents=True, exist_ok=True)
    _sweep(around)
    following = Following(paths, store, Path(tempfile.mkdtemp(dir=around)), mappings or {})
    found = find_sources(list(paths), store)
    _release(found)
    return replace(following, files={source.path.parts: _known(source, following) for source in found.sources})


def look(following: Following, now: float, read_whole: ReadWhole | None = None) -> tuple[Following, Found]:
    """Returns the folder with the data written since the last look, and the files below its paths. `now` is in seconds
    of any clock. `read_whole` reads files that cannot be read in pieces."""
    found = find_sources(list(following.paths), following.store)
    files: dict[Parts, Followed] = {}
    whole: list[Followed] = []
    for source in found.sources:
        file = following.files.get(source.path.parts) or Followed(source, None, None)
        seen = _seen(file, source, following.folder, now)
        if seen is None:
            whole.append(replace(file, source=source, stamp=source.stamp, growing=None))
        files[source.path.parts] = seen or replace(file, growing=None)
    if whole and (following.whole_at is None or now - following.whole_at >= WHOLE_S):
        following = replace(following, whole_at=now)
        files |= _read_again(whole, following, now, read_whole or read_files)
    _release(found)
    return _compared(following, {key: file for key, file in files.items() if file.reading is not None}), found


def studies_of(following: Following, found: Found, now: float, idle_s: float = IDLE_S) -> tuple[Study, ...]:
    """Returns the studies as they are now. Runs whose results were written to within `idle_s` seconds are marked
    running."""
    from workbench.study.importing.build import build_studies  # a window starts without it

    readings = [(file.source, file.reading) for file in following.files.values() if file.reading is not None]
    growing = [
        file.source.path
        for file in following.files.values()
        if file.holds_results and file.grew_at is not None and now - file.grew_at < idle_s
    ]
    return tuple(
        replace(study, runs=tuple(replace(run, running=_holds(run, growing)) for run in study.runs))
        for study in build_studies(found, readings)
    )


def touched(following: Following, run: Run) -> bool:
    """True if a file of the run was read at the last look."""
    return _holds(run, [Path(*key) for key in following.fresh])


def end(following: Following) -> None:
    """Deletes the data read while the folder was followed."""
    try_to_delete(following.folder)


def read_files(
    sources: tuple[ImportSource, ...], store: Store, mappings: Mapping[str, ColumnMapping]
) -> list[tuple[ImportSource, Reading]]:
    """Reads files as an import does, each in a worker process."""
    job = ImportJob(sources, store, mappings=dict(mappings))
    job.start()
    readings: list[tuple[ImportSource, Reading]] = []
    while not job.finished:
        readings += job.poll()
        time.sleep(_POLL_S)
    return [*readings, *job.poll()]


def _known(source: ImportSource, following: Following) -> Followed:
    return Followed(source, source.stamp, stored_reading(source, following.store, dict(following.mappings)))


def _seen(file: Followed, source: ImportSource, folder: Path, now: float) -> Followed | None:
    """Returns the file as it is now, or None if it has to be read as a whole."""
    stamp = source.stamp
    if file.reading is not None and file.stamp == stamp and file.source == source:
        return file
    try:
        return grown(replace(file, source=source, stamp=stamp), folder, now)
    except failures():  # a file deleted or replaced meanwhile may fail in any way
        return None


def _read_again(
    whole: list[Followed], following: Following, now: float, read_whole: ReadWhole
) -> dict[Parts, Followed]:
    """Reads the files as a whole into a store in this folder's data folder, and returns them."""
    sources = tuple(file.source for file in whole)
    readings = read_whole(sources, Store(following.folder), following.mappings)
    of_path = {source.path.parts: reading for source, reading in readings}
    return {
        file.source.path.parts: taken_in(file, reading, _columns(reading), now)
        for file in whole
        if (reading := of_path.get(file.source.path.parts)) is not None and not _torn(reading)
    }


def _torn(reading: Reading) -> bool:
    """True if a file was written to while it was read: then it is read again next time."""
    return any(problem.code == CHANGED for problem in reading.problems)


def _columns(reading: Reading) -> Path | None:
    place = None if reading.recording is None else reading.recording.store_file
    return None if place is None else Path(place)


def _compared(earlier: Following, files: Mapping[Parts, Followed]) -> Following:
    """Returns the folder with these files and the changes since `earlier`."""
    before = earlier.files
    fresh = frozenset(
        key for key, file in files.items() if key not in before or file.reading is not before[key].reading
    )
    rows = sum(max(0, rows_of(files[key]) - (rows_of(before[key]) if key in before else 0)) for key in fresh)
    gone = any(file.reading is not None for key, file in before.items() if key not in files)
    return replace(earlier, files=files, fresh=fresh, gone=gone, new_rows=rows)


def _release(found: Found) -> None:
    """Deletes nested archives that were unpacked for listing."""
    for source in found.sources:
        if source.member is not None and source.member.spooled is not None:
            spool.remove(source.member.spooled)


def _holds(run: Run, paths: list[Path]) -> bool:
    place = Path(run.folder)
    return any(path == place or place in path.parents for path in paths)


def _sweep(around: Path) -> None:
    """Deletes data left by earlier processes of the program."""
    for folder in around.iterdir():
        with suppress(OSError):
            if time.time() - stamp_of(folder.stat()).mtime_ns / 1e9 > _LEFT_S:
                try_to_delete(folder)


# The functions import the reader, and polars with it, on demand: a window starts without them.


@dataclass(frozen=True, eq=False)
class Followed:
    """A file at the last look. `reading` None: it has to be read. `growing` is how far it was read, for files whose new
    rows are read alone; `columns` is the path of its samples, and `before` the path at the previous look. `grew_at`
    is when it was last seen growing (seconds of the caller's clock), None: never."""

    source: ImportSource
    stamp: Stamp | None
    reading: Reading | None
    growing: Growing | None = None
    columns: Path | None = None
    before: Path | None = None
    grew_at: float | None = None

    @property
    def holds_results(self) -> bool:
        """True if the file holds results of a run, not a note or a statement about the run."""
        recognised = self.reading is not None and self.reading.report.recognised
        return recognised and self.source.path.name not in (MANIFEST, LIMITS)


def grown(file: Followed, folder: Path, now: float) -> Followed | None:
    """Returns the file with the appended rows, or None if it has to be read as a whole. The samples are written to
    `folder`. Raises OSError if the file cannot be read."""
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
    """Returns the file with its new reading. The columns of the previous look stay until the next one, because they are
    on the screen until the new values are."""
    if file.before is not None and file.before != columns:
        drop_columns(file.before)
    return replace(file, reading=reading, columns=columns, before=file.columns, grew_at=now)


def rows_of(file: Followed) -> int:
    """Returns the number of rows known of a file."""
    return 0 if file.reading is None else file.reading.report.rows


def _begun(source: ImportSource) -> Growing | None:
    """Returns the file from its first row on, or None if its reader cannot read new rows alone."""
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
    """Returns the reading that an import would make of these lines, see `importing.source`."""
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
