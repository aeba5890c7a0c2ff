"""Switching the phase or the metric in the window, to the painted page: 3 configurations, 150 VMs, 30,000 samples."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.windows import NAMES, empty_window, open_study, switch, write_study
from workbench.gui.shell.main_window import MainWindow
from workbench.model.metric import Quantity
from workbench.study.store.column_store import Store

LIMIT_MS = 100.0
SAMPLES, ROUNDS = 30_000, 4
PAGES = ("per-vm-iops", "overview", "cache", "timeline", "compare", "sizing")
PHASES = ("boot", "logon", "steady")
METRICS = (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS)


def run() -> Iterator[dict[str, Any]]:
    """A row for each page and chooser; metrics seen before and new ones are separate."""
    with tempfile.TemporaryDirectory() as name:
        write_study(Path(name, "study"), 3, SAMPLES)
        with empty_window(Store(Path(name, "store")), "per-vm-iops") as window:
            open_study(window, Path(name, "study"))
            first = [switch(window, metric=metric) for metric in METRICS]
            yield _row("Switching to a metric on *Per VM* that was not shown before", first[:2])
            for page in PAGES:
                if window.workspace.state.page != page:
                    switch(window, page=page)
                yield _row(f"Switching the phase on *{NAMES[page]}*", _phases(window))
                if page in ("per-vm-iops", "compare"):
                    again = [switch(window, metric=metric) for _ in range(ROUNDS) for metric in METRICS]
                    yield _row(f"Switching the metric on *{NAMES[page]}*", again)


def _phases(window: MainWindow) -> list[float]:
    at = PHASES.index(window.workspace.state.phase)
    order = PHASES[at + 1 :] + PHASES[: at + 1]
    return [switch(window, phase=phase) for _ in range(ROUNDS) for phase in order]


def _row(what: str, times: list[float]) -> dict[str, Any]:
    taken = statistics.median(times)
    return {
        "what": f"{what} (limit)",
        "ours_ms": taken,
        "baseline_ms": LIMIT_MS,
        "ratio": taken / LIMIT_MS,
        "target": 1.0,
    }
