"""The position of the window: it fits the screen at the first start, and is restored on each screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import leave
from workbench.gui.services.layout import WindowLayout, first_area, fitted, screen_key
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import WindowPlace, load_settings


@pytest.mark.parametrize("width_height", [(1092, 574), (1366, 728), (1280, 680), (1920, 1040), (3840, 2120)])
def test_that_the_window_fits_the_available_screen_at_the_first_start(width_height: tuple[int, int]) -> None:
    available = QRect(0, 24, *width_height)
    area = first_area(available)
    assert available.contains(area)
    assert area.height() + 32 <= available.height(), "room for the title bar"
    assert area.width() >= min(1600, width_height[0] - 16)
    assert abs(area.center().x() - available.center().x()) <= 1


def test_that_a_position_is_kept_if_it_fits_and_moved_otherwise() -> None:
    available = QRect(0, 0, 1366, 728)
    assert fitted(WindowPlace(100, 60, 1000, 600), available) == QRect(100, 60, 1000, 600)
    for away in (WindowPlace(-900, -50, 1000, 600), WindowPlace(2500, 900, 1000, 600), WindowPlace(0, 0, 3000, 2000)):
        area = fitted(away, available)
        assert available.contains(area), away
        assert area.top() >= 24, "its title can be reached"


def test_that_the_window_returns_to_its_position_on_its_screen(qtbot: QtBot) -> None:
    screen = QApplication.primaryScreen()
    key, room = screen_key(screen), screen.availableGeometry()
    kept = WindowPlace(room.left() + 30, room.top() + 40, 500, 400)
    for last in (key, "a screen that is gone 1024x768"):
        frame = QWidget()
        qtbot.addWidget(frame)
        WindowLayout(frame).place(
            {key: kept, "a screen that is gone 1024x768": WindowPlace(9000, 9000, 700, 500)}, last
        )
        frame.show()
        assert frame.geometry() == QRect(kept.x, kept.y, 500, 400)
        assert WindowLayout(frame).here == (key, kept)


def test_that_a_small_screen_is_filled_at_the_first_start(qtbot: QtBot) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    WindowLayout(frame).place({}, "")
    room = QApplication.primaryScreen().availableGeometry()
    assert room.width() < 1600, "the screen of the offscreen platform"
    assert frame.isMaximized()


def test_that_the_position_is_saved_when_the_window_closes(window: MainWindow) -> None:
    window.setGeometry(40, 50, 1000, 560)
    leave(window)
    key = screen_key(window.screen())
    assert load_settings().screen == key
    assert load_settings().places == {key: WindowPlace(40, 50, 1000, 560)}


def test_that_the_smallest_window_fits_a_laptop_at_125_percent(window: MainWindow) -> None:
    assert window.minimumWidth() <= 1092
    assert window.minimumHeight() <= 614 - 40 - 32
    assert window.minimumSizeHint().height() <= 614 - 40 - 32
