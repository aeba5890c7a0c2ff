"""The application: the window on a display, or one page drawn as an image.

On Ctrl+C and SIGTERM it ends in order: unsaved work is in the journal, and workers are ended. Python runs its signal
handlers only when Python code runs, and a window that waits for events runs none. So the interpreter writes a byte into
a socket at each signal (`signal.set_wakeup_fd`, also on Windows), which wakes the event loop. The work is done there,
never in the middle of a repaint or a dialog.

It also frees unused reference cycles, on the window's thread and in small parts. Qt's objects may only be freed on that
thread, but Python would collect them on any thread that allocates. The time of a part grows with the number of objects
created since the last one, so young objects are checked often. All objects are checked only while the window is idle:
with 1,000 open runs that takes a third of a second.
"""

from __future__ import annotations

import argparse
import gc
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QWidget

from workbench import __version__
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.answers.registry import load_pages
from workbench.cancellation import STOPPED, status_of
from workbench.file_replace import wait_at_most
from workbench.gui.commands.files.sessions import SessionKeeper
from workbench.gui.commands.files.work_guard import WorkGuard
from workbench.gui.commands.preferences import theme_of, with_preferred
from workbench.gui.pages.page_view import load_parts
from workbench.gui.services import assets
from workbench.gui.services.theme import apply_theme
from workbench.gui.services.translation import install, language_of
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.saying import NAME, say
from workbench.gui.storyboard.board import BoardView
from workbench.measures.configurations import phase_names
from workbench.model.phase import STEADY
from workbench.session.journal import journal_folder
from workbench.session.settings import Settings, load_settings, settings_file
from workbench.session.state import State
from workbench.study.discovery.wildcards import expanded
from workbench.study.importing.mappings import mappings_file
from workbench.study.store.column_store import clean_up, default_store
from workbench.study.store.temporary import sweep
from workbench.words.translated import ENGLISH

_PICTURE = 1600, 900
OK, FAILED, USAGE, NOTHING = 0, 1, 2, 3
# Delay after an empty window is shown: by then it has painted its text and has time to load the import modules.
_STAND_BY_MS = 1000
# Time that the window's thread waits for a file that another program has open.
_PATIENCE_S = 0.2
# Delay after the window is shown until the pages are loaded; the window starts without them.
_LOAD_MS = 300


class Program(QApplication):
    """The Qt application. macOS names a file opened in Finder with an event, not on the command line."""

    opened = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Reports the file to open."""
        if isinstance(event, QFileOpenEvent):
            self.opened.emit(event.file())
            return True
        return super().event(event)


def run(options: argparse.Namespace) -> int:
    """Runs the program with the options of the command line."""
    application = _application()
    options.paths = expanded(options.paths)
    damage: list[str] = []
    settings = load_settings(damage.append)
    for sentence in damage:
        if sys.stderr is not None:  # without a console, the window shows the message below
            say(sentence)
    # An image for the docs is English on every computer.
    install(ENGLISH if options.screenshot is not None else language_of(settings.language))
    if options.screenshot is not None:
        # Its numbers are English too, and earlier use of the window does not affect it.
        settings = Settings(preferences={"decimals": "point"})
    dark = options.dark or theme_of(settings) == "dark"
    state = State(page=options.page, theme="dark" if dark else "light", phase=options.phase or STEADY)
    state = with_preferred(settings, state)
    if options.view:
        state = state.with_page_view(options.page, options.view)
    wait_at_most(_PATIENCE_S)
    collector = Collector()
    apply_theme(application, state.theme)
    window = MainWindow(default_store(), state, settings, remembers=options.screenshot is None)
    window.found.asks = options.screenshot is None
    collector.busy = lambda: window.busy
    endings = Endings(application, window, window.sessions, window.guard)
    # Objects that exist now stay, and so do studies: checking them for garbage would block the window.
    gc.freeze()
    window.importer.opened.connect(lambda _opened: gc.freeze())
    if options.size or options.screenshot is not None:
        window.resize(*(options.size or _PICTURE))
    else:
        window.take_place()
    window.show()
    if isinstance(application, Program):
        application.opened.connect(lambda file: window.open_paths([Path(file)]))
    for sentence in damage:
        window.strip.warn(sentence)
    if options.paths:
        window.open_paths(options.paths)
    if options.screenshot is None:
        application.commitDataRequest.connect(window.guard.before_logout)
        window.sessions.offer_recovery()
        QTimer.singleShot(_LOAD_MS, load_parts)
        QTimer.singleShot(_LOAD_MS, lambda: window.tasks.ahead(_load_answers))
        QTimer.singleShot(_STAND_BY_MS, lambda: window.tasks.ahead(_clean_up))
        if not options.paths:
            QTimer.singleShot(_STAND_BY_MS, window.importer.stand_by)
        status = application.exec()
        window.importer.dismiss()
        collector.stop()
    else:
        status = _screenshot(application, window, options, endings)
    endings.stop_listening()
    return status if endings.status is None else endings.status


def _application() -> QApplication:
    application = QApplication.instance() or Program(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("vdi-workbench")
    application.setApplicationDisplayName(NAME)
    application.setApplicationVersion(__version__)
    # The name of the .desktop file, which Linux uses to find the icon.
    application.setDesktopFileName("vdi-workbench")
    application.setWindowIcon(assets.program_icon())
    return application


def _clean_up() -> None:
    """Deletes half-written files of killed programs in the application's own folders. Runs on a thread."""
    clean_up(default_store())
    for folder in {settings_file().parent, mappings_file().parent, journal_folder()}:
        sweep(folder)


