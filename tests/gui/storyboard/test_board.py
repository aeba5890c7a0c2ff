"""The page Present: the content of its slides, and the effect of order, texts, options and notes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QDrag, QDragMoveEvent
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, after, settle
from workbench.answers.common.storyboard import Storyboard, StorySlide
from workbench.charts.palette import THEMES
from workbench.gui.dialogs.export_dialog import ExportDialog
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.storyboard import board as boards
from workbench.gui.storyboard.board import BoardView
from workbench.gui.storyboard.strip import LIFTED_PX
from workbench.session.settings import ExportChoices

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def board(opened: MainWindow, qtbot: QtBot) -> BoardView:
    after(opened, qtbot, lambda: opened.show_page("storyboard"))
    own = opened.page.own
    assert isinstance(own, BoardView)
    return own


def story(window: MainWindow) -> Storyboard:
    assert window.workspace.state.storyboard is not None
    return window.workspace.state.storyboard


def keys(board: BoardView) -> list[str]:
    return [shown.slide.key for shown in board.slides]


def all_in_view(qtbot: QtBot, board: BoardView) -> int:
    """Waits until every visible thumbnail is drawn; returns their number."""
    qtbot.waitUntil(lambda: set(board.strip.in_view) <= set(board.strip.pictures), timeout=LONG_MS)
    return len(board.strip.pictures)


def press(
    window: MainWindow,
    qtbot: QtBot,
    board: BoardView,
    key: Qt.Key,
    how: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    qtbot.keyClick(board.strip, key, how)
    settle(window, qtbot)


def test_that_the_storyboard_reports_that_it_draws_thumbnails(qtbot: QtBot, board: BoardView) -> None:
    board._arrived("")
    assert board.drawing
    qtbot.waitUntil(lambda: not board.drawing, timeout=LONG_MS)


def test_that_the_page_shows_the_slides_with_the_selected_one_large(
    opened: MainWindow, board: BoardView, snapshot: SnapshotAssertion
) -> None:
    assert opened.header.question.text() == snapshot
    assert opened.header.caption.full == snapshot
    assert [thumb.number for thumb in board.strip.thumbs] == list(range(1, 13))
    assert [thumb.appendix for thumb in board.strip.thumbs] == [False] * 7 + [True] * 5
    assert board.preview.slide is not None
    assert board.preview.slide.title.startswith("'MCSIO 4 GB' cuts IOPS")
    assert opened.focusWidget() is board.strip


def test_that_only_visible_thumbnails_are_drawn_one_by_one(
    opened: MainWindow, qtbot: QtBot, board: BoardView, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = all_in_view(qtbot, board)
    assert 1 < made < 11, "a window of this width does not show all of them"
    board.strip.horizontalScrollBar().setValue(board.strip.horizontalScrollBar().maximum())
    assert len(board.strip.pictures) == made, "nothing is drawn within the turn that scrolls"
    assert all_in_view(qtbot, board) > made


def test_that_arrow_keys_select_slides_across_the_border_of_the_appendix(
    opened: MainWindow, qtbot: QtBot, board: BoardView
) -> None:
    for _ in range(8):
        press(opened, qtbot, board, Qt.Key.Key_Right)
    assert board.strip.key == keys(board)[8]
    assert board.pane.appendix.isChecked()
    for _ in range(2):
        press(opened, qtbot, board, Qt.Key.Key_Left)
    assert board.strip.key == keys(board)[6]


def test_that_alt_with_an_arrow_moves_a_slide_and_undo_reverses_it(
    opened: MainWindow, qtbot: QtBot, board: BoardView
) -> None:
    first, second, *rest = keys(board)
    press(opened, qtbot, board, Qt.Key.Key_Right, ALT)
    assert keys(board) == [second, first, *rest]
    assert board.strip.key == first
    assert board.default.isEnabled()
    after(opened, qtbot, opened.history.undo)
    assert keys(board) == [first, second, *rest]
    assert opened.workspace.state.storyboard is None


def test_that_a_slide_moves_into_the_appendix_and_back(opened: MainWindow, qtbot: QtBot, board: BoardView) -> None:
    before = keys(board)
    board.strip.choose(before[6])
    press(opened, qtbot, board, Qt.Key.Key_Right, ALT)
    assert keys(board) == before
    assert [thumb.appendix for thumb in board.strip.thumbs].count(True) == 6
    press(opened, qtbot, board, Qt.Key.Key_Left, ALT)
    assert [thumb.appendix for thumb in board.strip.thumbs].count(True) == 5
    board.strip.choose(before[0])
    press(opened, qtbot, board, Qt.Key.Key_Left, ALT)
    assert keys(board) == before


def test_that_a_removed_slide_returns_to_its_place(opened: MainWindow, qtbot: QtBot, board: BoardView) -> None:
    before = keys(board)
    after(opened, qtbot, lambda: board.strip.drop_at(before[0], 3))
    assert keys(board) == [before[1], before[2], before[0], *before[3:]]
    # Row 7 is the border: the slides are before it, the appendix after it.
    after(opened, qtbot, lambda: board.strip.drop_at(before[0], 8))
    assert keys(board)[6] == before[0]
    assert story(opened).slides[6].appendix
    after(opened, qtbot, lambda: board.strip.drop_at(before[0], board.strip.count()))
    assert keys(board)[-1] == before[0]


def test_that_a_dragged_slide_has_a_shadow_and_a_dashed_gap_and_a_line_at_its_target(
    qtbot: QtBot, board: BoardView, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_in_view(qtbot, board)
    strip, seen = board.strip, {}
    resting = strip.viewport().grab().toImage()
    slot = strip.visualItemRect(strip.item(0))

    def dragged(drag: QDrag, _action: Qt.DropAction) -> Qt.DropAction:
        seen["lifted"] = drag.pixmap().toImage()
        at = strip.visualItemRect(strip.item(2)).center() + QPoint(-20, 0)
        over = QDragMoveEvent(
            at, Qt.DropAction.MoveAction, drag.mimeData(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        strip.dragMoveEvent(over)
        assert strip.insert_at == 2
        seen["under"] = strip.viewport().grab().toImage()
        return Qt.DropAction.IgnoreAction

    monkeypatch.setattr(QDrag, "exec", dragged)
    strip.startDrag(Qt.DropAction.MoveAction)
    lifted, under = seen["lifted"], seen["under"]
    assert lifted.height() >= slot.height() + LIFTED_PX
    assert 0 < lifted.pixelColor(lifted.width() // 2, lifted.height() - 3).alpha() < 255, "a shadow, not the slide"
    assert under.copy(slot) != resting.copy(slot), "the slot is empty"
    line = strip.visualItemRect(strip.item(2)).left()
    accent = QColor(THEMES["light"].accent)
    assert any(under.pixelColor(line + aside, 40) == accent for aside in (-1, 0, 1))
    assert strip.viewport().grab().toImage() == resting, "what is not dropped stands where it stood"


def test_that_a_sentence_keeps_the_numbers_of_the_data_and_can_be_undone(
    opened: MainWindow, qtbot: QtBot, board: BoardView, snapshot: SnapshotAssertion
) -> None:
    press(opened, qtbot, board, Qt.Key.Key_F2)
    sentence = board.pane.sentence
    assert sentence.hasFocus()
    sentence.setPlainText("4 GB of RAM saves 93.0 % of the IOPS")
    qtbot.keyClick(sentence, Qt.Key.Key_Return)
    settle(opened, qtbot)
    words = story(opened).slides[0].words
    assert words is not None
    assert words.text == snapshot
    assert board.preview.slide is not None
    assert board.preview.slide.title == snapshot
    after(opened, qtbot, board.pane.restore.click)
    assert story(opened).slides[0].words is None
    assert sentence.toPlainText().startswith("'MCSIO 4 GB' cuts")


def test_that_options_and_notes_are_saved_with_the_slide(
    opened: MainWindow, qtbot: QtBot, board: BoardView, snapshot: SnapshotAssertion
) -> None:
    lit = board.preview.grab().toImage()
    after(opened, qtbot, board.pane.boxes["bracket"].click)
    assert not story(opened).slides[0].switches.bracket
    assert board.preview.grab().toImage() != lit
    after(opened, qtbot, board.pane.boxes["source"].click)
    assert board.preview.slide is not None
    assert board.preview.slide.evidence == ""
    board.pane.notes.setPlainText("Say first: all I/O of a VM.")
    after(opened, qtbot, board.pane.notes.finish)
    assert story(opened).slides[0].notes == snapshot


def test_that_del_removes_a_slide_which_can_be_added_again(opened: MainWindow, qtbot: QtBot, board: BoardView) -> None:
    before = keys(board)
    press(opened, qtbot, board, Qt.Key.Key_Delete)
    assert keys(board) == before[1:]
    after(opened, qtbot, board.add.click)
    dialog = opened.storyboard.dialog
    assert dialog is not None
    offered = dialog.comboBoxItems()
    assert any("MCSIO 4 GB" in words and "93.0" in words for words in offered)
    dialog.setTextValue(offered[0])
    dialog.accept()
    settle(opened, qtbot)
    assert len(keys(board)) == 12
    assert board.strip.key not in before[1:]


def test_that_a_saved_view_can_be_added(opened: MainWindow, qtbot: QtBot, board: BoardView) -> None:
    after(opened, qtbot, lambda: board.strip.removed.emit(board.strip.key))
    after(opened, qtbot, lambda: opened.show_page("cache"))
    opened.saved_views.save("<b>The cache</b>")
    after(opened, qtbot, lambda: opened.show_page("storyboard"))
    after(opened, qtbot, opened.storyboard.add)
    dialog = opened.storyboard.dialog
    assert dialog is not None
    dialog.setTextValue("Saved view: <b>The cache</b>")
    dialog.accept()
    settle(opened, qtbot)
    assert "<b>The cache</b>" in [slide.view for slide in story(opened).slides]
    assert board.preview.slide is not None
    assert board.preview.slide.title == "<b>The cache</b>"
    assert board.preview.slide.figure is not None


def test_that_the_default_storyboard_can_be_restored(opened: MainWindow, qtbot: QtBot, board: BoardView) -> None:
    before = keys(board)
    press(opened, qtbot, board, Qt.Key.Key_Delete)
    after(opened, qtbot, board.default.click)
    assert keys(board) == before
    assert opened.workspace.state.storyboard is None


def test_that_f5_begins_with_the_slide_that_is_selected_and_follows_the_order(
    opened: MainWindow, qtbot: QtBot, board: BoardView
) -> None:
    before = keys(board)
    board.strip.choose(before[2])
    press(opened, qtbot, board, Qt.Key.Key_Left, ALT)
    assert opened.workspace.state.storyboard is not None
    after(opened, qtbot, opened.presenter.start)
    assert opened.presenter.place == 1
    assert opened.presenter.slides[1].slide.key == before[2]
    opened.presenter.stop()


def test_that_a_thumbnail_is_drawn_once_for_its_content(
    opened: MainWindow, qtbot: QtBot, board: BoardView, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_in_view(qtbot, board)
    drawn: list[str] = []
    draw = boards.chart_picture
    monkeypatch.setattr(boards, "chart_picture", lambda slide, *more: drawn.append(slide.key) or draw(slide, *more))
    press(opened, qtbot, board, Qt.Key.Key_Right, ALT)
    after(opened, qtbot, lambda: opened.show_page("overview"))
    after(opened, qtbot, lambda: opened.show_page("storyboard"))
    all_in_view(qtbot, board)
    assert drawn == []
    after(opened, qtbot, board.pane.boxes["bracket"].click)
    all_in_view(qtbot, board)
    assert len(drawn) == 1


def test_that_a_slide_without_its_finding_says_so(opened: MainWindow, qtbot: QtBot, board: BoardView) -> None:
    lost = Storyboard((StorySlide("gone", view="There is none"),))
    after(opened, qtbot, lambda: opened.workspace.apply(storyboard=lost))
    assert "There is none" in board.strip.thumbs[0].warning
    assert "There is none" in board.pane.notice.text()
    assert board.preview.slide is not None
    assert "There is none" in board.preview.slide.evidence


def test_that_the_import_report_still_has_its_own_view(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("import-report"))
    assert isinstance(opened.page.own, CausesView)
    assert opened.page.causes is opened.page.own


def test_that_storyboard_commands_explain_where_they_are_available(opened: MainWindow) -> None:
    for command in ("move_up", "move_down", "change_part", "edit_sentence", "original_words", "remove", "add"):
        opened.strip.tell("")
        opened.act(f"storyboard.{command}")
        assert "on the Present page first" in opened.strip.message.full, command


def test_that_export_slides_opens_with_slides_and_the_storyboard_chosen(
    opened: MainWindow, qtbot: QtBot, board: BoardView, tmp_path: Path
) -> None:
    opened.exports._settings.change(export=ExportChoices(what="page", ending=".html"), export_folder=str(tmp_path))
    after(opened, qtbot, board.export.click)
    dialog = opened.exports.dialog
    assert isinstance(dialog, ExportDialog)
    assert (dialog.form.format.currentData(), dialog.form.what.currentText()) == (".pptx", "Storyboard")
    qtbot.waitUntil(lambda: dialog.preview is not None, timeout=LONG_MS)
    assert "slides" in dialog.head.text()
    dialog.close()
    after(opened, qtbot, opened.exports.ask)
    dialog = opened.exports.dialog
    assert isinstance(dialog, ExportDialog)
    assert (dialog.form.format.currentData(), dialog.form.what.currentData()) == (".html", "page")
    dialog.close()
