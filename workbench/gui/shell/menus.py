"""The menu bar, made from the table of actions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from workbench.gui.services.actions import ACTIONS
from workbench.gui.services.translation import tr

# What macOS shows in the menu that bears the program's name.
ROLES = {
    "preferences.show": QAction.MenuRole.PreferencesRole,
    "about": QAction.MenuRole.AboutRole,
    "close": QAction.MenuRole.QuitRole,
}


def fill_menus(bar: QMenuBar, act: Callable[[str, str], None]) -> dict[str, QMenu]:
    """The menus of the bar by their names in the table; an entry calls `act` with its key and argument."""
    menus: dict[str, QMenu] = {}
    for entry in ACTIONS:
        menu = menus.get(entry.menu) or bar.addMenu(tr(entry.menu))
        menus[entry.menu] = menu
        if entry.separated:
            menu.addSeparator()
        action = QAction(tr(entry.words), bar)
        action.setCheckable(entry.checkable)
        action.setData(entry.key)
        action.setShortcuts([QKeySequence(keys) for keys in (entry.shortcut, entry.other_shortcut) if keys])
        action.triggered.connect(lambda _on, entry=entry: act(entry.key, entry.argument))
        # Qt would guess by the words, which are translated.
        action.setMenuRole(ROLES.get(entry.key, QAction.MenuRole.NoRole))
        menu.addAction(action)
    return menus
