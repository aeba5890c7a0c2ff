"""The row of answer cards under a page's title.

Also the list of many configurations: filters, groups and order at the top, a row with small charts for each
configuration, and a tick for each that the chart draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import takewhile

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QComboBox, QFrame, QMenu, QSizePolicy, QWidget

from workbench.answers.common.listing import NAME
from workbench.answers.common.names import DRAWN, FILTER, GROUPED, SORTED
from workbench.charts.content import Card, Listing
from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, TableData
from workbench.gui.plot.view import FigureView
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.boxes import choice_box
from workbench.gui.widgets.labels import FittedLabel, PartsLabel
from workbench.gui.widgets.look_icon import look_pixmap
from workbench.gui.widgets.table_card import TableCard

# Large text separates digit groups with a thin space, so the space before the unit must be wider.
_SPACE = "\u00a0"


class AnswerCards(QWidget):
    """One card per configuration, side by side and equally wide, or each over its column of a figure.

    `source_asked` reports the Source of a card that was double-clicked, or on which the user pressed Return or used the
    menu.
    """

    source_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = in_row(on=self, margins=(0, 0, 0, 0), spacing=12)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.cards: tuple[Card, ...] = ()
        self._frames: list[CardFrame] = []
        self._figure: FigureView | None = None

    def stand_over(self, figure: FigureView) -> None:
        """Makes the cards the headings of the columns of a figure: each over the column with its title, without a
        frame."""
        self._figure = figure
        self.setParent(figure)
        figure.columns_moved.connect(self._place)

    def _height_at(self, width: float) -> float:
        """The height in pixels of the highest card at a width."""
        return float(max((frame.heightForWidth(round(width)) for frame in self._frames), default=0))

    def _place(self) -> None:
        """Puts every card over its column. A card whose column is out of view is hidden."""
        if self._figure is None:
            return
        heads = dict(self._figure.column_heads())
        whole = reduce(QRectF.united, heads.values(), QRectF())
        self.setGeometry(whole.toRect())
        for card, frame in zip(self.cards, self._frames, strict=True):
            area = heads.get(card.title)
            frame.setVisible(area is not None)
            if area is not None:
                frame.setGeometry(area.translated(-whole.topLeft()).toRect())

    def show_cards(self, cards: Sequence[Card], theme: ThemeName) -> None:
        """Shows these cards instead of the earlier ones. Frames are reused for cards of one kind."""
        pairs = zip(cards, self.cards, strict=False)
        alike = sum(1 for _ in takewhile(lambda pair: _kind(pair[0]) == _kind(pair[1]), pairs))
        for frame, card in zip(self._frames[:alike], cards, strict=False):
            frame.tell(card, theme)
        changed = alike < max(len(cards), len(self.cards))
        self.cards = tuple(cards)
        if not changed:
            self._show_all()
            return
        # Hidden meanwhile, because Qt would otherwise arrange the whole page again for every shown frame.
        self.hide()
        for frame in self._frames[alike:]:
            self._row.removeWidget(frame)
            frame.hide()
            frame.deleteLater()
        fresh = [CardFrame(card, theme, head=self._figure is not None) for card in cards[alike:]]
        for frame in fresh:
            frame.source_asked.connect(self.source_asked)
            if self._figure is None:
                self._row.addWidget(frame, 1)
            else:
                frame.setParent(self)
            frame.show()
        self._frames[alike:] = fresh
        self._show_all()

    def _show_all(self) -> None:
        """Shows all cards, their titles in one size and their values in one; a figure below leaves room for them."""
        for labels in ([frame.title for frame in self._frames], [frame.value for frame in self._frames]):
            for label in labels:
                label.beside = tuple(labels)
                label.update()
        self.setVisible(bool(self.cards))
        if self._figure is not None:
            self._figure.leave_heads(self._height_at if self.cards else None)


class CardFrame(QFrame):
    """The frame of one card. A double-click, Return or the menu asks for the source of its number."""

    source_asked = Signal(object)

    def __init__(self, card: Card, theme: ThemeName, *, head: bool = False) -> None:
        super().__init__()
        self.setProperty("head" if head else "card", True)
        self._margins = (0, 0, 0, 0) if head else (16, 10, 16, 11)
        self.title, self.value = FittedLabel("heading"), FittedLabel("big")
        self._note = PartsLabel("quiet")
        self._detail = PartsLabel("quiet") if card.detail else None
        self._swatch = labelled("")
        self._lay_out()
        self.tell(card, theme)
        if card.source is not None:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self.customContextMenuRequested.connect(lambda at: self.menu().popup(self.mapToGlobal(at)))

    def tell(self, card: Card, theme: ThemeName) -> None:
        """Shows the text of the card. Its lines wrap in a narrow window."""
        self._source = card.source
        self._swatch.setPixmap(look_pixmap(card.look, theme))
        self.setAccessibleName(card.sentences(tr("Change from the baseline")))
        self.title.show_fitted(card.heading)
        self.title.setToolTip(plain_tip(card.title))
        self.value.show_fitted(f"{card.value}{_SPACE}{card.unit}" if card.unit else card.value, card.value)
        self._note.show_text(card.note)
        if self._detail is not None:
            self._detail.show_text(card.detail)

    def _lay_out(self) -> None:
        head = in_row(self._swatch, (self.title, 1), spacing=8)
        column = in_column(head, on=self, margins=self._margins, spacing=1)
        for label in (self.value, self._note, self._detail):
            if label is not None:
                column.addWidget(label)
        column.addStretch(1)

    def menu(self) -> QMenu:
        """The context menu with its one entry."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Show source"))
        menu.addAction(tr("Show source"), self._ask)
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


