"""Where does this number come from: computed beside the window, shown in one of its own."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.answers.common.library import Library
from workbench.charts.figure import Source
from workbench.charts.tables import Cell
from workbench.gui.dialogs.excerpt_window import open_excerpt
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.workspace import Workspace
from workbench.model.source import Explanation


class SourceCommands(QObject):
    """Driven by double clicks and right clicks on numbers of tables."""

    def __init__(self, parent: QWidget, workspace: Workspace, tasks: Tasks, status: StatusLine) -> None:
        super().__init__(parent)
        self._parent, self._workspace, self._tasks, self._status = parent, workspace, tasks, status

    def show(self, source: Source) -> None:
        """Opens the window with the sources of a number."""
        library = self._workspace.library
        self._tasks.run(
            "source",
            lambda: _explanations(library, source),
            lambda explanations: self._show(explanations, source),
            self._failed,
        )

    def _show(self, explanations: list[Explanation], source: Source) -> None:
        if not explanations:
            self._status.tell("The run of this value is no longer open.")
            return
        from workbench.gui.dialogs.source_window import SourceWindow

        dialog = SourceWindow(self._parent, explanations, source, self._workspace.state.theme)
        dialog.row_opened.connect(self.open_source)
        dialog.show()

    def _failed(self, error: Exception) -> None:
        self._status.tell(f"The samples of this number cannot be read any more; open the folder again. ({error})")

    def open_source(self, cells: tuple[Cell, ...]) -> None:
        """Opens the text of the file at the first of the rows."""
        from workbench.answers.common.sources.table import FILE, LINE

        name, line, rows = str(cells[FILE].value), cells[LINE].value, cells[LINE - 1].text
        cell = cells[FILE + 2]
        message = f"{cells[FILE + 1].text}, cell {cell.text}, rows {rows}"
        if not open_excerpt(self._parent, self._tasks, self._workspace.library, name, message, line, cell.value):
            self._status.tell(
                f"{name}, rows {rows}: in which lines they stand is not known, so there is no text to show."
            )


def _explanations(library: Library, source: Source) -> list[Explanation]:
    # Loaded when a number is asked about: the window starts without it.
    from workbench.answers.sources import explanations_of

    return explanations_of(library, source)
