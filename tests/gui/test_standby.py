"""Workers on standby while the window is empty: the first import uses them, and none remains after it."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import LONG_MS, after, open_and_wait
from workbench.gui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("own_workers")


def lab(folder: Path) -> Path:
    for number in range(8):
        disk_csv(folder / "MCS 8VM" / f"{number}.csv", f"V{number}", [10.0 + number] * 20, [5.0] * 20)
    return folder


def waiting() -> int:
    return len(multiprocessing.active_children())


def test_that_the_first_import_uses_the_standby_workers(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    after(window, qtbot, window.importer.stand_by)
    assert waiting() > 0
    open_and_wait(window, qtbot, lab(tmp_path / "lab"))
    assert waiting() == 0
    assert len(window.workspace.library.files) == 8
    assert all(report.recognised for report in window.workspace.library.files)


def test_that_no_worker_is_on_standby_after_a_folder_was_loaded_from_the_store(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = lab(tmp_path / "lab")
    open_and_wait(window, qtbot, folder)
    after(window, qtbot, window.importer.stand_by)
    assert waiting() > 0
    open_and_wait(window, qtbot, folder)
    qtbot.waitUntil(lambda: waiting() == 0, timeout=LONG_MS)


def test_that_dismissed_workers_end_at_once(window: MainWindow, qtbot: QtBot) -> None:
    after(window, qtbot, window.importer.stand_by)
    assert waiting() > 0
    window.importer.dismiss()
    assert waiting() == 0
