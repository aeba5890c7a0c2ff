"""The form of a page above its tables."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.charts.inputs import Form


class FormPanel(QWidget):
    """`changed` passes the key of an input and its value; `write_asked` asks to write the result."""

    changed = Signal(str, object)
    write_asked = Signal()

    @property
    def first(self) -> QWidget:
        """The widget that gets the keyboard focus."""
        return self

    def show_form(self, form: Form | None) -> None:
        """Shows the chosen values; None hides the form."""
        self.setVisible(form is not None)
