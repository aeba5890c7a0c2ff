"""Reading a wide perfmon file into the store, measured against polars alone on the same bytes."""

from __future__ import annotations

import csv
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from workbench.readers import perfmon

TARGET = 1.5
_TIMINGS = 9


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


def run(counters: int = 500, megabytes: float = 100.0) -> list[dict[str, Any]]:
    """One row per kind of file: our reader and store against `polars.read_csv` with the same schema."""
    return [
        _compared(f"{megabytes:.0f} MB, {counters} counters, {what}", counters, megabytes, blanks)
        for what, blanks in (("no blanks", 0.0), ("1 % blanks", 0.01))
    ]


def _compared(what: str, counters: int, megabytes: float, blanks: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        source, columns = Path(folder, "wide.csv"), Path(folder, "wide.arrow")
        write_perfmon(source, counters, megabytes, blanks)
        times: dict[str, list[float]] = {"baseline": [], "ours": []}
        for _ in range(_TIMINGS + 1):
            times["baseline"].append(_timed(lambda: _baseline(source)))
            columns.unlink(missing_ok=True)
            times["ours"].append(_timed(lambda: _ours(source, columns)))
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
    result = work()
    taken = time.perf_counter() - begin
    del result
    return taken


def _ours(source: Path, columns: Path) -> object:
    reading = perfmon.read(source, source.name, columns)
    assert reading.recording is not None
    return reading


def _baseline(source: Path) -> object:
    with source.open(encoding="ascii") as stream:
        width = len(next(csv.reader(stream)))
    schema: dict[str, type[pl.DataType]] = {"t": pl.String}
    schema.update({f"c{number}": pl.Float64 for number in range(width - 1)})
    return pl.read_csv(source, has_header=False, skip_lines=1, schema=schema, null_values=[" "])


if __name__ == "__main__":
    for line in run():
        print(line)
