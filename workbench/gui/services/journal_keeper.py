"""The journal of a window: keeps unsaved work in a separate file until it is saved; written shortly after each
change.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from workbench.file_replace import delete_file, reason
from workbench.session.document import SessionDocument
from workbench.session.journal import journal_of, write_journal
from workbench.study.store.temporary import own_folder

# Delay from a change until it is in the journal.
JOURNAL_MS = 1000
# The workspace file of the unsaved work (None: never saved) and the work; None while there is nothing to lose.
Unsaved = tuple[Path | None, SessionDocument] | None


class JournalKeeper(QObject):
    """`unsaved` returns the work to keep. `tell` gets the message if a journal cannot be written; the program
    continues."""

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
        """Schedules a write. Called after each change."""
        self._timer.start()

    def write(self) -> bool:
        """Writes the current work into the journal, or empties it if there is nothing to lose. False if it cannot be
        written."""
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
            self._tell(f"Unsaved work cannot be backed up: {reason(error)}. Save the workspace file.")
            return False
        return True

    def empty(self) -> None:
        """Empties the journal: the work is saved or given up."""
        self._timer.stop()
        if not self._left:
            delete_file(self._file)

    def let_be(self) -> bool:
        """Keeps the work in the journal when the window is ended from outside. The next start offers it. False if it
        could not be kept."""
        kept = self.write()
        self._left = True
        return kept

    def adopt(self, file: Path, lock: QLockFile | None) -> None:
        """Takes over the journal of a window that crashed; the journal contains the work that is open now."""
        self._unlock()
        self._file, self._lock = file, lock

    def close(self) -> None:
        """Removes the journal when the window closes, except after `let_be`."""
        self.empty()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.unlock()
        self._lock = None
