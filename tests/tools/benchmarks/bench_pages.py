"""The time of a frame while a page with a time axis is moved: median and 95th percentile, in the real window.

Per-VM and Timeline show 3 x 150 VMs x 30,000 samples; cache and logons show the sample study, because the large study
lacks their counters.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from tests.tools.benchmarks.windows import NAMES, SAMPLE, SIZE, empty_window, open_study, switch, write_study
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.answers.registry import PAGES
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow
from workbench.study.store.column_store import Store

MEDIAN_MS, P95_MS = 1_000 / 60, 33.0
SAMPLES, FRAMES = 30_000, 100
LARGE = ("per-vm-iops", "timeline")
SMALL = ("cache", "logons")
_VIEWS = {(spec.key, view): name for spec in PAGES for view, name in spec.views}


def run() -> Iterator[dict[str, Any]]:
    """Two rows for each page or view of a page with a time axis."""
    with tempfile.TemporaryDirectory() as name:
        write_study(Path(name, "study"), 3, SAMPLES)
        with empty_window(Store(Path(name, "store"))) as window:
            for study, pages in ((Path(name, "study"), LARGE), (SAMPLE, SMALL)):
                open_study(window, study)
                for page, view in _views(pages):
                    yield from _moved(window, page, view)


def _views(pages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for spec in PAGES:
        if spec.key in pages:
            yield from ((spec.key, view) for view, _ in spec.views or (("", ""),))


def _moved(window: MainWindow, page: str, view: str) -> Iterator[dict[str, Any]]:
    state = window.workspace.state
    views = state.with_page_view(page, view).page_views if view else state.page_views
    if (state.page, state.page_views, state.phase) != (page, views, WHOLE_RUN):
        switch(window, page=page, page_views=views, phase=WHOLE_RUN)
    figure, content = window.page.figure, window.page.content
    if figure is None or content is None or content.figure is None or content.empty:
        return
    if not any(panel.x.unit in ("s", "clock") for panel in content.figure.panels):
        return
    times = frames(figure)
    what = f"*{NAMES[page]}*{f', view *{_VIEWS[page, view]}*' if view else ''}"
    for part, share, limit in (("Median", 50, MEDIAN_MS), ("95th percentile", 95, P95_MS)):
        ours = float(np.percentile(times, share))
        yield {
            "what": f"{part}: panning {what} (limit)",
            "ours_ms": ours,
            "baseline_ms": limit,
            "ratio": ours / limit,
            "target": 1.0,
        }


def frames(view: FigureView) -> list[float]:
    """Milliseconds of each frame while a view of 70 % of the x axis moves over the whole axis."""
    canvas = QImage(*SIZE, QImage.Format.Format_RGB32)
    view.reset_zoom()
    timed = next(panel for panel in view._panels if not panel.scales.panel.x.categories)
    low, high = (edge + timed.scales.origin for edge in timed.full)
    view.set_span(low, low + 0.7 * (high - low))
    view.render(canvas)
    times = []
    for number in range(FRAMES):
        start = time.perf_counter()
        at = low + 0.3 * (high - low) * (number + 1) / FRAMES
        view.set_span(at, at + 0.7 * (high - low))
        view.render(canvas)
        times.append((time.perf_counter() - start) * 1e3)
    view.reset_zoom()
    return times
