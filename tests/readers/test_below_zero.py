"""A sample below zero is missing and reported if the counter cannot be negative, and kept otherwise."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import store_frame, stored_frame
from tests.readers import blg_files as files
from tests.readers.perfmon_files import READS, WRITES, good_rows, line, pdh, read, stamp
from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.problem import Severity
from workbench.model.recording import Series
from workbench.readers.common import below_zero
from workbench.readers.perfmon import fast
from workbench.readers.perfmon import reader as perfmon

ALLOC_MAX = r"\\esx1\Group Memory(1:W10-001)\Alloc Max MBytes"
DISK = r"\\esx1\Virtual Disk(W10-001)\Reads/sec"
NESTED = r"\\esx1\Virtual Disk(W10-001:scsi0:0)\Reads/sec"


def test_that_a_rate_below_zero_is_missing_and_reported_with_line_and_cell(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rows = [*good_rows(2), line(stamp(2), 5, -7.25), line(stamp(3), 6, -2), *good_rows(2, start=4)]
    result = read(tmp_path, pdh(*rows))
    assert result.columns["c0"] == [0.25, 1.25, 5, 6, 4.25, 5.25]
    assert result.columns["c1"] == [0, 2, None, None, 8, 10]
    assert result.reading.report.missing_cells == 2
    told = result.problem("negative-rate")
    assert (told.severity, told.line, told.column) == (Severity.WARNING, 4, 3)
    assert told.message == snapshot


@pytest.mark.parametrize("odd", ["", line(stamp(3), 1, "n/a"), line(stamp(3), 1)])
def test_that_the_reported_line_number_counts_skipped_lines(tmp_path: Path, odd: str) -> None:
    result = read(tmp_path, pdh(*good_rows(1), odd, line(stamp(5), 5, 6), line(stamp(6), "-0.5", 6)))
    assert result.columns["c0"][-2:] == [5, None]
    assert (result.problem("negative-rate").line, result.problem("negative-rate").column) == (5, 2)


def test_that_a_counter_without_a_metric_may_be_below_zero(tmp_path: Path) -> None:
    # esxtop's -1 means no limit; the single disk has no metric because the sum of its VM contains it.
    rows = [line(stamp(second)[:19], "-1", 5, "-2") for second in range(3)]
    result = read(tmp_path, pdh(*rows, names=(ALLOC_MAX, DISK, NESTED), end="\n"))
    assert result.columns["c0"] == [-1, -1, -1]
    assert result.columns["c2"] == [-2, -2, -2]
    assert result.reading.problems == ()


def test_that_zero_and_minus_zero_are_samples(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*(line(stamp(second), "-0.0", 0) for second in range(3))))
    assert result.columns["c0"] == [0, 0, 0]
    assert result.reading.problems == ()


def test_that_a_flood_of_columns_below_zero_is_summed_up(tmp_path: Path) -> None:
    names = [rf"\\W10-{number:03}\PhysicalDisk(_Total)\Disk Reads/sec" for number in range(130)]
    result = read(tmp_path, pdh(line(stamp(0), *[1] * 130), line(stamp(1), *[-1] * 130), names=names))
    told = [one for one in result.reading.problems if one.code == "negative-rate"]
    assert len(told) == 101
    assert "Last of 130" in told[-1].message
    assert result.reading.report.missing_cells == 130


def test_that_a_large_file_with_a_rate_below_zero_is_still_streamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("read line by line")

    monkeypatch.setattr(fast, "FAST_LIMIT", 0)
    monkeypatch.setattr(perfmon, "_store_carefully", refuse)
    result = read(tmp_path, pdh(*good_rows(40), line(stamp(41), 1, -1), names=(READS, WRITES)))
    assert result.columns["c1"][-1] is None
    assert result.problem("negative-rate").line == 42


def test_that_a_value_below_zero_in_a_binary_log_is_missing_and_reported(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    entry = files.record("Memory", "Available Bytes", files.LARGE_RAW)
    parts = files.catalogue(entry)
    for second, value in enumerate((5, -3, 7)):
        parts += files.sample(files.local(second), files.single(files.local(second), value, 0))
    result = files.read(tmp_path, files.log(parts))
    assert result.columns["c0"] == [5, None, 7]
    assert result.problem("negative-rate").message == snapshot


def test_that_negative_cells_are_found_in_a_folder_named_like_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "lab [1]"
    folder.mkdir()
    frame = pl.DataFrame({"t": [0, 1, 2], "c0": [1.0, -2.5, -3.0], "c1": [-1.0, 0.0, 1.0]})
    store_frame(frame, folder / "columns")
    series = [Series(0, "a", "W10", "", "", "a", "W10", Metric(Quantity.IOPS, Vantage.GUEST))]
    (below,) = below_zero.take_out(folder / "columns", [0], series)
    assert below == below_zero.Below(0, 1, -2.5, 2)
    kept = stored_frame(folder / "columns")
    assert kept.to_dict(as_series=False) == {"t": [0, 1, 2], "c0": [1.0, None, None], "c1": [-1.0, 0.0, 1.0]}
