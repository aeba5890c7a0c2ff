"""Tables of fio results that scripts write: each cell compared with the csv module and with factors stated here."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.readers.benchmark_files import codes, read_with
from workbench.model.benchmark import Op
from workbench.readers.registry import recognise
from workbench.readers.tables.results import READER

SIDES = (
    "job_name,block_size,iodepth,read_iops,read_bw_KiB/s,write_iops,write_bw_MB/s,read_clat_p99_us,Write latency (ms)\n"
    "randread-4k,4k,32,12000.5,48002,0,0,512.5,\n"
    "mix,8k,8,1000.25,8002,500.75,4.006,250,1.5\n"
    "randwrite-64k,64k,1,0,0,2000,131.072,0,0.25\n"
)
# Per heading: the side, the figure of a row, and the factor to 1/s, 10^6 bytes/s and ms.
MEANT = {
    "read_iops": (Op.READ, "iops", 1.0),
    "read_bw_KiB/s": (Op.READ, "mb_per_s", 1024 / 1e6),
    "read_clat_p99_us": (Op.READ, "latency_p99_ms", 1e-3),
    "write_iops": (Op.WRITE, "iops", 1.0),
    "write_bw_MB/s": (Op.WRITE, "mb_per_s", 1.0),
    "Write latency (ms)": (Op.WRITE, "latency_mean_ms", 1.0),
}


def expected(text: str, delimiter: str = ",") -> dict[tuple[int, Op, str], float]:
    """Every figure that is not 0, by line, side and name."""
    cells: dict[tuple[int, Op, str], float] = {}
    for line, row in enumerate(csv.DictReader(io.StringIO(text), delimiter=delimiter), 2):
        for heading, (op, figure, factor) in MEANT.items():
            value = float(row[heading].replace(",", ".") or 0)
            if value and float(row[f"{op}_iops"].replace(",", ".")):
                cells[line, op, figure] = value * factor
    return cells


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_that_each_cell_is_the_figure_that_its_heading_names(tmp_path: Path, delimiter: str) -> None:
    text = SIDES.replace(",", delimiter)
    if delimiter == ";":
        text = text.replace(".", ",")
    assert recognise(text.encode(), "summary.csv") is READER
    reading = read_with(READER, tmp_path, text, "summary.csv")
    found = {
        (row.line, row.op, figure): value
        for row in reading.benchmarks
        for figure in ("iops", "mb_per_s", "latency_mean_ms", "latency_p99_ms", "latency_p50_ms", "latency_p95_ms")
        if (value := getattr(row, figure)) is not None
    }
    assert found == {key: pytest.approx(value, rel=1e-12) for key, value in expected(text, delimiter).items()}
    assert [(row.job, row.block_bytes, row.queue_depth) for row in reading.benchmarks] == [
        ("randread-4k", 4096, 32),
        ("mix", 8192, 8),
        ("mix", 8192, 8),
        ("randwrite-64k", 65_536, 1),
    ]


def test_that_the_kind_of_access_gives_the_direction_of_the_figures_in_a_row(tmp_path: Path) -> None:
    text = "Disk,IO,BS,QD,Jobs,KIOPS,BW (GiB/s)\nnvme0n1,randread,4k,32,4,512.5,2\nnvme0n1,seqwrite,1m,8,1,1,1\n"
    text += "nvme0n1,randrw,4k,8,1,5,1\n"
    rows = read_with(READER, tmp_path, text).benchmarks
    assert [(row.op, row.pattern, row.read_percent, row.threads, row.job) for row in rows] == [
        (Op.READ, "random", 100.0, 4, "nvme0n1"),
        (Op.WRITE, "sequential", 0.0, 1, "nvme0n1"),
        (Op.MIXED, "random", None, 1, "nvme0n1"),
    ]
    assert [row.iops for row in rows] == [512_500.0, 1_000.0, 5_000.0]
    assert rows[0].mb_per_s == pytest.approx(2 * 2**30 / 1e6)


def test_that_a_figure_without_a_unit_is_skipped_and_a_unit_in_cells_is_used(tmp_path: Path) -> None:
    text = "test,iops,bw,latency,p99 latency (ms),p99.9 latency (ms),max lat (ms)\na,100,4 MiB/s,5,7,8,9\n"
    reading = read_with(READER, tmp_path, text)
    (row,) = reading.benchmarks
    assert (row.iops, row.mb_per_s, row.latency_mean_ms, row.latency_p99_ms) == (100.0, 4 * 2**20 / 1e6, None, 7.0)
    assert [problem.column for problem in reading.problems if problem.code == "unit-unknown"] == [4]


@pytest.mark.parametrize("row", ["mix,8k,8,x,8002,500.75,4.006,250,1.5", "mix,8k,8,1000.25,8002"])
def test_that_a_damaged_row_is_reported(tmp_path: Path, row: str) -> None:
    text = SIDES.replace(SIDES.split("\n")[2], row)
    assert {"not-a-number", "cell-count"} & set(codes(read_with(READER, tmp_path, text)))


@pytest.mark.parametrize(
    "text",
    [
        "time,iops,bw\n2024-05-01 10:00:00,5,6\n2024-05-01 10:01:00,5,6\n",
        "name,value\niops,5\n",
        "iops are high, we think, and so on\nmore words, and, more\n",
    ],
)
def test_that_tables_of_other_content_are_not_results(text: str) -> None:
    assert READER.identify(text.encode(), "a.csv") == 0.0


@pytest.mark.parametrize(
    ("heading", "figure"),
    [
        ("lat_p99_us", "latency_p99_ms"),
        ("lat_p999_us", None),
        ("lat_p9999_us", None),
        ("clat_99.9_us", None),
        ("clat_us/percentile/99.000000", "latency_p99_ms"),
        ("clat_us/percentile/99.900000", None),
        ("clat_us/percentile/50.000000", "latency_p50_ms"),
        ("lat_p98_us", None),
        ("p80_lat_us", None),
        ("lat_p100_us", None),
        ("95th latency us", "latency_p95_ms"),
        ("99.95th latency us", None),
        ("iops_p99", None),
        ("lat_us", "latency_mean_ms"),
    ],
)
def test_that_a_percentile_is_not_used_for_another_figure(tmp_path: Path, heading: str, figure: str | None) -> None:
    reading = read_with(READER, tmp_path, f"job,iops,{heading}\na,100,2500\n")
    (row,) = reading.benchmarks
    figures = ("latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
    assert {name: value for name in figures if (value := getattr(row, name)) is not None} == (
        {figure: pytest.approx(2.5)} if figure else {}
    )
    assert row.iops == 100.0
    assert ("no-storage-figure" in codes(reading)) is (figure is None)


def test_that_the_total_latency_overrides_that_of_completion(tmp_path: Path) -> None:
    (row,) = read_with(READER, tmp_path, "job,iops,slat_us,clat_us,lat_us\na,100,70,30,100\n").benchmarks
    assert row.latency_mean_ms == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("heading", "mb_per_s"),
    [("bw_mbit", 100.0), ("bw_gbits", 100_000.0), ("bw_mb", 800.0), ("BW (MB/s)", 800.0), ("BW (Mb/s)", None)],
)
def test_that_bits_are_not_bytes(tmp_path: Path, heading: str, mb_per_s: float | None) -> None:
    reading = read_with(READER, tmp_path, f"job,iops,{heading}\na,100,800\n")
    (row,) = reading.benchmarks
    assert row.mb_per_s == mb_per_s
    assert ("unit-unknown" in codes(reading)) is (mb_per_s is None)


def test_that_a_second_column_of_a_figure_is_reported(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, "host,seq_read_iops,rand_read_iops,lat_us\na,100,50,5\n")
    assert [row.iops for row in reading.benchmarks] == [100.0]
    assert [problem.column for problem in reading.problems if problem.code == "duplicate-column"] == [3]


@pytest.mark.parametrize("cell", ["1'200", "1\u00a0200", "1.2k", "1200"])
def test_that_iops_with_digit_separators_or_a_unit_are_recognised(tmp_path: Path, cell: str) -> None:
    text = f"sep=;\njob;iops;lat_ms\na;{cell};0.5\n"
    assert recognise(text.encode(), "a.csv") is READER
    (row,) = read_with(READER, tmp_path, text).benchmarks
    assert (row.iops, row.latency_mean_ms, row.line) == (1200.0, 0.5, 3)


def test_that_ambiguous_iops_cause_a_question(tmp_path: Path) -> None:
    text = 'job,iops,lat_ms\n"a","1,200","5"\n'
    assert recognise(text.encode(), "a.csv") is READER
    assert codes(read_with(READER, tmp_path, text)) == ["ambiguous-number"]


def test_that_a_latency_without_a_direction_belongs_to_the_only_direction_that_ran(tmp_path: Path) -> None:
    text = "job,read_iops,write_iops,lat_ms,clat_p99_us\na,100,0,0.5,900\nb,0,50,0.25,800\nc,100,50,1,1000\nd,9,9,2,1\n"
    reading = read_with(READER, tmp_path, text)
    assert [(row.job, row.op, row.latency_mean_ms, row.latency_p99_ms) for row in reading.benchmarks] == [
        ("a", Op.READ, 0.5, 0.9),
        ("b", Op.WRITE, 0.25, 0.8),
        *((job, op, None, None) for job in "cd" for op in (Op.READ, Op.WRITE)),
    ]
    assert [problem.line for problem in reading.problems if problem.code == "side-unknown"] == [4]


def test_that_a_cell_that_is_not_a_number_is_named_with_its_line_and_column(tmp_path: Path) -> None:
    text = SIDES.replace("8002,500.75", "8002,fast")
    reading = read_with(READER, tmp_path, text)
    places = [(problem.line, problem.column) for problem in reading.problems if problem.code == "not-a-number"]
    assert places == [(3, SIDES.split("\n")[0].split(",").index("write_iops") + 1)]
    assert [(row.line, row.op) for row in reading.benchmarks] == [(2, Op.READ), (3, Op.READ), (4, Op.WRITE)]


def test_that_a_line_without_a_result_counts_as_rejected(tmp_path: Path) -> None:
    text = "job,iops,lat_ms\na,100,0.5\nb,none,0.5\nc,0,0.5\nd,200\n"
    reading = read_with(READER, tmp_path, text)
    assert [row.job for row in reading.benchmarks] == ["a"]
    assert reading.report.rejected_rows == 3


@pytest.mark.parametrize(("heading", "milliseconds"), [("lat_us", 1.5), ("lat_ms", 1500.0)])
def test_that_thousands_in_a_cell_are_in_the_unit_of_the_heading(
    tmp_path: Path, heading: str, milliseconds: float
) -> None:
    (row,) = read_with(READER, tmp_path, f"job,iops,{heading}\na,100,1.5k\n").benchmarks
    assert row.latency_mean_ms == pytest.approx(milliseconds, rel=1e-12)
