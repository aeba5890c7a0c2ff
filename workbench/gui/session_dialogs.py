"""What sessions ask: where to save, and whether to bring back unsaved work. The window lives on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from workbench.gui.plain import plain_tip
from workbench.gui.translation import tr
from workbench.session.journal import Recovered


def ask_place(parent: QWidget, title: str, suggested: Path, chosen: Callable[[Path], None]) -> None:
    """Asks for a file with the ending of `suggested`; `chosen` gets it unless the user thinks better of it."""
    ending = suggested.suffix
    dialog = QFileDialog(parent, title, str(suggested), f"{title.split()[-1].capitalize()} (*{ending})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(ending.removeprefix("."))
    dialog.selectFile(str(suggested))
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()


def ask_recovery(parent: QWidget, found: Recovered, answered: Callable[[bool], None]) -> None:
    """Asks whether to bring back what a window left behind that did not close in order."""
    name = found.session.name if found.session else " and ".join(Path(p).name for p in found.document.paths)
    when = found.document.saved.replace("T", " ").replace("+00:00", " UTC")
    box = QMessageBox(
        QMessageBox.Icon.Question, "Unsaved work",
        plain_tip(f"VDI Workbench did not close in order. There is unsaved work on {name}, last kept {when}."),
        QMessageBox.StandardButton.NoButton, parent,
    )  # fmt: skip
    back = box.addButton(tr("Bring it back"), QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(tr("Discard it"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(back)
    # Closed without an answer, the work stays where it is and is offered again.
    back.clicked.connect(lambda: answered(True))
    discard.clicked.connect(lambda: answered(False))
    box.open()
