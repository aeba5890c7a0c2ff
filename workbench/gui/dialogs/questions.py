"""The questions of the window. No dialog blocks the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLabel, QMessageBox, QWidget

from workbench import __version__
from workbench.gui.services.actions import command
from workbench.gui.services.plain import breakable, plain_button
from workbench.gui.services.translation import tr
from workbench.model.problem import few_named
from workbench.model.resources import licence_texts
from workbench.study.series.time_zone import offset_minutes


def message_box(parent: QWidget, title: str, text: str) -> QMessageBox:
    """A message without an icon. Names in its text are shown as written. The caller adds buttons and opens it."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(breakable(text))
    return box


def word(dialog: QInputDialog, question: str) -> None:
    """Sets the question of a dialog, in lines. Names in it are shown as written."""
    dialog.setLabelText("\n".join(plain_button(breakable(line)) for line in question.split("\n")))
    for label in dialog.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)


def ask_folder(parent: QWidget) -> Path | None:
    """Asks for a result folder; None if the user cancels."""
    chosen = QFileDialog.getExistingDirectory(parent, tr("Open a result folder"))
    return Path(chosen) if chosen else None


def ask_files(parent: QWidget) -> list[Path]:
    """Asks for result files, workspace files or bundles; empty if the user cancels."""
    chosen, _ = QFileDialog.getOpenFileNames(parent, tr("Open result files"))
    return [Path(name) for name in chosen]


def ask_time_zone(parent: QWidget, runs: list[str]) -> str | None:
    """Asks for an existing time zone; None if the user cancels."""
    which = few_named(runs)
    question = f"Time zone of {which}\n(clock of the machine that wrote the file, such as +01:00 or Europe/London):"
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(tr("Time zone"))
    dialog.setTextValue("+00:00")
    while True:
        word(dialog, question)
        if not dialog.exec():
            return None
        try:
            offset_minutes(dialog.textValue(), 0.0)
        except ValueError as error:
            question = f"The time zone {error}."
        else:
            return dialog.textValue().strip()


@command("&Help", "&About VDI Workbench", place=120)
def about(parent: QWidget) -> None:
    """Shows a description of the application, and the licences of it and its parts; the details contain their texts."""
    box = message_box(
        parent,
        tr("About VDI Workbench"),
        f"VDI Workbench {__version__}\n\n"
        + tr(
            "Opens results of virtual-desktop tests, divides them into boot, logon and steady state, and shows IOPS "
            "per VM and cache use side by side."
        ),
    )
    box.setInformativeText(
        tr(
            "VDI Workbench: MIT License.\nTypeface Inter: SIL Open Font License 1.1.\n"
            "uPlot, in report pages: MIT License.\n"
            "Qt and PySide6: GNU LGPL 3.0; you may replace their libraries in the VDI Workbench folder."
        )
    )
    texts = (f"{name}\n\n{text.strip()}" for name, text in licence_texts().items())
    box.setDetailedText("\n\n\n".join(texts))
    box.setStandardButtons(QMessageBox.StandardButton.Close)
    box.open()
