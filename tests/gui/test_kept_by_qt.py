"""Memory that Qt keeps for deleted widgets, icons and themes."""

from __future__ import annotations

import ast
import ctypes
import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QPixmap, QPixmapCache
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QComboBox, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import workbench.gui
from tests.gui.conftest import in_light_theme
from tests.tools.soak.closed import free_all_of
from tests.tools.soak.watch import in_use_mb
from workbench.gui.commands.palette import CommandPalette
from workbench.gui.pages.inputs_panel import ElidedBox
from workbench.gui.services.theme import change_theme, running_application
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.boxes import choice_box, decimal_box, whole_number_box
from workbench.gui.widgets.number_field import NumberField

BOXES, TIMES = 20, 18
# Allowed bytes per deleted box; without `freed_whole` it is 850 to 1,850 bytes.
BYTES = 200
# Qt's boxes, which only these modules make and only these classes extend. Qt keeps memory of a CaptionedBox. That is
# accepted: the program has five of them, in the header of its only window, and their lists are created when they are
# filled.
BOXES_OF_QT = {"QComboBox", "QSpinBox", "QDoubleSpinBox"}
MAKERS = {"widgets/boxes.py"}
CLASSES = {"NumberField", "ElidedBox", "CaptionedBox"}
needs_mallinfo2 = pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="what is in use is asked of glibc 2.33 or newer",
)


def _filled_later() -> QComboBox:
    box = choice_box()
    box.addItems(["VM", "host"])
    return box


@needs_mallinfo2
@pytest.mark.parametrize(
    "made",
    [
        NumberField,
        ElidedBox,
        lambda: choice_box([("VM", "vm"), ("host", "host")]),
        _filled_later,
        *(
            pytest.param(made, marks=pytest.mark.slow)
            for made in (
                lambda: whole_number_box(0, 10),
                lambda: decimal_box(0.0, 1.0, step=0.1),
                lambda: choice_box([("UTC", 0)], editable=True),
            )
        ),
    ],
)
def test_that_deleted_boxes_leave_no_memory(qtbot: QtBot, made: Callable[[], QWidget]) -> None:
    in_light_theme()
    # Other objects take these places: Qt would find its cached entry at the same address.
    others: list[bytearray] = []
    held = []
    for turn in range(TIMES):
        _show_and_delete(made)
        others.append(bytearray(700 + turn))
        held.append(in_use_mb())
    after = held[TIMES // 3 :]
    assert (after[-1] - after[0]) * 2**20 / (BOXES * (len(after) - 1)) < BYTES


@needs_mallinfo2
def test_that_scrolled_widgets_of_a_closed_window_leave_no_memory(qtbot: QtBot) -> None:
    in_light_theme()
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


@needs_mallinfo2
def test_that_a_closed_command_palette_leaves_no_memory(window: MainWindow) -> None:
    held = []
    for _ in range(TIMES // 3):
        for _ in range(BOXES):
            window.show_palette()
            QApplication.processEvents()
            for palette in window.findChildren(CommandPalette):
                palette.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        held.append(in_use_mb())
    after = held[TIMES // 9 :]
    assert (after[-1] - after[0]) * 2**20 / (BOXES * (len(after) - 1)) < BYTES


class _Styled(QObject):
    """Counts the style changes of an object."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.times += event.type() is QEvent.Type.StyleChange
        return False


def test_that_no_widget_is_styled_while_the_window_closes(window: MainWindow) -> None:
    styled = _Styled()
    areas = window.findChildren(QAbstractScrollArea)
    for area in areas:
        area.viewport().installEventFilter(styled)
    window.close()
    assert styled.times == 0
    free_all_of(window)
    assert styled.times >= len(areas) > 0


def test_that_boxes_are_created_in_the_way_that_leaves_no_memory_in_qt() -> None:
    folder = Path(workbench.gui.__file__).parent
    found = {
        f"{file.relative_to(folder).as_posix()}:{node.lineno}"
        for file in folder.rglob("*.py")
        if file.relative_to(folder).as_posix() not in MAKERS
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if (isinstance(node, ast.Call) and _name(node.func) in BOXES_OF_QT)
        or (isinstance(node, ast.ClassDef) and node.name not in CLASSES and BOXES_OF_QT & set(map(_name, node.bases)))
    }
    assert not found, "make it with gui/widgets/boxes.py"


def _name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def test_that_icons_of_the_previous_theme_are_not_kept(qtbot: QtBot) -> None:
    drawn = QPixmap(8, 8)
    QPixmapCache.insert("drawn in the light theme", drawn)
    assert QPixmapCache.find("drawn in the light theme", drawn)
    change_theme(running_application(), "dark", 1.0)
    assert not QPixmapCache.find("drawn in the light theme", drawn)
