"""The import report by cause, in the real window: keys, buttons, the file preview, and undo."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from shutil import copytree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.answers.import_report.test_causes import EVENTS, log
from tests.builders import disk_csv
from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.runs.run_editor import RunEditor
from workbench.gui.runs.runs_tree import RowKind
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable
from workbench.measures.configurations import baseline_of
from workbench.model.problem import CauseGroup, Mending
from workbench.model.run import BaselineEvidence


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Two runs with logs without a time zone; one log has invalid cells, far to the right and in cp1252."""
    for name in ("mcs-r1", "mcs-r2"):
        log(tmp_path / "lab" / name / "guest" / "A.csv", "A", bad=(3, 40))
        (tmp_path / "lab" / name / "events.csv").write_text(EVENTS, encoding="ascii")
    return tmp_path / "lab"


def causes_of(window: MainWindow, qtbot: QtBot, *paths: Path) -> CausesView:
    """Opens these paths, if any; returns the view of causes."""
    if paths:
        open_and_wait(window, qtbot, *paths)
    after(window, qtbot, lambda: window.show_page("import-report"))
    view = window.page.causes
    assert view is not None
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return view


def choose(window: MainWindow, qtbot: QtBot, view: CausesView, mending: Mending) -> None:
    row = next(row for row in view.list.rows if row.cause.mending is mending)
    after(window, qtbot, lambda: QTest.mouseClick(row, Qt.MouseButton.LeftButton))
    assert view.list.cause == row.cause


def test_that_a_warning_has_one_colour_by_cause_and_in_all_files(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    def inked(image: QImage) -> set[str]:
        places = product(range(image.width()), range(image.height()))
        return {image.pixelColor(*at).name() for at in places if image.pixelColor(*at).alpha() == 255}

    view = causes_of(window, qtbot, lab)
    row = next(row for row in view.list.rows if row.cause.group is CauseGroup.NEEDS_YOU)
    by_cause = inked(row._sign.pixmap().toImage())
    cell = Cell("warning", "warning", icon="warning")
    table = DataTable("Problems")
    qtbot.addWidget(table)
    table.show_data(TableData((Column("Severity", numeric=False),), ((cell,),)), window.workspace.state.theme)
    shown = table.model().index(0, 0).data(Qt.ItemDataRole.DecorationRole)
    assert inked(shown.pixmap(20, 20).toImage()) & by_cause


def test_that_arrows_go_from_cause_to_cause_and_show_the_file_at_its_line(
    window: MainWindow, qtbot: QtBot, lab: Path, snapshot: SnapshotAssertion
) -> None:
    view = causes_of(window, qtbot, lab)
    assert view.list.rows[0].cause.mending is Mending.TIME_ZONE
    view.list.setFocus()
    while view.list.cause is not None and view.list.cause.problems[0].code != "not-a-number":
        after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_Down))
    assert view.preview.text.textCursor().selectedText() == "broken"
    assert "Line 5, cell 2" in view.preview.message.text()
    assert view.preview.about.text() == snapshot
    after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_F8))
    assert "Line 42, cell 2" in view.preview.message.text()
    assert view.preview.place.text() == "2 of 4"
    after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier))
    assert view.preview.place.text() == "1 of 4"


def test_that_a_time_zone_is_proposed_applied_and_undone(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    view = causes_of(window, qtbot, lab)
    choose(window, qtbot, view, Mending.TIME_ZONE)
    assert view.preview.zone.currentText() == "+01:00"
    assert "08:00 to 08:09 UTC" in view.preview.change.text()
    after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_Return))
    assert view.preview.zone.hasFocus()
    view.preview.zone.setEditText("Nowhere/Land")
    assert not view.preview.buttons[0].isEnabled()
    view.preview.zone.setEditText("Europe/London")
    assert [button.text() for button in view.preview.buttons] == ["Apply to 2 runs", "This run only"]
    after(window, qtbot, lambda: QTest.mouseClick(view.preview.buttons[0], Qt.MouseButton.LeftButton))
    runs = window.workspace.library.studies[0].runs
    assert {recording.utc_offset_minutes for run in runs for recording in run.recordings} == {60}
    mended = next(row for row in view.list.rows if row.cause.mending is Mending.UNDO)
    assert mended.cause.group is CauseGroup.MENDED
    assert mended.done.text() == "fixed: you set Europe/London"
    assert not any(row.cause.mending is Mending.TIME_ZONE for row in view.list.rows)
    after(window, qtbot, lambda: QTest.mouseClick(mended.button, Qt.MouseButton.LeftButton))
    runs = window.workspace.library.studies[0].runs
    assert {recording.utc_offset_minutes for run in runs for recording in run.recordings} == {None}
    assert any(row.cause.mending is Mending.TIME_ZONE for row in view.list.rows)


