"""Small files of one folder that were read together share one file of the store. A folder of 4,445 logs would otherwise
become 17,000 files, and writing these took longer than reading the logs.

    <root>/v1/packs/<folder>-<random>.pack
        per source its columns and their sealed checksums; the sealed index; in 8 bytes the position of the index

`<folder>` is a hash of the sources' folder, so few packs have to be searched for one source. A pack is written as a
whole and put in its place in one step. Damaged columns are removed from the index, and all other data stays in place. A
source that changed alone gets separate files, which take precedence over the pack.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

import msgspec
import xxhash

from workbench.file_replace import delete_file, deleted_afterwards
from workbench.model.reading import Reading
from workbench.study.store.column_store import Store, named, remembered, unchanged, without_reader
from workbench.study.store.column_sums import flat_sums
from workbench.study.store.columns import readable
from workbench.study.store.own_files import SEAL_BYTES, UNREADABLE, sealed
from workbench.study.store.pack_file import PACK, Index, PackEntry, PackPlace, read_index, write_pack
from workbench.study.store.stamps import Stamp
from workbench.study.store.temporary import temporary_beside


class _Pack:
    """A pack that is being filled."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.data = bytearray()
        self.index: Index = {}

    def add_columns(self, columns: bytes) -> Path:
        """Adds finished columns with their checksums. Returns the path that identifies them."""
        sums = flat_sums(BytesIO(columns))
        place = PackPlace(self.file, len(self.data), len(columns), len(sums) + SEAL_BYTES).path
        self.data += columns + sealed(sums, place)
        return place


class Packing:
    """The store entries of one task: a pack for each of its folders, written when all files are read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._packs: dict[Path, _Pack] = {}
        # The file to which readers write columns, one after the other.
        self.part = temporary_beside(store.packs / PACK)

    def save(self, path: Path, name: str, key: str, reading: Reading, stamp: Stamp) -> Reading:
        """Stores a reading, whose columns are in `part`. Returns the reading as the store will return it."""
        pack = self._of(path)
        entry = PackEntry(remembered(path, key, stamp), reading=msgspec.Raw(msgspec.json.encode(reading)))
        columns = pack.file
        if reading.recording is not None:
            columns = pack.add_columns(self.part.read_bytes())
            # Some file systems flush at once when an existing file is overwritten: 2 ms for each.
            delete_file(self.part)
            entry.columns = columns.name
        pack.index[path.name] = entry
        return named(reading, name, columns)

    def remember(self, path: Path, key: str, stamp: Stamp) -> None:
        """Stores a note that `path` is a file of an unknown format."""
        self._of(path).index[path.name] = PackEntry(remembered(path, key, stamp))

    def put(self) -> None:
        """Puts the packs in their place. Raises OSError."""
        for pack in self._packs.values():
            write_pack(pack.file, bytes(pack.data), pack.index)

    def _of(self, path: Path) -> _Pack:
        if path.parent not in self._packs:
            file = self._store.packs / f"{_folder(path)}-{os.urandom(8).hex()}{PACK}"
            self._packs[path.parent] = _Pack(file)
        return self._packs[path.parent]


@contextmanager
def packing(store: Store) -> Iterator[Packing]:
    """Yields the packing for the files read within the block; they are in the store at its end. Raises OSError."""
    store.prepare()
    packs = Packing(store)
    with deleted_afterwards(packs.part):
        yield packs
        packs.put()


# The packs that hold a source of a folder, by its name.
_Held = dict[str, list[tuple[Path, PackEntry]]]


class Packs:
    """The packs of a store as they are now: the stamp and the reading of each file."""

    def __init__(self, store: Store) -> None:
        self._by_folder: dict[str, list[Path]] = defaultdict(list)
        self._indexes: dict[Path, _Held] = {}
        self._used: set[Path] = set()
        with suppress(OSError), os.scandir(store.packs) as listed:
            for file in listed:
                if file.name.endswith(PACK):
                    self._by_folder[file.name.partition("-")[0]].append(Path(file.path))

    def lookup(
        self, path: Path, name: str, stamp: Stamp | None, mappings: Mapping[str, str], thorough: bool = False
    ) -> Reading | None:
        """Returns the stored reading of an unchanged file, like `column_store.lookup`; None if it is in no pack."""
        if not self._by_folder or stamp is None:
            return None
        for file, entry in self._of(path).get(path.name, ()):
            if not unchanged(entry.source, path, stamp, mappings):
                continue
            reading = _reading(file, entry, name)
            # Another pack may hold the same file intact.
            if reading is None or (thorough and reading.recording is not None and not readable(reading.recording)):
                continue
            self._note_use(file)
            return reading
        return None

    def _note_use(self, file: Path) -> None:
        """Marks a pack as used, for `prune`."""
        if file not in self._used:
            self._used.add(file)
            # A store on a share may be read-only.
            with suppress(OSError):
                os.utime(file)

    def _of(self, path: Path) -> _Held:
        """Returns the sources of a folder that packs hold, by name. A changed source may be in several packs: in its
        current and its former state."""
        if path.parent not in self._indexes:
            held = self._indexes[path.parent] = defaultdict(list)
            for file in self._by_folder.get(_folder(path), ()):
                for name, entry in read_index(file).items():
                    held[name].append((file, entry))
        return self._indexes[path.parent]


def _folder(path: Path) -> str:
    return xxhash.xxh3_64_hexdigest(os.fsencode(path.parent.absolute()))


def _reading(file: Path, entry: PackEntry, name: str) -> Reading | None:
    """Returns the reading that a pack holds for a source, under the name that the user sees; None if it cannot be
    read."""
    try:
        reading = msgspec.json.decode(entry.reading, type=Reading | None)
    except UNREADABLE:
        return None
    return without_reader(entry.source.key, name) if reading is None else named(reading, name, file / entry.columns)
