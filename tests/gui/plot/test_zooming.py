"""Zoom by box, wheel and overview strip, driven by real events; the button that resets the zoom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.plot.figures import bars_figure, line_figure, per_vm_figure
from workbench.charts.figure import Axis
from workbench.gui.plot.moving import _phase_names
from workbench.gui.plot.view import FigureView
from workbench.gui.plot.zooming import OverviewStrip, wheeled

NONE, LEFT = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
FULL = (0.0, 2_700.0)


@pytest.fixture
def view(view: FigureView) -> FigureView:
    view.show_figure(per_vm_figure())
    return view


def drag(widget: QWidget, start: QPointF, end: QPointF, keys: Qt.KeyboardModifier = PLAIN, wait: int = 15) -> None:
    """Presses the button, moves the mouse in six steps, and releases the button."""

    def send(kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        QTest.qWait(wait)
        event = QMouseEvent(kind, at, QPointF(widget.mapToGlobal(at.toPoint())), button, held, keys)
        QApplication.sendEvent(widget, event)

    send(QEvent.Type.MouseMove, start, NONE, NONE)
    send(QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for step in range(1, 7):
        send(QEvent.Type.MouseMove, start + (end - start) * (step / 6), NONE, LEFT)
    send(QEvent.Type.MouseButtonRelease, end, LEFT, NONE)


def turn(widget: QWidget, at: QPointF, keys: Qt.KeyboardModifier, amount: int = 240) -> None:
    place = QPointF(widget.mapToGlobal(at.toPoint()))
    angle = QPoint(0, amount)
    event = QWheelEvent(at, place, QPoint(), angle, NONE, keys, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(widget, event)


def plot_of(view: FigureView, x: float, y: float, panel: int = 0) -> QPointF:
    return view._panels[panel].pixel(x, y)


def spans(view: FigureView) -> set[tuple[float, float]]:
    return {panel.span for panel in view._panels}


def tops(view: FigureView) -> set[tuple[float, float]]:
    return {panel.scales.y for panel in view._panels if panel.heat is None}


def test_that_a_flat_drag_zooms_x_and_a_high_drag_also_zooms_y_in_all_columns(view: FigureView) -> None:
    port, (full_y,) = view._canvas.viewport(), tops(view)
    drag(port, plot_of(view, 600.0, 5.0), plot_of(view, 1_200.0, 5.0))
    ((low, high),) = spans(view)
    assert (low, high) == (pytest.approx(600.0, abs=25), pytest.approx(1_200.0, abs=25))
    assert tops(view) == {full_y}
    top = 0.6 * full_y[1]
    drag(port, plot_of(view, 700.0, top), plot_of(view, 1_100.0, 0.1 * top))
    ((low, high),) = spans(view)
    assert (low, high) == (pytest.approx(700.0, abs=25), pytest.approx(1_100.0, abs=25))
    ((bottom, upper),) = tops(view)
    assert bottom == pytest.approx(0.1 * top, rel=0.15)
    assert upper == pytest.approx(top, rel=0.05)
    view.grab()


def test_that_a_very_short_drag_does_not_zoom(view: FigureView) -> None:
    at = plot_of(view, 600.0, 5.0)
    drag(view._canvas.viewport(), at, at + QPointF(3, 60))
    assert spans(view) == {FULL}
    assert not view.zoomed


def test_that_a_box_on_a_heatmap_zooms_only_x(view: FigureView) -> None:
    plot = view._panels[1].place.plot
    drag(view._canvas.viewport(), plot.topLeft() + QPointF(40, 5), plot.center())
    assert spans(view) != {FULL}
    assert tops(view) == {view._panels[0].full_y}


def test_that_shift_and_wheel_or_the_wheel_over_the_axis_zoom_y_around_the_pointer(view: FigureView) -> None:
    port, plot = view._canvas.viewport(), view._panels[0].place.plot
    for at, keys in ((plot.center(), SHIFT), (QPointF(plot.left() - 15, plot.center().y()), PLAIN)):
        before = view._panels[0].scales.y
        under = view._panels[0].y_at(at.y())
        turn(port, at, keys)
        (shown,) = tops(view)
        assert shown[1] - shown[0] < before[1] - before[0]
        assert view._panels[0].y_at(at.y()) == pytest.approx(under, abs=1.5 * (shown[1] - shown[0]) / plot.height())
        assert spans(view) == {FULL}
    for _ in range(20):
        turn(port, plot.center(), SHIFT, -240)
    assert tops(view) == {view._panels[0].full_y}


def test_that_the_axis_shows_that_y_is_zoomed(view: FigureView) -> None:
    panel = view._panels[0]
    before = panel.place.scales.y_ticks(6).labels
    for _ in range(6):
        turn(view._canvas.viewport(), panel.place.plot.center(), SHIFT)
    assert panel.place.scales.y == panel.scales.y
    assert panel.place.scales.y_ticks(6).labels != before


def test_that_the_reset_button_is_visible_while_zoomed_and_shows_everything(view: FigureView) -> None:
    button = view.zoom_bar.reset
    assert not button.isVisible()
    view.set_span(300.0, 900.0)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert spans(view) == {FULL}
    assert not button.isVisible()
    turn(view._canvas.viewport(), view._panels[0].place.plot.center(), SHIFT)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert tops(view) == {view._panels[0].full_y}
    assert not button.isVisible()


def test_that_the_reset_button_is_visible_without_an_overview_strip(view: FigureView) -> None:
    view.resize(500, 250)
    assert not view.zoom_bar.isVisible()
    view.set_span(300.0, 900.0)
    assert view.zoom_bar.reset.isVisible()
    assert not view.zoom_bar.strip.isVisible()


def test_that_dragging_an_edge_or_the_middle_of_the_window_moves_it(view: FigureView) -> None:
    strip = view.zoom_bar.strip
    middle = strip.height() / 2
    drag(strip, QPointF(strip.x_of(0.0), middle), QPointF(strip.x_of(900.0), middle), wait=0)
    ((low, high),) = spans(view)
    assert (low, high) == (pytest.approx(900.0, abs=5), 2_700.0)
    drag(strip, QPointF(strip.x_of(high) - 1, middle), QPointF(strip.x_of(1_800.0), middle), wait=0)
    ((low, high),) = spans(view)
    assert high == pytest.approx(1_800.0, abs=10)
    start = strip.x_of((low + high) / 2)
    drag(strip, QPointF(start, middle), QPointF(start + strip.x_of(300.0) - strip.x_of(0.0), middle), wait=0)
    ((later, last),) = spans(view)
    assert later == pytest.approx(low + 300.0, abs=5)
    assert last - later == pytest.approx(high - low)
    drag(strip, QPointF(strip.x_of((later + last) / 2), middle), QPointF(strip.width() + 500.0, middle), wait=0)
    ((later, last),) = spans(view)
    assert (last, last - later) == (2_700.0, pytest.approx(high - low))


def test_that_a_press_next_to_the_strip_range_moves_it_there(view: FigureView) -> None:
    strip = view.zoom_bar.strip
    view.set_span(0.0, 600.0)
    QTest.mouseClick(strip, LEFT, pos=QPoint(round(strip.x_of(2_000.0)), 20))
    ((low, high),) = spans(view)
    assert (low + high) / 2 == pytest.approx(2_000.0, abs=5)
    assert high - low == pytest.approx(600.0)


def test_that_a_double_click_on_the_strip_shows_the_phase_there(view: FigureView) -> None:
    strip = view.zoom_bar.strip
    for place, phase in ((1_500.0, (600.0, 2_700.0)), (200.0, (0.0, 600.0))):
        QTest.mouseDClick(strip, LEFT, pos=QPoint(round(strip.x_of(place)), 20))
        assert spans(view) == {phase}


def test_that_ctrl_with_wheel_zooms_on_the_strip_and_the_wheel_alone_does_not(view: FigureView) -> None:
    strip = view.zoom_bar.strip
    turn(strip, QPointF(strip.x_of(900.0), 20), PLAIN)
    assert spans(view) == {FULL}
    turn(strip, QPointF(strip.x_of(900.0), 20), CTRL)
    ((low, high),) = spans(view)
    assert 0.0 < low < 900.0 < high < 2_700.0
    assert (900.0 - low) / (high - low) == pytest.approx(1 / 3, abs=0.02)


def test_that_the_window_of_the_strip_follows_the_plots(view: FigureView) -> None:
    view.set_span(300.0, 900.0)
    assert view.zoom_bar.strip.window_span == (300.0, 900.0)
    before = view.zoom_bar.strip.grab().toImage()
    view.set_span(900.0, 1_500.0)
    assert view.zoom_bar.strip.grab().toImage() != before


def test_that_charts_over_names_or_over_clocks_of_several_columns_have_no_strip(view: FigureView) -> None:
    view.show_figure(bars_figure())
    assert not view.zoom_bar.isVisible()
    clocks = per_vm_figure()
    axis = Axis("time of day, UTC", "clock")
    view.show_figure(replace(clocks, panels=tuple(replace(p, x=axis) for p in clocks.panels)))
    assert not view.zoom_bar.strip.isVisible()
    view._panels[0].box.setXRange(300.0, 900.0, padding=0)
    assert view.zoom_bar.reset.isVisible()


def test_that_a_gap_in_the_data_is_a_gap_in_the_strip(view: FigureView) -> None:
    x = np.linspace(0.0, 2_700.0, 300)
    y = np.where((x > 900) & (x < 1_800), np.nan, 5.0)
    view.show_figure(line_figure(x, y, Axis("IOPS", "IOPS")))
    strip: OverviewStrip = view.zoom_bar.strip
    image, card = strip.grab().toImage(), view._ink.token("card").rgb()
    inked = {x for x in range(20, strip.width() - 20) if any(image.pixel(x, y) != card for y in range(6, 20))}
    assert round(strip.x_of(450.0)) in inked
    assert not inked & set(range(round(strip.x_of(920.0)), round(strip.x_of(1_780.0))))


def test_that_a_vertical_zoom_stays_after_a_change_of_theme_or_of_figure_with_the_same_range(view: FigureView) -> None:
    turn(view._canvas.viewport(), view._panels[0].place.plot.center(), SHIFT)
    (shown,) = tops(view)
    view.set_theme("dark")
    assert tops(view) == {shown}
    view.show_figure(per_vm_figure())
    assert tops(view) == {shown}
    view.show_figure(per_vm_figure(scale="log"))
    assert tops(view) == {view._panels[0].full_y}


def test_that_the_name_of_a_phase_stays_while_both_of_its_edges_are_out_of_view(view: FigureView) -> None:
    assert [name for _, name in _phase_names(view._ink, view._panels[0])] == ["logon", "steady state"]
    view.set_span(1_000.0, 2_000.0)
    assert [name for _, name in _phase_names(view._ink, view._panels[0])] == ["steady state"]


def test_that_wheel_zoom_stays_between_the_whole_range_and_the_smallest_one() -> None:
    span = FULL
    for _ in range(200):
        span = wheeled(span, FULL, 1_000.0, 240)
    assert span[1] - span[0] == pytest.approx(2_700.0 / 2_000)
    assert span[0] <= 1_000.0 <= span[1]
    for _ in range(200):
        span = wheeled(span, FULL, 1_000.0, -240)
    assert span == pytest.approx(FULL)


def test_that_no_curve_of_the_strip_crosses_the_names_of_the_phases(view: FigureView) -> None:
    strip, panel = view.zoom_bar.strip, view._panels[0]
    assert strip.names()
    assert strip.rows_of(panel, np.array(panel.full_y)).min() >= strip.band > 10
    view.show_figure(line_figure(np.array([0.0, 60.0]), np.array([1.0, 2.0]), Axis("IOPS", "IOPS")))
    assert strip.band == 0.0, "without names the curves have the whole height"
