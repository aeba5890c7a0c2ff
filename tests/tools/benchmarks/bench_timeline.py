"""Time of one frame while ten million samples are moved, compared with one frame at 60 Hz.

Four counters of 2.5 million samples each, with gaps, in two panels; once with all of them in view, once with a tenth.
Processor time of the window's thread. The extremes of the lines are computed in another thread, as on the page.
"""

from __future__ import annotations

import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from workbench.charts.extremes import extremes
from workbench.charts.figure import Axis, Dash, Figure, Line, Look, Marker, Panel, Region
from workbench.gui.plot.view import FigureView

SIZE = (1600, 900)
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle", "diamond")
LINES, SAMPLES = 4, 2_500_000
REPAINTS = 40
FRAME_MS = 1_000 / 60


def timeline(samples: int = SAMPLES) -> Figure:
    """Counters with drift, spikes and gaps."""
    random = np.random.default_rng(7)
    x = np.arange(float(samples))
    panels = []
    for number in range(2):
        lines = []
        for place in range(LINES // 2):
            y = 50 + 10 * np.sin(x / 40_000 + place) + random.gamma(1.0, 4.0, samples)
            y[::500_003] = np.nan
            look = Look("MCS", 0.0, DASHES[2 * number + place], MARKERS[2 * number + place])
            lines.append(Line(f"counter {number}{place}", x, y, look, extremes=extremes(y)))
        axis = Axis("Time since run start", "s", limits=(0.0, float(samples - 1)))
        regions = (Region("boot", 0.0, samples * 0.1), Region("steady", samples * 0.2, samples * 0.9))
        panels.append(Panel("", axis, Axis("Rate", "1/s", limits=(0.0, 150.0)), tuple(lines), regions=regions))
    return Figure("timeline", "What happened when?", "", tuple(panels), share_y=False)


def run() -> list[dict[str, object]]:
    """Median milliseconds of a frame while the view moves, compared with one frame at 60 Hz."""
    application = QApplication.instance() or QApplication([])
    assert application is not None
    view = FigureView()
    view.resize(*SIZE)
    view.show()
    view.show_figure(timeline())
    rows = [
        _row(f"{100 * share:.0f} % of the samples visible", _median(view, share * SAMPLES)) for share in (0.95, 0.1)
    ]
    view.close()
    return rows


def _row(what: str, ours: float) -> dict[str, object]:
    return {
        "what": f"Time per frame: panning {LINES} counters of {SAMPLES:,} samples, {what} (limit)",
        "ours_ms": round(ours, 2),
        "baseline_ms": round(FRAME_MS, 2),
        "ratio": round(ours / FRAME_MS, 3),
        "target": 1.0,
    }


def _median(view: FigureView, width: float) -> float:
    canvas = QImage(*SIZE, QImage.Format.Format_RGB32)
    room = SAMPLES - 1 - width
    view.set_span(0.0, width)
    view.render(canvas)
    times = []
    for number in range(REPAINTS):
        start = time.thread_time()
        low = room * (number + 1) / REPAINTS
        view.set_span(low, low + width)
        view.render(canvas)
        times.append((time.thread_time() - start) * 1_000)
    return statistics.median(times)


if __name__ == "__main__":
    for line in run():
        print(line)
