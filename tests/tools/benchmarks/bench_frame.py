"""Time of one frame while the data is moved, compared with the same picture in plain pyqtgraph.

The measure is processor time of the window's thread, which paints everything; other work on the machine does not count.
Run with `uv
run python -m tests.tools.benchmarks.bench_frame`; the figures depend on the machine, the ratio less.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pyqtgraph as pg
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.plot.figures import cache_figure, per_vm_figure
from workbench.charts.figure import Band, Figure, Heatmap, Line
from workbench.gui.plot.view import FigureView

SIZE = (1600, 900)
REPAINTS = 40
FRAME_MS = 1_000 / 60
HEATMAP_MS = 100.0


def run() -> list[dict[str, object]]:
    """Median milliseconds of a frame: of the program, of plain pyqtgraph, and their ratio (below 1: the program is
    faster)."""
    application = QApplication.instance() or QApplication([])
    assert application is not None
    cases = (
        ("panning 3 charts of 150 VMs", per_vm_figure(1_600, (150,) * 3)),
        ("panning 3 charts of 11 VMs", per_vm_figure(540, (11,) * 3)),
        ("panning 2 charts of 25 lines", cache_figure(1_600)),
    )
    rows: list[dict[str, object]] = []
    for what, figure in cases:
        ours = _ours(figure)
        rows.append(_row(f"Time per frame: {what} (limit)", ours, FRAME_MS, 1.0))
        rows.append(_row(f"Frame while {what} (comparison: plain pyqtgraph)", ours, _plain(figure), 0.5))
    first = statistics.median(_first(per_vm_figure(800, (2_000,))) for _ in range(7))
    rows.append(_row("First drawing: a heatmap of 2,000 VMs (limit)", first, HEATMAP_MS, 1.0))
    return rows


def _row(what: str, ours: float, baseline: float, target: float) -> dict[str, object]:
    return {
        "what": what,
        "ours_ms": round(ours, 2),
        "baseline_ms": round(baseline, 2),
        "ratio": round(ours / baseline, 3),
        "target": target,
    }


def _ours(figure: Figure) -> float:
    view = FigureView()
    view.resize(*SIZE)
    view.show()
    view.show_figure(figure)
    high = view._panels[0].full[1]
    found = _median(view, lambda share: view.set_span(0.3 * high * share, 0.3 * high * share + 0.7 * high))
    view.close()
    return found


def _first(figure: Figure) -> float:
    view, canvas = FigureView(), QImage(*SIZE, QImage.Format.Format_RGB32)
    view.resize(*SIZE)
    view.show()
    start = time.thread_time()
    view.show_figure(figure)
    view.render(canvas)
    taken = (time.thread_time() - start) * 1_000
    view.close()
    return taken


def _plain(figure: Figure) -> float:
    """Draws the same marks with pyqtgraph's own parts: PlotItem, FillBetweenItem, ImageItem, linked axes."""
    widget = pg.GraphicsLayoutWidget()
    widget.resize(*SIZE)
    plots: list[pg.PlotItem] = []
    rows: dict[int, int] = {}
    for panel in figure.panels:
        row = rows[panel.column] = rows.get(panel.column, -1) + 1
        plot = widget.addPlot(row=row, col=panel.column)
        plot.showGrid(y=True)
        if plots:
            plot.setXLink(plots[0])
        plots.append(plot)
        for mark in panel.marks:
            if isinstance(mark, Line):
                plot.plot(mark.x, mark.y, pen=pg.mkPen("b", width=1), antialias=True)
            elif isinstance(mark, Band):
                edges = pg.PlotDataItem(mark.x, mark.low), pg.PlotDataItem(mark.x, mark.high)
                plot.addItem(pg.FillBetweenItem(*edges, brush=(0, 0, 200, 50)))
            elif isinstance(mark, Heatmap):
                image = pg.ImageItem(mark.values.T)
                image.setRect(mark.edges[0], 0, mark.edges[-1] - mark.edges[0], len(mark.rows))
                plot.addItem(image)
    around = QWidget()
    around.resize(*SIZE)
    widget.setParent(around)
    around.show()
    plots[0].disableAutoRange()
    high = float(plots[0].viewRange()[0][1])
    found = _median(
        around, lambda share: plots[0].setXRange(0.3 * high * share, 0.3 * high * share + 0.7 * high, padding=0)
    )
    around.close()
    return found


def _median(widget: QWidget, move: Callable[[float], object]) -> float:
    canvas = QImage(*SIZE, QImage.Format.Format_RGB32)
    move(0.0)
    widget.render(canvas)
    times = []
    for number in range(REPAINTS):
        start = time.thread_time()
        move((number + 1) / REPAINTS)
        widget.render(canvas)
        times.append((time.thread_time() - start) * 1_000)
    return statistics.median(times)


if __name__ == "__main__":
    for line in run():
        print(line)
