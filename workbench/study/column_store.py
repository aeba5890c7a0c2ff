"""The column store: what was read once is mapped ever after.

    <root>/v1/columns/<key>.arrow    Arrow IPC: `t` and `c0`, `c1`, …; of very many counters a NumPy array
    <root>/v1/readings/<key>.json    the description and the problems
    <root>/v1/sources/<id>.json      path, size and mtime of a source file -> key

`key` is the content's hash, so a copied or renamed file is not read again. Everything here can be rebuilt
and is deleted oldest first when the store outgrows its cap. Nothing is ever pickled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import platformdirs
import polars as pl
import xxhash

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport, Recording

# Raised whenever a reader reads differently: old entries are then read anew.
READERS_VERSION = 13
DEFAULT_CAP_BYTES = 20 * 2**30
# The key of a file that no reader knew: it is listed again without a look at its content.
NOT_RECOGNISED = ""
# The key of a file of 0 bytes.
EMPTY = "empty"
# What the key of a packed file begins with; its kind follows.
PACKED = "packed: "
# Kinds of such files that the window saved.
SESSION, BUNDLE = "session", "bundle"
# Columns younger than this may be on somebody's screen and are never pruned.
KEEP_S = 24 * 3600.0
_ARROW_MAGIC = b"ARROW1"
_FLAT_MAGIC = b"\x93NUMPY"

FloatArray = npt.NDArray[np.float64]


class _Source(msgspec.Struct):
    path: str
    size: int
    mtime_ns: int
    key: str
    readers: int = 0
    crc: int = 0
    header: str = ""
    mapping: str = ""
    date_order: str = ""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What must be as it was for what is remembered of a file to hold: size and time of the file, or of the
    archive it is a member of and then its checksum; for a CSV that is read through a column mapping its
    header, and the mapping it was read through (empty: none); the order of dates that its run states."""

    size: int
    mtime_ns: int
    crc: int = 0
    header: str = ""
    mapping: str = ""
    date_order: str = ""


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file on disk."""
    return Stamp(status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Store:
    """A place for columns. Several windows may share one: every write is a rename. `cap_bytes` is what it may
    grow to."""

    root: Path
    cap_bytes: int = DEFAULT_CAP_BYTES

    def columns(self, key: str) -> Path:
        """Where the columns of a file with this content lie."""
        return self.root / "v1" / "columns" / f"{key}.arrow"

    def reading(self, key: str) -> Path:
        """Where its description lies."""
        return self.root / "v1" / "readings" / f"{key}.json"

    def source(self, path: Path) -> Path:
        """Where the store remembers which content this path had."""
        name = xxhash.xxh3_128_hexdigest(os.fsencode(path.absolute()))
        return self.root / "v1" / "sources" / f"{name}.json"

    def prepare(self) -> None:
        """Makes the folders."""
        for folder in ("columns", "readings", "sources"):
            (self.root / "v1" / folder).mkdir(parents=True, exist_ok=True)


def default_store() -> Store:
    """The store in the user's cache folder, or where VDI_WORKBENCH_STORE says."""
    stated = os.environ.get("VDI_WORKBENCH_STORE")
    return Store(Path(stated) if stated else Path(platformdirs.user_cache_dir("vdi-workbench")))


def content_key(path: Path, place: str = "") -> str:
    """128-bit hash of the file's bytes, the readers' version and, where it tells something, the file's place."""
    digest = new_digest(place)
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def new_digest(place: str = "") -> xxhash.xxh3_128:
    """A digest that makes the key of a content once it has been given all its bytes."""
    return xxhash.xxh3_128(str(READERS_VERSION).encode() + place.encode(errors="surrogateescape"))


def lookup(
    store: Store, path: Path, name: str, stamp: Stamp | None = None, mappings: Mapping[str, str] | None = None
) -> Reading | None:
    """The stored reading of an unchanged file (same path, size and mtime), else None. Reads no source.

    `stamp` is what the file, or a member of an archive, is known by; `mappings` are the fingerprints of the column
    mappings by header: a CSV is read anew when the one for its header has changed.
    """
    try:
        stamp = stamp or stamp_of(path.stat())
        source = msgspec.json.decode(store.source(path).read_bytes(), type=_Source)
    except (OSError, msgspec.MsgspecError):
        return None
    now = (stamp.size, stamp.mtime_ns, stamp.crc, stamp.date_order, READERS_VERSION)
    if (source.size, source.mtime_ns, source.crc, source.date_order, source.readers) != now:
        return None
    if source.header and (mappings or {}).get(source.header, "") != source.mapping:
        return None
    return without_reader(source.key, name) or load(store, source.key, name)


def load(store: Store, key: str, name: str) -> Reading | None:
    """The stored reading of this content under the name the user sees, or None."""
    try:
        reading = msgspec.json.decode(store.reading(key).read_bytes(), type=Reading)
    except (OSError, msgspec.MsgspecError):
        return None
    if reading.recording is not None and not _whole(store.columns(key)):
        return None
    return _named(reading, name, store.columns(key))


def save(store: Store, path: Path, key: str, reading: Reading, stamp: Stamp) -> None:
    """Keeps a reading and remembers that `path`, as `stamp` knows it, has this content."""
    _write(store.reading(key), msgspec.json.encode(reading))
    remember(store, path, key, stamp)


