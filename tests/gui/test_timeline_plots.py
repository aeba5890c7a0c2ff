"""Curves of the timeline in the real window: names at their ends, moved between plots, computed from others."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after, settle
from tests.gui.test_timeline_page import LEFT, NONE, chart, lines
from workbench.charts.figure import Figure
from workbench.gui.pages.counter_model import keys_in, mime_of
from workbench.gui.plot.moving import end_names, tick_labels, time_labels
from workbench.gui.shell.main_window import MainWindow
from workbench.model.recording import SeriesKey
from workbench.session.document import SessionDocument, decode, encode


def units(window: MainWindow) -> list[str]:
    return [panel.y.unit for panel in chart(window).figure.panels]


def drop(window: MainWindow, qtbot: QtBot, key: SeriesKey, at: QPointF) -> None:
    """Drops a counter at a point of the chart."""
    place = chart(window).mapTo(window.page, at.toPoint())
    data = mime_of((key,))
    # Qt drops on the widget that a drag has entered.
    enter = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, LEFT, NONE)
    QApplication.sendEvent(window.page, enter)
    event = QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, LEFT, NONE)
    after(window, qtbot, lambda: QApplication.sendEvent(window.page, event))


def middle(window: MainWindow, panel: int) -> QPointF:
    return chart(window)._panels[panel].place.plot.center()


def below(window: MainWindow) -> QPointF:
    plot = chart(window)._panels[-1].place.plot
    return QPointF(plot.center().x(), plot.bottom() + 20)


def test_that_every_line_has_its_name_at_its_end_without_overlap(timeline: MainWindow) -> None:
    view = chart(timeline)
    for panel in view._panels:
        named = end_names(view._ink, panel)
        assert {entry.name for _, entry in named} == {line.name for line in panel.main_lines}
        assert all(area.left() > panel.place.plot.right() for area, _ in named)
        assert all(area.right() <= panel.place.card.right() for area, _ in named)
        assert all(upper.bottom() <= lower.top() + 0.5 for (upper, _), (lower, _) in pairwise(named))
        assert panel.place.legend == ()


def test_that_a_plot_too_low_for_its_names_has_a_legend(timeline: MainWindow, qtbot: QtBot) -> None:
    every = [key for key in timeline.counters.shown if "Processor" in key.path]
    runs = [key for one in every for key in timeline.counters.twins(one)]
    after(timeline, qtbot, lambda: timeline.counters.add(runs))
    after(timeline, qtbot, lambda: timeline.resize(1100, 700))
    view = chart(timeline)
    assert all(not end_names(view._ink, panel) for panel in view._panels)
    assert all(panel.place.legend for panel in view._panels)


def test_that_the_clock_is_under_the_minutes_and_moves_with_them(timeline: MainWindow) -> None:
    view = chart(timeline)
    last = view._panels[-1]
    clock, minutes = time_labels(view._ink, last), [label for _, label in tick_labels(view._ink, last)]
    assert len(clock) >= 3
    assert all(re.fullmatch(r"\d\d:\d\d", label.text) for label in clock), [label.text for label in clock]
    assert min(label.area.top() for label in clock) >= max(label.area.bottom() for label in minutes)
    view.set_span(0.0, 300.0)
    zoomed = time_labels(view._ink, last)
    assert [label.text for label in zoomed] != [label.text for label in clock]
    assert all(left.area.right() < right.area.left() for left, right in pairwise(zoomed))


def test_that_a_curve_moves_to_a_new_plot_and_back_and_with_undo(timeline: MainWindow, qtbot: QtBot) -> None:
    before = chart(timeline).figure
    key = timeline.counters.shown[0]
    drop(timeline, qtbot, key, below(timeline))
    assert units(timeline) == ["IOPS", "IOPS", "%"]
    assert [mark.name for mark in chart(timeline).figure.panels[1].marks] == [lines_of(before)[0]]
    drop(timeline, qtbot, key, middle(timeline, 0))
    assert units(timeline) == ["IOPS", "%"]
    after(timeline, qtbot, timeline.history.undo)
    assert units(timeline) == ["IOPS", "IOPS", "%"]
    state = timeline.workspace.state
    assert decode(encode(SessionDocument(state=state)), "session").state.placed == ((key, 1),)
    after(timeline, qtbot, timeline.history.undo)
    assert lines(timeline) == lines_of(before)
    assert units(timeline) == ["IOPS", "%"]


def lines_of(figure: Figure) -> list[str]:
    return [mark.name for panel in figure.panels for mark in panel.marks]


def test_that_a_curve_never_shares_a_plot_with_another_unit(timeline: MainWindow, qtbot: QtBot) -> None:
    before = lines(timeline)
    drop(timeline, qtbot, timeline.counters.shown[0], middle(timeline, 1))
    assert lines(timeline) == before
    assert units(timeline) == ["IOPS", "%"]
    assert "unit" in timeline.strip.message.full


def test_that_a_name_dragged_away_is_a_counter_and_a_click_still_hides_it(
    timeline: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, dragged = chart(timeline), []
    monkeypatch.setattr("workbench.gui.commands.counters.QDrag", lambda _source: Drag(dragged))
    area, entry = end_names(view._ink, view._panels[0])[0]
    port, at = view._canvas.viewport(), view._canvas.mapFromScene(area.center())
    QTest.mousePress(port, LEFT, NONE, at)
    QTest.mouseMove(port, at + QPoint(0, 4))
    QTest.mouseMove(port, at + QPoint(0, 60))
    QTest.mouseRelease(port, LEFT, NONE, at + QPoint(0, 60))
    settle(timeline, qtbot)
    shown = dict(zip(lines(timeline), timeline.counters.shown, strict=True))
    assert dragged == [(shown[entry.name],)]
    assert not timeline.page.figure.figure.panels[0].hidden  # type: ignore[union-attr]
    after(timeline, qtbot, lambda: QTest.mouseClick(port, LEFT, NONE, at))
    assert entry.name in chart(timeline).figure.panels[0].hidden


class Drag:
    """Replaces Qt's drag, which waits for a real pointer."""

    def __init__(self, seen: list[tuple[SeriesKey, ...]]) -> None:
        self._seen = seen

    def setMimeData(self, data: object) -> None:
        self._data = data

    def exec(self, _action: object) -> None:
        self._seen.append(keys_in(self._data))  # type: ignore[arg-type]


