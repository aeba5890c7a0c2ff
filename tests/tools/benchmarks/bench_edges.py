"""Dragging the edge of a phase, from the mouse move to the painted cards; 3 configurations, 150 VMs, 30,000 samples."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.windows import empty_window, open_study, until, write_study
from workbench.gui.shell.main_window import MainWindow
from workbench.study.store.column_store import Store

LIMIT_MS = 33.0
SAMPLES, STEPS = 30_000, 40


def run() -> Iterator[dict[str, Any]]:
    """A row for the first step, which sums the samples, and one for the later steps."""
    with tempfile.TemporaryDirectory() as name:
        write_study(Path(name, "study"), 3, SAMPLES)
        with empty_window(Store(Path(name, "store")), "per-vm-iops") as window:
            open_study(window, Path(name, "study"))
            label = window.workspace.library.shown(window.workspace.state)[0].label
            times = [_step(window, label, -7.3 * (step + 1)) for step in range(STEPS)]
            yield _row("First step", times[0], None)
            yield _row("Each later step", statistics.median(times[1:]), 1.0)


def _step(window: MainWindow, label: str, seconds: float) -> float:
    assert window.page.figure is not None
    start = time.perf_counter()
    window.page.figure.edge_dragged.emit(label, "steady", "end", seconds, False)
    until(lambda: not window.busy)
    return (time.perf_counter() - start) * 1e3


def _row(what: str, taken: float, target: float | None) -> dict[str, Any]:
    return {
        "what": f"{what}: dragging a phase edge on *Per VM* (limit)",
        "ours_ms": taken,
        "baseline_ms": LIMIT_MS,
        "ratio": taken / LIMIT_MS,
        "target": target,
    }
