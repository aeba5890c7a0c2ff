"""fio's normal text report: every figure is read, and each run once."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.fio.texts import direction, job, setup, started, summed
from tests.readers.fio_results import direction as json_direction
from tests.readers.fio_results import idle, read_text, result, text_of
from tests.readers.fio_results import job as json_job
from workbench.model.benchmark import Benchmark, LatencyKind, Op
from workbench.model.reading import Reading
from workbench.readers.fio.normal import find_reports
from workbench.readers.fio.reader import READER

REPORT = started() + job() + summed()
OLD = """vdi: (g=0): rw=randrw, bs=8K-8K/8K-8K/8K-8K, ioengine=libaio, iodepth=4
fio-2.2.10
Starting 1 process

vdi: (groupid=0, jobs=1): err= 0: pid=12: Tue May 10 09:02:00 2016
  read : io=46875KB, bw=23437KB/s, iops=2929 , runt=  2000msec
    clat (msec): min=1, max=91, avg= 2.50, stdev= 1.00
    clat percentiles (msec):
     | 50.00th=[    2], 95.00th=[    5], 99.00th=[    9]
  write: io=46.8MB, bw=24000KB/s, iops=3000, runt=  2000msec
    clat (usec): min=0, max=91, avg= 0.50, stdev= 0.10
     issued    : total=r=5859/w=6000/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0
"""


def rows(folder: Path, text: str, name: str = "fio.log") -> tuple[Benchmark, ...]:
    return read_text(folder, text, name).benchmarks


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def figures(row: Benchmark) -> tuple[float | None, ...]:
    return (row.latency_mean_ms, row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms)


@pytest.mark.parametrize("text", [REPORT, "$ fio vdi.fio\r\n" + REPORT.replace("\n", "\r\n"), job()])
def test_that_a_text_report_is_recognised_by_its_content(text: str) -> None:
    assert READER.identify(text.encode(), "notes.txt") == 0.9
    assert READER.identify(text.encode("utf-16"), "notes.txt") == 0.9


def test_that_a_job_gives_its_row_with_every_figure_in_its_unit(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, REPORT)
    assert (row.op, row.iops, row.mb_per_s) == (Op.READ, 12000.0, 49.152)
    assert figures(row) == (0.61375, 0.6, 0.9, 1.5)
    assert (row.latency_kind, row.percentile_kind) == (LatencyKind.TOTAL, LatencyKind.COMPLETION)
    assert (row.block_bytes, row.queue_depth, row.threads, row.read_percent) == (4096, 8, 1, 100.0)
    assert (row.tool, row.tool_version, row.test, row.job, row.pattern) == ("fio", "3.19", "fio", "vdi", "random")
    assert (row.line, row.place, row.started, row.error) == (5, "", None, None)
    # The text omits empty buckets, which limit the adjacent ones.
    shares = [(0.1, 0.0), (0.25, 75.0), (0.5, 20.0), (0.75, 0.0), (1.0, 0.0), (2.0, 5.0)]
    assert row.histogram == tuple(shares)


def test_that_a_report_of_an_old_fio_is_read_with_its_wording_and_units(tmp_path: Path) -> None:
    read, write, total = rows(tmp_path, OLD)
    assert (read.iops, read.mb_per_s) == (2929.5, 5859 * 8192 / 2e6)
    assert figures(read) == (2.5, 2.0, 5.0, 9.0)
    assert (write.iops, write.mb_per_s, write.latency_mean_ms) == (3000.0, 24.576, 0.0005)
    assert (total.op, total.iops, total.read_percent) == (Op.TOTAL, 5929.5, pytest.approx(100 * 5859 / 11859))
    assert (read.tool_version, read.block_bytes, read.queue_depth) == ("2.2.10", 8192, 4)


FIRST = """vdi: (g=0): rw=randwrite, bs=8K-8K/8K-8K, ioengine=libaio, iodepth=4
fio 1.59
Starting 1 process
Jobs: 1 (f=1): [w] [62.3% done] [0K/52649K /s] [0 /12.9K iops] [eta 02m:26s]
vdi: (groupid=0, jobs=1): err= 0: pid=15066
  write: io=46875KB, bw=23437KB/s, iops=2929 , runt=  2000msec
\tclat (usec): min=64 , max=13.2K, avg=500.25, stdev=249.89
    bw (KB/s) : min=30112, max=32136, per=100.01%, avg=30959.39, stdev=526.70
     issued r/w/d: total=0/5859/0, short=0/0/0
     lat (usec): 500=23.00%, 750=77.00%
