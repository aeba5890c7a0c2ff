"""The sheet *Check detected runs*: shown once for each study with relevant guesses; its answers are one step."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import SWEEP, after, open_and_wait, settle
from workbench.gui.runs.found_cells import GUESSED, MARKS
from workbench.gui.runs.found_sheet import FoundSheet
from workbench.gui.services.translation import install
from workbench.gui.shell.main_window import MainWindow
from workbench.model.resources import sample_study
from workbench.model.run import Provisioning
from workbench.words.translated import ENGLISH

LEFT = Qt.MouseButton.LeftButton
NAME, CONFIGURATION, PROVISIONING, CACHE, VMS, DATE, ZONE, WHEN = range(8)


@pytest.fixture
def guessed(tmp_path: Path) -> Path:
    """Two runs of MCS by their numbers, and one of PVS with a cache size from its folder's name, two years later."""
    lab = tmp_path / "lab"
    rates = [10.0 + n % 2 for n in range(60)]
    for name, start in (
        ("mcs-1", "05/20/2016 09:00:00.000"),
        ("mcs-2", "05/21/2016 09:00:00.000"),
        ("pvs 256mb", "05/22/2018 09:00:00.000"),
    ):
        disk_csv(lab / name / "vm.csv", "W10-001", rates, rates, start=start)
    (lab / "picture.png").write_bytes(b"\x89PNG\r\n")
    return lab


def sheet_of(window: MainWindow) -> FoundSheet:
    sheet = window.found._sheet
    assert sheet is not None
    return sheet


def checked(window: MainWindow, qtbot: QtBot, folder: Path) -> FoundSheet:
    """The sheet that a window shows automatically when this folder is opened."""
    window.found.asks = True
    open_and_wait(window, qtbot, folder)
    return sheet_of(window)


def tick(sheet: FoundSheet, *names: str) -> None:
    for at, row in enumerate(sheet.rows):
        if row.run.name in names:
            sheet.table.item(at, NAME).setCheckState(Qt.CheckState.Checked)


def at_row(sheet: FoundSheet, name: str) -> int:
    return next(at for at, row in enumerate(sheet.rows) if row.run.name == name)


def configurations(window: MainWindow) -> dict[str, str]:
    return {run.name: run.configuration.name for run in window.workspace.library.studies[0].runs}


def press(window: MainWindow, qtbot: QtBot, button: object) -> None:
    after(window, qtbot, lambda: QTest.mouseClick(button, LEFT))  # type: ignore[call-overload]


def test_that_the_summary_of_guesses_is_shown_once_and_marks_guessed_values(
    window: MainWindow, qtbot: QtBot, guessed: Path
) -> None:
    sheet = checked(window, qtbot, guessed)
    row = at_row(sheet, "pvs 256mb")
    marked = [column for column in range(8) if sheet.table.item(row, column).data(GUESSED)]
    assert marked == [CONFIGURATION, PROVISIONING, CACHE, VMS]
    assert "256mb" in sheet.table.item(row, CACHE).toolTip()
    marks = {each.run.name: sheet.table.item(at, WHEN).data(MARKS)[0] for at, each in enumerate(sheet.rows)}
    first, last = datetime(2016, 5, 20, tzinfo=UTC), datetime(2018, 5, 22, tzinfo=UTC)
    day = (datetime(2016, 5, 21, tzinfo=UTC) - first) / (last - first)
    assert marks == {"mcs-1": 0.0, "mcs-2": pytest.approx(day, abs=1e-4), "pvs 256mb": pytest.approx(1.0, abs=1e-4)}
    assert sheet.files.isVisible()
    press(window, qtbot, sheet.cancel)
    open_and_wait(window, qtbot, guessed)
    assert window.found._sheet is None


def test_that_the_summary_of_guesses_needs_guesses_and_is_not_shown_without_asking(
    window: MainWindow, qtbot: QtBot, guessed: Path
) -> None:
    open_and_wait(window, qtbot, guessed)
    assert window.found._sheet is None
    window.found.asks = True
    open_and_wait(window, qtbot, SWEEP)
    assert window.found._sheet is None


