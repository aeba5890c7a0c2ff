"""The catalogue of every counter, the search over it, and the samples of one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.builders import T0, counter, recording, run
from workbench.model.metric import Quantity
from workbench.model.recording import Recording, Series, SeriesKey, series_key
from workbench.model.run import Run
from workbench.study.series.catalogue import COUNTER, HOST, Catalogue, catalogue, recorded, search


def series(host: str, object_: str, instance: str, name: str, path: str | None = None) -> Series:
    full = f"\\\\{host}\\{object_}({instance})\\{name}"
    return Series(0, full if path is None else path, host, object_, instance, name)


def described(*found: Series, file: str = "a.csv", folder: str = "study/r1") -> Run:
    """A run of one file, described without its samples."""
    one = Recording(found, 2, 0, 1, 0, (), file)
    return run(one, folder=folder, name=folder.rpartition("/")[2])


def names(found: Catalogue, rows: np.ndarray) -> list[str]:
    return [" ".join(found.names(row)) for row in rows.tolist()]


LAB = catalogue(
    (
        described(
            series("W10-10", "Processor", "_Total", "% Processor Time"),
            series("W10-9", "PhysicalDisk", "0 C:", "Disk Reads/sec"),
            series("W10-9", "PhysicalDisk", "1 D:", "Disk Reads/sec"),
            series("W10-9", "PhysicalDisk", "1 D:", "Avg. Disk sec/Read"),
            counter("W10-9", Quantity.CACHE_RAM_USED, object="Citrix MCS Storage Driver"),
        ),
        described(series("W10-9", "Memory", "", "Pool Nonpaged Bytes"), folder="study/r2"),
    )
)


def test_that_counters_are_in_order_of_their_runs_and_hosts_in_number_order() -> None:
    hosts = [LAB.text(row, HOST) for row in range(len(LAB.keys))]
    assert hosts == ["W10-9"] * 4 + ["W10-10"] + ["W10-9"]
    assert LAB.text(5, 0) == "r2"
    assert [part.tolist() for part in LAB.parts(LAB.rows(), 0)] == [[0, 1, 2, 3, 4], [5]]


def test_that_a_counter_in_several_segments_is_one_and_equal_names_in_two_files_are_two() -> None:
    one = series("H", "Disk", "", "Reads/sec")
    local = series("", "fio", "", "iops", path="iops")
    parts = [Recording((one, local), 2, at, at + 1, 0, (), f"{at}.csv") for at in (1, 2)]
    found = catalogue((run(*parts),))
    assert len(found.keys) == 3
    assert sorted(found.text(row, COUNTER) for row in range(3)) == ["Reads/sec", "iops · 1.csv", "iops · 2.csv"]


def test_that_rows_of_counters_keep_their_order_and_omit_unknown_ones() -> None:
    wanted = (LAB.keys[4], SeriesKey("gone", "\\\\x"), LAB.keys[1])
    assert LAB.rows_of(wanted).tolist() == [4, 1]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("processor", ["r1 W10-10 Processor _Total % Processor Time"]),
        ("procesor tim", ["r1 W10-10 Processor _Total % Processor Time"]),
        (
            "w10-9 d: read",
            ["r1 W10-9 PhysicalDisk 1 D: Avg. Disk sec/Read", "r1 W10-9 PhysicalDisk 1 D: Disk Reads/sec"],
        ),
        ("r2", ["r2 W10-9 Memory  Pool Nonpaged Bytes"]),
        ("cache ram", ["r1 W10-9 Citrix MCS Storage Driver _Total cache_ram_used"]),
        ("w10-8", []),
        ("nothing like it", []),
    ],
)
def test_that_every_word_is_searched_in_all_names(typed: str, expected: list[str]) -> None:
    assert names(LAB, search(LAB, typed).rows) == expected


def test_that_an_empty_search_shows_everything_and_the_best_match_comes_first() -> None:
    assert search(LAB, "  ").rows.size == len(LAB.keys)
    best = search(LAB, "disk reads").best
    assert best is not None
    assert LAB.text(best, COUNTER) == "Disk Reads/sec"
    assert search(catalogue(()), "x").rows.size == 0


def test_that_the_samples_of_a_counter_equal_its_column_with_empty_gaps(tmp_path: Path) -> None:
    known = counter("A", Quantity.CPU)
    unknown = msgspec.structs.replace(known, path="\\\\A\\Odd\\Thing", metric=None, counter="Thing")
    times = T0 + np.array([10.0, 20.0, 30.0])
    one = run(recording(tmp_path, "a.csv", times, [(known, [1, 2, 3]), (unknown, [7, None, 9])], 60))
    key = series_key(one.folder, "a.csv", unknown.path)
    found = recorded(one, [key, SeriesKey(one.folder, "\\\\A\\None")])
    assert list(found) == [key]
    np.testing.assert_array_equal(found[key].samples.end, times)
    np.testing.assert_array_equal(found[key].samples.values, [7.0, np.nan, 9.0])


def test_that_segments_of_a_counter_are_joined_by_time(tmp_path: Path) -> None:
    known = counter("A", Quantity.CPU)
    later = recording(tmp_path, "b.csv", T0 + np.array([40.0, 50.0, 60.0]), [(known, [4, 5, 6])])
    first = recording(tmp_path, "a.csv", T0 + np.array([10.0, 20.0, 30.0]), [(known, [1, 2, 3])])
    one = run(later, first)
    (found,) = recorded(one, [series_key(one.folder, "b.csv", known.path)]).values()
    np.testing.assert_array_equal(found.samples.values, [1, 2, 3, 4, 5, 6])
    assert found.samples.files == ("b.csv", "a.csv")