"""


def test_that_a_report_of_fio_1_without_percentiles_and_time_is_read(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, FIRST)
    assert (row.op, row.iops, row.mb_per_s, row.tool_version) == (Op.WRITE, 2929.5, 5859 * 8192 / 2e6, "1.59")
    assert figures(row) == (0.50025, None, None, None)
    assert (row.block_bytes, row.queue_depth, row.pattern) == (8192, 4, "random")
    assert row.histogram == ((0.25, 0.0), (0.5, 23.0), (0.75, 77.0))


def test_that_the_exact_throughput_is_used_if_fio_loses_a_carry(tmp_path: Path) -> None:
    # fio prints 46.9 MiB/s as 46.0 if the remainder rounds up to a whole number.
    (row,) = rows(tmp_path, started() + job(direction(rate="BW=46.0MiB/s (49.0MB/s)(93.0MiB/2000msec)")))
    assert row.mb_per_s == 49.152


@pytest.mark.parametrize(
    ("setup_line", "rate", "expected"),
    [
        (setup(bs="4096B").replace("4096B-4096B", "4096B-64.0KiB"), "BW=46.9MiB/s (49.2MB/s)(9MiB/2000msec)", 49.2),
        (setup(bs="48.8KiB"), "BW=572MiB/s (600MB/s)(9MiB/2000msec)", 600.0),
        ("", "BW=393Mbit/s (375Mibit/s)(98MB/2000msec)", 393 / 8),
        # a job with verification reads sizes other than those of its set-up
        (setup(), "BW=98.3MiB/s (103MB/s)(9MiB/2000msec)", 103.0),
    ],
)
def test_that_the_printed_throughput_is_used_if_the_block_size_does_not_match(
    tmp_path: Path, setup_line: str, rate: str, expected: float
) -> None:
    reading = read_text(tmp_path, f"{setup_line}fio-3.19\n" + job(direction(rate=rate)))
    assert reading.benchmarks[0].mb_per_s == expected
    (problem,) = reading.problems
    assert (problem.code, "MB/s" in problem.message) == ("rounded-figures", True)


@pytest.mark.parametrize(("unit", "scale"), [("nsec", 1e-6), ("usec", 1e-3), ("msec", 1.0)])
def test_that_each_latency_line_has_a_separate_unit(tmp_path: Path, unit: str, scale: float) -> None:
    (row,) = rows(tmp_path, started() + job(direction(unit=unit)))
    assert figures(row) == pytest.approx((613.75 * scale, 600 * scale, 900 * scale, 1500 * scale))


@pytest.mark.parametrize("wrong", ["avg=--, stdev", "mean=613.75, stdev"])
def test_that_a_mean_that_is_not_a_number_gives_no_count_and_is_not_replaced_by_another_kind(
    tmp_path: Path, wrong: str
) -> None:
    damaged = direction().replace("avg=613.75, stdev", wrong).replace("clat percentiles", "lat percentiles")
    text = started() + job(damaged) + summed()
    (report,) = find_reports(text)
    assert "N" not in report.document.content["jobs"][0]["read"]["lat_ns"]
    (row,) = rows(tmp_path, text)
    assert (row.latency_kind, row.latency_mean_ms) == (LatencyKind.TOTAL, None)


def test_that_percentiles_of_the_total_belong_to_its_mean_and_those_of_priorities_and_flushes_to_none(
    tmp_path: Path,
) -> None:
    total = direction().replace("clat percentiles", "lat percentiles")
    apart = """    clat prio 1/0/0 (25.00% of IOs) percentiles (msec):
     | 50.00th=[   77], 95.00th=[   77]
  fsync/fdatasync/sync_file_range:
    sync (msec): min=7, max=7, avg=70.00, stdev= 0.00
    sync percentiles (msec):
     | 50.00th=[   99], 99.00th=[   99]
