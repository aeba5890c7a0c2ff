"""Exporting from the window: the dialog, the export beside the window, its progress, its end.

Export from the window: in a process of its own, because writing would hold up the window, and because a process
can be ended at any moment without a trace: what stands at the target is replaced in one step at the very end.
"""

from __future__ import annotations

import io
import pickle
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from msgspec import structs
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from workbench.answers.common.library import Library
from workbench.cancellation import leave_behind
from workbench.exporters.anonymous import with_names, write_key_of
from workbench.exporters.assemble import NEEDS_QT, job_of
from workbench.exporters.export import export, export_each_study
from workbench.exporters.job import Written
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted, What
from workbench.gui.pages.stack import Pages
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.model.problem import failures
from workbench.model.run import Study
from workbench.session.settings import DocumentFace, ExportChoices
from workbench.session.state import State
from workbench.study.importing.workers import DEAF_CONTEXT, ENDS_S, interrupts_ignored
from workbench.study.store.columns import ColumnsError
from workbench.study.store.temporary import sweep
from workbench.windows_paths import place_to_write

# So long after Cancel an export that has not ended is left to itself.
_OBEYS_MS = 800


class ExportCommands(QObject):
    """The commands of the action table that begin with `exports.`."""

    _told = Signal(str, float)

    def __init__(
        self,
        parent: QWidget,
        workspace: Workspace,
        tasks: Tasks,
        status: StatusLine,
        settings: SettingsKeeper,
        pages: Pages,
    ) -> None:
        super().__init__(parent)
        self._parent, self._workspace, self._tasks = parent, workspace, tasks
        self._status, self._settings, self._pages = status, settings, pages
        self._end: Callable[[], None] | None = None
        self.dialog: QDialog | None = None
        self._told.connect(self._advance)
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._leave)

    @property
    def running(self) -> bool:
        """Whether an export is under way."""
        return self._end is not None

    def ask(self) -> None:
        """Opens the dialog as it was used last, or brings it to the front."""
        self._ask(slides=False)

    def ask_slides(self) -> None:
        """The same with slides of the storyboard chosen."""
        self._ask(slides=True)

    def _ask(self, slides: bool) -> None:
        if not self._workspace.library.studies:
            self._status.tell(tr("Nothing to export yet. Open a result folder first."))
            return
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        from workbench.gui.dialogs.export_dialog import place_of

        folder = self._settings.settings.export_folder
        show = partial(self._show, slides)
        self._tasks.look("export folder", lambda: place_of(folder), show, late=partial(self._show_at_home, slides))

    def _show_at_home(self, slides: bool) -> None:
        """The folder of the last export does not answer."""
        self._tasks.abandon("export folder")
        self._show(slides, Path.home())

    def _show(self, slides: bool, folder: Path) -> None:
        from workbench.gui.dialogs.export_dialog import ExportDialog

        settings, names = self._settings.settings, self._names()
        choices = settings.export
        if slides:
            # All of it is what the storyboard says, in slides as in every other document.
            choices = structs.replace(choices, what="all", ending=".pptx")
            names = [("all", tr("Storyboard")), *names[1:]]
        dialog = ExportDialog(self._parent, self._workspace, self._tasks, choices, folder, names, settings.face)
        dialog.asked.connect(self._asked)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.show()

    def to(self, request: Wanted) -> None:
        """Writes what is wanted, beside the window."""
        if not self._workspace.library.studies:
            self._status.tell(tr("Nothing to export yet. Open a result folder first."))
            return
        if self.running:
            self._status.mention(tr("Still exporting. Cancel first, then export again."))
            return
        if request.what == "page":
            figure = self._pages.shown.figure
            request = replace(request, span=figure.zoomed_span if figure is not None else None)
        # The window starts without the exporters.

        workspace = self._workspace
        task = ExportTask(workspace.library, workspace.state, request, workspace.as_opened.studies)
        self._end = task.cancel
        self._status.begin(f"{tr('Exporting')} · {request.path.name}")
        self._tasks.run(
            "export",
            lambda: task.run(self._told.emit),
            lambda written: self._ended(" ".join(written.text.split("\n"))),
            lambda error: self._ended(str(error)),
            apart=True,
        )

    def cancel(self) -> None:
        """Ends the export that is under way; what was there before stays."""
        if self._end is not None:
            self._end()
            self._patience.start(_OBEYS_MS)

    def _leave(self) -> None:
        """The export has not ended since it was cancelled: a share holds it up."""
        if self._tasks.abandon("export"):
            self._ended(
                "Cancelled: the export did not end in time. Its folder may not answer: check its network drive."
            )

    def close(self) -> None:
        """Called when the window closes: nothing is asked or written any more."""
        self.cancel()
        if self.dialog is not None:
            self.dialog.close()

    def _asked(self, request: Wanted, choices: ExportChoices, face: DocumentFace) -> None:
        self._settings.change(export=choices, face=face, export_folder=str(request.path.parent.absolute()))
        self.to(request)

    def _closed(self) -> None:
        self.dialog = None

    def _names(self) -> list[tuple[What, str]]:
        """What can be exported, in words."""
        state = self._workspace.state
        spec = self._pages.shown.spec
        view = dict(spec.views).get(state.page_view(spec.key), spec.views[0][1] if spec.views else "")
        page = f"{tr(spec.name)} ({tr(view)})" if view else tr(spec.name)
        names: list[tuple[What, str]] = [("all", tr("Everything")), ("page", f"{tr('This page')}: {page}")]
        if state.views:
            names.append(("views", f"{tr('Saved views')} ({len(state.views)})"))
        return [*names, ("findings", tr("Findings"))]

    def _advance(self, text: str, share: float) -> None:
        if self._end is not None:
            self._status.fill(f"{tr('Exporting')} · {text}", share)

    def _ended(self, message: str) -> None:
        self._end = None
        self._patience.stop()
        self._status.tell(message)


