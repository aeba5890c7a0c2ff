"""Ctrl+C and SIGTERM end the window in order: unsaved work is in the journal, workers are ended.

Python runs its signal handlers only when it is Python's turn, which a window that waits for events does not give it.
A byte that the interpreter writes into a socket at each signal wakes the event loop instead (`signal.set_wakeup_fd`,
also on Windows), and what is to be done is done there: never in the middle of a repaint or of a dialog.
"""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication, QWidget

from workbench.gui.commands.files.sessions import SessionKeeper
from workbench.gui.commands.files.work_guard import WorkGuard
from workbench.interrupts import STOPPED, status_of

# What there is of them on this system: a terminal that is closed sends SIGHUP, Ctrl+Break on Windows SIGBREAK.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Endings(QObject):
    """Listens as soon as it is made. `status` is that of the signal which has ended the window, None without one."""

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
        # A signal that whoever started us lets us ignore (nohup, a shell's background) stays ignored.
        known = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        self._numbers = [
            signal_number for signal_number in known if signal.getsignal(signal_number) is not signal.SIG_IGN
        ]
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        for number in self._numbers:
            signal.signal(number, lambda _number, _frame: None)

    def stop_listening(self) -> None:
        """From now on a signal ends the program at once, as the system does it."""
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
        # Whoever is in a hurry signals again; the work is safe by now.
        self.stop_listening()
        lost = "Unsaved work could not be kept." if unsaved and not kept else ""
        message = "Unsaved work is offered at the next start." if unsaved and kept else lost
        if sys.stderr is not None:
            sys.stderr.write(f"{STOPPED} {message}".strip() + "\n")
            sys.stderr.flush()
        self._guard.give_up()
        self._application.setQuitOnLastWindowClosed(False)
        self._window.close()
        self._application.exit(self.status)
