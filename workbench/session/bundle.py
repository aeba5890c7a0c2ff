"""Bundles (`.vdibundle`): a workspace with the samples it needs, for machines without the result folders.

A bundle is a zip with three JSON files: `session.json` (the workspace), `studies.json` (runs, counters, problems) and
`sources.json` (name, size and 128-bit hash of each source file). It also contains one Parquet table per recording (`t`:
microseconds as the file writes them; `c0`, `c1`, …: its counters). Opening it fills the column store and writes nothing
else.

A table is checked before it is unpacked. Some rows are unpacked at a time. The stated sizes of the recordings limit the
bundle as a whole. Each table must contain exactly the stated data, by its directory and the headers of its pages
(`parquet_pages`), before any byte is unpacked.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import xxhash

from workbench.cancellation import stop_if_cancelled
from workbench.file_replace import deleted_afterwards, reason
from workbench.model.problem import failures, few_named
from workbench.model.recording import Recording
from workbench.model.run import Run, Study
from workbench.session.document import SessionDocument, SessionError, decode, encode
from workbench.session.files import BUNDLE
from workbench.session.parquet_pages import contents_of
from workbench.study.discovery.archive_opening import RefusedError, opened_archive, shown
from workbench.study.store.column_store import Store
from workbench.study.store.column_sums import sums_file
from workbench.study.store.columns import BUNDLED, ColumnsError, put_columns, read_table, readable
from workbench.study.store.temporary import temporary_beside, write_whole

ENDING = BUNDLE
VERSION = 1
_SESSION, _STUDIES, _SOURCES = "session.json", "studies.json", "sources.json"


class BundledFile(msgspec.Struct, frozen=True):
    """A source file: the name that the user saw, its size in bytes and the hash of its bytes (empty: not read)."""

    name: str
    size: int
    hash: str


class _Studies(msgspec.Struct, frozen=True):
    version: int
    studies: tuple[Study, ...]


class Bundle(msgspec.Struct, frozen=True):
    """The contents of a bundle, with its columns in the store."""

    document: SessionDocument
    studies: tuple[Study, ...]
    sources: tuple[BundledFile, ...]


def sources_of(places: Mapping[str, Path]) -> tuple[BundledFile, ...]:
    """Name, size and hash of each readable file; for a member of an archive, those of the archive."""
    known: dict[Path, tuple[int, str]] = {}
    for path in places.values():
        if path not in known:
            known[path] = _size_and_hash(path)
    return tuple(BundledFile(name, *known[path]) for name, path in sorted(places.items()))


def save_anonymous_bundle(
    path: Path,
    document: SessionDocument,
    studies: tuple[Study, ...],
    sources: tuple[BundledFile, ...],
    key: Path | None = None,
) -> None:
    """Write the bundle with every name replaced, and the list of replaced names to `key`, if any. Raises SessionError.

    The bundle contains neither the window layout nor the hashes of the sources, because hashes could confirm a guessed
    name.
    """
    # Imported here, because compiling its patterns would add 20 ms to every start of the window.
    from workbench.study.anonymising.collecting import pseudonyms_of, without_names
    from workbench.study.anonymising.pseudonyms import write_key

    names = pseudonyms_of(studies, document.state, document, sources)
    document = msgspec.structs.replace(without_names(document, names), layout="", anonymised=True)
    unhashed = tuple(BundledFile(names.text(source.name), source.size, "") for source in sources)
    save_bundle(path, document, without_names(studies, names), unhashed)
    try:
        if key is not None:
            write_key(key, names)
    except OSError as error:
        raise SessionError(f"{path.name} was saved, but its key {key} was not: {reason(error)}.") from error


def save_bundle(
    path: Path, document: SessionDocument, studies: tuple[Study, ...], sources: tuple[BundledFile, ...]
) -> None:
    """Write the bundle in one step. Raises SessionError; an earlier file is then unchanged."""
    try:
        write_whole(path, _packed(document, studies, sources))
    except OSError as error:
        raise SessionError(
            f"{path.name} was not saved: {reason(error)}. The earlier file is unchanged. "
            "Free some space or save it elsewhere."
        ) from error
    except ColumnsError as error:
        raise SessionError(f"{path.name} was not saved. {error} An earlier file of this name is unchanged.") from error


def load_bundle(path: Path, store: Store) -> Bundle:
    """The bundle, with its columns in the store. Raises SessionError with a sentence, and Cancelled."""
    try:
        store.prepare()
        with opened_archive(path) as archive:
            check_members(archive)
            document = decode(member(archive, _SESSION), path.name)
            held = msgspec.json.decode(member(archive, _STUDIES), type=_Studies)
            if held.version > VERSION:
                raise SessionError(
                    f"{path.name} was saved by a newer version of VDI Workbench. Open it with that version."
                )
            sources = msgspec.json.decode(member(archive, _SOURCES), type=tuple[BundledFile, ...])
            check_stated(held.studies, path.stat().st_size)
            studies = tuple(_placed(study, archive, store) for study in held.studies)
    except SessionError:
        raise
    except TooLargeError as error:
        raise SessionError(
            f"{path.name} is too large when unpacked: {error}. It was not opened. Open the result folder instead."
        ) from error
    except OSError as error:
        raise SessionError(f"{path.name} cannot be opened: {error.strerror or error}.") from error
    except failures() as error:  # a damaged zip or table may fail in any way
        raise SessionError(
            f"{path.name} is not a bundle, or it is damaged{_reason(error)}. Copy it again, or open the result folder."
        ) from error
    return Bundle(document, studies, sources)


def notices(bundle: Bundle, now: Iterable[BundledFile]) -> tuple[str, ...]:
    """Messages for the opening of a bundle, compared with its source files on this machine."""
    from workbench.study.anonymising.pseudonyms import NOTICE

    replaced = (f"{NOTICE} in this bundle.",) if bundle.document.anonymised else ()
    return (*replaced, *differences(bundle.sources, now))


def differences(then: Iterable[BundledFile], now: Iterable[BundledFile]) -> tuple[str, ...]:
    """Messages if the source folders are on this machine too: none if every file is unchanged."""
    before, after = ({file.name: file for file in files} for files in (then, now))
    if not after:
        return ("The source folders are not on this machine; all data comes from the bundle.",)
    gone = sorted(before.keys() - after.keys())
    other = sorted(name for name in before.keys() & after.keys() if before[name].hash != after[name].hash)
    reasons = ((gone, "missing from the source folders"), (other, "different in the source folders"))
    return tuple(f"{few_named(names)}: {words}; the bundle is used instead." for names, words in reasons if names)


def _packed(document: SessionDocument, studies: tuple[Study, ...], sources: tuple[BundledFile, ...]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        kept = []
        for study in studies:
            runs, loose = (_with_tables(some, archive) for some in (study.runs, study.loose))
            kept.append(replace(study, runs=runs, loose=loose))
        for name, data in (
            (_SESSION, encode(document)),
            (_STUDIES, msgspec.json.encode(_Studies(VERSION, tuple(kept)))),
            (_SOURCES, msgspec.json.encode(sources)),
        ):
            archive.writestr(name, data, compress_type=zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _with_tables(runs: tuple[Run, ...], archive: zipfile.ZipFile) -> tuple[Run, ...]:
    return tuple(
        replace(run, recordings=tuple(_written(recording, archive) for recording in run.recordings)) for run in runs
    )


def _written(recording: Recording, archive: zipfile.ZipFile) -> Recording:
    """The recording with the name of its table in the bundle."""
    # Imported here: every start of the window loads this module, and polars is a fifth of the start time.
    import polars as pl

    name = f"columns/{len(archive.namelist()):05d}.parquet"
    times, columns = read_table(recording, [series.column for series in recording.series])
    stamps = pl.Series("t", times * 1e6).round().cast(pl.Int64)
    data = [pl.Series(f"c{at}", values, nan_to_null=True) for at, values in columns.items()]
    out = io.BytesIO()
    pl.DataFrame([stamps, *data]).write_parquet(out, compression="zstd")
    archive.writestr(name, out.getvalue())
    return replace(recording, store_file=name, late=())


def _placed(study: Study, archive: zipfile.ZipFile, store: Store) -> Study:
    runs, loose = (tuple(_placed_run(run, archive, store) for run in some) for some in (study.runs, study.loose))
    return replace(study, runs=runs, loose=loose)


def _placed_run(run: Run, archive: zipfile.ZipFile, store: Store) -> Run:
    return replace(run, recordings=tuple(_in_store(recording, archive, store) for recording in run.recordings))


def _in_store(recording: Recording, archive: zipfile.ZipFile, store: Store) -> Recording:
    return in_store(recording, member(archive, recording.store_file or ""), store)


def _reason(error: BaseException) -> str:
    """The message of the program's own checks in brackets; empty for an error of a library."""
    return f" ({shown(str(error)).rstrip('.')})" if type(error) in (ValueError, RefusedError) else ""


