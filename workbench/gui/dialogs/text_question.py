"""A question that is answered with text: Tab leaves the text, Ctrl+Enter confirms it, Esc discards it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QWidget

from workbench.gui.services.layout import in_column
from workbench.gui.services.plain import breakable, plain_title
from workbench.gui.services.theme import labelled, restyle
from workbench.gui.services.translation import tr

_CTRL = Qt.KeyboardModifier.ControlModifier
_LINES, _ONE_LINE = (560, 220), (560, 120)


class TextQuestion(QDialog):
    """Asks with `words` for a text; a single line if not `lines`. The dialog does not block the window. `answered`
    passes the stripped text. With `needed`, an empty text is rejected with that sentence."""

    answered = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        words: str,
        text: str = "",
        *,
        hint: str = "",
        confirm: str = "",
        needed: str = "",
        lines: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(plain_title(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._needed = needed
        self.text: QPlainTextEdit | QLineEdit = QPlainTextEdit(text) if lines else QLineEdit(text)
        self.text.setAccessibleName(words)
        self.text.setPlaceholderText(hint)
        if isinstance(self.text, QPlainTextEdit):
            self.text.setTabChangesFocus(True)
        self.said = labelled("", tone="danger")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self._build(words, confirm)
        self.resize(*(_LINES if lines else _ONE_LINE))
        self.text.setFocus()

    def value(self) -> str:
        """The typed text without leading and trailing blanks."""
        text = self.text.toPlainText() if isinstance(self.text, QPlainTextEdit) else self.text.text()
        return text.strip()

    def accept(self) -> None:
        """Emits the text, or shows that one is needed."""
        if self._needed and not self.value():
            self.said.setText(self._needed)
            self.said.show()
            self.text.setFocus()
            return
        self.answered.emit(self.value())
        super().accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Confirms on Ctrl+Enter from anywhere in the dialog; Return alone adds a line to the text."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & _CTRL:
            self.accept()
            return
        super().keyPressEvent(event)

    def _build(self, words: str, confirm: str) -> None:
        question = labelled(breakable(words), "quiet")
        for label in (question, self.said):
            label.setWordWrap(True)
        self.said.hide()
        save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        save.setToolTip(tr("Ctrl+Enter"))
        if confirm:
            save.setText(confirm)
        save.setProperty("kind", "primary")
        restyle(save)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        in_column(question, (self.text, int(isinstance(self.text, QPlainTextEdit))), self.said, self.buttons, on=self)
