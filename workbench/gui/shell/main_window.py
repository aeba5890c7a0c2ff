"""The main window: navigation list, header, pages and the progress strip for one workspace.

Also creates the menu bar from the registered commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.registry import PAGES
from workbench.exporters.wanted import Wanted
from workbench.gui.commands.changes import ChangeCommands
from workbench.gui.commands.chart_menu import ChartMenu, CopyCommands
from workbench.gui.commands.counters import Counters
from workbench.gui.commands.files.exporting import ExportCommands
from workbench.gui.commands.files.folders import FolderCommands, FollowCommands
from workbench.gui.commands.files.past_runs import PastRunCommands
from workbench.gui.commands.files.sessions import SessionKeeper
from workbench.gui.commands.files.work_guard import WorkGuard
from workbench.gui.commands.findings import FindingCommands, SourceCommands
from workbench.gui.commands.history import HistoryCommands
from workbench.gui.commands.limits import LimitCommands
from workbench.gui.commands.notes import NoteCommands
from workbench.gui.commands.palette import CommandPalette, Offers
from workbench.gui.commands.phase_edges import PhaseEditor
from workbench.gui.commands.preferences import PreferenceKeeper, theme_of, with_preferred
from workbench.gui.commands.prepare import PrepareCommands, plan_size
from workbench.gui.commands.presenting import Presenter
from workbench.gui.commands.reports import FoundCommands, MendingCommands, ReportCommands
from workbench.gui.commands.runs import RunCommands
from workbench.gui.commands.saved_views import SavedViews
from workbench.gui.commands.storyboard import StoryboardCommands
from workbench.gui.commands.tables import TableCommands
from workbench.gui.dialogs import questions as dialogs
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.pages.page_commands import InputCommands, LegendCommands
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import ACTIONS, command, keys_of_pages
from workbench.gui.services.following import Follower
from workbench.gui.services.importer import Importer
from workbench.gui.services.layout import WindowLayout
from workbench.gui.services.plain import plain_title
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.theme import running_application
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Work, Workspace
from workbench.gui.shell.frame import Finder, FrameWindow, centre_of
from workbench.gui.shell.header import PageHeader
from workbench.gui.shell.page_drawer import PageDrawer
from workbench.gui.shell.rail import Rail
from workbench.gui.shell.stage import WindowStage
from workbench.gui.shell.status_strip import StatusStrip
from workbench.gui.storyboard.board import BoardView
from workbench.gui.storyboard.shelf import SlideShelf
from workbench.model.resources import damaged_study, sample_study
from workbench.session.settings import Settings, load_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

_TITLE = "VDI Workbench"


class MainWindow(FrameWindow):
    """The main window. Emits `settled` when nothing is being read, computed or drawn any more."""

    settled = Signal()
    page_shown = Signal()

    def __init__(
        self, store: Store, state: State | None = None, settings: Settings | None = None, *, remembers: bool = True
    ) -> None:
        super().__init__()
        settings = settings or load_settings()
        self._make_services(store, state or with_preferred(settings, State(theme=theme_of(settings))))
        self._settings = SettingsKeeper(settings, writes=remembers)
        self._make_work(remembers)
        self._make_pages()
        self._make_tools()
        self._build()
        self._connect()
        self.preferences.dress()
        self.rail.remember(settings.rail_collapsed)
        self.refresh()
        # Otherwise the first widget of the rail takes it if the window is activated before the first answer arrives.
        self.page.setFocus()

    def _make_services(self, store: Store, state: State) -> None:
        """Creates the services that read, hold and show data. They do not depend on commands."""
        self.tasks = Tasks(self)
        self.workspace = Workspace(self.tasks, state, self)
        self.importer = Importer(self.tasks, store, self)
        self.follower = Follower(self.tasks, store, self)
        self.work = Work(self.workspace, self)
        self.pages = Pages(self.workspace)
        self.rail = Rail(self.workspace)
        self.tree = self.rail.tree
        self.header = PageHeader(self.workspace)
        self.reading = self.header.reading
        self.strip = StatusStrip(self.rail.fold)
        self._stage = WindowStage(self, self.menuBar(), self.rail, self.header, self.strip, self.pages)

    def _make_work(self, remembers: bool) -> None:
        """Creates the commands for the open work: preferences, workspace files, folders, runs."""
        self._layout = WindowLayout(self)
        self.history = HistoryCommands(self.parts)
        self.preferences = PreferenceKeeper(self.parts)
        self.guard = WorkGuard(self.parts, asks=remembers)
        self.sessions = SessionKeeper(self.parts, keeps_journal=remembers)
        self.folders = FolderCommands(self.parts)
        self.follow = FollowCommands(self.parts)
        self.mapper = ColumnMapper(self, self.workspace, self.strip.tell, self.folders.read_again)
        self.runs = RunCommands(self.parts)
        self.found = FoundCommands(self.parts)

    def _make_pages(self) -> None:
        """Creates the commands for the content of pages: tables, charts, findings, views."""
        self.report = ReportCommands(self.parts)
        self.changes = ChangeCommands(self.parts)
        self.limits = LimitCommands(self.parts)
        self.past_runs = PastRunCommands(self.parts)
        self.prepare = PrepareCommands(self.parts)
        self.mending = MendingCommands(self.parts)
        self.inputs = InputCommands(self.workspace, self.pages)
        self.copies = CopyCommands(self.parts)
        self.sources = SourceCommands(self.parts)
        self.phases = PhaseEditor(self.parts)
        self.saved_views = SavedViews(self.parts)
        self.findings = FindingCommands(self.parts)
        self.counters = Counters(self.parts)
        self.notes = NoteCommands(self.parts)
        self.tables = TableCommands(self.parts)

    def _make_tools(self) -> None:
        """Creates the commands of the whole window: presenting, exporting, the palette, and drawing."""
        workspace, tasks, pages, status, settings = self.workspace, self.tasks, self.pages, self.strip, self._settings
        self.shelf = SlideShelf(self, workspace, tasks)
        self.presenter = Presenter(self.parts)
        self.exports = ExportCommands(self.parts)
        self.legends = LegendCommands(pages, workspace, status)
        self.storyboard = StoryboardCommands(self.parts)
        self.presenter.start_at = lambda: self.storyboard.chosen
        self.charts = ChartMenu(self.parts)
        self.offers = Offers(
            self.act, workspace, self.work, settings, self.folders, self.saved_views, self.history, self.findings
        )
        self._drawer = PageDrawer(
            self, workspace, tasks, status, settings, pages, self.rail, self.header, self.preferences, self.importer
        )

    @property
    def parts(self) -> tuple[object, ...]:
        """The window and its parts, from which commands take the parts that they need."""
        return self, *vars(self).values()

    @property
    def page(self) -> PageView:
        """The page that is shown."""
        return self.pages.shown

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self._settings.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings.settings = settings

    @property
    def open_now(self) -> tuple[Path, ...]:
        """The folders and files that are open."""
        return self.work.paths

    @property
    def application(self) -> QApplication:
        """The application the window belongs to."""
        return running_application()

    @property
    def busy(self) -> bool:
        """True if anything is running."""
        return self.tasks.busy

    def open_paths(self, paths: list[Path]) -> None:
        """Opens folders and files, a workspace file or a bundle instead of the open studies."""
        self.folders.open(paths)

    @command("&File", "&Open folder…", "Ctrl+O", place=105)
    def choose_folder(self) -> None:
        """Asks for a folder and opens it."""
        if (path := dialogs.ask_folder(self)) is not None:
            self.open_paths([path])

    @command("&File", "Open &files…", "Ctrl+Shift+O", place=110)
    def choose_files(self) -> None:
        """Asks for files and opens them."""
        if paths := dialogs.ask_files(self):
            self.open_paths(paths)

    @command("&File", "Open sa&mple study", place=135)
    def try_sample(self) -> None:
        """Opens the sample study."""
        self.open_paths([sample_study()])

    @command("&File", "Open &defect examples", place=140)
    def try_damaged(self) -> None:
        """Opens the deliberately damaged study."""
        self.open_paths([damaged_study()])

    @command("&File", "&Export…", "Ctrl+E", place=405)
    def export_dialog(self) -> None:
        """Asks for the content and the place of an export."""
        self.exports.ask()

    def export_to(self, path: Path) -> None:
        """Writes everything that is open to `path` in the background; the file ending decides the format."""
        self.exports.to(Wanted(path))

    def show_page(self, key: str) -> None:
        """Shows a page."""
        self.workspace.apply(page=key)

    @command("&View", "Toggle &dark theme", "Ctrl+D", place=315)
    def toggle_theme(self) -> None:
        """Switches between light and dark."""
        self.workspace.apply(theme="dark" if self.workspace.state.theme == "light" else "light")

    def show_title(self) -> None:
        """Shows in the title the name of the open work, and whether it has changed since the last save."""
        names = self.work.name
        self.setWindowTitle(f"{plain_title(names)}[*] — {_TITLE}" if names else f"{_TITLE}[*]")
        self.setWindowModified(self.sessions.dirty)

    @command("&File", "&Quit", "Ctrl+Q", place=505)
    def quit(self) -> None:
        """Closes the window."""
        self.close()

    @command("&Help", "&Find a command…", "Ctrl+K", place=105)
    def show_palette(self) -> None:
        """Opens the palette that finds every command by a few letters."""
        palette = CommandPalette(self, self.offers.entries())
        palette.chosen.connect(self.offers.remember)
        palette.show()
        palette.field.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Collapses the rail in a narrow window."""
        super().resizeEvent(event)
        self.rail.fit(event.size().width())

    def take_place(self) -> None:
        """Moves to the place on its screen where it was last closed; at the first start to a fitting place."""
        self._layout.place(self.settings.places, self.settings.screen)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved work, then stops all running work and stores theme and place."""
        if not self.guard.safe:
            event.ignore()
            self.guard.before_leaving()
            return
        self.guard.end()
        self.importer.close()
        self.exports.close()
        self.sessions.close()
        self.tasks.shut_down()
        self.follower.close()
        screen, place = self._layout.here
        self._settings.change(places={**self.settings.places, screen: place}, screen=screen)
        self._settings.write()
        super().closeEvent(event)

    def _build(self) -> None:
        self.setWindowTitle(_TITLE)
        self.setMinimumSize(900, 520)
        self.setCentralWidget(centre_of(self.rail, self.header, self.pages, self.strip))
        self.menus = fill_menus(self.menuBar(), self.act)
        self.finder = Finder()
        self.finder.clicked.connect(self.show_palette)
        self.menuBar().setCornerWidget(self.finder)
        self.history.name_entries(self.menus["&Edit"])
        self.folders.put_recent(self.menus["&File"])
        following = next(entry for entry in self.menus["&File"].actions() if entry.data() == "folders.toggle")
        self.follower.switched.connect(following.setChecked)

    def act(self, key: str, argument: str = "") -> None:
        """Runs the command of that key."""
        run = next(action for action in ACTIONS if action.key == key).bound(self.parts)
        run(argument) if argument else run()

    def _connect(self) -> None:
        self.workspace.changed.connect(self._changed)
        self.workspace.library_changed.connect(self.refresh)
        self.dropped.connect(lambda paths, adds: (self.folders.add if adds else self.open_paths)(paths))
        self.header.again.clicked.connect(self.folders.refresh)
        self.importer.started.connect(lambda: self.strip.begin("Checking the files"))
        self.importer.progressed.connect(self.strip.advance)
        self.importer.opened.connect(self.folders.arrived)
        self.importer.failed.connect(self.folders.stay)
        for part in (self.exports, self.importer, self.sessions):
            self.strip.cancelled.connect(part.cancel)
        self.sessions.read_wanted.connect(self.folders.start)
        self.sessions.not_opened.connect(self.folders.stay)
        self.guard.save_wanted.connect(self.sessions.save_and)
        self.guard.logout_near.connect(self.sessions.journal.write)
        self.guard.leave_wanted.connect(self.close)
        self.rail.toggled.connect(lambda collapsed: self._settings.change(rail_collapsed=collapsed))
        self.work.changed.connect(self.show_title)
        self.preferences.redraw_wanted.connect(self._drawer.forget)
        self.preferences.redraw_wanted.connect(self.refresh)
        self.pages.asked.connect(self._asked)
        self.pages.drawn.connect(self.page_shown)
        self.pages.turned.connect(lambda page: page.set_type_scale(self.preferences.type_scale))
        self.tasks.became_idle.connect(self.settled)
        self.tasks.failed.connect(self._drawer.went_wrong)
        self.pages.each(self._connect_page)

    def _connect_page(self, page: PageView) -> None:
        page.vm_clicked.connect(self.inputs.light)
        page.value_read.connect(self.strip.read)
        page.edge_dragged.connect(self.phases.drag)
        page.edge_left.connect(self.phases.leave)
        page.note_wanted.connect(self.notes.write)
        page.note_opened.connect(self.notes.open)
        for commands in (self.report, self.findings, self.limits, self.prepare):
            page.row_opened.connect(commands.open_row)
        page.row_menu.connect(self.report.show_menu)
        page.row_menu.connect(self.findings.show_menu)
        page.source_asked.connect(self.sources.show)
        page.evidence_asked.connect(self.findings.go_to_key)
        if isinstance(page.own, BoardView):
            self.storyboard.listen(page.own)
        if page.causes is not None:
            self.mending.listen(page.causes)
        page.row_chosen.connect(self.findings.choose_row)
        page.input_changed.connect(self.inputs.set)
        page.inputs_reset.connect(self.inputs.reset)

    def _changed(self, before: State, after: State) -> None:
        if after.theme != before.theme:
            self.preferences.theme_changed(after.theme)
            self._stage.dress(after.theme, self.preferences.type_scale)
        if after.lit_vm != before.lit_vm and after == replace(before, lit_vm=after.lit_vm):
            for page in self.pages.made:
                page.light_vm(after.lit_vm)
            return
        if (after.page, after.study) != (before.page, before.study):
            # The report lists everything that the message after an import counts.
            self.strip.forget(lasting=after.page == IMPORT_REPORT)
        # A library that changed together with the state has already drawn it.
        if not self._drawer.current:
            self.refresh()

    def refresh(self) -> None:
        """Draws the state."""
        self._drawer.refresh()
        self.found.offer()

    def _asked(self, what: str) -> None:
        ways: dict[str, Callable[[], object]] = {spec.key: partial(self.show_page, spec.key) for spec in PAGES}
        ways |= {"folder": self.choose_folder, "add": self.folders.ask, "prepare": self.prepare.show}
        ways |= {"sample": self.try_sample, "damaged": self.try_damaged, "limits.edit": self.limits.edit}
        ways |= {"cache.plan": lambda: plan_size(self.workspace)}
        ways.get(what, lambda: self.open_paths([Path(what)]))()


for _place, _spec in enumerate(PAGES, 101):
    command("&View", _spec.name, keys_of_pages()[_spec.key], place=_place, argument=_spec.key)(MainWindow.show_page)

# The text of the macOS menu with the application's name.
ROLES = {
    "preferences.show": QAction.MenuRole.PreferencesRole,
    "questions.about": QAction.MenuRole.AboutRole,
    "main_window.quit": QAction.MenuRole.QuitRole,
}


def fill_menus(bar: QMenuBar, act: Callable[[str, str], None]) -> dict[str, QMenu]:
    """The menus of the bar by their names. An entry calls `act` with its key and argument."""
    menus: dict[str, QMenu] = {}
    group = 0
    for entry in ACTIONS:
        menu = menus.get(entry.menu) or bar.addMenu(tr(entry.menu))
        menus[entry.menu] = menu
        if menu.actions() and entry.place // 100 != group:
            menu.addSeparator()
        group = entry.place // 100
        action = QAction(tr(entry.words), bar)
        action.setCheckable(entry.checkable)
        action.setData(entry.key)
        action.setShortcuts([QKeySequence(keys) for keys in (entry.shortcut, entry.other_shortcut) if keys])
        action.triggered.connect(lambda _on, entry=entry: act(entry.key, entry.argument))
        # Otherwise Qt would guess from the text, which is translated.
        action.setMenuRole(ROLES.get(entry.key, QAction.MenuRole.NoRole))
        menu.addAction(action)
    return menus
