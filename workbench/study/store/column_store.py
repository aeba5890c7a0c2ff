"""The column store: what was read once is not read again from its source.

    <root>/v1/columns/<key>.arrow    Arrow IPC: `t` and `c0`, `c1`, …; of very many counters a NumPy array
    <root>/v1/columns/<key>.sums     what they are checked against, see `column_sums`
    <root>/v1/readings/<key>.json    the description and the problems, see `descriptions`
    <root>/v1/sources/<id>.json      path, size, mtime and sample of a source file -> key; both sealed, see `own_files`
    <root>/v1/packs/<id>.pack        all of that for many small files of one folder, see `packs`

`key` is the content's hash, so a copied or renamed file is not read again, unless its reader takes something from its
name (`Reader.by_name`), which is then hashed with it. Everything here can be rebuilt
and is deleted oldest first when the store outgrows its cap. Nothing is ever pickled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import platformdirs
import xxhash

from workbench.file_replace import try_to_delete
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.discovery.ignored_files import is_aside
from workbench.study.store.column_sums import sums_file
from workbench.study.store.columns import readable, whole
from workbench.study.store.descriptions import read_description, write_description
from workbench.study.store.own_files import read_sealed, sealed
from workbench.study.store.pack_file import PACK
from workbench.study.store.stamps import Remembered, Stamp, sample_of, stamp_of
from workbench.study.store.temporary import FORGOTTEN_S, is_own, own_folder, replacing, sweep

# The endings under which packed files are opened.
_OPENED = {"zip": ".zip", "tar": ".tar", "gzip": ".gz", "bzip2": ".bz2", "xz": ".xz"}
# Raised whenever a reader reads differently: old entries are then read again.
READERS_VERSION = 54
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

    @property
    def packs(self) -> Path:
        """The folder of the files that hold many small sources each."""
        return self.root / "v1" / "packs"

    def prepare(self) -> None:
        """Makes the folders, which this user alone may read. A root that is there, and not the program's own, keeps its
        rights, because a cluster may share it; the folders within have the usual ones."""
        if not self.root.exists() or is_own(self.root):
            own_folder(self.root)
            for folder in self.folders:
                own_folder(folder)
        for folder in self.folders:
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that files are written into."""
        return tuple(self.root / "v1" / name for name in ("columns", "readings", "sources", "packs"))


def default_store() -> Store:
    """The store in the user's cache folder, or where VDI_WORKBENCH_STORE says."""
    stated = os.environ.get("VDI_WORKBENCH_STORE")
    return Store(Path(stated) if stated else Path(platformdirs.user_cache_dir("vdi-workbench")))


def content_key(path: Path, text: str = "") -> str:
    """128-bit hash of the file's bytes, the readers' version and, where it tells something, the file's place."""
    digest = new_digest(text)
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def key_of_bytes(data: bytes, text: str = "") -> str:
    """The same of a file that has been read."""
    digest = new_digest(text)
    digest.update(data)
    return digest.hexdigest()


def new_digest(text: str = "") -> xxhash.xxh3_128:
    """A digest that makes the key of a content once it has been given all its bytes."""
    return xxhash.xxh3_128(str(READERS_VERSION).encode() + text.encode(errors="surrogatepass"))


def lookup(
    store: Store,
    path: Path,
    name: str,
    stamp: Stamp | None = None,
    mappings: Mapping[str, str] | None = None,
    thorough: bool = False,
) -> Reading | None:
    """The stored reading of an unchanged file (same path, size, mtime and sample), else None. Reads no more of it.

    `stamp` is what the file, or a member of an archive, is known by; `mappings` are the fingerprints of the column
    mappings by header: a CSV is read again when the one for its header has changed; `thorough` is for `load`.
    """
    try:
        stamp = stamp or stamp_of(path.stat())
    except (OSError, ValueError):
        return None
    source = read_sealed(store.source(path), Remembered)
    if source is None or not unchanged(source, path, stamp, mappings or {}):
        return None
    return without_reader(source.key, name) or load(store, source.key, name, thorough)


def unchanged(source: Remembered, path: Path, stamp: Stamp, mappings: Mapping[str, str]) -> bool:
    """Whether a source is as it was when it was read, and would be read in the same way."""
    now = (stamp.size, stamp.mtime_ns, stamp.crc, stamp.date_order, READERS_VERSION)
    if (source.size, source.mtime_ns, source.crc, source.date_order, source.readers) != now:
        return False
    if source.header and mappings.get(source.header, "") != source.mapping:
        return False
    return source.sample == sample_of(path, stamp.size)


def load(store: Store, key: str, name: str, thorough: bool = False) -> Reading | None:
    """The stored reading of this content under the name the user sees, or None where it must be read again. Columns are
    checked as they are read; all of them at once if `thorough`."""
    columns = store.columns(key)
    reading = read_description(store.reading(key))
    if reading is None:
        return None
    if reading.recording is None:
        return named(reading, name, columns)
    if not (whole(columns) and sums_file(columns).exists()):
        return None
    reading = named(reading, name, columns)
    return None if thorough and reading.recording and not readable(reading.recording) else reading


