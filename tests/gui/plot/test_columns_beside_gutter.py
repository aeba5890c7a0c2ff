"""Columns next to a shared gutter: shared labels appear once, and columns that do not fit are scrolled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.plot.figures import TIME, per_vm_figure
from tests.gui.plot.test_zooming import PLAIN, SHIFT, turn
from workbench.charts.figure import Axis, Figure, Heatmap, Line, Look, Panel, Region
from workbench.gui.plot.axes.gutter import gutter_labels, own_scale, own_scale_labels, time_lines
from workbench.gui.plot.axes.labels import groups_of, names_apart
from workbench.gui.plot.layout import COLUMN_PX
from workbench.gui.plot.moving import _phase_names
from workbench.gui.plot.picture import render_figure
from workbench.gui.plot.pointing import readout
from workbench.gui.plot.view import FigureView
from workbench.words.numbers import THIN
from workbench.words.translated import speaking

CTRL = Qt.KeyboardModifier.ControlModifier


def many(count: int = 12, joined: bool = True) -> Figure:
    """Columns of one scale, each with a median over a heatmap of four VMs in two runs."""
    edges = np.linspace(0.0, 600.0, 61)
    names = tuple(f"VM{vm} · r{run}" for run in (1, 2) for vm in (1, 2))
    panels: list[Panel] = []
    for column in range(count):
        level, title = 100.0 / (column + 1), f"C{column}"
        x = (edges[:-1] + edges[1:]) / 2
        line = Line(f"{title}: median", x, np.full(60, level), Look("MCS"))
        heat = Heatmap(title, edges, names, np.full((4, 60), level), (0.0, 100.0), "IOPS")
        y = Axis("IOPS per VM", "IOPS", limits=(0.0, 104.0))
        panels.append(Panel(title, TIME, y, (line,), column, Look("MCS"), legend=False, against=0))
        panels.append(Panel("", TIME, Axis("VM", categories=names), (heat,), column, Look("MCS")))
    return Figure("per-vm-iops", "Q?", "", tuple(panels), joined=joined, scrolls=True)


@pytest.fixture
def view(view: FigureView) -> FigureView:
    view.show_figure(many())
    return view


def titles(view: FigureView) -> list[str]:
    return [title for title, _ in view.column_heads()] if view.seen else []


def in_view(view: FigureView) -> list[int]:
    return sorted({panel.scales.panel.column for panel in view.seen})


@pytest.mark.parametrize("joined", [True, False])
def test_that_columns_are_scrolled_if_they_do_not_fit_at_their_minimum_width(view: FigureView, joined: bool) -> None:
    view.show_figure(many(joined=joined))
    shown = in_view(view)
    assert shown == list(range(len(shown)))
    assert 1 < len(shown) < 12
    widths = {p.place.plot.width() if joined else p.place.card.width() for p in view.seen}
    assert min(widths) >= COLUMN_PX
    assert view.sideways.isVisible()
    assert view.sideways.maximum() == 12 - len(shown)
    view.resize(4_000, 700)
    assert in_view(view) == list(range(12))
    assert not view.sideways.isVisible()


def test_that_a_figure_that_does_not_scroll_shows_all_its_columns(view: FigureView) -> None:
    view.show_figure(replace(many(), scrolls=False))
    assert in_view(view) == list(range(12))
    assert not view.sideways.isVisible()


def test_that_shift_and_wheel_the_arrows_and_the_bar_move_the_columns_and_the_gutter_stays(view: FigureView) -> None:
    count, plot = len(in_view(view)), view.seen[0].place.plot
    turn(view._canvas.viewport(), plot.center(), SHIFT, -240)
    assert in_view(view)[0] == 2, "two notches, two columns"
    assert view.seen[0].place.plot == plot
    assert view.seen[0].place.names_y
    turn(view._canvas.viewport(), plot.center(), SHIFT, 240)
    assert in_view(view)[0] == 0
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right, CTRL)
    assert in_view(view) == list(range(2, 2 + count))
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert in_view(view)[0] == 1
    view.sideways.setValue(view.sideways.maximum())
    assert in_view(view) == list(range(12 - count, 12))


def test_that_the_wheel_zooms_and_with_shift_it_zooms_y_if_all_columns_fit(view: FigureView) -> None:
    turn(view._canvas.viewport(), view.seen[0].place.plot.center(), PLAIN)
    assert view.zoomed_span is not None
    view.reset_zoom()
    view.show_figure(many(3))
    turn(view._canvas.viewport(), view.seen[0].place.plot.center(), SHIFT)
    assert view.seen[0].scales.y != view.seen[0].full_y


def test_that_zoom_cursors_and_the_highlighted_vm_reach_columns_that_are_scrolled_to(view: FigureView) -> None:
    view.set_span(100.0, 300.0)
    view.light_vm("VM1 · r1")
    view._point(view.seen[0].pixel(200.0, 50.0))
    view.set_cursor("A")
    view.sideways.setValue(view.sideways.maximum())
    assert view._pointer is None, "what was under the pointer is out of view"
    assert {panel.span for panel in view.seen} == {(100.0, 300.0)}
    assert all(panel.lit_layer is not None for panel in view.seen if panel.heat is None)
    assert all(view.cursors.on(panel) for panel in view.seen)
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert in_view(view)[-1] == 11, "while a cursor is set the arrows belong to it"
    assert not view.grab().isNull()


def test_that_a_column_scrolled_to_is_compared_with_a_baseline_out_of_view(
    view: FigureView, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.sideways.setValue(view.sideways.maximum())
    painted: list[str] = []
    monkeypatch.setattr(readout, "paint_words", lambda _p, _i, _a, words, _m: painted.append(str(words)))
    view._point(view.seen[0].pixel(300.0, 5.0))
    view.grab()
    assert len(painted) == len(in_view(view))
    assert "(−92" in painted[-1]


def test_that_columns_out_of_view_ignore_clicks(view: FigureView) -> None:
    clicked: list[str] = []
    view.vm_clicked.connect(clicked.append)
    panel = view._panels[1]
    place = QPointF(panel.place.plot.center())
    view.sideways.setValue(3)
    assert not panel.placed
    assert view._panel_at(place) is not panel
    assert not panel.box.isVisible()


def test_that_overview_strip_and_scroll_bar_are_in_the_card_and_end_with_the_plots(view: FigureView) -> None:
    QApplication.processEvents()
    (card,) = view._layout.cards if view._layout else ()
    right = max(panel.place.plot.right() for panel in view.seen)
    strip = view.zoom_bar.strip
    ends = strip.mapTo(view, strip.rect().topRight()).x() + 1
    assert abs(ends - right) <= 1
    assert abs(strip.mapTo(view, strip.rect().topLeft()).x() - view.seen[0].place.plot.left()) <= 1
    assert card.contains(strip.mapTo(view, strip.rect().center()).toPointF())
    assert card.contains(view.sideways.geometry().center().toPointF())
    assert view.zoom_bar.y() > view.sideways.y() > view.seen[1].place.plot.bottom()
    view.set_span(100.0, 300.0)
    assert strip.mapTo(view, strip.rect().topRight()).x() + 1 == ends, "the strip stays under the hand"
    assert view.zoom_bar.reset.isVisible()
    assert not view.zoom_bar.whole.isVisible(), "both have the same place"
    view.reset_zoom()
    assert view.zoom_bar.whole.text() == f"Overview\n10:00{THIN}min"
    assert view.zoom_bar.whole.isVisible()


def test_that_the_strip_of_cards_side_by_side_ends_with_the_plots_too(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    QApplication.processEvents()
    strip = view.zoom_bar.strip
    right = max(panel.place.plot.right() for panel in view.seen)
    assert abs(strip.mapTo(view, strip.rect().topRight()).x() + 1 - right) <= 1


def test_that_runs_are_named_once_and_vms_in_their_rows(view: FigureView) -> None:
    heat = view.seen[1]
    assert names_apart(heat.place, view._ink)
    assert groups_of(heat.place.scales.heatmap.rows) == [("r1", 0, 2), ("r2", 2, 4)]  # type: ignore[union-attr]
    assert groups_of(("VM1", "VM2")) == []
    assert groups_of(("VM1 · r1", "VM1 · r2", "VM2 · r1")) == [], "a run that comes twice is no group"


def test_that_an_image_draws_the_columns_that_fit_and_names_the_others(view: FigureView) -> None:
    view.draw_as_picture()
    assert not view.sideways.isVisible()
    assert len(in_view(view)) < 12
    assert "of 12 configurations" in " ".join(view._said.notes)
    view.resize(4_000, 700)
    assert len(in_view(view)) == 12
    assert view._said.notes == view._footer.notes
    assert not render_figure(many(), (1_600, 900), "dark").isNull()


@pytest.mark.parametrize("zone", ["UTC+01:00", "a zone, with a comma"])
def test_that_the_gutter_of_a_clock_shows_its_time_zone(view: FigureView, zone: str) -> None:
    figure = many()
    axis = Axis(f"time of day, {zone}", "clock", zone=zone)
    view.show_figure(replace(figure, panels=tuple(replace(panel, x=axis) for panel in figure.panels)))
    assert view.seen[0].scales.clock
    assert " ".join(time_lines(view.seen[0].scales, view._ink, 1_000.0)) == zone


def test_that_a_nearly_empty_column_shows_its_scale_until_y_is_zoomed(view: FigureView) -> None:
    texts = {p.scales.panel.title: own_scale(p.place) for p in view.seen if p.heat is None}
    assert texts["C0"] == ""
    assert texts["C1"] == "", "half of the scale is no empty column"
    assert texts["C3"].startswith("own scale")
    assert texts["C3"].endswith("25.0")
    # Like a German document, which is drawn in another process.
    with speaking("de"):
        assert next(own_scale(p.place) for p in view.seen if p.scales.panel.title == "C3").startswith("eigene Skala")
    view.zoom_y(view.seen[0], 0.0, 30.0)
    assert {own_scale(p.place) for p in view.seen if p.heat is None} == {""}


@pytest.mark.parametrize("within", [False, True])
def test_that_the_note_of_a_scale_does_not_cover_the_name_of_a_phase(view: FigureView, within: bool) -> None:
    phase = Region("a phase of some length", 0.0, 600.0)
    inner = (Region("the time within it", 10.0, 590.0, within=True),) if within else ()
    figure = many()
    panels = tuple(replace(panel, regions=(phase, *inner)) for panel in figure.panels)
    view.show_figure(replace(figure, panels=panels))
    noted = 0
    for panel in (panel for panel in view.seen if panel.heat is None):
        names = [area for area, _ in _phase_names(view._ink, panel)]
        assert len(names) == 1 + within
        for label in own_scale_labels(panel.place, view._ink):
            assert panel.place.plot.contains(label.area)
            assert not [area for area in names if area.intersects(label.area)]
            noted += 1
    assert noted >= 2


def test_that_the_row_of_values_has_a_label_also_for_one_vm(view: FigureView) -> None:
    def named() -> list[str]:
        assert view._layout is not None
        return [label.text for _, _, label in gutter_labels(view._layout, view._ink)]

    assert "Median" in named()
    figure = many()
    alone = (
        replace(panel, marks=tuple(replace(mark, name="C") if isinstance(mark, Line) else mark for mark in panel.marks))
        for panel in figure.panels
    )
    view.show_figure(replace(figure, panels=tuple(alone)))
    assert "VM" in named()
    assert "Median" not in named()
