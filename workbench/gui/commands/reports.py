"""Actions of the import report: a problem opens its text, and a file offers its column mapping. A cause shows its file,
the effect of a decision, and the buttons to decide or undo it.

Also opens the sheet with the guesses about the runs of a study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu, QMessageBox

from workbench.answers.common.looks import looks as looks_of
from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.import_report.causes import BY_HAND, files_of_run
from workbench.answers.import_report.found import ImportQuestion, found_run, manifest_of, questions
from workbench.answers.import_report.spec import ALL_FILES, PROBLEMS
from workbench.charts.tables import Cell
from workbench.gui.commands.runs import RunCommands
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.dialogs.excerpt_window import open_excerpt
from workbench.gui.dialogs.questions import message_box
from workbench.gui.pages.cause_words import copied
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.runs.found_sheet import FoundSheet, SheetState
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.plain import plain_button
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Library
from workbench.model.edits import RunEdits
from workbench.model.problem import Cause, Mending, Problem
from workbench.study.discovery.excerpt import Excerpt, excerpt, place_in
from workbench.study.discovery.manifest import MANIFEST
from workbench.study.overrides import edited
from workbench.study.store.temporary import replacing
from workbench.words.numbers import plural

# Maximum number of names in a menu entry.
_NAMED = 2
# Maximum number of files in a question, and of studies in the settings.
_LISTED, MAX_CHECKED = 12, 499


class ReportCommands(Commands):
    """Runs on double-clicks and right-clicks in the tables of the import report."""

    _mapper: ColumnMapper
    _runs: RunCommands

    def open_row(self, table: str, cells: tuple[Cell, ...]) -> None:
        """Opens the text of the problem's file at its line."""
        if table != PROBLEMS:
            return
        name, line, message = str(cells[1].value), cells[2].value, cells[4].text
        if not open_excerpt(self._parent, self._tasks, self._workspace.library, name, message, line, cells[3].value):
            self._status.tell(f"{name}: {message} The file has no line to show.")

    def show_menu(self, table: str, cells: tuple[Cell, ...], menu: QMenu) -> None:
        """Offers to map the columns of a file if that is possible."""
        if table == PROBLEMS:
            self._offer_answers(str(cells[1].value), cells[4].text, menu)
        name = str(cells[1 if table == PROBLEMS else 0].value)
        if name in self._mapper.files():
            menu.addAction(tr("Map columns…"), lambda: self._mapper.ask(name))

    def _offer_answers(self, file: str, message: str, menu: QMenu) -> None:
        """Offers the decisions for a problem."""
        every = self._workspace.library.problems
        asked = questions(problem for problem in every if (problem.file, problem.message) == (file, message))
        for words, act in (answer for question in asked for answer in answers(question, self._runs)):
            menu.addAction(plain_button(words), act)