"""
    (row,) = rows(tmp_path, started() + job(total + apart))
    assert (row.latency_kind, *figures(row)) == (LatencyKind.TOTAL, 0.61375, 0.6, 0.9, 1.5)


def test_that_the_summary_of_a_group_is_not_a_row_and_its_clones_are_rows(tmp_path: Path) -> None:
    reading = read_text(tmp_path, started() + job(pid=1) + job(pid=2) + summed())
    assert [(row.iops, row.run, row.threads) for row in reading.benchmarks] == [(12000.0, 1, 1), (12000.0, 1, 1)]
    (merged,) = rows(tmp_path, started() + job(jobs=4) + summed())
    assert (merged.threads, merged.block_bytes) == (4, 4096)


def test_that_a_row_of_merged_jobs_has_only_their_common_settings(tmp_path: Path) -> None:
    unlike = started("3.19", setup("vdi"), setup("log", bs="64.0KiB"))
    (row,) = rows(tmp_path, unlike + job(jobs=2) + summed())
    assert (row.block_bytes, row.queue_depth, row.mb_per_s) == (None, 8, 49.2)


def test_that_the_last_of_several_interim_reports_is_used(tmp_path: Path) -> None:
    interim = job(ios=(9000, 0, 0)) + summed()
    reading = read_text(tmp_path, started() + interim + interim + job() + summed())
    assert [row.iops for row in reading.benchmarks] == [12000.0]
    assert codes(reading) == ["interim-reports", "rounded-figures"]
    assert "The file contains 2 interim reports (--status-interval)." in reading.problems[0].message


def test_that_several_calls_in_one_file_are_separate_runs(tmp_path: Path) -> None:
    with_setup = REPORT + REPORT.replace("24000", "26000")
    without = job(pid=1) + summed() + job(pid=2, ios=(26000, 0, 0)) + summed()
    for text in (with_setup, without):
        assert [(row.iops, row.run) for row in rows(tmp_path, text)] == [(12000.0, 1), (13000.0, 2)]


def test_that_clients_are_distinguished_and_their_sum_is_skipped(tmp_path: Path) -> None:
    text = (
        "hostname=node1, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.33, flags=1\n<node1> "
        + setup()
        + "<node1> Starting 1 process\n<node1> \n"
        + job(pid=1)
        + summed()
        + "<node2> \n"
        + job(pid=1)
        + summed()
        + job(name="All clients", jobs=2, pid=0, ios=(48000, 0, 0))
    )
    reading = read_text(tmp_path, text)
    assert [(row.host, row.iops, row.run) for row in reading.benchmarks] == [
        ("node1", 12000.0, 1),
        ("node2", 12000.0, 1),
    ]
    assert "all-clients" in codes(reading)
    assert reading.benchmarks[0].tool_version == "3.33"


def test_that_an_eta_line_before_the_report_is_ignored(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, started() + "Jobs: 1 (f=1): [r(1)][50.0%][r=46MiB/s][eta 00m:01s]\r" + job())
    assert row.iops == 12000.0


def test_that_json_replaces_the_text_of_the_same_run_and_other_runs_are_read(tmp_path: Path) -> None:
    content = result(json_job("vdi", read=json_direction(24000, runtime=2000, iops=12000.0), write=idle()))
    both = started() + text_of(content) + job() + summed()
    reading = read_text(tmp_path, both)
    assert [(row.place, row.latency_mean_ms) for row in reading.benchmarks] == [("jobs[0].read", 2.0)]
    assert codes(reading) == []
    (json_row, other) = rows(tmp_path, both.replace("24000,0", "26000,0"))
    assert (json_row.place, other.place, other.iops, other.run) == ("jobs[0].read", "", 13000.0, 2)


def test_that_a_failed_job_is_a_row_with_the_error_of_fio(tmp_path: Path) -> None:
    error = "28 (file:io_u.c:1876, func=io_u error, error=No space left on device)"
    (row,) = rows(tmp_path, started() + job(error=error))
    assert (row.iops, row.error) == (12000.0, "fio error 28: “No space left on device”")
    nothing = started() + job(error=error).replace(direction(), "")
    (row,) = rows(tmp_path, nothing)
    assert (row.op, row.iops, row.error) == (Op.READ, None, "fio error 28: “No space left on device”")


def test_that_a_report_cut_within_a_job_is_reported(tmp_path: Path) -> None:
    reading = read_text(tmp_path, started() + job().partition("  lat (usec)")[0])
    assert [row.iops for row in reading.benchmarks] == [12000.0]
    assert codes(reading)[0] == "truncated"


DATA = Path(__file__).parents[4] / "shared" / "data" / "benchmarks"


REAL = ["2.16", "2.21", "2.99", "3.1", "3.36"]


def json_and_text(version: str) -> str:
    """The output of fio for a run with reads and writes and --output-format=json,normal; "ours" is generated here."""
    if version != "ours":
        return (DATA / "fio-generated" / f"fio-{version}_json_and_normal.txt").read_text()
    spread = {"min": 102, "max": 9_102_000, "mean": 613_750.0, "stddev": 80_000.0, "N": 24000}
    percentile = {"50.000000": 600_000, "95.000000": 900_000, "99.000000": 1_500_000}
    amount = {"runtime": 2000, "iops": 12000.0, "bw_bytes": 49_152_000, "bw": 48_000, "lat_ns": spread}
    side = json_direction(24000, **amount, clat_ns={**spread, "mean": 612_250.0, "percentile": percentile})
    micro = dict.fromkeys(("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"), 0.0)
    milli = dict.fromkeys(("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"), 0.0)
    buckets = {"latency_us": micro | {"250": 75.0, "500": 20.0}, "latency_ms": milli | {"2": 5.0}}
    options = {"name": "vdi", "rw": "randrw", "bs": "4k", "iodepth": "8"}
    document = result(json_job("vdi", read=side, write=side, **buckets, **{"job options": options}))
    head = setup(rw="randrw") + "fio-3.19\nStarting 1 process\n"
    return (
        head + text_of(document) + "\n" + job(direction("read"), direction("write"), ios=(24000, 24000, 0)) + summed()
    )


@pytest.mark.parametrize("version", ["ours", *(REAL if DATA.is_dir() else [])])
def test_that_the_text_of_a_run_gives_the_json_figures_to_the_printed_precision(tmp_path: Path, version: str) -> None:
    text = json_and_text(version)
    begins, ends = text.index("\n{\n"), text.index("\n}\n")
    exact = rows(tmp_path, text[begins:ends] + "\n}\n")
    printed = rows(tmp_path, text[:begins] + text[ends + 3 :])
    assert len(exact) == len(printed) == 3
    for one, other in zip(exact, printed, strict=True):
        assert (one.op, one.job, one.tool_version) == (other.op, other.job, other.tool_version)
        assert other.iops == pytest.approx(one.iops, rel=1e-6)
        assert other.mb_per_s == pytest.approx(one.mb_per_s, rel=1e-3 if version[0] == "2" else 1e-6)
        # two decimals of microseconds in 2.x, of nanoseconds here in 3.x; percentiles to a whole microsecond
        assert other.latency_mean_ms == pytest.approx(one.latency_mean_ms, abs=6e-6)
        for early, late in zip(figures(one)[1:], figures(other)[1:], strict=True):
            assert late == (None if early is None else pytest.approx(early, abs=1e-3))
    assert [share for _, share in printed[2].histogram] == pytest.approx(
        [share for _, share in exact[2].histogram], abs=0.006
    )


CLOCK_WRONG = """vdi: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4
fio-2.1.11
Starting 1 process

