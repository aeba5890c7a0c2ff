"""Edges of phases dragged with the mouse on the real chart; Shift and dragging zooms."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, open_and_wait, settle
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow
from workbench.model.edits import PhaseEdit
from workbench.words.numbers import MINUS

STUDY = SAMPLE / "windows-7-mcs-and-pvs"
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def per_vm(window: MainWindow, qtbot: QtBot) -> FigureView:
    open_and_wait(window, qtbot, STUDY)
    window.workspace.apply(page="per-vm-iops", phase="steady")
    settle(window, qtbot)
    assert window.page.figure is not None
    return window.page.figure


def drag(view: FigureView, start: QPointF, end: QPointF, modifiers: Qt.KeyboardModifier, steps: int = 6) -> None:
    """Presses the button, moves the mouse in steps, and releases the button."""
    port = view._canvas.viewport()

    def send(kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        event = QMouseEvent(kind, at, QPointF(port.mapToGlobal(at.toPoint())), button, held, modifiers)
        # pyqtgraph handles at most a hundred moves a second.
        QTest.qWait(15)
        QApplication.sendEvent(port, event)

    send(QEvent.Type.MouseMove, start, NONE, NONE)
    send(QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for step in range(1, steps + 1):
        send(QEvent.Type.MouseMove, start + (end - start) * (step / steps), NONE, LEFT)
    send(QEvent.Type.MouseButtonRelease, end, LEFT, NONE)


def panel(view: FigureView) -> PanelView:
    return view._panels[0]


def test_that_dragging_an_edge_moves_the_phase_and_its_figures(window: MainWindow, qtbot: QtBot) -> None:
    view = per_vm(window, qtbot)
    one = panel(view)
    group = window.workspace.library.shown(window.workspace.state)[0]
    before = group.phase("steady")[0]
    region = next(r for r in one.scales.panel.regions if r.name == "steady")
    y = one.place.plot.center().y()
    edge = QPointF(one.pixel(region.end, 0).x(), y)
    inward = QPointF(one.pixel(region.end - 600, 0).x(), y)
    drag(view, edge, inward, Qt.KeyboardModifier.NoModifier)
    settle(window, qtbot)
    after = window.workspace.library.shown(window.workspace.state)[0].phase("steady")[0]
    per_pixel = (one.span[1] - one.span[0]) / one.place.plot.width()
    assert abs((before.phase.end - after.phase.end) - 600) <= 2 * per_pixel
    assert after.phase.evidence == "edited"
    assert after.total_io is not None
    assert before.total_io is not None
    assert after.total_io < before.total_io
    assert "was moved by" in window.strip.message.full
    window.history.undo()
    settle(window, qtbot)
    assert window.workspace.library.shown(window.workspace.state)[0].phase("steady")[0] == before


def test_that_an_edge_cannot_pass_the_other(window: MainWindow, qtbot: QtBot) -> None:
    view = per_vm(window, qtbot)
    label = window.workspace.library.shown(window.workspace.state)[0].label
    view.edge_dragged.emit(label, "steady", "start", 1e6, True)
    settle(window, qtbot)
    row = window.workspace.library.shown(window.workspace.state)[0].phase("steady")[0]
    assert row.phase.duration_s == 1.0


def phases_of(window: MainWindow) -> list[dict[str, tuple[float, float]]]:
    runs = window.workspace.library.shown(window.workspace.state)[0].runs
    return [{row.phase.name: (row.phase.start, row.phase.end) for row in run.phases} for run in runs]


def move(window: MainWindow, qtbot: QtBot, view: FigureView, name: str, side: str, seconds: float) -> None:
    label = window.workspace.library.shown(window.workspace.state)[0].label
    view.edge_dragged.emit(label, name, side, seconds, True)
    settle(window, qtbot)


def state_phases(window: MainWindow, qtbot: QtBot, gap: float) -> list[dict[str, tuple[float, float]]]:
    """The phases of the runs after the end of logon is set to that many seconds before steady state."""
    state = window.workspace.state
    for run in window.workspace.library.shown(state)[0].runs:
        row = run.phase("steady")
        assert row is not None
        start, end = row.phase.start, row.phase.end
        phases = (PhaseEdit("logon", start - 300, start - gap), PhaseEdit("steady", start, end))
        state = state.with_edits(replace(state.edits_of(run.run.folder), phases=phases))
    window.workspace.apply(edits=state.edits)
    settle(window, qtbot)
    return phases_of(window)


@pytest.mark.parametrize("seconds", [-30.0, 45.0])
def test_that_edges_that_meet_move_together(window: MainWindow, qtbot: QtBot, seconds: float) -> None:
    view = per_vm(window, qtbot)
    before = state_phases(window, qtbot, 0.0)
    move(window, qtbot, view, "logon", "end", seconds)
    for was, now in zip(before, phases_of(window), strict=True):
        assert now["logon"] == (was["logon"][0], was["logon"][1] + seconds)
        assert now["steady"] == (was["steady"][0] + seconds, was["steady"][1])
    move(window, qtbot, view, "steady", "start", -1e6)
    for was, now in zip(before, phases_of(window), strict=True):
        assert now["logon"] == (was["logon"][0], was["logon"][0] + 1)
        assert now["steady"][0] == was["logon"][0] + 1


def test_that_an_edge_stops_at_a_phase_that_is_farther_away(window: MainWindow, qtbot: QtBot) -> None:
    view = per_vm(window, qtbot)
    before = state_phases(window, qtbot, 100.0)
    move(window, qtbot, view, "steady", "start", -250.0)
    assert [now["steady"][0] for now in phases_of(window)] == [was["logon"][1] for was in before]
    assert [now["logon"] for now in phases_of(window)] == [was["logon"] for was in before]
    # The message gives the distance of the edge, not of the pointer.
    assert f"by {MINUS}100 s" in window.strip.told


def test_that_dragging_next_to_the_edges_zooms_to_the_dragged_range(window: MainWindow, qtbot: QtBot) -> None:
    view = per_vm(window, qtbot)
    one = panel(view)
    y = one.place.plot.center().y()
    start, end = (QPointF(one.pixel(x, 0).x(), y) for x in (300.0, 900.0))
    drag(view, start, end, Qt.KeyboardModifier.NoModifier)
    assert view.zoomed_span is not None
    per_pixel = (one.full[1] - one.full[0]) / one.place.plot.width()
    assert [abs(found - asked) <= 2 * per_pixel for found, asked in zip(view.zoomed_span, (300, 900), strict=True)] == [
        True,
        True,
    ]
    assert window.workspace.state.edits == ()
    view.reset_zoom()
    assert view.zoomed_span is None


def test_that_all_phases_are_reset_to_the_evidence(window: MainWindow, qtbot: QtBot) -> None:
    view = per_vm(window, qtbot)
    label = window.workspace.library.shown(window.workspace.state)[0].label
    view.edge_dragged.emit(label, "steady", "start", 60.0, True)
    settle(window, qtbot)
    assert window.workspace.state.edits
    window.phases.reset()
    settle(window, qtbot)
    assert window.workspace.state.edits == ()


def test_that_a_drag_with_shift_moves_the_view_and_no_phase(window: MainWindow, qtbot: QtBot) -> None:
    view = per_vm(window, qtbot)
    one = panel(view)
    view.set_span(600.0, 1200.0)
    middle = one.place.plot.center()
    drag(view, middle, middle + QPointF(QPoint(80, 0)), Qt.KeyboardModifier.ShiftModifier)
    assert view.zoomed_span is not None
    assert view.zoomed_span[0] < 590
    assert window.workspace.state.edits == ()