def _kind(card: Card) -> tuple[object, ...]:
    """The properties of a card that need another frame when they change."""
    return bool(card.detail), card.source is None


class ConfigurationList(TableCard):
    """Emits `changed` with the key of an input and its new value. The list shows the content of the answer."""

    changed = Signal(str, object)

    def __init__(self) -> None:
        self.boxes: dict[str, QComboBox] = {}
        self._drawn: tuple[str, ...] = ()
        super().__init__(NAME)
        # The answer defines the order of the rows, under their headings.
        self.table.setSortingEnabled(False)
        self.table.ticked.connect(self._tick)
        self.row_opened.connect(lambda _name, row: self._tick(row[0]))

    def show_listing(self, listing: Listing, theme: ThemeName) -> None:
        """Shows an answer. The current row and the scroll position stay."""
        self._drawn = listing.drawn
        for field in listing.inputs:
            box = self.boxes[field.key]
            with QSignalBlocker(box):
                if not box.count():
                    for words in field.choices:
                        box.addItem(said(words), words)
                box.setCurrentIndex(field.choices.index(str(field.value)))
            box.setToolTip(plain_tip(field.tip))
        if self.filter.text() != listing.filter:
            with QSignalBlocker(self.filter):
                self.filter.setText(listing.filter)
        self.show_rows(listing.table, theme)

    def show_rows(self, table: TableData, theme: ThemeName) -> None:
        """Shows only these rows, while an edge of a phase is dragged."""
        current, scrolled = self.table.current_key(), self.table.verticalScrollBar().value()
        self.show_tables((table,), theme)
        if current:
            self.table.choose(current)
        self.table.verticalScrollBar().setValue(scrolled)

    def _filter(self, text: str) -> None:
        self.changed.emit(FILTER, text)

    def _show_tab(self, index: int) -> None:
        self.table_at(index)
        self._show_legend(index)

    def _tick(self, cell: Cell) -> None:
        if cell.ticked is None:
            return
        others = [label for label in self._drawn if label != cell.key]
        self.changed.emit(DRAWN, "\n".join(others if cell.ticked else [cell.key, *others]))

    def _build(self) -> None:
        super()._build()
        for key, caption in ((GROUPED, "Group by"), (SORTED, "Sort by")):
            box = self.boxes[key] = choice_box()
            box.setAccessibleName(tr(caption))
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            label = labelled(plain_button(tr(caption)), "caption")
            label.setBuddy(box)
            box.activated.connect(lambda at, key=key, box=box: self.changed.emit(key, box.itemData(at)))
            for widget in (label, box):
                self._head.insertWidget(self._head.count() - 1, widget)
