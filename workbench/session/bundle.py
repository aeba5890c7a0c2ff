"""Bundles (`.vdibundle`): a session with the samples it needs, to be opened where the result folders are not.

A zip of `session.json` (the session), `studies.json` (runs, counters, problems), `sources.json` (name, size and
128-bit hash of each source file) and one Parquet table for each recording (`t`: microseconds as the file writes
them, `c0`, `c1`, …: its counters). Opening it fills the column store; nothing else is written.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import xxhash

from workbench.interrupts import stop_if_cancelled
from workbench.model.failure import failures
from workbench.model.recording import Recording
from workbench.model.run import Run, Study
from workbench.patience import reason
from workbench.session.bundle_tables import TooLargeError, check_members, check_stated, in_store, member
from workbench.session.document import Document, SessionError, decode, encode
from workbench.session.files import BUNDLE
from workbench.study.discovery.archive_members import shown
from workbench.study.discovery.archive_opening import RefusedError, opened_archive
from workbench.study.store.column_store import Store
from workbench.study.store.columns import ColumnsError, read_table
from workbench.study.store.temporary import write_whole

ENDING = BUNDLE
VERSION = 1
_SESSION, _STUDIES, _SOURCES = "session.json", "studies.json", "sources.json"


class BundledFile(msgspec.Struct, frozen=True):
    """A source file: the name the user saw, its size in bytes and the hash of its bytes (empty: not read)."""

    name: str
    size: int
    hash: str


class _Studies(msgspec.Struct, frozen=True):
    version: int
    studies: tuple[Study, ...]


class Bundle(msgspec.Struct, frozen=True):
    """What a bundle holds, its columns placed in the store."""

    document: Document
    studies: tuple[Study, ...]
    sources: tuple[BundledFile, ...]


def sources_of(places: Mapping[str, Path]) -> tuple[BundledFile, ...]:
    """Name, size and hash of each file that can be read; of a member of an archive, the archive's."""
    known: dict[Path, tuple[int, str]] = {}
    for path in places.values():
        if path not in known:
            known[path] = _size_and_hash(path)
    return tuple(BundledFile(name, *known[path]) for name, path in sorted(places.items()))


def save_anonymous_bundle(
    path: Path,
    document: Document,
    studies: tuple[Study, ...],
    sources: tuple[BundledFile, ...],
    key: Path | None = None,
) -> None:
    """Writes the bundle with every name replaced, and which name is which to `key`, if any. Raises SessionError.

    It has no hashes of the sources, by which anybody could make sure of a guess, and not the window's layout.
    """
    # Here and not above: making their patterns ready takes 20 ms of every start of the window.
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
        raise SessionError(f"{path.name} was saved, its key {key} was not: {reason(error)}.") from error


def save_bundle(path: Path, document: Document, studies: tuple[Study, ...], sources: tuple[BundledFile, ...]) -> None:
    """Writes the bundle in one step. Raises SessionError; an earlier file is then unchanged."""
    try:
        write_whole(path, _packed(document, studies, sources))
    except OSError as error:
        raise SessionError(
            f"{path.name} was not saved: {reason(error)}. What was there before is unchanged; "
            "free some space or save it elsewhere."
        ) from error
    except ColumnsError as error:
        raise SessionError(f"{path.name} was not saved. {error} What was there before is unchanged.") from error


def load_bundle(path: Path, store: Store) -> Bundle:
    """The bundle, its columns in the store. Raises SessionError with a sentence, and Cancelled."""
    try:
        store.prepare()
        with opened_archive(path) as archive:
            check_members(archive)
            document = decode(member(archive, _SESSION), path.name)
            held = msgspec.json.decode(member(archive, _STUDIES), type=_Studies)
            if held.version > VERSION:
                raise SessionError(f"{path.name} was saved by a newer VDI Workbench. Open it there.")
            sources = msgspec.json.decode(member(archive, _SOURCES), type=tuple[BundledFile, ...])
            check_stated(held.studies, path.stat().st_size)
            studies = tuple(_placed(study, archive, store) for study in held.studies)
    except SessionError:
        raise
    except TooLargeError as error:
        raise SessionError(
            f"{path.name} would unpack to far more than a bundle of its size: {error}. It was not opened; open the "
            "result folder instead."
        ) from error
    except OSError as error:
        raise SessionError(f"{path.name} cannot be opened: {error.strerror or error}.") from error
    except failures() as error:  # a damaged zip or table may fail in any way
        raise SessionError(
            f"{path.name} is not a bundle, or it is damaged ({_reason(error)}). Copy it again from its origin, or "
            "open the result folder."
        ) from error
    return Bundle(document, studies, sources)


def notices(bundle: Bundle, now: Iterable[BundledFile]) -> tuple[str, ...]:
    """What to say when a bundle is opened, with its source files as they are on this machine."""
    from workbench.study.anonymising.pseudonyms import NOTICE

    replaced = (f"{NOTICE} in this bundle.",) if bundle.document.anonymised else ()
    return (*replaced, *differences(bundle.sources, now))


def differences(then: Iterable[BundledFile], now: Iterable[BundledFile]) -> tuple[str, ...]:
    """What to say where the source folders lie on this machine too: none when every file is as it was."""
    before, after = ({file.name: file for file in files} for files in (then, now))
    if not after:
        return ("The source folders are not on this machine; everything shown comes from the bundle.",)
    gone = sorted(before.keys() - after.keys())
    other = sorted(name for name in before.keys() & after.keys() if before[name].hash != after[name].hash)
    reasons = ((gone, "missing from the source folders"), (other, "different in the source folders"))
    return tuple(
        f"{', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}: {words}; "
        "what is shown comes from the bundle."
        for names, words in reasons
        if names
    )


def _packed(document: Document, studies: tuple[Study, ...], sources: tuple[BundledFile, ...]) -> bytes:
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
    # Here and not above: every start of the window loads this module, and polars is a fifth of it.
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
    """What our own checks say of a damage, else what kind it is."""
    return shown(str(error)).rstrip(".") if type(error) in (ValueError, RefusedError) else type(error).__name__


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
