"""The open studies: folders are added, studies closed, changed folders read again.

Also the command that follows a test while it runs, and its messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from workbench.gui.commands.files.sessions import SessionKeeper
from workbench.gui.commands.files.work_guard import WorkGuard
from workbench.gui.dialogs import questions as dialogs
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.assets import undrawn_scripts
from workbench.gui.services.following import LOOK_MS, Follower, Grown
from workbench.gui.services.importer import Importer, Opened, Stamps, outcome
from workbench.gui.services.places import Places, assumed, places_of
from workbench.gui.services.plain import plain_button
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.translation import said, tr
from workbench.gui.services.workspace import Work
from workbench.model.problem import few_named
from workbench.session.bundle import ENDING as BUNDLE
from workbench.session.document import ENDING as SESSION
from workbench.words.numbers import plural


@dataclass(frozen=True, eq=False)
class _Next:
    """The next opening after the running import: its name, and the function that opens it."""

    name: str
    open: Callable[[], None]


class FolderCommands(Commands):
    """The commands for folders and studies."""

    _importer: Importer
    _settings: SettingsKeeper
    _pages: Pages
    _work: Work
    _guard: WorkGuard
    _sessions: SessionKeeper

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._keeps = self._refreshing = False
        self._before: Opened | None = None
        self._now: Opened | None = None
        self._closed: frozenset[str] = frozenset()
        self._span: tuple[float, float] | None = None
        self._queue: list[_Next] = []
        self.recent = QMenu(tr("&Recent"), self._parent)
        self.recent.aboutToShow.connect(self._fill_recent)
        self._pages.drawn.connect(self._zoom_again)
        # The reasons for which an opening waits: an import, a share that responds late, a question.
        self._workspace.tasks.became_idle.connect(self._open_next)
        self._guard.answered.connect(self._open_next)

    @property
    def now(self) -> Opened | None:
        """The open studies as they were read; None if nothing is open."""
        return self._now

    @property
    def earlier(self) -> Opened | None:
        """The studies that were open before the last refresh, as they were read; None if the refresh changed
        nothing.
        """
        if self._before is None or self._now is None or self._before.stamps == self._now.stamps:
            return None
        return _without(self._before, self._closed)

    def grew(self, opened: Opened) -> None:
        """Shows the open studies with the data that a running test has written since. The zoom stays."""
        self._keep_zoom()
        self._now = opened
        self._workspace.open(_without(opened, self._closed), keeps_state=True)

    def put_recent(self, menu: QMenu) -> None:
        """Puts the recent folders, workspace files and bundles into the File menu, before its first separator."""
        first = next((action for action in menu.actions() if action.isSeparator()), None)
        if first is None:
            menu.addMenu(self.recent)
        else:
            menu.insertMenu(first, self.recent)

    def open(self, paths: list[Path]) -> None:
        """Opens folders and files, a workspace file or a bundle instead of the open studies. Waits until no unsaved
        work can be lost and no other opening is in progress."""
        if self._opening:
            self._wait(paths, partial(self.open, paths))
        else:
            self._look(paths, self._open_places)

    @property
    def _opening(self) -> bool:
        return self._importer.running or self._workspace.tasks.runs("places", "session", "bundle")

    def _wait(self, paths: Sequence[Path], act: Callable[[], None]) -> None:
        """Opens these paths when the current import has ended, failed or been cancelled."""
        self._queue.append(_Next(", ".join(path.name for path in paths), act))
        self._show_queue()

    def _show_queue(self) -> None:
        names = ", ".join(waiting.name for waiting in self._queue)
        self._status.announce_next(f"{tr('Next:')} {names}" if names else "")

    def _open_next(self) -> None:
        if self._queue and not self._opening and not self._guard.asking:
            first = self._queue.pop(0)
            self._show_queue()
            first.open()

    def _look(self, paths: list[Path], go_on: Callable[[Places], None]) -> None:
        """Looks at the paths and continues with the result. If a share does not respond, the import reports it."""
        tasks = self._workspace.tasks

        def late() -> None:
            tasks.abandon("places")
            go_on(assumed(paths))

        tasks.look("places", lambda: places_of(paths), go_on, lambda error: self.stay(str(error)), late)

    def _open_places(self, places: Places) -> None:
        if places.session:
            self._sessions.open(places.paths[0])
        elif self._work.paths and not places.present:
            self.stay(_not_there([str(path) for path in places.given]))
        else:
            self._guard.before(lambda: self.start(list(places.paths)))

    def start(self, paths: list[Path], begins: Callable[[], object] = lambda: None) -> None:
        """Starts reading the paths that will replace the open studies. `begins` is called just before."""
        if self._importer.running:  # an opening that began while a question was open
            self._wait(paths, partial(self.start, paths, begins))
        else:
            begins()
            self._importer.open(paths)

    def arrived(self, opened: Opened) -> None:
        """Shows the result of an import, except if the user wants to keep work that would be lost. Called when the
        import is done."""
        absent = [problem.file for study in opened.studies for problem in study.problems if problem.code == "not-found"]
        if self._work.paths and not opened.paths:
            self.stay(_not_there(absent))
        elif self._keeps:
            self._show(opened)
            # The export modules are loaded when needed.
            from workbench.exporters.names import names_in, no_font_words

            if scripts := undrawn_scripts(" ".join(names_in(opened.studies))):
                self._status.warn(no_font_words(scripts))
        else:
            message = f"{', '.join(path.name for path in opened.paths)} was read but not opened: "
            self._guard.before(
                lambda: self._show(opened), lambda: self.stay(f"{message}{self._work.name} is still open.")
            )
        self._open_next()

    def stay(self, text: str) -> None:
        """Keeps the open studies and the work on them. `text` is the reason why the new content is not opened."""
        self._keeps = self._refreshing = False
        self._sessions.gave_up()
        (self._status.warn if self._queue else self._status.tell)(text)
        self._open_next()

    @command("&File", "&Add folder…", "Ctrl+Alt+O", place=115)
    def ask(self) -> None:
        """Asks for a folder and adds it to the open studies."""
        if (path := dialogs.ask_folder(self._parent)) is not None:
            self.add([path])

    def add(self, paths: list[Path]) -> None:
        """Opens folders and files in addition to the open studies. The user's edits stay."""
        if self._opening:
            self._wait(paths, partial(self.add, paths))
            return
        now = list(self._work.paths)
        if not now or any(path.suffix.lower() in (SESSION, BUNDLE) for path in paths):
            self.open(paths)
            return
        if any(path.suffix.lower() == BUNDLE for path in now):
            self._status.tell("You cannot add to a bundle. Open its original folders instead.")
            return
        self._look(paths, self._add_places)

    def _add_places(self, places: Places) -> None:
        now = list(self._work.paths)
        fresh = [path for path in places.paths if not _within(path, now)]
        if not fresh:
            self._status.tell(f"{places.given[0].name} is open already. Refresh reloads changed files.")
            return
        kept = [path for path in now if not _within(path, fresh)]
        self._open([*kept, *fresh])

    @command("&File", "Refres&h", "Ctrl+F5", place=120)
    def refresh(self) -> None:
        """Reads changed files in the open folders again, and reports the changes."""
        if self._now is None or not self._work.paths:
            self._status.tell("Nothing to reload. Open a result folder first.")
        elif any(path.suffix.lower() == BUNDLE for path in self._work.paths):
            self._status.tell("A bundle is a fixed copy of its folders, so there is nothing to reload.")
        elif self._opening:
            self._wait([Path(tr("Refresh"))], self.refresh)
        else:
            self._refreshing, self._before = True, self._now
            self.read_again()

    def read_again(self) -> None:
        """Opens the current folders and files again. The user's edits stay."""
        if self._opening:
            self._wait(self._work.paths, self.read_again)
        else:
            self._open(list(self._work.paths))

    @command("&File", "&Close study", "Ctrl+W", place=130)
    def close_study(self, folder: str = "") -> None:
        """Closes a study (default: the current one). Its files stay in the store."""
        folder = folder or self._workspace.state.study or ""
        if self._now is None or all(study.folder != folder for study in self._now.studies):
            self._status.tell("No study is open.")
            return
        if any(study.folder not in self._closed | {folder} for study in self._now.studies):
            self._close(folder)
        else:
            self._guard.before(lambda: self._close(folder))

    def _close(self, folder: str) -> None:
        assert self._now is not None
        self._closed |= {folder}
        name = next(study.name for study in self._now.studies if study.folder == folder)
        opened = _without(self._now, self._closed)
        paths = tuple(_roots_left(self._now, self._closed))
        stamps = {path: stamp for path, stamp in opened.stamps.items() if _within(path, list(paths))}
        self._now = opened = replace(opened, paths=paths, stamps=stamps)
        self._keep_zoom()
        self._work.paths = paths
        self._workspace.open(opened, keeps_state=True)
        self._work.changed.emit()
        self._status.tell(f"Closed {name}. Its folder opens faster next time.")

    def _show(self, opened: Opened) -> None:
        """Shows the result of an import. The user's edits stay if the import adds to the open studies or reads them
        again.
        """
        keeps, self._keeps = self._keeps, False
        refreshing, self._refreshing = self._refreshing, False
        self._status.tell(said(outcome(opened)), lasts=True)
        self._work.paths = opened.paths
        self._now = opened
        if not keeps:
            self._closed, self._before = frozenset(), None
            self._sessions.opened(opened)
        else:
            self._settings.list_recent(*opened.paths)
            self._workspace.open(_without(opened, self._closed), keeps_state=True)
        if refreshing and self._before is not None and not opened.cancelled:
            offer = " Edit › Show changes… lists the changed values." if self.earlier is not None else ""
            self._status.tell(changes(self._before.stamps, opened.stamps) + offer)
        self._work.changed.emit()

    def _open(self, paths: list[Path]) -> None:
        self._keep_zoom()
        self._keeps = True
        self._importer.open(paths)

    def _keep_zoom(self) -> None:
        figure = self._pages.shown.figure
        self._span = figure.zoomed_span if figure is not None else None

    def _zoom_again(self) -> None:
        """Restores the zoom on the redrawn page."""
        if self._keeps:
            return
        span, self._span = self._span, None
        figure = self._pages.shown.figure
        if span is not None and figure is not None:
            figure.set_span(*span)

    def _fill_recent(self) -> None:
        self.recent.clear()
        for path in self._settings.settings.recent:
            self.recent.addAction(plain_button(path), partial(self.open, [Path(path)]))
        if self.recent.isEmpty():
            self.recent.addAction(tr("No recent results")).setEnabled(False)


