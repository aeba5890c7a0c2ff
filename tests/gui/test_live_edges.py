"""While an edge is dragged, cards and table follow it on real widgets; releasing it changes nothing visible."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait, settle, window_with
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.labels import ElidedLabel
from workbench.model.metric import Quantity

STUDY = SAMPLE / "windows-7-mcs-and-pvs"
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class Hand:
    """Drags an edge of a phase on the chart of the page, event by event."""

    def __init__(self, window: MainWindow, qtbot: QtBot, phase: str = "steady", side: str = "end") -> None:
        self._window, self._qtbot = window, qtbot
        assert window.page.figure is not None
        self.view: FigureView = window.page.figure
        self._panel = self.view._panels[0]
        region = next(r for r in self._panel.scales.panel.regions if r.name == phase)
        self._edge = getattr(region, side)
        self.run = region.run
        self._at = self._point(0.0)
        self._send(QEvent.Type.MouseMove, NONE, NONE)
        self._send(QEvent.Type.MouseButtonPress, LEFT, LEFT)

    def move(self, seconds: float) -> None:
        """Moves the edge by this distance in three steps, and waits until the visible values have followed."""
        target = self._point(seconds)
        for step in (1, 2, 3):
            self._at = self._at + (target - self._at) * (step / 3)
            self._send(QEvent.Type.MouseMove, NONE, LEFT)
        settle(self._window, self._qtbot)

    def let_go(self) -> None:
        """Releases the button and waits until everything has been computed again."""
        self._send(QEvent.Type.MouseButtonRelease, LEFT, NONE)
        settle(self._window, self._qtbot)

    def _point(self, seconds: float) -> QPointF:
        panel = self._panel
        x = self._edge - panel.scales.origin + seconds
        return QPointF(round(panel.pixel(x, 0).x()), round(panel.place.plot.center().y()))

    def _send(self, kind: QEvent.Type, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        port = self.view._canvas.viewport()
        at = QPointF(port.mapToGlobal(self._at.toPoint()))
        # pyqtgraph handles at most a hundred moves a second.
        QTest.qWait(15)
        QApplication.sendEvent(port, QMouseEvent(kind, self._at, at, button, held, Qt.KeyboardModifier.NoModifier))


def cards(window: MainWindow) -> list[tuple[str, str, str, str]]:
    """The texts of the labels on the cards."""
    frames = window.page.make_whole().cards._frames
    return [(f.title.full, f.value.full, f._note.full, f._detail.full if f._detail else "") for f in frames]


def table(window: MainWindow) -> list[list[str]]:
    model = window.page.tables[0].table.model()
    places = range(model.columnCount())
    return [[str(model.index(row, at).data()) for at in places] for row in range(model.rowCount())]


@pytest.fixture
def study(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window with the study."""
    return window_with(request, qtbot, STUDY)


@pytest.mark.parametrize(("side", "seconds"), [("end", -617.0), ("start", 411.0)])
def test_that_cards_follow_the_edge_and_releasing_it_changes_nothing_more(
    study: MainWindow, qtbot: QtBot, side: str, seconds: float
) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page="per-vm-iops", phase="steady"))
    before = cards(study)
    hand = Hand(study, qtbot, side=side)
    hand.move(seconds)
    live = cards(study)
    assert live[0] != before[0]
    assert study.workspace.state.edits == ()
    hand.let_go()
    assert study.workspace.state.edits
    assert cards(study) == live
    study.history.undo()
    settle(study, qtbot)
    assert cards(study) == before
    assert study.workspace.state.edits == ()


@pytest.mark.parametrize("metric", [Quantity.WRITE_IOPS, Quantity.READ_LATENCY, Quantity.CPU])
def test_that_every_metric_follows_the_edge(study: MainWindow, qtbot: QtBot, metric: Quantity) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page="per-vm-iops", phase="steady", metric=metric))
    hand = Hand(study, qtbot)
    hand.move(-700.0)
    live = cards(study)
    hand.let_go()
    assert cards(study) == live


def test_that_gaps_and_restarts_update_the_later_figures_live(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "damaged")
    after(window, qtbot, lambda: window.workspace.apply(page="per-vm-iops"))
    phases = {r.name for r in window.page.figure._panels[0].scales.panel.regions}  # type: ignore[union-attr]
    phase = "steady" if "steady" in phases else min(phases)
    window.workspace.apply(phase=phase)
    settle(window, qtbot)
    hand = Hand(window, qtbot, phase)
    hand.move(-130.0)
    live = cards(window)
    hand.let_go()
    assert cards(window) == live


