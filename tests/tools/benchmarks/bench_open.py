"""Opening a stored study of 20 runs to its first chart, added to the start of an empty window."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.compared import against
from tests.tools.benchmarks.windows import NAMES, empty_window, open_study, seconds_to_first_chart, write_study
from workbench.study.store.column_store import Store

RUNS, SAMPLES, ROUNDS = 20, 1_000, 5
LIMIT_S = 0.5


def run() -> list[dict[str, Any]]:
    """One row: seconds from the request to the painted chart, of the overview and of Per VM."""
    with tempfile.TemporaryDirectory() as name:
        study, store = Path(name, "study"), Store(Path(name, "store"))
        write_study(study, RUNS, SAMPLES)
        with empty_window(store) as window:
            open_study(window, study)  # fills the store
        return [
            _row(page, statistics.median(_opened(study, store, page) for _ in range(ROUNDS)))
            for page in ("overview", "per-vm-iops")
        ]


def _opened(study: Path, store: Store, page: str) -> float:
    with empty_window(store, page) as window:
        return seconds_to_first_chart(window, study)


def _row(page: str, taken: float) -> dict[str, Any]:
    what = f"Opening a study with {RUNS} runs of 150 VMs (page *{NAMES[page]}*) (limit)"
    return against(what, "s", taken, LIMIT_S)
