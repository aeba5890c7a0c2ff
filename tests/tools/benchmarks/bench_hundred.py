"""One counter of a hundred million samples: its first draw after its extremes are computed, and a frame at any
position.

Frames are processor time of the window's thread. Runs only by name, because it needs 2 GB of memory.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from workbench.answers.timeline.curves import look_of
from workbench.charts.extremes import extremes
from workbench.charts.figure import Axis, Figure, Line, Panel
from workbench.gui.plot.view import FigureView

SIZE = (1600, 900)
SAMPLES = 100_000_000
FRAME_MS, FIRST_MS, MAKE_MS = 1_000 / 60, 150.0, 5.0 * SAMPLES / 1e6
SHARES = (0.95, 0.3, 0.1, 0.01, 0.001)
FRAMES, ROUNDS = 40, 5


def run() -> Iterator[dict[str, object]]:
    """Computing the extremes (for scale), the first draw, and the median time per frame of each zoom while it moves."""
    application = QApplication.instance() or QApplication([])
    assert application is not None
    line, made = _line()
    yield _row(
        "Computing the extremes of 100,000,000 samples (comparison: 5 ms per million samples)", made, MAKE_MS, None
    )
    axis = Axis("Time since run start", "s", limits=(0.0, SAMPLES - 1.0))
    panel = Panel("", axis, Axis("Rate", "1/s", limits=(0.0, 150.0)), (line,))
    figure = Figure("timeline", "What happened when?", "", (panel,), share_y=False)
    first = [_first(replace(figure)) for _ in range(ROUNDS)]
    yield _row("First drawing: 100,000,000 samples (limit)", statistics.median(first), FIRST_MS, 1.0)
    view = _window()
    view.show_figure(figure)
    for share in SHARES:
        times = _frames(view, share * SAMPLES)
        what = f"panning 100,000,000 samples, {share:.4g} of them visible"
        yield _row(f"Time per frame: {what} (limit)", statistics.median(times), FRAME_MS, 1.0)
    view.close()


def _line() -> tuple[Line, float]:
    """Returns a counter with drift, spikes and gaps, and the milliseconds to compute its extremes."""
    random = np.random.default_rng(7)
    y = np.empty(SAMPLES)
    for start in range(0, SAMPLES, 1_000_000):
        part = np.arange(start, start + 1_000_000)
        y[part] = 50 + 10 * np.sin(part / 1e6) + random.gamma(1.0, 4.0, part.size)
    y[::500_003] = np.nan
    start_s = time.perf_counter()
    known = extremes(y)
    made = (time.perf_counter() - start_s) * 1e3
    return Line("counter", np.arange(float(SAMPLES)), y, look_of(0), extremes=known), made


def _window() -> FigureView:
    view = FigureView()
    view.resize(*SIZE)
    view.show()
    return view


def _first(figure: Figure) -> float:
    view, canvas = _window(), QImage(*SIZE, QImage.Format.Format_RGB32)
    start = time.thread_time()
    view.show_figure(figure)
    view.render(canvas)
    taken = (time.thread_time() - start) * 1e3
    view.close()
    return taken


def _frames(view: FigureView, width: float) -> list[float]:
    """Milliseconds of frames all over the line: the parts around them are not cached."""
    canvas, times = QImage(*SIZE, QImage.Format.Format_RGB32), []
    for place in np.linspace(0.0, SAMPLES - 1.0 - width, FRAMES).tolist():
        start = time.thread_time()
        view.set_span(place, place + width)
        view.render(canvas)
        times.append((time.thread_time() - start) * 1e3)
    return times


def _row(what: str, ours: float, baseline: float, target: float | None) -> dict[str, object]:
    return {"what": what, "ours_ms": ours, "baseline_ms": baseline, "ratio": ours / baseline, "target": target}


if __name__ == "__main__":
    for row in run():
        print(row)
