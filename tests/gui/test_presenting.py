"""Saved views, the command palette and the sheet of keys, in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from tests.gui.conftest import settle
from workbench.gui.commands.palette import CommandPalette, matching
from workbench.gui.dialogs.shortcut_sheet import GESTURES, ShortcutSheet, rows
from workbench.gui.services.actions import ACTIONS, page_keys
from workbench.gui.services.theme import apply_theme
from workbench.gui.shell.main_window import MainWindow


def look_at(window: MainWindow, qtbot: QtBot, **changes: object) -> None:
    window.workspace.apply(**changes)
    settle(window, qtbot)


def test_that_a_saved_view_is_restored_with_its_zoom(opened: MainWindow, qtbot: QtBot) -> None:
    look_at(opened, qtbot, page="per-vm-iops", phase="steady")
    figure = opened.page.figure
    assert figure is not None
    figure.set_span(60.0, 120.0)
    opened.saved_views.save("Two minutes")
    look_at(opened, qtbot, page="cache")
    opened.saved_views.show_named("Two minutes")
    settle(opened, qtbot)
    assert figure.zoomed_span is not None
    assert [round(edge) for edge in figure.zoomed_span] == [60, 120]
    opened.saved_views.forget("Two minutes")
    assert opened.workspace.state.views == ()
    opened.history.undo()
    assert [view.name for view in opened.workspace.state.views] == ["Two minutes"]


def test_that_every_action_is_in_the_palette_and_can_be_run(opened: MainWindow, qtbot: QtBot) -> None:
    offered = opened.offers.entries()
    menus = ("File:", "Edit:", "View:", "Run:", "Findings:", "Present:", "Help:")
    assert len([entry for entry in offered if entry.words.startswith(menus)]) == len(ACTIONS)
    opened.show_palette()
    palette = opened.findChild(CommandPalette)
    assert palette is not None
    qtbot.keyClicks(palette.field, "cahce")  # misspelt on purpose
    assert "Cache" in palette.list.item(0).text()
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    settle(opened, qtbot)
    assert opened.workspace.state.page == "cache"


def test_that_the_palette_finds_phases_machines_and_studies(opened: MainWindow) -> None:
    offered = opened.offers.entries()
    assert matching(offered, "phase boot")[0].words == "Phase: boot"
    assert any(entry.words.startswith("VM: ") for entry in matching(offered, "VM"))
    assert matching(offered, "zzzzqqqq") == []


def test_that_the_sheet_of_keys_names_every_shortcut(opened: MainWindow) -> None:
    opened.act("palette.show_shortcuts")
    sheet = opened.findChild(ShortcutSheet)
    assert sheet is not None
    shown = {label.text() for label in sheet.findChildren(QLabel)}
    keys = {keys for lines in rows().values() for keys, _ in lines}
    assert keys <= shown
    menus = [lines for title, lines in rows().items() if title not in GESTURES]
    assert sum(len(lines) for lines in menus) == len([a for a in ACTIONS if a.shortcut])
    named = {QKeySequence(a.shortcut).toString(QKeySequence.SequenceFormat.NativeText) for a in ACTIONS}
    assert {keys for lines in menus for keys, _ in lines} == named - {""}
    sheet.close()


def test_that_no_two_actions_share_a_key() -> None:
    keys = [action.shortcut for action in ACTIONS if action.shortcut]
    assert len(keys) == len(set(keys))


def test_that_every_shortcut_is_a_valid_key_and_the_tenth_page_has_none() -> None:
    assert [page_keys(place) for place in (1, 9, 10, 11)] == ["Ctrl+1", "Ctrl+9", "Ctrl+0", ""]
    keys = [action.shortcut for action in ACTIONS if action.shortcut]
    assert [key for key in keys if not QKeySequence(key).toString()] == []


@pytest.mark.parametrize("scale", [1.0, 1.25])
def test_that_the_shortcut_sheet_needs_no_horizontal_scrolling(window: MainWindow, scale: float) -> None:
    apply_theme(window.application, "light", scale)
    sheet = ShortcutSheet(window)
    sheet.show()
    area = sheet.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()
    grids = sheet.findChildren(QGridLayout)
    starts = {grid.cellRect(row, 1).x() for grid in grids for row in range(1, grid.rowCount())}
    assert len(starts) == 1, starts


def opened_palette(window: MainWindow) -> CommandPalette:
    window.show_palette()
    return next(palette for palette in window.findChildren(CommandPalette) if palette.isVisible())


def test_that_the_last_chosen_command_is_first_in_the_palette(opened: MainWindow, qtbot: QtBot) -> None:
    for typed in ("Sizing", "Compare"):
        palette = opened_palette(opened)
        qtbot.keyClicks(palette.field, typed)
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
        settle(opened, qtbot)
    palette = opened_palette(opened)
    assert [palette.list.item(row).text() for row in (0, 1)] == ["View: Compare", "View: Sizing"]
    palette.close()


def test_that_arrows_move_in_the_palette_and_esc_leaves_everything(opened: MainWindow, qtbot: QtBot) -> None:
    before = opened.workspace.state
    palette = opened_palette(opened)
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1), (Qt.Key.Key_PageDown, 9)):
        qtbot.keyClick(palette.field, key)
        assert palette.list.currentRow() == row
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not any(palette.isVisible() for palette in opened.findChildren(CommandPalette))
    assert opened.workspace.state == before


def test_that_return_without_a_match_leaves_the_palette_open(opened: MainWindow, qtbot: QtBot) -> None:
    palette = opened_palette(opened)
    qtbot.keyClicks(palette.field, "zzzzqqqq")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert palette.nothing.isVisible()
    palette.close()


def test_that_no_key_has_two_meanings(opened: MainWindow, qtbot: QtBot) -> None:
    for key in opened.pages:
        look_at(opened, qtbot, page=key)
    actions = [
        action.shortcut().toString() for menu in opened.menus.values() for action in menu.actions() if action.shortcut()
    ]
    everywhere = [keys for keys in actions if keys]
    assert len(everywhere) > 30
    assert len(everywhere) == len(set(everywhere))
    # Keys of a page work if it has focus: none hides a command of the window, or another key.
    of_parts = [(shortcut.parent(), shortcut.key().toString()) for shortcut in opened.findChildren(QShortcut)]
    assert of_parts
    assert len(of_parts) == len(set(of_parts))
    assert {keys for _, keys in of_parts} & set(everywhere) == set()
    assert all(
        shortcut.context() in (Qt.ShortcutContext.WidgetShortcut, Qt.ShortcutContext.WidgetWithChildrenShortcut)
        for shortcut in opened.findChildren(QShortcut)
    )
    # Letters without a modifier belong to charts and texts.
    assert not [keys for keys in everywhere if len(keys) == 1]
