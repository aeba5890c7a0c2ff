"""iostat -x -t: reports cell by cell, their times, and text that is not a report."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.builders import stored_frame
from workbench.model.metric import Quantity, Vantage
from workbench.model.reading import Reading
from workbench.readers import iostat
from workbench.readers.registry import recognise

SYSTEM = "Linux 6.1.0-18-amd64 (nas01)    05/20/24    _x86_64_    (8 CPU)\n\n"
HEADS = "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s w_await  aqu-sz  %util\n"
OLD = "Device:  rrqm/s wrqm/s r/s w/s rMB/s wMB/s avgrq-sz avgqu-sz await r_await w_await svctm %util\n"


def report(time: str, reads: float, disk: str = "sda") -> str:
    return (
        f"{time}\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        "           2.10    0.00    1.40    3.00    0.00   93.50\n\n"
        f"{HEADS}{disk} {reads}   480.00     0.00   0.00    1.50    40.00    8.00    256.00    2.25    0.05   4.10\n"
        "dm-0       99.00    480.00     0.00   0.00    1.50    40.00    8.00    256.00    2.25    0.05   4.10\n\n"
    )


def read(folder: Path, text: str, order: str = "") -> Reading:
    file = folder / "nas.log"
    file.write_text(text)
    assert recognise(file.read_bytes(), file.name) is iostat.READER
    return iostat.read(file, "nas.log", folder / "columns.arrow", order)


def column(folder: Path, reading: Reading, device: str, counter: str) -> list[Any]:
    assert reading.recording is not None
    (series,) = [one for one in reading.recording.series if (one.instance, one.counter) == (device, counter)]
    return stored_frame(folder / "columns.arrow")[f"c{series.column}"].to_list()


def moments(folder: Path) -> list[str]:
    table = stored_frame(folder / "columns.arrow")
    return [datetime.fromtimestamp(t / 1e6, UTC).strftime("%Y-%m-%d %H:%M:%S") for t in table["t"]]


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def test_that_reports_are_read_cell_by_cell_without_the_one_since_the_start(tmp_path: Path) -> None:
    text = SYSTEM + "".join(report(f"05/20/24 16:55:{5 * n:02}", 10.0 + n) for n in range(4))
    reading = read(tmp_path, text)
    assert column(tmp_path, reading, "sda", "r/s") == [11.0, 12.0, 13.0]
    assert column(tmp_path, reading, "sda", "w_await") == [2.25] * 3
    assert column(tmp_path, reading, "", "%iowait") == [3.0] * 3
    assert moments(tmp_path) == ["2024-05-20 16:55:05", "2024-05-20 16:55:10", "2024-05-20 16:55:15"]
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.hosts) == (3, 1, ("nas01",))
    assert codes(reading) == ["first-report"]


def test_that_disks_are_array_values_in_documented_units_and_stacked_devices_are_ignored(tmp_path: Path) -> None:
    reading = read(tmp_path, SYSTEM + "".join(report(f"05/20/24 16:55:0{n}", 10.0) for n in range(3)))
    assert reading.recording is not None
    metrics = {(one.instance, one.counter): one.metric for one in reading.recording.series if one.metric}
    assert {device for device, _ in metrics} == {"sda"}
    assert {counter: (metric.quantity, metric.scale) for (_, counter), metric in metrics.items()} == {
        "r/s": (Quantity.READ_IOPS, 1.0),
        "w/s": (Quantity.WRITE_IOPS, 1.0),
        "rkB/s": (Quantity.READ_THROUGHPUT, 1024.0),
        "wkB/s": (Quantity.WRITE_THROUGHPUT, 1024.0),
        "r_await": (Quantity.READ_LATENCY, 0.001),
        "w_await": (Quantity.WRITE_LATENCY, 0.001),
        "aqu-sz": (Quantity.QUEUE_DEPTH, 1.0),
    }
    assert {metric.vantage for metric in metrics.values()} == {Vantage.ARRAY}


@pytest.mark.parametrize(
    ("times", "first", "offset"),
    [
        (["12/10/2019 03:17:30 AM", "12/10/2019 03:17:35 AM"], "2019-12-10 03:17:35", None),
        (["2024-05-10T09:00:00+0200", "2024-05-10T09:00:05+0200"], "2024-05-10 09:00:05", 120),
        (["20.05.2024 09:00:00", "20.05.2024 09:00:05"], "2024-05-20 09:00:05", None),
    ],
)
def test_that_times_are_read_as_each_locale_writes_them(
    tmp_path: Path, times: list[str], first: str, offset: int | None
) -> None:
    reading = read(tmp_path, SYSTEM + "".join(report(time, 10.0) for time in times))
    assert (moments(tmp_path), reading.report.utc_offset_minutes) == ([first], offset)


def test_that_columns_of_older_versions_and_decimal_commas_are_read_by_their_heads(tmp_path: Path) -> None:
    row = "sda   0,00 0,30 {} 18,80 1,50 2,50 17,34 0,59 12,44 7,61 12,81 0,08 99,75\n"
    text = "".join(f"20.05.2024 09:00:0{n}\n{OLD}{row.format(f'{85 + n},60')}\n" for n in range(3))
    reading = read(tmp_path, SYSTEM + text)
    assert column(tmp_path, reading, "sda", "r/s") == [86.6, 87.6]
    assert column(tmp_path, reading, "sda", "avgqu-sz") == [0.59, 0.59]


def test_that_reports_without_x_have_both_directions_and_throughputs(tmp_path: Path) -> None:
    heads = "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n"
    text = "".join(
        f"05/20/24 09:00:0{n}\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        f"           2.10    0.00    1.40    3.00    0.00   93.50\n\n{heads}"
        f"sda   {40 + n}.50   480.00   256.{n}0   0.00   1   2   0\n\n"
        for n in range(4)
    )
    reading = read(tmp_path, SYSTEM + text)
    assert column(tmp_path, reading, "sda", "tps") == [41.5, 42.5, 43.5]
    assert column(tmp_path, reading, "sda", "kB_wrtn/s") == [256.1, 256.2, 256.3]
    assert reading.recording is not None
    meant = {one.counter: one.metric for one in reading.recording.series if one.metric and one.instance == "sda"}
    assert {name: (metric.quantity, metric.scale) for name, metric in meant.items()} == {
        "tps": (Quantity.IOPS, 1.0),
        "kB_read/s": (Quantity.READ_THROUGHPUT, 1024.0),
        "kB_wrtn/s": (Quantity.WRITE_THROUGHPUT, 1024.0),
    }


def test_that_an_ambiguous_date_is_a_guess_and_several_days_are_rejected(tmp_path: Path) -> None:
    text = SYSTEM + report("05/10/24 09:00:00", 1.0) + report("05/10/24 09:00:05", 2.0)
    recording = read(tmp_path, text).recording
    assert recording is not None
    assert recording.dates is not None
    assert (recording.dates.order, recording.dates.other_us) == ("mdy", 148 * 86_400_000_000)
    assert codes(read(tmp_path, text + report("06/11/24 09:00:05", 2.0))) == ["ambiguous-date"]
    read(tmp_path, text, "mdy")
    assert moments(tmp_path) == ["2024-05-10 09:00:05"]


def test_that_reports_without_times_are_rejected_with_what_to_do(tmp_path: Path) -> None:
    reading = read(tmp_path, SYSTEM + report("", 1.0) + report("", 2.0))
    assert (codes(reading), reading.recording, reading.report.rejected_rows) == (["no-rows"], None, 2)
    assert "iostat -x -t 5" in reading.problems[0].action


def test_that_a_cut_row_is_skipped_and_not_read_short(tmp_path: Path) -> None:
    text = SYSTEM + "".join(report(f"05/20/24 16:55:0{n}", 10.0) for n in range(3))
    reading = read(tmp_path, text[: text.rindex("dm-0") - 40])
    assert column(tmp_path, reading, "sda", "r/s") == [10.0, None]
    assert "row-width" in codes(reading)


def test_that_the_first_report_of_each_call_is_skipped(tmp_path: Path) -> None:
    calls = [[900.0, 11.0, 12.0], [800.0, 13.0, 14.0]]
    text = "".join(
        SYSTEM + "".join(report(f"05/20/24 1{hour}:00:0{n}", reads) for n, reads in enumerate(call))
        for hour, call in enumerate(calls)
    )
    reading = read(tmp_path, text)
    assert column(tmp_path, reading, "sda", "r/s") == [11.0, 12.0, 13.0, 14.0]
    assert (reading.report.rows, reading.report.rejected_rows) == (4, 2)
    assert codes(reading) == ["first-report", "first-report"]


def test_that_reports_of_several_machines_are_rejected(tmp_path: Path) -> None:
    reports = "".join(report(f"05/20/24 16:55:0{n}", 10.0) for n in range(3))
    reading = read(tmp_path, SYSTEM + reports + SYSTEM.replace("nas01", "nas02") + reports)
    assert codes(reading) == ["several-machines"]
    assert reading.recording is None


def test_that_an_invalid_time_affects_only_its_report(tmp_path: Path) -> None:
    times = ["05/20/24 16:55:00", "05/20/24 16:55:05", "05/32/24 16:55:10", "05/20/24 16:55:15"]
    reading = read(tmp_path, SYSTEM + "".join(report(time, 10.0 + n) for n, time in enumerate(times)))
    assert column(tmp_path, reading, "sda", "r/s") == [11.0, 13.0]
    assert reading.report.rejected_rows == 2
    assert "bad-time" in codes(reading)


@pytest.mark.parametrize(("summer", "winter"), [("", ""), ("+0200", "+0100")])
def test_that_times_continue_across_the_end_of_summer_time(tmp_path: Path, summer: str, winter: str) -> None:
    times = [f"2024-10-27T02:59:{second}{summer}" for second in ("50", "55")]
    times += [f"2024-10-27T02:00:{second}{winter}" for second in ("00", "05")]
    reading = read(tmp_path, SYSTEM + "".join(report(time, 10.0 + n) for n, time in enumerate(times)))
    assert moments(tmp_path) == ["2024-10-27 02:59:55", "2024-10-27 03:00:00", "2024-10-27 03:00:05"]
    assert reading.report.utc_offset_minutes == (120 if summer else None)


@pytest.mark.parametrize(("other", "cell"), [("12.50", "1,200.00"), ("12,50", "1.200,00"), ("12,50", "1'200,00")])
def test_that_thousands_marks_are_read_as_in_every_report(tmp_path: Path, other: str, cell: str) -> None:
    row = "sda   0 0 {} 18 1 2 17 0 12 7 {} 0 99\n"
    text = "".join(f"20.05.2024 09:00:0{n}\n{OLD}{row.format(cell if n else 7, other)}\n" for n in range(3))
    reading = read(tmp_path, SYSTEM + text)
    assert column(tmp_path, reading, "sda", "r/s") == [1200.0, 1200.0]


def test_that_an_ambiguous_number_in_a_file_with_both_marks_is_named(tmp_path: Path) -> None:
    row = "sda   0 0 {} 18 1.5 2 17,5 0 12 7 1 0 99\n"
    text = "".join(f"20.05.2024 09:00:0{n}\n{OLD}{row.format('1,200' if n == 1 else 7)}\n" for n in range(3))
    reading = read(tmp_path, SYSTEM + text)
    assert column(tmp_path, reading, "sda", "r/s") == [None, 7.0]
    assert column(tmp_path, reading, "sda", "avgrq-sz") == [None, None]
    assert [problem.code for problem in reading.problems].count("ambiguous-number") == 1
