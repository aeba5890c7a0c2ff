"""The window that the tests of a file share: after any test, the next one gets a window in its first state."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import pytest
from msgspec import structs
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SWEEP, after, leave, make_window, open_and_wait, settle
from tests.gui.kept_window import KeptWindow, looks
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.registry import PAGES
from workbench.gui.shell.main_window import MainWindow
from workbench.study.store.column_store import Store


def _sorts(window: MainWindow) -> None:
    window.page.tables[0].table.sortByColumn(1, window.page.tables[0].table.horizontalHeader().sortIndicatorOrder())


def _zooms(window: MainWindow) -> None:
    assert window.page.figure is not None
    window.page.figure.set_span(100.0, 200.0)


def _copies(window: MainWindow) -> None:
    QApplication.clipboard().setText("copied")


def _reads_at_the_timeline(window: MainWindow) -> None:
    window.show_page("timeline")
    window.counters.panel.field.setText("disk")


def _widens_a_column(window: MainWindow) -> None:
    window.page.tables[0].table.setColumnWidth(1, 321)


def _moves_the_splitter(window: MainWindow) -> None:
    body = window.page.make_whole().body
    *others, table = body.sizes()
    body.setSizes([*others, table + 60])


CHANGES: dict[str, Callable[[MainWindow], object]] = {
    "page": lambda window: window.show_page("cache"),
    "tool": lambda window: window.show_page("limits"),
    "timeline": _reads_at_the_timeline,
    "theme": lambda window: window.toggle_theme(),
    "type": lambda window: window.preferences.set("type_size", "125"),
    "decimals": lambda window: window.preferences.set("decimals", "comma"),
    "units": lambda window: window.preferences.set("units", "MiB"),
    "hidden": lambda window: window.workspace.apply(hidden=frozenset({"MCS"})),
    "size": lambda window: window.resize(1000, 600),
    "maximised": lambda window: window.showMaximized(),
    "rail": lambda window: window.rail.remember(True),
    "tree": lambda window: window.rail.tree.setCurrentIndex(window.rail.tree.model().index(0, 0)),
    "folded": lambda window: window.rail.tree.expandAll(),
    "message": lambda window: window.strip.tell("Saved."),
    "warning": lambda window: window.strip.warn("Damaged."),
    "dialog": lambda window: window.preferences.show(),
    "export": lambda window: window.export_dialog(),
    "palette": lambda window: window.show_palette(),
    "columns": lambda window: window.page.tables[0].table.setColumnHidden(2, True),
    "width": _widens_a_column,
    "order": _sorts,
    "filter": lambda window: window.page.tables[0].filter.setText("512"),
    "recent": lambda window: setattr(window, "settings", structs.replace(window.settings, recent=("a",))),
    "used": lambda window: window.offers.used.append("quit"),
    "copied": _copies,
    "keyboard": lambda window: window.rail.pages.setFocus(),
    "closed": lambda window: window.folders.close_study(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_that_a_change_is_visible_and_undone(
    kept_window: KeptWindow, opened: MainWindow, qtbot: QtBot, change: str
) -> None:
    before = looks(opened)
    CHANGES[change](opened)
    settle(opened, qtbot)
    assert looks(opened) != before, "the change is seen"
    again = kept_window.at(SWEEP, lambda _: None, lambda window: settle(window, qtbot))
    assert again is opened, "the same window serves the next test"
    assert looks(again) == before


@pytest.mark.parametrize("change", [_widens_a_column, _moves_the_splitter])
def test_that_settings_of_another_page_are_reset(
    kept_window: KeptWindow, opened: MainWindow, qtbot: QtBot, change: Callable[[MainWindow], object]
) -> None:
    def at_the_page() -> list[Hashable]:
        again = kept_window.at(SWEEP, lambda _: None, lambda window: settle(window, qtbot))
        assert again is opened, "the same window serves the next test"
        after(again, qtbot, lambda: again.show_page("cache"))
        return looks(again)

    before = at_the_page()
    after(opened, qtbot, lambda: change(opened))
    assert looks(opened) != before, "the change is seen"
    after(opened, qtbot, lambda: opened.show_page("overview"))
    assert at_the_page() == before


def test_that_a_restored_window_looks_like_a_new_one_after_every_kind_of_change(
    kept_window: KeptWindow, window: MainWindow, store: Store, qtbot: QtBot
) -> None:
    open_and_wait(window, qtbot, SWEEP)
    for change in CHANGES.values():
        change(window)
        settle(window, qtbot)
    again = kept_window.at("new", lambda _: None, lambda window: settle(window, qtbot))
    new = make_window(store)
    settle(new, qtbot)
    assert looks(again) == looks(new)
    leave(new)
    new.deleteLater()


def test_that_a_closed_window_is_not_used_again(kept_window: KeptWindow, window: MainWindow, qtbot: QtBot) -> None:
    leave(window)
    again = kept_window.at("new", lambda _: None, lambda window: settle(window, qtbot))
    assert again is not window
    assert again.isVisible()


def test_that_answers_are_cached_except_for_a_test_that_needs_each_computed(
    request: pytest.FixtureRequest, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, spec = opened.workspace, next(spec for spec in PAGES if spec.key == "cache")
    spec.answer(workspace.library, workspace.state)
    asked: list[object] = []

    def counted(*given: object) -> CacheAnswer:
        asked.append(given)
        return cache_answer(*given)

    monkeypatch.setattr("workbench.answers.cache.page.cache_answer", counted)
    spec.answer(workspace.library, workspace.state)
    assert len(asked) == 0
    request.getfixturevalue("answers_computed")
    spec.answer(workspace.library, workspace.state)
    assert len(asked) == 1
