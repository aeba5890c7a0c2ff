"""Where does this number come from: computed beside the window, shown in one of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.charts.figure import Origin
from workbench.charts.tables import Cell
from workbench.gui.dialogs.excerpt_window import ExcerptWindow
from workbench.study.discovery.excerpt import excerpt

if TYPE_CHECKING:
    from workbench.answers.common.library import Library
    from workbench.gui.shell.main_window import MainWindow
    from workbench.model.source import Explanation


class OriginCommands(QObject):
    """Driven by double clicks and right clicks on numbers of tables."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def show(self, origin: Origin) -> None:
        """Opens the window with the sources of a number."""
        library = self._window.workspace.library
        self._window.tasks.run(
            "origin",
            lambda: _explanations(library, origin),
            lambda found: self._show(found, origin),
            self._failed,
        )

    def _show(self, found: list[Explanation], origin: Origin) -> None:
        if not found:
            self._window.strip.tell("The run of this number is not open any more.")
            return
        from workbench.gui.dialogs.source_window import OriginWindow

        window = OriginWindow(self._window, found, origin, self._window.workspace.state.theme)
        window.row_opened.connect(self.open_source)
        window.show()

    def _failed(self, error: Exception) -> None:
        self._window.strip.tell(
            f"The samples of this number cannot be read any more; open the folder again. ({error})"
        )

    def open_source(self, cells: tuple[Cell, ...]) -> None:
        """Opens the text of the file at the first of the rows."""
        from workbench.answers.common.explain_table import FILE, LINE

        name, line, rows = str(cells[FILE].value), cells[LINE].value, cells[LINE - 1].text
        place = (self._window.workspace.library.places or {}).get(name)
        if place is None or line is None:
            self._window.strip.tell(
                f"{name}, rows {rows}: in which lines they stand is not known, so there is no text to show."
            )
            return
        message = f"{cells[FILE + 1].text}, cell {cells[FILE + 2].text}, rows {rows}"
        self._window.tasks.run(
            "excerpt",
            lambda: excerpt(place, line),
            lambda found: ExcerptWindow(self._window, name, message, line, found).show(),
        )


def _explanations(library: Library, origin: Origin) -> list[Explanation]:
    # Loaded when a number is asked about: the window starts without it.
    from workbench.answers.sources import explanations_of

    return explanations_of(library, origin)
