"""For any damage to a file of the column store, the numbers equal those of the source or the file is named; and the
next opening is complete."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.builders import perfmon_csv
from tests.damage import damaged
from workbench.console.loading import load_studies
from workbench.model.reading import Reading
from workbench.model.recording import Recording
from workbench.study.importing.pool import read_each, stored_reading
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.store.column_store import Store
from workbench.study.store.columns import ColumnsError, read_table

NAME = "A.csv"
SAMPLES = [1.0, None, *(float(number) for number in range(22))]
# Kinds of files of a store, and whether it has many columns.
PARTS = [
    ("columns/*.arrow", False),
    ("columns/*.arrow", True),
    ("columns/*.sums", False),
    ("readings/*.json", False),
    ("sources/*.json", False),
]
Numbers = npt.NDArray[np.float64]


class Stored:
    """A store with one file in it, as an import leaves it, and the numbers of that file."""

    def __init__(self, folder: Path, part: str, many: bool) -> None:
        width = 100 if many else 2
        names = [rf"\\A\Process(p{number})\IO Read Operations/sec" for number in range(width)]
        self.store = Store(folder / "store")
        self.source = perfmon_csv(folder / "lab" / "run" / NAME, dict.fromkeys(names, SAMPLES))
        self.first = read_source(self.source, NAME, self.store)
        self.numbers = np.array([SAMPLES] * width, np.float64)
        (self.file,) = (self.store.root / "v1").glob(part)
        self.recording = recording_of(self.first)

    def damage(self, seed: int) -> None:
        self.file.write_bytes(damaged(self.file.read_bytes(), seed))

    def opened(self, thorough: bool = False) -> Reading:
        """The import of the file, in this process."""
        source = ImportSource(self.source, NAME)
        stored = stored_reading(source, self.store, {}, thorough)
        return stored or read_each((source,), self.store, read_source, {})[0]

    def check(self, recording: Recording) -> None:
        """Raises ColumnsError unless the numbers are those of the source."""
        times, table = read_table(recording, [series.column for series in recording.series])
        np.testing.assert_array_equal(np.diff(times), 15.0)
        np.testing.assert_array_equal(list(table.values()), self.numbers)

    def check_opening(self) -> int:
        """Opens the file like the program; returns 1 if damage was found only when samples were read."""
        reading, late = self.opened(), 0
        try:
            self.check(recording_of(reading))
        except ColumnsError as error:
            check_named(error)
            reading, late = self.opened(thorough=True), 1
            self.check(recording_of(reading))
        assert reading == self.first
        return late


def check_named(error: ColumnsError) -> None:
    assert str(error).startswith(f"The saved import of {NAME} is damaged. Open the folder again")


def recording_of(reading: Reading) -> Recording:
    assert reading.recording is not None
    return reading.recording


def check_damages(stored: Stored, seeds: range) -> int:
    """Damages the file once for each seed; returns how often the damage was found only when samples were read."""
    late = 0
    for seed in seeds:
        stored.damage(seed)
        late += stored.check_opening()
        assert stored_reading(ImportSource(stored.source, NAME), stored.store, {}, thorough=True) == stored.first, seed
        assert stored.check_opening() == 0, seed
    return late


@pytest.mark.parametrize(("part", "many"), PARTS)
def test_that_a_damaged_store_gives_the_original_samples_or_reads_them_again(
    tmp_path: Path, part: str, many: bool
) -> None:
    late = check_damages(Stored(tmp_path, part, many), range(20))
    assert bool(late) == ("columns" in part)


@pytest.mark.slow
@pytest.mark.parametrize(("part", "many"), PARTS)
def test_that_four_hundred_damages_of_each_file_type_change_no_number(tmp_path: Path, part: str, many: bool) -> None:
    check_damages(Stored(tmp_path, part, many), range(1000, 1400))


@pytest.mark.parametrize(("part", "many"), PARTS)
def test_that_a_damaged_file_without_its_source_is_named_and_opens_when_the_source_returns(
    tmp_path: Path, part: str, many: bool
) -> None:
    stored, away = Stored(tmp_path, part, many), tmp_path / "away.csv"
    for seed in range(20):
        stored.damage(seed)
        stored.source.rename(away)
        # Its loaded samples stay unchanged, or the file is named.
        try:
            stored.check(stored.recording)
        except ColumnsError as error:
            check_named(error)
        (problem,) = stored.opened().problems
        assert (problem.file, problem.code) == (NAME, "unreadable")
        away.rename(stored.source)
        stored.check_opening()


@pytest.mark.slow
@pytest.mark.parametrize(("part", "many"), PARTS)
def test_that_a_folder_opens_with_a_damaged_store_in_the_import_processes(
    tmp_path: Path, part: str, many: bool
) -> None:
    stored = Stored(tmp_path, part, many)
    for seed in range(4):
        stored.damage(seed)
        for _ in range(2):
            try:
                stored.check(loaded(stored))
            except ColumnsError:
                stored.check(loaded(stored, thorough=True))


def loaded(stored: Stored, thorough: bool = False) -> Recording:
    (study,) = load_studies([stored.source.parents[1]], stored.store, thorough=thorough)
    return study.runs[0].recordings[0]


def test_that_columns_of_a_bundle_are_named_with_the_way_to_restore_them(tmp_path: Path) -> None:
    stored = Stored(tmp_path, "columns/*.arrow", False)
    file = stored.file.rename(stored.file.with_name("bundle-0123.arrow"))
    file.write_bytes(b"")
    with pytest.raises(ColumnsError, match="Open the bundle again"):
        read_table(stored.recording.placed("A.csv", str(file)), [])
