"""The head of a page: its choosers say what the page shows, and the idle ones are not there."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait
from workbench.answers.common.traces import WHOLE_RUN
from workbench.gui.shell.main_window import MainWindow


def visible(window: MainWindow) -> set[str]:
    return {name for name, chooser in window.header.choosers.items() if chooser.isVisible()}


def look_at(window: MainWindow, qtbot: QtBot, page: str, view: str) -> None:
    pages = window.workspace.state.with_page_view(page, view).page_views
    after(window, qtbot, lambda: window.workspace.apply(page=page, page_views=pages))


def test_that_choosers_that_change_nothing_in_a_view_are_not_there(opened: MainWindow, qtbot: QtBot) -> None:
    look_at(opened, qtbot, "cache", "over-time")
    assert visible(opened) == {"phase", "alignment", "view"}
    place = opened.header.choosers["view"].geometry().right()
    look_at(opened, qtbot, "cache", "sweep")
    assert visible(opened) == {"phase", "view"}
    assert opened.header.choosers["view"].geometry().right() == place
    look_at(opened, qtbot, "compare", "duration")
    assert visible(opened) == {"phase", "view"}


def test_that_no_metric_is_offered_where_none_was_measured(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "vdi-login-storm")
    look_at(window, qtbot, "compare", "metric")
    assert visible(window) == {"phase", "view"}


def test_that_the_phase_chooser_says_what_the_page_shows(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.workspace.apply(page="per-vm-iops", phase=WHOLE_RUN))
    box = opened.header.choosers["phase"].box
    assert box.currentText() == "Whole run"
    after(opened, qtbot, lambda: opened.show_page("overview"))
    assert box.currentText() == "Steady state"
    assert box.findData(WHOLE_RUN) == -1
    after(opened, qtbot, lambda: opened.show_page("per-vm-iops"))
    assert box.currentText() == "Whole run"


def test_that_nothing_open_asks_what_to_look_at_on_every_page(window: MainWindow, qtbot: QtBot) -> None:
    for page in ("overview", "sizing", "benchmarks", "import-report"):
        after(window, qtbot, lambda page=page: window.show_page(page))  # type: ignore[misc]
        assert window.header.question.text() == "Which results do you want to look at?"
        assert window.page.empty.open.isVisible()


def test_that_the_rail_names_what_is_open_though_it_has_no_runs(window: MainWindow, qtbot: QtBot) -> None:
    names = {label.text() for label in window.rail.findChildren(QLabel)}
    assert "no study open" in names
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    names = {label.text() for label in window.rail.findChildren(QLabel)}
    assert "storage-benchmarks" in names
    assert "no study open" not in names
