"""Numbers of stored files as they are read here, against what polars and NumPy read of the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from workbench.study.store import column_file, column_sums
from workbench.study.store.column_file import has_end, read_numbers, rows_of
from workbench.study.store.column_sums import TIMES, DamagedError

TIME = 1_700_000_000_000_000


def frame(rows: int, columns: list[int]) -> pl.DataFrame:
    dice = np.random.default_rng(rows)
    data = {f"c{column}": np.where(dice.random(rows) < 0.1, np.nan, dice.normal(size=rows)) for column in columns}
    return pl.DataFrame({"t": TIME + np.arange(rows)} | data).with_columns(pl.exclude("t").fill_nan(None))


def check(file: Path, stored: pl.DataFrame, wanted: list[int]) -> None:
    table = read_numbers(file, wanted)
    assert list(table) == [TIMES, *wanted]
    assert table[TIMES].dtype == np.int64
    np.testing.assert_array_equal(table[TIMES], stored["t"].to_numpy())
    for column in wanted:
        np.testing.assert_array_equal(table[column], stored[f"c{column}"].to_numpy())
    assert has_end(file)


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 1000])
@pytest.mark.parametrize("batch", [None, 3, 400])
def test_that_columns_are_as_polars_reads_them(tmp_path: Path, rows: int, batch: int | None) -> None:
    file, stored = tmp_path / "a.arrow", frame(rows, [0, 1, 2, 3])
    stored.write_ipc(file, record_batch_size=batch)
    for wanted in ([], [0], [3, 1], [0, 1, 2, 3]):
        check(file, stored, wanted)


def test_that_columns_are_known_by_their_names_where_they_do_not_lie_in_order(tmp_path: Path) -> None:
    file, stored = tmp_path / "a.arrow", frame(50, [4, 0, 2])
    stored.select("c4", "t", "c0", "c2").write_ipc(file)
    check(file, stored, [2, 4, 0])


@pytest.mark.parametrize("order", [["c1", "c0"], ["c0", "c2", "c1"], ["c0", "c10", "c1"]])
def test_that_a_name_is_compared_to_its_last_letter_and_no_further(tmp_path: Path, order: list[str]) -> None:
    file = tmp_path / "a.arrow"
    columns = [int(name[1:]) for name in order]
    stored = frame(20, columns)
    stored.write_ipc(file)
    check(file, stored, sorted(columns))
    for column in columns:
        check(file, stored, [column])


@pytest.mark.parametrize("kind", [pl.Float32, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64])
@pytest.mark.parametrize("third", [None, 3])
def test_that_other_kinds_of_numbers_are_read_too(tmp_path: Path, kind: pl.DataType, third: int | None) -> None:
    file = tmp_path / "a.arrow"
    stored = pl.DataFrame({"t": [TIME, TIME + 1, TIME + 2], "c0": pl.Series([1, 2, third], dtype=kind)})
    stored.write_ipc(file)
    check(file, stored, [0])


@pytest.mark.parametrize("other", [pl.Series(["a", "b"]), pl.Series([True, False])])
def test_that_what_holds_no_numbers_is_damaged(tmp_path: Path, other: pl.Series) -> None:
    file = tmp_path / "a.arrow"
    pl.DataFrame({"t": [TIME, TIME + 1], "c0": other}).write_ipc(file)
    with pytest.raises(DamagedError):
        read_numbers(file, [0])


def test_that_a_compressed_file_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "a.arrow"
    frame(1000, [0]).write_ipc(file, compression="zstd")
    with pytest.raises(DamagedError):
        read_numbers(file, [0])


@pytest.mark.parametrize("held", [1.0, None])
def test_that_columns_side_by_side_are_read_together_into_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: float | None
) -> None:
    file, stored = tmp_path / "a.arrow", frame(1000, list(range(40)))
    stored = stored if held is None else stored.fill_null(held)
    stored.write_ipc(file)
    reads: list[str] = []
    fill = column_file._File.fill

    def noted(self: column_file._File, numbers: npt.NDArray[np.float64], offset: int) -> None:
        reads.append(numbers.dtype.str)
        fill(self, numbers, offset)

    monkeypatch.setattr(column_file._File, "fill", noted)
    table = read_numbers(file, list(range(40)))
    # One by one there would be forty.
    assert reads.count("<f8") <= 2
    values = [table[column] for column in range(40)]
    whole = rows_of(values)
    assert whole is not None
    assert whole.shape == (40, 1000)
    assert np.shares_memory(whole, values[0])
    np.testing.assert_array_equal(whole, stored.drop("t").to_numpy().T)


def test_that_columns_of_several_tables_are_not_rows_of_one(tmp_path: Path) -> None:
    frame(9, [0, 1]).write_ipc(tmp_path / "a.arrow")
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
    expected = column_sums.sums_bytes([dict(enumerate(table, TIMES))])
    assert column_sums.flat_sums(tmp_path / "columns.npy") == expected
    monkeypatch.setattr(column_sums, "_BLOCK", 64)
    assert column_sums.flat_sums(tmp_path / "columns.npy") == expected