def remember(store: Store, path: Path, key: str, stamp: Stamp) -> None:
    """Notes that `path` has this content."""
    shown = os.fsencode(path.absolute()).decode(errors="replace")
    source = _Source(
        shown,
        stamp.size,
        stamp.mtime_ns,
        key,
        READERS_VERSION,
        stamp.crc,
        stamp.header,
        stamp.mapping,
        stamp.date_order,
    )
    # Where nothing may be written the file is looked at again next time, and that is all.
    with suppress(OSError):
        _write(store.source(path), msgspec.json.encode(source))


def without_reader(key: str, name: str) -> Reading | None:
    """The reading of a file that no reader knows, by what it is remembered as; None for any other key."""
    if key.startswith(PACKED):
        return packed_file(name, key.removeprefix(PACKED))
    return not_recognised(name) if key == NOT_RECOGNISED else empty_file(name) if key == EMPTY else None


def packed_file(name: str, kind: str) -> Reading:
    """The reading of a packed file that is not opened; `kind` is what its first bytes say it is."""
    if kind in (SESSION, BUNDLE):
        own = Problem(
            Severity.INFO, name, "own-file", f"This is a {kind} of the workbench, not a result.",
            "file left out; open it by itself",
        )  # fmt: skip
        return Reading(FileReport(path=name), (own,))
    problem = Problem(
        Severity.WARNING, name, "packed-file", f"This is a packed file ({kind}), which is not opened.",
        "rename it to end in .zip, and open it again" if kind == "zip"
        else "file left out; unpack it, or pack its content as .zip, and open that",
    )  # fmt: skip
    return Reading(FileReport(path=name), (problem,))


def not_recognised(name: str) -> Reading:
    """The reading of a file that no reader knows: listed, and left out."""
    problem = Problem(
        Severity.INFO, name, "not-recognised", "No reader knows this file's content.", "file left out"
    )
    return Reading(FileReport(path=name), (problem,))


def empty_file(name: str) -> Reading:
    """The reading of a file of 0 bytes: what wrote it was never started, or never got to write."""
    problem = Problem(
        Severity.WARNING, name, "empty-file", "The file is empty (0 bytes).",
        "file left out; if results belong here, copy it again or repeat the test",
    )  # fmt: skip
    return Reading(FileReport(path=name), (problem,))


def prune(store: Store, cap_bytes: int | None = None, keep_s: float = KEEP_S) -> int:
    """Deletes the columns used longest ago until the store fits `cap_bytes` (None: its own cap); returns the
    bytes freed.

    Columns used within the last `keep_s` seconds stay. What a killed process left half written goes.
    """
    before = time.time() - keep_s
    files = sorted(_aged(store.root / "v1" / "columns"))
    excess = sum(size for _, size, file in files if file.suffix == ".arrow")
    excess -= store.cap_bytes if cap_bytes is None else cap_bytes
    freed = 0
    for used, size, file in files:
        left_over = file.suffix == ".part"
        if used > before or not (left_over or freed < excess):
            continue
        try:
            file.unlink()
        except OSError:  # another window has it open, or was faster
            continue
        freed += 0 if left_over else size
        store.reading(file.stem).unlink(missing_ok=True)
    return freed


def _aged(folder: Path) -> list[tuple[float, int, Path]]:
    """When each file was last used, its size, and the file."""
    found: list[tuple[float, int, Path]] = []
    for file in folder.glob("*"):
        try:
            status = file.stat()
        except OSError:
            continue
        found.append((status.st_mtime, status.st_size, file))
    return found


def _whole(columns: Path) -> bool:
    """Whether the columns are there to their end; notes that they are in use, for `prune`."""
    try:
        with columns.open("rb") as stream:
            flat = stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC
            stream.seek(-len(_ARROW_MAGIC), os.SEEK_END)
            whole = flat or stream.read() == _ARROW_MAGIC
        if flat:
            np.load(columns, mmap_mode="r")  # maps nothing when the end is missing
    except (OSError, ValueError):
        return False
    # A store on a share may be for reading only; whoever fills it prunes it.
    with suppress(OSError):
        os.utime(columns)
    return whole


def read_table(recording: Recording, columns: list[int]) -> tuple[FloatArray, dict[int, FloatArray]]:
    """The time stamps in seconds since 1970 as the file writes them (local time), and the wanted columns.

    One value per row, NaN where the sample is missing.
    """
    with Path(_file(recording)).open("rb") as stream:
        flat = stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC
    if flat:
        matrix = np.load(_file(recording), mmap_mode="r")
        return np.array(matrix[0]) / 1e6, {column: np.array(matrix[1 + column]) for column in columns}
    names = [f"c{column}" for column in columns]
    # No globbing: a store may lie below a folder with brackets or stars in its name.
    frame = pl.scan_ipc(_file(recording), glob=False).select(pl.col("t", *names)).collect()
    first, *rest = frame.get_columns()
    times: FloatArray = first.to_numpy().astype(np.float64) / 1e6
    return times, {column: values.to_numpy() for column, values in zip(columns, rest, strict=True)}


def read_columns(recording: Recording, columns: list[int]) -> dict[int, FloatArray]:
    """The wanted columns alone."""
    return read_table(recording, columns)[1] if columns else {}


def read_times(recording: Recording) -> FloatArray:
    """The time stamps alone."""
    return read_table(recording, [])[0]


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
