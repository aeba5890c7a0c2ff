"""Unsaved work when the system ends the login: it waits for the answer, or the journal keeps the work."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.gui.unsaved import not_asked, press, work
from workbench.gui.shell.main_window import MainWindow
from workbench.session.journal import journals


class SystemEnding:
    """A replacement for the system at the end of a login, which no test can cause."""

    def __init__(self, *, may_ask: bool) -> None:
        self.may_ask, self.cancelled = may_ask, False

    def allowsInteraction(self) -> bool:
        return self.may_ask

    def cancel(self) -> None:
        self.cancelled = True


def test_that_the_end_of_the_login_waits_for_the_answer(opened: MainWindow, qtbot: QtBot) -> None:
    work(opened, qtbot)
    system = SystemEnding(may_ask=True)
    opened.guard.before_logout(system)
    assert system.cancelled
    assert len(journals()) == 1, "even if the system ends the program all the same"
    press(opened, "Don't save")
    assert not opened.isVisible()


def test_that_a_logout_without_dialog_keeps_unsaved_work_in_the_journal(opened: MainWindow, qtbot: QtBot) -> None:
    work(opened, qtbot)
    system = SystemEnding(may_ask=False)
    opened.guard.before_logout(system)
    assert not system.cancelled
    assert not_asked(opened)
    assert len(journals()) == 1


def test_that_the_end_of_the_login_is_not_delayed_without_unsaved_work(opened: MainWindow) -> None:
    system = SystemEnding(may_ask=True)
    opened.guard.before_logout(system)
    assert not system.cancelled
    assert journals() == []
