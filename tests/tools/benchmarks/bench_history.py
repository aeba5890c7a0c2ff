"""Reading a history folder of 500 studies with four runs each, without an import. The baseline is a script that parses
the same lines with Python's JSON module without checks."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.study.history.kept import kept_run, kept_study
from workbench.measures.configurations import COMPARED
from workbench.study.history.layout import KeptPhase
from workbench.study.history.read import read_history
from workbench.study.history.write import keep

STUDIES, RUNS, TARGET = 500, 4, 3.0
_TIMINGS = 5


def run() -> Iterator[dict[str, Any]]:
    """One row: seconds from the folder to the points of its primary measures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for study in range(STUDIES):
            keep(folder, kept_study(f"study-{study}", runs=RUNS), tuple(_run(study, number) for number in range(RUNS)))
        times: dict[str, list[float]] = {"baseline": [], "ours": []}
        for _ in range(_TIMINGS + 1):
            times["baseline"].append(_timed(lambda: _parsed(folder)))
            times["ours"].append(_timed(lambda: read_history(folder)))
        assert len(read_history(folder).points) == 3 * STUDIES * RUNS
    ours, baseline = (statistics.median(times[who][1:]) for who in ("ours", "baseline"))
    yield {
        "what": f"Reading a history of {STUDIES} studies and {STUDIES * RUNS:,} runs (comparison: parsing JSON)",
        "ours_s": ours,
        "baseline_s": baseline,
        "ratio": ours / baseline,
        "target": TARGET,
    }


def _run(study: int, number: int) -> Any:
    """A run with every measure that is compared, in three phases."""
    figures = {measure.key: 1.5 * study + number for measure in COMPARED}
    phases = tuple(
        KeptPhase(name=name, seconds=1200.0, figures=figures, primary=("iops_per_vm",))
        for name in ("boot", "logon", "steady")
    )
    return kept_run(number, recorded=f"{study:08x}{number:08x}", phases=phases)


def _parsed(folder: Path) -> list[Any]:
    return [json.loads(line) for file in sorted(folder.iterdir()) for line in file.read_bytes().splitlines()]


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
