"""What the user states about runs: the Run menu and the menu of a run in the tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from workbench.gui import dialogs
from workbench.study.overrides import lacks_time_zone

if TYPE_CHECKING:
    from workbench.gui.main_window import MainWindow


class RunCommands(QObject):
    """The commands of the action table that begin with `runs.`."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = window.workspace

    def include_all(self) -> None:
        """Takes back every hiding and every exclusion made by hand."""
        state = self._workspace.state
        counted = [replace(one, excluded=None) for one in state.edits]
        self._workspace.apply(hidden=frozenset(), edits=state.with_edits(*counted).edits)

    def time_zone(self, folder: str = "") -> None:
        """Asks for the time zone of the runs whose files name none."""
        study = self._workspace.library.study(self._workspace.state.study)
        runs = [run for run in (study.runs if study else ()) if lacks_time_zone(run)]
        chosen = [run for run in runs if not folder or run.folder == folder]
        if not chosen:
            self._window.strip.tell(
                "Every file of this study states its offset from UTC; there is nothing to override."
            )
            return
        if zone := dialogs.ask_time_zone(self._window, [run.name for run in chosen]):
            state = self._workspace.state
            stated = [replace(state.edits_of(run.folder), time_zone=zone) for run in chosen]
            self._workspace.apply(edits=state.with_edits(*stated).edits)

    def map_columns(self, name: str = "") -> None:
        """Asks what the columns of a CSV mean that no reader knows, and opens everything again."""
        self._window.mapper.ask(name)

    def show_menu(self, folder: str, place: QPoint) -> None:
        """The menu of one run, at a place on the screen."""
        menu = QMenu(self._window)
        menu.addAction("Time zone…", lambda: self.time_zone(folder))
        menu.popup(place)
