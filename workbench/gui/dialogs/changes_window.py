"""A window next to the main one with the changes since a chosen state, and their causes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QPushButton, QWidget

from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tables_in_window_language, tr
from workbench.gui.widgets.boxes import choice_box
from workbench.gui.widgets.table_card import TableCard


class ChangesWindow(QDialog):
    """Does not block the main window; Escape closes it. `chosen` reports the position of the state to compare with,
    `save_wanted` asks to save the rows."""

    chosen = Signal(int)
    save_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(tr("Changes"))
        self.resize(1060, 560)
        self.since = choice_box()
        self.since.setAccessibleName(tr("Compare with"))
        self.since.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.since.setMinimumContentsLength(44)
        self.save = QPushButton(tr("Save as CSV…"))
        self.headline = _sentence("heading")
        self.notes = _sentence("quiet")
        self.card = TableCard("Changed values")
        self.since.currentIndexChanged.connect(self.chosen)
        self.save.clicked.connect(self.save_wanted)
        self._lay_out()

    def offer(self, titles: Sequence[str], at: int = 0) -> None:
        """Offers these states and selects one without emitting a signal."""
        self.since.blockSignals(True)
        self.since.clear()
        self.since.addItems([said(title) for title in titles])
        self.since.setCurrentIndex(at)
        self.since.blockSignals(False)

    def wait(self) -> None:
        """Shows that the answer is being computed."""
        self.show_changes(tr("Comparing…"), (), (), "light")

    def show_changes(
        self, headline: str, notes: Sequence[str], tables: tuple[TableData, ...], theme: ThemeName
    ) -> None:
        """Shows the changes: sentences above the tables."""
        self.headline.setText(said(headline))
        self.notes.setText(" ".join(said(note) for note in notes))
        self.notes.setVisible(bool(notes))
        self.card.setVisible(bool(tables))
        self.save.setEnabled(bool(tables))
        if tables:
            self.card.show_tables(tables_in_window_language(tables), theme)

    def _lay_out(self) -> None:
        head = in_row(labelled(tr("Compare with"), "quiet"), (self.since, 1), 1, self.save)
        in_column(head, self.headline, self.notes, (self.card, 1), 0, on=self, margins=(16, 14, 16, 14), spacing=12)


def _sentence(role: str) -> QLabel:
    label = labelled("", role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
