"""The list of many configurations: what narrows, groups and orders them, a row with small charts for each, and a tick
for each that the chart draws."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox

from workbench.answers.common.listing import NAME
from workbench.answers.common.names import DRAWN, FILTER, GROUPED, SORTED
from workbench.charts.content import Listing
from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, TableData
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.boxes import choice_box
from workbench.gui.widgets.table_card import TableCard


class ConfigurationList(TableCard):
    """`changed` carries the key of an input and its new value; what is shown then is what the answer lists."""

    changed = Signal(str, object)

    def __init__(self) -> None:
        self.boxes: dict[str, QComboBox] = {}
        self._drawn: tuple[str, ...] = ()
        super().__init__(NAME)
        # The answer orders the rows, under their headings.
        self.table.setSortingEnabled(False)
        self.table.ticked.connect(self._tick)
        self.row_opened.connect(lambda _name, row: self._tick(row[0]))

    def show_listing(self, listing: Listing, theme: ThemeName) -> None:
        """Shows what was answered; the row and the place that the user is at stay."""
        self._drawn = listing.drawn
        for field in listing.inputs:
            box = self.boxes[field.key]
            with QSignalBlocker(box):
                if not box.count():
                    for words in field.choices:
                        box.addItem(tr(words), words)
                box.setCurrentIndex(field.choices.index(str(field.value)))
            box.setToolTip(plain_tip(field.tip))
        if self.filter.text() != listing.filter:
            with QSignalBlocker(self.filter):
                self.filter.setText(listing.filter)
        self.show_rows(listing.table, theme)

    def show_rows(self, table: TableData, theme: ThemeName) -> None:
        """Shows these rows alone, as they are while an edge of a phase is dragged."""
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