def test_that_names_and_sizes_that_are_typed_and_an_exclusion_are_one_step(
    window: MainWindow, qtbot: QtBot, guessed: Path
) -> None:
    sheet = checked(window, qtbot, guessed)
    steps = len(window.workspace.past)
    row = at_row(sheet, "pvs 256mb")
    index = sheet.table.model().index(row, CONFIGURATION)
    sheet.table.setCurrentIndex(index)
    sheet.table.edit(index)
    editor = sheet.table.findChild(QLineEdit, "inplace")
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "Pilot")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sheet.rows[row].run.configuration.name == "Pilot")
    sheet.state_field(row, "ram_cache_mb", 512)
    tick(sheet, "mcs-1")
    sheet.exclude_with("pilot")
    cells = [sheet.table.item(at_row(sheet, "mcs-1"), column) for column in range(sheet.table.columnCount())]
    assert "Excluded: pilot" in [cell.text() for cell in cells if cell is not None]
    assert configurations(window)["pvs 256mb"] == "PVS 256 MB", "nothing holds before it is applied"
    press(window, qtbot, sheet.apply)
    runs = {run.name: run for run in window.workspace.library.studies[0].runs}
    assert runs["pvs 256mb"].configuration.name == "Pilot"
    assert runs["pvs 256mb"].configuration.ram_cache_mb == 512
    assert window.workspace.state.excluded == {runs["mcs-1"].folder: "pilot"}
    assert len(window.workspace.past) == steps + 1
    after(window, qtbot, window.history.undo)
    assert not window.workspace.state.edits


def test_that_an_invalid_zone_is_rejected_with_an_explanation(window: MainWindow, qtbot: QtBot, guessed: Path) -> None:
    sheet = checked(window, qtbot, guessed)
    sheet.state_field(0, "time_zone", "Atlantis")
    assert sheet.said.isVisible()
    assert all(edit.time_zone is None for edit in sheet.result())
    sheet.state_field(0, "configuration", "")
    assert sheet.said.isVisible()
    assert all(edit.nothing for edit in sheet.result())


def test_that_runs_are_merged_and_split(window: MainWindow, qtbot: QtBot, guessed: Path) -> None:
    sheet = checked(window, qtbot, guessed)
    assert not any(button.isEnabled() for button in (sheet.merge, sheet.split, sheet.exclude))
    tick(sheet, "mcs-2")
    QTest.mouseClick(sheet.split, LEFT)
    press(window, qtbot, sheet.apply)
    assert configurations(window) == {"mcs-1": "MCS", "mcs-2": "MCS 2", "pvs 256mb": "PVS 256 MB"}
    window.found.show()
    sheet = sheet_of(window)
    tick(sheet, "mcs-1", "pvs 256mb")
    QTest.mouseClick(sheet.merge, LEFT)
    merged = {row.run.name: row.run.configuration for row in sheet.rows}
    assert merged["pvs 256mb"] == merged["mcs-1"]
    assert merged["mcs-1"].provisioning is Provisioning.MCS
    QTest.mouseClick(sheet.split, LEFT)
    assert {row.run.name: row.run.configuration.name for row in sheet.rows} == {
        "mcs-1": "MCS 1",
        "mcs-2": "MCS 2",
        "pvs 256mb": "PVS 256 MB",
    }
    sheet.reject()


def test_that_only_write_run_toml_writes_into_the_results(window: MainWindow, qtbot: QtBot, guessed: Path) -> None:
    before = sorted(guessed.rglob("*"))
    sheet = checked(window, qtbot, guessed)
    sheet.state_field(at_row(sheet, "pvs 256mb"), "ram_cache_mb", 512)
    (guessed / "mcs-1" / "run.toml").write_text('configuration = "MCS"\n', encoding="utf-8")
    QTest.mouseClick(sheet.keep, LEFT)
    box = next(child for child in sheet.findChildren(QMessageBox))
    assert sorted(guessed.rglob("*")) == sorted([*before, guessed / "mcs-1" / "run.toml"])
    box.accept()
    settle(window, qtbot)
    assert (guessed / "mcs-1" / "run.toml").read_text(encoding="utf-8") == 'configuration = "MCS"\n'
    stated = tomllib.loads((guessed / "pvs 256mb" / "run.toml").read_text(encoding="utf-8"))
    assert stated == {"configuration": "PVS 256 MB", "provisioning": "PVS", "ram_cache_mb": 512}
    sheet.reject()


