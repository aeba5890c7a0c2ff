"""Perfmon text that another tool saved again: a column of times, and columns with full counter paths."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from pathlib import Path

import pytest

from tests.readers.perfmon_files import READS, WRITES, Result, line, read
from workbench.readers.common.row_problems import WIDTH_ADVICE
from workbench.readers.perfmon import reader as perfmon
from workbench.readers.registry import recognise

VALUES = [(0.25, 2.0), (1.25, 4.0), (None, 6.5)]
ISO = ["2016-05-10 09:00:00", "2016-05-10 09:00:15", "2016-05-10 09:00:30"]
FIRST_US = 1_462_870_800_000_000


def _text(head: str, stamps: list[str], delimiter: str = ",", quoted: bool = False) -> str:
    rows = [[head, READS, WRITES]]
    rows += [
        [stamp, *("" if value is None else str(value) for value in values)]
        for stamp, values in zip(stamps, VALUES, strict=True)
    ]
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerows(rows)
    return stream.getvalue()


def _check(result: Result) -> None:
    assert result.reading.recording is not None
    assert [series.path for series in result.reading.recording.series] == [READS, WRITES]
    assert result.columns["t"] == [FIRST_US + 15_000_000 * row for row in range(3)]
    assert [result.columns["c0"], result.columns["c1"]] == [list(column) for column in zip(*VALUES, strict=True)]
    assert result.reading.report.hosts == ("W10-001",)
    assert "time-zone-unknown" in result.codes


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize(
    "head", ["Timestamp", "timestamp", "Time", "Date", "DateTime", "Date Time", "TimeStamp", "Date/Time"]
)
def test_that_a_copy_under_a_column_of_times_is_read(tmp_path: Path, head: str, quoted: bool) -> None:
    text = _text(head, ISO, quoted=quoted)
    assert recognise(text.encode(), "x.csv") is perfmon.READER
    _check(read(tmp_path, text))


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_that_semicolons_and_tabs_separate_cells_too(tmp_path: Path, delimiter: str) -> None:
    _check(read(tmp_path, _text("Timestamp", ISO, delimiter)))


def test_that_a_copy_with_a_utf_8_mark_is_read(tmp_path: Path) -> None:
    _check(read(tmp_path, _text("Timestamp", ISO).encode("utf-8-sig")))


def test_that_a_copy_in_utf_16_is_read(tmp_path: Path) -> None:
    _check(read(tmp_path, _text("Timestamp", ISO).encode("utf-16")))


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize("dates", ["2016-05-10", "05/10/2016", "10.05.2016"])
def test_that_dates_and_times_in_two_columns_are_joined(tmp_path: Path, dates: str, quoted: bool) -> None:
    rows = [line("Date", "Time", READS, WRITES)]
    rows += [
        line(
            dates, stamp[11:] + (".000" if "/" in dates else ""), *("" if value is None else value for value in values)
        )
        for stamp, values in zip(ISO, VALUES, strict=True)
    ]
    text = "\r\n".join(rows) + "\r\n"
    result = read(tmp_path, text if quoted else text.replace('"', ""))
    _check(result)
    assert result.reading.report.rows == 3


@pytest.mark.parametrize("stamps", [["00:00.0", "00:15.0", "00:30.0"], ["########", "########", "########"]])
def test_that_times_cut_by_a_spreadsheet_are_named_as_the_cause(tmp_path: Path, stamps: list[str]) -> None:
    result = read(tmp_path, _text("Timestamp", stamps))
    assert (result.reading.recording, result.problem("times-cut").severity) == (None, "refused")
    assert result.reading.report.rejected_rows == 3
    assert "no-rows" not in result.codes


def test_that_commas_in_unquoted_paths_do_not_split_cells(tmp_path: Path) -> None:
    names = (
        r"\\VM01\Processor Information(0,3)\% Processor Time",
        READS,
        r"\\VM01\Processor Information(_Total)\% Idle",
    )
    rows = [f"05/10/2016 09:0{n}:00.000,{n}.5,{10 + n},{n}" for n in range(3)]
    result = read(tmp_path, "\r\n".join((",".join(("(PDH-CSV 4.0) (GMT Standard Time)(0)", *names)), *rows, "")))
    recording = result.reading.recording
    assert recording is not None
    assert [series.path for series in recording.series] == [*names]
    assert [[*result.columns[f"c{at}"]] for at in range(3)] == [[0.5, 1.5, 2.5], [10.0, 11.0, 12.0], [0.0, 1.0, 2.0]]


def test_that_dates_of_a_copy_of_several_days_that_fit_both_orders_are_rejected(tmp_path: Path) -> None:
    result = read(tmp_path, _text("Timestamp", ["5/10/2016 9:00:00", "7/10/2016 9:00:00", "8/11/2016 9:00:00"]))
    assert (result.reading.recording, result.problem("ambiguous-date").severity) == (None, "refused")


def test_that_dates_of_a_copy_are_read_in_the_order_that_they_show(tmp_path: Path) -> None:
    stamps = ["13/05/2016 09:00:00", "13/05/2016 09:00:15", "13/05/2016 09:00:30"]
    result = read(tmp_path, _text("Timestamp", stamps))
    assert result.columns["t"][0] == FIRST_US + 3 * 86_400_000_000
    assert result.problem("date-order").message.startswith("The dates have the day first,")


@pytest.mark.parametrize(
    "head",
    [
        "Timestamp,Path,Value",
        "Time,Reads,Writes",
        r"Name,\\W10-001\PhysicalDisk(_Total)\Disk Reads/sec",
        r"Time,\\server\share",
    ],
)
def test_that_other_tables_with_a_time_column_are_not_recognised(head: str) -> None:
    assert perfmon.identify(f"{head}\n2016-05-10 09:00:00,1,2\n".encode(), "x.csv") == 0.0


OVER_SUMMER_TIME = ["2016-10-30T03:59:45{0}+02:00", "2016-10-30T03:00:00{0}+01:00", "2016-10-30T03:00:15{0}+01:00"]


@pytest.mark.parametrize("fraction", ["", ".000", ".0000000"])
def test_that_times_with_offsets_place_a_copy_in_utc(tmp_path: Path, fraction: str) -> None:
    result = read(tmp_path, _text("Timestamp", [stamp.format(fraction) for stamp in OVER_SUMMER_TIME]))
    recording = result.reading.recording
    assert recording is not None
    assert (recording.utc_offset_minutes, result.reading.report.rejected_rows) == (120, 0)
    expected = [datetime.fromisoformat(stamp.format("")).timestamp() for stamp in OVER_SUMMER_TIME]
    assert [(at - 120 * 60_000_000) / 1e6 for at in result.columns["t"]] == expected
    assert not {"time-zone-unknown", "summer-time-end", "clock-back"} & set(result.codes)
    assert [result.columns["c0"], result.columns["c1"]] == [list(column) for column in zip(*VALUES, strict=True)]


def test_that_z_is_utc_and_a_row_without_an_offset_is_rejected(tmp_path: Path) -> None:
    stamps = ["2016-05-10T09:00:00Z", "2016-05-10T09:00:15", "2016-05-10 09:00:30 +0000"]
    result = read(tmp_path, _text("Time", stamps))
    assert result.reading.recording is not None
    assert result.reading.recording.utc_offset_minutes == 0
    assert result.columns["t"] == [FIRST_US, FIRST_US + 30_000_000]
    assert (result.reading.report.rejected_rows, result.problem("bad-time").line) == (1, 3)


def test_that_an_offset_that_no_zone_has_is_not_a_time(tmp_path: Path) -> None:
    result = read(tmp_path, _text("Time", [f"{stamp}+19:00" for stamp in ISO]))
    assert (result.reading.recording, result.reading.report.rejected_rows) == (None, 3)


def test_that_decimal_commas_between_commas_are_named_as_the_cause(tmp_path: Path) -> None:
    text = (
        _text("Time", ISO).replace("0.25,2.0", "0,25,2,0").replace("1.25,4.0", "1,25,4,0").replace(",,6.5", ",,6,5,7")
    )
    result = read(tmp_path, text)
    told = result.problem("no-rows")
    assert (told.action, result.reading.report.rejected_rows) == (WIDTH_ADVICE, 3)
