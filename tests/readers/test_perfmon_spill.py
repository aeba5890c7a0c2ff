"""Samples of a large file that is read line by line are stored on disk meanwhile, for any number of blocks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.readers.perfmon_files import good_rows, pdh, read, stored_frame

ROOT = Path(__file__).parents[2]
# Every row is a separate block with many counters; the process may have 64 files open.
READ = """
import resource, sys
from pathlib import Path
from workbench.readers.perfmon import fast, reader, rows
fast.WIDE_FROM, fast.FAST_LIMIT, rows._BLOCK = 1, 0, 1
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
reading = reader.read(Path(sys.argv[1]), "W10-001.csv", Path(sys.argv[2]))
print(reading.report.rows, [problem.code for problem in reading.problems])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit of open files")
def test_that_a_hundred_blocks_of_very_many_counters_need_few_open_files(tmp_path: Path) -> None:
    text = pdh(*good_rows(50), "", *good_rows(50, start=50))
    few = read(tmp_path, text)
    command = [sys.executable, "-c", READ, str(tmp_path / "W10-001.csv"), str(tmp_path / "many.arrow")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == f"100 {few.codes}\n"
    assert stored_frame(tmp_path / "many.arrow").to_dict(as_series=False) == few.columns
