"""A stored file that is cut while it is in use: at most its figures are lost, and the program never ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

ROOT = Path(__file__).parents[2]
ROWS = 2_000
# The system ends a process that reads the missing part of a mapped file, so this is a separate process.
HEAD = """
import os, sys
from pathlib import Path
import numpy as np
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store
import workbench.study.store.columns as store
from workbench.study.store.columns import ColumnsError, read_table
root, source = map(Path, sys.argv[1:3])
recording = read_source(source, source.name, Store(root)).recording
columns = [series.column for series in recording.series]
file = Path(recording.store_file)
data = file.read_bytes()
before = read_table(recording, columns)
"""
IN_HANDS = """
os.truncate(file, 1000)
print(sum(float(np.nansum(values)) for values in before[1].values()))
"""
BETWEEN = """
fill = store._File.fill
def cut_short(self, numbers, column):
    if len(numbers) > 1000:
        os.truncate(file, int(sys.argv[3]))
    fill(self, numbers, column)
store._File.fill = cut_short
try:
    read_table(recording, columns)
except ColumnsError as error:
    print(error)
"""
MEANWHILE = """
import threading, time
def cut(stop):
    while not stop.is_set():
        os.truncate(file, 100)
        with file.open("r+b") as stream:
            stream.write(data)
        time.sleep(0.0005)
store.drop_columns = lambda _: None
stop = threading.Event()
threading.Thread(target=cut, args=(stop,), daemon=True).start()
whole = damaged = 0
end = time.monotonic() + 60.0
while min(whole, damaged) < 5 and time.monotonic() < end:
    try:
        times, table = read_table(recording, columns)
    except ColumnsError:
        damaged += 1
        continue
    whole += 1
    np.testing.assert_array_equal(times, before[0])
    np.testing.assert_array_equal(list(table.values()), list(before[1].values()))
stop.set()
print(min(whole, damaged))
"""


@pytest.fixture(params=[5, 100], ids=["few", "many"])
def source(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    names = [rf"\\A\Process(p{number})\IO Read Operations/sec" for number in range(request.param)]
    samples = [float(row % 7) for row in range(ROWS)]
    return perfmon_csv(tmp_path / "A.csv", dict.fromkeys(names, samples))


def answer(program: str, tmp_path: Path, source: Path, *given: object) -> str:
    command = [sys.executable, "-c", HEAD + program, str(tmp_path / "store"), str(source), *map(str, given)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_that_loaded_samples_remain_valid_without_their_file(tmp_path: Path, source: Path) -> None:
    counters = source.read_text().splitlines()[0].count(",")
    assert float(answer(IN_HANDS, tmp_path, source)) == counters * sum(row % 7 for row in range(ROWS))


@pytest.mark.parametrize("left", [0, 5_000])
def test_that_a_file_cut_between_opening_and_reading_is_named(
    tmp_path: Path, source: Path, left: int, snapshot: SnapshotAssertion
) -> None:
    sentence = answer(BETWEEN, tmp_path, source, left)
    assert sentence == snapshot
    assert read_source(source, "A.csv", Store(tmp_path / "store")).recording is not None


def test_that_a_file_repeatedly_cut_and_restored_never_gives_wrong_numbers(tmp_path: Path, source: Path) -> None:
    assert answer(MEANWHILE, tmp_path, source) == "5"
