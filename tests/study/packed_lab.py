"""A folder of small files that share one file of the store, and its readings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.builders import perfmon_csv
from workbench.model.reading import Reading
from workbench.study.importing.pool import PACKED_FROM, read_each, stored_reading
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.store import packs
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

COUNT = PACKED_FROM + 2


class Lab:
    """A folder of small files of three kinds, and a store that has read them in one task."""

    def __init__(self, folder: Path) -> None:
        place = folder / "lab"
        place.mkdir()
        for number in range(COUNT):
            rows = "".join(f"{1000 * at}, {100 * number + at}, {at % 2}, 0\n" for at in range(1, 21))
            (place / f"vdi_iops.{number}.log").write_text(rows, encoding="ascii")
        perfmon_csv(place / "W10.csv", {r"\\A\LogicalDisk(C:)\Disk Reads/sec": [1.0, None, 3.0]})
        (place / "unknown.bin").write_bytes(b"\1\2\3")
        (place / "nothing.log").write_bytes(b"")
        self.sources = tuple(ImportSource(path, path.name) for path in sorted(place.iterdir()))
        self.store = Store(folder / "store")
        self.first = self.read()
        self.samples = [samples_of(reading) for reading in self.first]

    def read(self) -> tuple[Reading, ...]:
        return read_each(self.sources, self.store, read_source, {})

    @property
    def pack(self) -> Path:
        (file,) = self.store.packs.iterdir()
        return file

    def stored(self, thorough: bool = False) -> list[Reading | None]:
        look = packs.Packs(self.store)
        return [stored_reading(source, self.store, {}, thorough, look) for source in self.sources]

    def opened(self) -> list[Reading]:
        """The import of the folder: files that are not in the store are read, together or alone."""
        readings = self.stored()
        for at, (source, reading) in enumerate(zip(self.sources, readings, strict=True)):
            readings[at] = reading or read_each((source,), self.store, read_source, {})[0]
        return [reading for reading in readings if reading is not None]


def samples_of(reading: Reading) -> list[list[float]]:
    if reading.recording is None:
        return []
    times, table = read_table(reading.recording, [series.column for series in reading.recording.series])
    return [list(times), *(list(values) for values in table.values())]


def files_of(store: Store) -> list[str]:
    return sorted(f"{file.parent.name}/{file.suffix}" for file in (store.root / "v1").glob("*/*"))


def assert_same(found: Sequence[list[list[float]]], wanted: Sequence[list[list[float]]]) -> None:
    assert len(found) == len(wanted)
    for left, right in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.array(left), np.array(right))
