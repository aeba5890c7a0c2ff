"""The readout of a bar under the pointer, and of the bar chosen with the arrows."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after
from tests.gui.plot.figures import bars_figure, per_vm_figure
from tests.gui.plot.views import panels
from workbench.charts import ticks
from workbench.charts.figure import Axis, Bars, Figure, FigureSource, Line, Look, Panel
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.panel import value_at
from workbench.gui.plot.pointing.bar_reading import spoken, spot_words
from workbench.gui.plot.rows import rows_height
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow
from workbench.words.numbers import THIN, in_full

NAMES = ("MCS", "MCSIO 256 MB & <b>more</b>")


def boot(in_rows: bool = False) -> Figure:
    """Two configurations in boot, the second without a value; runs, range and source are known."""
    source = FigureSource(("runs/1", "runs/2"), "boot", "iops_per_vm")
    mcs = Bars(
        NAMES[0],
        np.array([70.3, np.nan]),
        Look("MCS"),
        np.array([69.0, np.nan]),
        np.array([71.5, np.nan]),
        stack="c",
        sources=(source, None),
        words=("70.3", "−12 %", "[−13, −11]") if in_rows else (),
        counts=("3", ""),
        ends="lowest and highest run",
    )
    mcsio = Bars(NAMES[1], np.array([np.nan, 7.0 if in_rows else np.nan]), Look("MCSIO"), stack="c")
    panel = Panel("Boot", Axis("", categories=NAMES), Axis("IOPS per VM", "IOPS"), (mcs, mcsio))
    return Figure("boot", "What does boot cost?", "", (panel,), in_rows=NAMES[1] if in_rows else "")


def read(view: FigureView) -> str:
    """The complete readout of the current bar; empty without one."""
    if view._spot is None:
        return ""
    name, words = spot_words(Ink("light"), view._spot)
    parts = [" ".join(filter(None, (word.name, label, value))) for word in words for label, value in word.parts]
    return " | ".join([name, *parts])


@pytest.mark.parametrize("in_rows", [False, True])
def test_that_pointing_at_a_bar_reads_configuration_phase_value_runs_and_range(view: FigureView, in_rows: bool) -> None:
    view.show_figure(boot(in_rows))
    view._point(view.spots[0].area.center())
    unit = f"{THIN}IOPS"
    change = ["change −12 % [−13, −11]"] if in_rows else []
    ends = f"lowest and highest run 69.0 to 71.5{unit}"
    assert read(view).split(" | ") == ["MCS", f"Boot 70.3{unit}", *change, "runs 3", ends]
    view._canvas.left.emit()
    assert read(view) == ""


def test_that_the_intervals_in_rows_have_a_head(view: FigureView) -> None:
    view.show_figure(boot(in_rows=True))
    assert view.rows is not None
    (panel,) = view.figure.panels
    assert [words for _, words in view.rows.heads(panel)] == ["change", "95 % interval"]
    view.resize(260, view.height())
    assert "95 % interval" not in [words for _, words in view.rows.heads(panel)]


def test_that_the_selected_bar_is_announced_and_framed_and_nothing_moves(view: FigureView) -> None:
    told: list[str] = []
    view.value_read.connect(told.append)
    view.show_figure(boot())
    places = [spot.area for spot in view.spots]
    before = view.grab().toImage()
    view._point(view.spots[0].area.center())
    assert told[-1].startswith("MCS: ")
    assert "70.3" in told[-1]
    assert view.grab().toImage() != before
    assert [spot.area for spot in view.spots] == places
    view._canvas.left.emit()
    assert told[-1] == ""
    assert view.grab().toImage() == before


def test_that_a_name_without_a_bar_shows_not_measured_and_its_full_name(view: FigureView) -> None:
    view.show_figure(boot())
    view._point(view.spots[1].area.center())
    assert read(view) == f"{NAMES[1]} | Boot not measured"


def test_that_pointing_at_a_stack_reads_the_part_at_that_height(view: FigureView) -> None:
    bars = tuple(Bars(name, np.array([10.0]), Look("other"), stack="tier") for name in ("reads", "writes"))
    panel = Panel("Steady", Axis("", categories=("MCS",)), Axis("IOPS", "IOPS"), bars)
    view.show_figure(Figure("pile", "Where?", "", (panel,)))
    lower, upper = view.spots
    view._point(lower.area.center())
    assert "reads" in read(view)
    view._point(upper.area.center())
    assert "writes" in read(view)


def test_that_lines_over_names_are_read_together(view: FigureView) -> None:
    ends = (("a", 2.0), ("b", np.nan))
    lines = tuple(Line(name, np.arange(2.0), np.array([1.0, end]), Look("MCS")) for name, end in ends)
    panel = Panel("", Axis("RAM", categories=("1 GB", "2 GB")), Axis("left", "%"), lines)
    view.show_figure(Figure("left", "?", "", (panel,)))
    view._point(view.spots[1].area.center())
    assert read(view) == f"2 GB | a 2.00{THIN}% | b —"


def test_that_arrows_move_from_bar_to_bar_and_return_shows_the_sources(view: FigureView, qtbot: QtBot) -> None:
    view.show_figure(boot())
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert read(view).startswith("MCS |")
    assert view.accessibleDescription().startswith("MCS: ")
    with qtbot.waitSignal(view.source_asked, timeout=1000) as asked:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert asked.args[0].phase == "boot"
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert "not measured" in read(view)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert read(view).startswith("MCS |")
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert read(view) == ""


def test_that_the_readout_of_a_bar_stays_in_another_size_and_disappears_with_its_figure(view: FigureView) -> None:
    view.show_figure(boot())
    view._point(view.spots[0].area.center())
    view.resize(700, 500)
    assert view._spot is not None
    assert view._spot.area == view.spots[0].area
    view.show_figure(bars_figure())
    assert read(view) == ""


def test_that_panels_of_samples_have_no_bars_to_read(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    assert view.spots == []


def test_that_every_bar_of_a_chart_can_be_pointed_at(view: FigureView) -> None:
    view.show_figure(bars_figure())
    for spot in view.spots:
        view._point(spot.area.center())
        assert view._spot is not None
        assert view._spot.same(spot)
    assert len({(spot.category, spot.bar) for spot in view.spots}) == len(view.spots)


def test_that_pointing_over_a_low_bar_or_at_its_name_reads_it(view: FigureView) -> None:
    view.show_figure(boot())
    spot = view.spots[0]
    for y in (spot.reach.top() + 1, spot.reach.bottom() - 4):
        view._point(QPointF(spot.area.center().x(), y))
        assert view._spot is not None
        assert view._spot.same(spot)


def test_that_rows_fill_a_large_card_and_their_ticks_stay_few(view: FigureView) -> None:
    figure = boot(in_rows=True)
    view.resize(3000, rows_height(figure, most=True))
    view.show_figure(figure)
    rows = view.rows
    assert rows is not None
    foot = rows.top + rows.tall * len(rows.names)
    assert rows.area.bottom() - foot < 60
    assert rows.bar > rows.wide / 2
    assert len(rows._ticks(rows.reaches[0]).places) <= 8


def test_that_the_tooltip_of_a_bar_has_all_digits_of_its_value(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("overview"))
    figure = opened.page.figure
    assert figure is not None
    read = [spot for spot in figure.spots if spot.bar is not None and np.isfinite(spot.bar.values[spot.category])]
    assert read
    rounded = 0
    for spot in read:
        assert spot.bar is not None
        full = in_full(float(spot.bar.values[spot.category]))
        assert full in tip_at(figure, spot.area.center())
        rounded += full not in spoken(Ink("light"), spot)
    assert rounded


def test_that_the_tooltip_of_a_curve_has_all_digits_of_its_value(timeline: MainWindow) -> None:
    figure = timeline.page.figure
    assert figure is not None
    panel = next(panel for panel in panels(figure) if panel.main_lines)
    (line, *_), at = panel.main_lines, panel.place.plot.center()
    x, y = panel.samples(line)
    assert in_full(value_at(x, y, panel.x_at(at.x()))) in tip_at(figure, at)


def tip_at(view: FigureView, at: QPointF) -> str:
    """The tooltip that the pointer gets at a point of the chart. The offscreen screen cannot show it."""
    viewport, place, told = view._canvas.viewport(), view._canvas.mapFromScene(at), list[str]()
    with pytest.MonkeyPatch.context() as patch:
        tip = SimpleNamespace(showText=lambda _place, text, _widget: told.append(text))
        patch.setattr("workbench.gui.plot.canvas.QToolTip", tip)
        QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place)))
    return told[0]


def test_that_a_change_has_the_digits_of_tables_although_axes_use_another_function(
    view: FigureView, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = ticks.reading
    monkeypatch.setattr(ticks, "reading", lambda value: written(value))
    bars = Bars("MCS", np.array([-7.0]), Look("MCS"), low=np.array([-112.0]), high=np.array([-4.31]), ends="ends")
    axis = Axis("Change", "%", change=True)
    view.show_figure(Figure("boot", "?", "", (Panel("Boot", Axis("", categories=("MCS",)), axis, (bars,)),)))
    view._point(view.spots[0].area.center())
    assert read(view).split(" | ")[1:] == [f"Boot −7.0{THIN}%", f"ends −112 to −4.3{THIN}%"]
