"""Questions about workspaces: the place to save, whether unsaved work is restored, and the place of a bundle.

The dialog of a bundle also asks whether the customer's names are kept. No dialog blocks the window.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QMessageBox,
    QWidget,
)

from workbench.gui.dialogs.fields import FormRow, NamesField, add_rows, choose_button, in_a_row
from workbench.gui.dialogs.questions import message_box
from workbench.gui.services.translation import tr
from workbench.session.journal import Recovered


class RecoveryAnswer(Enum):
    """The action for unsaved work."""

    SAVE = "save"
    GIVE_UP = "give up"
    STAY = "stay"


def ask_unsaved(parent: QWidget, name: str, answered: Callable[[RecoveryAnswer], None]) -> QMessageBox:
    """Opens and returns the question about the unsaved work on `name`. Closed without an answer, nothing changes."""
    box = message_box(parent, tr("Unsaved work"), tr("There are unsaved changes in {}.").format(name))
    box.setInformativeText(tr("Save the changes? Otherwise they are lost."))
    save = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
    give_up = box.addButton(tr("Don't save"), QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.setEscapeButton(stay)
    answers: dict[QAbstractButton, RecoveryAnswer] = {save: RecoveryAnswer.SAVE, give_up: RecoveryAnswer.GIVE_UP}
    box.finished.connect(lambda _: answered(answers.get(box.clickedButton(), RecoveryAnswer.STAY)))
    box.open()
    return box


def ask_place(
    parent: QWidget,
    title: str,
    suggested: Path,
    chosen: Callable[[Path], object],
    given_up: Callable[[], object] = lambda: None,
) -> None:
    """Asks for a file with the ending of `suggested`. `chosen` gets it, `given_up` is called if the user cancels."""
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
    """Asks for the file of a bundle, if names are replaced in it, and for the file with the key of the names."""
    dialog = BundleDialog(parent, suggested)
    dialog.asked.connect(chosen)
    dialog.open()


def ask_recovery(parent: QWidget, recovered: Recovered, answered: Callable[[bool], None]) -> None:
    """Asks if work should be restored from a window that did not close normally."""
    name = recovered.session.name if recovered.session else " and ".join(Path(p).name for p in recovered.document.paths)
    when = recovered.document.saved.replace("T", " ").replace("+00:00", " UTC")
    words = f"VDI Workbench did not close properly. Unsaved changes in {name} were backed up at {when}."
    box = message_box(parent, "Unsaved work", words)
    restore = box.addButton(tr("Restore changes"), QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(tr("Discard changes"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(restore)
    # If the question is closed without an answer, the work stays in the journal and is offered again.
    restore.clicked.connect(lambda: answered(True))
    discard.clicked.connect(lambda: answered(False))
    box.open()


class BundleDialog(QDialog):
    """`asked` passes the path, True if names are replaced, and the path of the key or None."""

    asked = Signal(object, bool, object)

    def __init__(self, parent: QWidget, suggested: Path) -> None:
        super().__init__(parent)
        self._ending = suggested.suffix
        self.setObjectName("page")
        self.setWindowTitle(tr("Save bundle"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        self.place, self.names = QLineEdit(str(suggested)), NamesField()
        where = in_a_row(self.place, choose_button(tr("Choose a folder"), self._ask_place))
        buttons = QDialogButtonBox()
        save = buttons.addButton(tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        save.setProperty("kind", "primary")
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        add_rows(form, (FormRow(tr("Where"), where, self.place), FormRow(tr("Names"), self.names)))
        form.addRow(buttons)

    def accept(self) -> None:
        """Requests the bundle, with the file ending of a bundle."""
        place = self.place.text().strip()
        # A path that is only a folder, such as the root of a drive, is not valid for a file.
        if not Path(place).name:
            self.place.setFocus()
            return
        path = Path(place).expanduser()
        path = path if path.suffix == self._ending else path.with_name(f"{path.name}{self._ending}")
        self.asked.emit(path, self.names.anonymise, self.names.key)
        super().accept()

    def _ask_place(self) -> None:
        dialog = QFileDialog(self, tr("Save bundle"), self.place.text(), f"*{self._ending}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(self._ending.removeprefix("."))
        dialog.selectFile(self.place.text())
        dialog.fileSelected.connect(self.place.setText)
        dialog.open()
