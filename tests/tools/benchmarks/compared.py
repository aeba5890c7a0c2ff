"""Measures the program and a baseline alternately, so both have the same load of the machine; medians and their
ratio."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def compared(
    what: str,
    ours: Callable[[], object],
    baseline: Callable[[], object],
    target: float | None,
    timings: int,
    prepare: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """A row: medians in seconds. `prepare` runs before each measurement of the program and is not counted. The first
    round of
    each fills the caches and is not counted."""
    times: dict[str, list[float]] = {"baseline": [], "ours": []}
    for _ in range(timings + 1):
        times["baseline"].append(timed(baseline))
        prepare()
        times["ours"].append(timed(ours))
    ours_s, baseline_s = (statistics.median(times[name][1:]) for name in ("ours", "baseline"))
    return {
        "what": what,
        "ratio": round(ours_s / baseline_s, 3),
        "ours_s": round(ours_s, 4),
        "baseline_s": round(baseline_s, 4),
        "target": target,
    }


def against(what: str, unit: str, ours: float, limit: float, target: float | None = 1.0) -> dict[str, Any]:
    """A row of one figure in a unit (`s`, `ms`, `mb`) and its limit."""
    return {"what": what, f"ours_{unit}": ours, f"baseline_{unit}": limit, "ratio": ours / limit, "target": target}


def stored(
    what: str,
    write: Callable[[Path], None],
    read: Callable[[Path, Path], object],
    baseline: Callable[[Path], object],
    target: float | None,
    timings: int,
) -> dict[str, Any]:
    """A row for a file that `write` makes: `read` reads it and stores its columns in a second file."""
    with tempfile.TemporaryDirectory() as folder:
        source, columns = Path(folder, "table.csv"), Path(folder, "table.arrow")
        write(source)
        return compared(
            f"Reading {what}",
            lambda: read(source, columns),
            lambda: baseline(source),
            target,
            timings,
            lambda: columns.unlink(missing_ok=True),
        )


def timed(work: Callable[[], object]) -> float:
    """The seconds of one call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
