"""Runs edited in place: by the editor, by F2 in the tree, several at once; every step can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, after, open_and_wait, settle, window_with
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.runs.run_editor import NO_REASON, RunEditor
from workbench.gui.runs.runs_tree import RowKind
from workbench.gui.shell.main_window import MainWindow
from workbench.model.run import SessionType
from workbench.session.document import SessionDocument, load_session, save_session

STUDY = SAMPLE / "windows-7-mcs-and-pvs"
OK = QDialogButtonBox.StandardButton.Ok


def folder_of(window: MainWindow, name: str) -> str:
    return next(run.folder for study in window.workspace.library.studies for run in study.runs if run.name == name)


def choose_runs(window: MainWindow, *names: str) -> list[str]:
    tree = window.rail.tree
    tree.clearSelection()
    folders = [folder_of(window, name) for name in names]
    for folder in folders:
        item = tree.run_item(folder)
        tree.selectionModel().select(
            item.index(), tree.selectionModel().SelectionFlag.Select | tree.selectionModel().SelectionFlag.Rows
        )
    tree.setCurrentIndex(tree.run_item(folders[0]).index()) if len(folders) == 1 else None
    return folders


def editor(window: MainWindow) -> RunEditor:
    window.act("runs.edit")
    (found,) = window.findChildren(RunEditor)
    assert not found.isModal()
    return found


def press(dialog: RunEditor, which: QDialogButtonBox.StandardButton) -> None:
    QTest.mouseClick(dialog.buttons.button(which), Qt.MouseButton.LeftButton)


@pytest.fixture
def desk(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    return window_with(request, qtbot, STUDY)


def test_that_facts_are_edited_and_undone_in_one_step(desk: MainWindow, qtbot: QtBot) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    dialog = editor(desk)
    line, ram = dialog.fields["configuration"].widget, dialog.fields["ram_cache_mb"].widget
    assert isinstance(line, QLineEdit)
    assert isinstance(ram, QSpinBox)
    line.setText("MCSIO, by hand")
    ram.setValue(512)
    sessions = dialog.fields["session_type"].widget
    sessions.setCurrentIndex(sessions.findData(SessionType.RDS))
    press(dialog, OK)
    settle(desk, qtbot)
    run = desk.workspace.library.figures[folder].run
    assert (run.configuration.name, run.configuration.ram_cache_mb, run.session_type) == (
        "MCSIO, by hand",
        512,
        SessionType.RDS,
    )
    edits = desk.workspace.state.edits_of(folder)
    assert (edits.provisioning, edits.vms, edits.phases) == (None, None, ()), "what was not touched is no edit"
    assert desk.rail.tree.selected_runs() == [folder], "the run stays chosen when the tree is built anew"
    after(desk, qtbot, desk.history.undo)
    assert desk.workspace.library.figures[folder].run.configuration.name == "MCS"
    assert desk.workspace.state.edits == ()


def test_that_the_editor_shows_the_source_of_each_value(window: MainWindow, qtbot: QtBot, tmp_path: object) -> None:
    from tests.builders import disk_csv

    assert isinstance(tmp_path, Path)
    disk_csv(tmp_path / "lab" / "MCSIO 512MB 5VM" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    open_and_wait(window, qtbot, tmp_path / "lab")
    choose_runs(window, "MCSIO 512MB 5VM")
    dialog = editor(window)
    assert dialog.fields["provisioning"].origin.text().startswith("guessed: ")
    assert dialog.fields["ram_cache_mb"].origin.text().startswith("guessed: ")
    assert dialog.fields["write_cache"].origin.text() == "not stated"
    dialog.reject()


def test_that_the_side_of_the_guest_counters_is_stated_and_undone(desk: MainWindow, qtbot: QtBot) -> None:
    (folder,) = choose_runs(desk, "pvs-256")
    assert desk.workspace.library.figures[folder].phases[0].side is None
    for words, side in (("above the cache", "above-cache"), ("not stated", None)):
        dialog = editor(desk)
        box = dialog.fields["guest_counters"].widget
        assert isinstance(box, QComboBox)
        box.setCurrentText(words)
        press(dialog, OK)
        settle(desk, qtbot)
        assert desk.workspace.library.figures[folder].phases[0].side == side
    assert desk.workspace.state.edits == ()


def test_that_build_and_date_are_stated_undone_and_saved(
    desk: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    dialog = editor(desk)
    build, date = dialog.fields["build"], dialog.fields["date"]
    assert build.origin.text() == "not stated"
    assert date.origin.text() == snapshot
    assert isinstance(build.widget, QLineEdit)
    assert isinstance(date.widget, QLineEdit)
    build.widget.setText("22H2-19045.3803")
    date.widget.setText("last week")
    press(dialog, OK)
    assert dialog.said.text() == snapshot
    date.widget.setText("2016-05-09T10:00+01:00")
    press(dialog, OK)
    settle(desk, qtbot)
    run = desk.workspace.library.figures[folder].run
    assert (run.build, run.date) == ("22H2-19045.3803", "2016-05-09T10:00:00+01:00")
    file = tmp_path / "review.vdiwb"
    save_session(file, SessionDocument(paths=(str(STUDY),), state=desk.workspace.state))
    assert load_session(file).state.edits == desk.workspace.state.edits
    dialog = editor(desk)
    assert dialog.fields["build"].origin.text() == snapshot
    dialog.reject()
    after(desk, qtbot, desk.history.undo)
    assert desk.workspace.library.figures[folder].run.build is None


def test_that_a_phase_is_typed_and_the_figures_follow(desk: MainWindow, qtbot: QtBot) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    before = desk.workspace.library.figures[folder].phase("steady")
    dialog = editor(desk)
    table = dialog.phases.table
    row = next(at for at in range(table.rowCount()) if table.item(at, 0).text() == "steady")
    start = table.item(row, 1).text()
    assert dialog._clock.words == "UTC+01:00"
    dialog.phases.add.click()
    place = table.rowCount() - 1
    table.item(place, 0).setText("av-scan")
    table.item(place, 1).setText(start)
    end = desk.workspace.library.figures[folder].phase("steady").phase.start + 600
    table.item(place, 2).setText(dialog._clock.text(end))
    press(dialog, OK)
    settle(desk, qtbot)
    scan = desk.workspace.library.figures[folder].phase("av-scan")
    assert scan.phase.duration_s == 600
    assert 0 < scan.total_io < before.total_io
    assert desk.workspace.library.figures[folder].phase("steady") == before
    dialog = editor(desk)
    table = dialog.phases.table
    row = next(at for at in range(table.rowCount()) if table.item(at, 0).text() == "av-scan")
    table.setCurrentCell(row, 0)
    assert dialog.phases.remove.isEnabled()
    dialog.phases.remove.click()
    press(dialog, OK)
    settle(desk, qtbot)
    assert desk.workspace.library.figures[folder].phase("av-scan") is None
    assert desk.workspace.state.edits == ()


def test_that_invalid_input_is_reported_and_the_dialog_stays_open(
    desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    choose_runs(desk, "mcs-5vm")
    dialog = editor(desk)
    dialog.phases.table.item(0, 2).setText("08:00:00")
    press(dialog, OK)
    assert dialog.said.text() == snapshot
    assert dialog.isVisible()
    dialog.phases.table.setCurrentCell(0, 0)
    dialog.phases.back.click()
    dialog.counts.setCurrentIndex(1)
    press(dialog, OK)
    assert dialog.said.text() == NO_REASON
    dialog.reason.setText("fan broke")
    dialog.fields["time_zone"].widget.setText("Mars")
    press(dialog, OK)
    assert "Mars" in dialog.said.text()
    assert desk.workspace.state.edits == ()
    dialog.reject()


def test_that_several_runs_are_renamed_and_excluded_at_once(desk: MainWindow, qtbot: QtBot) -> None:
    folders = choose_runs(desk, "pvs-256", "pvs-256-bloated")
    dialog = editor(desk)
    assert set(dialog.fields) == {"configuration", "provisioning", "build", "time_zone"}
    assert dialog.phases is None
    dialog.fields["configuration"].widget.setText("PVS, all")
    dialog.counts.setCurrentText("excluded from results")
    dialog.reason.setText("array rebuild")
    press(dialog, OK)
    settle(desk, qtbot)
    assert desk.workspace.state.excluded == dict.fromkeys(folders, "array rebuild")
    names = {desk.workspace.library.figures[folder].run.configuration.name for folder in folders}
    assert names == {"PVS, all"}
    tip = desk.rail.tree.run_item(folders[0]).toolTip()
    assert "excluded: array rebuild" in tip
    after(desk, qtbot, desk.history.undo)
    assert desk.workspace.state.edits == ()


def test_that_f2_renames_the_configuration_in_its_row(desk: MainWindow, qtbot: QtBot) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    tree = desk.rail.tree
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_F2)
    line = tree.findChild(QLineEdit, "inplace")
    assert line.text() == "MCS", "the name of the configuration, not that of the run"
    QTest.keyClicks(line, "MCS five")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(desk.workspace.state.edits))
    settle(desk, qtbot)
    assert desk.workspace.library.figures[folder].run.configuration.name == "MCS five"
    assert any(group.label.startswith("MCS five") for group in desk.workspace.library.groups(desk.workspace.state))


def test_that_a_run_is_excluded_with_a_reason_and_included_again(desk: MainWindow, qtbot: QtBot) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    desk.act("runs.exclude")
    (question,) = desk.findChildren(TextQuestion)
    question.accept()
    assert question.isVisible(), "without a reason it stays open"
    assert question.said.text() == NO_REASON
    QTest.keyClicks(question.text, "vCenter failed over")
    QTest.keyClick(question.text, Qt.Key.Key_Return)
    settle(desk, qtbot)
    assert desk.workspace.state.excluded == {folder: "vCenter failed over"}
    after(desk, qtbot, lambda: desk.act("runs.exclude"))
    assert desk.workspace.state.edits == ()


def test_that_the_menu_of_the_tree_fits_its_row(desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    words = {}
    study = desk.workspace.state.study
    for kind, key in ((RowKind.RUN, folder), (RowKind.STUDY, study), (RowKind.VM, "W7-001")):
        words[kind] = [action.text() for action in desk.runs.menu(kind, key).actions()]
    assert words[RowKind.RUN] == ["Edit run…", "Rename configuration", "Exclude run…", "Time zone…"]
    assert "Close study" in words[RowKind.STUDY]
    assert words[RowKind.VM] == snapshot


def test_that_a_machine_is_excluded_from_the_figures_and_included_again(desk: MainWindow, qtbot: QtBot) -> None:
    (folder,) = choose_runs(desk, "mcs-5vm")
    before = desk.workspace.library.figures[folder].phase("steady")
    after(desk, qtbot, lambda: desk.runs.menu(RowKind.VM, "W7-002").actions()[1].trigger())
    figures = desk.workspace.library.figures[folder]
    assert (figures.run.vms, figures.phase("steady").vms, before.vms) == (5, 4, 5)
    assert figures.phase("steady").total_io < before.total_io
    (again,) = [one for one in desk.runs.menu(RowKind.RUN, folder).actions() if one.text() == "Include all machines"]
    after(desk, qtbot, again.trigger)
    assert desk.workspace.library.figures[folder].phase("steady").total_io == before.total_io
    assert desk.workspace.state.edits_of(folder).nothing


def test_that_every_field_of_the_editor_has_a_name(desk: MainWindow) -> None:
    choose_runs(desk, "mcs-5vm")
    dialog = editor(desk)
    fields = [field.widget for field in dialog.fields.values()]
    for widget in (*fields, dialog.counts, dialog.reason, dialog.phases.table):
        assert isinstance(widget, QWidget)
        assert widget.accessibleName()
    dialog.reject()
