"""Unsaved work, and the dialog that asks about it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import settle
from workbench.gui.shell.main_window import MainWindow


def work(window: MainWindow, qtbot: QtBot, hidden: str = "MCSIO 256 MB") -> None:
    """Makes an edit that must be saved."""
    window.workspace.apply(hidden=frozenset({hidden}))
    settle(window, qtbot)


def asked(window: MainWindow) -> QMessageBox:
    """The question that is open."""
    boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert len(boxes) == 1, "one question, not none and not two"
    return boxes[0]


def not_asked(window: MainWindow) -> bool:
    return not any(box.isVisible() for box in window.findChildren(QMessageBox))


def press(window: MainWindow, words: str) -> None:
    """Presses a button of the question."""
    next(button for button in asked(window).buttons() if button.text().replace("&", "") == words).click()


def save_as(window: MainWindow, file: Path | None) -> None:
    """Answers the file dialog; None: cancels it."""
    dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
    if file is None:
        dialog.reject()
    else:
        dialog.selectFile(str(file))
        dialog.accept()


def quit_by_menu(window: MainWindow) -> None:
    window.act("main_window.quit")


def close_by_button(window: MainWindow) -> None:
    window.close()


def lab(folder: Path) -> Path:
    """A study that is read quickly."""
    for run in ("MCS 1VM", "PVS 1VM"):
        disk_csv(folder / run / "a.csv", folder.name, [10.0] * 48, [5.0] * 48)
    return folder


def names(window: MainWindow) -> list[str]:
    return [study.name for study in window.workspace.library.studies]