def test_that_a_zone_can_be_set_for_one_run(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    view = causes_of(window, qtbot, lab)
    choose(window, qtbot, view, Mending.TIME_ZONE)
    after(window, qtbot, lambda: QTest.mouseClick(view.preview.buttons[1], Qt.MouseButton.LeftButton))
    zones = {Path(edit.run).name: edit.time_zone for edit in window.workspace.state.edits}
    assert zones == {"mcs-r1": "+01:00"}
    assert {row.cause.mending for row in view.list.rows} >= {Mending.TIME_ZONE, Mending.UNDO}


def test_that_a_folder_of_two_configurations_shows_its_runs_with_their_files_before_it_is_split(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    raw = tmp_path / "lab" / "raw"
    for name in ("mcs", "mcsio512"):
        for machine in ("W10-001", "W10-002"):
            rates = [20.0 + len(name) + n % 7 for n in range(60)]
            disk_csv(raw / f"{name}_{machine}.csv", machine, rates, rates)
    before = sorted(file.name for file in raw.iterdir())
    view = causes_of(window, qtbot, raw)
    choose(window, qtbot, view, Mending.SPLIT)
    assert view.preview.change.text() == snapshot
    after(window, qtbot, lambda: QTest.mouseClick(view.preview.buttons[0], Qt.MouseButton.LeftButton))
    runs = window.workspace.library.studies[0].runs
    assert [run.configuration.name for run in runs] == ["MCS", "MCSIO 512 MB"]
    after(window, qtbot, window.history.undo)
    assert [run.name for run in window.workspace.library.studies[0].runs] == ["raw"]
    assert sorted(file.name for file in raw.iterdir()) == before


def test_that_a_folder_is_split_and_joined_again(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    before = len(damaged.workspace.library.studies[0].runs)
    choose(damaged, qtbot, view, Mending.SPLIT)
    assert len(view.preview.bars.spans) == 2
    after(damaged, qtbot, lambda: QTest.mouseClick(view.preview.buttons[0], Qt.MouseButton.LeftButton))
    assert len(damaged.workspace.library.studies[0].runs) == before + 2
    for _ in range(2):
        row = next(row for row in view.list.rows if row.cause.mending is Mending.UNDO)
        after(damaged, qtbot, lambda row=row: QTest.mouseClick(row.button, Qt.MouseButton.LeftButton))  # type: ignore[misc]
    assert len(damaged.workspace.library.studies[0].runs) == before


def test_that_the_button_this_folder_only_applies_to_the_shown_folder(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    choose(damaged, qtbot, view, Mending.SPLIT)
    after(damaged, qtbot, lambda: QTest.mouseClick(view.preview.next, Qt.MouseButton.LeftButton))
    assert view.preview.file.full == "two-days-in-one-folder"
    after(damaged, qtbot, lambda: QTest.mouseClick(view.preview.buttons[1], Qt.MouseButton.LeftButton))
    assert [Path(edit.run).name for edit in damaged.workspace.state.edits] == ["two-days-in-one-folder"]


def test_that_the_buttons_of_a_cause_are_those_of_the_open_study(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    view = causes_of(window, qtbot, SAMPLE / "damaged")
    choose(window, qtbot, view, Mending.SPLIT)
    assert [button.text() for button in view.preview.buttons] == ["Split 2 folders", "This folder only"]
    copytree(SAMPLE / "damaged" / "two-days-in-one-folder", tmp_path / "lab" / "two-days")
    view = causes_of(window, qtbot, tmp_path / "lab")
    choose(window, qtbot, view, Mending.SPLIT)
    assert [button.text() for button in view.preview.buttons] == ["Split into runs"]


def test_that_no_sentence_about_a_cause_is_cut(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for day in range(10, 20):
        rows = "".join(f'"05/{day}/2016 10:0{minute}:00.000","1"\n' for minute in range(9))
        head = f'"(PDH-CSV 4.0) (UTC)(0)","\\\\VM-{day}\\PhysicalDisk(_Total)\\Disk Transfers/sec"\n'
        (tmp_path / f"DataCollector-of-the-machine-VM-{day}.csv").write_text(head + rows, "utf-8")
    window.resize(1366, 768)
    view = causes_of(window, qtbot, tmp_path)
    choose(window, qtbot, view, Mending.SPLIT)
    preview = view.preview
    QApplication.processEvents()
    assert preview.change.text().count("VM-") >= 10
    for label in (preview.message, preview.change):
        assert label.height() >= label.heightForWidth(label.width())
    # The rest is reached by scrolling.
    assert preview.rest.verticalScrollBar().maximum() > 0


def test_that_the_heading_of_the_first_cause_is_visible(damaged: MainWindow, qtbot: QtBot) -> None:
    damaged.resize(1366, 768)
    view = causes_of(damaged, qtbot)
    view.list.choose(view.list.rows[-1].cause)
    view.list.choose(view.list.rows[0].cause)
    QApplication.processEvents()
    heading = view.list._headings[view.list.rows[0].cause.group]
    assert heading.visibleRegion().boundingRect().height() == heading.height()


def test_that_the_effect_of_a_time_zone_is_visible_next_to_the_file(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    window.resize(1366, 768)
    view = causes_of(window, qtbot, lab)
    choose(window, qtbot, view, Mending.TIME_ZONE)
    after(window, qtbot, lambda: None)
    QApplication.processEvents()
    preview = view.preview
    assert preview.text.isVisible()
    for part in (preview.message, preview.change_title, preview.change):
        assert part.visibleRegion().boundingRect().height() == part.height(), part.text()


def test_that_a_machine_is_excluded_from_the_report(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    choose(damaged, qtbot, view, Mending.MACHINES)
    after(damaged, qtbot, lambda: QTest.mouseClick(view.preview.buttons[0], Qt.MouseButton.LeftButton))
    assert [edit.left_out for edit in damaged.workspace.state.edits] == [("SQL01",)]
    assert "you excluded SQL01" in [row.cause.done for row in view.list.rows]


def test_that_the_button_edits_the_runs_of_a_cause(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    row = next(row for row in view.list.rows if row.cause.mending is Mending.EDIT_RUN)
    after(damaged, qtbot, lambda: QTest.mouseClick(row.button, Qt.MouseButton.LeftButton))
    editor = damaged.findChild(RunEditor)
    assert editor is not None
    editor.close()


def test_that_the_command_of_a_binary_log_is_copied(
    window: MainWindow, qtbot: QtBot, lab: Path, snapshot: SnapshotAssertion
) -> None:
    (lab / "mcs-r1" / "guest" / "old.blg").write_bytes((1).to_bytes(4, "little") * 40)
    view = causes_of(window, qtbot, lab)
    row = next(row for row in view.list.rows if row.cause.mending is Mending.COPY_COMMAND)
    assert row.isVisible()
    view.list.choose(row.cause)
    after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_Return))
    assert QGuiApplication.clipboard().text() == snapshot


def test_that_notes_are_folded_and_arrow_keys_skip_them(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    view = causes_of(window, qtbot, lab)
    notes = [row for row in view.list.rows if row.cause.group is CauseGroup.NOTE]
    assert notes
    assert not any(row.isVisible() for row in notes)
    for _ in view.list.rows:
        QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert view.list.cause is not None
    assert view.list.cause.group is not CauseGroup.NOTE
    QTest.mouseClick(view.list.notes, Qt.MouseButton.LeftButton)
    assert all(row.isVisible() for row in notes)
    settle(window, qtbot)


def test_that_the_file_opens_over_the_list_in_a_narrow_window_and_esc_closes_it(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    view = causes_of(window, qtbot, lab)
    assert view.preview.isVisible()
    assert view.preview.geometry().left() > view.list.geometry().right()
    window.resize(1060, 700)
    qtbot.waitUntil(lambda: not view.preview.isVisible())
    view.list.setFocus()
    after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_F8))
    assert view.preview.isVisible()
    view.preview.text.setFocus()
    after(window, qtbot, lambda: QTest.keyClick(view.preview.text, Qt.Key.Key_Escape))
    assert not view.preview.isVisible()
    assert view.list.hasFocus()


def test_that_all_files_are_a_separate_view(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    view = causes_of(window, qtbot, lab)
    assert not window.page.tables[1].isVisible()
    after(window, qtbot, lambda: QTest.mouseClick(view.files, Qt.MouseButton.LeftButton))
    assert window.page.tables[1].isVisible()
    assert not view.isVisible()


def test_that_names_of_files_are_never_markup(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    name = "bold&amp;" if os.name == "nt" else "<b>bold&amp;"  # Windows allows no < in names.
    log(tmp_path / "lab" / name / "A.csv", "A")
    view = causes_of(window, qtbot, tmp_path / "lab")
    assert view.preview.file.text() == f"{name}/A.csv"
    assert view.preview.file.textFormat() is Qt.TextFormat.PlainText
    assert all(row.places.textFormat() is Qt.TextFormat.PlainText for row in view.list.rows)


def test_that_a_cause_of_a_run_shows_the_files_of_the_run(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1920, 1080)
    view = causes_of(window, qtbot, SAMPLE / "vdi-login-storm")
    row = next(row for row in view.list.rows if row.cause.title == "No disk operations were recorded")
    after(window, qtbot, lambda: QTest.mouseClick(row, Qt.MouseButton.LeftButton))
    files = view.preview.files
    assert files.isVisible()
    names = {str(cells[0].value) for cells in files.source.table.rows}
    run = Path(view.preview.run)
    assert names
    assert all(Path(window.workspace.library.places[name]).is_relative_to(run) for name in names)
    assert len(names) == sum(path.is_file() for path in run.rglob("*"))
    # The list has the space that the message leaves.
    assert files.height() > view.preview.height() / 2
    after(window, qtbot, lambda: QTest.keyClick(view.list, Qt.Key.Key_F8))
    assert Path(view.preview.run) != run


def test_that_a_cause_of_a_file_shows_no_files_of_a_run(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    view = causes_of(window, qtbot, lab)
    choose(window, qtbot, view, Mending.TIME_ZONE)
    qtbot.waitUntil(view.preview.text.isVisible)
    assert not view.preview.files.isVisible()


def test_that_the_report_can_be_read_again_from_its_head(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    view = causes_of(window, qtbot, lab)
    before = len(window.workspace.library.files)
    log(lab / "mcs-r1" / "guest" / "B.csv", "B")
    assert window.header.again.isVisible()
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.header.again.click()
    settle(window, qtbot)
    assert len(window.workspace.library.files) == before + 1
    assert view.isVisible()
    after(window, qtbot, lambda: window.show_page("overview"))
    assert not window.header.again.isVisible()


def test_that_one_click_reverses_a_guessed_date_order_and_can_be_undone(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "lab" / "mcs" / "A.csv"
    disk_csv(path, "A", [10.0, 20.0, 30.0], [1.0, 2.0, 3.0])
    text = path.read_text().replace("05/10/2016 ", "5/10/2016 ")
    path.write_text(text.replace(text[: text.index(",")], '"Timestamp"'))

    def day() -> str:
        (run,) = window.workspace.library.studies[0].runs
        return f"{datetime.fromtimestamp(run.recordings[0].span_s[0], UTC):%m-%d}"

    view = causes_of(window, qtbot, tmp_path / "lab")
    assert day() == "05-10"
    row = next(row for row in view.list.rows if row.cause.mending is Mending.DATE_ORDER)
    after(window, qtbot, row.button.click)
    assert day() == "10-05"
    mended = next(row for row in view.list.rows if row.cause.mending is Mending.UNDO)
    after(window, qtbot, mended.button.click)
    assert (day(), window.workspace.state.edits) == ("05-10", ())


@pytest.mark.parametrize(
    ("names", "mending", "one_click"),
    [
        (("windows-10", "windows-11"), Mending.JOIN_RUNS, {"windows"}),
        (("mcs-1", "mcs-3"), Mending.KEEP_APART, {"MCS 1", "MCS 3"}),
    ],
)
def test_that_one_click_changes_the_reading_of_folder_numbers_and_can_be_undone(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, names: tuple[str, ...], mending: Mending, one_click: set[str]
) -> None:
    for name in names:
        disk_csv(tmp_path / "lab" / name / "VM01.csv", "VM01", [10.0, 20.0, 30.0], [1.0, 2.0, 3.0])

    def configurations() -> set[str]:
        return {group.configuration.name for group in window.workspace.library.groups(window.workspace.state)}

    view = causes_of(window, qtbot, tmp_path / "lab")
    before = configurations()
    assert len(before) == 3 - len(one_click)
    row = next(row for row in view.list.rows if row.cause.mending is mending)
    words = row.button.text()
    after(window, qtbot, row.button.click)
    assert configurations() == one_click
    assert not any(row.cause.mending is mending for row in view.list.rows)
    after(window, qtbot, lambda: window.act("history.undo"))
    assert configurations() == before
    folder = window.workspace.library.studies[0].runs[0].folder
    (offer,) = [one for one in window.runs.menu(RowKind.RUN, folder).actions() if one.text() == words]
    after(window, qtbot, offer.trigger)
    assert configurations() == one_click
    mended = next(row for row in view.list.rows if row.cause.mending is Mending.UNDO)
    after(window, qtbot, mended.button.click)
    assert configurations() == before
    assert window.workspace.state.edits == ()


def test_that_one_choice_per_study_decides_between_two_stated_baselines_and_can_be_undone(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A bare screen cannot pop up a menu.
    asked: list[str] = []
    monkeypatch.setattr(window.runs, "show_baselines", lambda study, _point: asked.append(study))
    for study in ("one", "two"):
        for name in ("MCS a", "MCS b"):
            folder = tmp_path / "lab" / study / name.replace(" ", "-")
            disk_csv(folder / "VM01.csv", "VM01", [10.0, 20.0, 30.0], [1.0, 2.0, 3.0])
            (folder / "run.toml").write_text(f'configuration = "{name}"\nprovisioning = "MCS"\nbaseline = true\n')
    view = causes_of(window, qtbot, tmp_path / "lab" / "one", tmp_path / "lab" / "two")
    row = next(row for row in view.list.rows if row.cause.mending is Mending.BASELINE)
    assert len(row.cause.problems) == 2
    assert row.button.text()

    def bases() -> list[str]:
        state, library = window.workspace.state, window.workspace.library
        chosen = (baseline_of(library.groups(replace(state, study=study.folder))) for study in library.studies)
        return [base.label for base in chosen if base is not None and base.baseline_by is BaselineEvidence.CHOICE]

    for count in (1, 2):
        row = next(row for row in view.list.rows if row.cause.mending is Mending.BASELINE)
        row.button.click()
        menu = window.runs.baselines_menu(asked[-1])
        entry = next(action for action in menu.actions() if action.text() == "MCS b")
        after(window, qtbot, entry.trigger)
        assert bases() == ["MCS b"] * count
    assert not any(row.cause.mending is Mending.BASELINE for row in view.list.rows)
    mended = next(row for row in view.list.rows if row.cause.mending is Mending.UNDO)
    after(window, qtbot, mended.button.click)
    assert bases() == []
