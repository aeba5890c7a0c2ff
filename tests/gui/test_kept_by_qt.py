"""What Qt keeps of widgets, icons and themes that are gone."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPixmap, QPixmapCache
from PySide6.QtWidgets import QApplication, QComboBox, QScrollArea, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.soak.watch import in_use_mb
from workbench.gui.services.theme import apply_theme, change_theme, free_all_of, freed_whole, running_application
from workbench.gui.widgets.number_field import NumberField

BOXES, TIMES = 20, 30
# So much may stay of a box; without `freed_whole` 850 to 1,850 bytes do.
BYTES = 200
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="what is in use is asked of Linux' C library")


def _choices() -> QComboBox:
    box = QComboBox()
    box.addItems(["VM", "host"])
    # Makes the list that opens.
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return freed_whole(box)


def _editable() -> QComboBox:
    box = QComboBox()
    box.setEditable(True)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return freed_whole(box)


@needs_linux
@pytest.mark.parametrize("made", [NumberField, lambda: freed_whole(QSpinBox()), _choices, _editable])
def test_that_nothing_is_kept_of_boxes_that_are_gone(qtbot: QtBot, made: Callable[[], QWidget]) -> None:
    apply_theme(running_application(), "light")
    # Others stand where these were: Qt would find again what it kept under the same address.
    others: list[bytearray] = []
    held = []
    for turn in range(TIMES):
        _show_and_delete(made)
        others.append(bytearray(700 + turn))
        held.append(in_use_mb())
    after = held[TIMES // 3 :]
    assert (after[-1] - after[0]) * 2**20 / (BOXES * (len(after) - 1)) < BYTES


@needs_linux
def test_that_nothing_is_kept_of_what_scrolled_in_a_closed_window(qtbot: QtBot) -> None:
    apply_theme(running_application(), "light")
    others: list[bytearray] = []
    held = []
    for turn in range(TIMES):
        _show_and_delete(QScrollArea, free_all_of)
        others.append(bytearray(700 + turn))
        held.append(in_use_mb())
    after = held[TIMES // 3 :]
    assert (after[-1] - after[0]) * 2**20 / (BOXES * (len(after) - 1)) < BYTES


def _show_and_delete(made: Callable[[], QWidget], closed: Callable[[QWidget], object] = lambda _: None) -> None:
    shown = QWidget()
    column = QVBoxLayout(shown)
    for _ in range(BOXES):
        column.addWidget(made())
    shown.show()
    QApplication.processEvents()
    shown.close()
    closed(shown)
    shown.deleteLater()
    del shown, column
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    gc.collect()


def test_that_icons_drawn_in_the_theme_before_are_not_kept(qtbot: QtBot) -> None:
    drawn = QPixmap(8, 8)
    QPixmapCache.insert("drawn in the light theme", drawn)
    assert QPixmapCache.find("drawn in the light theme", drawn)
    change_theme(running_application(), "dark", 1.0)
    assert not QPixmapCache.find("drawn in the light theme", drawn)
