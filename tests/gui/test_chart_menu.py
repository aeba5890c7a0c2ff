"""A right click on a curve: it is hidden, shown alone, copied, traced to its file, or removed from the timeline."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after, settle
from workbench.charts.figure import Axis, Figure, Line, Look, Panel
from workbench.gui.dialogs.source_window import SourceWindow
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow

HOSTILE = "R&D <b>disk</b>\tCtrl+Q"


def chart(window: MainWindow) -> FigureView:
    assert window.page.figure is not None
    return window.page.figure


def lines(window: MainWindow) -> list[Line]:
    """The lines that have values."""
    marks = (mark for panel in chart(window).figure.panels for mark in panel.marks if isinstance(mark, Line))
    return [line for line in marks if np.isfinite(line.y).any()]


def point_on(view: FigureView, name: str) -> QPointF:
    """A point that is only on this line."""
    for panel in view._panels:
        for line in panel.main_lines:
            if line.name == name:
                x, y = panel.samples(line)
                for index in np.flatnonzero(np.isfinite(y)).tolist():
                    at = panel.pixel(float(x[index]), float(y[index])).toPoint().toPointF()
                    if view.curve_at(at) == (panel.scales.panel, name):
                        return at
    raise AssertionError(f"{name} is nowhere alone.")


def menu_at(window: MainWindow, at: QPointF) -> dict[str, QAction]:
    menu = window.charts.menu(window.page, at.toPoint())
    actions = {action.text(): action for action in menu.actions()}
    # The menu is deleted when it closes, with its entries.
    window.setProperty("menu", menu)
    return actions


def test_that_a_curve_is_hidden_shown_alone_and_all_are_shown_again(timeline: MainWindow, qtbot: QtBot) -> None:
    every = [line.name for line in lines(timeline)]
    first = every[0]
    after(timeline, qtbot, menu_at(timeline, point_on(chart(timeline), first))["Hide"].trigger)
    assert [line.name for line in lines(timeline)] == every[1:]
    second = point_on(chart(timeline), every[1])
    after(timeline, qtbot, menu_at(timeline, second)["Show all"].trigger)
    assert [line.name for line in lines(timeline)] == every
    after(timeline, qtbot, menu_at(timeline, point_on(chart(timeline), first))["Hide other entries"].trigger)
    assert [line.name for line in lines(timeline)] == [first]
    actions = menu_at(timeline, point_on(chart(timeline), first))
    assert not actions["Hide"].isEnabled()
    assert not actions["Hide other entries"].isEnabled()
    timeline.workspace.undo()
    settle(timeline, qtbot)
    assert [line.name for line in lines(timeline)] == every


def test_that_an_entry_of_the_legend_has_the_same_menu(timeline: MainWindow) -> None:
    area, entry = chart(timeline)._entries()[0]
    actions = menu_at(timeline, area.center())
    assert {"Hide", "Hide other entries", "Show all", "Copy values", "Remove from timeline"} <= set(actions)
    assert next(iter(actions.values())).text() == entry.name.replace("&", "&&")


def test_that_only_the_values_of_the_curve_are_copied(timeline: MainWindow, qtbot: QtBot) -> None:
    line = lines(timeline)[0]
    actions = menu_at(timeline, point_on(chart(timeline), line.name))
    after(timeline, qtbot, actions["Copy values"].trigger)
    qtbot.waitUntil(lambda: line.name in QGuiApplication.clipboard().text())
    rows = QGuiApplication.clipboard().text().splitlines()[1:]
    assert {row.split("\t")[1] for row in rows} == {line.name}
    assert len(rows) == line.x.size


def test_that_a_counter_is_removed_from_the_timeline(timeline: MainWindow, qtbot: QtBot) -> None:
    before = timeline.counters.shown
    name = lines(timeline)[0].name
    after(timeline, qtbot, menu_at(timeline, point_on(chart(timeline), name))["Remove from timeline"].trigger)
    assert timeline.counters.shown == before[1:]
    assert name not in [line.name for line in lines(timeline)]


def test_that_the_source_of_a_counter_is_its_column_and_all_its_rows(timeline: MainWindow, qtbot: QtBot) -> None:
    name = lines(timeline)[0].name
    after(timeline, qtbot, menu_at(timeline, point_on(chart(timeline), name))["Show source"].trigger)
    settle(timeline, qtbot)
    qtbot.waitUntil(lambda: bool(timeline.findChildren(SourceWindow)))
    (window,) = timeline.findChildren(SourceWindow)
    key = timeline.counters.shown[0]
    (row,) = (window.sources.table.row(at) for at in range(window.sources.table.model().rowCount()))
    assert any(cell.text.endswith(key.path) for cell in row)
    assert any(cell.value == 2 for cell in row)


def test_that_the_menu_between_curves_is_that_of_the_chart(timeline: MainWindow) -> None:
    plot = chart(timeline)._panels[0].place.plot
    places = [QPointF(plot.center().x(), plot.top() + share * plot.height()) for share in np.linspace(0.02, 0.98, 49)]
    free = next(at for at in places if chart(timeline).curve_at(at) is None)
    assert "Hide" not in menu_at(timeline, free)


def test_that_a_name_from_data_is_plain_text_in_the_menu(timeline: MainWindow) -> None:
    x = np.linspace(0.0, 100.0, 50)
    panel = Panel("", Axis("time", "s"), Axis("y"), (Line(HOSTILE, x, x, Look("MCS")),), names_one=True)
    chart(timeline).show_figure(Figure("hostile", "?", "", (panel,)))
    menu: QMenu = timeline.charts.menu(timeline.page, point_on(chart(timeline), HOSTILE).toPoint())
    title = menu.actions()[0]
    assert title.text() == "R&&D <b>disk</b> Ctrl+Q"
    assert not title.isEnabled()


def test_that_a_click_finds_a_steep_line_between_its_samples_but_not_in_a_gap(view_of: FigureView) -> None:
    x, y = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 100.0, math.nan, 50.0])
    line = Line("a", x, y, Look("MCS"))
    panel = Panel("", Axis("time", "s"), Axis("y"), (line, replace(line, name="b", y=y * 0)))
    view_of.show_figure(Figure("steep", "?", "", (panel,)))
    shown = view_of._panels[0]
    assert view_of.curve_at(shown.pixel(0.5, 50.0)) == (panel, "a")
    assert view_of.curve_at(shown.pixel(2.0, 75.0)) is None
    assert view_of.curve_at(shown.pixel(0.9, 0.0)) == (panel, "b")


@pytest.fixture
def view_of(qtbot: QtBot) -> FigureView:
    """A separate chart."""
    view = FigureView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    return view
