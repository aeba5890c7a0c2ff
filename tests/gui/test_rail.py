"""The rail: open with names, collapsed with icons, and everything it offers within reach in both forms."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, leave, open_and_wait
from workbench.answers.registry import PAGES
from workbench.gui.runs.rename_delegate import RenameDelegate
from workbench.gui.services.theme import SHADES
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.rail import COLLAPSED_WIDTH, WIDTH
from workbench.session.settings import load_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

REPORT = [spec.key for spec in PAGES].index("import-report")
TIP, SPOKEN = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole


def test_that_the_rail_collapses_to_icons_with_tips_and_opens_again(opened: MainWindow, qtbot: QtBot) -> None:
    rail = opened.rail
    assert rail.width() == WIDTH
    assert rail.tree.isVisible()
    assert rail.pages.item(1).text() == "Per-VM IOPS"
    qtbot.mouseClick(rail.fold, Qt.MouseButton.LeftButton)
    assert rail.width() == COLLAPSED_WIDTH
    assert not rail.tree.isVisible()
    assert [rail.pages.item(row).text() for row in range(len(PAGES))] == [""] * len(PAGES)
    assert [rail.pages.item(row).data(TIP) for row in range(len(PAGES))] == [spec.name for spec in PAGES]
    after(opened, qtbot, lambda: rail.pages.setCurrentRow(2))
    assert opened.workspace.state.page == PAGES[2].key
    qtbot.keyClick(opened, Qt.Key.Key_Backslash, Qt.KeyboardModifier.ControlModifier)
    assert rail.width() == WIDTH
    assert rail.tree.isVisible()


def test_that_the_collapsed_rail_shows_the_looks_and_opens_at_the_one_clicked(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.workspace.apply(hidden=frozenset({"MCS"})))
    opened.rail.toggle()
    looks = opened.rail.looks
    tips = [looks.item(row).toolTip() for row in range(looks.count())]
    assert tips == ["MCS (hidden)", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB"]
    assert [bool(looks.item(row).flags() & Qt.ItemFlag.ItemIsEnabled) for row in range(2)] == [False, True]
    place = looks.visualItemRect(looks.item(3)).center()
    qtbot.mouseClick(looks.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not opened.rail.collapsed
    assert opened.rail.tree.currentIndex().data() == "MCSIO 1 GB"


def test_that_a_narrow_window_collapses_the_rail_and_a_wide_one_gives_it_back(opened: MainWindow) -> None:
    opened.resize(1199, 800)
    assert opened.rail.collapsed
    opened.rail.toggle()
    assert not opened.rail.collapsed
    opened.resize(1100, 800)
    assert not opened.rail.collapsed, "opened by hand it stays open"
    opened.resize(1300, 800)
    assert not opened.rail.collapsed
    assert opened.settings.rail_collapsed is False


def test_that_the_form_of_the_rail_is_remembered(opened: MainWindow, store: Store, qtbot: QtBot) -> None:
    opened.rail.toggle()
    leave(opened)
    assert load_settings().rail_collapsed
    again = MainWindow(store, State(), load_settings(), remembers=False)
    qtbot.addWidget(again)
    again.resize(1600, 900)
    again.show()
    assert again.rail.collapsed
    leave(again)


def test_that_problems_are_a_count_when_open_and_a_dot_when_collapsed(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE)
    pages, item = window.rail.pages, window.rail.pages.item(REPORT)
    assert item.data(SPOKEN) == "Import report, 3 warnings"
    window.rail.toggle()
    assert item.data(SPOKEN) == "Import report, 3 warnings"

    def dotted(row: int) -> bool:
        image = pages.viewport().grab(pages.visualItemRect(pages.item(row))).toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
        return SHADES["light"].warning in colours

    assert [dotted(row) for row in (REPORT, REPORT - 1)] == [True, False]


@pytest.mark.parametrize("type_size", ["100", "150"])
def test_that_names_have_room_in_the_open_rail(opened: MainWindow, qtbot: QtBot, type_size: str) -> None:
    after(opened, qtbot, lambda: opened.preferences.set("type_size", type_size))
    tree = opened.rail.tree
    delegate = tree.itemDelegateForColumn(0)
    assert isinstance(delegate, RenameDelegate)
    for label in ("MCSIO 256 MB", "MCSIO 512 MB"):
        item = tree.configuration_item(label)
        assert item is not None
        option = QStyleOptionViewItem()
        tree.initViewItemOption(option)
        option.rect = tree.visualRect(item.index())
        delegate.initStyleOption(option, item.index())
        area = tree.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, tree)
        assert option.fontMetrics.horizontalAdvance(label) <= area.width(), label
    after(opened, qtbot, lambda: opened.preferences.set("type_size", "100"))
