"""Reading a long table into the store, measured against polars' bare read of the same bytes as text and numbers."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from workbench.readers.tables import known

TARGET = 8.0
_TIMINGS = 5
_COUNTERS = ("Disk Reads/sec", "Disk Writes/sec", "Avg. Disk sec/Read", "Avg. Disk sec/Write", "Disk Bytes/sec")


def write_perf(path: Path, machines: int, megabytes: float) -> None:
    """Azure Monitor's Perf: a row for each machine, counter and time."""
    figures = [f"{value:.6g}" for value in np.random.default_rng(1).gamma(2, 50, 9_973)]
    start, sample, row = datetime(2025, 2, 25, 9), 0, 0
    with path.open("w", encoding="ascii", newline="\n") as stream:
        stream.write("Computer,ObjectName,CounterName,InstanceName,CounterValue,TimeGenerated [UTC]\n")
        while stream.tell() < megabytes * 1e6:
            at = (start + timedelta(seconds=15 * sample)).strftime("%Y-%m-%dT%H:%M:%SZ")
            for machine in range(machines):
                for counter in _COUNTERS:
                    stream.write(f"W10-{machine:03},PhysicalDisk,{counter},_Total,{figures[row % 9_973]},{at}\n")
                    row += 1
            sample += 1


def write_stat(path: Path, machines: int, megabytes: float) -> None:
    """PowerCLI's Get-Stat through Export-Csv: quotes around every cell."""
    figures = [f"{value:.6g}" for value in np.random.default_rng(1).gamma(2, 50, 9_973)]
    names = ("Value", "Timestamp", "MetricId", "Unit", "Description", "Entity", "EntityId", "IntervalSecs", "Instance")
    start, sample, row = datetime(2025, 2, 25, 9), 0, 0
    with path.open("w", encoding="ascii", newline="") as stream:
        stream.write(",".join(f'"{name}"' for name in names) + "\r\n")
        while stream.tell() < megabytes * 1e6:
            at = (start + timedelta(seconds=20 * sample)).strftime("%m/%d/%Y %I:%M:%S %p")
            for machine in range(machines):
                for metric in ("numberReadAveraged", "numberWriteAveraged"):
                    cells = (figures[row % 9_973], at, f"virtualDisk.{metric}.average", "number", "Average requests",
                             f"W10-{machine:03}", f"VirtualMachine-vm-{machine}", "20", "scsi0:0")  # fmt: skip
                    stream.write('"' + '","'.join(cells) + '"\r\n')
                    row += 1
            sample += 1


def run(megabytes: float = 100.0) -> Iterator[dict[str, Any]]:
    """One row per kind of table."""
    yield _compared(f"{megabytes:.0f} MB Azure Perf, 200 machines", lambda path: write_perf(path, 200, megabytes))
    yield _compared(f"{megabytes:.0f} MB Get-Stat, 200 VMs", lambda path: write_stat(path, 200, megabytes))


def _compared(what: str, write: Callable[[Path], None]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        source, columns = Path(folder, "long.csv"), Path(folder, "long.arrow")
        write(source)
        times: dict[str, list[float]] = {"baseline": [], "ours": []}
        for _ in range(_TIMINGS + 1):
            times["baseline"].append(_timed(lambda: pl.read_csv(source)))
            columns.unlink(missing_ok=True)
            times["ours"].append(_timed(lambda: known.read(source, source.name, columns)))
    # The first turn of each warms the caches and is not counted.
    ours, baseline = (statistics.median(times[name][1:]) for name in ("ours", "baseline"))
    return {
        "what": f"read and store {what}",
        "ratio": round(ours / baseline, 3),
        "ours_s": round(ours, 4),
        "baseline_s": round(baseline, 4),
        "target": TARGET,
    }


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


if __name__ == "__main__":
    for line in run():
        print(line)
