"""Per VM in the real window: key figures over their columns, and twelve configurations on a laptop."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.builders import many_configurations
from tests.gui.conftest import SAMPLE, after, open_and_wait, settle
from workbench.gui.pages.answer_cards import CardFrame
from workbench.gui.plot.layout import COLUMN_PX
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow


def per_vm(window: MainWindow, qtbot: QtBot, folder: Path) -> FigureView:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, folder)
    after(window, qtbot, lambda: window.workspace.apply(page="per-vm-iops"))
    settle(window, qtbot)
    assert window.page.figure is not None
    return window.page.figure


@pytest.fixture
def twelve(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> FigureView:
    many_configurations(tmp_path / "study", 12)
    return per_vm(window, qtbot, tmp_path / "study")


def heads(window: MainWindow) -> dict[str, CardFrame]:
    frames = zip(window.page.make_whole().cards.cards, window.page.make_whole().cards._frames, strict=True)
    return {card.title: frame for card, frame in frames if frame.isVisible()}


def test_that_each_key_figure_is_over_its_column(window: MainWindow, qtbot: QtBot) -> None:
    figure = per_vm(window, qtbot, SAMPLE / "rds-mcsio-cache-sweep")
    plots = {p.scales.panel.title: p.place.plot for p in figure.seen if not p.scales.row}
    assert list(heads(window)) == list(plots) == ["MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB"]
    for title, frame in heads(window).items():
        at = frame.mapTo(figure, QPoint(0, 0))
        assert abs(at.x() - plots[title].left()) <= 1
        assert abs(frame.width() - plots[title].width()) <= 1
        assert at.y() >= 0
        assert at.y() + frame.height() <= plots[title].top()
        assert not frame.value.cut
    assert not figure.sideways.isVisible()


def test_that_an_answer_with_its_widgets_is_shown_in_one_step(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "rds-mcsio-cache-sweep")
    figure = window.pages["per-vm-iops"].make_whole().figure
    assert figure is not None
    arranged: list[int] = []
    # The empty page keeps its initial size until something is shown on it.
    figure.columns_moved.connect(lambda: arranged.append(figure.height()) if figure.seen else None)
    after(window, qtbot, lambda: window.workspace.apply(page="per-vm-iops"))
    settle(window, qtbot)
    assert arranged == [figure.height()]
    after(window, qtbot, lambda: window.workspace.apply(phase="boot"))
    settle(window, qtbot)
    assert len(arranged) == 2


@pytest.mark.parametrize("width", [1024, 1366])
def test_that_headings_of_cards_with_separate_scales_are_not_cut(window: MainWindow, qtbot: QtBot, width: int) -> None:
    figure = per_vm(window, qtbot, SAMPLE / "rds-mcsio-cache-sweep")
    window.resize(width, 768)
    after(window, qtbot, lambda: window.workspace.apply(scale="own"))
    settle(window, qtbot)
    assert len({p.scales.panel.column for p in figure.seen}) > 1
    for frame in heads(window).values():
        labels = [frame.title, frame.value, frame._note, frame._detail]
        assert all(label.height() >= label.sizeHint().height() for label in labels if label is not None)
        assert not frame.value.cut


def test_that_a_heading_opens_the_source_of_its_number(window: MainWindow, qtbot: QtBot) -> None:
    per_vm(window, qtbot, SAMPLE / "rds-mcsio-cache-sweep")
    frame = heads(window)["MCSIO 4 GB"]
    with qtbot.waitSignal(window.page.source_asked) as asked:
        QTest.mouseDClick(frame, Qt.MouseButton.LeftButton)
    assert asked.args[0] == window.page.make_whole().cards.cards[-1].source
    frame.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(window.page.source_asked):
        QTest.keyClick(frame, Qt.Key.Key_Return)


def test_that_twelve_configurations_are_scrolled_next_to_the_gutter_with_their_heads(
    window: MainWindow, qtbot: QtBot, twelve: FigureView
) -> None:
    assert window.page.content is not None
    assert "not shown" not in window.page.content.caption
    first = list(heads(window))
    assert 1 < len(first) < 12
    assert min(panel.place.plot.width() for panel in twelve.seen) >= COLUMN_PX
    frame = heads(window)[first[-1]]
    over = QPointF(frame.mapTo(window, QPoint(5, 5)))
    QTest.wheelEvent(window.windowHandle(), over, QPoint(0, -120), QPoint(), Qt.KeyboardModifier.ShiftModifier)
    QApplication.processEvents()
    assert list(heads(window)) == [*first[1:], f"MCS {len(first) + 1:02}"], "Shift+wheel over a head moves the columns"
    titles = [p.scales.panel.title for p in twelve.seen if not p.scales.row]
    assert list(heads(window)) == titles
    assert twelve.sideways.isVisible()
    twelve.sideways.setFocus()
    QTest.keyClick(twelve.sideways, Qt.Key.Key_End)
    assert list(heads(window))[-1] == "MCS 12"


def test_that_a_hidden_configuration_removes_its_column_and_heading(
    window: MainWindow, qtbot: QtBot, twelve: FigureView
) -> None:
    first = list(heads(window))
    after(window, qtbot, lambda: window.workspace.apply(hidden=frozenset({"MCS 01"})))
    settle(window, qtbot)
    assert list(heads(window)) == [*first[1:], f"MCS {len(first) + 1:02}"]
    assert twelve.sideways.maximum() == 11 - len(first)


def test_that_without_a_phase_the_headings_leave_no_gap(window: MainWindow, qtbot: QtBot) -> None:
    figure = per_vm(window, qtbot, SAMPLE / "rds-mcsio-cache-sweep")
    after(window, qtbot, lambda: window.workspace.apply(page="timeline"))
    after(window, qtbot, lambda: window.workspace.apply(page="per-vm-iops", phase="whole run"))
    settle(window, qtbot)
    assert set(heads(window)) == {p.scales.panel.title for p in figure.seen if not p.scales.row}
