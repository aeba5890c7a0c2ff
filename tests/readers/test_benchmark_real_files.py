"""Figures of real benchmark files, looked up manually or parsed in another way, and of generated files like them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.readers import made_benchmarks, made_reports
from tests.readers.benchmark_files import (
    BENCHMARKS,
    SEEDS,
    asked,
    codes,
    figures,
    needs_real_files,
    read_real,
    refusal,
    row_of,
)
from workbench.model.benchmark import Op
from workbench.readers import iometer, sqlio
from workbench.readers import neutral as neutral_json
from workbench.readers.diskspd import reader as diskspd
from workbench.readers.diskspd import xml as diskspd_xml
from workbench.readers.registry import readers, recognise
from workbench.readers.vdbench import reader as vdbench

MIB = 1024 * 1024 / 1e6

# file, op: I/Os and bytes per second as counted, mean, p50, p95, p99 in ms, as the file writes them
DISKSPD = {
    ("LenovoG580_cp1251.txt", Op.READ): (109.77, 269783040 / 600.00 / 1e6, 363.914, 283.494, 911.805, 1150.540),
    ("LenovoG580_cp1251.txt", Op.WRITE): (109.27, 268537856 / 600.00 / 1e6, 220.411, 127.788, 786.764, 1010.959),
    ("LenovoG580_cp1251.txt", Op.TOTAL): (219.04, 538320896 / 600.00 / 1e6, 292.328, 201.477, 853.139, 1088.947),
    ("goodsql2016.txt", Op.READ): (202.49, 497639424 / 600.00 / 1e6, 128.989, 83.018, 416.477, 816.324),
    ("goodsql2016.txt", Op.TOTAL): (403.66, 992047104 / 600.00 / 1e6, 158.382, 163.862, 428.669, 824.992),
    ("IrbisTW57_cp1251.txt", Op.WRITE): (529.92, None, 88.584, 83.183, 103.592, 116.005),
    ("in_lab_roblevay.md", Op.READ): (2823.65, 462864384 / 20.01 / 1e6, 1.731, None, None, None),
    ("in_lab_roblevay.md", Op.TOTAL): (4033.18, 661135360 / 20.01 / 1e6, 1.981, None, None, None),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_benchmarks.write(tmp_path_factory.mktemp("made"))


@pytest.fixture(params=["made", *(["real"] if BENCHMARKS.is_dir() else [])])
def folder(request: pytest.FixtureRequest, made: Path) -> Path:
    return BENCHMARKS if request.param == "real" else made


OURS = made_benchmarks.diskspd_figures()


@pytest.mark.parametrize(("name", "op"), [*OURS, *(DISKSPD if BENCHMARKS.is_dir() else [])])
def test_that_diskspd_text_has_the_figures_of_its_tables(name: str, op: Op, made: Path) -> None:
    ours = (name, op) in OURS
    row = row_of(read_real(diskspd.READER, f"diskspd/diskspd-text_{name}", made if ours else BENCHMARKS), op)
    expected = (OURS if ours else DISKSPD)[name, op]
    found = figures(row)
    assert (found[0], *found[2:]) == (expected[0], *expected[2:])
    if expected[1] is not None:
        assert found[1] == pytest.approx(expected[1])


REAL_MB = (("LenovoG580_cp1251.txt", 0.86), ("goodsql2016.txt", 1.58), ("in_lab_roblevay.md", 31.51))


def test_that_the_mb_of_older_reports_are_mib(folder: Path) -> None:
    for name, printed in REAL_MB if folder == BENCHMARKS else made_benchmarks.diskspd_printed():
        total = row_of(read_real(diskspd.READER, f"diskspd/diskspd-text_{name}", folder), Op.TOTAL)
        assert total.mb_per_s == pytest.approx(printed * MIB, abs=0.0055)


@needs_real_files
def test_that_diskspd_output_in_a_readme_keeps_its_parameters() -> None:
    rows = read_real(diskspd.READER, "diskspd/diskspd-text_in_README_PatrickLang.md").benchmarks
    assert [(row.op, row.iops, row.host) for row in rows] == [
        (Op.READ, 24083.62, "e1e8c95b2207"),
        (Op.WRITE, 24118.86, "e1e8c95b2207"),
        (Op.TOTAL, 48202.48, "e1e8c95b2207"),
        (Op.TOTAL, 117.45, None),
        (Op.TOTAL, 3387.71, None),
        (Op.TOTAL, 28604.62, None),
    ]
    assert [asked(row) for row in rows] == [(4096, 8, 8, 50.0, "random")] * 3 + [(None,) * 5] * 3
    assert len({row.job for row in rows}) == 4


def test_that_diskspd_xml_gives_the_sums_of_its_threads(folder: Path) -> None:
    paths = sorted(folder.glob("diskspd/*.xml"))
    assert paths
    for path in paths:
        root = fromstring(path.read_text(encoding="utf-8"))
        seconds = float(root.findtext("TimeSpan/TestTimeSeconds") or "")
        reads = sum(int(one.text or "") for one in root.iterfind("TimeSpan/Thread/Target/ReadCount"))
        amount = sum(int(one.text or "") for one in root.iterfind("TimeSpan/Thread/Target/ReadBytes"))
        row = row_of(read_real(diskspd_xml.READER, f"diskspd/{path.name}", folder), Op.READ)
        assert row.iops == pytest.approx(reads / seconds)
        assert row.mb_per_s == pytest.approx(amount / seconds / 1e6)


@needs_real_files
def test_that_a_real_xml_report_equals_the_sums_calculated_by_hand() -> None:
    real = read_real(diskspd_xml.READER, "diskspd/diskspd-2.0.21a_pkb.xml")
    (row,) = real.benchmarks
    # 22,645 + 22,623 + 22,548 + 23,154 reads in 30.02 s
    assert row.iops == pytest.approx(90970 / 30.02)
    assert asked(row) == (65536, 2, 4, 100.0, "sequential")
    assert (row.tool_version, row.host, row.started) == ("2.0.21a", "pkb-044ffc87-0", "2018-10-18T21:39:04Z")


REAL_SQLIO = [
    ("random.read.0.4.G", Op.READ, (26263.98, 102.59 * MIB, 1.0), (4096, 1, 64, 100.0, "random")),
    ("random.read.8.64.G", Op.READ, (14122.49, 882.65 * MIB, 35.0), (65536, 8, 64, 100.0, "random")),
    ("sequential.write.0.4.G", Op.WRITE, (44490.61, 173.79 * MIB, 0.0), (4096, 1, 64, 0.0, "sequential")),
]
OUR_SQLIO = [
    ("random.read.0.4", Op.READ, (25000.5, 97.66 * MIB, 1.0), (4096, 1, 64, 100.0, "random")),
    ("random.read.8.64", Op.READ, (14000.25, 875.02 * MIB, 35.0), (65536, 8, 64, 100.0, "random")),
    ("sequential.write.0.4", Op.WRITE, (44000.75, 171.88 * MIB, 0.0), (4096, 1, 64, 0.0, "sequential")),
]


@pytest.mark.parametrize(("name", "op", "expected", "how"), [*OUR_SQLIO, *(REAL_SQLIO if BENCHMARKS.is_dir() else [])])
def test_that_sqlio_has_the_figures_it_prints(
    name: str, op: Op, expected: tuple[float, ...], how: tuple[object, ...], made: Path
) -> None:
    folder = BENCHMARKS if name.endswith(".G") else made
    (row,) = read_real(sqlio.READER, f"sqlio/sqlio.{name}.txt", folder).benchmarks
    assert (row.op, *figures(row)) == (op, *(pytest.approx(value) for value in expected), None, None, None)
    assert asked(row) == how


def published() -> Path | None:
    return next(iter(SEEDS.glob("001*.txt")), None) if SEEDS.is_dir() else None


@pytest.fixture(params=["made", *(["real"] if published() is not None else [])])
def article(request: pytest.FixtureRequest, made: Path) -> Path:
    """The published article, or a generated one."""
    return (published() or made) if request.param == "real" else made / "sqlio" / "article.txt"


def test_that_every_run_and_line_of_an_article_is_read(tmp_path: Path, article: Path) -> None:
    text = article.read_text(encoding="utf-8")
    reading = sqlio.READER.read(article, article.name, tmp_path)
    runs = [float(value) for value in re.findall(r"^IOs/sec:\s*([\d.]+)", text, re.MULTILINE)]
    lines = re.findall(r"^-(?:t (\d+) -)?o (\d+), ([\d.]+) iops, ([\d.]+) MB/sec, (\d+) ms", text, re.MULTILINE)
    repeats = [float(value) for value in re.findall(r"^Run \d+ = ([\d.]+) IOPs", text, re.MULTILINE)]
    assert len(lines) == 70
    assert len(repeats) == 10
    found = sorted(row.iops or 0.0 for row in reading.benchmarks)
    assert found == sorted([*runs, *(float(line[2]) for line in lines), *repeats])
    sweep = {(row.threads, row.queue_depth): row for row in reading.benchmarks if row.job is None}
    if article == published():
        five, sixteen = sweep[None, 5], sweep[2, 16]
        assert figures(five)[:3] == (26047.90, pytest.approx(203.49 * MIB), 0.0)
        assert figures(sixteen)[:3] == (35946.30, pytest.approx(280.83 * MIB), 0.0)
    # all 8 KB: bytes per second from IOPS agree with the printed MB
    for threads, depth, iops, mb, _ in lines:
        row = sweep[int(threads) if threads else None, int(depth)]
        assert row.mb_per_s == pytest.approx(float(iops) * 8192 / 1e6, rel=1e-3)
        assert row.mb_per_s == pytest.approx(float(mb) * MIB)
    first = reading.benchmarks[0]
    how = (
        (36096.6, (8192, 16, 8, 100.0, "random"))
        if article == published()
        else (35012.3, (8192, 8, 16, 100.0, "random"))
    )
    assert (first.latency_mean_ms, first.iops, asked(first)) == (3.0, *how)


def test_that_sweep_lines_are_recognised_in_a_separate_file(tmp_path: Path, article: Path) -> None:
    lines = [line for line in article.read_text(encoding="utf-8").split("\n") if re.match(r"-o \d+, |-t \d+ ", line)]
    path = tmp_path / "sweep.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert recognise(path.read_bytes(), path.name) is sqlio.READER
    assert len(sqlio.READER.read(path, path.name, tmp_path).benchmarks) == 70


def test_that_iometer_has_its_all_rows_and_no_others(folder: Path) -> None:
    name = "iometer/iometer-2008.06.18_SQLServerIO.csv" if folder == BENCHMARKS else "iometer/ours.csv"
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    header = next(line for line in lines if line.startswith("'Target Type")).lstrip("'").split(",")
    expected = [dict(zip(header, line.split(","), strict=True)) for line in lines if line.startswith("ALL,")]
    reading = read_real(iometer.READER, name, folder)
    assert len(expected) == len(reading.benchmarks) == (64 if folder == BENCHMARKS else 12)
    assert codes(reading) == ["other-levels"]
    for row, cells in zip(reading.benchmarks, expected, strict=True):
        side = "Read" if row.op is Op.READ else "Write"
        assert row.iops == float(cells[f"{side} IOps"])
        assert row.latency_mean_ms == float(cells[f"Average {side} Response Time"])
        assert row.queue_depth == int(cells["Queue Depth"])
        assert row.block_bytes is not None
        # the MBps of version 2008 are 2^20 bytes
        assert row.mb_per_s == pytest.approx(row.iops * row.block_bytes / 1e6, rel=1e-5)
    if folder != BENCHMARKS:
        return
    first = reading.benchmarks[0]
    assert figures(first)[:3] == (1196.489673, pytest.approx(9.347576 * MIB), 0.835007)
    assert (first.host, first.job, asked(first)) == (
        "JUDE1OLD",
        "8k 0% Read; 100% Random 8k",
        (8192, 1, 1, 0.0, "random"),
    )


OUR_IOMETER = [(name, True) for name in made_reports.WITHOUT_FIGURES["iometer"]]
REAL_IOMETER = [
    ("cov_rich_disk.icf", False),
    ("iometer-1.1.0_two_managers_run.golden.txt", False),
    ("iometer-1.1.0_oltp_32697.golden.txt", False),
]


@pytest.mark.parametrize(("name", "ours"), [*OUR_IOMETER, *(REAL_IOMETER if BENCHMARKS.is_dir() else [])])
def test_that_iometer_files_without_figures_are_rejected_by_name(name: str, ours: bool, made: Path) -> None:
    assert refusal(read_real(iometer.READER, f"iometer/{name}", made if ours else BENCHMARKS))[0] == "no-results"


def test_that_vdbench_flatfiles_have_their_average_rows(folder: Path) -> None:
    curve = "vdbench/cloudanimal_512k_read_curve" if folder == BENCHMARKS else "vdbench/ours"
    with (folder / f"{curve}_flatfile.csv").open(newline="") as stream:
        averages = [row for row in csv.DictReader(stream) if row["Interval"].startswith("avg_")]
    assert len(averages) == (16 if folder == BENCHMARKS else 5)
    for ending in ("csv", "html"):
        rows = read_real(vdbench.READER, f"{curve}_flatfile.{ending}", folder).benchmarks
        assert [(row.op, row.job, row.iops, row.latency_mean_ms) for row in rows] == [
            (Op.READ, row["Run"], float(row["rate"]), float(row["resp"])) for row in averages
        ]
        assert [row.mb_per_s for row in rows] == [pytest.approx(float(row["MB/sec"]) * MIB) for row in averages]
        assert {asked(row) for row in rows} == {(524288, None, 32, 100.0, "sequential")}


@needs_real_files
def test_that_all_reports_of_one_vdbench_run_agree() -> None:
    flat = read_real(vdbench.READER, "vdbench/vdbconvert_multihost_output.csv").benchmarks
    assert [(row.op, row.job) for row in flat[:3]] == [(Op.READ, "rd1"), (Op.WRITE, "rd1"), (Op.TOTAL, "rd1")]
    assert figures(flat[2])[:3] == (50.0169, pytest.approx(0.1954 * MIB), 5.3952)
    assert (flat[0].latency_mean_ms, flat[1].latency_mean_ms) == (6.9438, 0.5163)
    assert (flat[0].iops or 0) + (flat[1].iops or 0) == pytest.approx(50.0169)
    for report in ("summary", "totals"):
        rows = read_real(vdbench.READER, f"vdbench/vdbconvert_test_{report}.html").benchmarks
        assert [(row.op, row.job, row.threads, row.block_bytes) for row in rows] == [
            (row.op, row.job, row.threads, row.block_bytes) for row in flat
        ]
        for row, other in zip(rows, flat, strict=True):
            assert row.iops == pytest.approx(other.iops, rel=1e-3)
            assert row.latency_mean_ms == pytest.approx(other.latency_mean_ms, abs=6e-4)


@needs_real_files
def test_that_the_oldest_vdbench_flatfile_is_read() -> None:
    rows = read_real(vdbench.READER, "vdbench/VdbenchExplorer_flatfile.html").benchmarks
    assert len(rows) == 8
    last = rows[-1]
    assert (last.job, *figures(last)[:3]) == (
        "sequential_read_max_8k",
        13091.2222,
        pytest.approx(102.2752 * MIB),
        0.6088,
    )


OUR_VDBENCH = [(name, True) for name in made_reports.WITHOUT_FIGURES["vdbench"]]
REAL_VDBENCH = [
    ("cloudanimal_512k_read_curve_histogram.html", False),
    ("vdbconvert_test_sd1.histogram.html", False),
    ("vdbench_exporter_offline_flatfile.html", False),
]


@pytest.mark.parametrize(("name", "ours"), [*OUR_VDBENCH, *(REAL_VDBENCH if BENCHMARKS.is_dir() else [])])
def test_that_vdbench_files_without_averages_are_rejected_by_name(name: str, ours: bool, made: Path) -> None:
    assert refusal(read_real(vdbench.READER, f"vdbench/{name}", made if ours else BENCHMARKS))[0] == "no-results"


def test_that_neutral_files_give_entries_with_a_storage_unit(folder: Path) -> None:
    for name, scale in (("bencher_bmf_latency", 1e-6), ("bencher_bmf_mixed", 1e-6)):
        content = json.loads((folder / f"neutral/{name}.json").read_text())
        rows = read_real(neutral_json.READER, f"neutral/{name}.json", folder).benchmarks
        expected = {job: one["latency"]["value"] * scale for job, one in content.items()}
        assert {row.job: row.latency_mean_ms for row in rows} == pytest.approx(expected)
    content = json.loads((folder / "neutral/pytest-benchmark_several_units.json").read_text())
    rows = read_real(neutral_json.READER, "neutral/pytest-benchmark_several_units.json", folder).benchmarks
    means = [one["stats"]["mean"] * 1e3 for one in content["benchmarks"]]
    assert [row.latency_mean_ms for row in rows] == pytest.approx(means)
    (score,) = read_real(neutral_json.READER, "neutral/jmh.json", folder).benchmarks
    real = folder == BENCHMARKS
    assert score.iops == (3.3762388731228185e9 if real else 2.5e6)
    dot_net = read_real(neutral_json.READER, "neutral/benchmarkdotnet.json", folder).benchmarks
    assert dot_net[0].latency_mean_ms == pytest.approx(24.4202085009643e-6 if real else 24.5e-6)
    for name in ("gab_customBiggerIsBetter", "gab_customSmallerIsBetter"):
        assert refusal(read_real(neutral_json.READER, f"neutral/{name}.json", folder))[0] == "no-storage-figures"


def test_that_every_benchmark_file_is_recognised_only_by_its_reader(folder: Path) -> None:
    tools = {
        "diskspd": (diskspd.READER, diskspd_xml.READER),
        "sqlio": (sqlio.READER,),
        "iometer": (iometer.READER,),
        "vdbench": (vdbench.READER,),
        "neutral": (neutral_json.READER,),
    }
    for tool, own in tools.items():
        # A script's summary of DiskSpd results (diskspd/*.csv) is not DiskSpd's own output.
        files = [path for path in (folder / tool).iterdir() if path.is_file()]
        for path in sorted(path for path in files if tool != "diskspd" or path.suffix != ".csv"):
            head = path.read_bytes()[:65_536]
            sure = [reader for reader in readers() if reader.identify(head, path.name) > 0.0]
            assert len(sure) == 1, (path.name, [reader.label for reader in sure])
            assert sure[0] in own, path.name
