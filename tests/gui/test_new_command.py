"""A new command is one function: once it is registered, the menu, Ctrl+K and the sheet of keys have it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.gui.commands.palette import matching
from workbench.gui.dialogs.shortcut_sheet import rows
from workbench.gui.services import actions
from workbench.gui.services.actions import command
from workbench.gui.services.status import StatusLine
from workbench.gui.services.workspace import Workspace
from workbench.gui.shell.main_window import MainWindow


@pytest.fixture
def registered() -> Iterator[None]:
    """A command with only its required parts."""
    known = list(actions.ACTIONS)

    @command("&Run", "Count open st&udies", "Ctrl+Alt+J")
    def count_studies(workspace: Workspace, status: StatusLine) -> None:
        status.tell(f"{len(workspace.library.studies)} toy studies")

    yield
    actions._ACTIONS[:] = known


@pytest.mark.usefixtures("registered")
def test_that_one_function_adds_a_command_to_every_place_and_receives_its_services(
    new_window: MainWindow, qtbot: QtBot
) -> None:
    entry = new_window.menus["&Run"].actions()[-1]
    assert (entry.text(), entry.shortcut().toString()) == ("Count open st&udies", "Ctrl+Alt+J")
    assert ("Ctrl+Alt+J", "Count open studies") in rows()["Run"]
    (offered, *_) = matching(new_window.offers.entries(), "count open studies")
    for run in (entry.trigger, offered.act, lambda: qtbot.keyClick(new_window, Qt.Key.Key_J, CTRL_ALT)):
        new_window.strip.tell("")
        run()
        assert new_window.strip.message.full == "0 toy studies"


CTRL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
