"""F5: the slides of the storyboard in full screen, with keys, a pointer, and a second screen for the speaker."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import after, settle
from workbench.answers.common.storyboard import Storyboard
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.figure import Heatmap, Line
from workbench.exporters.document.document import Slide
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.storyboard.room import PresentingRoom


def presented(window: MainWindow, qtbot: QtBot) -> PresentingRoom:
    """Presents a storyboard of the user: an unchanged copy of the default one."""
    state = window.workspace.state
    if state.storyboard is None:
        made = shown_story(window.workspace.library, state).storyboard
        after(window, qtbot, lambda: window.workspace.apply(storyboard=made))
    return started(window, qtbot)


def started(window: MainWindow, qtbot: QtBot) -> PresentingRoom:
    after(window, qtbot, window.presenter.start)
    room = window.presenter.room
    assert room is not None
    return room


def press(window: MainWindow, qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        assert window.presenter.room is not None
        qtbot.keyClick(window.presenter.room, key)
        settle(window, qtbot)


def title(window: MainWindow) -> str:
    room = window.presenter.room
    assert room is not None
    assert room.slide is not None
    return room.slide.title


def seen(widget: PresentingRoom) -> QImage:
    return widget.grab().toImage()


def test_that_f5_fills_the_screen_with_the_first_slide_of_the_storyboard(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    room = presented(opened, qtbot)
    assert room.isFullScreen()
    assert title(opened) == snapshot
    assert (room.place.number, room.place.total) == (1, 12)
    assert room.accessibleName().startswith("1 / 12. 'MCSIO 4 GB'")
    assert "−93.0" in room.accessibleDescription()


def test_that_a_storyboard_that_was_never_edited_is_presented_as_the_brief(opened: MainWindow, qtbot: QtBot) -> None:
    room = started(opened, qtbot)
    slides: list[Slide] = []
    for _ in range(6):
        assert room.slide is not None
        slides.append(room.slide)
        press(opened, qtbot, Qt.Key.Key_Right)
    assert (room.place.number, room.place.total) == (6, 6)
    assert [slide.part for slide in slides] == ["", "answer", "limits", "cost", "", "table"]
    assert [len(slide.facts) > 0 for slide in slides] == [False, True, False, False, False, False]
    assert [len(slide.lists) for slide in slides] == [0, 0, 0, 0, 2, 0]
    # After an edit of a slide, the storyboard is presented.
    made = shown_story(opened.workspace.library, opened.workspace.state).storyboard
    opened.presenter.stop()
    after(opened, qtbot, lambda: opened.workspace.apply(storyboard=made.without(made.slides[1].key)))
    assert started(opened, qtbot).place.total == len(made.slides) - 1


def test_that_arrows_go_through_the_slides_and_stop_before_the_appendix(opened: MainWindow, qtbot: QtBot) -> None:
    presented(opened, qtbot)
    assert opened.presenter.story_length == 7
    press(opened, qtbot, *[Qt.Key.Key_Right] * 9)
    assert opened.presenter.place == 6
    press(opened, qtbot, Qt.Key.Key_Home, Qt.Key.Key_Left)
    assert opened.presenter.place == 0
    press(opened, qtbot, Qt.Key.Key_End)
    assert opened.presenter.place == 6


def test_that_the_appendix_is_reached_by_number_and_enter(opened: MainWindow, qtbot: QtBot) -> None:
    room = presented(opened, qtbot)
    press(opened, qtbot, Qt.Key.Key_1, Qt.Key.Key_0)
    assert room.typed == "10"
    press(opened, qtbot, Qt.Key.Key_Return)
    assert (opened.presenter.place, room.typed) == (9, "")
    assert title(opened)
    # A number without a slide has no effect; Back continues through the appendix and into the slides.
    press(opened, qtbot, Qt.Key.Key_9, Qt.Key.Key_9, Qt.Key.Key_Return)
    assert opened.presenter.place == 9
    press(opened, qtbot, *[Qt.Key.Key_Left] * 4)
    assert opened.presenter.place == 5


def test_that_the_key_b_blanks_the_screen_and_the_next_step_shows_it_again(opened: MainWindow, qtbot: QtBot) -> None:
    room = presented(opened, qtbot)
    before = seen(room)
    press(opened, qtbot, Qt.Key.Key_B)
    assert room.grab().toImage().pixelColor(200, 200).name() == "#000000"
    press(opened, qtbot, Qt.Key.Key_B)
    assert seen(room) == before
    press(opened, qtbot, Qt.Key.Key_B, Qt.Key.Key_Right)
    assert not room.blank


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F5])
def test_that_esc_ends_the_presentation_and_the_window_is_unchanged(
    opened: MainWindow, qtbot: QtBot, key: Qt.Key
) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    state, content, size = opened.workspace.state, opened.page.content, QApplication.font().pointSizeF()
    started(opened, qtbot)
    press(opened, qtbot, Qt.Key.Key_Right, Qt.Key.Key_Right, key)
    assert not opened.presenter.on
    assert opened.workspace.state == state
    assert opened.page.content is content
    assert QApplication.font().pointSizeF() == size
    assert not [
        widget for widget in QApplication.topLevelWidgets() if isinstance(widget, PresentingRoom) and widget.isVisible()
    ]


def test_that_a_saved_view_is_presented_as_saved_despite_later_changes(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.workspace.apply(page="per-vm-iops", phase="steady", scale="log"))
    opened.saved_views.save("Steady, log")
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot", scale="linear", page="overview"))
    room = presented(opened, qtbot)
    press(opened, qtbot, Qt.Key.Key_7, Qt.Key.Key_Return)
    assert title(opened) == "Steady, log"
    first = seen(room)
    assert room.slide is not None
    assert room.slide.figure is not None
    assert "steady" in room.slide.evidence.casefold()
    press(opened, qtbot, Qt.Key.Key_Left)
    after(opened, qtbot, lambda: opened.workspace.apply(phase="logon"))
    press(opened, qtbot, Qt.Key.Key_Right)
    assert seen(room) == first


def test_that_a_saved_view_keeps_its_highlighted_vm_and_zoomed_range(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.workspace.apply(page="per-vm-iops", phase="steady", lit_vm="RDS-02 · r1"))
    assert opened.page.figure is not None
    opened.page.figure.set_span(600.0, 1200.0)
    opened.saved_views.save("The second VM")
    after(opened, qtbot, lambda: opened.workspace.apply(page="overview", lit_vm=None))
    room = presented(opened, qtbot)
    press(opened, qtbot, Qt.Key.Key_7, Qt.Key.Key_Return)
    assert room.slide is not None
    assert room.slide.figure is not None
    panels = room.slide.figure.panels
    assert {panel.x.limits for panel in panels} == {(600.0, 1200.0)}
    lines = [mark for panel in panels for mark in panel.marks if isinstance(mark, Line) and mark.vm == "RDS-02 · r1"]
    assert len(lines) == 5
    assert all(line.prominent for line in lines)
    assert {mark.lit for panel in panels for mark in panel.marks if isinstance(mark, Heatmap)} == {"RDS-02 · r1"}


def test_that_a_presentation_without_open_results_says_what_to_do(
    window: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    after(window, qtbot, window.presenter.start)
    assert not window.presenter.on
    assert window.strip.message.full == snapshot


def test_that_a_storyboard_without_slides_is_not_presented(opened: MainWindow, qtbot: QtBot) -> None:
    opened.workspace.apply(storyboard=Storyboard())
    after(opened, qtbot, opened.presenter.start)
    assert not opened.presenter.on
    assert "no slides" in opened.strip.message.full


def test_that_the_pointer_is_visible_while_a_button_or_ctrl_is_held(opened: MainWindow, qtbot: QtBot) -> None:
    room = presented(opened, qtbot)
    before = seen(room)
    QTest.mousePress(room, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    assert seen(room) != before
    assert room.grab().toImage().pixelColor(300, 300).red() > 180
    QTest.mouseRelease(room, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    assert seen(room) == before
    QTest.keyPress(room, Qt.Key.Key_Control)
    assert room.pointer is not None
    QTest.keyRelease(room, Qt.Key.Key_Control)
    assert room.pointer is None


def test_that_a_single_screen_has_no_notes_window(opened: MainWindow, qtbot: QtBot) -> None:
    presented(opened, qtbot)
    assert opened.presenter.speaker is None
