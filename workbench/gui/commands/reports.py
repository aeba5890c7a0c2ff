"""What a row of the import report does: a problem opens the text it speaks of, a file offers its mapping."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from workbench.answers.import_report.questions import questions
from workbench.answers.import_report.spec import PROBLEMS
from workbench.charts.tables import Cell
from workbench.gui.commands.questions import answers
from workbench.gui.commands.runs import RunCommands
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.dialogs.excerpt_window import ExcerptWindow
from workbench.gui.services.plain import plain_button
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.study.discovery.excerpt import excerpt


class ReportCommands(QObject):
    """Driven by double clicks and right clicks in the tables of the import report."""

    def __init__(
        self,
        parent: QWidget,
        workspace: Workspace,
        tasks: Tasks,
        status: StatusLine,
        mapper: ColumnMapper,
        runs: RunCommands,
    ) -> None:
        super().__init__(parent)
        self._parent, self._workspace, self._tasks = parent, workspace, tasks
        self._status, self._mapper, self._runs = status, mapper, runs

    def open_row(self, table: str, cells: tuple[Cell, ...]) -> None:
        """A problem opens the text of its file at its line."""
        if table != PROBLEMS:
            return
        name, line, message = str(cells[1].value), cells[2].value, cells[4].text
        path = (self._workspace.library.places or {}).get(name)
        if path is None or line is None:
            self._status.tell(f"{name}: {message} It names no line to show.")
            return
        self._tasks.run(
            "excerpt",
            lambda: excerpt(path, line),
            lambda row: ExcerptWindow(self._parent, name, message, line, row).show(),
        )

    def show_menu(self, table: str, cells: tuple[Cell, ...], menu: QMenu) -> None:
        """Offers to map the columns of a file where that can be done."""
        if table == PROBLEMS:
            self._offer_answers(str(cells[1].value), cells[4].text, menu)
        name = str(cells[1 if table == PROBLEMS else 0].value)
        if name in self._mapper.files():
            menu.addAction(tr("Map columns…"), lambda: self._mapper.ask(name))

    def _offer_answers(self, file: str, message: str, menu: QMenu) -> None:
        """Offers to decide what a problem asks."""
        every = self._workspace.library.problems
        asked = questions(problem for problem in every if (problem.file, problem.message) == (file, message))
        for words, _tip, act in (answer for question in asked for answer in answers(question, self._runs)):
            menu.addAction(plain_button(words), act)
