"""What a row of the import report does: a problem opens the text it speaks of, a file offers its mapping; and what is
asked over the pages: machines that may count twice, folders that mix several runs."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.import_report.questions import Question, questions
from workbench.answers.import_report.spec import BY_CAUSE, PROBLEMS
from workbench.charts.tables import Cell
from workbench.gui.commands.runs import RunCommands
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.dialogs.excerpt_window import open_excerpt
from workbench.gui.pages.question_bar import Answer, QuestionBar
from workbench.gui.services.native_keys import native_keys
from workbench.gui.services.plain import plain_button
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace

# As many names as a button has room for.
_NAMED = 2


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
        if not open_excerpt(self._parent, self._tasks, self._workspace.library, name, message, line, cells[3].value):
            self._status.tell(f"{name}: {message} It names no line to show.")

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


class QuestionCommands(QObject):
    """Asks what is open in the study that is looked at, one question after the other."""

    def __init__(self, parent: QObject, workspace: Workspace, runs: RunCommands, bar: QuestionBar) -> None:
        super().__init__(parent)
        self._workspace, self._runs, self._bar = workspace, runs, bar
        self._later: set[Question] = set()
        self._asked: Question | None = None

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that nobody has answered or put off; none beside the causes, which ask the same."""
        state = self._workspace.state
        if state.page == IMPORT_REPORT and state.page_view(IMPORT_REPORT) in ("", BY_CAUSE):
            return ()
        study = self._workspace.library.study(self._workspace.state.study)
        figures = self._workspace.library.figures or {}
        of_runs = [figures[run.folder] for run in (study.runs if study else ()) if run.folder in figures]
        every = questions(problem for run in of_runs for problem in run.problems)
        return tuple(question for question in every if question not in self._later)

    def refresh(self) -> None:
        """Asks the first question that is open."""
        every = self.open
        first = next(iter(every), None)
        if first == self._asked and (first is None) == self._bar.isHidden():
            return
        self._asked = first
        if first is None:
            self._bar.ask("", ())
            return
        self._bar.ask(first.text, [*answers(first, self._runs), (tr("Not now"), "", self.put_off)])

    def put_off(self) -> None:
        """Leaves the question at hand as it is until the program ends; the import report names it still."""
        self._later |= {self._asked} if self._asked else set()
        self.refresh()


def answers(question: Question, runs: RunCommands) -> list[Answer]:
    """What can be answered, with the way to do it."""
    if not question.machines:
        tip = native_keys("Makes each part a run of its own. The folder stays as it is, and Ctrl+Z takes it back.")
        return [(tr("Split into runs"), tip, lambda: runs.split(question.runs))]
    names = question.machines
    shown = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} machines"
    out = native_keys("Its counters stay on the timeline; no figure of the VMs holds them. Ctrl+Z takes it back.")
    counted = native_keys("It stays among the VMs, and is not asked about again. Ctrl+Z takes it back.")
    return [
        (tr("Leave {} out").format(shown), out, lambda: runs.leave_machines_out(question.runs, names)),
        (tr("Count as desktops"), counted, lambda: runs.count_as_desktops(question.runs, names)),
    ]
