"""The published storage tests in the format of their tools are read with every printed digit.

Iometer: "Turbo Charging your IOPS with the new PVS Cache in RAM with Disk Overflow Feature!", part one, Citrix blog.
SQLIO: "SQLIO, PowerShell and storage performance", Microsoft blog. Both count MB as 2^20 bytes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.benchmark_files import SEEDS, read_with
from workbench.answers.benchmarks.compute import families, groups
from workbench.answers.benchmarks.figures import family_figure, side_by_side
from workbench.answers.benchmarks.raw_disk import ratio_to_raw, raw_disk
from workbench.answers.benchmarks.repeats_figure import repeated, repeats_figure
from workbench.answers.benchmarks.sweeps import DepthSweep, sweeps
from workbench.answers.benchmarks.tables import results_table, runs_table, sweep_table
from workbench.charts.tables import TableData
from workbench.model.benchmark import Benchmark, Op
from workbench.readers.iometer import READER as IOMETER
from workbench.readers.sqlio import READER as SQLIO
from workbench.words.numbers import THIN

# test: (op: (IOPS, MB/s)), mean response time in ms
PUBLISHED = {
    "E: drive direct (raw SAN)": (
        {"total": ("18412", "71.92"), "read": ("3679", "14.37"), "write": ("14733", "57.55")},
        "0.89",
    ),
    "PVS RAM cache with overflow, 8 GB": (
        {"total": ("71299", "278.51"), "read": ("14258", "55.69"), "write": ("57041", "222.81")},
        "0.86",
    ),
    "PVS RAM cache with overflow, 15 GB": (
        {"total": ("68938", "269.28"), "read": ("13789", "53.86"), "write": ("55149", "215.42")},
        "0.92",
    ),
    "PVS cache in device RAM (old)": (
        {"total": ("14498", "56.63"), "read": ("2899", "11.32"), "write": ("11599", "45.30")},
        "1.10",
    ),
    "PVS cache on device hard disk": (
        {"total": ("8364", "32.67"), "read": ("1672", "6.53"), "write": ("6692", "26.14")},
        "1.91",
    ),
}

DEPTHS = """1 9446.79 73.80 0/2 15901.80 124.23 0/3 20758.20 162.17 0/4 24021.20 187.66 0/5 26047.90 203.49 0
6 27559.10 215.30 0/7 28666.40 223.95 0/8 29320.90 229.06 0/9 29733.70 232.29 0/10 30337.00 237.00 0
11 30407.50 237.55 0/12 30609.78 239.13 0/13 30843.40 240.96 0/14 31548.50 246.47 0/15 30692.10 239.78 0
16 30810.40 240.70 0/17 31815.00 248.55 0/18 33115.19 258.71 0/24 32769.40 256.01 0/32 33548.30 262.09 0
48 34467.50 269.27 0/51 31157.90 243.42 1/60 34763.19 271.58 1/64 34760.90 271.56 1"""
THREADS = """1 32 32859.30 256.71 0/2 16 35946.30 280.83 0/4 8 35734.80 279.17 0/8 4 35470.69 277.11 0
16 2 35418.60 276.70 0/32 1 35273.60 275.57 0"""
TEN_RUNS = """36027.40 281.46/35929.80 280.70/35955.90 280.90/35963.30 280.96/35944.19 280.81
35903.60 280.49/35922.60 280.64/35949.19 280.85/35979.30 281.08/35921.60 280.63"""
AVERAGE = ("35949.688", "280.852")


def cells(text: str) -> list[list[str]]:
    return [row.split() for row in text.replace("\n", "/").split("/")]


def column(table: TableData, title: str, unit: str = "") -> list[str]:
    """The displayed texts of a column, without the thin spaces between thousands."""
    place = [(one.title, one.unit) for one in table.columns].index((title, unit))
    return [row[place].text.replace(THIN, "") for row in table.rows]


def iometer_csv(description: str, printed: dict[str, tuple[str, str]], response: str) -> str:
    ops = ("total", "read", "write")
    figures = ",".join([*(printed[op][0] for op in ops), *(printed[op][1] for op in ops), response, "", ""])
    spec = "4K; 20% read; 90% random"
    return (
        f"'Test Type,Test Description\n0,{description}\n'Version\n2008.06.18\n'Access specifications\n"
        f"'Access specification name,default assignment\n{spec},0\n"
        "'size,% of size,% reads,% random,delay,burst,align,reply\n4096,100,20,90,0,1,0,0\n"
        "'End access specifications\n'Results\n'Target Type,Target Name,Access Specification Name,# Managers,"
        "# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,Read MBps,Write MBps,Average Response Time,"
        "Average Read Response Time,Average Write Response Time,Errors,Queue Depth\n"
        f"ALL,All,{spec},1,4,4,{figures},0,16\n'End Test\n"
    )


@pytest.fixture
def iometer(tmp_path: Path) -> list[Benchmark]:
    found: list[Benchmark] = []
    for place, (test, (printed, response)) in enumerate(PUBLISHED.items()):
        text = iometer_csv(test, printed, response)
        found += read_with(IOMETER, tmp_path, text, f"test{place + 1}.csv").benchmarks
    return found


def test_that_the_five_iometer_tests_are_in_the_table_as_printed(iometer: list[Benchmark]) -> None:
    (family,) = families(groups(iometer))
    table = results_table(iometer, family, None)
    for test, (printed, response) in PUBLISHED.items():
        places = [place for place, name in enumerate(column(table, "Test")) if name == test]
        shown = {
            column(table, "Operation")[place]: (
                column(table, "IOPS")[place],
                column(table, "Throughput", "MiB/s")[place],
            )
            for place in places
        }
        assert shown == printed
        times = {column(table, "Operation")[place]: column(table, "Mean", "ms")[place] for place in places}
        assert times == {"total": response, "read": "—", "write": "—"}


def test_that_the_five_tests_share_an_axis_and_are_compared_with_the_raw_disk(iometer: list[Benchmark]) -> None:
    (tests,) = side_by_side(iometer).values()
    raw = raw_disk(tests)
    assert raw is not None
    assert (raw.name, raw.guessed) == ("E: drive direct (raw SAN)", True)
    ratios = {group.name: ratio_to_raw(raw, group, Op.TOTAL) for group in tests}
    # 71,299 / 18,412 and so on, by hand
    assert {name: found and round(found.ratio, 4) for name, found in ratios.items()} == {
        "E: drive direct (raw SAN)": None,
        "PVS RAM cache with overflow, 8 GB": 3.8724,
        "PVS RAM cache with overflow, 15 GB": 3.7442,
        "PVS cache in device RAM (old)": 0.7874,
        "PVS cache on device hard disk": 0.4543,
    }
    figure = family_figure(iometer, side_by_side(iometer), raw=raw)
    assert len(figure.panels[0].x.categories) == 5
    assert figure.panels[0].subtitle == "4\u2009KiB, 20\u2009% reads, QD16 ×4"


def test_that_decimal_megabytes_are_shown_next_to_binary_ones(iometer: list[Benchmark]) -> None:
    table = results_table(iometer, None, None)
    # 71.92 x 1.048576 = 75.41; the file's own IOPS x 4,096 bytes give 75.42
    assert column(table, "Throughput", "MB/s")[column(table, "Throughput", "MiB/s").index("71.92")] == "75.41"


def queue_depths(tmp_path: Path) -> DepthSweep:
    text = "".join(f"-o {o}, {iops} iops, {mb} MB/sec, {ms} ms\n" for o, iops, mb, ms in cells(DEPTHS))
    (found,) = sweeps(read_with(SQLIO, tmp_path, text).benchmarks)
    return found


def test_that_the_queue_depth_sweep_has_the_printed_digits(tmp_path: Path) -> None:
    sweep = queue_depths(tmp_path)
    table = sweep_table(sweep)
    shown = zip(
        column(table, "Queue", "depth"),
        column(table, "IOPS"),
        column(table, "Throughput", "MiB/s"),
        column(table, "Mean", "ms"),
        strict=True,
    )
    assert [list(row) for row in shown] == cells(DEPTHS)


def test_that_the_knee_of_the_queue_depth_sweep_is_where_doubling_gains_less_than_ten_percent(tmp_path: Path) -> None:
    sweep = queue_depths(tmp_path)
    # 31,548.50 / 28,666.40 = 1.1005 from 7 to 14; 31,548.50 / 29,320.90 = 1.0760 from 8 to 16
    assert (sweep.varies, sweep.at[sweep.knee], sweep.at[sweep.best]) == ("queue_depth", 8, 60)
    assert column(sweep_table(sweep), "Remark")[7] == "knee"
    bought = column(sweep_table(sweep), "Gain", "from doubling the load, %")
    assert (bought[6], bought[7]) == ("10.1", "7.6")


def test_that_the_thread_sweep_keeps_outstanding_ios_constant_and_bends_at_one_thread(tmp_path: Path) -> None:
    text = "".join(f"-t {t} -o {o}, {iops} iops, {mb} MB/sec, {ms} ms\n" for t, o, iops, mb, ms in cells(THREADS))
    (sweep,) = sweeps(read_with(SQLIO, tmp_path, text).benchmarks)
    assert (sweep.varies, sweep.holds, sweep.held, sweep.at[sweep.knee]) == ("threads", "outstanding", 32, 1)
    table = sweep_table(sweep)
    shown = zip(
        column(table, "Threads"),
        column(table, "Queue", "depth"),
        column(table, "IOPS"),
        column(table, "Throughput", "MiB/s"),
        column(table, "Mean", "ms"),
        strict=True,
    )
    assert [list(row) for row in shown] == cells(THREADS)
    # 35,946.30 / 32,859.30 = 1.094: less than 10 %. "adding a second thread improved things by about 10%"
    assert column(table, "Gain", "over the best smaller step, %")[1] == "9.4"


def test_that_the_ten_runs_and_their_average_have_the_printed_digits(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    lines = [f"Run {n} = {iops} IOPs, {mb} MB/sec, 0 ms" for n, (iops, mb) in enumerate(cells(TEN_RUNS), 1)]
    text = "\n".join([*lines, f"Average = {AVERAGE[0]} IOPs, {AVERAGE[1]} MB/sec, 0 ms"]) + "\n"
    (group,) = repeated(read_with(SQLIO, tmp_path, text).benchmarks)
    table = runs_table(group)
    iops, mb = column(table, "IOPS"), column(table, "Throughput", "MiB/s")
    assert list(map(list, zip(iops[:10], mb[:10], strict=True))) == cells(TEN_RUNS)
    assert (iops[10], mb[10], column(table, "Mean", "ms")[10]) == (*AVERAGE, "0")
    # by scipy.stats.t.interval(0.95, 9, mean, sem)
    assert [row[1].value for row in table.rows[11:]] == [
        pytest.approx(35924.438268, abs=1e-5),
        pytest.approx(35974.937732, abs=1e-5),
    ]
    assert [mark.name for mark in repeats_figure(group).panels[0].marks] == snapshot


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the source documents are not here")
def test_that_the_complete_published_sweep_of_64_depths_has_the_same_knee(tmp_path: Path) -> None:
    (text,) = [path.read_text(errors="replace") for path in SEEDS.glob("001_*.txt")]
    lines = [line for line in text.splitlines() if line.startswith("-o ") and " iops, " in line]
    (sweep,) = sweeps(read_with(SQLIO, tmp_path, "\n".join(lines)).benchmarks)
    assert sweep.at == tuple(range(1, 65))
    assert (sweep.at[sweep.knee], sweep.at[sweep.best]) == (8, 60)
    printed = [line.replace(",", "").split() for line in lines]
    table = sweep_table(sweep)
    assert column(table, "IOPS") == [words[2] for words in printed]
    assert column(table, "Throughput", "MiB/s") == [words[4] for words in printed]
