"""fio's terse output, versions 3 to 5: one line per job."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.fio.texts import job, started, summed, terse
from tests.readers.fio_results import read_text
from workbench.model.benchmark import Op
from workbench.readers.fio.reader import READER


@pytest.mark.parametrize("version", [3, 4, 5])
def test_that_each_version_gives_the_figures_of_its_directions(tmp_path: Path, version: int) -> None:
    assert READER.identify(terse(version).encode(), "fio.csv") == 0.9
    read, write, total = read_text(tmp_path, terse(version)).benchmarks
    assert (read.op, read.iops, read.mb_per_s) == (Op.READ, 12000.0, 49.152)
    latencies = (read.latency_mean_ms, read.latency_p50_ms, read.latency_p95_ms, read.latency_p99_ms)
    assert latencies == pytest.approx((0.61375, 0.6, 0.9, 1.5))
    assert (write.op, write.latency_mean_ms) == (Op.WRITE, pytest.approx(0.61475))
    assert (total.iops, total.read_percent, total.latency_mean_ms) == (24000.0, 50.0, pytest.approx(0.61425))
    assert [share for _, share in total.histogram if share] == [75.0, 20.0, 5.0]
    assert (read.job, read.tool_version, read.line, read.block_bytes, read.error) == ("vdi", "3.19", 1, None, None)


def test_that_a_single_block_is_mixed_and_a_third_block_is_the_total(tmp_path: Path) -> None:
    (mixed,) = read_text(tmp_path, terse(3, directions=1)).benchmarks
    assert (mixed.op, mixed.iops) == (Op.MIXED, 12000.0)
    read, write, total = read_text(tmp_path, terse(3, directions=3)).benchmarks
    assert (read.op, write.op, total.op, total.latency_p99_ms) == (Op.READ, Op.WRITE, Op.TOTAL, 1.5)


def test_that_a_line_with_cells_of_another_version_is_skipped_with_its_number(tmp_path: Path) -> None:
    broken = terse().replace(";48000;12000;", ";48000;", 1)
    reading = read_text(tmp_path, terse() + broken)
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (3, 1)
    assert [(problem.code, problem.line) for problem in reading.problems] == [("row-width", 2), ("cut-figures", 1)]
    reading = read_text(tmp_path, broken)
    assert [problem.code for problem in reading.problems] == ["row-width"]
    assert not reading.benchmarks


def test_that_separate_lines_of_one_job_are_not_added_or_averaged(tmp_path: Path) -> None:
    reading = read_text(tmp_path, terse() + terse() + terse(name="other"))
    assert [row.run for row in reading.benchmarks if row.op is Op.READ] == [None, None, 1]
    assert "runs-not-known" in [problem.code for problem in reading.problems]


def test_that_the_text_report_of_the_same_run_takes_precedence_over_its_line(tmp_path: Path) -> None:
    line = terse(3, directions=1).replace(";96000;", ";96000;", 1)
    report = started() + job() + summed()
    reading = read_text(tmp_path, line + report.replace("  read: IOPS", "  mixed: IOPS"))
    assert [(row.op, row.line) for row in reading.benchmarks] == [(Op.MIXED, 6)]


def test_that_an_error_number_is_the_error_of_the_row(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    read, *_ = read_text(tmp_path, terse(error=28)).benchmarks
    assert read.error is not None
    assert read.error == snapshot


DATA = Path(__file__).parents[4] / "shared" / "data" / "benchmarks"


@pytest.mark.parametrize("real", [False, *([True] if DATA.is_dir() else [])])
def test_that_the_figures_of_a_line_agree_with_its_cells(tmp_path: Path, real: bool) -> None:
    (tmp_path / "ours_terse.csv").write_text(terse())
    for file in DATA.glob("fio-generated/*_terse.csv") if real else [tmp_path / "ours_terse.csv"]:
        cells = file.read_text().split(";")
        read, write, _ = read_text(tmp_path, file.read_text()).benchmarks
        for row, at in ((read, 5), (write, 46)):
            assert (row.iops, row.mb_per_s) == (float(cells[at + 2]), int(cells[at + 1]) * 1024 / 1e6)
            assert row.latency_mean_ms == pytest.approx(float(cells[at + 34]) / 1000)
            p99 = next(cell for cell in cells[at:] if cell.startswith("99.000000%="))
            assert row.latency_p99_ms == float(p99.partition("=")[2]) / 1000, file.name


def spoilt(place: int, *cells: str) -> str:
    """A line with one cell (counted from the end) replaced by these cells."""
    line = terse().strip().split(";")
    return ";".join([*line[:place], *cells, *line[place + 1 :]]) + "\n"


@pytest.mark.parametrize(
    "line",
    [
        spoilt(-32, "7", "0.00%"),
        spoilt(-38, "7", "100.0%"),
        spoilt(-9, "7", "sda"),
        spoilt(-5, "7", "0"),
        spoilt(2, '"vdi'),
        terse()[:-180] + "\n",
        terse().replace("12000", "1,200"),
    ],
)
def test_that_a_line_with_an_extra_cell_or_a_quote_or_a_thousands_mark_is_named(tmp_path: Path, line: str) -> None:
    reading = read_text(tmp_path, terse() + line)
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (3, 1)
    assert next((problem.code, problem.line) for problem in reading.problems) == ("row-width", 2)


def test_that_disks_error_counts_and_a_description_may_follow_the_buckets(tmp_path: Path) -> None:
    line = terse().strip()
    disk = ";".join(line.split(";")[-9:])
    for tail in (f";{disk}", ";3;5", ";my disk; the second", f";{disk};0;0;a note", ""):
        assert read_text(tmp_path, f"{line}{tail}\n").report.rejected_rows == 0
    assert read_text(tmp_path, line.removesuffix(f";{disk}") + "\n").report.rejected_rows == 0
