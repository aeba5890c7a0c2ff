"""From a number of a comparison, a bar or a VM's trace to its samples."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import after, settle
from workbench.charts.figure import FigureSource
from workbench.gui.dialogs.source_window import SourceWindow
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow

QUESTION = "Show source"


def shown(window: MainWindow, qtbot: QtBot, page: str) -> FigureView:
    after(window, qtbot, lambda: window.show_page(page))
    figure = window.page.figure
    assert figure is not None
    return figure


def answer(window: MainWindow, qtbot: QtBot) -> SourceWindow:
    settle(window, qtbot)
    qtbot.waitUntil(lambda: bool(window.findChildren(SourceWindow)))
    (found,) = window.findChildren(SourceWindow)
    return found


def row_of(figure: FigureView, row: int) -> tuple[str, QPointF]:
    """The VM of a row of the first heatmap, and the middle of that row."""
    panel = next(one for one in figure._panels if one.scales.heatmap)
    assert panel.scales.heatmap is not None
    plot, names = panel.place.plot, panel.scales.heatmap.rows
    found = QPointF(plot.center().x(), plot.top() + (row + 0.5) * plot.height() / len(names))
    at = panel.row_at(found.y())
    assert at is not None
    return names[at], found


def test_that_a_right_click_on_a_heatmap_row_shows_its_vm_first(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    figure = shown(opened, qtbot, "per-vm-iops")
    trace, at = row_of(figure, 3)
    menu = opened.charts.menu(opened.page, at.toPoint())
    question = menu.actions()[0]
    assert question.text() == QUESTION
    question.trigger()
    found = answer(opened, qtbot)
    vm, tag = trace.split(" · ")
    first = found.sources.table.row(0)
    assert first[1].text == vm
    assert first[0].text.endswith(tag)
    assert found.words.text() == snapshot
    assert "IOPS per VM = " in found.words.text()


def test_that_return_on_the_highlighted_vm_shows_its_samples(opened: MainWindow, qtbot: QtBot) -> None:
    figure = shown(opened, qtbot, "per-vm-iops")
    trace, _ = row_of(figure, 1)
    assert figure.lit_source is None
    after(opened, qtbot, lambda: opened.workspace.apply(lit_vm=trace))
    qtbot.keyClick(figure, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert answer(opened, qtbot).sources.table.row(0)[1].text == trace.split(" · ")[0]


def test_that_the_menu_between_traces_offers_no_sources(opened: MainWindow, qtbot: QtBot) -> None:
    figure = shown(opened, qtbot, "per-vm-iops")
    menu: QMenu = opened.charts.menu(opened.page, QPointF(figure.width() - 1, 1).toPoint())
    assert QUESTION not in [action.text() for action in menu.actions()]


def test_that_the_sources_of_a_comparison_bar_are_the_runs_of_both_sides(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    figure = shown(opened, qtbot, "compare")
    panel = figure._panels[-1]
    plot, labels = panel.place.plot, panel.scales.panel.x.categories
    at = QPointF(plot.left() + 1.5 * plot.width() / len(labels), plot.center().y())
    with qtbot.waitSignal(figure.source_asked, timeout=2_000) as told:
        figure._canvas.double_clicked.emit(at)
    assert isinstance(told.args, list)
    source = told.args[0]
    assert isinstance(source, FigureSource)
    assert (len(source.runs), len(source.against)) == (3, 3)
    words = answer(opened, qtbot).words.text()
    assert words == snapshot


@pytest.mark.parametrize(("title", "runs"), [("Value", 3), ("Baseline", 3), ("Change", 6)])
def test_that_the_sources_of_a_comparison_number_are_its_runs(
    opened: MainWindow, qtbot: QtBot, title: str, runs: int
) -> None:
    shown(opened, qtbot, "compare")
    content = opened.page.content
    assert content is not None
    table = content.tables[1]
    place = next(at for at, column in enumerate(table.columns) if column.title == title)
    source = next(row[place].source for row in table.rows if row[2].text == "IOPS per VM")
    opened.page.source_asked.emit(source)
    found = answer(opened, qtbot)
    model = found.sources.table.model()
    assert len({found.sources.table.row(row)[0].text for row in range(model.rowCount())}) == runs
