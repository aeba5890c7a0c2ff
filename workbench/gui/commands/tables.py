"""Tables of all pages: the user's choice of columns, and the keyboard shortcut to their filter."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from workbench.answers.common.names import TIMELINE
from workbench.charts.tables import OwnColumn
from workbench.gui.commands.counters import Counters
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.workspace import Workspace
from workbench.gui.widgets.columns import ColumnMemory


class TableCommands(Commands):
    """The commands for tables."""

    _settings: SettingsKeeper
    _pages: Pages
    _counters: Counters

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        kept = self._settings.settings
        self._memory = ColumnMemory(_sets(kept.hidden_columns), _sets(kept.shown_columns), dict(kept.column_order))
        self._pages.each(self._listen)

    def _listen(self, page: PageView) -> None:
        for card in page.tables:
            card.offer_own_columns(self._compute)
        for card in page.filtered:
            card.remember_columns(self._memory)
            card.columns_changed.connect(self._changed)
            shortcut = QShortcut(QKeySequence("Esc"), card.filter)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(card.leave_filter)
            into = QShortcut(QKeySequence("Down"), card.filter)
            into.setContext(Qt.ShortcutContext.WidgetShortcut)
            into.activated.connect(card.enter_table)

    def _compute(self, column: OwnColumn, on: bool) -> None:
        """Adds a column that the user makes of two others, or removes it."""
        others = tuple(other for other in self._workspace.state.own_columns if other != column)
        self._workspace.apply(own_columns=(*others, column) if on else others)

    @command("&Edit", "&Find on page", "Ctrl+F", place=215)
    def find(self) -> None:
        """Puts the cursor into the filter of the page's table; on the timeline into that of the counters; in the import
        report into the search of its causes."""
        page = self._pages.shown
        if page.spec.key == TIMELINE:
            self._counters.find()
            return
        causes = self._pages.shown.causes
        if causes is not None and causes.isVisible():
            causes.enter_search()
            return
        card = next((table for table in page.filtered if table.isVisible()), None)
        if card is None:
            self._status.tell("This page has no table to search.")
            return
        card.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        card.filter.selectAll()

    def _changed(self) -> None:
        memory = self._memory
        self._settings.change(
            hidden_columns=_tuples(memory.hidden), shown_columns=_tuples(memory.shown), column_order=dict(memory.order)
        )
        self._settings.write()


@command("&View", "Group by &run", "Ctrl+R", place=305)
def toggle_runs(workspace: Workspace) -> None:
    """Switches the phase table between configurations and runs."""
    workspace.apply(per_run=not workspace.state.per_run)


def _sets(kept: dict[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(columns) for name, columns in kept.items()}


def _tuples(memory: dict[str, frozenset[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(columns)) for name, columns in memory.items()}
