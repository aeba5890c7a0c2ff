"""The window while a large file is imported: the longest time its event loop stands still."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from workbench.gui.main_window import MainWindow
from workbench.gui.theme import apply_theme
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.column_store import Store

GENERATOR = Path(__file__).parents[2] / "sample_data" / "generate.py"
LIMIT_MS = 100.0
_BEAT_MS = 5


def run() -> list[dict[str, Any]]:
    """One row: import of three runs of 150 VMs (about 120 MB) into an open window, up to the first chart."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder, "study")
        size = ("--configurations", "3", "--vms", "150", "--samples", "9000")
        subprocess.run([sys.executable, GENERATOR, "large", study, *size], check=True, capture_output=True)
        window = MainWindow(Store(Path(folder, "store")), State(page="per-vm-iops"), Settings())
        window.resize(1600, 900)
        window.show()
        _until(application, lambda: not window.busy)
        gap = _longest_gap(application, window, study)
        window.close()
    return [
        {
            "what": "longest standstill of the window during an import, up to the first chart",
            "ours_ms": gap,
            "baseline_ms": LIMIT_MS,
            "ratio": gap / LIMIT_MS,
            "target": 1.0,
        }
    ]


def _longest_gap(application: QApplication, window: MainWindow, study: Path) -> float:
    beats: list[float] = [time.perf_counter()]
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start(_BEAT_MS)
    opened: list[object] = []
    window.importer.opened.connect(opened.append)
    window.open_paths([study])
    _until(application, lambda: bool(opened) and not window.busy)
    timer.stop()
    return max(after - before for before, after in pairwise(beats)) * 1e3


def _until(application: QApplication, done: Any) -> None:
    while not done():
        application.processEvents()
        time.sleep(0.0005)
    application.processEvents()
