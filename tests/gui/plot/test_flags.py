"""Notes as flags on charts, and the readout of notes and of the baseline."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.plot.figures import per_vm_figure
from workbench.charts.figure import Axis, Figure, Flag, Line, Look, Moment, Panel
from workbench.gui.plot.flags import flag_at, flags_at
from workbench.gui.plot.pointing.readout import Pointer, _baseline, _note_entries, entries
from workbench.gui.plot.view import FigureView

X = np.arange(0.0, 100.0)
TIME = Axis("Time since phase start", "s")
LONG = "The virtual center failed over to its other node while the second batch of desktops was booting. " * 5


@pytest.fixture
def view(view: FigureView) -> FigureView:
    view.resize(900, 500)
    return view


def figure(*levels: float, notes: tuple[Flag, ...] = ()) -> Figure:
    """A column per level, a flat line in each; the first is the baseline."""
    panels = tuple(
        Panel(
            f"c{column}",
            TIME,
            Axis("IOPS", "IOPS"),
            (Line("median", X, np.full(100, level), Look("MCS")),),
            column,
            notes=notes,
            against=0,
        )
        for column, level in enumerate(levels)
    )
    return Figure("test", "How much?", "", panels)


def told(view: FigureView, column: int, x: float = 50.0) -> list[str]:
    panel = view._panels[column]
    found = entries(view._ink, panel, Pointer(panel, x, None), _baseline(panel, view._panels))
    return [entry.value for entry in found]


def test_that_each_configuration_is_compared_with_the_baseline_under_the_pointer(view: FigureView) -> None:
    view.show_figure(figure(40.0, 10.0, 60.0))
    assert [told(view, column) for column in range(3)] == [["40.0"], ["10.0 (−75\u2009%)"], ["60.0 (+50\u2009%)"]]


def test_that_no_change_is_shown_for_a_baseline_of_zero_or_none(view: FigureView) -> None:
    view.show_figure(figure(0.0, 10.0))
    assert told(view, 1) == ["10.0"]
    view.show_figure(figure(np.nan, 10.0))
    assert told(view, 1) == ["10.0"]


def test_that_a_note_is_read_near_its_line_and_only_there(view: FigureView) -> None:
    view.show_figure(figure(40.0, notes=(Flag("a", 3, 50.0, LONG),)))
    panel = view._panels[0]
    at = panel.pixel(50.0, 0).x()
    assert [flag.number for flag in flags_at(panel, at + 5)] == [3]
    assert flag_at(panel, at + 20) is None
    lines = _note_entries(view._ink, panel, 50.0)
    assert lines[0].name.startswith("3  The virtual center")
    assert len(lines) == 6
    assert max(len(line.name) for line in lines) < 55
    view.set_span(0.0, 40.0)
    assert flags_at(panel, panel.pixel(50.0, 0).x()) == []


def test_that_a_flag_is_drawn_at_its_moment(view: FigureView) -> None:
    # The focus frame has the accent colour too.
    view.clearFocus()

    def accents() -> set[int]:
        image = view.grab().toImage()
        accent = view._ink.token("accent").rgb()
        row = round(view._panels[0].place.plot.center().y())
        return {x for x in range(image.width()) if image.pixel(x, row) == accent}

    view.show_figure(figure(40.0))
    assert accents() == set()
    view.show_figure(figure(40.0, notes=(Flag("a", 1, 25.0, "x"),)))
    (column,) = accents()
    assert column == pytest.approx(view._panels[0].pixel(25.0, 0).x(), abs=1.5)


@pytest.mark.parametrize(("levels", "below"), [((49.0, 49.5), True), ((2.0, 1.0), False)])
def test_that_the_words_of_a_moment_do_not_cover_the_line(
    view: FigureView, levels: tuple[float, float], below: bool
) -> None:
    view.resize(900, 230)
    y = np.linspace(*levels, 100)
    marks = (Line("IOPS", X, y, Look("MCS")), Line("highest", X[:2], np.array([50.0, 50.0]), Look("MCS")))
    panel = Panel("", TIME, Axis("IOPS", "IOPS"), marks, moments=(Moment("test", 50.0, "knee: queue depth 16"),))
    view.show_figure(Figure("test", "How much?", "", (panel,)))
    shown = view._panels[0]
    plot, ink = shown.place.plot, view._ink.token("text").rgb()
    image = view.grab().toImage()
    column = round(shown.pixel(50.0, 0).x()) + 3
    rows = [y for y in range(round(plot.top()), round(plot.bottom()) - 1) if image.pixel(column, y) == ink]
    assert len(rows) > 8, "no plate"
    assert (min(rows) > plot.center().y()) is below
    line_at = shown.pixel(0, float(np.interp(52, X, y))).y()
    assert not min(rows) <= line_at <= max(rows)


def test_that_a_double_click_on_a_flag_opens_it_and_a_double_click_elsewhere_resets_the_zoom(
    view: FigureView, qtbot: QtBot
) -> None:
    view.show_figure(figure(40.0, notes=(Flag("a", 1, 50.0, "x"),)))
    view.set_span(20.0, 80.0)
    panel = view._panels[0]
    place, port = panel.place.plot.center(), view._canvas.viewport()
    with qtbot.waitSignal(view.note_opened) as told_key:
        QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=QPointF(panel.pixel(50.0, 0).x(), place.y()).toPoint())
    assert told_key.args == ["a"]
    assert view.zoomed_span is not None
    with qtbot.assertNotEmitted(view.note_opened):
        QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=QPointF(panel.pixel(30.0, 0).x(), place.y()).toPoint())
    assert view.zoomed_span is None


def test_that_key_n_adds_a_note_at_the_pointer(view: FigureView, qtbot: QtBot) -> None:
    view.show_figure(figure(40.0, 20.0))
    panel = view._panels[1]
    view._point(QPointF(panel.pixel(30.0, 0).x(), panel.place.plot.center().y()))
    with qtbot.waitSignal(view.note_wanted) as told_place:
        QTest.keyClick(view, Qt.Key.Key_N)
    assert told_place.args is not None
    title, x = told_place.args
    assert (title, x) == ("c1", pytest.approx(30.0, abs=0.5))


def test_that_a_log_axis_compares_values_and_not_exponents(view: FigureView) -> None:
    one = figure(100.0, 10.0)
    log = Axis("IOPS", "IOPS", "log")
    view.show_figure(replace(one, panels=tuple(replace(panel, y=log) for panel in one.panels)))
    assert told(view, 1)[0].endswith("(−90\u2009%)")


def test_that_a_heatmap_column_also_shows_the_line_of_a_note(view: FigureView) -> None:
    shown = per_vm_figure()
    noted = replace(shown, panels=tuple(replace(p, notes=(Flag("a", 1, 900.0, "x"),)) for p in shown.panels))
    view.show_figure(noted)
    assert all(flags_at(panel, panel.pixel(900.0, 0).x()) for panel in view._panels)
