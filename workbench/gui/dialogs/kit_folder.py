"""Where the test kit goes. The window lives on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.gui.services.translation import tr


def ask_kit_folder(parent: QWidget, chosen: Callable[[Path], object]) -> None:
    """Asks for a folder; `chosen` gets it."""
    dialog = QFileDialog(parent, tr("Folder for the test kit"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, tr("Write here"))
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
