"""What a page asks over its tables."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.charts.inputs import Form


class FormPanel(QWidget):
    """`changed` carries the key of an input and its value; `write_asked` asks for what was chosen to be written."""

    changed = Signal(str, object)
    write_asked = Signal()

    @property
    def first(self) -> QWidget:
        """What takes the keyboard."""
        return self

    def show_form(self, form: Form | None) -> None:
        """Shows what was chosen; None hides it."""
        self.setVisible(form is not None)
