"""The cursors A and B, and the row over the plots that reads them or the pointer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from tests.gui.plot.figures import bars_figure, line_figure, per_vm_figure
from workbench.charts.figure import Axis, Figure, Line, Look, Panel
from workbench.gui.plot.picture import render_figure
from workbench.gui.plot.pointing.cursors import stretch_of
from workbench.gui.plot.pointing.readout import row_words
from workbench.gui.plot.view import FigureView

TIME = Axis("Time since phase start", "s")
X = np.arange(0.0, 1_000.0, 5.0)


def point(view: FigureView, x: float, panel: int = 0) -> None:
    """Moves the real pointer to x in a panel."""
    shown = view._panels[panel]
    at = QPointF(shown.pixel(x, 0).x(), shown.place.plot.center().y())
    QTest.mouseMove(view._canvas.viewport(), at.toPoint())
    view._point(at)


def set_both(view: FigureView, a: float, b: float) -> None:
    for key, x in ((Qt.Key.Key_A, a), (Qt.Key.Key_B, b)):
        point(view, x)
        QTest.keyClick(view, key)


def said(view: FigureView, panel: int = 0) -> list[tuple[str, dict[str, str]]]:
    words = row_words(view._ink, view._panels[panel], view._panels, view._pointer, view.cursors)
    return [(one.name, dict(one.parts)) for one in words]


def noisy(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    y = np.random.default_rng(seed).gamma(2.0, 20.0, X.size)
    y[40:60] = np.nan
    return X, y


def test_that_mean_and_percentile_between_the_cursors_equal_those_of_numpy_and_missing_is_not_zero(
    view: FigureView,
) -> None:
    x, y = noisy()
    view.show_figure(line_figure(x, y, Axis("IOPS", "IOPS")))
    set_both(view, 150.0, 600.0)
    places = view.cursors.on(view._panels[0])
    inside = y[(x >= places["A"]) & (x <= places["B"])]
    stretch = view.cursors.stretch(view._panels[0], view._panels[0].main_lines[0])
    assert np.isnan(inside).sum() == 20
    assert stretch.mean == pytest.approx(np.nanmean(inside), rel=1e-12)
    assert stretch.p95 == pytest.approx(np.nanpercentile(inside, 95), rel=1e-12)
    assert stretch.mean > np.nan_to_num(inside).mean() * 1.1
    ((name, parts),) = said(view)
    assert name == "line"
    assert list(parts) == ["A", "B", "Δ", "mean", "p95"]
    assert float(parts["mean"]) == pytest.approx(np.nanmean(inside), rel=0.005)


def test_that_swapping_the_cursors_changes_only_the_sign_of_the_difference() -> None:
    x, y = noisy()
    there, back = stretch_of(x, y, 100.0, 500.0), stretch_of(x, y, 500.0, 100.0)
    assert (there.mean, there.p95) == (back.mean, back.p95)
    assert there.at_b - there.at_a == -(back.at_b - back.at_a)


def test_that_a_range_without_samples_has_no_figures() -> None:
    x, y = noisy()
    stretch = stretch_of(x, y, x[45], x[50])
    assert all(math.isnan(value) for value in (stretch.at_a, stretch.at_b, stretch.mean, stretch.p95))


def test_that_cursors_are_on_samples_and_the_arrows_step_by_one_and_by_ten(view: FigureView) -> None:
    x, y = noisy()
    view.show_figure(line_figure(x, y, Axis("IOPS", "IOPS")))
    set_both(view, 101.4, 303.0)
    panel = view._panels[0]
    a, b = view.cursors.on(panel)["A"], view.cursors.on(panel)["B"]
    assert {a % 5, b % 5} == {0.0}
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.cursors.on(panel) == {"A": a, "B": b - 5}
    QTest.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert view.cursors.on(panel) == {"A": a, "B": b + 45}
    point(view, a)
    QTest.keyClick(view, Qt.Key.Key_A)
    for _ in range(30):
        QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert view.cursors.on(panel)["A"] == x[0]


def test_that_escape_removes_the_cursors_first_and_then_acts_on_the_window(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    before = view.grab().toImage()
    set_both(view, 500.0, 1_500.0)
    view._unpoint()
    assert view.grab().toImage() != before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.cursors
    assert view.grab().toImage() == before


def test_that_every_column_is_read_at_the_same_moments(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    set_both(view, 600.0, 2_000.0)
    for panel in (0, 2, 4):
        rows = said(view, panel)
        line = view._panels[panel].main_lines[0]
        at = view.cursors.on(view._panels[panel])
        index = [int(np.abs(line.x - at[name]).argmin()) for name in ("A", "B")]
        assert float(rows[0][1]["A"]) == pytest.approx(line.y[index[0]], rel=0.006)
        assert float(rows[0][1]["B"]) == pytest.approx(line.y[index[1]], rel=0.006)


def test_that_one_cursor_is_compared_with_the_pointer(view: FigureView) -> None:
    y = X * 2.0
    view.show_figure(line_figure(X, y, Axis("IOPS", "IOPS")))
    point(view, 100.0)
    QTest.keyClick(view, Qt.Key.Key_A)
    point(view, 300.0)
    ((_, parts),) = said(view)
    assert parts == {"A": "200", "": "600", "Δ": "+400"}


def test_that_the_row_of_a_column_reads_the_vm_under_the_pointer_in_its_heatmap(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    heat = view._panels[3].place.plot
    view._point(QPointF(heat.center().x(), heat.top() + 3.5 * heat.height() / 11))
    assert said(view, 2)[0][0] == "W10-004"
    assert all(name != "W10-004" for name, _ in said(view, 0))


def test_that_no_box_covers_the_data_and_the_readout_is_not_in_images(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    panel = view._panels[0]
    inside = panel.place.plot.adjusted(3, 3, -3, -3).toRect()
    plain = view.grab().toImage().copy(inside)
    point(view, 2_600.0)
    pointed = view.grab().toImage().copy(inside)
    columns = {
        x for x in range(plain.width()) if any(plain.pixel(x, y) != pointed.pixel(x, y) for y in range(plain.height()))
    }
    assert 0 < len(columns) < 20
    picture = FigureView()
    picture.draw_as_picture()
    picture.show_figure(per_vm_figure())
    assert {panel.place.read.height() for panel in picture._panels} == {0.0}
    assert not render_figure(per_vm_figure(), (640, 360), "light").isNull()
    picture.close()


def test_that_cursors_disappear_if_the_next_figure_does_not_cover_them(view: FigureView) -> None:
    view.show_figure(line_figure(X, X, Axis("IOPS", "IOPS")))
    set_both(view, 100.0, 900.0)
    view.show_figure(line_figure(X[:190], X[:190], Axis("IOPS", "IOPS")))
    assert len(view.cursors.on(view._panels[0])) == 2
    view.show_figure(line_figure(X[:100], X[:100], Axis("IOPS", "IOPS")))
    assert not view.cursors


def test_that_bars_have_no_cursors_and_no_row(view: FigureView) -> None:
    view.show_figure(bars_figure())
    QTest.keyClick(view, Qt.Key.Key_A)
    assert not view.cursors
    assert {panel.place.read.height() for panel in view._panels} == {0.0}


def test_that_values_and_differences_on_a_log_axis_are_plain_values(view: FigureView) -> None:
    x, y = 10.0 ** np.arange(0.0, 5.0), np.array([1.0, 10.0, 100.0, 1_000.0, 10_000.0])
    panel = Panel("", Axis("depth", "", "log"), Axis("IOPS", "IOPS", "log"), (Line("l", x, y, Look("MCS")),))
    view.show_figure(Figure("k", "Q", "", (panel,)))
    set_both(view, 1.0, 3.0)
    ((_, parts),) = said(view)
    assert (parts["A"], parts["B"], parts["Δ"], parts["mean"]) == ("10.0", "1\u2009000", "+990", "370")


@pytest.mark.parametrize("width", [260, 500, 1600])
def test_that_both_cursors_are_drawn_at_every_width_and_narrow_rows_grow(view: FigureView, width: int) -> None:
    view.resize(width, 700)
    view.show_figure(per_vm_figure())
    one = view._panels[0].place.read.height()
    set_both(view, 600.0, 2_000.0)
    view.grab()
    assert (view._panels[0].place.read.height() > one) == (width < 1600)
    assert view._panels[0].place.plot.height() > 60
