"""A closed window leaves no object that it created."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, leave
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store


def test_that_a_closed_window_leaves_no_widget(
    qtbot: QtBot, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every remaining widget is styled again, so each window of a long suite would take longer than the one before.
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))
    before = set(QApplication.allWidgets())
    _open_and_close(MainWindow(store, State(), Settings()), qtbot)
    gc.collect()
    left = [type(widget).__name__ for widget in set(QApplication.allWidgets()) - before]
    assert left == []


def _open_and_close(window: MainWindow, qtbot: QtBot) -> None:
    window.show()
    qtbot.waitUntil(lambda: not window.busy, timeout=LONG_MS)
    leave(window)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
