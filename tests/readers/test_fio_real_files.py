"""Figures of real fio files, looked up manually and converted by hand, and of generated files like them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers import made_fio
from workbench.answers.benchmarks.compute import groups
from workbench.model.benchmark import Benchmark, Op
from workbench.model.reading import Reading
from workbench.readers.fio.reader import READER

BENCHMARKS = Path(__file__).parents[3] / "shared" / "data" / "benchmarks"
SOURCES = ["made", *(["real"] if BENCHMARKS.is_dir() else [])]
only_real = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the real result files are not here")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_fio.write(tmp_path_factory.mktemp("made"))


@pytest.fixture(params=SOURCES)
def folder(request: pytest.FixtureRequest, made: Path) -> Path:
    return BENCHMARKS if request.param == "real" else made


def read(name: str, folder: Path = BENCHMARKS) -> Reading:
    path = folder / name
    return READER.read(path, path.name, Path("unused"))


def row_of(name: str, op: Op, job: str | None = None, folder: Path = BENCHMARKS) -> Benchmark:
    (found,) = [row for row in read(name, folder).benchmarks if row.op is op and job in (None, row.job)]
    return found


# file, job, op: iops, MB/s, mean, p50, p95, p99 in ms, as the file writes them with the unit spelled out:
# the mean of the total, percentiles of the completion, of the total in that of lat_percentiles
US, NS, KIB = 1e-3, 1e-6, 1024 / 1e6
FIGURES: dict[tuple[str, str, Op], tuple[float | None, ...]] = {
    ("fio/fio-2.17_pkb_hist.json", "rand_16k_read_100%-io-depth-1-num-jobs-2", Op.READ): (
        8086.673998,
        129386 * KIB,
        245.531122 * US,
        96 * US,
        1288 * US,
        1352 * US,
    ),
    ("fio/fio-3.12_arau_reads-100-0.json", "vol0", Op.READ): (
        460.190786,
        1.884941,
        34765876.603729 * NS,
        978944 * NS,
        13828096 * NS,
        759169024 * NS,
    ),
    ("fio/fioplot_HIGHPOINT_RAID5_RW_randrw-1-1.json", "iotest", Op.READ): (
        25.246234,
        0.103408,
        15487037.515132 * NS,
        11206656 * NS,
        37486592 * NS,
        67633152 * NS,
    ),
    ("fio-generated/fio-2.1.14_randrw.json", "rr", Op.READ): (
        12114.0,
        48458 * KIB,
        74.58 * US,
        71 * US,
        90 * US,
        322 * US,
    ),
    ("fio-generated/fio-2.16_randrw.json", "rr", Op.READ): (
        638851.074463,
        2555404 * KIB,
        0.530134 * US,
        0.0,
        1 * US,
        1 * US,
    ),
    ("fio-generated/fio-2.16_unified_mixed.json", "rr", Op.MIXED): (
        1290175.412294,
        5160701 * KIB,
        0.532045 * US,
        0.0,
        1 * US,
        1 * US,
    ),
    ("fio-generated/fio-3.42_lat_percentiles.json", "rr", Op.READ): (
        8983.008496,
        36.794402,
        101899.664367 * NS,
        92672 * NS,
        132096 * NS,
        346112 * NS,
    ),
    ("fio-generated/fio-3.42_null_short.json", "n", Op.READ): (
        2048000.0,
        8388.608,
        35.723633 * NS,
        18 * NS,
        19 * NS,
        19 * NS,
    ),
    ("fio-generated/fio-3.42_gtod_reduce.json", "rr", Op.WRITE): (8874.188717, 36.348676, None, None, None, None),
    ("fio-generated/fio-3.42_error_enospc.json", "bad", Op.WRITE): (None, None, None, None, None, None),
}


CASES = [(True, *case) for case in made_fio.FIGURES.items()]
CASES += [(False, *case) for case in FIGURES.items()] if BENCHMARKS.is_dir() else []


@pytest.mark.parametrize(("ours", "where", "expected"), CASES, ids=lambda value: str(value))
def test_that_the_figures_are_the_ones_in_the_file(
    ours: bool, where: tuple[str, str, Op], expected: tuple[float | None, ...], made: Path
) -> None:
    row = row_of(where[0], where[2], where[1], made if ours else BENCHMARKS)
    figures = (row.iops, row.mb_per_s, row.latency_mean_ms, row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms)
    for figure, value in zip(figures, expected, strict=True):
        assert figure is None if value is None else figure == pytest.approx(value, rel=1e-9)


def test_that_test_settings_come_from_the_options(folder: Path) -> None:
    clones = row_of("fio/fio-3.28_nshe_cache-log_randrw.json", Op.READ, folder=folder)
    assert (clones.block_bytes, clones.queue_depth, clones.threads, clones.read_percent) == (262144, 1, 12, 60.0)


@only_real
def test_that_options_of_real_files_and_their_global_part_are_read() -> None:
    floppy = row_of("fio/fioplot_FLOPPY_randwrite-8-1.json", Op.WRITE)
    assert (floppy.block_bytes, floppy.queue_depth, floppy.threads, floppy.pattern) == (4096, 8, 1, "random")
    from_global = row_of("fiotext/arau_out-rand-50rw32k.fio-0.txt", Op.READ)
    assert (from_global.block_bytes, from_global.queue_depth, from_global.read_percent) == (32768, 16, 50.0)


@only_real
def test_that_the_start_agrees_with_the_clock_in_the_file() -> None:
    # job_start 1795226121341 ms; the document was printed at 1795226123487 ms
    assert row_of("fio-generated/fio-3.42_gtod_reduce.json", Op.READ).started == "2026-11-21T01:55:21Z"
    # a day's run, printed at 1621417827 s after 86409 s
    assert read("fio/fio-3.19_pbench_perf-fio.json").benchmarks[0].started == "2021-05-18T09:50:18Z"


def test_that_interim_reports_give_the_last_ones_figures(folder: Path) -> None:
    """The real file has two hundred interim reports."""
    reading = read("fio/fio-3.16_fiometer_randrw65.json", folder)
    last = [("read", 71796.476018), ("write", 38677.886611)] if folder == BENCHMARKS else [("read", 170.0)]
    assert [(row.op.value, row.iops) for row in reading.benchmarks[: len(last)]] == last
    assert [problem.code for problem in reading.problems] == ["interim-reports"]


def test_that_clients_sum_to_the_aggregate_of_fio(folder: Path) -> None:
    path = folder / "fio-generated/fio-3.42_client2.json"
    aggregate = json.loads(path.read_text())["client_stats"][-1]
    assert aggregate["jobname"] == "All clients"
    reads = [row for row in read("fio-generated/fio-3.42_client2.json", folder).benchmarks if row.op is Op.READ]
    assert sum(row.iops or 0 for row in reads) == pytest.approx(aggregate["read"]["iops"], rel=1e-3)


def _documents(path: Path) -> list[dict[str, Any]]:
    text, found, at = path.read_text(), [], 0
    while (at := text.find("{\n", at)) >= 0:
        content, at = json.JSONDecoder().raw_decode(text, at)
        found.append(content)
    return found


def test_that_every_real_file_is_read_completely_and_agrees_with_a_plain_reading_of_its_last_document(
    folder: Path,
) -> None:
    paths = [path for path in sorted(folder.glob("fio*/*")) if '"fio version"' in path.read_text()]
    assert len(paths) >= (80 if folder == BENCHMARKS else len(made_fio.contents()))
    for path in paths:
        reading = read(f"{path.parent.name}/{path.name}", folder)
        assert reading.report.rejected_rows == 0, path.name
        last = _documents(path)[-1]
        jobs = [job for job in last.get("jobs", last.get("client_stats")) if job["jobname"] != "All clients"]
        plain = [
            (section["iops"], section.get("bw_bytes", section["bw"] * 1024) / 1e6)
            for job in jobs
            for op in ("read", "write", "trim", "mixed")
            if (section := job.get(op)) and section["total_ios"] and section["runtime"]
        ]
        rows = [row for row in reading.benchmarks if row.op is not Op.TOTAL and row.iops is not None]
        assert [(row.iops, row.mb_per_s) for row in rows] == [pytest.approx(pair) for pair in plain], path.name


@only_real
def test_that_no_other_result_file_is_recognised_as_fio_json() -> None:
    others = [path for path in BENCHMARKS.rglob("*") if path.is_file() and "fio" not in path.parent.name]
    # A report in fio's normal text is recognised as fio, with any file extension.
    logs = [path for path in BENCHMARKS.glob("fio*/*.log") if path.parent.name != "fiotext"]
    assert len(others) > 20
    assert len(logs) > 20
    for path in [*others, *logs]:
        assert READER.identify(path.read_bytes()[:65536], path.name) == 0.0, path.name


@only_real
def test_that_buffered_io_that_waits_in_its_submission_is_reported_with_both_latencies(
    snapshot: SnapshotAssertion,
) -> None:
    reading = read("fio/fio-3.28_nshe_cache-log_randread.json")
    (problem,) = [one for one in reading.problems if one.code == "submission"]
    assert problem.message == snapshot


@pytest.mark.parametrize("version", ["3.36", "3.42"])
def test_that_the_jobs_of_a_real_result_with_a_stonewall_are_two_tests(version: str, folder: Path) -> None:
    reading = read(f"fio-generated/fio-{version}_two_jobs_stonewall.json", folder)
    assert {(row.job, row.run) for row in reading.benchmarks} == {("rr", 1), ("second", 1)}
    assert {group.measured(Op.READ, "iops").n for group in groups(reading.benchmarks)} == {1}


@only_real
def test_that_the_eight_clones_of_a_real_result_of_an_old_fio_are_added() -> None:
    (group,) = groups(read("fio/fio-3.19_pbench_perf-fio.json").benchmarks)
    assert group.clones == 8
