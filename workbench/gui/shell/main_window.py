"""The main window: rail, head, pages and the progress strip around one workspace."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from workbench import __version__
from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.exporters.wanted import Wanted
from workbench.gui.commands.chart_menu import ChartMenu
from workbench.gui.commands.copying import CopyCommands
from workbench.gui.commands.counters import Counters
from workbench.gui.commands.exporting import ExportCommands
from workbench.gui.commands.findings import FindingCommands
from workbench.gui.commands.folders import FolderCommands
from workbench.gui.commands.notes import Notes
from workbench.gui.commands.palette import CommandPalette
from workbench.gui.commands.phase_edges import PhaseEditor
from workbench.gui.commands.preferences import PreferenceKeeper, theme_of, with_margin
from workbench.gui.commands.presenting import Presenter
from workbench.gui.commands.reports import ReportCommands
from workbench.gui.commands.runs import RunCommands
from workbench.gui.commands.saved_views import SavedViews
from workbench.gui.commands.sessions import SessionKeeper
from workbench.gui.commands.sources import OriginCommands
from workbench.gui.commands.tables import TableCommands
from workbench.gui.dialogs import questions as dialogs
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.dialogs.shortcut_sheet import ShortcutSheet
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.pages.welcome import welcome
from workbench.gui.services.importer import Importer
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.theme import apply_theme
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.shell.actions import ACTIONS
from workbench.gui.shell.header import Header
from workbench.gui.shell.progress_strip import ProgressStrip
from workbench.gui.shell.rail import Rail
from workbench.gui.shell.work_guard import WorkGuard
from workbench.model.resources import sample_study
from workbench.session.settings import Settings, load_settings, save_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

_TITLE = "VDI Workbench"
_LOST = (
    "This page could not be shown: the column store was deleted or damaged, or its numbers cannot be drawn. "
    "Open the folder again."
)


class MainWindow(QMainWindow):
    """`settled` is emitted when nothing is being read, computed or drawn any more."""

    settled = Signal()
    page_shown = Signal()

    def __init__(
        self,
        store: Store,
        state: State | None = None,
        settings: Settings | None = None,
        *,
        remembers: bool = True,
    ) -> None:
        super().__init__()
        self.settings = settings or load_settings()
        self._remembers = remembers
        self.tasks = Tasks(self)
        state = state or with_margin(self.settings, State(theme=theme_of(self.settings)))
        self.workspace = Workspace(self.tasks, state, self)
        self.importer = Importer(self.tasks, store, self)
        self.rail = Rail(self.workspace)
        self.header = Header(self.workspace)
        self.strip = ProgressStrip()
        self.mapper = ColumnMapper(self, self.workspace, self.strip.tell, self._read_again)
        self.preferences = PreferenceKeeper(self)
        self.runs = RunCommands(self)
        self.folders = FolderCommands(self)
        self.report = ReportCommands(self)
        self.copies = CopyCommands(self)
        self.origins = OriginCommands(self)
        self.phases = PhaseEditor(self)
        self.saved_views = SavedViews(self)
        self.findings = FindingCommands(self)
        self.presenter = Presenter(self)
        self.sessions = SessionKeeper(self, keeps_journal=remembers)
        self.guard = WorkGuard(self, asks=remembers)
        self.exports = ExportCommands(self)
        self.open_now: tuple[Path, ...] = ()
        self._counted: Library | None = None
        self.pages = Pages()
        self.counters, self.notes = Counters(self), Notes(self)
        self.tables, self.charts = TableCommands(self), ChartMenu(self)
        self.menus: dict[str, QMenu] = {}
        self._build()
        self._connect()
        self.preferences.dress()
        self.refresh()

    @property
    def page(self) -> PageView:
        """The page that is shown."""
        return self.pages[self.workspace.state.page]

    @property
    def application(self) -> QApplication:
        """The application the window belongs to."""
        found = QGuiApplication.instance()
        assert isinstance(found, QApplication)
        return found

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return self.tasks.busy

    # Commands, by the names of the action table.

    def open_paths(self, paths: list[Path]) -> None:
        """Opens folders and files, a session or a bundle in place of what is open."""
        self.folders.open(paths)

    def choose_folder(self) -> None:
        """Asks for a folder and opens it."""
        if (path := dialogs.ask_folder(self)) is not None:
            self.open_paths([path])

    def choose_files(self) -> None:
        """Asks for files and opens them."""
        if paths := dialogs.ask_files(self):
            self.open_paths(paths)

    def try_sample(self) -> None:
        """Opens the sample study."""
        self.open_paths([sample_study()])

    def export_dialog(self) -> None:
        """Asks what to export and where to."""
        self.exports.ask()

    def export_to(self, path: Path) -> None:
        """Writes everything that is open to `path`, by its ending, beside the window."""
        self.exports.to(Wanted(path))

    def undo(self) -> None:
        """Takes back the last step that changed figures."""
        self.workspace.undo()

    def redo(self) -> None:
        """Does it again."""
        self.workspace.redo()

    def copy_chart(self) -> None:
        """Puts the page's chart as a picture and its table as text on the clipboard."""
        self.copies.page()

    def show_page(self, key: str) -> None:
        """Shows a page."""
        self.workspace.apply(page=key)

    def toggle_runs(self) -> None:
        """Phase table by configuration, or by run."""
        self.workspace.apply(per_run=not self.workspace.state.per_run)

    def toggle_theme(self) -> None:
        """Light, or dark."""
        self.workspace.apply(theme="dark" if self.workspace.state.theme == "light" else "light")

    def show_title(self) -> None:
        """Names what is open, and whether anything was done since it was saved."""
        names = self.sessions.name
        self.setWindowTitle(f"{names}[*] — {_TITLE}" if names else f"{_TITLE}[*]")
        self.setWindowModified(self.sessions.dirty)

    def show_palette(self) -> None:
        """Everything that can be done, found by a few letters."""
        palette = CommandPalette(self)
        palette.show()
        palette.field.setFocus()

    def show_shortcuts(self) -> None:
        """Every key and gesture."""
        ShortcutSheet(self).show()

    def about(self) -> None:
        """Says what this is."""
        dialogs.about(self, __version__)

    # Events of the window system.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes folders and files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens what was dropped; with Ctrl or Shift it is added to what is open."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        adds = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        (self.folders.add if adds else self.open_paths)(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved work; then stops what is under way and remembers the theme."""
        if not self.guard.safe:
            event.ignore()
            self.guard.before_leaving()
            return
        self.guard.end()
        self.importer.cancel()
        self.exports.close()
        self.sessions.close()
        self.tasks.shut_down()
        self.remember()
        super().closeEvent(event)

    def remember(self) -> None:
        """Writes the settings, unless the window is only there for a picture."""
        if self._remembers:
            save_settings(self.settings)

    # Inside.

    def _build(self) -> None:
        self.setWindowTitle(_TITLE)
        self.setAcceptDrops(True)
        self.setMinimumSize(1024, 640)
        body = QVBoxLayout()
        body.setContentsMargins(14, 14, 20, 12)
        body.setSpacing(12)
        body.addWidget(self.header)
        body.addWidget(self.pages, 1)
        body.addWidget(self.strip)
        centre = QWidget()
        centre.setObjectName("page")
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(body, 1)
        self.setCentralWidget(centre)
        self._build_menus()

    def _build_menus(self) -> None:
        for entry in ACTIONS:
            menu = self.menus.get(entry.menu) or self.menuBar().addMenu(tr(entry.menu))
            self.menus[entry.menu] = menu
            if entry.separated:
                menu.addSeparator()
            action = QAction(tr(entry.words), self)
            action.setShortcut(QKeySequence(entry.shortcut))
            action.triggered.connect(lambda _on, one=entry: self.act(one.key, one.argument))
            menu.addAction(action)
        self.folders.put_recent(self.menus["&File"])

    def act(self, key: str, argument: str = "") -> None:
        """Does what an entry of the action table says."""
        method = attrgetter(key)(self)
        method(argument) if argument else method()

    def _connect(self) -> None:
        self.workspace.changed.connect(self._changed)
        self.workspace.library_changed.connect(self.refresh)
        self.importer.started.connect(lambda: self.strip.begin("Looking at the files"))
        self.importer.progressed.connect(self.strip.advance)
        self.importer.opened.connect(self.folders.arrived)
        self.importer.failed.connect(self.folders.stay)
        self.strip.cancelled.connect(self.importer.cancel)
        self.tasks.became_idle.connect(self.settled)
        self.tasks.failed.connect(self._went_wrong)
        self.findings.listen()
        self.pages.each(self._connect_page)

    def _connect_page(self, page: PageView) -> None:
        page.present(self.presenter.on, self.presenter.scale)
        page.vm_clicked.connect(self._vm_clicked)
        page.edge_dragged.connect(self.phases.drag)
        page.note_wanted.connect(self.notes.write)
        page.note_opened.connect(self.notes.open)
        page.empty.asked.connect(self._asked)
        page.row_opened.connect(self.report.open_row)
        page.row_menu.connect(self.report.show_menu)
        page.row_opened.connect(self.findings.open_row)
        page.row_menu.connect(self.findings.show_menu)
        page.origin_asked.connect(self.origins.show)
        page.input_changed.connect(self._input_changed)
        page.inputs_reset.connect(self._inputs_reset)

    def _read_again(self) -> None:
        self.folders.read_again()

    def _changed(self, before: State, after: State) -> None:
        if after.theme != before.theme:
            self.preferences.theme_changed(after.theme)
            apply_theme(self.application, after.theme, self.presenter.scale)
        if after.lit_vm != before.lit_vm and after == replace(before, lit_vm=after.lit_vm):
            for page in self.pages.made:
                if page.figure is not None:
                    page.figure.light_vm(after.lit_vm)
            return
        self.refresh()

    def refresh(self) -> None:
        """Draws the state: the rail, the head, and the page at hand, whose answer is computed beside."""
        state, library = self.workspace.state, self.workspace.library
        self.rail.refresh()
        self.rail.tree.refresh()
        self.header.show_page(self.page.spec.choosers, self.page.spec.views)
        self.header.refresh()
        self.pages.setCurrentWidget(self.page)
        page = self.page

        def show(content: Content) -> None:
            page.show_content(content, state.theme, self.workspace.state.lit_vm, self.settings.recent)
            self.header.show_text(welcome() if content.nothing_open else content.question, content.caption)
            self.page_shown.emit()
            # After the answer that was waited for: what is wrong with cache counters takes a while to find.
            if library is not self._counted:
                self.tasks.run(
                    "problems", lambda: library.all_problems, lambda _: self._count_problems(library)
                )

        def arrived(content: Content) -> None:
            if page.prepare(content):
                self.tasks.run("page", lambda: content, show, failed)
            else:
                show(content)

        def failed(error: Exception) -> None:
            # Figures of what was shown before must not stand for what was asked.
            question = page.content.question if page.content else page.spec.name
            show(Content(question, empty=_LOST))
            self._went_wrong(error)

        self.tasks.run(
            "page", lambda: self.preferences.worded(page.spec.answer(library, state)), arrived, failed
        )

    def _went_wrong(self, error: BaseException) -> None:
        self.strip.tell(f"What went wrong: {_first_line(error)}")

    def _count_problems(self, library: Library) -> None:
        self._counted = library
        if library is self.workspace.library:
            self.rail.refresh()
            self.rail.tree.refresh()

    def _vm_clicked(self, vm: str) -> None:
        self.workspace.apply(lit_vm=None if vm == self.workspace.state.lit_vm else vm)

    def _input_changed(self, key: str, value: object) -> None:
        assert isinstance(value, float | str)
        self.workspace.apply(inputs=self.workspace.state.with_input(key, value).inputs)

    def _inputs_reset(self) -> None:
        keys = frozenset(self.page.inputs.fields)
        self.workspace.apply(inputs=self.workspace.state.without_inputs(keys).inputs)

    def _asked(self, what: str) -> None:
        if what == "folder":
            self.choose_folder()
        elif what == "sample":
            self.try_sample()
        else:
            self.open_paths([Path(what)])


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
