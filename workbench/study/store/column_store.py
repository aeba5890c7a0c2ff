"""The column store: a file that was read once is not read again from its source.

    <root>/v1/columns/<key>.arrow    a NumPy array: the times, then each column (the ending is an earlier format's)
    <root>/v1/columns/<key>.sums     their checksums, see `column_sums`
    <root>/v1/readings/<key>.json    the description and the problems, see `descriptions`
    <root>/v1/sources/<id>.json      path, size, mtime and sample of a source file -> key; both sealed, see `own_files`
    <root>/v1/packs/<id>.pack        all of that for many small files of one folder, see `packs`

`key` is the content's hash, so a copied or renamed file is not read again. If its reader uses its name
(`Reader.by_name`), the name is part of the hash. Everything here can be rebuilt and is deleted oldest first when the
store exceeds its cap. Nothing is ever pickled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import msgspec
import platformdirs
import xxhash

from workbench.file_replace import try_to_delete
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.store.column_sums import sums_file
from workbench.study.store.columns import readable, whole
from workbench.study.store.descriptions import read_description, write_description
from workbench.study.store.own_files import read_sealed, sealed
from workbench.study.store.pack_file import PACK
from workbench.study.store.stamps import Remembered, Stamp, sample_of, stamp_of
from workbench.study.store.temporary import FORGOTTEN_S, is_own, own_folder, replacing, sweep

# The endings of packed files that are opened.
_OPENED = {"zip": ".zip", "tar": ".tar", "gzip": ".gz", "bzip2": ".bz2", "xz": ".xz"}
# Raise this number whenever a reader reads differently: old entries are then read again.
READERS_VERSION = 58
DEFAULT_CAP_BYTES = 20 * 2**30
# The key of a file of an unknown format: it is listed again without reading its content.
NOT_RECOGNISED = ""
# The key of a file of 0 bytes.
EMPTY = "empty"
# The prefix of the key of a packed file; its kind follows.
PACKED = "packed: "
# Kinds of such files that the window saved.
SESSION, BUNDLE = "session", "bundle"
# Names of scripts, documents, images and system files next to results.
_NAMES = frozenset(("thumbs.db", "ehthumbs.db", "desktop.ini", "license", "makefile", "dockerfile"))
_SCRIPTS = "py pyc ipynb ps1 psm1 psd1 bat cmd vbs sh bash js ts r rmd sql au3 reg rdp"
_DOCUMENTS = "md rst adoc docx doc docm dotx rtf odt pdf pptx ppt potx vsd vsdx one msg eml tex url lnk"
_PICTURES = "png jpg jpeg gif bmp svg ico webp tif tiff heic mp4 mov mkv avi wmv"
_PROGRAMS = "exe dll so jar class msi cab iso css woff woff2 ttf"
_ENDINGS = frozenset(f".{ending}" for kind in (_SCRIPTS, _DOCUMENTS, _PICTURES, _PROGRAMS) for ending in kind.split())
# Columns younger than this may be on a screen and are never pruned.
KEEP_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Store:
    """A folder for columns. Several windows may share one: every write is a rename. `cap_bytes` is its maximum size."""

    root: Path
    cap_bytes: int = DEFAULT_CAP_BYTES

    def columns(self, key: str) -> Path:
        """Returns the path of the columns of a file with this content."""
        return self.root / "v1" / "columns" / f"{key}.arrow"

    def reading(self, key: str) -> Path:
        """Returns the path of its description."""
        return self.root / "v1" / "readings" / f"{key}.json"

    def source(self, path: Path) -> Path:
        """Returns the path of the store's note on the content of this source path."""
        name = xxhash.xxh3_128_hexdigest(os.fsencode(path.absolute()))
        return self.root / "v1" / "sources" / f"{name}.json"

    @property
    def packs(self) -> Path:
        """Returns the folder of the files that hold many small sources each."""
        return self.root / "v1" / "packs"

    def prepare(self) -> None:
        """Creates the folders, which only this user may read. An existing root that is not the program's own keeps its
        rights, because a cluster may share it; the folders within get the usual ones."""
        if not self.root.exists() or is_own(self.root):
            own_folder(self.root)
            for folder in self.folders:
                own_folder(folder)
        for folder in self.folders:
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Returns the folders that files are written to."""
        return tuple(self.root / "v1" / name for name in ("columns", "readings", "sources", "packs"))


def default_store() -> Store:
    """Returns the store in the user's cache folder, or the one set by VDI_WORKBENCH_STORE."""
    stated = os.environ.get("VDI_WORKBENCH_STORE")
    return Store(Path(stated) if stated else Path(platformdirs.user_cache_dir("vdi-workbench")))


def content_key(path: Path, text: str = "") -> str:
    """Returns a 128-bit hash of the file's bytes, the readers' version and `text`: the other properties that decide how
    it is read."""
    digest = new_digest(text)
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def key_of_bytes(data: bytes, text: str = "") -> str:
    """Like `content_key`, for a file that has been read."""
    digest = new_digest(text)
    digest.update(data)
    return digest.hexdigest()


def new_digest(text: str = "") -> xxhash.xxh3_128:
    """Returns a digest that gives the key of a content once it has been fed all its bytes."""
    return xxhash.xxh3_128(str(READERS_VERSION).encode() + text.encode(errors="surrogatepass"))


