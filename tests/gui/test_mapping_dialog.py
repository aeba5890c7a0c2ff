"""Mapping the columns of an unknown CSV in the window, and opening archives, through real widgets."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.gui.conftest import LONG_MS, after, open_and_wait, settle
from tests.gui.test_journeys import action
from workbench.gui.dialogs.mapping_dialog import MappingDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.model.mapping import MappedCounter
from workbench.model.metric import Quantity, Vantage
from workbench.readers.tables.mapped import FROM_FILE_NAME
from workbench.study.importing.mappings import VARIABLE, load_mappings
from workbench.study.series.vm_series import vm_names

HOST = "Time;W10-001 Read IO/s;Response Time (ms);Remark\n" + "".join(
    f"05/09/24 10:{minute:02}:00;{100 + minute};{minute},5;ok\n" for minute in range(30)
)
LONG = "Time,VM,Metric,Value\n" + "".join(
    f"2024-05-09 10:{minute:02}:00,{vm},{metric},{value + minute}\n"
    for minute in range(30)
    for vm in ("W10-001", "W10-003")
    for metric, value in (("Read IOPS", 50), ("Delay", 3))
)


@pytest.fixture(autouse=True)
def _own_mappings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mappings.json"))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab" / "mcs"
    disk_csv(folder / "W10-002.csv", "W10-002", [1.0] * 9, [2.0] * 9)
    (folder / "host.csv").write_text(HOST)
    return folder.parent


def dialog_of(window: MainWindow, qtbot: QtBot) -> MappingDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(MappingDialog)), timeout=LONG_MS)
    settle(window, qtbot)
    return window.findChildren(MappingDialog)[0]


def press(dialog: MappingDialog, which: QDialogButtonBox.StandardButton, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.buttons.button(which), Qt.MouseButton.LeftButton)


def pick(box: object, words: str) -> None:
    place = box.findText(words)  # type: ignore[attr-defined]
    assert place >= 0
    box.setCurrentIndex(place)  # type: ignore[attr-defined]


def test_that_a_csv_is_mapped_confirmed_remembered_and_opened_again(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    open_and_wait(window, qtbot, lab)
    assert [one.code for one in window.workspace.library.problems if "host" in one.file] == ["needs-mapping"]
    action(window, "Map columns…").trigger()
    dialog = dialog_of(window, qtbot)
    assert not dialog.isModal()
    assert dialog.preview.item(1, 1).text() == "101"
    assert [row.meaning.currentText() for row in dialog.rows] == ["ignored", "read IOPS", "latency", "ignored"]
    assert dialog.rows[2].unit.currentText() == "ms"
    assert [row.meaning.isEnabled() for row in dialog.rows] == [False, True, True, True]
    assert (dialog.time_format.currentText(), dialog.decimal.currentText()) == ("month first", "decimal comma")
    dialog.rows[1].machine.setEditText("W10-001")
    pick(dialog.rows[1].vantage, "host")
    dialog.time_zone.setText("+01:00")
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    settle(window, qtbot)
    (mapping,) = load_mappings().values()
    assert [(c.column, c.quantity, c.scale, c.machine, c.vantage) for c in mapping.columns] == [
        (1, Quantity.READ_IOPS, 1.0, "W10-001", Vantage.HOST),
        (2, Quantity.LATENCY, 1e-3, "", Vantage.GUEST),
    ]
    (report,) = [one for one in window.workspace.library.files if "host" in one.path]
    assert (report.reader, report.rows, report.first) == ("mapped-csv", 30, "2024-05-09T09:00:00Z")
    action(window, "Map columns…").trigger()
    again = dialog_of(window, qtbot)
    assert again.rows[1].machine.currentText() == "W10-001"
    assert again.time_zone.text() == "+01:00"
    assert again.mapping() == mapping
    press(again, QDialogButtonBox.StandardButton.Cancel, qtbot)


def test_that_invalid_answers_are_reported_and_not_remembered(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    open_and_wait(window, qtbot, lab)
    window.runs.map_columns("mcs/host.csv")
    dialog = dialog_of(window, qtbot)
    pick(dialog.time_format, "year first")
    press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    assert "05/09/24 10:00:00" in dialog.said.text()
    pick(dialog.time_format, "month first")
    dialog.time_zone.setText("Mars")
    press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    assert "Mars" in dialog.said.text()
    dialog.time_zone.clear()
    for row in dialog.rows:
        pick(row.meaning, "ignored")
    press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    assert "ignored" in dialog.said.text()
    assert dialog.isVisible()
    press(dialog, QDialogButtonBox.StandardButton.Cancel, qtbot)
    assert load_mappings() == {}


def test_that_meaning_unit_machine_and_tier_follow_the_widgets(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    open_and_wait(window, qtbot, lab)
    window.runs.map_columns()
    dialog = dialog_of(window, qtbot)
    row = dialog.rows[1]
    pick(row.meaning, "throughput")
    pick(row.unit, "MiB/s")
    pick(row.machine, "file name")
    pick(row.tier, "cache-disk")
    pick(dialog.rows[2].meaning, "counter without a metric")
    first, second = dialog.mapping().columns
    assert (first.quantity, first.scale, first.machine, first.tier) == (
        Quantity.THROUGHPUT,
        2.0**20,
        FROM_FILE_NAME,
        "cache-disk",
    )
    assert (second.quantity, second.scale) == (None, 1.0)
    press(dialog, QDialogButtonBox.StandardButton.Cancel, qtbot)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_that_the_import_report_offers_the_mapping_dialog_only_for_an_unknown_csv(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    open_and_wait(window, qtbot, lab)
    after(window, qtbot, lambda: window.show_page("import-report"))
    table = window.page.tables[1].table
    names = [table.row(at)[0].value for at in range(len(window.workspace.library.files))]
    for name, offered in (("mcs/W10-002.csv", False), ("mcs/host.csv", True)):
        at = table.visualRect(table.model().index(names.index(name), 0)).center()
        table.customContextMenuRequested.emit(at)
        menus = [menu for menu in window.findChildren(QMenu) if menu.isVisible()]
        entries = {entry.text(): entry for menu in menus for entry in menu.actions()}
        assert ("Map columns…" in entries) is offered
        if offered:
            entries["Map columns…"].trigger()
        for menu in menus:
            menu.close()
    dialog = dialog_of(window, qtbot)
    assert "host.csv" in dialog.windowTitle()
    press(dialog, QDialogButtonBox.StandardButton.Cancel, qtbot)


def test_that_one_of_several_files_is_chosen(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    (lab / "mcs" / "other.csv").write_text(HOST.replace("Remark", "Note"))
    open_and_wait(window, qtbot, lab)
    window.runs.map_columns()
    qtbot.waitUntil(lambda: bool(window.findChildren(QInputDialog)), timeout=LONG_MS)
    question = window.findChildren(QInputDialog)[0]
    assert question.comboBoxItems() == ["mcs/host.csv", "mcs/other.csv"]
    question.setTextValue("mcs/other.csv")
    question.accept()
    dialog = dialog_of(window, qtbot)
    assert "other.csv" in dialog.windowTitle()
    press(dialog, QDialogButtonBox.StandardButton.Cancel, qtbot)


def test_that_without_files_to_map_a_message_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    action(window, "Map columns…").trigger()
    assert "Nothing to map" in window.strip.message.text()


def test_that_a_dropped_archive_opens_and_its_members_can_be_mapped(
    window: MainWindow, qtbot: QtBot, lab: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "lab.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for file in sorted(lab.rglob("*.csv")):
            made.write(file, file.relative_to(lab.parent))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(archive))])
    drop = QDropEvent(
        QPointF(QPoint(9, 9)), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.dropEvent(drop)
    settle(window, qtbot)
    assert [run.name for study in window.workspace.library.studies for run in study.runs] == ["mcs"]
    window.runs.map_columns("lab.zip/lab/mcs/host.csv")
    dialog = dialog_of(window, qtbot)
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    settle(window, qtbot)
    assert {one.reader for one in window.workspace.library.files} == {"perfmon", "mapped-csv"}


def test_that_mapping_columns_keeps_the_workspace_and_unsaved_edits(
    window: MainWindow, qtbot: QtBot, lab: Path, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, lab)
    window.sessions.save_to(tmp_path / "review.vdiwb")
    window.runs.exclude_with([str(lab / "mcs")], "fan broke")
    settle(window, qtbot)
    action(window, "Map columns…").trigger()
    dialog = dialog_of(window, qtbot)
    dialog.rows[1].machine.setEditText("W10-001")
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    settle(window, qtbot)
    assert window.sessions.path == tmp_path / "review.vdiwb"
    assert window.workspace.state.excluded == {str(lab / "mcs"): "fan broke"}
    assert window.sessions.dirty


def test_that_a_long_table_is_mapped_by_its_machine_and_its_counters(
    window: MainWindow, qtbot: QtBot, lab: Path, snapshot: SnapshotAssertion
) -> None:
    (lab / "mcs" / "host.csv").write_text(LONG)
    open_and_wait(window, qtbot, lab)
    window.runs.map_columns()
    dialog = dialog_of(window, qtbot)
    meanings = [row.meaning.currentText() for row in dialog.rows]
    assert meanings == snapshot
    assert [row.unit.isEnabled() for row in dialog.rows] == [False, False, False, True]
    assert [(row.name, row.meaning.currentText()) for row in dialog.counter_rows] == [
        ("Read IOPS", "read IOPS"),
        ("Delay", "counter without a metric"),
    ]
    assert dialog.columns.item(5, 1).text() == "Delay"
    pick(dialog.counter_rows[1].meaning, "latency")
    pick(dialog.counter_rows[1].unit, "ms")
    dialog.time_zone.setText("+01:00")
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    settle(window, qtbot)
    (mapping,) = load_mappings().values()
    assert (mapping.machine_column, mapping.disk_column, mapping.counter_column) == (1, None, 2)
    assert mapping.counters == (
        MappedCounter("Read IOPS", Quantity.READ_IOPS, 1.0),
        MappedCounter("Delay", Quantity.LATENCY, 1e-3),
    )
    (run,) = [run for study in window.workspace.library.studies for run in study.runs]
    assert set(vm_names(run)) == {"W10-001", "W10-002", "W10-003"}
    window.runs.map_columns()
    again = dialog_of(window, qtbot)
    assert again.mapping() == mapping
    press(again, QDialogButtonBox.StandardButton.Cancel, qtbot)


def test_that_counters_go_with_their_column_and_no_role_is_given_twice(
    window: MainWindow, qtbot: QtBot, lab: Path, snapshot: SnapshotAssertion
) -> None:
    (lab / "mcs" / "host.csv").write_text(LONG)
    open_and_wait(window, qtbot, lab)
    window.runs.map_columns()
    dialog = dialog_of(window, qtbot)
    pick(dialog.rows[2].meaning, "VM or LUN name")
    assert (dialog.counter_rows, dialog.columns.rowCount()) == ([], 4)
    press(dialog, QDialogButtonBox.StandardButton.Ok, qtbot)
    assert dialog.said.text() == snapshot
    pick(dialog.rows[2].meaning, "counter name")
    assert [row.name for row in dialog.counter_rows] == ["Read IOPS", "Delay"]
    press(dialog, QDialogButtonBox.StandardButton.Cancel, qtbot)
    assert load_mappings() == {}
