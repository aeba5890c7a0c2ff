"""The import of files that are too large to be held in memory: time, anonymous memory, and reopening.

Runs only by name (`uv run python -m tests.tools benchmarks large`), because it writes files of up to 2 GB. Memory is
`RssAnon`
of every child process, sampled while the import runs, which only Linux reports.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from tests.tools.benchmarks import bench_gap
from tests.tools.benchmarks.bench_reading import write_esxtop, write_perfmon
from tests.tools.benchmarks.compared import against
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource
from workbench.study.store.column_store import Store

SIZES_MB = (540.0, 2_000.0)
COUNTERS = 500
# A host's log of an hour, and one of a few minutes.
ESXTOP_MB, ESXTOP_SHORT_MB, ESXTOP_COUNTERS = 1_000.0, 100.0, 50_000
# For each of 3 x 150 VMs.
SAMPLES_OF_2_GB = 146_000
FIO_SAMPLES = 20_000_000
# Limits of memory in MB, and of reopening compared with importing.
MEMORY_MB, REOPEN = 1_000.0, 0.02
# Cost of a megabyte of a large file, compared with one of a small file.
FLAT = 1.3


def run() -> list[dict[str, Any]]:
    """Two rows for each size: peak anonymous memory compared with 1 GB, and reopening compared with importing. Then
    memory and time per megabyte for the log of a host, and memory for a fio log. Last the blocked times of the window
    with a study of 2 GB."""
    imports = [row for megabytes in SIZES_MB for row in _measured(megabytes)]
    return [*imports, *_esxtop(), _fio_log(), *bench_gap.run(SAMPLES_OF_2_GB)]


def _esxtop() -> list[dict[str, Any]]:
    taken: dict[float, tuple[float, float]] = {}
    for megabytes in (ESXTOP_SHORT_MB, ESXTOP_MB):
        with tempfile.TemporaryDirectory() as name:
            source = Path(name, "esx.csv")
            write_esxtop(source, ESXTOP_COUNTERS, megabytes)
            taken[megabytes] = _imported(source, Store(Path(name, "store")))
    (short, _), (long, peak) = taken.values()
    what = f"{ESXTOP_MB:,.0f} MB of esxtop data with {ESXTOP_COUNTERS:,} counters"
    one_file = f"Importing {what}, time per 1,000 MB (comparison: a file of {ESXTOP_SHORT_MB:.0f} MB)"
    return [
        _memory_row(f"importing {what}", peak),
        against(one_file, "s", long / ESXTOP_MB * 1e3, short / ESXTOP_SHORT_MB * 1e3, FLAT),
    ]


def _fio_log() -> dict[str, Any]:
    """Writes a log of single I/Os with unordered times."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name, "job_lat.1.log")
        with source.open("w", encoding="ascii", newline="\n") as stream:
            for at in range(FIO_SAMPLES):
                late = at * 7919 % 401
                stream.write(f"{at // 3 + late}, {late * 1000 + 77}, {at & 1}, 4096, {at * 4096}\n")
        megabytes = source.stat().st_size / 1e6
        _, peak = _imported(source, Store(Path(name, "store")))
    return _memory_row(f"importing a fio log of {FIO_SAMPLES:,} I/Os ({megabytes:.0f} MB)", peak)


def _memory_row(what: str, peak: float) -> dict[str, Any]:
    return against(f"Peak anonymous memory: {what} (limit)", "mb", peak, MEMORY_MB)


def _measured(megabytes: float) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as name:
        source, store = Path(name, "large.csv"), Store(Path(name, "store"))
        write_perfmon(source, COUNTERS, megabytes, 0.01)
        first, peak = _imported(source, store)
        again, _ = _imported(source, store)
    return [
        _memory_row(f"importing {megabytes:,.0f} MB of perfmon data", peak),
        against(
            f"Opening {megabytes:,.0f} MB of perfmon data again (comparison: the first import)",
            "s",
            again,
            first,
            REOPEN,
        ),
    ]


def _imported(source: Path, store: Store) -> tuple[float, float]:
    """Seconds to the reading, and the largest sum of anonymous memory of the workers in MB."""
    start, peak = time.perf_counter(), 0.0
    job = ImportJob((ImportSource(source, source.name),), store)
    job.start()
    readings = job.poll()
    while not readings:
        peak = max(peak, sum(map(_anonymous_mb, _children())))
        time.sleep(0.005)
        readings = job.poll()
    taken = time.perf_counter() - start
    assert readings[0][1].recording is not None
    while not job.finished:
        job.poll()
        time.sleep(0.002)
    return taken, peak


def _children() -> list[str]:
    return [one for task in Path("/proc/self/task").iterdir() for one in (task / "children").read_text().split()]


def _anonymous_mb(process: str) -> float:
    try:
        status = Path("/proc", process, "status").read_text()
    except OSError:
        return 0.0
    for line in status.splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


if __name__ == "__main__":
    for line in run():
        print(line)