def lookup(
    store: Store,
    path: Path,
    name: str,
    stamp: Stamp | None = None,
    mappings: Mapping[str, str] | None = None,
    thorough: bool = False,
) -> Reading | None:
    """Returns the stored reading of an unchanged file (same path, size, mtime and sample), otherwise None. Reads only
    the sample of the file.

    `stamp` identifies the file, or a member of an archive. `mappings` are the fingerprints of the column mappings by
    header: a CSV is read again if the one for its header has changed. `thorough` is for `load`.
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
    """True if a source is unchanged since it was read, and would be read in the same way."""
    now = (stamp.size, stamp.mtime_ns, stamp.crc, stamp.date_order, READERS_VERSION)
    if (source.size, source.mtime_ns, source.crc, source.date_order, source.readers) != now:
        return False
    if source.header and mappings.get(source.header, "") != source.mapping:
        return False
    return source.sample == sample_of(path, stamp.size)


def load(store: Store, key: str, name: str, thorough: bool = False) -> Reading | None:
    """Returns the stored reading of this content under the name that the user sees, or None if it must be read again.
    Columns are checked as they are read; all of them at once if `thorough`."""
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
    """Stores a reading, and a note that `path` with `stamp` has this content. Returns the reading as `load` will return
    it, under the name that the user sees."""
    write_description(store.reading(key), reading)
    remember(store, path, key, stamp)
    return named(reading, name, store.columns(key))


def remember(store: Store, path: Path, key: str, stamp: Stamp) -> None:
    """Stores a note that `path` has this content."""
    # If writing is not possible, the file is simply checked again next time.
    with suppress(OSError):
        _write(store.source(path), msgspec.json.encode(remembered(path, key, stamp)))


def remembered(path: Path, key: str, stamp: Stamp) -> Remembered:
    """Returns the note on a source that has this content."""
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
    """Returns the reading of a file of an unknown format, by its stored key; None for any other key."""
    if key.startswith(PACKED):
        return packed_file(name, key.removeprefix(PACKED))
    return not_recognised(name) if key == NOT_RECOGNISED else empty_file(name) if key == EMPTY else None


def packed_file(name: str, kind: str) -> Reading:
    """Returns the reading of a packed file that is not opened; its first bytes give its `kind`."""
    if kind in (SESSION, BUNDLE):
        own = Problem(
            Severity.INFO,
            name,
            "own-file",
            f"This is a {'workspace file' if kind == SESSION else kind} of VDI Workbench, not a result.",
            "file not imported; open it separately",
        )
        return Reading(FileReport(path=name), (own,))
    problem = Problem(
        Severity.WARNING,
        name,
        "packed-file",
        f"This is a compressed file ({kind}) without the ending {_OPENED[kind]}."
        if kind in _OPENED
        else f"This is a compressed file ({kind}), which is not supported.",
        f"file not imported; rename it to end in {_OPENED[kind]}, and open it again"
        if kind in _OPENED
        else "file not imported; unpack it or convert it to .zip, then open the result",
    )
    return Reading(FileReport(path=name), (problem,))


def not_recognised(name: str) -> Reading:
    """Returns the reading of a file of an unknown format: listed, and left out. A script or an image gives no
    problem."""
    if _is_aside(name):
        return Reading(FileReport(path=name))
    problem = Problem(Severity.INFO, name, "not-recognised", "This file has an unknown format.", "file not imported")
    return Reading(FileReport(path=name), (problem,))


def _is_aside(name: str) -> bool:
    """True if the name of a file of an unknown format shows clearly that it is not a result."""
    path = PurePosixPath(name.casefold())
    return path.suffix in _ENDINGS or path.name in _NAMES


def empty_file(name: str) -> Reading:
    """Returns the reading of a file of 0 bytes: its writer was never started, or never wrote."""
    problem = Problem(
        Severity.WARNING,
        name,
        "empty-file",
        "The file is empty (0 bytes).",
        "file not imported; if results belong here, copy the file again or repeat the test",
    )
    return Reading(FileReport(path=name), (problem,))


def prune(store: Store, cap_bytes: int | None = None, keep_s: float = KEEP_S) -> int:
    """Deletes the least recently used columns until the store fits `cap_bytes` (None: its own cap). Returns the bytes
    freed.

    Columns used within the last `keep_s` seconds stay. Unfinished files of ended processes are deleted.
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
    """Deletes unfinished files of ended processes in the store."""
    before = time.time() - FORGOTTEN_S
    for folder in store.folders:
        sweep(folder)
        # Earlier versions used only the process in the names of such files.
        for written, _, file in _aged(folder, "[!.]*.part"):
            if written < before:
                try_to_delete(file)


def drop_parts(store: Store, processes: Iterable[int]) -> None:
    """Deletes the files that these killed processes of this machine were writing."""
    killed = frozenset(processes)
    for folder in store.folders:
        sweep(folder, killed)


def _aged(folder: Path, names: str) -> list[tuple[float, int, Path]]:
    """Returns the last use of each file of such a name, its size, and the file."""
    aged: list[tuple[float, int, Path]] = []
    for file in folder.glob(names):
        try:
            status = file.stat()
        except OSError:
            continue
        aged.append((status.st_mtime, status.st_size, file))
    return aged


def named(reading: Reading, name: str, columns: Path) -> Reading:
    """Returns the reading under the name that the user sees, with the path of its columns."""
    recording, report = reading.recording, reading.report
    # Mostly the report already has this name, and there may be thousands of readings.
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
