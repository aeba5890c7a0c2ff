"""Reading a long table into the store, compared with a plain read of the same bytes by polars as text and numbers."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tests.tools.benchmarks.compared import stored
from workbench.readers.tables import known

TARGET = 3.0
_TIMINGS = 5
_ALLOWED_MB = 400.0
# The kernel's own peak of this process; `getrusage` reports at least the peak of the parent process.
_PROBE = """
import sys
from pathlib import Path
from workbench.readers.tables import known
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
start = peak()
assert known.read(Path(sys.argv[1]), "long.csv", Path(sys.argv[2])).recording is not None
print(peak() - start)
"""
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


def write_counters(path: Path, machines: int, megabytes: float) -> None:
    """The samples of Get-Counter through Export-Csv."""
    figures = [f"{value:.6g}" for value in np.random.default_rng(1).gamma(2, 50, 9_973)]
    names = ("Path", "InstanceName", "CookedValue", "RawValue", "SecondValue", "MultipleCount", "CounterType",
             "Timestamp", "Timestamp100NSec", "Status", "DefaultScale", "TimeBase")  # fmt: skip
    start, sample, row = datetime(2025, 2, 25, 9), 0, 0
    with path.open("w", encoding="ascii", newline="") as stream:
        stream.write(",".join(f'"{name}"' for name in names) + "\r\n")
        while stream.tell() < megabytes * 1e6:
            at = (start + timedelta(seconds=15 * sample)).strftime("%m/%d/%Y %I:%M:%S %p")
            for machine in range(machines):
                for counter in _COUNTERS:
                    cells = (rf"\\w10-{machine:03}\physicaldisk(_total)\{counter.lower()}", "_total",
                             figures[row % 9_973], str(row), str(3 * row), "1", "RateOfCountsPerSecond32", at,
                             f"13259{row:013}", "0", "0", "10000000")  # fmt: skip
                    stream.write('"' + '","'.join(cells) + '"\r\n')
                    row += 1
            sample += 1


def write_influx(path: Path, machines: int, megabytes: float) -> None:
    """InfluxDB's annotated CSV of Telegraf's counters: one series after the other."""
    figures = [f"{value:.6g}" for value in np.random.default_rng(1).gamma(2, 50, 9_973)]
    fields = [counter.replace(" ", "_").replace("/sec", "_persec") for counter in _COUNTERS]
    start, row = datetime(2025, 2, 25, 9), 0
    head = (
        "#datatype,string,long,dateTime:RFC3339,double,string,string,string,string,string",
        "#group,false,false,false,false,true,true,true,true,true",
        "#default,_result,,,,,,,,",
        ",result,table,_time,_value,_field,_measurement,host,instance,objectname",
    )
    times = int(megabytes * 1e6 / machines / len(fields) / 88)
    with path.open("w", encoding="ascii", newline="") as stream:
        stream.write("\r\n".join(head) + "\r\n")
        for machine in range(machines):
            for place, field in enumerate(fields):
                for sample in range(times):
                    at = (start + timedelta(seconds=10 * sample)).strftime("%Y-%m-%dT%H:%M:%SZ")
                    table = machine * len(fields) + place
                    stream.write(f",,{table},{at},{figures[row % 9_973]},{field},win_disk,W10-{machine:03},")
                    stream.write("_Total,PhysicalDisk\r\n")
                    row += 1


def run(megabytes: float = 100.0) -> Iterator[dict[str, Any]]:
    """One row per kind of table, and one for the memory of the largest table."""
    kinds: tuple[tuple[str, Callable[[Path, int, float], None]], ...] = (
        ("Azure Perf", write_perf),
        ("Get-Stat", write_stat),
        ("Get-Counter", write_counters),
        ("InfluxDB", write_influx),
    )
    for kind, write in kinds:
        table = f"{megabytes:.0f} MB of {kind} data (comparison: polars.read_csv)"
        yield stored(table, lambda path, write=write: write(path, 200, megabytes), _ours, _baseline, TARGET, _TIMINGS)  # type: ignore[misc]
    if not Path("/proc/self/status").exists():
        yield {"note": "The memory of a process is read from /proc, which this system does not have."}
        return
    for kind, write in kinds:
        yield _memory(kind, write, megabytes)


def _ours(source: Path, columns: Path) -> object:
    reading = known.read(source, source.name, columns)
    assert reading.recording is not None
    return reading


def _baseline(source: Path) -> object:
    return pl.read_csv(source, comment_prefix="#")


def _memory(kind: str, write: Callable[[Path, int, float], None], megabytes: float) -> dict[str, Any]:
    """Peak memory minus memory at the start, in a separate process, as a share of the limit."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "long.csv")
        write(source, 200, megabytes)
        command = [sys.executable, "-c", _PROBE, str(source), str(Path(folder, "long.arrow"))]
        used = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {
        "what": f"Peak memory: reading {megabytes:.0f} MB of {kind} data (limit)",
        "ours_mb": used,
        "baseline_mb": _ALLOWED_MB,
        "ratio": used / _ALLOWED_MB,
        "target": 1.0,
    }


if __name__ == "__main__":
    for line in run():
        print(line)