Tell = Callable[[str, float], None]
_POLL_S = 0.05


class ExportTask:
    """One export; `opened` are the studies as they were opened. `run` blocks and belongs on a thread; `cancel` may be
    called from any."""

    def __init__(self, library: Library, state: State, request: Wanted, opened: Sequence[Study] = ()) -> None:
        self._library, self._state, self._wanted, self._opened = library, state, request, opened
        self._cancel = threading.Event()

    def cancel(self) -> None:
        """Ends the process; an earlier file stays as it is."""
        self._cancel.set()

    def run(self, tell: Tell) -> Written:
        """What `export` returns; raises `ExportError`. `tell` hears what is done now, and the share that is done."""
        ours, theirs = DEAF_CONTEXT.Pipe()
        process = DEAF_CONTEXT.Process(target=_work, args=(theirs,), name="export", daemon=True)
        with interrupts_ignored():
            process.start()
        theirs.close()
        try:
            request = with_names(self._wanted, self._opened, self._state)
            ours.send_bytes(_politely_pickled((self._library, self._state, request)))
            written = self._answer(ours, process, tell)
            write_key_of(request)
            return written
        except (EOFError, OSError) as error:
            raise ExportError(
                f"{self._wanted.path.name} was not written: the process that wrote it was ended.{self._kept()}"
            ) from error
        finally:
            process.kill()
            process.join(ENDS_S)
            if process.is_alive():
                leave_behind(process)
            else:
                process.close()
            ours.close()
            sweep(place_to_write(self._wanted.path).parent)

    def _answer(self, ours: Connection, process: BaseProcess, tell: Tell) -> Written:
        while True:
            if self._cancel.is_set():
                # First of all: to ask for the earlier file may take as long as a share takes to answer.
                process.kill()
                raise ExportError(f"Cancelled: {self._wanted.path.name} was not written.{self._kept()}")
            if not ours.poll(_POLL_S):
                continue
            written = ours.recv()
            if isinstance(written, Written):
                return written
            if isinstance(written, Exception):
                raise written
            tell(*written)

    def _kept(self) -> str:
        return " The earlier file is unchanged." if self._wanted.path.exists() else ""


class _PolitePickler(pickle.Pickler):
    """Lets other threads in between: pickle alone would hold up the window while it walks a large study."""

    def persistent_id(self, _found: object) -> None:
        """Nothing is kept by reference."""
        return


def _politely_pickled(value: object) -> bytes:
    whole = io.BytesIO()
    _PolitePickler(whole, pickle.HIGHEST_PROTOCOL).dump(value)
    return whole.getvalue()


def _work(theirs: Connection) -> None:
    """In the process: the answers are made again from the same state, so that nothing large has to cross over."""
    library, state, request = pickle.loads(theirs.recv_bytes())
    try:
        theirs.send(_export(library, state, request, lambda text, share: theirs.send((text, share))))
    except failures() as error:
        theirs.send(error if isinstance(error, ExportError) else _sentence(request, error))


def _sentence(request: Wanted, error: BaseException) -> ExportError:
    kept = " The earlier file is unchanged." if request.path.exists() else ""
    if isinstance(error, ColumnsError):
        return ExportError(f"{request.path.name} was not written. {error}{kept}")
    return ExportError(f"{request.path.name} was not written: {type(error).__name__}: {error}.{kept}")


def _export(library: Library, state: State, request: Wanted, tell: Tell) -> Written:
    painter = None
    tell("Answering", 0.0)
    job = job_of(library, state, request, tell)
    if request.path.suffix.lower() in NEEDS_QT:
        from workbench.gui.pictures.painter import load_painter

        painter = load_painter()
    tell(f"Writing {request.path.name}", 0.5)
    return (export_each_study if request.each_study else export)(job, painter)
