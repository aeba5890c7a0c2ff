"""The box that removes a customer's names from the written file, and the place for the key of the names."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from workbench.gui.services.translation import tr


class NamesField(QWidget):
    """`changed` is emitted when the box or the place of the key changes; `anonymise` and `key` are the choices."""

    changed = Signal()

    def __init__(self, anonymise: bool = False) -> None:
        super().__init__()
        self.box = QCheckBox(tr("Replace users, machines, domains and paths"))
        self.box.setChecked(anonymise)
        self.box.setToolTip(
            tr("Configurations and counters keep their names. Check your own notes before you share it.")
        )
        self.place = QLineEdit()
        self.place.setPlaceholderText(tr("No key file"))
        self.place.setAccessibleName(tr("Key of the names"))
        self._choose = QPushButton(tr("Choose…"))
        self._choose.setAccessibleName(tr("Choose a key file"))
        self._choose.setAutoDefault(False)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.place, 1)
        row.addWidget(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.box)
        column.addLayout(row)
        self.box.toggled.connect(self._toggled)
        self.place.textChanged.connect(self.changed)
        self._choose.clicked.connect(self._ask_place)
        self._show_key()

    @property
    def anonymise(self) -> bool:
        """True if names are replaced."""
        return self.box.isChecked()

    @property
    def key(self) -> Path | None:
        """The file for the key, None if no key is wanted."""
        place = self.place.text().strip()
        return Path(place).expanduser() if place and self.anonymise else None

    def _toggled(self) -> None:
        self._show_key()
        self.changed.emit()

    def _show_key(self) -> None:
        for widget in (self.place, self._choose):
            widget.setVisible(self.anonymise)

    def _ask_place(self) -> None:
        dialog = QFileDialog(self, tr("Key of the names"), self.place.text(), "*.csv")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(self.place.setText)
        dialog.open()
