"""The rail: expanded with names, collapsed with icons, and usable in both forms."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget, QListWidgetItem, QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, leave, open_and_wait
from workbench.answers.registry import page_of
from workbench.gui.runs.rename_delegate import RenameDelegate
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.rail import COLLAPSED_WIDTH, WIDTH
from workbench.session.settings import load_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

TIP = Qt.ItemDataRole.ToolTipRole
PLACES = ["overview", "per-vm-iops", "cache", "timeline", "logons", "benchmarks", "compare", "storyboard"]
TOOLS = ["sizing", "limits", "trend", "prepare"]


def rows(pages: QListWidget) -> list[QListWidgetItem]:
    return [pages.item(row) for row in range(pages.count())]


def names(keys: list[str]) -> list[str]:
    return [spec.name for key in keys if (spec := page_of(key)) is not None]


def test_that_the_rail_collapses_to_icons_with_tips_and_opens_again(opened: MainWindow, qtbot: QtBot) -> None:
    rail = opened.rail
    assert rail.width() == WIDTH
    assert rail.tree.isVisible()
    assert rail.pages.item(1).text() == "Per VM"
    qtbot.mouseClick(rail.fold, Qt.MouseButton.LeftButton)
    assert rail.width() == COLLAPSED_WIDTH
    assert not rail.tree.isVisible()
    for pages, keys in ((rail.pages, PLACES), (rail.tools, TOOLS)):
        assert [item.text() for item in rows(pages)] == [""] * len(keys)
        assert [item.data(TIP) for item in rows(pages)] == names(keys)
    after(opened, qtbot, lambda: rail.pages.setCurrentRow(2))
    assert opened.workspace.state.page == "cache"
    qtbot.keyClick(opened, Qt.Key.Key_Backslash, Qt.KeyboardModifier.ControlModifier)
    assert rail.width() == WIDTH
    assert rail.tree.isVisible()


def test_that_the_collapsed_navigation_shows_saved_views_and_opens_at_the_clicked_one(
    opened: MainWindow, qtbot: QtBot
) -> None:
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


def test_that_a_narrow_window_collapses_the_navigation_and_a_wide_one_expands_it(opened: MainWindow) -> None:
    opened.resize(1199, 800)
    assert opened.rail.collapsed
    opened.rail.toggle()
    assert not opened.rail.collapsed
    opened.resize(1100, 800)
    assert not opened.rail.collapsed, "opened by hand it stays open"
    opened.resize(1300, 800)
    assert not opened.rail.collapsed
    assert opened.settings.rail_collapsed is False


def test_that_the_state_of_the_navigation_is_saved(opened: MainWindow, store: Store, qtbot: QtBot) -> None:
    opened.rail.toggle()
    leave(opened)
    assert load_settings().rail_collapsed
    again = MainWindow(store, State(), load_settings(), remembers=False)
    qtbot.addWidget(again)
    again.resize(1600, 900)
    again.show()
    assert again.rail.collapsed
    leave(again)


def test_that_eight_places_and_four_tools_are_shown_and_one_of_them_is_chosen(opened: MainWindow, qtbot: QtBot) -> None:
    rail = opened.rail
    assert [item.text() for item in rows(rail.pages)] == names(PLACES)
    assert [item.text() for item in rows(rail.tools)] == names(TOOLS)
    after(opened, qtbot, lambda: rail.tools.setCurrentRow(1))
    assert opened.workspace.state.page == "limits"
    assert [item.text() for item in rail.pages.selectedItems()] == []
    after(opened, qtbot, lambda: opened.show_page("compare"))
    assert [item.text() for item in rail.pages.selectedItems()] == ["Compare"]
    assert rail.tools.selectedItems() == []


def test_that_a_list_that_gains_the_focus_does_not_change_the_page(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("trend"))
    opened.activateWindow()
    opened.rail.pages.setFocus(Qt.FocusReason.TabFocusReason)
    assert opened.workspace.state.page == "trend"
    qtbot.keyClick(opened.rail.pages, Qt.Key.Key_Down)
    assert opened.workspace.state.page in PLACES


def test_that_the_tree_shows_the_number_of_runs_and_the_vms_of_a_run(opened: MainWindow, qtbot: QtBot) -> None:
    tree = opened.rail.tree
    study = tree.model().index(0, 0)
    group = tree.model().index(0, 0, study)
    assert group.siblingAtColumn(1).data() == "3"
    tree.expand(group)
    qtbot.waitUntil(lambda: tree.model().rowCount(group) == 3)
    assert tree.model().index(0, 1, group).data() == "4 VMs"
    assert {"3 runs", "4 VMs"} <= set(group.data(Qt.ItemDataRole.ToolTipRole).splitlines())


def test_that_the_badge_counts_what_needs_attention_and_opens_the_import_report(
    window: MainWindow, qtbot: QtBot
) -> None:
    badge = window.rail.badge
    assert badge.isHidden(), "nothing is open"
    open_and_wait(window, qtbot, SAMPLE)
    assert "3" in badge.text()
    window.rail.toggle()
    assert (badge.text(), badge.isVisible()) == ("", True)
    assert "3" in badge.accessibleName()
    window.rail.toggle()
    after(window, qtbot, lambda: qtbot.mouseClick(badge, Qt.MouseButton.LeftButton))
    assert window.workspace.state.page == "import-report"
    assert window.rail.pages.selectedItems() == window.rail.tools.selectedItems() == []


def test_that_the_badge_is_hidden_without_problems_except_on_its_own_page(opened: MainWindow, qtbot: QtBot) -> None:
    assert opened.workspace.library.warnings() == 0
    assert opened.rail.badge.isHidden()
    after(opened, qtbot, lambda: opened.show_page("import-report"))
    assert opened.rail.badge.isVisible()


def test_that_the_tree_keeps_its_place_when_the_badge_appears_and_disappears(opened: MainWindow, qtbot: QtBot) -> None:
    places = []
    for page in ("overview", "import-report", "overview"):
        after(opened, qtbot, lambda page=page: opened.show_page(page))
        QApplication.processEvents()
        places.append((opened.rail.badge.isVisible(), opened.rail.tree.geometry().top()))
    assert [shown for shown, _ in places] == [False, True, False]
    assert len({top for _, top in places}) == 1


@pytest.mark.parametrize("type_size", ["100", "150"])
def test_that_names_fit_in_the_expanded_navigation(opened: MainWindow, qtbot: QtBot, type_size: str) -> None:
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
