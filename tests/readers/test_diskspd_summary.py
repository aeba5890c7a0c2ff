"""A script's CSV of DiskSpd's totals: a row for each test and VM, in the units of the program."""

from __future__ import annotations

import csv
import re
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


def test_that_the_block_size_is_bytes_by_ios_if_all_have_one_size(tmp_path: Path) -> None:
    one = _with(TBytes="245760", RBytes="172032", WBytes="73728")
    several = _with(TBytes="327680", RBytes="172032", WBytes="155648")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, one, several, MIXED, "")), "totals.csv")
    blocks = [row.block_bytes for row in reading.benchmarks]
    assert blocks == [8192, 8192, 8192, 8192, None, None, None, None, None]


def test_that_shortened_or_empty_lines_are_named(tmp_path: Path) -> None:
    nothing = READS.replace("4800.00", "0.00")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, MIXED[:40], nothing, HEAD, READS, "")), "totals.csv")
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (1, 2)
    assert [(problem.code, problem.line) for problem in reading.problems] == [("cell-count", 2), ("no-io", 3)]
    empty = read_with(READER, tmp_path, HEAD + "\n", "totals.csv")
    assert refusal(empty)[0] == "no-rows"


def _with(**cells: str) -> str:
    """The mixed row with other cells, by the names of their columns."""
    row = dict(zip(HEAD.split(","), MIXED.split(","), strict=True)) | cells
    return ",".join(f'"{cell}"' if "," in cell else cell for cell in row.values())


@pytest.mark.parametrize(
    "cell", ["abc", "", "n/a", "NaN", "inf", "-896.00", "896,00", "1,89,6.00", "0x380", "1e300", "1e999"]
)
def test_that_a_damaged_count_of_reads_is_named_and_leaves_the_mix_unknown(tmp_path: Path, cell: str) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(RIOPS=cell), "")), "totals.csv")
    (problem,) = reading.problems
    assert (problem.code, problem.line, problem.column) == ("not-a-number", 2, 14)
    assert "RIOPS" in problem.message
    assert f"'{cell}'" in problem.message or (not cell and "empty" in problem.message)
    read, write, total = reading.benchmarks
    assert figures(read) == (None, pytest.approx(7 * 1.048576), 3.0, None, None, None)
    assert (write.iops, total.iops) == (384.0, 1280.0)
    assert [row.read_percent for row in reading.benchmarks] == [None, None, None]


@pytest.mark.parametrize("column", ["TIOPS", "WIOPS", "TBW", "RBW", "WBW", "TLAT", "RLAT", "WLAT", "OIO"])
@pytest.mark.parametrize("cell", ["x", "-1", "", "1e300"])
def test_that_every_damaged_cell_is_named_with_its_column_and_is_missing(
    tmp_path: Path, column: str, cell: str
) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(**{column: cell}), "")), "totals.csv")
    (problem,) = reading.problems
    assert (problem.line, problem.column) == (2, HEAD.split(",").index(column) + 1)
    read, write, total = reading.benchmarks
    sides = {"R": read, "W": write, "T": total}
    if column == "OIO":
        assert {row.queue_depth for row in reading.benchmarks} == {None}
    else:
        figure = {"IOPS": "iops", "BW": "mb_per_s", "LAT": "latency_mean_ms"}[column[1:]]
        missing = [side for side, row in sides.items() if getattr(row, figure) is None]
        assert missing == [column[0]]


@pytest.mark.parametrize("depth", ["0", "4.5"])
def test_that_outstanding_ios_are_a_whole_number_above_0(tmp_path: Path, depth: str) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(OIO=depth), "")), "totals.csv")
    assert [(problem.code, problem.column) for problem in reading.problems] == [("not-a-number", 2)]
    assert {row.queue_depth for row in reading.benchmarks} == {None}


def test_that_a_test_without_latencies_is_read_without_problems(tmp_path: Path) -> None:
    row = _with(TLAT="", RLAT="", WLAT="")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, row, "")), "totals.csv")
    assert (len(reading.benchmarks), codes(reading)) == (3, [])


def test_that_a_row_with_writes_only_has_0_percent_reads(tmp_path: Path) -> None:
    row = _with(TBW="3.00", RBW="0.00", TIOPS="384.00", RIOPS="0.00", TLAT="3.400", RLAT="0.000")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, row, "")), "totals.csv")
    assert [(row.op, row.iops, row.read_percent) for row in reading.benchmarks] == [(Op.WRITE, 384.0, 0.0)]
    assert codes(reading) == []


