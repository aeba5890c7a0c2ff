"""The sources of numbers that are not in the phase table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, after, open_and_wait, settle
from workbench.charts.figure import FigureSource
from workbench.charts.tables import Cell
from workbench.gui.dialogs.source_window import SourceWindow
from workbench.gui.pages.answer_cards import CardFrame
from workbench.gui.shell.main_window import MainWindow


def answer(window: MainWindow, qtbot: QtBot) -> SourceWindow:
    settle(window, qtbot)
    qtbot.waitUntil(lambda: bool(window.findChildren(SourceWindow)))
    (found,) = window.findChildren(SourceWindow)
    return found


def end(found: SourceWindow) -> None:
    """Closes and deletes the window."""
    found.close()
    found.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@contextmanager
def sources_of(window: MainWindow, qtbot: QtBot, cell: Cell) -> Iterator[SourceWindow]:
    """The window with the sources of a cell, until the end of the block."""
    window.page.source_asked.emit(cell.source)
    found = answer(window, qtbot)
    yield found
    end(found)


def look_at(window: MainWindow, qtbot: QtBot, page: str, view: str) -> None:
    after(window, qtbot, lambda: window.workspace.apply(page_views=((page, view),)))


def cell_of(window: MainWindow, table: str, title: str, row: str) -> Cell:
    """The first cell with a source in a column of a table, in a row with this name ("" means any row)."""
    content = window.page.content
    assert content is not None
    data = next(one for one in content.tables if one.name == table)
    places = [at for at, column in enumerate(data.columns) if f"{column.title} {column.unit}".strip() == title]
    rows = [cells for cells in data.rows if not row or any(cell.text == row for cell in cells)]
    return next(cells[at] for cells in rows for at in places if cells[at].source is not None)


# A column of the table, its figure, and the rows of its sources.
_CACHE_NUMBERS = (
    ("Fill rate MB/min", "Fill rate (MB/min)", 12),
    ("Cache full time after start", "Time until the cache is full (s)", 12),
    ("RAM used % of size", "Share of cache RAM used at peak (%)", 24),
    ("Peak cache disk use of a VM MB", "Peak cache disk use of any VM (MB)", 4),
    ("Shared storage IOPS", "Shared storage IOPS", 24),
    ("RAM GB for 100 VMs", "RAM cache (MB)", 12),
)


def test_that_the_sources_of_cache_numbers_are_the_counters_of_each_vm(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    for title, figure, rows in _CACHE_NUMBERS:
        with sources_of(opened, qtbot, cell_of(opened, "By configuration", title, "MCSIO 512 MB")) as found:
            assert f"{figure} = " in found.words.text()
            assert found.sources.table.model().rowCount() == rows, title


def test_that_the_source_of_a_number_of_one_vm_is_that_vm(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    cell = cell_of(opened, "By VM", "RAM used MB, peak", "RDS-03")
    opened.page.source_asked.emit(cell.source)
    table = answer(opened, qtbot).sources.table
    assert [table.row(row)[1].text for row in range(table.model().rowCount())] == ["RDS-03"]
    assert table.row(0)[10].value == pytest.approx(cell.value)


def test_that_a_double_click_or_return_on_a_card_shows_its_sources(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    look_at(opened, qtbot, "cache", "filling")
    cards = opened.page.make_whole().cards
    qtbot.waitUntil(lambda: any(one.isVisible() for one in cards.findChildren(CardFrame)))
    frames = [one for one in cards.findChildren(CardFrame) if one.isVisible()]
    asked: list[FigureSource] = []
    opened.page.make_whole().cards.source_asked.connect(asked.append)
    qtbot.mouseDClick(frames[0], Qt.MouseButton.LeftButton)  # type: ignore[no-untyped-call]
    qtbot.keyClick(frames[0], Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert [one.answer for one in asked] == ["cache", "cache"]
    assert frames[0].menu().actions()[0].text() == snapshot
    settle(opened, qtbot)


def test_that_the_sources_are_those_of_the_stack_part_under_the_pointer(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    look_at(opened, qtbot, "cache", "sweep")
    figure = opened.page.figure
    assert figure is not None
    panel = next(one for one in figure._panels if one.scales.panel.x.categories)
    plot = panel.place.plot
    count = len(panel.scales.panel.x.categories)
    # The baseline's bar reaches 420 IOPS: reads of shared storage up to 120, writes above.
    x = plot.left() + 0.5 * plot.width() / count
    low, high = panel.place.scales.y

    def asked(value: float) -> str:
        at = QPointF(x, plot.bottom() - (value - low) / (high - low) * plot.height())
        source = figure.source_at(at) if figure else None
        return "" if source is None else source.figure

    assert (asked(60), asked(300)) == ("shared_read_iops", "shared_write_iops")


_BENCHMARK_FIGURES = (
    ("side-by-side", "Benchmark results", "IOPS"),
    ("side-by-side", "Benchmark results", "Throughput MiB/s"),
    ("side-by-side", "Benchmark results", "IOPS × raw"),
    ("sweeps", "Steps", "Gain from doubling the load, %"),
    ("repeats", "Runs", "IOPS"),
    ("repeats", "Repeated tests", "IOPS mean"),
    ("latency", "Latencies", "p99 ms"),
)


def test_that_the_source_of_benchmark_figures_is_the_file_of_the_tool(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    after(window, qtbot, lambda: window.show_page("benchmarks"))
    for view, table, title in _BENCHMARK_FIGURES:
        look_at(window, qtbot, "benchmarks", view)
        with sources_of(window, qtbot, cell_of(window, table, title, "")) as found:
            sources = found.sources.table
            assert sources.model().rowCount() >= 1
            assert (SAMPLE / "storage-benchmarks" / sources.row(0)[2].text).is_file(), (view, title)
            assert "Formula: " in found.words.text()
            assert "Phase:" not in found.words.text()


def test_that_the_source_of_a_benchmark_bar_is_the_file_of_the_tool(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    after(window, qtbot, lambda: window.show_page("benchmarks"))
    figure = window.page.figure
    assert figure is not None
    panel = figure._panels[0]
    plot, count = panel.place.plot, len(panel.scales.panel.x.categories)
    figure._canvas.double_clicked.emit(QPointF(plot.left() + 0.5 * plot.width() / count, plot.center().y()))
    assert "IOPS = " in answer(window, qtbot).words.text()


_LOGON_NUMBERS = (
    ("times", "Logon times", "Mean s"),
    ("times", "Logon times", "p95 s"),
    ("times", "Logon times", "Max s"),
    ("times", "Logon times", "Stuck sessions"),
    ("times", "Sessions", "Logon s"),
    ("vsimax", "VSImax and EUX", "VSImax sessions"),
    ("apps", "Application starts", "Mean s"),
)


def test_that_the_source_of_logon_numbers_is_lines_of_the_load_generator(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "vdi-login-storm")
    after(window, qtbot, lambda: window.show_page("logons"))
    for view, table, title in _LOGON_NUMBERS:
        look_at(window, qtbot, "logons", view)
        with sources_of(window, qtbot, cell_of(window, table, title, "")) as found:
            sources = found.sources.table
            assert (SAMPLE / "vdi-login-storm" / sources.row(0)[2].text).is_file(), (view, title)
            assert sources.row(0)[6].value is not None


def test_that_the_source_of_a_cache_or_benchmark_finding_is_its_numbers(window: MainWindow, qtbot: QtBot) -> None:
    for study, kind in (("rds-mcsio-cache-sweep", "cache"), ("storage-benchmarks", "benchmarks")):
        open_and_wait(window, qtbot, SAMPLE / study)
        one = next(found for found in window.findings.kept if found.kind == kind)
        menu = window.findings.menu_of(one)
        question = next(action for action in menu.actions() if "Show source" in action.text())
        window.findings._select(one.key)
        question.trigger()
        found = answer(window, qtbot)
        assert found.sources.table.model().rowCount() >= 1
        end(found)


_PLAN_NUMBERS = (
    ("plan", "Inputs", "Value", "IOPS per VM"),
    ("plan", "Inputs", "Value", "RAM per VM"),
    ("plan", "Configurations", "Disks", "MCS"),
    ("what-if", "Required IOPS", "IOPS staggered starts", ""),
)


def test_that_the_sources_of_the_plan_are_samples_and_constants(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("sizing"))
    for view, table, title, row in _PLAN_NUMBERS:
        look_at(opened, qtbot, "sizing", view)
        if view == "what-if":
            after(opened, qtbot, lambda: opened.workspace.apply(inputs=(("sizing.storm", "logon"),)))
        with sources_of(opened, qtbot, cell_of(opened, table, title, row)) as found:
            assert found.sources.table.model().rowCount() >= 1, (view, row)
