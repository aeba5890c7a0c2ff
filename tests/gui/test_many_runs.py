"""Parts of the window that are created when they are shown: rows of the tree, tables in tabs, frames of cards."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.builders import many_configurations
from tests.gui.conftest import after, open_and_wait
from workbench.charts.content import Card
from workbench.charts.figure import Look
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.pages.answer_cards import AnswerCards
from workbench.gui.shell.app import Collector
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard


def _table(name: str, *values: str) -> TableData:
    return TableData((Column("VM"),), tuple((Cell(value, value),) for value in values), name=name)


def _cards(*titles: str) -> list[Card]:
    return [Card(title, Look("MCS", tint=index / 10), "1", "IOPS", "") for index, title in enumerate(titles)]


def test_that_a_table_in_a_hidden_tab_gets_its_rows_when_it_is_opened(qtbot: QtBot) -> None:
    card = TableCard("First")
    qtbot.addWidget(card)
    card.show_tables((_table("First", "a"), _table("Second", "b", "c")), "light")
    card.tabs.setCurrentIndex(1)
    assert card.table.as_text() == "VM\nb\nc"
    card.show_tables((_table("First", "a"), _table("Second", "d")), "light")
    assert card.table.as_text() == "VM\nd", "the tab that is open shows the newer rows"
    card.tabs.setCurrentIndex(0)
    assert card.table.as_text() == "VM\na"


def test_that_removing_a_card_keeps_the_frames_of_the_others(qtbot: QtBot) -> None:
    cards = AnswerCards()
    qtbot.addWidget(cards)
    cards.show_cards(_cards("A", "B", "C"), "light")
    kept = cards._frames[:2]
    cards.show_cards(_cards("B", "C"), "dark")
    cards.show()
    QApplication.processEvents()
    assert cards._frames == kept
    assert [frame.title.full for frame in cards._frames] == ["B", "C"]
    assert all(frame.isVisible() for frame in kept)


def test_that_visible_rows_of_a_long_table_have_the_height_of_their_text(qtbot: QtBot) -> None:
    sentence = "The write cache of this configuration has overflowed during the logons. " * 6
    rows = tuple((Cell(f"{index}: {sentence}"),) for index in range(600))
    table = DataTable("Findings")
    qtbot.addWidget(table)
    table.resize(500, 300)
    table.show_data(TableData((Column("Sentence", fills=True),), rows), "light")
    table.show()
    qtbot.waitExposed(table)
    for scrolled in (0, table.verticalScrollBar().maximum()):
        table.verticalScrollBar().setValue(scrolled)
        table.grab()
        shown = [row for row in range(600) if 0 <= table.rowViewportPosition(row) < table.viewport().height()]
        assert shown
        assert all(table.rowHeight(row) >= table.sizeHintForRow(row) > 50 for row in shown)


def test_that_tree_rows_are_created_when_their_parent_is_opened(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    many_configurations(tmp_path / "study", 2)
    open_and_wait(window, qtbot, tmp_path / "study")
    tree = window.rail.tree
    group = tree.configuration_item("MCS 01")
    assert group is not None
    assert group.rowCount() == 0
    assert tree.model().hasChildren(group.index()), "the arrow that opens it is there"
    tree.expand(group.index())
    assert [group.child(row).text() for row in range(group.rowCount())] == ["mcs-01-r1", "mcs-01-r2"]
    run = group.child(1)
    assert run.rowCount() == 0
    tree.expand(run.index())
    qtbot.waitUntil(lambda: run.rowCount() == 1)
    assert run.child(0).text() == "A"
    tree.setCurrentIndex(run.index())
    assert [Path(folder).name for folder in tree.selected_runs()] == ["mcs-01-r2"]
    tree.setCurrentIndex(group.index())
    assert [Path(folder).name for folder in tree.selected_runs()] == ["mcs-01-r1", "mcs-01-r2"]


def test_that_a_chosen_vm_stays_chosen_in_its_run_when_a_run_is_edited(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    many_configurations(tmp_path / "study", 2)
    open_and_wait(window, qtbot, tmp_path / "study")
    tree, workspace = window.rail.tree, window.workspace
    first, second = (run.run.folder for run in workspace.library.groups(workspace.state)[0].runs)
    for folder in (first, second):
        item = tree.run_item(folder)
        assert item is not None
        tree.expand(item.parent().index())
        tree.expand(item.index())
        qtbot.waitUntil(lambda item=item: item.rowCount() == 1)  # type: ignore[misc]
    tree.setCurrentIndex(item.child(0).index())
    tree.collapse(item.index())
    other = workspace.library.groups(workspace.state)[1].runs[0].run.folder
    edit = replace(workspace.state.edits_of(other), configuration="Another build")
    after(window, qtbot, lambda: workspace.apply(edits=workspace.state.with_edits(edit).edits))
    assert tree.configuration_item("Another build") is not None
    chosen = [tree._items.itemFromIndex(index) for index in tree.selectionModel().selectedRows()]
    assert [(vm.text(), vm.parent().text()) for vm in chosen] == [("A", "mcs-01-r2")]


def test_that_an_edited_run_has_the_page_computed_once(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many_configurations(tmp_path / "study", 2)
    open_and_wait(window, qtbot, tmp_path / "study")
    topics: list[str] = []
    run = window.tasks.run
    monkeypatch.setattr(
        window.tasks, "run", lambda topic, *rest, **named: (topics.append(topic), run(topic, *rest, **named))
    )
    workspace = window.workspace
    folder = workspace.library.groups(workspace.state)[1].runs[0].run.folder
    edit = replace(workspace.state.edits_of(folder), configuration="Another build")
    after(window, qtbot, lambda: workspace.apply(edits=workspace.state.with_edits(edit).edits))
    assert topics.count("page") == 1
    assert window.page.content is not None
    assert any("Another build" in str(table.rows) for table in window.page.content.tables)
    after(window, qtbot, window.history.undo)
    assert topics.count("page") == 2
    assert not any("Another build" in str(table.rows) for table in window.page.content.tables)


def test_that_living_objects_are_inspected_only_while_the_window_is_idle(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda part=2: parts.append(part))
    counts = [(701, 0, 0), (701, 11, 11), (0, 0, 11)]
    monkeypatch.setattr(gc, "get_count", lambda: counts[0] if len(counts) == 1 else counts.pop(0))
    collector = Collector()
    collector.stop()
    for _ in range(100):
        collector.look()
    assert parts == [0, 1], "a window that computes has small parts looked through"
    collector.busy = lambda: False
    for _ in range(50):
        collector.look()
    assert parts == [0, 1]
    collector.look()
    assert parts == [0, 1, 2], "after five seconds at rest comes the rest"
