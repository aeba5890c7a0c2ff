"""The field at the right end of the menu bar that opens the command palette."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from workbench.gui.services.assets import icon
from workbench.gui.services.theme import current_theme, labelled, running_application
from workbench.gui.services.translation import key_words, tr


class Finder(QPushButton):
    """Looks like a field with the keys beside it. The keyboard has Ctrl+K, so Tab passes it by."""

    def __init__(self) -> None:
        super().__init__(tr("Search or run a command"))
        self.setObjectName("finder")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._keys = labelled(key_words("Ctrl+K"), "keys")
        self._keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 20, 0)
        row.addStretch(1)
        row.addWidget(self._keys, 0, Qt.AlignmentFlag.AlignVCenter)

    def sizeHint(self) -> QSize:
        """Room for words and keys."""
        return super().sizeHint() + QSize(self._keys.sizeHint().width() + 14, 0)

    def changeEvent(self, event: QEvent) -> None:
        """Takes the icon of the theme."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.setIcon(icon("search", current_theme(running_application())))
