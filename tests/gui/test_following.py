"""A test is followed in the window while it runs: new rows appear, figures say that they are not final."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import LONG_MS, open_and_wait, settle
from workbench.answers.common.document import summary_table, to_json
from workbench.gui.services import following as service
from workbench.gui.shell.main_window import MainWindow
from workbench.measures.phase_table import run_figures
from workbench.study import following as followed
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store


class Lab:
    """A study of two finished runs; `write` continues one of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "lab"
        for run in ("MCS 1VM", "PVS 1VM"):
            disk_csv(self.folder / run / "a.csv", "A", [10.0] * 60, [5.0] * 60)
        self.file = self.folder / "PVS 1VM" / "a.csv"
        self._lines = self.file.read_bytes().splitlines(True)
        self.file.write_bytes(b"".join(self._lines[:31]))

    def write(self, first: int, last: int) -> None:
        with self.file.open("ab") as stream:
            stream.write(b"".join(self._lines[first:last]))

    def summary(self, store: Store) -> str:
        found = find_sources([self.folder], store)
        readings = [(source, read_source(source.path, source.name, store)) for source in found.sources]
        return summary_of(build_studies(found, readings))


def summary_of(studies: object) -> str:
    assert isinstance(studies, tuple)
    figures = [run_figures(run) for study in studies for run in study.runs]
    return to_json(summary_table(figures, [problem for study in studies for problem in study.problems]))


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setattr(service, "LOOK_MS", 30)
    return Lab(tmp_path)


def rows(window: MainWindow) -> dict[str, int]:
    return {report.path: report.rows for report in window.workspace.library.files}


def running(window: MainWindow) -> dict[str, bool]:
    return {run.name: run.running for study in window.workspace.library.studies for run in study.runs}


def mark(window: MainWindow) -> bool:
    entry = next(entry for entry in window.menus["&File"].actions() if entry.data() == "folders.toggle")
    assert entry.isCheckable()
    return entry.isChecked()


def grown(window: MainWindow, qtbot: QtBot, count: int) -> None:
    qtbot.waitUntil(lambda: rows(window)["PVS 1VM/a.csv"] == count, timeout=LONG_MS)


def stop(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.act("folders.toggle")
    settle(window, qtbot)


def test_that_new_rows_appear_marked_as_running_and_the_end_is_as_a_plain_import(
    window: MainWindow, qtbot: QtBot, lab: Lab, tmp_path: Path
) -> None:
    window.importer.store = window.follower._store = Store(tmp_path / "store")
    open_and_wait(window, qtbot, lab.folder)
    columns = window.importer.store.root / "v1" / "columns"
    stored = sorted(columns.glob("*.arrow"))
    window.act("folders.toggle")
    assert mark(window)
    for count in (31, 40, 55):
        lab.write(len(lab.file.read_bytes().splitlines()), count + 1)
        grown(window, qtbot, count)
    assert running(window) == {"MCS 1VM": False, "PVS 1VM": True}
    assert "new row" in window.strip.message.full
    assert sorted(columns.glob("*.arrow")) == stored, "no look leaves a copy in the store"
    lab.write(56, 61)
    stop(window, qtbot)
    assert not mark(window)
    assert running(window) == {"MCS 1VM": False, "PVS 1VM": False}
    assert "no longer followed" in window.strip.message.full
    assert summary_of(window.workspace.as_read.studies) == lab.summary(Store(tmp_path / "other"))


def test_that_cards_and_findings_of_a_running_run_mention_it(window: MainWindow, qtbot: QtBot, lab: Lab) -> None:
    open_and_wait(window, qtbot, lab.folder)
    window.act("folders.toggle")
    lab.write(31, 50)
    grown(window, qtbot, 49)
    words: dict[str, str] = {}
    for page in ("overview", "per-vm-iops", "compare"):
        window.show_page(page)
        settle(window, qtbot)
        content = window.page.content
        words[page] = str(content.cards if page == "per-vm-iops" else content.tables)
    assert [page for page, text in words.items() if "running" not in text] == []
    stop(window, qtbot)


def test_that_a_test_without_new_data_is_no_longer_followed(
    window: MainWindow, qtbot: QtBot, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed, "IDLE_S", 0.3)
    open_and_wait(window, qtbot, lab.folder)
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.act("folders.toggle")
    settle(window, qtbot)
    assert not mark(window)
    assert "no longer followed" in window.strip.message.full


def test_that_opening_other_results_ends_the_following(
    window: MainWindow, qtbot: QtBot, lab: Lab, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, lab.folder)
    window.act("folders.toggle")
    disk_csv(tmp_path / "other" / "MCS" / "a.csv", "B", [1.0] * 40, [2.0] * 40)
    open_and_wait(window, qtbot, tmp_path / "other")
    assert not mark(window)
    lab.write(31, 40)
    time.sleep(0.1)
    settle(window, qtbot)
    assert [study.name for study in window.workspace.library.studies] == ["other"]


def test_that_following_needs_an_open_folder(window: MainWindow, qtbot: QtBot) -> None:
    entry = next(entry for entry in window.menus["&File"].actions() if entry.data() == "folders.toggle")
    entry.trigger()
    settle(window, qtbot)
    assert not mark(window)
    assert "Open the folder" in window.strip.message.full
    assert any("Follow running test" in each.words for each in window.offers.entries())


def test_that_a_closed_window_leaves_no_watcher(window: MainWindow, qtbot: QtBot, lab: Lab, tmp_path: Path) -> None:
    window.importer.store = window.follower._store = Store(tmp_path / "store")
    open_and_wait(window, qtbot, lab.folder)
    window.act("folders.toggle")
    lab.write(31, 40)
    grown(window, qtbot, 39)
    around = window.importer.store.root / "v1" / "following"
    assert list(around.iterdir())
    window.close()
    assert not list(around.iterdir())