def changes(before: Stamps, now: Stamps) -> str:
    """A sentence with the new, changed and missing files."""
    new, gone = sorted(now.keys() - before.keys()), sorted(before.keys() - now.keys())
    other = sorted(path for path in now.keys() & before.keys() if now[path] != before[path])
    if not (new or gone or other):
        return f"The {len(now)} open files have not changed."
    counts = ", ".join(f"{len(paths)} {word}" for paths, word in ((new, "new"), (other, "changed"), (gone, "gone")))
    named = [path.name for path in (*new, *other, *gone)]
    return f"Reloaded: {counts} ({few_named(named)})."


def _not_there(names: Sequence[str]) -> str:
    many = len(names) > 1
    return (
        f"{', '.join(names)} {'were' if many else 'was'} not found. Check the path, and check that "
        "the drive is connected. The open folders stay open."
    )


def _within(path: Path, roots: list[Path]) -> bool:
    return any(path == root or root in path.parents for root in roots)


def _without(opened: Opened, closed: frozenset[str]) -> Opened:
    """The opened content without the closed studies."""
    if not closed:
        return opened
    studies = tuple(study for study in opened.studies if study.folder not in closed)
    kept: Mapping[str, object] = {run.folder: run for study in studies for run in study.runs}
    files = {report.path for study in studies for report in study.files}
    figures = {folder: run for folder, run in opened.figures.items() if folder in kept}
    places = {name: path for name, path in opened.places.items() if name in files}
    return replace(opened, studies=studies, figures=figures, places=places)