def _size_and_hash(path: Path) -> tuple[int, str]:
    digest = xxhash.xxh3_128()
    size = 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 22):
                stop_if_cancelled()
                digest.update(block)
                size += len(block)
    except OSError:
        return 0, ""
    return size, digest.hexdigest()


# Limit for all tables of a bundle when unpacked: the limit of an archive of results.
_MAX_BYTES = 20 * 10**9
# Any bundle may unpack to this size; beyond it, only to this multiple of its own size. This program's writer packs
# columns of one constant value 2,900 to 1.
_FREE_BYTES, _MAX_TABLE_RATIO = 10**9, 4_000
# Descriptions pack 25 to 1, and tables are packed already. From this size on a member may expand 50 times, a small one
# 200 times.
_LARGE_BYTES, _LARGE_RATIO, _SMALL_RATIO = 2**24, 50, 200
_MAX_MEMBER_BYTES = 2 * 10**9
_READ_BYTES = 2**20
# Number of values unpacked at a time: 64 MB.
_VALUES = 1 << 23


class TooLargeError(Exception):
    """A bundle, or a member of it, would unpack to more than allowed; the message says to how much."""


def check_stated(studies: Iterable[Study], size: int) -> None:
    """Raises TooLargeError if the recordings of a bundle of `size` bytes would unpack to more than allowed, and
    ValueError if the stated sizes are impossible."""
    recordings = [recording for study in studies for run in (*study.runs, *study.loose) for recording in run.recordings]
    if any(min((recording.rows, *(s.column for s in recording.series))) < 0 for recording in recordings):
        raise ValueError("a table has a negative number of rows or columns")
    if len({recording.store_file for recording in recordings}) < len(recordings):
        raise ValueError("two recordings share a table")
    unpacked = sum(8 * max(1, recording.rows) * _width(recording) for recording in recordings)
    if unpacked > min(_MAX_BYTES, max(_FREE_BYTES, _MAX_TABLE_RATIO * size)):
        raise TooLargeError(f"its tables would grow from {size / 1e3:,.0f} KB to {unpacked / 1e9:,.1f} GB")


