"""A script's CSV of DiskSpd's totals: a row for each test and VM, in our units."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.readers.benchmark_files import codes, figures, read_with, refusal
from workbench.model.benchmark import Op
from workbench.readers.diskspd.summary import READER
from workbench.readers.registry import recognise

REAL = Path(__file__).parents[3] / "shared" / "data" / "benchmarks" / "diskspd" / "vineethac_summary.csv"
HEAD = "PROFILE,OIO,VM_Name,TBytes,RBytes,WBytes,TIOS,RIOS,WIOS,TBW,RBW,WBW,TIOPS,RIOPS,WIOPS,TLAT,RLAT,WLAT"
MIXED = "8K 70/30 random,4,W10-001.txt,300,210,90,30,21,9,10.00,7.00,3.00,1280.00,896.00,384.00,3.125,3.000,3.400"
READS = "128K reads,1,W10-002.txt,300,300,0,30,30,0,600.00,600.00,0.00,4800.00,4800.00,0.00,0.208,0.208,0.000"


def test_that_a_row_gives_both_directions_and_their_total(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, "\r\n".join((HEAD, MIXED, READS, "")), "totals.csv")
    read, write, total, alone = reading.benchmarks
    assert [row.op for row in reading.benchmarks] == [Op.READ, Op.WRITE, Op.TOTAL, Op.READ]
    assert figures(read) == (896.0, pytest.approx(7 * 1.048576), 3.0, None, None, None)
    assert figures(write) == (384.0, pytest.approx(3 * 1.048576), 3.4, None, None, None)
    assert figures(total) == (1280.0, pytest.approx(10 * 1.048576), 3.125, None, None, None)
    assert (read.job, read.host, read.queue_depth, read.read_percent) == ("8K 70/30 random", "W10-001.txt", 4, 70.0)
    assert (alone.host, alone.started, alone.line) == ("W10-002.txt", None, 3)


def test_that_lines_that_are_cut_or_hold_nothing_are_named(tmp_path: Path) -> None:
    nothing = READS.replace("4800.00", "0.00")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, MIXED[:40], nothing, HEAD, READS, "")), "totals.csv")
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (1, 2)
    assert [(problem.code, problem.line) for problem in reading.problems] == [("cell-count", 2), ("no-io", 3)]
    empty = read_with(READER, tmp_path, HEAD + "\n", "totals.csv")
    assert refusal(empty)[0] == "no-rows"


@pytest.mark.skipif(not REAL.exists(), reason="the public results are not here")
def test_that_every_row_of_a_real_file_is_read(tmp_path: Path) -> None:
    data = REAL.read_bytes()
    reader = recognise(data[:65_536], REAL.name)
    assert reader is not None
    assert reader.label == "diskspd-summary"
    reading = reader.read(REAL, REAL.name, tmp_path / "columns.arrow")
    rows = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
    ours = [(row.host, row.iops, row.mb_per_s) for row in reading.benchmarks if row.op is Op.READ]
    assert ours == [
        (row["VM_Name"], float(row["RIOPS"]), pytest.approx(float(row["RBW"]) * 1.048576))
        for row in rows
        if float(row["RIOPS"]) > 0
    ]
    assert codes(reading) == []
