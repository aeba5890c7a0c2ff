"""The Trend page in the real window: cards, dots, the flag of a step, and the sources of numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import drifting, lab, stepped
from tests.gui.conftest import after, settle, window_with
from workbench.answers.sources import explanations_of
from workbench.charts.content import Content
from workbench.charts.figure import Points
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.pointing.bar_reading import spot_words
from workbench.gui.services.actions import keys_of_pages
from workbench.gui.shell.main_window import MainWindow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two configurations, each with a run for every week. No test changes it."""
    folder = tmp_path_factory.mktemp("weeks") / "lab"
    lab(folder, stepped(7, 0.12))
    return lab(folder, drifting(0.2, level=40.0), "PVS")


@pytest.fixture
def weeks(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None, folder: Path) -> MainWindow:
    """The window with these weeks."""
    return window_with(request, qtbot, folder)


def shown(window: MainWindow, qtbot: QtBot) -> Content:
    after(window, qtbot, lambda: window.show_page("trend"))
    assert window.page.content is not None
    return window.page.content


def test_that_the_page_shows_each_change_with_its_size_and_build(
    weeks: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    content = shown(weeks, qtbot)
    step, drift = content.cards
    assert (step.title, step.value) == snapshot
    assert step.note.startswith("+12") or step.note.startswith("+11")
    assert step.detail == snapshot
    assert drift.note == snapshot
    assert content.figure is not None
    (panel,) = content.figure.panels
    assert [moment.words.partition(":")[0] for moment in panel.moments] == ["24H2.8"]
    assert [moment.start for moment in panel.moments] == [6.5]
    assert {mark.name: mark.y.size for mark in panel.marks if isinstance(mark, Points)} == {"MCS": 12, "PVS": 12}
    assert weeks.page.figure.isVisible()


def test_that_each_run_opens_its_samples(weeks: MainWindow, qtbot: QtBot) -> None:
    content = shown(weeks, qtbot)
    runs = content.tables[1]
    assert len(runs.rows) == 24
    figures = [cell for row in runs.rows for cell in row if cell.source is not None]
    (explanation,) = explanations_of(weeks.workspace.library, figures[0].source)  # type: ignore[arg-type]
    assert explanation.value == figures[0].value
    assert explanation.sources


def test_that_a_hidden_configuration_is_not_tested(weeks: MainWindow, qtbot: QtBot) -> None:
    shown(weeks, qtbot)
    weeks.workspace.apply(hidden=frozenset({"PVS"}))
    settle(weeks, qtbot)
    content = weeks.page.content
    assert content is not None
    assert [row[1].text for row in content.tables[0].rows] == ["MCS"]
    assert len(content.cards) == 1


def test_that_pointing_at_a_name_reads_its_runs(weeks: MainWindow, qtbot: QtBot) -> None:
    shown(weeks, qtbot)
    view = weeks.page.figure
    assert view is not None
    name, words = spot_words(Ink("light"), view.spots[7])
    assert name == "24H2.8"
    assert [word.name.partition(": ")[0] for word in words] == ["MCS", "PVS"]
    assert words[0].name.endswith(" · build 24H2.8 · 2026-04-22 · MCS-08")


def test_that_an_empty_window_says_what_to_open(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("trend")
    settle(window, qtbot)
    assert window.page.content is not None
    assert window.page.content.empty


def test_that_the_trend_page_has_its_shortcut() -> None:
    assert keys_of_pages()["trend"] == "Ctrl+Shift+B"