def test_that_runs_without_times_have_no_year(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, sample_study() / "vdi-login-storm")
    window.found.show()
    sheet = sheet_of(window)
    assert [sheet.table.item(at, WHEN).data(MARKS) for at in range(2)] == [[], []]
    assert sheet.table.horizontalHeaderItem(WHEN).text() == ""
    sheet.reject()


def test_that_a_study_of_benchmarks_opens_on_its_page(window: MainWindow, qtbot: QtBot) -> None:
    window.found.asks = True
    open_and_wait(window, qtbot, sample_study() / "storage-benchmarks")
    assert window.workspace.state.page == "benchmarks"
    assert window.found._sheet is None


def test_that_a_page_without_runs_leads_to_the_benchmarks(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = next((sample_study() / "storage-benchmarks").glob("raw-san_seqread*.json"))
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / file.name).write_bytes(file.read_bytes())
    open_and_wait(window, qtbot, tmp_path / "disk")
    after(window, qtbot, lambda: window.show_page("compare"))
    assert window.page.empty.offered.isVisible()
    after(window, qtbot, window.page.empty.offered.click)
    assert window.workspace.state.page == "benchmarks"


def test_that_a_long_name_is_shown_completely(window: MainWindow, qtbot: QtBot, guessed: Path) -> None:
    sheet = checked(window, qtbot, guessed)
    row, height = at_row(sheet, "mcs-1"), sheet.table.rowHeight(at_row(sheet, "mcs-1"))
    sheet.state_field(row, "configuration", "XenApp 7.6 on Cisco-B200 with a write cache " * 5)
    qtbot.waitUntil(lambda: sheet.table.rowHeight(row) > height)
    index = sheet.table.model().index(row, 1)
    assert sheet.table.rowHeight(row) >= sheet.table.sizeHintForIndex(index).height()


def test_that_a_long_reason_cuts_no_name_and_keeps_the_rail_visible(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.gui.services.layout.room_of", lambda _: QSize(1366, 768))
    window.resize(1366, 768)
    sheet = checked(window, qtbot, SWEEP.parent / "damaged")
    QApplication.processEvents()
    row, table = at_row(sheet, "other-hosts-in-one-folder"), sheet.table
    assert "never overlap in time" in table.item(row, DATE).text()
    metrics = QFontMetrics(table.font())
    words = max(metrics.horizontalAdvance(word) for word in ("database-server-", "other-hosts-in-"))
    assert table.columnWidth(NAME) > words + 40
    assert table.rowHeight(row) >= table.sizeHintForRow(row)
    assert sheet.geometry().left() > window.rail.mapToGlobal(window.rail.rect().topRight()).x()


def test_that_reasons_are_in_the_language_of_the_window(window: MainWindow, qtbot: QtBot) -> None:
    install("de")
    try:
        sheet = checked(window, qtbot, SWEEP.parent / "damaged")
        cell = sheet.table.item(at_row(sheet, "other-hosts-in-one-folder"), DATE)
        assert "überschneiden sich zeitlich nie" in cell.text()
        assert "überschneiden sich zeitlich nie" in cell.toolTip()
    finally:
        install(ENGLISH)


def test_that_a_page_without_usable_runs_leads_to_the_import_report(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rates = [10.0 + n % 2 for n in range(60)]
    for number in range(1, 5):
        start = f"05/2{number}/201{number} 09:00:00.000"
        disk_csv(tmp_path / "lab" / "mcs-1" / f"{number}.csv", f"W10-00{number}", rates, rates, start=start)
    open_and_wait(window, qtbot, tmp_path / "lab")
    assert all(run.excluded for study in window.workspace.library.studies for run in study.runs)
    after(window, qtbot, lambda: window.show_page("per-vm-iops"))
    button = window.page.empty.offered
    assert button.isVisible()
    after(window, qtbot, lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    assert window.workspace.state.page == "import-report"
