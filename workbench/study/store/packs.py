"""Small files of one folder that were read together share one file of the store: a folder of 4,445 logs would become
17,000 files, and writing these took longer than reading the logs.

    <root>/v1/packs/<folder>-<random>.pack
        of each source its columns and their sealed sums; the sealed index; in 8 bytes where the index begins

`<folder>` is a hash of the sources' folder, so that few packs have to be looked at for one source. A pack is written
whole and put in its place in one step. Columns that turn out damaged are taken out of the index, and everything else
stays where it lies. A source that changed alone gets files of its own, which count before the pack.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import xxhash

from workbench.file_replace import delete_file, deleted_afterwards
from workbench.model.reading import Reading
from workbench.study.store.column_file import every_number
from workbench.study.store.column_store import Store, named, remembered, unchanged, without_reader
from workbench.study.store.column_sums import sums_bytes
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
        """Adds finished columns with their sums; what they are known by."""
        sums = sums_bytes([every_number(columns)])
        place = PackPlace(self.file, len(self.data), len(columns), len(sums) + SEAL_BYTES).path
        self.data += columns + sealed(sums, place)
        return place


class Packing:
    """What the files of one task become: a pack for each of their folders, written when all are read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._packs: dict[Path, _Pack] = {}
        # Where readers write columns, one after the other.
        self.part = temporary_beside(store.packs / PACK)

    def save(self, path: Path, name: str, key: str, reading: Reading, stamp: Stamp) -> Reading:
        """Keeps a reading, whose columns lie in `part`; the reading as the store will give it."""
        pack = self._of(path)
        entry = PackEntry(remembered(path, key, stamp), reading=msgspec.Raw(msgspec.json.encode(reading)))
        columns = pack.file
        if reading.recording is not None:
            columns = pack.add_columns(self.part.read_bytes())
            # Some file systems write out at once what is written over a file that was there: 2 ms for each.
            delete_file(self.part)
            entry.columns = columns.name
        pack.index[path.name] = entry
        return named(reading, name, columns)

    def remember(self, path: Path, key: str, stamp: Stamp) -> None:
        """Notes that `path` is a file that no reader knows."""
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
    """What the files read within are kept by; they are in the store at the end of the block. Raises OSError."""
    store.prepare()
    packs = Packing(store)
    with deleted_afterwards(packs.part):
        yield packs
        packs.put()


# The packs that hold a source of a folder, by its name.
_Held = dict[str, list[tuple[Path, PackEntry]]]


class Packs:
    """The packs of a store as they are now: of each file what it was like and what was read of it."""

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
        """The stored reading of an unchanged file, as `column_store.lookup` gives it; None where it is in no pack."""
        if not self._by_folder or stamp is None:
            return None
        for file, entry in self._of(path).get(path.name, ()):
            if not unchanged(entry.source, path, stamp, mappings):
                continue
            reading = _reading(file, entry, name)
            # Another pack may hold the same file whole.
            if reading is None or (thorough and reading.recording is not None and not readable(reading.recording)):
                continue
            self._note_use(file)
            return reading
        return None

    def _note_use(self, file: Path) -> None:
        """Notes that a pack is in use, for `prune`."""
        if file not in self._used:
            self._used.add(file)
            # A store on a share may be for reading only.
            with suppress(OSError):
                os.utime(file)

    def _of(self, path: Path) -> _Held:
        """The sources of a folder that packs hold, by name. One that changed may be in several: as it is now, and as
        it was."""
        if path.parent not in self._indexes:
            held = self._indexes[path.parent] = defaultdict(list)
            for file in self._by_folder.get(_folder(path), ()):
                for name, entry in read_index(file).items():
                    held[name].append((file, entry))
        return self._indexes[path.parent]


def _folder(path: Path) -> str:
    return xxhash.xxh3_64_hexdigest(os.fsencode(path.parent.absolute()))


def _reading(file: Path, entry: PackEntry, name: str) -> Reading | None:
    """The reading that a pack holds of a source under the name the user sees; None where it cannot be read."""
    try:
        reading = msgspec.json.decode(entry.reading, type=Reading | None)
    except UNREADABLE:
        return None
    return without_reader(entry.source.key, name) if reading is None else named(reading, name, file / entry.columns)