def save(store: Store, path: Path, name: str, key: str, reading: Reading, stamp: Stamp) -> Reading:
    """Keeps a reading and remembers that `path`, as `stamp` knows it, has this content; the reading as `load` will
    give it under the name the user sees."""
    write_description(store.reading(key), reading)
    remember(store, path, key, stamp)
    return named(reading, name, store.columns(key))


def remember(store: Store, path: Path, key: str, stamp: Stamp) -> None:
    """Notes that `path` has this content."""
    # Where nothing may be written the file is looked at again next time, and that is all.
    with suppress(OSError):
        _write(store.source(path), msgspec.json.encode(remembered(path, key, stamp)))


def remembered(path: Path, key: str, stamp: Stamp) -> Remembered:
    """What is noted of a source that has this content."""
    shown = os.fsencode(path.absolute()).decode(errors="replace")
    return Remembered(
        shown,
        stamp.size,
        stamp.mtime_ns,
        key,
        READERS_VERSION,
        stamp.crc,
        stamp.header,
        stamp.mapping,
        stamp.date_order,
        stamp.sample,
    )


def without_reader(key: str, name: str) -> Reading | None:
    """The reading of a file that no reader knows, by what it is remembered as; None for any other key."""
    if key.startswith(PACKED):
        return packed_file(name, key.removeprefix(PACKED))
    return not_recognised(name) if key == NOT_RECOGNISED else empty_file(name) if key == EMPTY else None


def packed_file(name: str, kind: str) -> Reading:
    """The reading of a packed file that is not opened; `kind` is what its first bytes say it is."""
    if kind in (SESSION, BUNDLE):
        own = Problem(
            Severity.INFO,
            name,
            "own-file",
            f"This is a {kind} of the workbench, not a result.",
            "file not imported; open it by itself",
        )
        return Reading(FileReport(path=name), (own,))
    problem = Problem(
        Severity.WARNING,
        name,
        "packed-file",
        f"This is a compressed file ({kind}), which is not supported.",
        f"rename it to end in {_OPENED[kind]}, and open it again"
        if kind in _OPENED
        else "file not imported; unpack it or convert it to .zip, then open that",
    )
    return Reading(FileReport(path=name), (problem,))


def not_recognised(name: str) -> Reading:
    """The reading of a file that no reader knows: listed, and left out. Of a script or a picture that is no news."""
    if is_aside(name):
        return Reading(FileReport(path=name))
    problem = Problem(
        Severity.INFO, name, "not-recognised", "The content of this file has an unknown format.", "file not imported"
    )
    return Reading(FileReport(path=name), (problem,))


def empty_file(name: str) -> Reading:
    """The reading of a file of 0 bytes: what wrote it was never started, or never got to write."""
    problem = Problem(
        Severity.WARNING,
        name,
        "empty-file",
        "The file is empty (0 bytes).",
        "file not imported; if results belong here, copy it again or repeat the test",
    )
    return Reading(FileReport(path=name), (problem,))


def prune(store: Store, cap_bytes: int | None = None, keep_s: float = KEEP_S) -> int:
    """Deletes the columns used longest ago until the store fits `cap_bytes` (None: its own cap); returns the
    bytes freed.

    Columns used within the last `keep_s` seconds stay. What processes that are no more left half written goes.
    """
    clean_up(store)
    before = time.time() - keep_s
    files = sorted([*_aged(store.root / "v1" / "columns", "*.arrow"), *_aged(store.packs, f"*{PACK}")])
    excess = sum(size for _, size, file in files)
    excess -= store.cap_bytes if cap_bytes is None else cap_bytes
    freed = 0
    for used, size, file in files:
        if used > before or freed >= excess:
            break
        if not try_to_delete(file):  # another window has it open
            continue
        freed += size
        if file.suffix == PACK:
            continue
        try_to_delete(sums_file(file))
        try_to_delete(store.reading(file.stem))
    return freed


def clean_up(store: Store) -> None:
    """Deletes what processes that are no more left half written in the store."""
    before = time.time() - FORGOTTEN_S
    for folder in store.folders:
        sweep(folder)
        # Earlier versions named such files by their process alone.
        for written, _, file in _aged(folder, "[!.]*.part"):
            if written < before:
                try_to_delete(file)


def drop_parts(store: Store, processes: Iterable[int]) -> None:
    """Deletes what these processes of this machine, which were killed, were writing."""
    killed = frozenset(processes)
    for folder in store.folders:
        sweep(folder, killed)


def _aged(folder: Path, names: str) -> list[tuple[float, int, Path]]:
    """When each file of such a name was last used, its size, and the file."""
    aged: list[tuple[float, int, Path]] = []
    for file in folder.glob(names):
        try:
            status = file.stat()
        except OSError:
            continue
        aged.append((status.st_mtime, status.st_size, file))
    return aged


def named(reading: Reading, name: str, columns: Path) -> Reading:
    """The reading under the name the user sees, with the place of its columns."""
    recording, report = reading.recording, reading.report
    # Mostly it has its name already, and there may be thousands.
    return replace(
        reading,
        report=report if report.path == name else replace(report, path=name),
        problems=tuple(
            problem if problem.file == name else replace(problem, file=name) for problem in reading.problems
        ),
        recording=None if recording is None else recording.placed(name, str(columns)),
        benchmarks=tuple(row if row.path == name else replace(row, path=name) for row in reading.benchmarks),
    )


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(sealed(data, path))