def check_members(archive: zipfile.ZipFile) -> None:
    """Raises TooLargeError if a member would unpack to more than allowed."""
    for info in archive.infolist():
        size, packed = info.file_size, info.compress_size
        swells = size > _SMALL_RATIO * max(packed, 1024) or size > max(_LARGE_BYTES, _LARGE_RATIO * packed)
        # Other compression methods are unpacked at once, with any size of the result.
        known = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if swells or not known or size > _MAX_MEMBER_BYTES:
            raise TooLargeError(
                f"{shown(info.filename)} would grow from {packed / 1e3:,.0f} KB to {size / 1e6:,.0f} MB"
            )


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A member of the bundle, at most as long as the directory states. Raises Cancelled."""
    content = io.BytesIO()
    with archive.open(name) as stream:
        # If the whole member is requested, zipfile unpacks everything first and truncates it afterwards.
        while block := stream.read(_READ_BYTES):
            stop_if_cancelled()
            content.write(block)
    return content.getvalue()


def in_store(recording: Recording, data: bytes, store: Store) -> Recording:
    """The recording with its columns in the store, under the hash of its table `data`. Raises ValueError if the table
    has other rows or columns than the recording, and Cancelled; nothing is left in the store then."""
    path = store.columns(f"{BUNDLED}{xxhash.xxh3_128_hexdigest(data)}")
    placed = replace(recording, store_file=str(path))
    contents = contents_of(data)
    columns = {"t": True} | {f"c{series.column}": False for series in recording.series}
    if contents.rows != recording.rows or contents.columns != columns:
        raise ValueError(
            f"{recording.store_file} contains {contents.rows:,} rows and {len(contents.columns):,} columns, but "
            f"{recording.file} has {recording.rows:,} and {len(columns):,}"
        )
    if not (sums_file(path).exists() and readable(placed)):
        part = temporary_beside(path)
        with deleted_afterwards(part):
            _unpack(data, contents.rows, _width(recording), part)
            put_columns(part, path)
    return placed


def _width(recording: Recording) -> int:
    """Number of columns of a table, including its times and omitted columns between others."""
    return 2 + max((series.column for series in recording.series), default=-1)


def _unpack(data: bytes, rows: int, width: int, target: Path) -> None:
    """Write the table as the store keeps it: some rows at a time, to limit memory and to allow Cancel."""
    # Imported here: every start of the window loads this module.
    import polars as pl

    from workbench.readers.common.flat_columns import begin_flat

    step = max(1, _VALUES // width)
    table = pl.scan_parquet(io.BytesIO(data))
    with target.open("wb", buffering=0) as stream:
        flat = begin_flat(stream, width - 1, rows)
        for start in range(0, rows, step):
            stop_if_cancelled()
            for column in table.slice(start, step).collect().get_columns():
                place = -1 if column.name == "t" else int(column.name.removeprefix("c"))
                flat.put(np.ascontiguousarray(column.cast(pl.Float64).to_numpy())[None, :], place, start)
