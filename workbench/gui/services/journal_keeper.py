"""The journal of a window: unsaved work in a file of its own, a moment after each change, until it is saved."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from workbench.file_replace import delete_file, reason
from workbench.session.document import SessionDocument
from workbench.session.journal import journal_of, write_journal
from workbench.study.store.temporary import own_folder

# A change is in the journal this long after it was made.
JOURNAL_MS = 1000
# The session that unsaved work belongs to (None: never saved) and the work; None while nothing is left to lose.
Unsaved = tuple[Path | None, SessionDocument] | None


class JournalKeeper(QObject):
    """`unsaved` gives what is to be kept, `tell` hears of a journal that cannot be written; that stops nothing."""

    def __init__(
        self, parent: QObject, unsaved: Callable[[], Unsaved], tell: Callable[[str], object], *, keeps: bool
    ) -> None:
        super().__init__(parent)
        self._unsaved, self._tell, self._keeps = unsaved, tell, keeps
        self._file = journal_of(uuid.uuid4().hex)
        self._lock: QLockFile | None = None
        self._left = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(JOURNAL_MS)
        self._timer.timeout.connect(self.write)

    def soon(self) -> None:
        """Called after each change."""
        self._timer.start()

    def write(self) -> bool:
        """Puts the work as it stands into the journal, or empties it where nothing is left to lose; False where it
        cannot be kept."""
        if not self._keeps:
            return False
        try:
            unsaved = self._unsaved()
            if unsaved is None:
                delete_file(self._file)
                return True
            if self._lock is None:
                own_folder(self._file.parent)
                self._lock = QLockFile(f"{self._file}.lock")
                self._lock.setStaleLockTime(0)
                self._lock.tryLock(0)
            write_journal(self._file, *unsaved)
        except OSError as error:
            self._tell(f"Unsaved work cannot be kept safe: {reason(error)}. Save the workspace file.")
            return False
        return True

    def empty(self) -> None:
        """Nothing is left to lose: the work is saved, or given up."""
        self._timer.stop()
        if not self._left:
            delete_file(self._file)

    def let_be(self) -> bool:
        """Called when the window is ended from outside: the work stays in the journal, to be offered at the next
        start; False where it could not be kept."""
        kept = self.write()
        self._left = True
        return kept

    def adopt(self, file: Path, lock: QLockFile | None) -> None:
        """Goes on with the journal of a window that crashed: it holds the work that is open now."""
        self._unlock()
        self._file, self._lock = file, lock

    def close(self) -> None:
        """Called when the window closes: nothing is left to recover, unless it was let be."""
        self.empty()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.unlock()
        self._lock = None
