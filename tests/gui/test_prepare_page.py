"""The Prepare page in the real window: its inputs, its files, and the questions that a study cannot answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QStyle, QStyleOptionButton
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.answers.prepare.labs import lab
from tests.gui.conftest import SAMPLE, open_and_wait, settle
from workbench.answers.prepare.questions import QUESTIONS
from workbench.gui.pages.kit_panel import KitPanel
from workbench.gui.services.actions import ACTIONS
from workbench.gui.services.theme import restyle
from workbench.gui.shell.main_window import MainWindow


def panel(window: MainWindow, qtbot: QtBot) -> KitPanel:
    window.show_page("prepare")
    settle(window, qtbot)
    form = window.page.make_whole().form
    assert isinstance(form, KitPanel)
    return form


def names(window: MainWindow) -> list[str]:
    content = window.page.content
    assert content is not None
    return [table.name for table in content.tables]


def rows(window: MainWindow, place: int = 0) -> list[list[str]]:
    content = window.page.content
    assert content is not None
    return [[cell.text for cell in row] for row in content.tables[place].rows]


def files_of(window: MainWindow) -> list[list[str]]:
    """The rows of the files that will be written."""
    return rows(window, names(window).index("Files in the kit")) if "Files in the kit" in names(window) else []


def test_that_unspecified_inputs_are_marked_as_assumed(opened: MainWindow, qtbot: QtBot) -> None:
    form = panel(opened, qtbot)
    desktops = form.fields["prepare.desktops"]
    assert desktops.text() == "100 (assumed)"
    assert any("(number and part of the load assumed)" in row[2] for row in files_of(opened))
    desktops.setValue(120)
    settle(opened, qtbot)
    assert desktops.text() == "120"
    assert any("simulates 120 desktops in" in row[2] for row in files_of(opened))


def test_that_a_page_with_only_hidden_runs_does_not_ask_to_open_a_study(opened: MainWindow, qtbot: QtBot) -> None:
    labels = frozenset(group.label for group in opened.workspace.library.groups(opened.workspace.state))
    opened.workspace.apply(page="prepare", hidden=labels)
    settle(opened, qtbot)
    content = opened.page.content
    assert content is not None
    assert content.caption == "Every run is hidden or excluded."


def test_that_unchanged_names_are_not_a_choice(opened: MainWindow, qtbot: QtBot) -> None:
    form = panel(opened, qtbot)
    form.names.setFocus()
    qtbot.keyClick(form.names, Qt.Key.Key_Return)
    settle(opened, qtbot)
    assert not opened.workspace.state.input("prepare.configurations", "")


def test_that_a_kit_can_be_prepared_without_open_results(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    settle(window, qtbot)
    assert window.page.empty.prepare.isVisible()
    window.page.empty.prepare.click()
    settle(window, qtbot)
    assert window.workspace.state.page == "prepare"
    form = window.page.make_whole().form
    assert isinstance(form, KitPanel)
    assert form.isVisible()
    assert all(box.isChecked() for box in form.boxes.values())
    assert names(window)[0] == "Data for each question"
    assert any("Avg. Disk sec/Read" in row[1] for row in rows(window))
    window.prepare.write_into(tmp_path / "kit")
    settle(window, qtbot)
    written = {
        path.relative_to(tmp_path / "kit").as_posix() for path in (tmp_path / "kit").rglob("*") if path.is_file()
    }
    content = window.page.content
    assert content is not None
    assert written == {file.path for file in content.form.kit.files} | {"kit.json"}
    assert str(tmp_path / "kit") in window.strip.message.full


def test_that_unticked_questions_leave_kit_and_table_and_can_be_undone(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    form = panel(opened, qtbot)
    assert [row[0] for row in rows(opened)] == [question.text for question in QUESTIONS.values()]
    files = len(files_of(opened))
    for key in set(QUESTIONS) - {"iops"}:
        form.boxes[key].click()
        settle(opened, qtbot)
    assert rows(opened) == [[QUESTIONS["iops"].text, *["answered"] * 5]]
    assert len(files_of(opened)) < files
    assert not any("Load" in name for name in names(opened))
    form.boxes["iops"].click()
    settle(opened, qtbot)
    assert not form.write.isEnabled()
    assert form.plan.text() == snapshot
    for _ in QUESTIONS:
        opened.act("history.undo")
        settle(opened, qtbot)
    assert all(box.isChecked() for box in form.boxes.values())
    assert len(files_of(opened)) == files


def test_that_names_and_numbers_change_the_preview(opened: MainWindow, qtbot: QtBot) -> None:
    form = panel(opened, qtbot)
    assert form.names.text() == "MCS, MCSIO 256 MB, MCSIO 512 MB, MCSIO 1 GB, MCSIO 4 GB"
    form.names.setFocus()
    form.names.selectAll()
    qtbot.keyClicks(form.names, "MCS, MCSIO 2 GB")
    qtbot.keyClick(form.names, Qt.Key.Key_Return)
    settle(opened, qtbot)
    assert form.runs.text().endswith("runs of 2 configurations")
    form.fields["prepare.interval_s"].setValue(5)
    settle(opened, qtbot)
    content = opened.page.content
    assert content is not None
    collector = next(file for file in content.form.kit.files if file.path == "guest/guest.xml")
    assert "<SampleInterval>5</SampleInterval>" in collector.text


def test_that_a_missing_counter_is_named_with_the_action(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    open_and_wait(window, qtbot, lab(tmp_path, ("% Processor Time",)))
    panel(window, qtbot)
    standings = {row[0]: row[1] for row in rows(window)}
    assert standings[QUESTIONS["cpu"].text] == "not answered"
    assert standings[QUESTIONS["iops"].text] == "answered"
    missing = next(row for row in rows(window, 1) if row[0] == QUESTIONS["cpu"].text and "helps" not in row[1])
    assert missing[1] == snapshot
    assert missing[2] == "mcsio-512"
    assert missing[3] == snapshot


def test_that_a_double_click_on_a_question_shows_its_page(opened: MainWindow, qtbot: QtBot) -> None:
    panel(opened, qtbot)
    table = opened.page.tables[0].table
    table.activated.emit(table.model().index(0, 0))
    settle(opened, qtbot)
    assert opened.workspace.state.page == "cache"


def test_that_a_dialog_asks_for_the_folder_and_other_files_stay(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    form = panel(opened, qtbot)
    qtbot.mouseClick(form.write, Qt.MouseButton.LeftButton)
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, QFileDialog) and each.isVisible())
    assert dialog.fileMode() == QFileDialog.FileMode.Directory
    dialog.reject()
    (tmp_path / "mine.txt").write_text("mine")
    opened.prepare.write_into(tmp_path)
    settle(opened, qtbot)
    assert (tmp_path / "test-kit" / "README.txt").is_file()
    assert (tmp_path / "mine.txt").read_text() == "mine"
    (tmp_path / "test-kit" / "README.txt").write_text("changed")
    opened.prepare.write_into(tmp_path / "test-kit")
    settle(opened, qtbot)
    assert "was changed since the kit was written" in opened.strip.message.full
    assert (tmp_path / "test-kit" / "README.txt").read_text() == "changed"


def test_that_the_keyboard_reaches_everything(opened: MainWindow, qtbot: QtBot) -> None:
    form = panel(opened, qtbot)
    box = form.boxes["overflow"]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    settle(opened, qtbot)
    assert not form.boxes["overflow"].isChecked()
    reached = []
    for _ in range(len(form.boxes) + 8):
        holder = QApplication.focusWidget()
        reached.append(holder)
        assert holder is not None
        qtbot.keyClick(holder, Qt.Key.Key_Tab)
    assert set(form.boxes.values()) <= set(reached)
    fields = {field.lineEdit() for field in form.fields.values()} | set(form.fields.values())
    assert fields & set(reached)
    assert {form.names, form.write} <= set(reached)
    assert isinstance(form.names, QLineEdit)


@pytest.mark.parametrize("key", ["prepare.show", "prepare.ask"])
def test_that_the_file_menu_offers_the_page(key: str) -> None:
    (action,) = (action for action in ACTIONS if action.key == key)
    assert action.menu == "&File"


def test_that_the_stretched_column_shrinks_to_its_text(window: MainWindow, qtbot: QtBot) -> None:
    panel(window, qtbot)
    table = window.page.tables[0].table
    assert table.source.table.columns[1].fills
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    panel(window, qtbot)
    widths = [table.columnWidth(section) for section in (1, 3)]
    # Both have the same words.
    assert abs(widths[0] - widths[1]) < 20


def test_that_no_card_repeats_the_question_of_the_page(window: MainWindow, qtbot: QtBot) -> None:
    form = panel(window, qtbot)
    content = window.page.content
    assert content is not None
    words = [label.text() for label in form.findChildren(QLabel)]
    assert "Questions for the test" in words
    assert not [text for text in words if text and content.question.startswith(text.rstrip("?"))]


def test_that_a_kit_that_cannot_be_written_is_rejected_with_the_reason(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    def refused(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workbench.answers.prepare.kit.write.write_kit_beside", refused)
    panel(window, qtbot)
    window.prepare.write_into(tmp_path)
    settle(window, qtbot)
    assert window.strip.message.full == snapshot


def test_that_the_frame_of_a_question_does_not_move_its_text(opened: MainWindow, qtbot: QtBot) -> None:
    box = next(iter(panel(opened, qtbot).boxes.values()))
    part, places = QStyle.SubElement.SE_CheckBoxContents, []
    for ring in (False, True):
        box.setProperty("ring", ring)
        restyle(box)
        option = QStyleOptionButton()
        box.initStyleOption(option)
        option.state |= QStyle.StateFlag.State_HasFocus
        places.append(box.style().subElementRect(part, option, box).x())
    assert places[0] == places[1]
