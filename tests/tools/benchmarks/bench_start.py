"""The start of the program to its first paint, compared with importing its three large libraries alone.

Each is measured in a separate process, in turns. Processor time is measured too, because other work on the machine
makes the
elapsed time longer. Both processes end without clean-up.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

TARGET = 1.2
_ROUNDS = 11
_LIBRARIES = "import os, PySide6.QtWidgets, pyqtgraph, polars; os._exit(0)"
_START = """
import os
from workbench.gui.shell import start
from PySide6.QtWidgets import QApplication, QMainWindow
def wait(application):
    # The window is painted, and so is what it says while nothing is open.
    window = next(one for one in QApplication.topLevelWidgets() if isinstance(one, QMainWindow))
    while window.page.content is None or window.busy:
        application.processEvents()
    application.processEvents()
    os._exit(0)
QApplication.exec = wait
start.main([])
"""


def run() -> list[dict[str, Any]]:
    """Two rows: elapsed time, and processor time."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "QT_QPA_PLATFORM": "offscreen",
            "VDI_WORKBENCH_STORE": folder,
            "VDI_WORKBENCH_SETTINGS": f"{folder}/settings.json",
        }
        # Python keeps its bytecode, as for an installed program.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for code in (_LIBRARIES, _START):
            _timed(code, environment)  # written now
        times = [(_timed(_START, environment), _timed(_LIBRARIES, environment)) for _ in range(_ROUNDS)]
    rows = []
    for place, what in enumerate(("", ", processor time")):
        ours, theirs = (statistics.median(pair[who][place] for pair in times) for who in (0, 1))
        rows.append(
            {
                "what": f"Starting the window until it is painted{what} (comparison: loading three libraries)",
                "ours_s": ours,
                "baseline_s": theirs,
                "ratio": ours / theirs,
                "target": TARGET,
            }
        )
    return rows


def _timed(code: str, environment: dict[str, str]) -> tuple[float, float]:
    """Elapsed seconds and processor seconds."""
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    taken, after = time.perf_counter() - start, os.times()
    return taken, after[2] + after[3] - before[2] - before[3]
