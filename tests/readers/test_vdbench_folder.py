"""A complete vdbench output folder is one run: each figure once, with its parts below it."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.benchmark_files import BENCHMARKS, codes, needs_real_files, read_with
from tests.readers.vdbench_folder import COMPLETED, RUNS, flatfile, report, write_folder
from workbench.cli import main
from workbench.model.benchmark import Op
from workbench.model.reading import Reading
from workbench.readers.vdbench.folder import vdbench_runs
from workbench.readers.vdbench.reader import READER

CURVE = BENCHMARKS / "vdbench" / "whole-folder-curve"


def read_folder(folder: Path, scratch: Path) -> list[Reading]:
    readings = []
    for number, path in enumerate(sorted(folder.iterdir())):
        assert READER.identify(path.read_bytes()[:65_536], path.name) >= 0.9, path.name
        readings.append(READER.read(path, path.name, scratch / f"columns{number}"))
    return vdbench_runs(readings, folder.name)


def of(readings: list[Reading], name: str) -> Reading:
    return next(reading for reading in readings if reading.report.path == name)


def test_that_a_whole_folder_gives_each_figure_once_from_its_flatfile(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    readings = read_folder(write_folder(tmp_path / "out"), tmp_path)
    rows = [row for reading in readings for row in reading.benchmarks]
    assert [(row.path, row.job, row.iops, row.latency_mean_ms) for row in rows] == [
        ("flatfile.html", run, rate, resp) for run, rate, resp in RUNS
    ]
    assert {(row.op, row.test, row.tool_version, row.part, row.block_bytes, row.threads) for row in rows} == {
        (Op.READ, "out", "50407", None, 524288, 32)
    }
    assert [problem.severity.value for reading in readings for problem in reading.problems] == ["info", "info"]
    assert codes(of(readings, "flatfile.html")) == ["relative-time", "copies"]
    assert of(readings, "flatfile.html").problems[1].message == snapshot


def test_that_hosts_and_storage_are_slices_under_their_run_and_never_next_to_it(tmp_path: Path) -> None:
    rows = of(read_folder(write_folder(tmp_path / "out"), tmp_path), "flatfile.html").benchmarks
    for row, (_, rate, resp) in zip(rows, RUNS, strict=True):
        slices = {part.part: (part.iops, part.latency_mean_ms, part.path) for part in row.slices}
        assert slices == {
            "host n1": (rate * 0.75, resp, "n1.html"),
            "host n2": (rate * 0.25, resp + 0.5, "n2.html"),
            "slave n1-0": (rate * 0.75, resp, "n1-0.html"),
            "slave n2-0": (rate * 0.25, resp + 0.5, "n2-0.html"),
            "sd sd1": (rate, resp, "sd1.html"),
        }


def test_that_only_the_run_and_parts_with_more_detail_keep_their_time_series(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    readings = read_folder(write_folder(tmp_path / "out"), tmp_path)
    assert [reading.report.path for reading in readings if reading.recording] == ["flatfile.html", "n1.html", "n2.html"]
    recording = of(readings, "n1.html").recording
    assert recording is not None
    assert recording.series[0].path == snapshot


@pytest.mark.parametrize(("missing", "lead"), [(["flatfile.html", "flatfile.csv"], "totals.html")])
def test_that_totals_count_without_a_flatfile(tmp_path: Path, missing: list[str], lead: str) -> None:
    folder = write_folder(tmp_path / "out")
    for name in missing:
        (folder / name).unlink()
    rows = [row for reading in read_folder(folder, tmp_path) for row in reading.benchmarks]
    assert {row.path for row in rows} == {lead}
    assert len(rows) == len(RUNS)


def test_that_the_report_of_all_runs_is_used_if_the_flatfile_is_cut(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "out")
    for name, text in (("flatfile.html", flatfile()), ("flatfile.csv", flatfile(","))):
        (folder / name).write_text("\n".join(text.split("\n")[:-5]) + "\n")
    readings = read_folder(folder, tmp_path)
    rows = [row for reading in readings for row in reading.benchmarks]
    assert [(row.path, row.job) for row in rows] == [("totals.html", run) for run, *_ in RUNS]
    assert "truncated" in codes(of(readings, "flatfile.html"))


def test_that_results_of_two_runs_in_one_folder_both_stay(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "out")
    (folder / "other.html").write_text(report("Run totals", 1.5))
    rows = [row for reading in read_folder(folder, tmp_path) for row in reading.benchmarks]
    assert Counter(row.path for row in rows) == {"flatfile.html": 5, "other.html": 5}


def test_that_an_unfinished_log_gives_a_warning_and_a_finished_one_does_not(tmp_path: Path) -> None:
    log = (write_folder(tmp_path / "out") / "logfile.html").read_text()
    assert codes(read_with(READER, tmp_path, log, "logfile.html")) == ["relative-time"]
    assert codes(read_with(READER, tmp_path, log.rstrip("\n"), "logfile.html")) == ["relative-time"]
    failed = log.replace(COMPLETED, "13:40:00.000 java.lang.RuntimeException: Slave n1-0 prematurely terminated. \n")
    reading = read_with(READER, tmp_path, failed, "logfile.html")
    assert len(reading.benchmarks) == len(RUNS)
    (problem,) = [problem for problem in reading.problems if problem.code == "test-interrupted"]
    assert "Slave n1-0 prematurely terminated" in problem.message
    assert problem.line == failed[: failed.index("java.lang")].count("\n") + 1


def test_that_lines_of_an_error_log_are_counted_with_the_first(tmp_path: Path) -> None:
    text = "<pre>\nVdbench error log, created x\nError log. If there are no error messages beyond this line.\n\n"
    assert codes(read_with(READER, tmp_path, text, "errorlog.html")) == ["contents"]
    reading = read_with(READER, tmp_path, text + "16:12:20.605 op: read errno: EINVAL\nlba: 5\n", "errorlog.html")
    assert reading.report.recognised
    (problem,) = reading.problems
    assert (problem.code, problem.line) == ("failed-io", 5)
    assert "has 2 lines" in problem.message
    assert "EINVAL" in problem.message


@pytest.mark.parametrize(
    "text",
    [
        b"\xca\xfe\xba\xbe\x00\x00\x001\x00\x1aStarting RD=\x01\x00\x08MB/sec",
        b"while read line; do\n  case $line in\n    *Starting\\ RD=*) run=${line#*Starting RD=};;\n",
        b"runs = re.findall(r'Starting RD=(.*?);', page)  # from <pre>\n",
    ],
)
def test_that_a_program_that_mentions_runs_is_not_a_log_of_vdbench(text: bytes) -> None:
    assert READER.identify(text, "runs") == 0.0
    assert READER.identify(b"10:00:00.000 Starting RD=rd1; I/O rate: Uncontrolled MAX\n", "console.txt") > 0.0


def test_that_a_page_opened_alone_names_its_run(tmp_path: Path) -> None:
    page = write_folder(tmp_path / "out") / "n2.html"
    reading = READER.read(page, "n2.html", tmp_path / "columns")
    assert {row.part for row in reading.benchmarks} == {"host n2"}
    assert vdbench_runs([reading], "out") == [reading]


def test_that_rows_that_cannot_be_read_are_counted_once_with_the_first(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    lines = flatfile().split("\n")
    lines[3], lines[6] = lines[3].replace(" 9 ", " "), lines[6].replace(" 9 ", " 9 9 ")
    reading = read_with(READER, tmp_path, "\n".join(lines), "flatfile.html")
    (problem,) = [problem for problem in reading.problems if problem.code == "cell-count"]
    assert problem.message == snapshot
    assert (problem.line, reading.report.rejected_rows) == (4, 2)


def test_that_a_time_and_an_average_without_a_blank_between_them_are_two_cells(tmp_path: Path) -> None:
    text = report("Run totals").replace("02.061   avg_2-2 ", "02.061avg_2-2 ")
    assert [row.iops for row in read_with(READER, tmp_path, text).benchmarks] == [rate for _, rate, _ in RUNS]


FILE_SYSTEM = (
    "<title>Vdbench out/totals.html</title><pre>\nRun totals\n\n15:14:55.001 Starting RD=fs1; fwdrate=max\n\n"
    "Mar 08, 2021 ..Interval.. .ReqstdOps... ...cpu%...  read ....read..... ....write.... ..mb/sec... mb/sec .xfer.. "
    "...mkdir....\n"
    "                            rate   resp total  sys   pct   rate   resp   rate   resp  read write  total    size  "
    "rate   resp\n"
    "15:14:59.090      avg_2-4  400.5  0.700   9.6 7.89  75.0  300.0  0.500  100.0  1.300  1.20  0.40   1.60    4096   "
    "0.5  2.000\n"
)


def test_that_reads_and_writes_of_a_file_system_workload_are_results(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rows = read_with(READER, tmp_path, FILE_SYSTEM, "totals.html").benchmarks
    mib = 1024 * 1024 / 1e6
    assert [(row.op, row.iops, row.mb_per_s, row.latency_mean_ms) for row in rows] == [
        (Op.READ, 300.0, pytest.approx(1.2 * mib), 0.5),
        (Op.WRITE, 100.0, pytest.approx(0.4 * mib), 1.3),
        (Op.TOTAL, 400.0, pytest.approx(1.6 * mib), pytest.approx((300 * 0.5 + 100 * 1.3) / 400)),
    ]
    assert {row.read_percent for row in rows} == {75.0}
    created = FILE_SYSTEM.replace("300.0  0.500  100.0  1.300", "0.0  0.000    0.0  0.000")
    assert read_with(READER, tmp_path, created).problems[0].message == snapshot


def test_that_the_size_of_a_mix_of_sizes_is_not_its_first_size(tmp_path: Path) -> None:
    text = flatfile().replace(" 524288 100.0000", " 7814 100.0000")
    assert {row.block_bytes for row in read_with(READER, tmp_path, text).benchmarks} == {None}


def test_that_the_commands_count_a_folder_once_and_succeed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_folder(tmp_path / "out")
    assert main(["benchmarks", str(folder), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["job"], row["iops"], row["curve"], row["load_percent"], row["is_knee"]) for row in rows] == [
        ("seq", 800.0, "seq", None, False),
        ("seq_(10%)", 80.0, "seq", 10.0, False),
        ("seq_(50%)", 400.0, "seq", 50.0, False),
        ("seq_(70%)", 560.0, "seq", 70.0, True),
        ("seq_(90%)", 720.0, "seq", 90.0, False),
    ]
    assert [part["part"] for part in rows[0]["slices"]] == ["slave n1-0", "host n1", "slave n2-0", "host n2", "sd sd1"]
    assert main(["benchmarks", str(folder), "--format", "csv"]) == 0
    assert len(list(csv.DictReader(capsys.readouterr().out.splitlines()))) == len(RUNS)
    assert main(["benchmarks", str(folder)]) == 0
    text = capsys.readouterr().out
    assert text.count("  host n1 ") == text.count("  host n2 ") == len(RUNS)
    assert "sd sd1" not in text
    assert "slave" not in text
    assert "Knee at 70" in text
    assert main(["inspect", str(folder), "--format", "json"]) == 0
    files = {file["path"]: file for file in json.loads(capsys.readouterr().out)["files"]}
    assert {file["reader"] for file in files.values()} == {"vdbench"}
    assert (files["n1.html"]["part"], files["skew.html"]["part"]) == ("host n1", "skew report")
    assert {file["missing_cells"] for file in files.values()} == {0}


@needs_real_files
def test_that_a_real_folder_agrees_with_its_csv_cell_by_cell(tmp_path: Path) -> None:
    with (CURVE / "flatfile.csv").open(newline="") as stream:
        averages = [row for row in csv.DictReader(stream) if row["Interval"].startswith("avg_")]
    readings = read_folder(CURVE, tmp_path)
    rows = [row for reading in readings for row in reading.benchmarks]
    assert [(row.job, row.iops, row.latency_mean_ms, row.threads) for row in rows] == [
        (row["Run"], float(row["rate"]), float(row["resp"]), int(float(row["threads"]))) for row in averages
    ]
    for row in rows:
        # One host, one slave, one disk: each slice is the run, as far as its page prints it.
        assert Counter(part.part for part in row.slices) == Counter(["host localhost", "slave localhost-0", "sd Disk1"])
        assert all(part.iops == pytest.approx(row.iops, abs=0.0051) for part in row.slices)
    assert [problem.severity.value for reading in readings for problem in reading.problems] == ["info", "info"]


def test_that_pages_that_fit_two_runs_with_equal_names_are_skipped_with_a_note(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    folder = write_folder(tmp_path / "out")
    # A second run with the same names, twice as fast.
    (folder / "totals2.html").write_text(report("Run totals", 2.0, intervals=False))
    readings = read_folder(folder, tmp_path)
    rows = [row for reading in readings for row in reading.benchmarks]
    assert sorted(row.iops for row in rows) == sorted([run[1] for run in RUNS] + [2 * run[1] for run in RUNS])
    assert not any(row.slices for row in rows)
    notes = [
        problem.message for reading in readings for problem in reading.problems if "fit several" in problem.message
    ]
    assert notes == snapshot
