"""A result file cut at every byte: values that are read are right, and missing ones are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers import test_diskspd, test_sqlio, test_vdbench
from workbench.model.benchmark import Benchmark
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.readers import iometer, sqlio
from workbench.readers.diskspd import reader as diskspd
from workbench.readers.fio import log as fio_log
from workbench.readers.fio import reader as fio
from workbench.readers.vdbench import reader as vdbench

IOMETER = (
    "'Results\n'Target Type,Target Name,Access Specification Name,# Workers,Queue Depth,IOps,Read IOps,Write IOps,"
    "MBps,Read MBps,Write MBps,Average Response Time,Average Read Response Time,Average Write Response Time,Errors\n"
    "ALL,All,4k,1,16,1000.5,700.5,300.0,4.1,2.9,1.2,2.5,2.0,3.5,0\nMANAGER,LAB01,4k,1,16,1000.5,700.5,300.0,4.1,2.9,"
    "1.2,2.5,2.0,3.5,0\nALL,All,8k,1,16,900.5,600.5,300.0,4.1,2.9,1.2,2.5,2.0,3.5,0\n"
)
STATUS = "".join(
    '{\n  "fio version" : "fio-3.36",\n  "jobs" : [\n    {\n      "jobname" : "j' + str(number) + '",\n'
    '      "read" : {\n        "iops" : 123.456,\n        "total_ios" : 5000\n      }\n    }\n  ]\n}\n'
    for number in (1, 2)
)
TEXTS: dict[str, tuple[Reader, str]] = {
    "sqlio": (sqlio.READER, test_sqlio.run() + test_sqlio.run("writing")),
    "diskspd": (diskspd.READER, test_diskspd.REPORT),
    "vdbench-flatfile": (vdbench.READER, test_vdbench.FLATFILE),
    "vdbench-summary": (vdbench.READER, test_vdbench.SUMMARY),
    "iometer": (iometer.READER, IOMETER),
    "fio": (fio.READER, STATUS),
}


def read(reader: Reader, folder: Path, text: str) -> Reading:
    path = folder / "result.txt"
    path.write_text(text, encoding="utf-8", newline="")
    return reader.read(path, path.name, folder / "columns")


def told(reading: Reading) -> bool:
    """True if a problem says that the file may be incomplete."""
    codes = {"no-line-end", "truncated", "no-table", "cell-count", "no-results", "not-json", "no-rows"}
    return any(p.code in codes or p.severity is Severity.REFUSED for p in reading.problems)


def rows(reading: Reading) -> set[Benchmark]:
    return set(reading.benchmarks)


@pytest.mark.parametrize("kind", TEXTS)
def test_that_a_file_cut_within_a_line_is_reported(tmp_path: Path, kind: str) -> None:
    reader, text = TEXTS[kind]
    whole = read(reader, tmp_path, text)
    assert whole.benchmarks
    assert not told(whole)
    begins = text.index("\n")
    for place in range(begins, len(text)):
        if text[place] == "\n" or text[place - 1] in "\n ":
            continue
        reading = read(reader, tmp_path, text[:place])
        if rows(reading) != rows(whole):
            assert told(reading), (place, text[:place][-60:])


def test_that_a_number_that_was_cut_in_sqlio_is_not_a_figure(tmp_path: Path) -> None:
    text = test_sqlio.run()
    for cut in ("IOs/sec: 36", "IOs/sec: 36000.0"):
        reading = read(sqlio.READER, tmp_path, text[: text.index(cut) + len(cut)])
        assert (reading.benchmarks, reading.problems[0].severity) == ((), Severity.REFUSED)
    within = read(sqlio.READER, tmp_path, text[: text.index("281.25") + 3])
    assert [(row.iops, row.mb_per_s) for row in within.benchmarks] == [(36000.0, None)]
    assert [(p.code, p.line) for p in within.problems] == [("truncated", 12)]


def test_that_a_total_of_diskspd_without_all_its_cells_gives_no_row(tmp_path: Path) -> None:
    text = test_diskspd.REPORT
    at = text.index("total:", text.index("Write IO"))
    for place in range(at + 6, text.index("\n", at)):
        reading = read(diskspd.READER, tmp_path, text[:place])
        for row in reading.benchmarks:
            assert row.op.value != "write" or row.iops == 300.0
        assert told(reading)


def test_that_a_percentile_that_was_cut_is_missing(tmp_path: Path) -> None:
    text = test_diskspd.REPORT
    at = text.index("50th |")
    for place in range(at, at + 40):
        reading = read(diskspd.READER, tmp_path, text[:place])
        assert {row.latency_p50_ms for row in reading.benchmarks} <= {None, 1.5, 2.5, 1.8}
        assert told(reading)


def test_that_a_run_of_vdbench_that_was_started_and_has_no_figures_is_named(tmp_path: Path) -> None:
    reading = read(vdbench.READER, tmp_path, test_vdbench.SUMMARY + test_vdbench.STARTING.format("rd9"))
    assert [p.code for p in reading.problems if p.severity is Severity.WARNING] == ["truncated"]


def test_that_a_fio_log_without_its_last_line_end_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "x_iops.1.log"
    path.write_text("1000, 5, 0, 0\n2000, 6, 0, 0")
    assert "no-line-end" in [p.code for p in fio_log.read(path, path.name, tmp_path / "c").problems]
    path.write_text("1000, 5, 0, 0\n2000, 6, 0, 0\n")
    assert "no-line-end" not in [p.code for p in fio_log.read(path, path.name, tmp_path / "c").problems]
