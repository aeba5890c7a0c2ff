"""The usual layout of a perfmon run, one log per VM: 900 small files read and stored, compared with `polars.read_csv`
with the schema of each file."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.bench_reading import baseline, ours, write_perfmon

FILES, MEGABYTES, COUNTERS, TARGET = 900, 0.4, 40, 2.5
_TIMINGS = 3


def run() -> Iterator[dict[str, Any]]:
    """One row: the processor time of this process and its threads. Threads that wait for each other do not lengthen the
    elapsed time of an idle machine, but take a core from the other files of the folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = _sources(folder)
        columns = folder / "columns.arrow"

        def read(source: Path) -> object:
            columns.unlink(missing_ok=True)
            return ours(source, columns)

        times: dict[str, list[float]] = {"baseline": [], "ours": []}
        for _ in range(_TIMINGS + 1):
            times["baseline"].append(_busy(baseline, sources))
            times["ours"].append(_busy(read, sources))
    ours_s, baseline_s = (statistics.median(times[who][1:]) for who in ("ours", "baseline"))
    yield {
        "what": f"Reading {FILES} perfmon logs of {MEGABYTES} MB each (comparison: polars.read_csv)",
        "ours_s": ours_s,
        "baseline_s": baseline_s,
        "ratio": ours_s / baseline_s,
        "target": TARGET,
    }


def _sources(folder: Path) -> list[Path]:
    """Files of one shape that differ in the name of their machine."""
    model = folder / "model.csv"
    write_perfmon(model, COUNTERS, MEGABYTES)
    content = model.read_bytes()
    sources = [folder / f"VM{number:03}.csv" for number in range(FILES)]
    for source in sources:
        source.write_bytes(content.replace(b"\\\\W10-0", f"\\\\{source.stem}-".encode()))
    return sources


def _busy(work: Callable[[Path], object], sources: Sequence[Path]) -> float:
    begin = time.process_time()
    for source in sources:
        work(source)
    return time.process_time() - begin
