"""Numbers of stored files as the store reads them, compared with NumPy on the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
import xxhash

from workbench.model.recording import Recording
from workbench.readers.common.flat_columns import write_table
from workbench.study.store import column_sums, columns
from workbench.study.store.columns import ColumnsError, read_rows, read_table, whole

TIME = 1_700_000_000_000_000


def written(file: Path, rows: int, width: int) -> tuple[Recording, npt.NDArray[np.float64]]:
    """A file of the store, and its values as NumPy reads them."""
    dice = np.random.default_rng(rows)
    values = np.where(dice.random((width, rows)) < 0.1, np.nan, dice.normal(size=(width, rows)))
    write_table(file, TIME + np.arange(rows), values)
    loaded = np.load(file)
    np.testing.assert_array_equal(loaded[1:], values)
    return Recording((), rows, 0, 0, 0, (), "a.csv", str(file)), loaded


@pytest.mark.parametrize("rows", [0, 1, 7, 1000])
def test_that_columns_equal_those_read_by_numpy(tmp_path: Path, rows: int) -> None:
    stored, table = written(tmp_path / "a.arrow", rows, 4)
    for wanted in ([], [0], [3, 1], [0, 2, 3], [0, 1, 2, 3]):
        times, found = read_table(stored, wanted)
        assert list(found) == wanted
        np.testing.assert_array_equal(times, table[0] / 1e6)
        for column, values in found.items():
            np.testing.assert_array_equal(values, table[1 + column])
    assert whole(tmp_path / "a.arrow")


def test_that_a_table_without_series_is_stored(tmp_path: Path) -> None:
    write_table(tmp_path / "a.arrow", TIME + np.arange(3), np.array([]))
    assert whole(tmp_path / "a.arrow")
    times, found = read_table(Recording((), 3, 0, 0, 0, (), "a.csv", str(tmp_path / "a.arrow")), [])
    assert (times.size, found) == (3, {})


def test_that_a_file_of_another_type_or_length_is_damaged(tmp_path: Path) -> None:
    stored, table = written(tmp_path / "a.arrow", 20, 2)
    data = (tmp_path / "a.arrow").read_bytes()
    with pytest.raises(ColumnsError):
        read_table(stored, [2])
    assert not (tmp_path / "a.arrow").exists()
    for other in (table.astype(np.float32), np.asfortranarray(table)):
        with (tmp_path / "a.arrow").open("wb") as stream:
            np.save(stream, other)
        assert not whole(tmp_path / "a.arrow")
        with pytest.raises(ColumnsError):
            read_table(stored, [0])
    for part in (data[:-1], data + b"\0", data[:100], b""):
        (tmp_path / "a.arrow").write_bytes(part)
        assert not whole(tmp_path / "a.arrow")


def test_that_a_file_in_an_earlier_format_is_read_again(tmp_path: Path) -> None:
    stored, _ = written(tmp_path / "a.arrow", 1, 1)
    pl.DataFrame({"t": [TIME], "c0": [1.0]}).write_ipc(tmp_path / "a.arrow")
    assert not whole(tmp_path / "a.arrow")
    with pytest.raises(ColumnsError):
        read_table(stored, [0])


def test_that_adjacent_columns_are_read_together_into_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stored, table), reads = written(tmp_path / "a.arrow", 1000, 40), list[int]()
    fill = columns._File.fill

    def noted(self: columns._File, numbers: npt.NDArray[np.float64], column: int) -> None:
        reads.append(column)
        fill(self, numbers, column)

    monkeypatch.setattr(columns._File, "fill", noted)
    _, rows = read_rows(stored, list(range(40)))
    assert len(reads) == 1
    np.testing.assert_array_equal(rows, table[1:])


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100])
def test_that_long_columns_of_a_flat_file_have_the_checksums_of_short_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """The checksum of a long column is computed in parts, because a column of a fio log may have gigabytes."""
    table = np.random.default_rng(rows).normal(size=(4, rows))
    np.save(tmp_path / "columns.npy", table)
    expected = [xxhash.xxh3_64_intdigest(line.tobytes()) for line in table]
    for block in (column_sums._BLOCK, 64):
        monkeypatch.setattr(column_sums, "_BLOCK", block)
        with (tmp_path / "columns.npy").open("rb") as stream:
            assert np.frombuffer(column_sums.flat_sums(stream), "<u8").tolist() == expected
