"""What stands on the cover of documents: customer, author and logo. Asked once, and kept for all documents."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from workbench.exporters.wanted import Face
from workbench.gui.services.translation import tr
from workbench.session.settings import DocumentFace


class FaceFields(QWidget):
    """`changed` when anything is typed; `face` is for the document, `kept` for the settings."""

    changed = Signal()

    def __init__(self, kept: DocumentFace) -> None:
        super().__init__()
        self.customer, self.author, self.logo = QLineEdit(kept.customer), QLineEdit(kept.author), QLineEdit(kept.logo)
        named = ((self.customer, tr("Customer")), (self.author, tr("Author")), (self.logo, tr("Logo (.png, .jpg)")))
        for field, words in named:
            field.setPlaceholderText(words)
            field.setAccessibleName(words)
            field.textChanged.connect(self.changed)
        choose = QPushButton(tr("Choose…"))
        choose.setAccessibleName(tr("Choose a logo"))
        choose.setAutoDefault(False)
        choose.clicked.connect(self._ask_logo)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widgets in ((self.customer, self.author), (self.logo, choose)):
            row = QHBoxLayout()
            row.setSpacing(8)
            for widget in widgets:
                row.addWidget(widget, isinstance(widget, QLineEdit))
            column.addLayout(row)

    @property
    def face(self) -> Face:
        """What the document bears."""
        kept = self.kept
        return Face(
            customer=kept.customer, author=kept.author, logo=Path(kept.logo).expanduser() if kept.logo else None
        )

    @property
    def kept(self) -> DocumentFace:
        """What is to be remembered."""
        customer, author, logo = (field.text().strip() for field in (self.customer, self.author, self.logo))
        return DocumentFace(customer=customer, author=author, logo=logo)

    def _ask_logo(self) -> None:
        dialog = QFileDialog(self, tr("Choose a logo"), str(Path(self.logo.text()).parent))
        dialog.setNameFilters(["*.png *.jpg *.jpeg"])
        dialog.fileSelected.connect(self.logo.setText)
        dialog.open()
