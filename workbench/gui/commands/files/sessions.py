"""Workspace files: opened, saved, kept in a journal during editing, recovered after a crash."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QLockFile, QTimer, Signal

from workbench import __version__
from workbench.answers.findings.known import known_verdicts, with_verdicts
from workbench.file_replace import try_to_delete
from workbench.gui.commands.files.work_guard import WorkGuard
from workbench.gui.dialogs import session_dialogs
from workbench.gui.dialogs.questions import message_box
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.importer import Importer, Opened, figures_of
from workbench.gui.services.journal_keeper import JournalKeeper, Unsaved
from workbench.gui.services.layout import WindowLayout
from workbench.gui.services.places import Brought, answers, brought, still_there, with_figures, written
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.tasks import Done
from workbench.gui.services.workspace import Work
from workbench.measures.significance.method import METHOD
from workbench.session import bundle, document
from workbench.session.document import SessionDocument
from workbench.session.journal import Recovered, journals, read_journal
from workbench.session.state import State, work_of

T = TypeVar("T")
# Delay before checking again if the importer is free.
_AGAIN_MS = 100
# A longer path is shortened in a sentence.
_LONG = 200


@dataclass(frozen=True, eq=False)
class _Opening:
    """A workspace whose folders are being read: its document, its file, and the file for saving with the lock on it
    (None: no file, or another window has it). For work left by a crash: the journal with its lock."""

    document: SessionDocument
    file: Path | None = None
    path: Path | None = None
    lock: QLockFile | None = None
    journal: Path | None = None
    journal_lock: QLockFile | None = None


class SessionKeeper(Commands):
    """The commands for workspace files and bundles. `read_wanted` passes the folders of a workspace to read;
    `not_opened` the reason why a workspace cannot be opened."""

    read_wanted = Signal(object, object)
    not_opened = Signal(str)

    _importer: Importer
    _settings: SettingsKeeper
    _work: Work
    _guard: WorkGuard
    _layout: WindowLayout

    def __init__(self, parts: Iterable[object], *, keeps_journal: bool) -> None:
        super().__init__(parts)
        self._waiting: _Opening | None = None
        self._lock: QLockFile | None = None
        # Called if the user cancels the bundle that is being opened.
        self._stay: Callable[[], None] = lambda: None
        self.journal = JournalKeeper(self, self._unsaved, self._status.tell, keeps=keeps_journal)
        self._workspace.changed.connect(self._changed)

    @property
    def path(self) -> Path | None:
        """The file in which the work is saved; None if there is none."""
        return self._work.file

    @property
    def dirty(self) -> bool:
        """True if any content of the workspace file has changed since the last save."""
        return self._work.dirty

    def open(self, path: Path) -> None:
        """Opens a workspace file or a bundle once no unsaved work can be lost. If it cannot be opened, a message gives
        the reason.
        """
        if path.suffix.lower() == bundle.ENDING:
            self._guard.before(lambda: self._open_bundle(path))
            return
        messages: list[str] = []

        def bring_in(loaded: SessionDocument) -> None:
            for message in messages:
                self._status.warn(message)
            self._guard.before(lambda: self._bring_in(loaded, path))

        self._look(path, lambda: document.load_session(path, messages.append), bring_in, self._told)

    def cancel(self) -> None:
        """Cancels reading or writing a bundle, and stops waiting for a workspace file."""
        if self._tasks.abandon("bundle"):
            self._stay()
        if self._tasks.abandon("bundle saved"):
            self._status.tell("Cancelled: the bundle was not saved.")
        if self._tasks.abandon("session"):
            self.not_opened.emit("Cancelled: the drive of the workspace file did not respond. Check the network.")

    def _look(self, path: Path, work: Callable[[], T], done: Callable[[T], None], failed: Done) -> None:
        """Passes the result of `work` on this file to `done`. If the file does not respond, the user can cancel."""
        self._tasks.look("session", work, done, failed, lambda: self._status.begin(f"Waiting for {path.name}"))

    def opened(self, opened: Opened) -> None:
        """Restores the state of a workspace that waited for the import. Called when the import is done."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            if self._guard.given_up:
                self._workspace.take_back(self._work.saved or State())
            self._workspace.open(opened)
            self._belongs_to(None, None)
            self._settings.list_recent(*opened.paths)
            return
        waiting_document = waiting.document
        self._workspace.open(opened, waiting_document.state)
        self._layout.restore(waiting_document.layout)
        self._settle(waiting)
        self._work.kept = None if waiting.journal else waiting_document
        self._settings.list_recent(*([waiting.file] if waiting.file else opened.paths))
        now = document.source_files(opened.places, opened.stamps)
        if messages := document.changed_files(waiting_document, now) if waiting_document.files else ():
            self._status.tell(" ".join(messages) + " The page shows the current files.")

    def gave_up(self) -> None:
        """Keeps the open studies, their file and the work on them. Called if the new content is not opened."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._release(waiting)
        self._guard.hold()

    @command("&File", "&Save workspace file", "Ctrl+S", place=305)
    def save(self) -> None:
        """Saves in the workspace file, or asks for one."""
        self.save_and(lambda _saved: None)

    @command("&File", "Sa&ve as…", "Ctrl+Shift+S", place=310)
    def save_as(self) -> None:
        """Asks for a file and saves there."""
        self._save_as(lambda _saved: None)

    def save_and(self, done: Callable[[bool], None]) -> None:
        """Saves in the workspace file, or asks for one. `done` gets True if it is saved."""
        if self.path is None:
            self._save_as(done)
        else:
            self.save_to(self.path, done)

    def _save_as(self, done: Callable[[bool], None]) -> None:
        ask = partial(session_dialogs.ask_place, self._parent, "Save workspace file")
        chosen, given_up = (lambda path: self.save_to(path, done)), (lambda: done(False))
        self._ask_beside(document.ENDING, partial(ask, chosen=chosen, given_up=given_up))

    def _ask_beside(self, ending: str, ask: Callable[[Path], None]) -> None:
        """Asks for a file. The dialog starts in the folder of the open studies if that folder responds."""
        suggested = self._suggested(ending)

        def late() -> None:
            self._tasks.abandon("suggested")
            ask(Path.home() / suggested.name)

        self._tasks.look("suggested", lambda: answers(suggested.parent), lambda _: ask(suggested), late=late)

    @command("&File", "Save &bundle…", place=315)
    def save_bundle_as(self) -> None:
        """Asks for a place and whether names are replaced, and saves a bundle there."""
        ask = partial(session_dialogs.ask_bundle, self._parent, chosen=self.save_bundle_to)
        self._ask_beside(bundle.ENDING, ask)

    def save_to(self, path: Path, done: Callable[[bool], None] = lambda _saved: None) -> bool:
        """Saves the workspace in this file. `done` gets True if it is saved; otherwise a message gives the reason.
        Returns True if it is saved already; a share may take longer."""
        kept, state, held = self.document(), self._workspace.state, self._lock_for(path)
        library = self._workspace.library if self._workspace.settled else None

        def saved(outcome: tuple[SessionDocument, QLockFile | str]) -> None:
            whole, lock = outcome
            if isinstance(lock, str):
                self._say_in_use(path, lock)
                done(False)
                return
            self._belongs_to(path, lock)
            self._work.saved, self._work.kept = state, whole
            if self.dirty:  # changed while it was written
                self.journal.soon()
            self._settings.list_recent(path)
            self._status.tell(f"Saved {path.name}.")
            self._work.changed.emit()
            done(True)

        def failed(error: Exception) -> None:
            self._told(error)
            done(False)

        self._look(path, lambda: written(path, with_figures(kept, library), held), saved, failed)
        return self.path == path and self._work.saved is state

    def save_bundle_to(self, path: Path, anonymise: bool = False, key: Path | None = None) -> None:
        """Writes a bundle of everything that is open, in the background. `key` is the file for the key of its names."""
        library, kept = self._workspace.library, self.document()
        places = library.places or {}
        studies = self._workspace.as_opened.studies
        if not studies:
            self._status.tell("Nothing to save yet. Open a result folder first.")
            return
        self._status.begin(f"Saving {path.name}")
        save = partial(bundle.save_anonymous_bundle, key=key) if anonymise else bundle.save_bundle

        def write() -> None:
            save(path, kept, studies, bundle.sources_of(places))

        def bundled(_: None) -> None:
            self._settings.list_recent(path)
            self._status.tell(f"Saved {path.name}: it opens without the result folder.")

        self._tasks.run("bundle saved", write, bundled, self._told, apart=True)

    def document(self) -> SessionDocument:
        """The current workspace as a document."""
        state = self._workspace.state
        return SessionDocument(
            program=__version__,
            method=METHOD,
            saved=datetime.now(UTC).isoformat(timespec="seconds"),
            paths=tuple(str(path) for path in self._work.paths),
            files=document.source_files(self._workspace.library.places or {}, self._workspace.stamps),
            state=with_verdicts(state, known_verdicts(self._workspace.library, state)),
            layout=self._layout.text,
        )

    def offer_recovery(self) -> None:
        """Asks if work should be restored that a crashed window left behind."""
        for file in journals():
            lock = QLockFile(f"{file}.lock")
            if not lock.tryLock(0):
                continue  # its window is still open
            recovered = read_journal(file, self._status.warn)
            if recovered is not None and recovered.document.paths:
                answered = partial(self._recover, recovered, lock)
                session_dialogs.ask_recovery(self._parent, recovered, answered)
                return
            if recovered is not None:
                try_to_delete(file)
            lock.unlock()

    def close(self) -> None:
        """Empties the journal: there is nothing to recover. Called when the window closes normally."""
        if self._waiting is not None:
            self._release(self._waiting)
        self._tasks.abandon("bundle")
        self.journal.close()
        if self._lock is not None:
            self._tasks.apart(self._lock.unlock)
        self._lock = None

    def _unsaved(self) -> Unsaved:
        return (self.path, self.document()) if self.dirty else None

    def _recover(self, recovered: Recovered, lock: QLockFile, asked_for: bool) -> None:
        if not asked_for:
            try_to_delete(recovered.file)
            lock.unlock()
        elif self._importer.running:  # the folder given on the command line comes first
            QTimer.singleShot(_AGAIN_MS, self, partial(self._recover, recovered, lock, True))
        else:
            self._guard.before(
                lambda: self._bring_in(recovered.document, recovered.session, (recovered.file, lock)), lock.unlock
            )

    def _bring_in(
        self,
        loaded: SessionDocument,
        file: Path | None,
        journal: tuple[Path, QLockFile] | tuple[None, None] = (None, None),
    ) -> None:
        """Reads the folders or the bundle of the workspace in `file`. Its state is applied afterwards."""
        held = None if file is None else self._lock_for(file)
        self._look(
            file or Path(loaded.paths[0]),
            lambda: brought(loaded, file, held),
            lambda here: self._read_brought(here, _Opening(loaded, file, None, None, *journal)),
            self._told,
        )

    def _read_brought(self, here: Brought, opening: _Opening) -> None:
        present, loaded = list(here.present), opening.document
        if isinstance(here.lock, QLockFile):
            opening = replace(opening, path=opening.file, lock=here.lock)
        elif here.lock is not None and opening.file is not None:
            self._say_in_use(opening.file, here.lock)
        if not present:
            names = ", ".join(path if len(path) < _LONG else f"{path[:_LONG]}…" for path in loaded.paths) or "none"
            self._release(opening)
            self.not_opened.emit(
                f"The result folder of this workspace file was not found ({names}). "
                "Restore it, or open a bundle instead."
            )
        elif here.bundle:
            self._open_bundle(present[0], opening)
        else:
            self.read_wanted.emit(present, partial(self._wait_for, opening))

    def _wait_for(self, opening: _Opening) -> None:
        self._waiting = opening

    def _settle(self, opening: _Opening) -> None:
        """Makes this workspace the open one. Work left by a crash stays in its journal until it is saved."""
        self._belongs_to(opening.path, opening.lock)
        if opening.journal is not None:
            self.journal.adopt(opening.journal, opening.journal_lock)
            self._work.saved = None

    def _release(self, opening: _Opening) -> None:
        """Releases the locks of a workspace that could not be opened. The next start offers its journal again."""
        for lock in (opening.lock, opening.journal_lock):
            if lock is not None and lock is not self._lock:
                self._unlock(lock)

    def _open_bundle(self, path: Path, opening: _Opening | None = None) -> None:
        store = self._importer.store
        self._status.begin(f"Opening {path.name}")

        def read() -> tuple[bundle.Bundle, Opened, tuple[str, ...]]:
            loaded = bundle.load_bundle(path, store)
            figures = figures_of(loaded.studies)
            messages = bundle.notices(loaded, still_there(loaded))
            return loaded, Opened((path,), loaded.studies, figures, False, {}), messages

        def done(result: tuple[bundle.Bundle, Opened, tuple[str, ...]]) -> None:
            stays = f"{path.name} was read but not opened: {self._work.name} is still open."
            self._guard.before(lambda: place(*result), lambda: stay(stays))

        def place(loaded: bundle.Bundle, opened: Opened, problems: tuple[str, ...]) -> None:
            given = opening or _Opening(loaded.document, path)
            self._work.paths = (path,)
            self._workspace.open(opened, given.document.state)
            self._settle(given)
            self._settings.list_recent(given.file or path)
            self._work.changed.emit()
            self._status.tell(" ".join(problems))

        def stay(text: str) -> None:
            if opening is not None:
                self._release(opening)
            self.not_opened.emit(text)

        self._stay = lambda: stay(f"Cancelled: {path.name} was not opened.")
        self._tasks.run("bundle", read, done, lambda error: stay(str(error)), apart=True)

    def _told(self, error: Exception) -> None:
        self._status.tell(str(error))

    def _changed(self, before: State, after: State) -> None:
        self._work.changed.emit()
        if work_of(after) != work_of(before):
            self.journal.soon()

    def _belongs_to(self, path: Path | None, lock: QLockFile | None) -> None:
        """Records that the open studies are saved in this file (None: not saved), without changes so far."""
        if self._lock is not None and self._lock is not lock:
            self._unlock(self._lock)
        self._lock = lock
        self._work.belongs_to(path)
        self.journal.empty()
        self._guard.hold()

    def _lock_for(self, path: Path) -> QLockFile | None:
        """The lock that this window already has on a workspace file, otherwise None."""
        return self._lock if path == self.path else None

    def _unlock(self, lock: QLockFile) -> None:
        self._tasks.look("unlock", lock.unlock, lambda _: None)

    def _say_in_use(self, path: Path, where: str) -> None:
        message_box(
            self._parent,
            "Workspace file in use",
            f"{path.name} is open in another window{where}, or its folder is read-only. "
            "You can view it here and save it under another name.",
        ).open()

    def _suggested(self, ending: str) -> Path:
        if self.path is not None:
            return self.path.with_suffix(ending)
        first = next(iter(self._work.paths), Path.home() / "workspace")
        return first.parent / f"{first.stem}{ending}"
