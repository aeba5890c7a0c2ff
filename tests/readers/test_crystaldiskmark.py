"""CrystalDiskMark's text: each test that was run is a row, in each layout of its versions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.readers import made_benchmarks
from tests.readers.benchmark_files import BENCHMARKS, asked, codes, figures, read_with, refusal
from workbench.model.benchmark import Op
from workbench.readers.crystaldiskmark import READER
from workbench.readers.registry import recognise

LINE = "-" * 78
NEW = f"""{LINE}
CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo
                                  Crystal Dew World: https://crystalmark.info/
{LINE}
* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
* KB = 1000 bytes, KiB = 1024 bytes

[Read]
  SEQ    1MiB (Q=  8, T= 1):   500.000 MB/s [    476.8 IOPS] < 16700.50 us>
  RND    4KiB (Q= 32, T=16):   250.000 MB/s [  61035.2 IOPS] <   520.25 us>

[Write]
  SEQ    1MiB (Q=  8, T= 1):     0.000 MB/s [      0.0 IOPS] <     0.00 us>
  RND    4KiB (Q=  1, T= 1):   100.000 MB/s [  24414.1 IOPS] <    40.75 us>

Profile: Default
   Test: 1 GiB (x5) [E: 96% (894/932GiB)]
   Mode: [Admin]
   Time: Measure 5 sec / Interval 5 sec
   Date: 2016/05/10 9:00:00
     OS: Windows 10  [10.0 Build 19042] (x64)
Comment: the master disk"""
SIX = """CrystalDiskMark 6.0.2 x64 (C) 2007-2018 hiyohiyo
   Sequential Read (Q= 32,T= 1) :   470.000 MB/s
 Random Write 4KiB (Q=  8,T= 8) :   320.000 MB/s [  78125.0 IOPS]
         Sequential Read (T= 1) :   400.000 MB/s

  Test : 1024 MiB [C: 26.4% (122.8/465.2 GiB)] (x5)  [Interval=5 sec]
"""
THREE = """CrystalDiskMark 3.0.2 x64 (C) 2007-2013 hiyohiyo
           Sequential Read :    46.000 MB/s
        Random Write 512KB :    23.500 MB/s
   Random Read 4KB (QD=32) :     0.819 MB/s [   200.0 IOPS]

  Test : 1000 MB [G: 99.0% (178.2/180.1 GB)] (x5)
