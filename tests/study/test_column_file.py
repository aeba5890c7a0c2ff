"""Numbers of stored files as they are read here, against what NumPy reads of the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
import xxhash

from workbench.readers.common.flat_columns import write_table
from workbench.study.store import column_file, column_sums
from workbench.study.store.column_file import has_end, read_numbers, rows_of
from workbench.study.store.column_sums import TIMES, DamagedError

TIME = 1_700_000_000_000_000


def written(file: Path, rows: int, columns: int) -> npt.NDArray[np.float64]:
    """A file of the store, and what NumPy reads of it."""
    dice = np.random.default_rng(rows)
    values = np.where(dice.random((columns, rows)) < 0.1, np.nan, dice.normal(size=(columns, rows)))
    write_table(file, TIME + np.arange(rows), values)
    loaded = np.load(file)
    np.testing.assert_array_equal(loaded[1:], values)
    return np.asarray(loaded)


@pytest.mark.parametrize("rows", [0, 1, 7, 1000])
def test_that_columns_are_as_numpy_reads_them(tmp_path: Path, rows: int) -> None:
    stored = written(tmp_path / "a.arrow", rows, 4)
    for wanted in ([], [0], [3, 1], [0, 2, 3], [0, 1, 2, 3]):
        table = read_numbers(tmp_path / "a.arrow", wanted)
        assert list(table) == [TIMES, *wanted]
        for column in table:
            np.testing.assert_array_equal(table[column], stored[1 + column])
    assert has_end(tmp_path / "a.arrow")


def test_that_a_file_of_another_kind_or_length_is_damaged(tmp_path: Path) -> None:
    stored, file = written(tmp_path / "a.arrow", 20, 2), tmp_path / "b.arrow"
    with pytest.raises(DamagedError):
        read_numbers(tmp_path / "a.arrow", [2])
    for table in (stored.astype(np.float32), np.asfortranarray(stored)):
        with file.open("wb") as stream:
            np.save(stream, table)
        with pytest.raises(DamagedError):
            read_numbers(file, [0])
    whole = (tmp_path / "a.arrow").read_bytes()
    for data in (whole[:-1], whole + b"\0", whole[:100], b""):
        file.write_bytes(data)
        with pytest.raises((DamagedError, ValueError)):
            has_end(file)


def test_that_a_file_of_an_earlier_format_has_to_be_read_again(tmp_path: Path) -> None:
    pl.DataFrame({"t": [TIME], "c0": [1.0]}).write_ipc(tmp_path / "a.arrow")
    with pytest.raises(ValueError, match="magic"):
        read_numbers(tmp_path / "a.arrow", [0])


def test_that_columns_side_by_side_are_read_together_into_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, reads = written(tmp_path / "a.arrow", 1000, 40), list[int]()
    fill = column_file._File.fill

    def noted(self: column_file._File, numbers: npt.NDArray[np.float64], column: int) -> None:
        reads.append(column)
        fill(self, numbers, column)

    monkeypatch.setattr(column_file._File, "fill", noted)
    table = read_numbers(tmp_path / "a.arrow", list(range(40)))
    assert reads == [TIMES]
    values = [table[column] for column in range(40)]
    whole = rows_of(values)
    assert whole is not None
    assert np.shares_memory(whole, values[0])
    np.testing.assert_array_equal(whole, stored[1:])


def test_that_columns_of_several_tables_are_not_rows_of_one(tmp_path: Path) -> None:
    written(tmp_path / "a.arrow", 9, 2)
    one, other = (read_numbers(tmp_path / "a.arrow", [0, 1]) for _ in range(2))
    assert rows_of([one[0], one[1]]) is not None
    assert rows_of([one[1], one[0]]) is None
    assert rows_of([one[0], other[1]]) is None
    assert rows_of([one[0].copy(), one[1].copy()]) is None
    assert rows_of([]) is None


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100])
def test_that_long_columns_of_a_flat_file_have_the_sums_of_short_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """A column is summed up a part at a time where it is long: one of a fio log may have gigabytes."""
    table = np.random.default_rng(rows).normal(size=(4, rows))
    np.save(tmp_path / "columns.npy", table)
    expected = [xxhash.xxh3_64_intdigest(line.tobytes()) for line in table]
    for block in (column_sums._BLOCK, 64):
        monkeypatch.setattr(column_sums, "_BLOCK", block)
        with (tmp_path / "columns.npy").open("rb") as stream:
            assert np.frombuffer(column_sums.flat_sums(stream), "<u8").tolist() == expected
