"""Time series next to the results of a benchmark: relative, in order, and missing if unmeasured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import stored_frame
from tests.readers import vdbench_folder
from tests.readers.benchmark_files import BENCHMARKS, codes, read_with
from tests.readers.test_diskspd_xml import REPORT
from tests.readers.test_vdbench import NAMES, SUMMARY, flat
from workbench.model.reading import Reading
from workbench.readers.common import relative_series
from workbench.readers.diskspd import xml as diskspd_xml
from workbench.readers.vdbench import reader as vdbench


def column(folder: Path, reading: Reading, path: str) -> list[float | None]:
    assert reading.recording is not None
    assert reading.recording.relative
    (found,) = [one for one in reading.recording.series if one.path == path]
    return stored_frame(folder / "columns")[f"c{found.column}"].to_list()


def times(folder: Path) -> list[float]:
    return (stored_frame(folder / "columns")["t"] / 1e6).to_list()


def flatfile(*rows: str) -> str:
    return "\n".join(["<pre>", NAMES, *rows, flat("rd1", "avg_2-3"), ""])


def at(time: str, row: str) -> str:
    return row.replace("12:53:47.274", time)


def test_that_vdbench_intervals_become_a_series_of_each_run(tmp_path: Path) -> None:
    rows = (
        at("12:53:47.000", flat("rd1", "1")),
        at("12:53:48.000", flat("rd1", "2", rate="500.0000")),
        at("12:53:49.500", flat("rd2", "1", rate="7.0000", share="100.0000")),
        flat("rd2", "avg_1-1"),
    )
    reading = read_with(vdbench.READER, tmp_path, flatfile(*rows), "flatfile.html")
    assert times(tmp_path) == [0.0, 1.0, 2.5]
    assert column(tmp_path, reading, "vdbench rd1: rate [1/s]") == [1000, 500, None]
    assert column(tmp_path, reading, "vdbench rd2: rate [1/s]") == [None, None, 7]
    assert column(tmp_path, reading, "vdbench rd1: write_resp [ms]") == [1, 1, None]
    assert reading.recording is not None
    assert "vdbench rd2: write_resp [ms]" not in [one.path for one in reading.recording.series]
    units = {one.counter: one.metric.scale for one in reading.recording.series if one.metric is not None}
    assert units["MB/sec [MiB/s]"] == 1024**2
    # Two rows of rd1 with five columns, one of rd2 without a write: rows of the other run are complete.
    assert (reading.report.cells, reading.report.missing_cells) == (14, 0)


def test_that_a_test_across_midnight_continues(tmp_path: Path) -> None:
    rows = (at("23:59:59.000", flat("rd1", "1")), at("00:00:01.000", flat("rd1", "2")))
    read_with(vdbench.READER, tmp_path, flatfile(*rows), "flatfile.html")
    assert times(tmp_path) == [0.0, 2.0]


def test_that_an_interval_without_io_has_no_response_time(tmp_path: Path) -> None:
    rows = (flat("rd1", "1"), flat("rd1", "2", rate="0.0000"))
    reading = read_with(vdbench.READER, tmp_path, flatfile(*rows), "flatfile.html")
    assert column(tmp_path, reading, "vdbench rd1: rate [1/s]") == [1000, 0]
    assert column(tmp_path, reading, "vdbench rd1: resp [ms]") == [2.5, None]


@pytest.mark.parametrize(
    ("row", "code"), [(flat("rd1", "2", rate="abc"), "not-a-number"), (at("1:2", flat("rd1", "2")), "bad-time")]
)
def test_that_an_odd_interval_is_named_by_its_line(tmp_path: Path, row: str, code: str) -> None:
    reading = read_with(vdbench.READER, tmp_path, flatfile(flat("rd1", "1"), row), "flatfile.html")
    assert next((one.code, one.line) for one in reading.problems) == (code, 4)


def test_that_a_summary_has_its_intervals_too(tmp_path: Path) -> None:
    reading = read_with(vdbench.READER, tmp_path, SUMMARY, "summary.html")
    assert column(tmp_path, reading, "vdbench rd1: rate [1/s]") == [1000, 1000]
    assert times(tmp_path) == [0.0, 1.0]


def test_that_a_report_with_too_many_runs_gives_only_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relative_series, "MOST_CELLS", 10)
    reading = read_with(vdbench.READER, tmp_path, flatfile(*[flat("rd1", "1")] * 9), "flatfile.html")
    assert "too-large" in codes(reading)
    assert reading.recording is None
    assert reading.benchmarks


BUCKETS = "".join(
    f'<Bucket SampleMillisecond="{500 * n}" Read="{100 * n}" Write="0" Total="{100 * n}" '
    f'ReadAvgLatencyMilliseconds="{n}.5" WriteAvgLatencyMilliseconds="0.000"/>'
    for n in (1, 2, 3)
)


def test_that_the_samples_of_a_diskspd_time_span_become_series(tmp_path: Path) -> None:
    text = REPORT.replace("<Thread><Id>0</Id>", f"<Iops>{BUCKETS}</Iops><Thread><Id>0</Id>")
    reading = read_with(diskspd_xml.READER, tmp_path, text)
    assert times(tmp_path) == [0.5, 1.0, 1.5]
    # DiskSpd writes I/Os per second, for any length of its intervals.
    assert column(tmp_path, reading, "diskspd time span 1: read [1/s]") == [100, 200, 300]
    assert column(tmp_path, reading, "diskspd time span 1: read latency [ms]") == [1.5, 2.5, 3.5]
    assert reading.recording is not None
    assert len(reading.recording.series) == 4
    assert codes(reading) == ["relative-time"]
    assert reading.benchmarks == read_with(diskspd_xml.READER, tmp_path, REPORT).benchmarks


@pytest.mark.parametrize("bad", ['Read="x"', 'Read="-1"', ""])
def test_that_a_sample_without_a_number_is_skipped_and_reported(tmp_path: Path, bad: str) -> None:
    iops = "<Iops>" + BUCKETS.replace('Read="200"', bad, 1) + "</Iops>"
    reading = read_with(diskspd_xml.READER, tmp_path, REPORT.replace("<Thread><Id>0", f"{iops}<Thread><Id>0"))
    assert times(tmp_path) == [0.5, 1.5]
    assert "1 of 3 samples in the DiskSpd report has" in reading.problems[0].message


@pytest.mark.parametrize("real", [False, *([True] if BENCHMARKS.is_dir() else [])])
def test_that_a_flatfile_gives_all_of_its_intervals(tmp_path: Path, real: bool) -> None:
    source = tmp_path / "ours_flatfile.html"
    if real:
        source = BENCHMARKS / "vdbench" / "vdbconvert_flatfile.html"
    else:
        source.write_text(vdbench_folder.flatfile(), encoding="utf-8")
    reading = vdbench.read(source, source.name, tmp_path / "columns")
    lines = [line.split() for line in source.read_text("utf-8").splitlines() if line[:2].isdigit()]
    run = "rd1" if real else "seq"
    first = [line for line in lines if line[1] == run and line[2].isdigit()]
    assert first
    rates = [value for value in column(tmp_path, reading, f"vdbench {run}: rate [1/s]") if value is not None]
    assert rates == [float(line[4]) for line in first]
    assert reading.recording is not None
    assert reading.recording.rows == sum(line[2].isdigit() for line in lines)


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("00:00:00.000", 0.0),
        ("23:59:59.999", 86399.999),
        ("23:59:60.500", 86400.5),
        ("13:15:31", 47731.0),
        ("24:00:00.000", None),
        ("13:60:00.000", None),
        ("13:15:61.000", None),
        ("13:15", None),
    ],
)
def test_that_a_time_of_day_of_vdbench_has_its_limits(tmp_path: Path, time: str, seconds: float | None) -> None:
    rows = (at("00:00:00.000", flat("rd1", "1")), at(time, flat("rd1", "2")))
    reading = read_with(vdbench.READER, tmp_path, flatfile(*rows), "flatfile.html")
    assert times(tmp_path) == ([0.0] if seconds is None else [0.0, seconds])
    assert ("bad-time" in codes(reading)) is (seconds is None)
