"""The cache page in every view, with and without a cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.answers.cache.test_figures import built
from tests.gui.conftest import SAMPLE, after, open_and_wait, settle
from workbench.answers.cache.page import DESKTOPS, cache
from workbench.answers.cache.spec import KEY, PAGE, WHAT_IF
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.gui.plot.ink import Ink, text_width
from workbench.gui.plot.static import footer_of
from workbench.gui.shell.main_window import MainWindow
from workbench.measures.phase_table import run_figures
from workbench.model.recording import FileReport
from workbench.model.run import Run, Study
from workbench.session.state import State


def answer(view: str, *runs: Run, state: State | None = None) -> Content:
    study = Study("study", "study", runs, (FileReport("a.csv", "perfmon", True),))
    library = Library((study,), {one.folder: run_figures(one) for one in runs})
    return cache(library, (state or State()).with_page_view(KEY, view))


@pytest.mark.parametrize("view", [key for key, _ in PAGE.views if key != WHAT_IF])
def test_that_every_view_shows_its_chart_cards_and_both_tables(view: str, tmp_path: Path) -> None:
    content = answer(view, built(tmp_path / "mcs", 0, None), built(tmp_path / "256", 256, 600.0))
    assert not content.empty
    assert content.figure is not None
    assert content.figure.panels
    assert content.cards
    assert [table.name for table in content.tables] == ["By configuration", "By VM"]
    spec = next(page for page in PAGES if page.key == KEY)
    assert spec.table_names == tuple(table.name for table in content.tables)


def test_that_the_what_if_view_has_tables_of_sizes(tmp_path: Path) -> None:
    content = answer(WHAT_IF, built(tmp_path / "mcs", 0, None), built(tmp_path / "256", 256, 600.0))
    assert content.figure is not None
    assert content.cards
    assert [table.name for table in content.tables] == ["Predictions by cache size", "Tested sizes"]


@pytest.mark.parametrize("view", [key for key, _ in PAGE.views])
def test_that_every_view_without_a_cache_says_what_to_do(view: str, tmp_path: Path) -> None:
    content = answer(view, built(tmp_path / "mcs", 0, None))
    assert content.empty
    assert (content.tables, content.cards) == ((), ())


def test_that_the_number_of_vms_is_assumed_until_the_user_sets_it(tmp_path: Path) -> None:
    runs = (built(tmp_path / "mcs", 0, None), built(tmp_path / "1024", 1024, None))
    (asked,) = answer("sweep", *runs).inputs
    assert (asked.value, asked.origin) == (100, "assumed")
    content = answer("sweep", *runs, state=State().with_input(DESKTOPS, 300.0))
    assert (content.inputs[0].value, content.inputs[0].origin) == (300, "yours")
    assert content.cards[2].value == "300"


def test_that_the_sample_shows_rates_first_and_unknown_results_below(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    opened.workspace.apply(page=KEY, page_views=opened.workspace.state.with_page_view(KEY, "dip").page_views)
    settle(opened, qtbot)
    content = opened.page.content
    assert content is not None
    assert content.figure is not None
    assert {card.unit for card in content.cards} == {"IOPS"}
    assert "not known" not in content.caption
    assert footer_of(content.figure, [], {}).notes == snapshot


def test_that_the_strip_cuts_no_name_of_a_phase(opened: MainWindow, qtbot: QtBot) -> None:
    named = set()
    for wide in (1366, 1920, 3840):
        opened.resize(wide, 1080)
        after(opened, qtbot, lambda: opened.show_page("cache"))
        assert opened.page.figure is not None
        strip = opened.page.figure.zoom_bar.strip
        named |= {words for _, words in strip.names()}
        assert [words for left, words in strip.names() if left < 0] == []
        ends = [left + text_width(Ink("light").small, words) for left, words in strip.names()]
        assert max(ends) <= strip.width()
    # The logon began before the part that the page shows.
    assert named == {"logon", "steady state"}


def test_that_an_empty_chart_of_sizes_says_that_nothing_was_measured(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "vdi-login-storm")
    views = window.workspace.state.with_page_view("cache", "sweep").page_views
    after(window, qtbot, lambda: window.workspace.apply(page="cache", page_views=views))
    figure = window.page.figure
    assert figure is not None
    assert [panel.measured for panel in figure.seen] == [False]
