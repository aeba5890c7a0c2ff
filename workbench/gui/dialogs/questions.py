"""The few questions the window asks. Every dialog lets the window live."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from workbench.gui.services.plain import plain_tip
from workbench.study.series.time_zone import offset_minutes


def ask_folder(parent: QWidget) -> Path | None:
    """A result folder, None when the user thinks better of it."""
    chosen = QFileDialog.getExistingDirectory(parent, "Open a result folder")
    return Path(chosen) if chosen else None


def ask_files(parent: QWidget) -> list[Path]:
    """Result files, sessions or bundles; none when the user thinks better of it."""
    chosen, _ = QFileDialog.getOpenFileNames(parent, "Open result files")
    return [Path(name) for name in chosen]


def ask_time_zone(parent: QWidget, runs: list[str]) -> str | None:
    """A time zone that exists, None when the user thinks better of it."""
    which = ", ".join(runs[:4]) + (f" and {len(runs) - 4} more" if len(runs) > 4 else "")
    question = f"Time zone of {which}\n(the clock of the machine that wrote the file, as +01:00 or Europe/London):"
    text = "+00:00"
    while True:
        text, answered = QInputDialog.getText(parent, "Time zone", plain_tip(question), text=text)
        if not answered:
            return None
        try:
            offset_minutes(text, 0.0)
        except ValueError as error:
            question = f"The time zone {error}."
        else:
            return text.strip()


def about(parent: QWidget, version: str) -> None:
    """What this program is."""
    QMessageBox.about(
        parent,
        "About VDI Workbench",
        f"VDI Workbench {version}\n\nOpens virtual-desktop test results, cuts them into boot, logon and steady "
        "state, and shows per-VM IOPS and cache use side by side.\n\nMIT License.",
    )
