"""Fields of dialogs: rows with captions, and the button that chooses a file.

Also the box that removes a customer's names from the written file, with the place for the key of the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr


class FormRow(NamedTuple):
    """A row of a form: its caption, its field, and the widget that the caption names for screen readers (default: the
    field, if it is a line or a box of choices). `shown` is True if the row applies now."""

    caption: str
    field: QWidget
    asks: QWidget | None = None
    shown: Callable[[], bool] = lambda: True


def add_rows(form: QFormLayout, rows: Iterable[FormRow]) -> list[tuple[QLabel, FormRow]]:
    """Adds the rows to the form; returns them with their labels."""
    shown = [(labelled(row.caption), row) for row in rows]
    for label, row in shown:
        form.addRow(label, row.field)
        asks = row.asks or row.field
        if isinstance(asks, QLineEdit | QComboBox):
            asks.setAccessibleName(row.caption)
    return shown


def choose_button(name: str, act: Callable[[], object]) -> QPushButton:
    """A button next to a path; `name` tells screen readers what the button chooses."""
    made = QPushButton(tr("Choose…"))
    made.setAccessibleName(name)
    made.setAutoDefault(False)
    made.clicked.connect(act)
    return made


def in_a_row(*widgets: QWidget) -> QWidget:
    """The widgets side by side; lines and whole numbers take the remaining width."""
    holder = QWidget()
    row = in_row(on=holder, margins=(0, 0, 0, 0), spacing=8)
    for widget in widgets:
        row.addWidget(widget, 1 if isinstance(widget, QLineEdit | QSpinBox) else 0)
    return holder


class NamesField(QWidget):
    """`changed` is emitted when the box or the place of the key changes; `anonymise` and `key` are the choices."""

    changed = Signal()

    def __init__(self, anonymise: bool = False) -> None:
        super().__init__()
        self.box = QCheckBox(tr("Replace the names of users, machines, domains and paths"))
        self.box.setChecked(anonymise)
        self.box.setToolTip(
            tr("Configurations and counters keep their names. Check your own notes before you share the file.")
        )
        self.place = QLineEdit()
        self.place.setPlaceholderText(tr("No key file"))
        self.place.setAccessibleName(tr("Key file with the original names"))
        self._key = in_a_row(self.place, choose_button(tr("Choose a key file"), self._ask_place))
        in_column(self.box, self._key, on=self, margins=(0, 0, 0, 0))
        self.box.toggled.connect(self._toggled)
        self.place.textChanged.connect(self.changed)
        self._key.setVisible(self.anonymise)

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
        self._key.setVisible(self.anonymise)
        self.changed.emit()

    def _ask_place(self) -> None:
        dialog = QFileDialog(self, tr("Key file with the original names"), self.place.text(), "*.csv")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(self.place.setText)
        dialog.open()
