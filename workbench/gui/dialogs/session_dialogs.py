"""What sessions ask: where to save, and whether to bring back unsaved work. The window lives on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QWidget

from workbench.gui.dialogs.bundle_dialog import BundleDialog
from workbench.gui.dialogs.questions import message_box
from workbench.gui.services.translation import tr
from workbench.session.journal import Recovered


class Answer(Enum):
    """What is to become of unsaved work."""

    SAVE = "save"
    GIVE_UP = "give up"
    STAY = "stay"


def ask_unsaved(parent: QWidget, name: str, answered: Callable[[Answer], None]) -> QMessageBox:
    """Asks what is to become of the unsaved work on `name`; closed without an answer, everything stays as it is."""
    box = message_box(parent, tr("Unsaved work"), tr("There is unsaved work on {}.").format(name))
    box.setInformativeText(tr("Save it? Unsaved work is lost."))
    save = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
    give_up = box.addButton(tr("Don't save"), QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.setEscapeButton(stay)
    answers: dict[QAbstractButton, Answer] = {save: Answer.SAVE, give_up: Answer.GIVE_UP}
    box.finished.connect(lambda _: answered(answers.get(box.clickedButton(), Answer.STAY)))
    box.open()
    return box


def ask_place(
    parent: QWidget,
    title: str,
    suggested: Path,
    chosen: Callable[[Path], object],
    given_up: Callable[[], object] = lambda: None,
) -> None:
    """Asks for a file with the ending of `suggested`; `chosen` gets it, `given_up` is called where the user thinks
    better of it."""
    ending = suggested.suffix
    dialog = QFileDialog(parent, title, str(suggested), f"{title.split()[-1].capitalize()} (*{ending})")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(ending.removeprefix("."))
    dialog.selectFile(str(suggested))
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.rejected.connect(given_up)
    dialog.open()


def ask_bundle(parent: QWidget, suggested: Path, chosen: Callable[[Path, bool, Path | None], object]) -> None:
    """Asks where a bundle goes, whether names are replaced in it, and where the key of the names goes."""
    dialog = BundleDialog(parent, suggested)
    dialog.asked.connect(chosen)
    dialog.open()


def ask_recovery(parent: QWidget, recovered: Recovered, answered: Callable[[bool], None]) -> None:
    """Asks whether to bring back what a window left behind that did not close in order."""
    name = recovered.session.name if recovered.session else " and ".join(Path(p).name for p in recovered.document.paths)
    when = recovered.document.saved.replace("T", " ").replace("+00:00", " UTC")
    words = f"VDI Workbench did not close properly. There is unsaved work on {name}, last saved {when}."
    box = message_box(parent, "Unsaved work", words)
    restore = box.addButton(tr("Restore it"), QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(tr("Discard it"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(restore)
    # Closed without an answer, the work stays where it is and is offered again.
    restore.clicked.connect(lambda: answered(True))
    discard.clicked.connect(lambda: answered(False))
    box.open()
