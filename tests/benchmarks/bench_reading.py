"""Reading a wide perfmon file into the store, measured against polars alone on the same bytes; pandas for scale."""

from __future__ import annotations

import csv
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from workbench.readers.perfmon import reader as perfmon

TARGET, TARGET_ESXTOP = 1.3, 1.4
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
    """One row per kind of file: our reader and store against `polars.read_csv` with the same schema.

    Both sides give their memory back within the time.
    """
    size = f"{megabytes:.0f} MB"
    narrow = f"{size}, 500 counters, no blanks"
    yield _compared(narrow, lambda path: write_perfmon(path, 500, megabytes))
    blanks = f"{size}, 500 counters, 1 % blanks"
    yield _compared(blanks, lambda path: write_perfmon(path, 500, megabytes, 0.01))
    yield _compared(f"{size}, 5,000 counters", lambda path: write_perfmon(path, 5_000, megabytes))
    esxtop = f"{size}, esxtop, 50,000 counters"
    yield _compared(esxtop, lambda path: write_esxtop(path, 50_000, megabytes), TARGET_ESXTOP, timings=_TIMINGS_ESXTOP)
    yield _for_scale(narrow, lambda path: write_perfmon(path, 500, megabytes))


def _for_scale(what: str, write: Callable[[Path], None]) -> dict[str, Any]:
    """Ours against pandas' reader, or a note that there is none to compare with."""
    if find_spec("pandas") is None:
        return {
            "note": "pandas is not installed, so its row is left out: uv run --group bench python -m tests.benchmarks"
        }
    return _compared(f"{what}, against pandas.read_csv", write, None, _pandas, _TIMINGS_FOR_SCALE)


def _compared(
    what: str,
    write: Callable[[Path], None],
    target: float | None = TARGET,
    reference: Callable[[Path], object] | None = None,
    timings: int = _TIMINGS,
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        source, columns = Path(folder, "wide.csv"), Path(folder, "wide.arrow")
        write(source)
        times: dict[str, list[float]] = {"baseline": [], "ours": []}
        for _ in range(timings + 1):
            times["baseline"].append(_timed(lambda: (reference or _baseline)(source)))
            columns.unlink(missing_ok=True)
            times["ours"].append(_timed(lambda: _ours(source, columns)))
    # The first turn of each warms the caches and is not counted.
    ours, baseline = (statistics.median(times[name][1:]) for name in ("ours", "baseline"))
    return {
        "what": f"read and store {what}",
        "ratio": round(ours / baseline, 3),
        "ours_s": round(ours, 4),
        "baseline_s": round(baseline, 4),
        "target": target,
    }


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _ours(source: Path, columns: Path) -> object:
    reading = perfmon.read(source, source.name, columns)
    assert reading.recording is not None
    return reading


def _baseline(source: Path) -> object:
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
