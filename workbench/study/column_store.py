"""The column store: what was read once is mapped ever after.

    <root>/v1/columns/<key>.arrow    Arrow IPC: `t` and `c0`, `c1`, …
    <root>/v1/readings/<key>.json    the description and the problems
    <root>/v1/sources/<id>.json      path, size and mtime of a source file -> key

`key` is the content's hash, so a copied or renamed file is not read again. Everything here can be rebuilt
and is deleted oldest first when the store outgrows its cap. Nothing is ever pickled.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import platformdirs
import polars as pl
import xxhash

from workbench.model.reading import Reading
from workbench.model.recording import Recording

# Raised whenever a reader reads differently: old entries are then read anew.
READERS_VERSION = 1
DEFAULT_CAP_BYTES = 20 * 2**30

FloatArray = npt.NDArray[np.float64]


class _Source(msgspec.Struct):
    path: str
    size: int
    mtime_ns: int
    key: str


@dataclass(frozen=True, slots=True)
class Store:
    """A place for columns. Several windows may share one: every write is a rename."""

    root: Path

    def columns(self, key: str) -> Path:
        """Where the columns of a file with this content lie."""
        return self.root / "v1" / "columns" / f"{key}.arrow"

    def reading(self, key: str) -> Path:
        """Where its description lies."""
        return self.root / "v1" / "readings" / f"{key}.json"

    def source(self, path: Path) -> Path:
        """Where the store remembers which content this path had."""
        name = xxhash.xxh3_128_hexdigest(str(path.absolute()).encode())
        return self.root / "v1" / "sources" / f"{name}.json"

    def prepare(self) -> None:
        """Makes the folders."""
        for folder in ("columns", "readings", "sources"):
            (self.root / "v1" / folder).mkdir(parents=True, exist_ok=True)


def default_store() -> Store:
    """The store in the user's cache folder, or where VDI_WORKBENCH_STORE says."""
    stated = os.environ.get("VDI_WORKBENCH_STORE")
    return Store(Path(stated) if stated else Path(platformdirs.user_cache_dir("vdi-workbench")))


def content_key(path: Path) -> str:
    """128-bit hash of the file's bytes and the readers' version."""
    digest = xxhash.xxh3_128(str(READERS_VERSION).encode())
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def lookup(store: Store, path: Path, name: str) -> Reading | None:
    """The stored reading of an unchanged file (same path, size and mtime), else None. Reads no source."""
    try:
        status = path.stat()
        source = msgspec.json.decode(store.source(path).read_bytes(), type=_Source)
    except (OSError, msgspec.MsgspecError):
        return None
    if (source.size, source.mtime_ns) != (status.st_size, status.st_mtime_ns):
        return None
    return load(store, source.key, name)


def load(store: Store, key: str, name: str) -> Reading | None:
    """The stored reading of this content under the name the user sees, or None."""
    try:
        reading = msgspec.json.decode(store.reading(key).read_bytes(), type=Reading)
    except (OSError, msgspec.MsgspecError):
        return None
    if reading.recording is not None and not store.columns(key).exists():
        return None
    return _named(reading, name, store.columns(key))


def save(store: Store, path: Path, key: str, reading: Reading, status: os.stat_result) -> None:
    """Keeps a reading and remembers that `path`, as `status` found it, has this content."""
    _write(store.reading(key), msgspec.json.encode(reading))
    remember(store, path, key, status)


def remember(store: Store, path: Path, key: str, status: os.stat_result) -> None:
    """Notes that `path` has this content."""
    source = _Source(str(path.absolute()), status.st_size, status.st_mtime_ns, key)
    _write(store.source(path), msgspec.json.encode(source))


def prune(store: Store, cap_bytes: int = DEFAULT_CAP_BYTES) -> int:
    """Deletes the columns used longest ago until the store fits its cap; returns the bytes freed."""
    files = sorted((store.root / "v1" / "columns").glob("*.arrow"), key=lambda file: file.stat().st_mtime)
    excess = sum(file.stat().st_size for file in files) - cap_bytes
    freed = 0
    for file in files:
        if freed >= excess:
            break
        freed += file.stat().st_size
        file.unlink(missing_ok=True)
    return freed


def read_columns(recording: Recording, columns: list[int]) -> dict[int, FloatArray]:
    """The wanted columns as float64, one value per row, NaN where the sample is missing."""
    if not columns:
        return {}
    wanted = [f"c{column}" for column in columns]
    frame = pl.scan_ipc(_file(recording)).select(wanted).collect()
    return {column: frame[name].to_numpy() for column, name in zip(columns, wanted, strict=True)}


def read_times(recording: Recording) -> FloatArray:
    """The time stamps in seconds since 1970 as the file writes them (local time)."""
    frame = pl.scan_ipc(_file(recording)).select("t").collect()
    times: FloatArray = frame["t"].to_numpy().astype(np.float64) / 1e6
    return times


def _file(recording: Recording) -> str:
    if recording.store_file is None:
        raise ValueError(f"{recording.file} has not been placed in a store")
    return recording.store_file


def _named(reading: Reading, name: str, columns: Path) -> Reading:
    recording = reading.recording
    return replace(
        reading,
        report=replace(reading.report, path=name),
        problems=tuple(replace(problem, file=name) for problem in reading.problems),
        recording=None if recording is None else recording.placed(name, str(columns)),
        benchmarks=tuple(replace(row, path=name) for row in reading.benchmarks),
    )


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    temporary.write_bytes(data)
    temporary.replace(path)