def _load_answers() -> None:
    """Loads every page, the readers and the exporters in the background. Runs on a thread."""
    import_module("polars")
    load_pages()
    import_module("workbench.study.importing.build")
    import_module("workbench.exporters.assemble")


def _screenshot(application: QApplication, window: MainWindow, options: argparse.Namespace, endings: Endings) -> int:
    """Waits until everything is read and drawn, then grabs the window. Reports what cannot be shown."""

    def grab() -> None:
        if window.busy:
            return
        if any(board.drawing for board in window.findChildren(BoardView)):
            QTimer.singleShot(50, grab)
            return
        application.quit()

    if options.study is not None:
        window.workspace.library_changed.connect(lambda: _look_at(window, options.study))
    window.settled.connect(lambda: QTimer.singleShot(200, grab))
    if not window.busy:
        QTimer.singleShot(200, grab)
    application.exec()
    if endings.status is not None:
        return endings.status
    status, message = _outcome(window, options)
    if status == OK and not window.grab().save(str(options.screenshot)):
        status = FAILED
        message = f"The image {options.screenshot} was not saved. Check its folder and file name ending."
    window.close()
    if message:
        say(message)
    return status


def _outcome(window: MainWindow, options: argparse.Namespace) -> tuple[int, str]:
    """The exit status for the image requested on the command line, and a message if the window cannot show it."""
    library = window.workspace.library
    if options.paths and not any(report.recognised for report in library.files):
        paths = ", ".join(str(path) for path in options.paths)
        return NOTHING, f"Nothing was recognised in {paths}. No image was saved. Check the path."
    studies = [study.name for study in library.with_runs]
    if options.study is not None and options.study not in studies:
        return USAGE, f"There is no study '{options.study}'. Studies: {', '.join(studies) or 'none'}."
    phases = phase_names(library.groups(window.workspace.state))
    if options.phase is not None and options.phase not in (*phases, WHOLE_RUN):
        return USAGE, f"There is no phase '{options.phase}'. Valid phases: {', '.join(phases) or 'none'}."
    return OK, ""


def _look_at(window: MainWindow, name: str) -> None:
    folder = next((study.folder for study in window.workspace.library.with_runs if study.name == name), None)
    if folder is not None:
        window.workspace.apply(study=folder)


# The signals that this system has. Closing a terminal sends SIGHUP, Ctrl+Break on Windows sends SIGBREAK.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Endings(QObject):
    """Listens to signals from its creation. `status` is the exit status for the signal that ended the window, None
    without one."""

    def __init__(self, application: QApplication, window: QWidget, sessions: SessionKeeper, guard: WorkGuard) -> None:
        super().__init__(window)
        self._application, self._window = application, window
        self._sessions, self._guard = sessions, guard
        self.status: int | None = None
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._heard)
        # A signal that the parent process has set to be ignored (nohup, a shell's background) stays ignored.
        known = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        self._numbers = [
            signal_number for signal_number in known if signal.getsignal(signal_number) is not signal.SIG_IGN
        ]
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        for number in self._numbers:
            signal.signal(number, lambda _number, _frame: None)

    def stop_listening(self) -> None:
        """Restores the system's handling: a signal ends the program at once."""
        signal.set_wakeup_fd(-1)
        for number in self._numbers:
            signal.signal(number, signal.SIG_DFL)
        self._notifier.setEnabled(False)

    def _heard(self) -> None:
        heard = b""
        with suppress(BlockingIOError):
            heard = self._ours.recv(64)
        number = next((signal_number for signal_number in heard if signal_number in self._numbers), None)
        if number is None or self.status is not None:
            return
        self.status = status_of(number)
        unsaved, kept = self._sessions.dirty, self._sessions.journal.let_be()
        # A second signal ends the program at once; the work is already safe.
        self.stop_listening()
        lost = "Unsaved work could not be backed up." if unsaved and not kept else ""
        message = "The next start offers to restore unsaved work." if unsaved and kept else lost
        if sys.stderr is not None:
            sys.stderr.write(f"{STOPPED} {message}".strip() + "\n")
            sys.stderr.flush()
        self._guard.give_up()
        self._application.setQuitOnLastWindowClosed(False)
        self._window.close()
        self._application.exit(self.status)


_OFTEN_MS = 100
# Python's own thresholds: the number of new objects, and of collections of the younger generation, before a part is
# due.
_YOUNG, _MIDDLE, _OLD = 700, 10, 10
# The number of idle looks in a row before all objects are checked: five seconds.
_RESTED = 50


class Collector:
    """Collects garbage in place of Python until it is stopped. `busy` returns True if anything is computed or drawn."""

    def __init__(self) -> None:
        gc.disable()
        self.busy: Callable[[], bool] = lambda: True
        self._rested = 0
        self._timer = QTimer()
        self._timer.timeout.connect(self.look)
        self._timer.start(_OFTEN_MS)

    def look(self) -> None:
        """Collects the part that is due, at most one."""
        self._rested = 0 if self.busy() else self._rested + 1
        young, middle, old = gc.get_count()
        if young > _YOUNG:
            gc.collect(1 if middle > _MIDDLE else 0)
        elif old > _OLD and self._rested > _RESTED:
            gc.collect()

    def stop(self) -> None:
        """Stops collecting."""
        self._timer.stop()