class FoundCommands(Commands):
    """Shows the guesses about the runs of each study once. Only a window with `asks` does so automatically."""

    _settings: SettingsKeeper
    _runs: RunCommands

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self.asks = False
        self._sheet: FoundSheet | None = None
        # The last opened content, which is shown on the page with data.
        self._placed: Library | None = None

    def offer(self) -> None:
        """Shows the first page with data. Also shows the sheet of the current study if a guess needs a check and was
        never shown."""
        if not self.asks:
            return
        library, opened = self._workspace.library, self._workspace.as_opened
        if opened is not self._placed:
            self._placed = opened
            if library.benchmarks and not library.with_runs and self._workspace.state.page == "overview":
                self._workspace.apply(page="benchmarks")
        study = library.study(self._workspace.state.study)
        if self._sheet is not None or study is None or study.folder in self._settings.settings.checked:
            return
        kept = self._settings.settings.checked[-MAX_CHECKED:]
        self._settings.change(checked=(*kept, study.folder))
        self._settings.write()
        state, read = self._workspace.state, self._workspace.as_read.figures or {}
        found = [
            found_run(read[run.folder].run, state.edits_of(run.folder), read[run.folder].problems)
            for run in study.runs
            if run.folder in read
        ]
        if any(row.asks for row in found):
            self.show()

    @command("&Run", "&Check detected runs…", place=125)
    def show(self) -> None:
        """Shows the guesses about the current study."""
        library, state = self._workspace.library, self._workspace.state
        study, read = library.study(state.study), self._workspace.as_read.figures or {}
        if study is None or not study.runs:
            self._status.tell(tr("No runs to check yet. Open a result folder first."))
            return
        figures = {run.folder: read[run.folder] for run in study.runs if run.folder in read}
        groups = library.groups(state)
        drawn = looks_of(groups)
        looks = {folder: drawn[group.label] for group in groups for folder in group.folders}
        unread = sum(not report.recognised for report in study.files)
        edits = [state.edits_of(folder) for folder in figures]
        sheet = self._sheet = FoundSheet(self._parent, SheetState(study, figures, edits, looks, unread))
        sheet.applied.connect(self._runs.state_edits)
        sheet.kept.connect(self._ask_to_write)
        sheet.files_asked.connect(self._show_files)
        sheet.finished.connect(self._closed)
        sheet.open()

    def _closed(self) -> None:
        self._sheet = None

    def _show_files(self) -> None:
        views = self._workspace.state.with_page_view(IMPORT_REPORT, ALL_FILES).page_views
        self._workspace.apply(page=IMPORT_REPORT, page_views=views)

    def _ask_to_write(self, edits: tuple[RunEdits, ...]) -> None:
        """Names the files to write, and writes them after the user agrees. An existing run.toml is not changed."""
        places = {edit: Path(edit.run) / MANIFEST for edit in edits if Path(edit.run).is_dir()}
        fresh = {edit: place for edit, place in places.items() if not place.exists()}
        if not fresh:
            self._status.tell("No run.toml was written: every run already has one or has no folder.")
            return
        names = "\n".join(str(place) for place in [*fresh.values()][:_LISTED])
        more = f"\nand {len(fresh) - _LISTED} more files" if len(fresh) > _LISTED else ""
        left = len(edits) - len(fresh)
        also = f"\n\nRuns without changes, because they have a run.toml or no folder: {left}." if left else ""
        text = f"These files will be written:\n{names}{more}{also}"
        box = message_box(self._sheet or self._parent, tr("Write run.toml"), text)
        box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
        box.accepted.connect(lambda: self.write(fresh))
        box.open()

    def write(self, places: Mapping[RunEdits, Path]) -> None:
        """Writes the run.toml of each run next to its results."""
        read, failed = self._workspace.as_read.figures or {}, []
        for edit, place in places.items():
            try:
                with replacing(place) as temporary:
                    run = edited(read[edit.run].run, replace(edit, phases=()))
                    temporary.write_bytes(manifest_of(run, edit).encode())
            except OSError as error:
                failed.append(f"{place}: {error.strerror or error}")
        done = len(places) - len(failed)
        self._status.tell(f"Wrote run.toml for {done} of {len(places)} runs. {'; '.join(failed)}".strip())


def answers(question: ImportQuestion, runs: RunCommands) -> list[tuple[str, Callable[[], object]]]:
    """The possible decisions, each with the function that applies it."""
    if not question.machines:
        return [(tr("Split into runs"), lambda: runs.split(question.runs))]
    names = question.machines
    shown = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} machines"
    return [
        (tr("Exclude {}").format(shown), lambda: runs.leave_machines_out(question.runs, names)),
        (tr("Treat as VMs"), lambda: runs.count_as_desktops(question.runs, names)),
    ]


class MendingCommands(Commands):
    """Runs on the causes of the import report; `listen` is called once for its page."""

    _mapper: ColumnMapper
    _runs: RunCommands

    def listen(self, view: CausesView) -> None:
        """Connects the signals of the view."""
        view.problem_chosen.connect(partial(self._show_lines, view))
        view.change_asked.connect(partial(self._say_change, view))
        view.mended.connect(self.mend)
        view.files_asked.connect(self.show_files)
        view.list_asked.connect(partial(self._copy_list, view))

    def show_files(self) -> None:
        """Shows the tables of all files and problems."""
        self._workspace.apply(page_views=self._workspace.state.with_page_view(IMPORT_REPORT, ALL_FILES).page_views)

    def mend(self, cause: Cause, problem: Problem | None, value: str, run: str) -> None:
        """Applies the user's decision about a cause; only to one run if a run is given."""
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
                self._status.tell(f"The command is on the clipboard. Run it on Windows: {cause.command}")
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
        self._status.tell(f"{plural(len(causes), 'cause')} copied with their texts.")

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
            # The problem is about the run, not a line, so the files of the run are shown.
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
        # The window starts without this module.
        from workbench.answers.import_report.causes import machine_change, split_change, zone_change

        library = self._workspace.as_read
        if cause.mending is Mending.TIME_ZONE:
            view.show_change(zone_change(library, cause.runs, value, run))
        elif cause.mending is Mending.SPLIT:
            view.show_change(split_change(library, (run,) if run else cause.runs))
        else:
            view.show_change(machine_change(cause))