vdi: (groupid=0, jobs=1): err= 0: pid=12: Tue May 10 09:02:00 2016
  read : io=46875KB, bw=23437KB/s, iops=5859, runt=  2000msec
     lat (msec): min=812334K, max=812336K, avg=812335771.25, stdev=900.10
     issued    : total=r=11718/w=0/d=0, short=r=0/w=0/d=0
second: (groupid=1, jobs=1): err= 0: pid=13: Tue May 10 09:02:02 2016
  read : io=46875KB, bw=23437KB/s, iops=5859, runt=  2000msec
     lat (msec): min=1, max=90, avg= 2.50, stdev=0.10
     issued    : total=r=11718/w=0/d=0, short=r=0/w=0/d=0
"""


def test_that_a_latency_longer_than_its_run_is_left_empty(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    reading = read_text(tmp_path, CLOCK_WRONG, "fio.log")
    wrong, right = reading.benchmarks
    assert (wrong.iops, wrong.latency_mean_ms, wrong.latency_kind, wrong.histogram) == (5859.0, None, None, ())
    assert right.latency_mean_ms == 2.5
    (problem,) = [problem for problem in reading.problems if problem.code == "latency-beyond-run"]
    assert problem.message == snapshot


def test_that_slow_ios_of_a_short_run_keep_their_latency(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, CLOCK_WRONG.partition("second:")[0].replace("avg=812335771.25", "avg=64000.00"))
    assert row.latency_mean_ms == 64000.0


def test_that_reads_and_writes_counted_together_have_the_ios_that_are_listed_as_reads(tmp_path: Path) -> None:
    text = started("3.19", setup(rw="randrw")) + job(direction("mixed"), ios=(23_999, 0, 0)) + summed()
    (row,) = rows(tmp_path, text)
    assert (row.op, row.iops) == (Op.MIXED, 23_999 / 2)
