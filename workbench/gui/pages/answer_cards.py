"""The row of answer cards under a page's title."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from workbench.charts.cards import Card
from workbench.charts.palette import ThemeName
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.elided_label import ElidedLabel, FittedLabel, TwoLineLabel
from workbench.gui.widgets.look_icon import look_pixmap

# In large type the space between groups of digits is thin; the one before the unit must not look like it.
_SPACE = "\u00a0"


class AnswerCards(QWidget):
    """One card per configuration, side by side, equally wide. `source_asked` tells the Source of a card that was
    double-clicked, or on which Return was pressed or the menu asked."""

    source_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.cards: tuple[Card, ...] = ()

    def show_cards(self, cards: Sequence[Card], theme: ThemeName) -> None:
        """Shows these cards in place of the ones before."""
        self.cards = tuple(cards)
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for card in cards:
            frame = _frame(card, theme)
            frame.source_asked.connect(self.source_asked)
            self._row.addWidget(frame, 1)
        self.setVisible(bool(cards))


class CardFrame(QFrame):
    """The frame of one card; where its number comes from is asked by double click, Return or the menu."""

    source_asked = Signal(object)

    def __init__(self, card: Card) -> None:
        super().__init__()
        self._source = card.source
        if card.source is not None:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self.customContextMenuRequested.connect(lambda at: self.menu().popup(self.mapToGlobal(at)))

    def menu(self) -> QMenu:
        """The menu that asks the one question."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Where does this number come from?"))
        menu.addAction(tr("Where does this number come from?"), self._ask)
        return menu

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Asks for the source."""
        self._ask()
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return asks for the source."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._source is not None:
            self._ask()
            return
        super().keyPressEvent(event)

    def _ask(self) -> None:
        if self._source is not None:
            self.source_asked.emit(self._source)


def _frame(card: Card, theme: ThemeName) -> CardFrame:
    frame = CardFrame(card)
    frame.setProperty("card", True)
    frame.setAccessibleName(f"{card.title}: {card.value} {card.unit}, {card.note}, {card.detail}")
    column = QVBoxLayout(frame)
    column.setContentsMargins(16, 10, 16, 11)
    column.setSpacing(1)
    head = QHBoxLayout()
    head.setSpacing(8)
    swatch = labelled("")
    swatch.setPixmap(look_pixmap(card.look, theme))
    head.addWidget(swatch)
    title = FittedLabel("heading")
    title.show_fitted(card.title)
    head.addWidget(title, 1)
    column.addLayout(head)
    value = FittedLabel("big")
    value.show_fitted(f"{card.value}{_SPACE}{card.unit}" if card.unit else card.value, card.value)
    column.addWidget(value)
    column.addWidget(_label(card.note, "quiet"))
    if card.detail:
        column.addWidget(_label(card.detail, "quiet"))
    column.addStretch(1)
    return frame


def _label(text: str, role: str) -> ElidedLabel:
    """A label that gives way: a narrow window breaks it, then cuts its end, and the tip has it whole."""
    label = TwoLineLabel(role)
    label.show_text(text)
    return label
