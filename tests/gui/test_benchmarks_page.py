"""The benchmark page in the real window: four views, the choice of tests and of the raw disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SWEEP, after, open_and_wait, settle, window_with
from workbench.charts.content import Content
from workbench.gui.shell.main_window import MainWindow
from workbench.words.numbers import THIN

SAMPLE = Path(__file__).parents[2] / "sample_data" / "storage-benchmarks"


@pytest.fixture
def storage(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    return window_with(request, qtbot, SAMPLE)


def show(window: MainWindow, qtbot: QtBot, view: str) -> Content:
    window.workspace.apply(page="benchmarks")
    window.workspace.apply(page_views=window.workspace.state.with_page_view("benchmarks", view).page_views)
    settle(window, qtbot)
    return shown(window)


def shown(window: MainWindow) -> Content:
    content = window.page.content
    assert content is not None
    return content


def choose(window: MainWindow, qtbot: QtBot, key: str, words: str) -> Content:
    box = window.page.make_whole().inputs.fields[key]
    assert isinstance(box, QComboBox)
    place = next(place for place in range(box.count()) if words in box.itemText(place))
    box.setCurrentIndex(place)
    box.activated.emit(place)
    settle(window, qtbot)
    return shown(window)


def test_that_the_published_tests_are_side_by_side_with_their_ratio(
    storage: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    content = show(storage, qtbot, "side-by-side")
    assert [(card.title, card.value) for card in content.cards] == [
        ("Highest IOPS", f"71{THIN}300"),
        ("Lowest IOPS", f"8{THIN}364"),
        ("Raw disk", f"18{THIN}410"),
    ]
    assert content.cards[0].detail == snapshot
    assert {one.key: one.origin for one in content.inputs} == {
        "benchmarks.family": "measured",
        "benchmarks.raw": "assumed",
    }


def test_that_the_raw_disk_is_chosen_and_the_choice_is_undone(
    storage: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    show(storage, qtbot, "side-by-side")
    content = choose(storage, qtbot, "benchmarks.raw", "device hard disk")
    # 71,299 / 8,364
    assert content.cards[0].detail == snapshot
    assert {one.key: one.origin for one in content.inputs}["benchmarks.raw"] == "yours"
    content = choose(storage, qtbot, "benchmarks.raw", "none")
    assert [card.title for card in content.cards] == ["Highest IOPS", "Lowest IOPS"]
    storage.workspace.undo()
    storage.workspace.undo()
    settle(storage, qtbot)
    assert shown(storage).cards[0].detail == snapshot


def test_that_another_family_shows_its_own_tests(storage: MainWindow, qtbot: QtBot) -> None:
    show(storage, qtbot, "side-by-side")
    content = choose(storage, qtbot, "benchmarks.family", f"4{THIN}KiB random writes")
    assert content.figure is not None
    assert len(content.figure.panels[0].x.categories) == 4
    assert content.tables[0].rows[0][0].text == "cache-disk_randwrite-4k_qd16x4"


def test_that_each_sweep_has_its_knee(storage: MainWindow, qtbot: QtBot) -> None:
    content = show(storage, qtbot, "sweeps")
    assert content.cards[0].value == f"QD{THIN}16"
    content = choose(storage, qtbot, "benchmarks.sweep", "1–32 threads")
    assert (content.cards[0].value, content.cards[0].unit) == ("1", "thread")


def test_that_ten_runs_are_dots_with_their_interval(storage: MainWindow, qtbot: QtBot) -> None:
    content = show(storage, qtbot, "repeats")
    assert "n = 10" in content.cards[0].note
    assert [table.name for table in content.tables] == ["Runs", "Repeated tests"]
    assert [row[0].text for row in content.tables[0].rows][-3:] == ["mean", "95 % interval, from", "95 % interval, to"]


def test_that_latencies_have_percentiles_and_histograms(storage: MainWindow, qtbot: QtBot) -> None:
    content = show(storage, qtbot, "latency")
    assert content.figure is not None
    assert [panel.y.label for panel in content.figure.panels] == ["Completion latency", "Share of I/Os"]
    assert [card.title for card in content.cards] == ["Lowest p99", "Highest p99"]


@pytest.mark.parametrize(("view", "words"), [("sweeps", "No sweep"), ("repeats", "No test was repeated")])
def test_that_a_view_without_an_answer_says_why(
    view: str, words: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    one = tmp_path / "one.txt"
    one.write_text("-t 2 -o 4, 9000.00 iops, 70.31 MB/sec, 0 ms\n")
    open_and_wait(window, qtbot, one)
    assert words in show(window, qtbot, view).empty
    assert not show(window, qtbot, "side-by-side").empty


@pytest.mark.parametrize(("page", "first", "second"), [("benchmarks", SWEEP, SAMPLE), ("logons", SAMPLE, SWEEP)])
def test_that_an_empty_page_says_what_to_add_and_adds_it(
    page: str, first: Path, second: Path, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_and_wait(window, qtbot, first)
    window.workspace.apply(page=page)
    settle(window, qtbot)
    ways = window.page.empty
    assert ways.add.isVisible()
    assert ways.sample_instead.isVisible()
    assert not ways.open.isVisible()
    monkeypatch.setattr("workbench.gui.commands.files.folders.dialogs.ask_folder", lambda _: second)
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        qtbot.mouseClick(ways.add, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    assert not shown(window).empty
    assert not ways.isVisible()


def test_that_an_empty_page_opens_the_sample(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    open_and_wait(window, qtbot, SWEEP)
    monkeypatch.setattr("workbench.gui.shell.main_window.sample_study", lambda: SAMPLE)
    assert show(window, qtbot, "side-by-side").empty == snapshot
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        qtbot.mouseClick(window.page.empty.sample_instead, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    assert not shown(window).empty


def test_that_choosers_show_units_as_usual_and_store_what_older_workspaces_have(
    storage: MainWindow, qtbot: QtBot
) -> None:
    show(storage, qtbot, "side-by-side")
    boxes = [box for box in storage.page.findChildren(QComboBox) if box.isVisible()]
    box = next(box for box in boxes if box.currentText().startswith(f"4{THIN}KiB"))
    row = next(row for row in range(box.count()) if "random writes" in box.itemText(row))
    assert box.itemText(row).startswith(f"4{THIN}KiB random writes (")
    after(storage, qtbot, lambda: box.activated.emit(row))
    assert dict(storage.workspace.state.inputs)["benchmarks.family"].startswith("4KiB random, writes (")
    figure = shown(storage).figure
    assert figure is not None
    assert figure.panels[0].subtitle.startswith(f"4{THIN}KiB random writes")