"""


def test_that_a_result_of_version_8_gives_a_row_for_each_test_that_was_run(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, NEW, "disk.txt")
    assert [(row.op, row.job) for row in reading.benchmarks] == [
        (Op.READ, "SEQ 1MiB Q8T1, 1 GiB x5"),
        (Op.READ, "RND 4KiB Q32T16, 1 GiB x5"),
        (Op.WRITE, "RND 4KiB Q1T1, 1 GiB x5"),
    ]
    first, second, third = reading.benchmarks
    assert figures(first) == (476.8, 500.0, 16.7005, None, None, None)
    assert asked(first) == (1048576, 8, 1, 100.0, "sequential")
    assert asked(second) == (4096, 32, 16, 100.0, "random")
    assert figures(third) == (24414.1, 100.0, 0.04075, None, None, None)
    assert (third.tool, third.tool_version, third.test, third.line) == ("CrystalDiskMark", "8.0.4", "disk", 14)
    assert codes(reading) == ["not-run"]


def test_that_older_versions_give_only_the_figures_they_contain(tmp_path: Path) -> None:
    sequential, random, plain = read_with(READER, tmp_path, SIX).benchmarks
    assert (sequential.job, asked(sequential)) == ("SEQ Q32T1, 1024 MiB x5", (None, 32, 1, 100.0, "sequential"))
    assert figures(sequential) == (None, 470.0, None, None, None, None)
    assert (figures(random), asked(random)) == ((78125.0, 320.0, *[None] * 4), (4096, 8, 8, 0.0, "random"))
    assert asked(plain) == (None, None, 1, 100.0, "sequential")
    sequential, large, small = read_with(READER, tmp_path, THREE).benchmarks
    assert (sequential.job, asked(sequential)) == ("SEQ, 1000 MB x5", (None, None, None, 100.0, "sequential"))
    assert (figures(large), asked(large)) == ((None, 23.5, *[None] * 4), (524288, None, None, 0.0, "random"))
    assert (figures(small), asked(small)) == ((200.0, 0.819, *[None] * 4), (4096, 32, None, 100.0, "random"))


def test_that_several_results_in_one_file_are_separate_runs(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, f"{NEW}\n\n{NEW}\n".encode("utf-16"))
    assert [row.run for row in reading.benchmarks] == [1, 1, 1, 2, 2, 2]
    assert recognise(NEW.encode("utf-16"), "x.txt") is READER


def test_that_mixed_lines_are_rows_with_their_share_of_reads(tmp_path: Path) -> None:
    mixed = (
        NEW + "\n[Mix] Read 70%/Write 30%\n  SEQ    1MiB (Q=  8, T= 1):   500.000 MB/s [    476.8 IOPS] < 1.50 us>\n"
    )
    reading = read_with(READER, tmp_path, mixed)
    assert len(reading.benchmarks) == 4
    row = reading.benchmarks[-1]
    assert (row.op, row.read_percent, row.iops, row.mb_per_s) == (Op.MIXED, 70.0, 476.8, 500.0)
    assert row.latency_mean_ms == pytest.approx(0.0015)
    assert (row.block_bytes, row.queue_depth, row.pattern) == (1 << 20, 8, "sequential")


def test_that_lines_without_figures_are_skipped_and_named(tmp_path: Path) -> None:
    broken = read_with(READER, tmp_path, NEW.replace("250.000 MB/s", "2S0.000 MB/s"))
    assert (len(broken.benchmarks), broken.report.rejected_rows) == (2, 1)
    assert ("row-width", 10) in [(problem.code, problem.line) for problem in broken.problems]
    nothing = re.sub(r"\d+\.\d{3} MB/s", "0.000 MB/s", NEW)
    assert refusal(read_with(READER, tmp_path, nothing))[0] == "no-results"


@pytest.mark.parametrize("real", [False, *([True] if BENCHMARKS.is_dir() else [])])
def test_that_every_file_of_eight_tests_agrees_with_its_lines(tmp_path: Path, real: bool) -> None:
    folder = BENCHMARKS if real else made_benchmarks.write(tmp_path)
    files = list(folder.glob("crystaldiskmark/*.txt"))
    assert len(files) == 3
    for file in files:
        text = file.read_bytes().decode("utf-8-sig")
        plain = re.findall(
            r"(\d+)[KM]iB \(Q= *(\d+), T= *(\d+)\): *([\d.]+) MB/s \[ *([\d.]+) IOPS\] < *([\d.]+) us", text
        )
        reading = READER.read(file, file.name, tmp_path / "columns")
        assert len(plain) == 8
        rows = [(row.queue_depth, row.threads, row.mb_per_s, row.iops) for row in reading.benchmarks]
        assert rows == [(int(q), int(t), float(mb), float(iops)) for _, q, t, mb, iops, _ in plain]
        for row, cells in zip(reading.benchmarks, plain, strict=True):
            assert row.latency_mean_ms == pytest.approx(float(cells[5]) / 1000)
            # MB of 10^6 bytes: IOPS times the block is the throughput, to the printed digits.
            assert row.iops is not None
            assert row.block_bytes is not None
            assert row.mb_per_s == pytest.approx(row.iops * row.block_bytes / 1e6, rel=2e-4)
        assert [row.op for row in reading.benchmarks] == [Op.READ] * 4 + [Op.WRITE] * 4


@pytest.mark.parametrize(
    ("text", "old", "new", "line"),
    [(SIX, "(Q= 32,T= 1)", "(Q= 1)", 2), (SIX, "4KiB (Q=", "(Q=", 3), (THREE, "512KB :", ":", 3)],
)
def test_that_a_test_with_incomplete_text_is_skipped_with_its_line(
    tmp_path: Path, text: str, old: str, new: str, line: int
) -> None:
    reading = read_with(READER, tmp_path, text.replace(old, new))
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (2, 1)
    assert [(problem.code, problem.line) for problem in reading.problems] == [("row-width", line)]


def test_that_a_test_without_its_number_of_passes_is_reported(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, THREE.replace("(x5)", ""))
    assert [(problem.code, problem.line) for problem in reading.problems] == [("row-damaged", 6)]