def _roots_left(opened: Opened, closed: frozenset[str]) -> list[Path]:
    """The paths to open for the remaining studies. A root without closed studies is unchanged. For other roots, these
    are the folders of the remaining studies if they are folders and not files or archives."""
    left: list[Path] = []
    for root in opened.paths:
        below = [study.folder for study in opened.studies if _belongs(Path(study.folder), root)]
        kept = [Path(folder) for folder in below if folder not in closed]
        if len(kept) == len(below):
            left.append(root)
        else:
            left += [path for path in kept if not _within(path, list(opened.stamps))]
    return left


def _belongs(study: Path, root: Path) -> bool:
    """True if a study came from this root: the study is below the root, or contains the opened run or file."""
    return study == root or root in study.parents or root.parent == study


class FollowCommands(Commands):
    """The command that follows a running test."""

    _follower: Follower
    _importer: Importer
    _folders: FolderCommands
    _work: Work

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._follower.grew.connect(self._grew)
        self._follower.ended.connect(self._finish)
        self._importer.started.connect(self._give_way)

    @command("&File", "Follow ru&nning test", place=125, checkable=True)
    def toggle(self) -> None:
        """Starts or stops following the open folders."""
        opened = self._folders.now
        if self._follower.on:
            self._follower.stop()
            self._finish("The test is no longer followed.")
        elif opened is None or not self._work.paths:
            self._refuse("Open the folder of the running test first.")
        elif any(path.suffix.lower() == BUNDLE for path in self._work.paths):
            self._refuse("A bundle is a fixed copy. Open the folder of the running test instead.")
        elif self._importer.running:
            self._refuse("The folder is still being read. Follow the test when the folder is open.")
        else:
            self._follower.start(opened)
            self._status.tell(f"Following the test: new rows are read every {LOOK_MS // 1000} seconds.")

    def _refuse(self, reason: str) -> None:
        self._follower.switched.emit(False)  # the click has set the mark in the menu
        self._status.tell(reason)

    def _grew(self, grown: Grown) -> None:
        if self._work.paths != grown.opened.paths:
            self._follower.stop()
            self._status.tell("The test is no longer followed: other folders are open now.")
            return
        self._folders.grew(grown.opened)
        rows = plural(grown.new_rows, "new row")
        self._status.mention(f"Following the test: {rows} at {datetime.now():%H:%M:%S}.")

    def _finish(self, reason: str) -> None:
        """Reads the files once more as a normal import, so the store keeps their final content."""
        self._status.warn(reason)
        if self._work.paths and not self._importer.running:
            self._folders.read_again()

    def _give_way(self) -> None:
        """Stops following because something else is being opened."""
        if self._follower.on:
            self._follower.stop()
