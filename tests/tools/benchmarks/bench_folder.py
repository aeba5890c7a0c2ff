"""Folders of many files through the import pool: perfmon compared with the sum of single readings, and fio by the
number of files.

The sum of single readings is measured twice, in a separate process: with one polars thread per core, as a program that
reads one file after the other would have, and with one thread. It excludes the start of that process. The import is
measured twice: with the start of the pool's workers, and with workers that have started, as in a window with nothing
open. One row compares two whole programs, one that imports and one that reads one file after the other. The baseline of
the fio row is the time for 300 files a second.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.bench_reading import write_perfmon
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.importing.standby import Standby
from workbench.study.importing.workers import ready_worker
from workbench.study.store.column_store import Store

FILES, MEGABYTES, COUNTERS = 150, 4.0, 40
FIO_FILES, FIO_PER_SECOND = 1_000, 300.0
_WORKERS, _TIMINGS = 2, 3
# After this many seconds started workers have loaded their libraries.
_STANDING_S = 3.0
# As in the console.
_POLL_S = 0.01


def run() -> Iterator[dict[str, Any]]:
    """Four rows for a folder of perfmon files, one for a folder of fio results."""
    yield from _perfmon()
    yield _fio()


def _perfmon() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = _perfmon_files(folder)
        _pooled(sources[:_WORKERS], folder)  # Python keeps its bytecode, as for an installed program
        times = [
            (
                _pooled(sources, folder),
                _pooled(sources, folder, Standby(_WORKERS)),
                _one_after_the_other(sources, folder, None),
                _one_after_the_other(sources, folder, 1),
                _program(folder, "imported"),
                _program(folder, "one_after_the_other"),
            )
            for _ in range(_TIMINGS)
        ]
    cold, ready, every_core, one_core, program, plain = map(statistics.median, zip(*times, strict=True))
    what = f"Importing {FILES} perfmon files"
    return [
        _row(f"{what}, workers not running yet (comparison: file by file)", cold, every_core, 0.8),
        _row(f"{what}, workers not running yet (comparison: file by file, one polars thread)", cold, one_core, 0.8),
        _row(f"{what}, workers already running (comparison: file by file)", ready, every_core, 0.8),
        _row(f"{what}, in a new process (comparison: file by file, in a new process)", program, plain, None),
    ]


def _pooled(sources: tuple[ImportSource, ...], folder: Path, standby: Standby | None = None) -> float:
    with tempfile.TemporaryDirectory(dir=folder) as store:
        if standby is not None:
            standby.start()
            time.sleep(_STANDING_S)
        return _imported(sources, Store(Path(store)), standby)


def _program(folder: Path, way: str) -> float:
    """Seconds from start to end of a process that reads the folder in this way."""
    with tempfile.TemporaryDirectory(dir=folder) as store:
        code = f"from tests.tools.benchmarks.bench_folder import {way}; {way}({str(folder)!r}, {store!r})"
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start


def imported(folder: str, store: str) -> None:
    """The work of a program that imports the folder."""
    _imported(_listed(Path(folder)), Store(Path(store)))


def one_after_the_other(folder: str, store: str) -> None:
    """The work of a program that reads the folder's files one after the other."""
    _read_all(_listed(Path(folder)), Store(Path(store)))


def _listed(folder: Path) -> tuple[ImportSource, ...]:
    return tuple(ImportSource(path, path.name) for path in folder.glob("W10-*.csv"))


def _one_after_the_other(sources: tuple[ImportSource, ...], folder: Path, threads: int | None) -> float:
    with (
        tempfile.TemporaryDirectory(dir=folder) as store,
        get_context("spawn").Pool(1, ready_worker, (threads,)) as alone,
    ):
        return alone.apply(_read_all, (sources, Store(Path(store))))


def _read_all(sources: tuple[ImportSource, ...], store: Store) -> float:
    """Seconds to read the files here, one after the other."""
    start = time.perf_counter()
    for source in sources:
        assert read_source(source.path, source.name, store).report.recognised
    return time.perf_counter() - start


def _fio() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = _fio_files(folder)
        taken = _imported(sources, Store(folder / "store"))
    what = f"Importing {FIO_FILES:,} fio results (comparison: {FIO_PER_SECOND:.0f} files per second)"
    return _row(what, taken, FIO_FILES / FIO_PER_SECOND, 1.0)


def _row(what: str, ours: float, baseline: float, target: float | None) -> dict[str, Any]:
    return {"what": what, "ours_s": ours, "baseline_s": baseline, "ratio": ours / baseline, "target": target}


def _imported(sources: tuple[ImportSource, ...], store: Store, standby: Standby | None = None) -> float:
    """Seconds from the start of an import, including its workers unless they have started, to its last reading."""
    start = time.perf_counter()
    job = ImportJob(sources, store, _WORKERS, standby=standby)
    job.start()
    readings = job.poll()
    while len(readings) < len(sources):
        time.sleep(_POLL_S)
        readings += job.poll()
    taken = time.perf_counter() - start
    assert all(reading.report.recognised for _, reading in readings)
    while not job.finished:
        job.poll()
        time.sleep(0.002)
    return taken


def _perfmon_files(folder: Path) -> tuple[ImportSource, ...]:
    """Files of one shape that differ in the name of their machine."""
    model = folder / "model.csv"
    write_perfmon(model, COUNTERS, MEGABYTES)
    content = model.read_bytes()
    made = [ImportSource(folder / f"W10-{number}.csv", f"W10-{number}.csv") for number in range(FILES)]
    for number, source in enumerate(made):
        source.path.write_bytes(content.replace(b"\\\\W10-0", f"\\\\VM{number:03}-".encode(), COUNTERS))
    return tuple(made)


def _fio_files(folder: Path) -> tuple[ImportSource, ...]:
    made = [ImportSource(folder / f"{number}.json", f"{number}.json") for number in range(FIO_FILES)]
    for number, source in enumerate(made):
        source.path.write_text(json.dumps(_fio_result(number), indent=2))
    return tuple(made)


def _fio_result(number: int) -> dict[str, Any]:
    """A result as fio 3 writes it. Two jobs are usual, 100 are many."""
    percentiles = {f"{share:.6f}": 1_000 * share + number for share in (1.0, 5.0, 50.0, 95.0, 99.0, 99.9)}
    side = {
        "io_bytes": 10**9,
        "io_kbytes": 976_562,
        "bw_bytes": 10**8,
        "bw": 97_656,
        "iops": 1_000.5 + number,
        "runtime": 10_000,
        "total_ios": 10_005,
        "lat_ns": {"min": 1_000, "max": 9_000_000, "mean": 50_000.0 + number, "stddev": 10.0, "N": 10_005},
        "clat_ns": {
            "min": 900,
            "max": 8_000_000,
            "mean": 49_000.0,
            "stddev": 10.0,
            "N": 10_005,
            "percentile": percentiles,
        },
    }
    options = {"name": "desktop", "bs": "4k", "iodepth": "16", "rw": "randrw", "rwmixread": "30"}
    jobs = [
        {
            "jobname": f"desktop-{job}",
            "groupid": 0,
            "error": 0,
            "elapsed": 11,
            "job options": options,
            "read": side,
            "write": side,
        }
        for job in range(2)
    ]
    return {"fio version": "fio-3.36", "timestamp": 1_700_000_000 + number, "jobs": jobs}


if __name__ == "__main__":
    for line in run():
        print(line)