def test_that_two_drawn_counters_are_added_and_subtracted_from_the_list(
    timeline: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = timeline.counters.panel
    for row in (0, 1):
        panel.drawn.item(row).setSelected(True)
    keys = panel.drawn.keys(panel.drawn.selectedItems())
    assert keys == timeline.counters.shown[:2]
    monkeypatch.setattr(QMenu, "popup", lambda _menu, _place: None)
    panel.drawn.customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = panel.drawn.findChildren(QMenu)
    calculated = [action for action in menu.actions() if "sum" in action.text() or "ubtract" in action.text()]
    assert len(calculated) == 3
    before = chart(timeline).figure
    after(timeline, qtbot, calculated[0].trigger)
    after(timeline, qtbot, lambda: timeline.counters.derive("difference", keys))
    parts = before.panels[0].marks[:2]
    total, less = chart(timeline).figure.panels[0].marks[-2:]
    shared = parts[0].y.size == parts[1].y.size == total.y.size  # type: ignore[union-attr]
    assert shared
    assert total.y == pytest.approx(parts[0].y + parts[1].y, nan_ok=True)  # type: ignore[union-attr]
    assert less.y == pytest.approx(parts[0].y - parts[1].y, nan_ok=True)  # type: ignore[union-attr]
    assert timeline.counters.panel.drawn.count() == 8
    state = timeline.workspace.state
    read = decode(encode(SessionDocument(state=state)), "session").state
    assert (read.derived, read.timeline) == (state.derived, state.timeline)
    after(timeline, qtbot, timeline.history.undo)
    after(timeline, qtbot, timeline.history.undo)
    assert lines(timeline) == lines_of(before)
    assert timeline.workspace.state.derived == ()


def test_that_the_change_of_a_counter_has_a_plot_with_its_unit_and_a_source(timeline: MainWindow, qtbot: QtBot) -> None:
    key = timeline.counters.shown[0]
    after(timeline, qtbot, lambda: timeline.counters.derive("derivative", (key,)))
    assert units(timeline) == ["IOPS", "%", "IOPS/min"]
    figure = chart(timeline).figure
    (name,) = lines_of(figure)[-1:]
    assert figure.panels[-1].sources[name].parts == ((key.path, key.file),)


def test_that_counters_of_two_units_are_not_added(timeline: MainWindow, qtbot: QtBot) -> None:
    before = lines(timeline)
    after(
        timeline,
        qtbot,
        lambda: timeline.counters.derive("sum", (timeline.counters.shown[0], timeline.counters.shown[-1])),
    )
    assert lines(timeline) == before
    assert timeline.workspace.state.derived == ()
    assert "unit" in timeline.strip.message.full
