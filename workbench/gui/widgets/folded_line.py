"""A line of text that is as long as it is, or cut to one line with a button that unfolds it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.gui.services.translation import tr
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.wrapped_label import WrappedLabel


class FoldedLine(QWidget):
    """Shows all of its text unless it is short of room and nobody has unfolded it."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.whole, self.first = WrappedLabel(role), ElidedLabel(role)
        self.button = QPushButton()
        self.button.setProperty("kind", "link")
        # As high as the line, so that it takes no room from what stands above.
        self.button.setProperty("slim", True)
        self.button.clicked.connect(self._turn)
        self._short = self._unfolded = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.whole, 1)
        row.addWidget(self.first, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)

    def show_text(self, text: str) -> None:
        """Shows `text`; nothing takes no room."""
        if text != self.whole.text():
            self._unfolded = False
        self.whole.setText(text)
        self.first.show_text(text)
        self.setVisible(bool(text))
        self._lay_out()

    def shorten(self, on: bool) -> None:
        """Whether there is no room for more than one line."""
        if on != self._short:
            self._short = on
            self._lay_out()

    def whole_height(self, width: int) -> int:
        """Pixels that all of the text takes at this width; 0 where there is none."""
        return self.whole.heightForWidth(width) if self.whole.text() else 0

    def _turn(self) -> None:
        self._unfolded = not self._unfolded
        self._lay_out()

    def _lay_out(self) -> None:
        folded = self._short and not self._unfolded
        self.whole.setVisible(not folded)
        self.first.setVisible(folded)
        self.button.setVisible(self._short)
        self.button.setText(tr("Less") if self._unfolded else tr("More"))
