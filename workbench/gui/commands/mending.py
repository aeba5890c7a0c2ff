"""What the import report by cause does: shows the file at a line, says what a decision changes, decides, takes back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QCursor, QGuiApplication

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.import_report.causes import BY_HAND, files_of_run
from workbench.answers.import_report.spec import ALL_FILES
from workbench.gui.commands.runs import RunCommands
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.pages.cause_words import copied
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.workspace import Workspace
from workbench.model.cause import Cause, Mending
from workbench.model.problem import Problem
from workbench.study.discovery.excerpt import Excerpt, excerpt, place_in


class MendingCommands(QObject):
    """Driven by the causes of the import report; `listen` is called once for its page."""

    def __init__(
        self,
        parent: QObject,
        workspace: Workspace,
        tasks: Tasks,
        status: StatusLine,
        mapper: ColumnMapper,
        runs: RunCommands,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._tasks, self._status = workspace, tasks, status
        self._mapper, self._runs = mapper, runs

    def listen(self, view: CausesView) -> None:
        """Does what the view asks for."""
        view.problem_chosen.connect(partial(self._show_lines, view))
        view.change_asked.connect(partial(self._say_change, view))
        view.mended.connect(self.mend)
        view.files_asked.connect(self.show_files)
        view.list_asked.connect(partial(self._copy_list, view))

    def show_files(self) -> None:
        """Shows the tables of all files and problems."""
        self._workspace.apply(page_views=self._workspace.state.with_page_view(IMPORT_REPORT, ALL_FILES).page_views)

    def mend(self, cause: Cause, problem: Problem | None, value: str, run: str) -> None:
        """Does what the user has decided about a cause: about one run alone where it is named."""
        folders = (run,) if run else cause.runs
        match cause.mending:
            case Mending.TIME_ZONE:
                state = self._workspace.state
                self._runs.state_edits([replace(state.edits_of(folder), time_zone=value) for folder in folders])
            case Mending.DATE_ORDER:
                self._runs.swap_day_and_month(folders)
            case Mending.SPLIT:
                self._runs.split(folders)
            case Mending.MACHINES if value == "out":
                self._runs.leave_machines_out(folders, cause.machines)
            case Mending.MACHINES:
                self._runs.count_as_desktops(folders, cause.machines)
            case Mending.MAP_COLUMNS if problem is not None:
                self._mapper.ask(problem.file)
            case Mending.KEEP_APART | Mending.JOIN_RUNS:
                self._runs.read_numbers_otherwise(folders)
            case Mending.BASELINE:
                self._runs.show_baselines(self._study_of(problem or cause.problems[0]), QCursor.pos())
            case Mending.EDIT_RUN:
                self._runs.edit(*folders)
            case Mending.TIMELINE:
                self._show_timeline(run or next(iter(cause.runs), ""))
            case Mending.COPY_COMMAND:
                QGuiApplication.clipboard().setText(cause.command)
                self._status.tell(f"The command is on the clipboard; run it on Windows: {cause.command}")
            case Mending.FILES:
                self.show_files()
            case Mending.COPY_SENTENCES:
                QGuiApplication.clipboard().setText(copied((cause,)))
                self._status.tell("The report text is on the clipboard. Send it to the person who made the recording.")
            case Mending.UNDO:
                self._take_back(cause)

    def _study_of(self, problem: Problem) -> str:
        return next(study.folder for study in self._workspace.library.studies if problem in study.problems)

    def _copy_list(self, view: CausesView) -> None:
        causes = view.list.shown
        QGuiApplication.clipboard().setText(copied(causes))
        self._status.tell(f"{len(causes)} cause{'s' * (len(causes) != 1)} copied, each with what the report says.")

    def _show_timeline(self, run: str) -> None:
        studies = self._workspace.library.studies
        study = next((study.folder for study in studies if run in [each.folder for each in study.runs]), None)
        self._workspace.apply(page="timeline", **({} if study is None else {"study": study}))

    def _take_back(self, cause: Cause) -> None:
        what = cause.key.removeprefix(BY_HAND).split("/")[0]
        edits = [self._workspace.state.edits_of(folder) for folder in cause.runs]
        if what == "split":
            for folder in cause.runs:
                self._runs.join(folder)
        elif what == "machines":
            self._runs.state_edits([replace(edit, left_out=(), counted=()) for edit in edits])
        elif what == "baseline":
            for study in self._workspace.library.studies:
                if any(run.folder in cause.runs for run in study.runs):
                    self._runs.compare_with("", study.folder)
        elif what == "numbers":
            self._runs.read_numbers_as_found(cause.runs)
        elif what == "date-order":
            self._runs.state_edits([replace(edit, date_order=None) for edit in edits])
        else:
            self._runs.state_edits([replace(edit, time_zone=None) for edit in edits])

    def _show_lines(self, view: CausesView, cause: Cause, problem: Problem) -> None:
        library = self._workspace.library
        path = (library.places or {}).get(problem.file)
        if path is None:
            # What is odd is the run, not a line of it: what it was read from.
            view.preview.show_files(files_of_run(library, view.preview.run))
        if path is None or cause.command:
            return
        report = next((report for report in library.files if report.path == problem.file), None)
        line = problem.line or 1
        place = place_in(report, line, problem.column)

        def show(lines: Excerpt) -> None:
            if view.preview.problem == problem:
                view.preview.show_excerpt(line, lines, report)

        self._tasks.run("cause", lambda: excerpt(path, place), show, apart=True)

    def _say_change(self, view: CausesView, cause: Cause, value: str, run: str) -> None:
        # The window starts without it.
        from workbench.answers.import_report.changes import machine_change, split_change, zone_change

        library = self._workspace.as_read
        if cause.mending is Mending.TIME_ZONE:
            view.show_change(zone_change(library, cause.runs, value, run))
        elif cause.mending is Mending.SPLIT:
            view.show_change(split_change(library, (run,) if run else cause.runs))
        else:
            view.show_change(machine_change(cause))
