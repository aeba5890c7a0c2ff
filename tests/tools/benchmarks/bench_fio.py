"""The first import of a folder of fio results from a sweep, 49 JSON files and 4,445 logs: reading and storing
everything, compared with a script that parses the same files in one loop."""

from __future__ import annotations

import csv
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

RESULTS, LOGS, TARGET = 49, 4_445, 2.0
_TIMINGS = 3
_SAMPLES = 240
_KINDS = ("iops", "bw", "lat", "clat", "slat")


def run() -> Iterator[dict[str, Any]]:
    """Two rows without a window, from the folder to the study, into an empty store: elapsed seconds, and processor
    seconds of all processes, which depend less on other work on the machine."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_folder(folder / "fio")
        times: dict[str, list[tuple[float, float]]] = {"baseline": [], "ours": []}
        for timing in range(_TIMINGS + 1):
            times["baseline"].append(_timed(lambda: _loop(folder / "fio")))
            store = Store(folder / f"store{timing}")
            times["ours"].append(_timed(lambda store=store: _open(folder / "fio", store)))  # type: ignore[misc]
    for place, (what, target) in enumerate((("elapsed", TARGET), ("processor", None))):
        ours, baseline = (statistics.median(time[place] for time in times[who][1:]) for who in ("ours", "baseline"))
        yield {
            "what": f"Importing {RESULTS} fio results and {LOGS:,} logs, {what} time (comparison: a plain loop)",
            "ours_s": ours,
            "baseline_s": baseline,
            "ratio": ours / baseline,
            "target": target,
        }


def write_folder(folder: Path) -> None:
    """Writes a folder for each result with its logs, like a sweep over queue depths and block sizes."""
    random = np.random.default_rng(16)
    for number in range(RESULTS):
        place = folder / f"test-{number:02}"
        place.mkdir(parents=True)
        (place / "result.json").write_text(json.dumps(_result(number), indent=2) + "\n", encoding="ascii")
    for number in range(LOGS):
        test, log = number % RESULTS, number // RESULTS
        kind = _KINDS[log % len(_KINDS)]
        rows = _rows(random)
        (folder / f"test-{test:02}" / f"vdi_{kind}.{log // len(_KINDS) + 1}.log").write_text(rows, encoding="ascii")


def _rows(random: np.random.Generator) -> str:
    values = random.integers(1_000, 900_000, _SAMPLES)
    return "".join(f"{1000 * (at // 2 + 1)}, {value}, {at % 2}, 0, 0\n" for at, value in enumerate(values))


def _result(number: int) -> dict[str, Any]:
    percentile = {f"{share}.000000": 1000 * share for share in (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99)}
    latency = {"min": 1, "max": 10**7, "mean": 5e5 + number, "stddev": 1.0, "N": 240_000, "percentile": percentile}
    direction = {"io_bytes": 10**9, "io_kbytes": 10**6, "bw_bytes": 10**7, "bw": 10**4, "iops": 2000.0 + number}
    section = {**direction, "runtime": 120_000, "total_ios": 240_000, "clat_ns": latency, "lat_ns": latency}
    options = {"rw": "randrw", "bs": "4k", "iodepth": str(1 + number)}
    job = {"jobname": "vdi", "groupid": 0, "error": 0, "elapsed": 121, "job options": options}
    started = 1_700_000_000 + 200 * number
    jobs = [{**job, "read": section, "write": section}]
    return {"fio version": "fio-3.36", "timestamp": started, "timestamp_ms": 1000 * started, "jobs": jobs}


def _open(folder: Path, store: Store) -> None:
    store.prepare()
    found = find_sources([folder], store)
    job = ImportJob(found.sources, store)
    readings = []
    job.start()
    while not job.finished:
        readings += job.poll()
        time.sleep(0.005)
    job.join()
    studies = build_studies(found, readings)
    assert sum(len(study.benchmarks) for study in studies) == 3 * RESULTS
    assert sum(len(run.recordings) for study in studies for run in study.loose) == LOGS


def _loop(folder: Path) -> list[object]:
    """The work of a script: decodes the JSON, and reads the columns of each log as numbers."""
    parsed: list[object] = []
    for path in sorted(folder.rglob("*.*")):
        if path.suffix == ".json":
            parsed.append(json.loads(path.read_bytes()))
        else:
            with path.open(newline="") as stream:
                parsed.append(np.array([[int(cell) for cell in row] for row in csv.reader(stream)], np.float64))
    assert len(parsed) == RESULTS + LOGS
    return parsed


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Elapsed seconds, and processor seconds of this process and its ended child processes."""
    begin, busy = time.perf_counter(), sum(os.times()[:4])
    work()
    return time.perf_counter() - begin, sum(os.times()[:4]) - busy