@pytest.mark.parametrize("total", ["5.00", "12800.00", "1280.04"])
def test_that_a_total_that_differs_from_reads_plus_writes_is_named_and_empty(tmp_path: Path, total: str) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(TIOPS=total), "")), "totals.csv")
    (problem,) = reading.problems
    assert (problem.code, problem.line, problem.column) == ("total-differs", 2, 13)
    assert [row.iops for row in reading.benchmarks] == [896.0, 384.0, None]
    assert {row.read_percent for row in reading.benchmarks} == {None}


@pytest.mark.parametrize("total", ["1280.01", "1279.98", "1280.03", "1280", "1.28e3", "1280.00e0"])
def test_that_a_total_may_differ_by_its_rounding(tmp_path: Path, total: str) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(TIOPS=total), "")), "totals.csv")
    assert codes(reading) == []
    assert reading.benchmarks[2].iops == float(total)


def test_that_a_total_of_a_million_iops_may_differ_by_its_rounding(tmp_path: Path) -> None:
    row = _with(TIOPS="1000000.03", RIOPS="700000.00", WIOPS="300000.00")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, row, "")), "totals.csv")
    assert codes(reading) == []
    assert [one.iops for one in reading.benchmarks] == [700_000.0, 300_000.0, 1_000_000.03]


def test_that_a_direction_in_the_total_without_a_cell_makes_the_mix_unknown(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(RIOPS="0.00"), "")), "totals.csv")
    assert codes(reading) == ["total-differs"]
    assert [(row.op, row.iops, row.read_percent) for row in reading.benchmarks] == [(Op.WRITE, 384.0, None)]


def test_that_a_zero_with_a_huge_exponent_does_no_harm(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(WIOPS="0e999"), "")), "totals.csv")
    assert reading.benchmarks[0].iops == 896.0


@pytest.mark.parametrize("column", ["RIOPS", "OIO", "riops"])
def test_that_a_table_with_a_column_twice_is_rejected(tmp_path: Path, column: str) -> None:
    text = f"{HEAD},{column}\n{MIXED},1.00\n"
    reading = read_with(READER, tmp_path, text, "totals.csv")
    code, line, message = refusal(reading)
    assert (code, line, reading.report.rejected_rows) == ("duplicate-column", 1, 1)
    assert column.upper() in message


def test_that_a_line_without_usable_figures_is_skipped_and_named(tmp_path: Path) -> None:
    nothing = dict.fromkeys((f"{side}{kind}" for side in "TRW" for kind in ("IOPS", "BW", "LAT")), "x")
    reading = read_with(READER, tmp_path, "\n".join((HEAD, _with(**nothing), MIXED, "")), "totals.csv")
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (3, 1)
    assert codes(reading) == ["not-a-number"] * 9 + ["no-io"]


@pytest.mark.parametrize("real", [False, *([True] if REAL.exists() else [])])
def test_that_every_row_of_a_file_is_read(tmp_path: Path, real: bool) -> None:
    file = REAL if real else tmp_path / "summary.csv"
    if not real:
        rows = [READS.replace("W10-002", f"W10-{n:03}").replace("4800.00", f"{48 * n}.00") for n in range(1, 41)]
        rows = [row.replace("600.00", f"{6 * n}.00") for n, row in enumerate(rows, 1)]
        file.write_bytes("\r\n".join((HEAD, *rows, "")).encode("utf-8-sig"))
    data = file.read_bytes()
    reader = recognise(data[:65_536], file.name)
    assert reader is not None
    assert reader.label == "diskspd-summary"
    reading = reader.read(file, file.name, tmp_path / "columns.arrow")
    written = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
    ours = [(row.host, row.iops, row.mb_per_s) for row in reading.benchmarks if row.op is Op.READ]
    assert ours == [
        (row["VM_Name"], float(row["RIOPS"]), pytest.approx(float(row["RBW"]) * 1.048576))
        for row in written
        if float(row["RIOPS"]) > 0
    ]
    assert codes(reading) == []


@pytest.mark.parametrize("marks", [(";", "."), (";", ","), ("\t", ",")])
def test_that_a_spreadsheets_copy_has_the_values_of_the_original(tmp_path: Path, marks: tuple[str, str]) -> None:
    delimiter, decimal = marks
    text = "\n".join((HEAD, MIXED, READS, ""))
    plain = read_with(READER, tmp_path, text)
    copied = re.sub(r"(?<=\d)\.(?=\d)", decimal, text.replace(",", delimiter))
    if decimal == ",":
        copied = copied.replace("1280,00", "1.280,00")
    reading = read_with(READER, tmp_path, copied)
    assert [figures(row) for row in reading.benchmarks] == [figures(row) for row in plain.benchmarks]
    assert reading.report.delimiter == delimiter
    assert [row.host for row in reading.benchmarks] == [row.host for row in plain.benchmarks]
