"""The bar over the pages that asks what only the user can decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.translation import tr
from workbench.gui.widgets.elided_label import TwoLineLabel

# The words of an answer, what it does in a sentence, and the way to do it.
Answer = tuple[str, str, Callable[[], object]]


class QuestionBar(QFrame):
    """One question at a time with a button for each answer; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("callout", "warning")
        self.setAccessibleName(tr("Question"))
        self.text = TwoLineLabel("")
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 6, 8, 6)
        self._row.setSpacing(8)
        self._row.addWidget(self.text, 1)
        self.hide()

    def ask(self, text: str, answers: Sequence[Answer]) -> None:
        """Asks this in place of what was asked before; nothing where the text is empty."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.text.show_text(text)
        self.buttons = [self._button(answer) for answer in answers]
        self.setVisible(bool(text))

    def _button(self, answer: Answer) -> QPushButton:
        words, tip, act = answer
        button = QPushButton(plain_button(words), self)
        button.setToolTip(plain_tip(tip))
        button.clicked.connect(act)
        self._row.addWidget(button)
        return button
