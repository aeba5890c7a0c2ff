"""Repaints: PySide6 6.12.0 with pyqtgraph 0.14 aborts the process after a few dozen of them."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.gui.plot.figures import cache_figure, per_vm_figure
from workbench.gui.plot.view import FigureView

# More than twice the number that once aborted the process.
REPAINTS = 120


def test_that_hundreds_of_repaints_leave_the_process_alive(qtbot: QtBot) -> None:
    view = FigureView()
    qtbot.addWidget(view)
    view.resize(640, 360)
    view.show()
    view.show_figure(per_vm_figure(bins=120))
    seen = set()
    for number in range(REPAINTS):
        view.set_span(float(number), 1_500.0 + number)
        view._point(view._panels[0].place.plot.center())
        seen.add(view.grab().toImage().cacheKey())
    assert len(seen) == REPAINTS


def test_that_changing_figure_and_theme_many_times_leaves_the_process_alive(qtbot: QtBot) -> None:
    view = FigureView()
    qtbot.addWidget(view)
    view.resize(480, 300)
    view.show()
    figures = (per_vm_figure(bins=40), cache_figure(samples=40))
    for number in range(60):
        view.show_figure(figures[number % 2])
        view.set_theme("dark" if number % 3 else "light")
        view.light_vm("W10-002" if number % 4 else None)
        view.grab()
    assert view.figure is figures[1]
