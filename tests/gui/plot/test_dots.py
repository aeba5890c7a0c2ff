"""Dots: each is drawn at its value, none for unmeasured values, and the pointer reads the nearest."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from workbench.charts.figure import Axis, Bars, Figure, Look, Panel, Points
from workbench.charts.scales import scales_of
from workbench.gui.plot.bars import CROWD, draw_dots, near_dot
from workbench.gui.plot.geometry import legend_of
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.pointing.readout import Pointer, entries
from workbench.gui.plot.view import FigureView

TIME = Axis("Time since phase start", "s")
SECONDS = Axis("Logon time", "s")
LOOK = Look("MCS", marker="circle")


def _figure(*marks: Points) -> Figure:
    return Figure("logons", "How long do logons take?", "", (Panel("MCS", TIME, SECONDS, marks),))


def _view(qtbot: QtBot, figure: Figure) -> FigureView:
    view = FigureView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    view.draw_as_picture()
    view.show_figure(figure)
    return view


def test_that_a_dot_is_painted_at_its_value_and_unmeasured_dots_are_not(qtbot: QtBot) -> None:
    dots = Points("sessions", np.array([0.0, 50.0, 100.0]), np.array([2.0, np.nan, 4.0]), LOOK)
    view = _view(qtbot, _figure(dots))
    panel = view._panels[0]
    image = QImage(600, 400, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    view.paint_to(painter, QRectF(image.rect()))
    painter.end()
    drawn = [panel.pixel(x, y).toPoint() for x, y in ((0.0, 2.0), (50.0, 3.0), (100.0, 4.0))]
    seen = [QColor(image.pixel(at)).saturation() > 60 for at in drawn]
    assert seen == [True, False, True]


@pytest.mark.parametrize("marker", ["none", "circle", "square", "triangle", "diamond", "cross"])
@pytest.mark.parametrize("count", [1, CROWD + 1])
def test_that_every_marker_is_visible(qtbot: QtBot, marker: str, count: int) -> None:
    image = QImage(40, 40, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw_dots(painter, Ink("light"), Look("MCS", marker=marker), [(20.0, 20.0)] * count)  # type: ignore[arg-type]
    painter.end()
    assert QColor(image.pixel(20, 20)) != QColor("white")
    assert QColor(image.pixel(2, 2)) == QColor("white")


def test_that_dots_extend_both_axes_and_are_complete_at_the_ends() -> None:
    dots = Points("sessions", np.array([10.0, 110.0]), np.array([1.0, 9.0]), LOOK)
    (scales,) = scales_of(_figure(dots))
    assert scales.x[0] < 10.0
    assert scales.x[1] > 110.0
    assert scales.y[0] == 0.0
    assert scales.y[1] > 9.0


def test_that_dots_over_names_are_drawn_at_their_value() -> None:
    axis = Axis("", categories=("a", "b"))
    bars = Bars("mean", np.array([1.0, 2.0]), LOOK)
    dots = Points("repeats", np.array([0.0, 0.1, 1.0]), np.array([0.9, 5.0, 2.0]), LOOK)
    (scales,) = scales_of(Figure("k", "?", "", (Panel("", axis, SECONDS, (bars, dots)),)))
    assert scales.x == (-0.5, 1.5)
    assert scales.y[1] > 5.0
    assert [(entry.name, entry.kind) for entry in legend_of(scales.panel)] == [("mean", "bar"), ("repeats", "points")]


def test_that_the_pointer_reads_the_nearest_dot_by_name_and_no_distant_dot(qtbot: QtBot) -> None:
    dots = Points("sessions", np.array([100.0, 0.0]), np.array([4.0, 2.0]), LOOK, ("user2", "user1"))
    view = _view(qtbot, _figure(dots))
    panel = view._panels[0]
    assert near_dot(panel, dots, 99.0) == 0
    assert near_dot(panel, dots, 50.0) is None
    (found,) = entries(Ink("light"), panel, Pointer(panel, 1.0, None))
    assert (found.name, found.value) == ("user1", "2.00")
