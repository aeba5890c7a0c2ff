"""A million columns, the most that are read, and a million rows without a line end, in a process limited to 1 GB."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.model.reading import Reading
from workbench.readers.perfmon.opened import MOST_COUNTERS
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

ROOT = Path(__file__).parents[3]
MANY = 1_000_000
MOST_KB = 2**20
READ = """
import resource, sys
from pathlib import Path
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store
reading = read_source(Path(sys.argv[1]), "large.csv", Store(Path(sys.argv[2])))
print(reading.report.rows, reading.report.columns, [one.code for one in reading.problems])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is asked of Linux")


def read(folder: Path, text: str) -> tuple[str, int]:
    """The output of a process on the file (rows, columns, codes of problems), and its largest size in KB."""
    file = folder / "large.csv"
    file.write_text(text, encoding="ascii")
    command = [sys.executable, "-c", READ, str(file), str(folder / "store")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    words, size = done.stdout.splitlines()
    return words, int(size)


def wide(columns: int) -> str:
    """perfmon's text log with this many counters and two rows."""
    names = ",".join(f'"\\\\A\\Process(p{number})\\IO Read Operations/sec"' for number in range(columns))
    row = ",".join(f'"{number % 1000}.5"' for number in range(columns))
    return f'"(PDH-CSV 4.0) (UTC)(0)",{names}\r\n"05/24/2016 09:00:00.000",{row}\r\n"05/24/2016 09:00:15.000",{row}\r\n'


@needs_linux
@pytest.mark.slow
def test_that_more_columns_than_the_limit_are_rejected_with_less_than_a_gigabyte(tmp_path: Path) -> None:
    words, size = read(tmp_path, wide(MOST_COUNTERS + 1))
    assert words == "0 0 ['too-many-series']"
    assert size < MOST_KB


@needs_linux
@pytest.mark.slow
def test_that_a_million_columns_are_read_with_less_than_a_gigabyte(tmp_path: Path) -> None:
    words, size = read(tmp_path, wide(MANY))
    assert words == f"2 {MANY} []"
    assert size < MOST_KB


@needs_linux
@pytest.mark.slow
def test_that_a_million_columns_with_a_cut_last_row_are_read_with_less_than_a_gigabyte(tmp_path: Path) -> None:
    words, size = read(tmp_path, wide(MANY)[:-9])
    assert words == f"1 {MANY} ['cut-off']"
    assert size < MOST_KB


@needs_linux
@pytest.mark.slow
def test_that_a_worker_sends_a_million_columns_with_less_than_a_gigabyte(tmp_path: Path) -> None:
    file = tmp_path / "large.csv"
    file.write_text(wide(MANY), encoding="ascii")
    source = ImportSource(file, "large.csv")
    job = ImportJob((source,), Store(tmp_path / "store"), workers=1)
    job.start()
    readings: list[Reading] = []
    while not job.finished:
        readings += [reading for _, reading in job.poll()]
        time.sleep(0.05)
    job.join()
    (reading,) = readings
    assert reading.recording is not None
    series = reading.recording.series
    import resource  # Windows has none

    assert [one.column for one in series] == [*range(MANY)]
    assert series[-1].path == rf"\\A\Process(p{MANY - 1})\IO Read Operations/sec"
    assert {one.vm for one in series} == {"A"}
    _, columns = read_table(reading.recording, [0, MANY // 2 + 1, MANY - 1])
    assert [values.tolist() for values in columns.values()] == [[0.5, 0.5], [1.5, 1.5], [999.5, 999.5]]
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MOST_KB


@needs_linux
@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Processor(_Total)\\% Processor Time"\r\n'
        + '"05/24/2016 09:00:00.000","12.5" ' * MANY,
        "time,event,vm,user,detail\n" + "2016-05-10T09:00:00Z,power_on,A,u,x " * MANY,
        "1000, 5, 0, 0\n" + "1000, 5, 0, 0 " * MANY,
    ],
    ids=["perfmon", "events", "fio-log"],
)
def test_that_a_million_rows_without_a_line_end_give_a_problem_with_less_than_a_gigabyte(
    tmp_path: Path, text: str
) -> None:
    words, size = read(tmp_path, text)
    assert not words.endswith("[]"), words
    assert size < MOST_KB


def test_that_ten_thousand_columns_are_all_read(tmp_path: Path) -> None:
    words, _ = read(tmp_path, wide(10_000))
    assert words.startswith("2 10000 "), words