def test_that_the_report_of_the_timeline_follows_the_edge_too(study: MainWindow, qtbot: QtBot) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page="timeline", phase="steady"))
    before = table(study)
    hand = Hand(study, qtbot)
    hand.move(-617.0)
    live = table(study)
    assert live != before
    hand.let_go()
    assert table(study) == live


def visible_texts(window: MainWindow) -> dict[QWidget, str]:
    """The visible texts of the window, except the hint that values are waiting and the message about the last
    action."""
    waits = (window.header.caption, window.strip.message)
    labels = {label: label.full for label in window.findChildren(ElidedLabel) if label not in waits}
    labels |= {label: label.text() for label in window.findChildren(QLabel) if label not in (*labels, *waits)}
    texts: dict[QWidget, str] = {label: text for label, text in labels.items() if label.isVisible() and text}
    for view in window.findChildren(QTableView):
        if view.isVisible() and (model := view.model()) is not None:
            rows, columns = range(model.rowCount()), range(model.columnCount())
            texts[view] = str([[model.index(row, column).data() for column in columns] for row in rows])
    return texts


@pytest.mark.parametrize("page", ["per-vm-iops", "timeline"])
@pytest.mark.parametrize("phase", ["steady", "whole"])
def test_that_figures_stay_after_release_or_are_marked_as_waiting(
    study: MainWindow, qtbot: QtBot, page: str, phase: str
) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page=page, phase=phase))
    before, told = visible_texts(study), study.page.content
    hand = Hand(study, qtbot)
    hand.move(-617.0)
    live = visible_texts(study)
    assert (page == "per-vm-iops" and phase == "whole") or live != before
    chip = hand.view._drags.chip
    assert chip is not None
    assert chip.lines[-1] == ("Caption and chart scale", "update when you release the mouse button")
    hand.let_go()
    assert visible_texts(study) == live
    qtbot.waitUntil(lambda: study.page.content is not told)


def test_that_a_label_shows_the_time_of_the_edge_and_the_phase_length(study: MainWindow, qtbot: QtBot) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page="timeline", phase="steady"))
    hand = Hand(study, qtbot)
    hand.move(-617.0)
    chip = hand.view._drags.chip
    assert chip is not None
    hand.let_go()
    run = (study.workspace.library.figures or {})[hand.run]
    row = run.phase("steady")
    assert row is not None
    # By hand: the clock of the run's files, and minutes and seconds.
    recording = run.run.recordings[0]
    offset = 60 * (recording.utc_offset_minutes or 0)
    second = round(row.phase.end) + offset
    assert chip.title.startswith(f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d} UTC")
    assert chip.title.endswith("end of steady state")
    length, since = round(row.duration_s), round(row.phase.end - (recording.first_us / 1e6 - offset))
    said = [line.replace("\u2009", " ") for _, line in chip.lines]
    assert said == [
        *(f"{s // 60}:{s % 60:02d} min" for s in (since, length)),
        "update when you release the mouse button",
    ]
    assert hand.view._drags.chip is None


def test_that_escape_returns_the_edge_to_its_place(study: MainWindow, qtbot: QtBot) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page="per-vm-iops", phase="steady"))
    before = cards(study)
    hand = Hand(study, qtbot)
    hand.move(-617.0)
    assert cards(study) != before
    span = hand.view._panels[0].span
    QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    settle(study, qtbot)
    assert cards(study) == before
    hand.move(-300.0)
    hand.let_go()
    assert cards(study) == before
    assert study.workspace.state.edits == ()
    assert hand.view._panels[0].span == span


def test_that_the_edge_stays_at_its_released_position_until_the_figure_shows_it(
    study: MainWindow, qtbot: QtBot
) -> None:
    after(study, qtbot, lambda: study.workspace.apply(page="per-vm-iops", phase="steady"))
    hand = Hand(study, qtbot)
    hand.move(-617.0)
    hand._send(QEvent.Type.MouseButtonRelease, LEFT, NONE)
    assert hand.view._drags._left_there is not None
    settle(study, qtbot)
    assert hand.view._drags._left_there is None
