"""The dialog of a bundle: where it goes, and whether it keeps the customer's names. The window lives on beside it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from workbench.gui.dialogs.names_field import NamesField
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr


class BundleDialog(QDialog):
    """`asked` carries the path, whether names are replaced, and the path of the key or None."""

    asked = Signal(object, bool, object)

    def __init__(self, parent: QWidget, suggested: Path) -> None:
        super().__init__(parent)
        self._ending = suggested.suffix
        self.setObjectName("page")
        self.setWindowTitle(tr("Save bundle"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        self.place, self.names = QLineEdit(str(suggested)), NamesField()
        self.place.setAccessibleName(tr("Where"))
        choose = QPushButton(tr("Choose…"))
        choose.setAccessibleName(tr("Choose a folder"))
        choose.setAutoDefault(False)
        choose.clicked.connect(self._ask_place)
        row = QHBoxLayout()
        row.addWidget(self.place, 1)
        row.addWidget(choose)
        buttons = QDialogButtonBox()
        save = buttons.addButton(tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        save.setProperty("kind", "primary")
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(labelled(tr("Where")), row)
        form.addRow(labelled(tr("Names")), self.names)
        form.addRow(buttons)

    def accept(self) -> None:
        """Asks for the bundle, with the ending of one."""
        place = self.place.text().strip()
        # A folder alone, such as the root of a drive, is no place for a file.
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
