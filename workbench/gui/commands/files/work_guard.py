"""Asks before unsaved work would be lost, and continues only after the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMessageBox

from workbench.gui.dialogs.session_dialogs import RecoveryAnswer, ask_unsaved
from workbench.gui.services.actions import Commands
from workbench.gui.services.workspace import Work
from workbench.session.state import work_of

Step = Callable[[], object]


class Logout(Protocol):
    """The part of QSessionManager that is used here."""

    def allowsInteraction(self) -> bool:
        """True if the program may ask the user something now."""

    def cancel(self) -> None:
        """Asks the system to stay logged in."""


class WorkGuard(Commands):
    """One question at a time; later requests wait for its answer. `save_wanted` passes a function to call with True
    after the work is saved, or False. `answered` is emitted after the answer to a question was carried out, and
    `leave_wanted` when the window may close. `logout_near` is emitted when the system is about to end the program."""

    save_wanted = Signal(object)
    leave_wanted = Signal()
    answered = Signal()
    logout_near = Signal()

    _work: Work

    def __init__(self, parts: Iterable[object], *, asks: bool) -> None:
        super().__init__(parts)
        self._asks = asks
        self._given_up: dict[str, Any] | None = None
        self._waiting: list[tuple[Step, Step]] = []
        self._busy = False
        self.question: QMessageBox | None = None

    @property
    def given_up(self) -> bool:
        """True if the user has said that the current work need not be saved."""
        return self._given_up is not None and self._given_up == work_of(self._workspace.state)

    @property
    def asking(self) -> bool:
        """True if a question is open, or its answer is being carried out."""
        return self._busy

    @property
    def safe(self) -> bool:
        """True if no work would be lost except work that the user has given up."""
        return not self._asks or not self._work.dirty or self.given_up

    def before(self, act: Step, stay: Step = lambda: None) -> None:
        """Calls `act` once no work can be lost, or `stay` if the user wants to keep the open work."""
        if self.safe and not self._busy:
            act()
            return
        self._waiting.append((act, stay))
        if not self._busy:
            self._ask()

    def before_leaving(self) -> None:
        """Closes the window once no work can be lost. Does not ask twice."""
        if not self._busy:
            self.before(self.leave_wanted.emit)
        elif self.question is not None:
            self.question.activateWindow()

    def before_logout(self, system: Logout) -> None:
        """Asks about unsaved work before the system logs off and ends the program, if the system permits it, and delays
        the logoff. Otherwise the journal offers the work at the next start."""
        self.logout_near.emit()
        if not self.safe and system.allowsInteraction():
            system.cancel()
            self.before_leaving()

    def give_up(self) -> None:
        """Records that the current work need not be saved."""
        self._given_up = work_of(self._workspace.state)

    def hold(self) -> None:
        """Makes the guard ask again about the open work."""
        self._given_up = None

    def end(self) -> None:
        """Stops asking. Called when the window closes."""
        self._waiting.clear()
        if self.question is not None:
            self.question.close()

    def _ask(self) -> None:
        self._busy = True
        self.question = ask_unsaved(self._parent, self._work.name, self._answered)

    def _answered(self, answer: RecoveryAnswer) -> None:
        self.question = None
        if answer is RecoveryAnswer.SAVE:
            self.save_wanted.emit(self._go_on)
            return
        if answer is RecoveryAnswer.GIVE_UP:
            self.give_up()
        self._go_on(answer is RecoveryAnswer.GIVE_UP)

    def _go_on(self, lets: bool) -> None:
        self._busy = False
        if self._waiting:
            act, stay = self._waiting.pop(0)
            (act if lets else stay)()
        if self._waiting and not self._busy:
            self.before(*self._waiting.pop(0))
        self.answered.emit()
