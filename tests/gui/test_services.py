"""The services of commands work without a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.commands.phase_edges import PhaseEditor
from workbench.gui.pages.page_commands import InputCommands
from workbench.gui.pages.stack import Pages
from workbench.gui.services.layout import WindowLayout
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.workspace import Work, Workspace
from workbench.gui.shell.status_strip import StatusStrip
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.session.settings import Settings, load_settings
from workbench.session.state import State


@pytest.fixture
def workspace(qtbot: QtBot) -> Iterator[Workspace]:
    tasks = Tasks()
    yield Workspace(tasks, State())
    tasks.shut_down()


def test_that_settings_are_written_only_by_a_window_that_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.json"
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(file))
    for writes in (False, True):
        keeper = SettingsKeeper(Settings(), writes=writes)
        keeper.change(theme="dark")
        keeper.write()
        assert file.exists() is writes
    assert load_settings().theme == "dark"


def test_that_the_first_of_several_paths_is_the_most_recent() -> None:
    keeper = SettingsKeeper(Settings(), writes=False)
    keeper.list_recent(Path("old"))
    keeper.list_recent(Path("one"), Path("two"))
    assert keeper.settings.recent == ("one", "two", "old")


def test_that_the_title_shows_the_workspace_file_or_else_the_open_results(workspace: Workspace) -> None:
    work = Work(workspace)
    assert work.name == ""
    work.paths = (Path("lab/one"), Path("lab/two"))
    assert work.name == "one, two"
    work.belongs_to(Path("lab/review.vdiwb"))
    assert work.name == "review.vdiwb"


def test_that_an_empty_window_is_never_unsaved(workspace: Workspace) -> None:
    work = Work(workspace)
    work.saved = None
    assert not work.dirty


def test_that_a_layout_is_restored_and_a_damaged_one_is_ignored(qtbot: QtBot) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    frame.resize(500, 400)
    layout = WindowLayout(frame)
    kept = layout.text
    frame.resize(300, 200)
    for damaged in ("", "no base64", "AAAA"):
        layout.restore(damaged)
        assert (frame.width(), frame.height()) == (300, 200)
    layout.restore(kept)
    assert (frame.width(), frame.height()) == (500, 400)


def test_that_a_progress_bar_stays_while_a_message_is_shown(qtbot: QtBot) -> None:
    strip = StatusStrip(QWidget())
    qtbot.addWidget(strip)
    strip.begin("Exporting")
    strip.fill("Answering", 0.25)
    strip.mention("Still exporting.")
    assert strip.message.full == "Still exporting."
    assert (strip.bar.value(), strip.bar.isVisibleTo(strip)) == (250, True)


def test_that_a_machine_is_highlighted_and_cleared_without_a_window(workspace: Workspace, qtbot: QtBot) -> None:
    pages = Pages(workspace)
    qtbot.addWidget(pages)
    inputs = InputCommands(workspace, pages)
    inputs.light("VM01")
    assert workspace.state.lit_vm == "VM01"
    inputs.light("VM01")
    assert workspace.state.lit_vm is None


def test_that_an_input_is_set_without_a_window(workspace: Workspace, qtbot: QtBot) -> None:
    pages = Pages(workspace)
    qtbot.addWidget(pages)
    before = workspace.state.inputs
    InputCommands(workspace, pages).set("margin_percent", 30.0)
    assert workspace.state.inputs == State().with_input("margin_percent", 30.0).inputs
    assert workspace.state.inputs != before


def test_that_phases_are_reset_without_a_window(workspace: Workspace, qtbot: QtBot) -> None:
    edits = RunEdits("lab/run", phases=(PhaseEdit("boot", 0.0, 60.0),))
    workspace.apply(edits=workspace.state.with_edits(edits).edits)
    assert any(run.phases for run in workspace.state.edits)
    strip, pages = StatusStrip(QWidget()), Pages(workspace)
    qtbot.addWidget(strip)
    qtbot.addWidget(pages)
    with qtbot.waitSignal(workspace.changed):
        PhaseEditor((strip, workspace, workspace.tasks, pages)).reset()
    assert all(not run.phases for run in workspace.state.edits)
