"""FigureView under the pointer: zoom, dragging, clicks and the readout."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.plot.figures import per_vm_figure
from tests.gui.plot.views import move, panels
from workbench.gui.plot.view import FigureView


def test_that_a_double_click_and_the_key_0_reset_the_zoom(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    for back in (_double_click, lambda v: QTest.keyClick(v, Qt.Key.Key_0)):
        view.set_span(300.0, 900.0)
        back(view)
        assert {p.span for p in panels(view)} == {(0.0, 2_700.0)}


def test_that_the_wheel_zooms_x_around_the_pointer_and_leaves_y(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    panel = panels(view)[0]
    before, at = panel.box.viewRange()[1], panel.place.plot.center()
    _wheel(view, at)
    low, high = panel.span
    assert 0.0 < low < high < 2_700.0
    assert (low + high) / 2 == pytest.approx(1_350.0, abs=10)
    assert panel.box.viewRange()[1] == before


def test_that_dragging_with_shift_moves_x_by_the_pointer_distance(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    view.set_span(900.0, 1_800.0)
    panel = panels(view)[0]
    start = panel.place.plot.center().toPoint()
    wide = panel.place.plot.width()
    viewport = view._canvas.viewport()
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, shift, start)
    for step in (5, 10, 20, 40):
        QTest.qWait(20)
        move(view, start + QPoint(step, 0), shift)
    QTest.qWait(20)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, shift, start + QPoint(40, 0))
    low, high = panel.span
    assert high - low == pytest.approx(900.0)
    assert 900.0 - low == pytest.approx(40 / wide * 900.0, rel=0.02)


def test_that_a_click_on_a_row_shows_its_vm(view: FigureView, qtbot: QtBot) -> None:
    view.show_figure(per_vm_figure())
    heat = panels(view)[3]
    tall = heat.place.plot.height() / 11
    at = QPoint(round(heat.place.plot.center().x()), round(heat.place.plot.top() + 3.5 * tall))
    with qtbot.waitSignal(view.vm_clicked, timeout=2_000) as told:
        QTest.mouseClick(view._canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert told.args == ["W10-004"]


def test_that_a_click_away_from_all_lines_shows_nothing(view: FigureView, qtbot: QtBot) -> None:
    view.show_figure(per_vm_figure())
    corner = panels(view)[2].place.plot.topRight() + QPointF(-5, 5)
    with qtbot.assertNotEmitted(view.vm_clicked, wait=50):
        QTest.mouseClick(view._canvas.viewport(), Qt.MouseButton.LeftButton, pos=corner.toPoint())


def test_that_the_readout_follows_the_pointer_and_disappears_with_it(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    plain = view.grab().toImage()
    view._point(panels(view)[0].place.plot.center())
    pointed = view.grab().toImage()
    assert pointed != plain
    view._canvas.left.emit()
    assert view.grab().toImage() == plain


def _wheel(view: FigureView, at: QPointF) -> None:
    viewport = view._canvas.viewport()
    turned = QWheelEvent(
        at,
        QPointF(viewport.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, turned)


def _double_click(view: FigureView) -> None:
    at = panels(view)[0].place.plot.center().toPoint()
    viewport = view._canvas.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
