"""Reading a wide perfmon file into the store, compared with polars alone on the same bytes, and with pandas without a
target."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tests.tools.benchmarks.compared import stored
from workbench.readers.perfmon import reader as perfmon

TARGET, TARGET_ESXTOP = 1.3, 1.4
_COMPARED = " (comparison: polars.read_csv)"
_TIMINGS, _TIMINGS_ESXTOP, _TIMINGS_FOR_SCALE = 15, 9, 3


def write_perfmon(path: Path, counters: int, megabytes: float, blanks: float = 0.0) -> None:
    """A PDH-CSV file of about this size: blank first sample, then figures as perfmon writes them."""
    random = np.random.default_rng(1)
    figures = np.array([f"{value:.17g}" for value in random.gamma(2, 50, 20_000)], dtype=object)
    figures[: int(blanks * len(figures))] = " "
    start = datetime(2016, 5, 10, 9)
    names = (f'"\\\\W10-{n // 10:03}\\PhysicalDisk({n % 10} C:)\\Disk Reads/sec"' for n in range(counters))
    with path.open("w", encoding="ascii", newline="") as stream:
        stream.write('"(PDH-CSV 4.0) (GMT Daylight Time)(-60)",' + ",".join(names) + "\r\n")
        row = 0
        while stream.tell() < megabytes * 1e6:
            cells = figures[random.integers(0, len(figures), counters)] if row else [" "] * counters
            stamp = (start + timedelta(seconds=row)).strftime("%m/%d/%Y %H:%M:%S.000")
            stream.write(f'"{stamp}","' + '","'.join(cells) + '"\r\n')
            row += 1


def write_esxtop(path: Path, counters: int, megabytes: float) -> None:
    """A file as esxtop's batch mode writes it: no milliseconds, two decimals, most counters of other kinds."""
    random = np.random.default_rng(1)
    figures = np.array([f"{value:.2f}" for value in random.gamma(2, 50, 20_000)], dtype=object)
    kinds = (
        r"Virtual Disk(vm{0})\Commands/sec",
        r"Virtual Disk(vm{0}:scsi0:0)\Reads/sec",
        r"Group Cpu({0}:vm{0})\% Used",
        r"Physical Disk SCSI Device(naa.{0})\Reads/sec",
        r"Network Port(vSwitch0:{0})\Packets Received/sec",
        *(rf"Vcpu({{0}}:vm{{0}}:{{0}})\% Kind {kind}" for kind in range(35)),
    )
    names = (kinds[number % len(kinds)].format(f"{number // len(kinds):05}") for number in range(counters))
    start, row = datetime(2016, 5, 10, 9), 0
    with path.open("w", encoding="ascii", newline="") as stream:
        stream.write('"(PDH-CSV 4.0) (UTC)(0)","' + '","'.join(rf"\\esx1\{name}" for name in names) + '"\n')
        while stream.tell() < megabytes * 1e6:
            stamp = (start + timedelta(seconds=5 * row)).strftime("%m/%d/%Y %H:%M:%S")
            stream.write(f'"{stamp}","' + '","'.join(figures[random.integers(0, len(figures), counters)]) + '"\n')
            row += 1


def run(megabytes: float = 100.0) -> Iterator[dict[str, Any]]:
    """One row per kind of file: reader and store of the program compared with `polars.read_csv` with the same schema.
    The time of
    both includes freeing their memory."""
    size = f"{megabytes:.0f} MB"
    narrow = f"{size} of perfmon data, 500 counters without blank samples"
    yield stored(narrow + _COMPARED, lambda path: write_perfmon(path, 500, megabytes), ours, baseline, TARGET, _TIMINGS)
    blanks = f"{size} of perfmon data, 500 counters with 1 % blank samples{_COMPARED}"
    yield stored(blanks, lambda path: write_perfmon(path, 500, megabytes, 0.01), ours, baseline, TARGET, _TIMINGS)
    wide = f"{size} of perfmon data, 5,000 counters{_COMPARED}"
    yield stored(wide, lambda path: write_perfmon(path, 5_000, megabytes), ours, baseline, TARGET, _TIMINGS)
    esxtop = f"{size} of esxtop data, 50,000 counters{_COMPARED}"
    widest = partial(write_esxtop, counters=50_000, megabytes=megabytes)
    yield stored(esxtop, widest, ours, baseline, TARGET_ESXTOP, _TIMINGS_ESXTOP)
    yield _for_scale(narrow, lambda path: write_perfmon(path, 500, megabytes))


def _for_scale(what: str, write: Callable[[Path], None]) -> dict[str, Any]:
    """The program compared with pandas' reader, or a note that pandas is missing."""
    if find_spec("pandas") is None:
        return {
            "note": "no row of pandas, which is not installed: uv run --group bench python -m tests.tools benchmarks"
        }
    return stored(f"{what} (comparison: pandas.read_csv)", write, ours, _pandas, None, _TIMINGS_FOR_SCALE)


def ours(source: Path, columns: Path) -> object:
    """Reads a file and stores its columns."""
    reading = perfmon.read(source, source.name, columns)
    assert reading.recording is not None
    return reading


def baseline(source: Path) -> object:
    """Reads a file with polars alone and the schema of its header."""
    width = _width(source)
    schema: dict[str, type[pl.DataType]] = {"t": pl.String}
    schema.update({f"c{number}": pl.Float64 for number in range(width - 1)})
    return pl.read_csv(source, has_header=False, skip_lines=1, schema=schema, null_values=[" "])


def _pandas(source: Path) -> object:
    import pandas as pd

    kinds = {0: str} | dict.fromkeys(range(1, _width(source)), "float64")
    return pd.read_csv(source, header=None, skiprows=1, dtype=kinds, na_values=[" "])


def _width(source: Path) -> int:
    with source.open(encoding="ascii") as stream:
        return len(next(csv.reader(stream)))


if __name__ == "__main__":
    for line in run():
        print(line)
