"""The window program without a console, as Windows starts it, and its name and icon for the system."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QApplication
from syrupy.assertion import SnapshotAssertion

from workbench.gui.services import assets
from workbench.gui.services.actions import ACTIONS
from workbench.gui.shell import saying, start
from workbench.gui.shell.main_window import MainWindow

ROOT = Path(__file__).parents[2]


def without_console(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Removes the console, as Windows does for such a program; the list receives the texts of its dialogs."""
    shown: list[str] = []
    for module in (saying, start):
        monkeypatch.setattr(module, "message_box", shown.append)
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    return shown


@pytest.mark.parametrize(
    ("argument", "status", "begins", "holds"),
    [
        ("--help", 0, "usage: vdi-workbench", "example: vdi-workbench sample_data"),
        ("--version", 0, "vdi-workbench 0.", "."),
        ("--size=5x5", 2, "usage: vdi-workbench", "'5x5' is not a size such as 1600x900"),
    ],
)
def test_that_help_and_errors_of_the_command_line_are_one_dialog_without_a_console(
    monkeypatch: pytest.MonkeyPatch, argument: str, status: int, begins: str, holds: str
) -> None:
    dialogs = without_console(monkeypatch)
    with pytest.raises(SystemExit) as ended:
        start.main([argument])
    assert ended.value.code == status
    assert len(dialogs) == 1
    assert dialogs[0].startswith(begins)
    assert holds in dialogs[0]


def test_that_an_unknown_view_is_reported_in_a_dialog_without_a_console(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    dialogs = without_console(monkeypatch)
    assert start.main(["--page", "cache", "--view", "nonsense"]) == start.CANNOT_OPEN
    assert len(dialogs) == 1
    assert dialogs[0] == snapshot


def test_that_an_error_that_ends_the_program_is_reported_in_a_dialog_without_a_console(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    def fails() -> str:
        raise RuntimeError("no memory for fonts")

    dialogs = without_console(monkeypatch)
    monkeypatch.setattr(start, "_missing_library", fails)
    with pytest.raises(RuntimeError):
        start.main([])
    assert dialogs == snapshot


def test_that_everything_is_reported_on_the_console_if_one_exists(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(saying, "message_box", shown.append)
    with pytest.raises(SystemExit):
        start.main(["--size", "5x5"])
    saying.say("The picture could not be written.")
    written = capsys.readouterr()
    assert written.err.startswith("usage: vdi-workbench")
    assert written.err == snapshot
    assert (written.out, shown) == ("", [])


def test_that_windows_starts_the_window_without_a_console() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["gui-scripts"] == {"vdi-workbench": "workbench.gui.shell.start:main"}
    assert "vdi-workbench" not in project["scripts"]


_NAMES = """
import sys
from workbench.gui.shell import start
from PySide6.QtWidgets import QApplication
def look(application):
    sizes = sorted(size.width() for size in application.windowIcon().availableSizes())
    names = application.applicationName(), application.applicationDisplayName(), application.desktopFileName()
    print(*names, sizes[0], sizes[-1], sep="|", flush=True)
    import os
    os._exit(0)
QApplication.exec = look
start.main([])
"""


@pytest.mark.usefixtures("own_store")
def test_that_the_system_gets_the_name_and_the_icon_of_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", _NAMES], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "vdi-workbench|VDI Workbench|vdi-workbench|16|256"


def test_that_the_icon_is_drawn_at_every_size(qapp: QApplication) -> None:
    icon = assets.program_icon()
    for size in (16, 32, 256):
        image = icon.pixmap(size, size).toImage()
        assert image.pixelColor(0, 0).alpha() == 0
        colours = {image.pixelColor(x, y).name() for x in range(size) for y in range(size)}
        assert QColor("#14324a").name() in colours
        assert len(colours) > 3


def test_that_macos_has_only_preferences_and_about_and_quit_in_the_program_menu(window: MainWindow) -> None:
    roles = {
        action.data(): action.menuRole()
        for action in window.menuBar().findChildren(QAction)
        if action.data() in {entry.key for entry in ACTIONS}
    }
    role = QAction.MenuRole
    own = {key: value for key, value in roles.items() if value != role.NoRole}
    assert own == {
        "preferences.show": role.PreferencesRole,
        "questions.about": role.AboutRole,
        "main_window.quit": role.QuitRole,
    }
