"""A finding that mentions a VM, a curve or a moment marks it on its page; Esc removes the mark."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, after, open_and_wait, settle, window_with
from workbench.charts.figure import Heatmap, Line
from workbench.charts.palette import THEMES
from workbench.gui.commands.palette import matching
from workbench.gui.plot.ink import Ink, text_width
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow

SERVER = SAMPLE / "damaged" / "database-server-among-vms"


@pytest.fixture
def storm(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window with the logons of two configurations; one has stuck sessions."""
    return window_with(request, qtbot, SAMPLE / "vdi-login-storm")


def go_to(window: MainWindow, qtbot: QtBot, key: str) -> FigureView:
    """Selects the finding with this end of its key; returns the chart of its page."""
    finding = next(finding for finding in window.findings.kept if finding.key.endswith(key))
    after(window, qtbot, lambda: window.findings.go_to(finding))
    figure = window.page.figure
    assert figure is not None
    return figure


def count(picture: QImage, colour: QColor, column: int) -> int:
    """The number of pixels with this colour in a column of the image."""
    return sum(picture.pixelColor(column, y) == colour for y in range(picture.height()))


def test_that_an_odd_vm_is_highlighted_and_named_with_its_value_until_esc(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SERVER)
    figure = go_to(window, qtbot, "SQL01")
    plot, heat = figure.figure.panels[:2]
    assert figure.lit == window.workspace.state.lit_vm == "SQL01"
    strengths = {mark.vm or mark.name: mark.emphasis for mark in plot.marks if isinstance(mark, Line)}
    assert strengths.pop("SQL01") == "all"
    assert set(strengths.values()) == {"baseline"}
    assert [mark.lit for mark in heat.marks if isinstance(mark, Heatmap)] == ["SQL01"]
    assert plot.readout.startswith("SQL01: ")
    assert "times the other VMs" in plot.readout
    assert "grey line" not in plot.subtitle
    assert "Esc" in window.strip.message.full
    marked = figure.grab().toImage()
    figure.setFocus()
    qtbot.keyClick(figure, Qt.Key.Key_Escape)
    settle(window, qtbot)
    assert window.page.pointed is None
    assert window.workspace.state.lit_vm is None
    assert {mark.emphasis for panel in figure.figure.panels for mark in panel.marks} == {"all"}
    assert figure.grab().toImage() != marked


def test_that_the_moment_of_a_finding_has_a_line_and_flag_and_other_columns_are_dimmed(
    storm: MainWindow, qtbot: QtBot
) -> None:
    figure = go_to(storm, qtbot, "logons/stuck/MCS")
    panel, other = figure.seen
    (moment,) = panel.scales.panel.moments
    assert moment.words == "first stuck session starts"
    assert other.scales.panel.moments == ()
    assert {mark.emphasis for mark in other.scales.panel.marks} == {"others"}
    at = round(panel.pixel(moment.start, 0).x())
    text = QColor(THEMES["light"].text)
    marked = figure.grab().toImage()
    assert max(count(marked, text, at + aside) for aside in (-1, 0, 1)) > 0.5 * panel.place.plot.height()
    figure.setFocus()
    qtbot.keyClick(figure, Qt.Key.Key_Escape)
    plain = figure.grab().toImage()
    assert max(count(plain, text, at + aside) for aside in (-1, 0, 1)) < 0.2 * panel.place.plot.height()


def test_that_the_readout_shows_the_value_of_the_finding_until_the_pointer_moves(
    storm: MainWindow, qtbot: QtBot
) -> None:
    figure = go_to(storm, qtbot, "logons/limit/MCS")
    panel = figure.seen[0]
    row = panel.place.read.toRect()
    said, text = figure.grab().toImage().copy(row), QColor(THEMES["light"].text)
    words = panel.scales.panel.readout
    assert words == "MCS: VSImax 95 (Login VSI Analyzer: 92)"
    inked = [x for x in range(said.width()) if count(said, text, x)]
    assert inked[-1] - inked[0] == pytest.approx(text_width(Ink("light").strong, words), abs=6), "these words, in bold"
    assert [moment.start for moment in panel.scales.panel.moments] == [95.0]


def test_that_curves_of_one_chart_are_dimmed_by_their_configuration(opened: MainWindow, qtbot: QtBot) -> None:
    figure = go_to(opened, qtbot, "cache/overflow/MCSIO 512 MB")
    ram = figure.figure.panels[0]
    lines = {mark.name: mark.emphasis for mark in ram.marks if isinstance(mark, Line)}
    assert {name for name, emphasis in lines.items() if emphasis == "all"} == {"MCSIO 512 MB"}
    assert len(lines) == 4
    assert ram.moments[0].start == pytest.approx(613.7, abs=0.1)


def test_that_a_different_phase_or_view_has_no_marks_and_returning_shows_them(opened: MainWindow, qtbot: QtBot) -> None:
    go_to(opened, qtbot, "cache/overflow/MCSIO 512 MB")
    after(opened, qtbot, lambda: opened.show_page("overview"))
    after(opened, qtbot, lambda: opened.show_page("cache"))
    assert opened.page.marked
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert opened.page.pointed is None
    assert not opened.page.marked


def test_that_ctrl_k_opens_a_finding_with_its_marks(
    storm: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    assert storm.findings.kept
    entry = matching(storm.offers.entries(), "sessions got stuck")[0]
    assert entry.words == snapshot
    after(storm, qtbot, entry.act)
    assert storm.page.spec.key == "logons"
    assert storm.page.marked
