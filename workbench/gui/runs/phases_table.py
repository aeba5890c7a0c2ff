"""The table of a run's phases in which names and clock times are typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.services.plain import plain_tip
from workbench.gui.services.translation import tr
from workbench.model.phase import EDITED, STANDARD_PHASES, Phase
from workbench.session.phase_rows import Clock, PhaseRow, row_of
from workbench.words.metrics import rule_of

_TITLES = ("Phase", "Start", "End", "Evidence")
_NAME, _START, _END, _EVIDENCE = range(4)
_WIDTHS, _ROW_HEIGHT = (130, 190, 190), 32


class PhasesTable(QWidget):
    """Shows phases as rows; `read` are those that the evidence gives, by name."""

    def __init__(self, phases: Sequence[Phase], read: Mapping[str, Phase], clock: Clock) -> None:
        super().__init__()
        self._clock, self._read = clock, read
        self._was: list[Phase | None] = []
        self.table = QTableWidget(0, len(_TITLES))
        self.add = QPushButton(tr("Add a phase"))
        self.remove = QPushButton(tr("Remove"))
        self.back = QPushButton(tr("Back to the evidence"))
        self._build()
        for phase in phases:
            self._append(row_of(phase, clock))
        self._offer()

    def rows(self) -> list[PhaseRow]:
        """The rows as they are typed now."""
        return [
            PhaseRow(self._text(at, _NAME), self._text(at, _START), self._text(at, _END), was)
            for at, was in enumerate(self._was)
        ]

    def add_row(self) -> None:
        """A new row, ready to be typed in: it begins where the last phase ends."""
        ends = [self._text(at, _END) for at in range(self.table.rowCount())]
        start = ends[-1] if ends else self._clock.text(self._clock.first or 0.0)
        last = self._clock.last
        self._append(PhaseRow("", start, start if last is None else self._clock.text(last)))
        self.table.setCurrentCell(self.table.rowCount() - 1, _NAME)
        if (name := self.table.item(self.table.rowCount() - 1, _NAME)) is not None:
            self.table.editItem(name)

    def remove_row(self) -> None:
        """Takes out the row at hand."""
        if (at := self.table.currentRow()) >= 0:
            del self._was[at]
            self.table.removeRow(at)
        self._offer()

    def reset_row(self) -> None:
        """The row at hand as the evidence has it."""
        at = self.table.currentRow()
        if at >= 0 and (phase := self._read.get(self._text(at, _NAME))) is not None:
            self._was[at] = phase
            self._fill(at, row_of(phase, self._clock))
        self._offer()

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""

    def _append(self, row: PhaseRow) -> None:
        self._was.append(row.was)
        self.table.setRowCount(len(self._was))
        self._fill(len(self._was) - 1, row)

    def _fill(self, at: int, row: PhaseRow) -> None:
        evidence = "yours" if row.was is None or row.was.evidence == EDITED else row.was.evidence
        rule = "" if row.was is None else rule_of(row.was)
        for index, text in enumerate((row.name, row.start, row.end, evidence)):
            item = QTableWidgetItem(text)
            fixed = index == _EVIDENCE or (index == _NAME and row.name in STANDARD_PHASES)
            if fixed:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            if index == _EVIDENCE and rule:
                item.setToolTip(plain_tip(rule))
            self.table.setItem(at, index, item)

    def _offer(self) -> None:
        """What can be done with the row at hand: phases of the evidence cannot be removed, only put back."""
        at = self.table.currentRow()
        name = self._text(at, _NAME) if at >= 0 else ""
        known = name in self._read
        self.remove.setEnabled(at >= 0 and not (known and name in STANDARD_PHASES))
        self.back.setEnabled(known)

    def _build(self) -> None:
        self.table.setAccessibleName(tr("Phases"))
        self.table.setHorizontalHeaderLabels(list(_TITLES))
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        # Tab leaves the table: the cells are reached with the arrow keys.
        self.table.setTabKeyNavigation(False)
        for section, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(section, width)
        self.table.horizontalHeader().setSectionResizeMode(_EVIDENCE, QHeaderView.ResizeMode.Stretch)
        buttons = QHBoxLayout()
        for button, do in ((self.add, self.add_row), (self.remove, self.remove_row), (self.back, self.reset_row)):
            button.setAutoDefault(False)
            button.clicked.connect(do)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
        self.table.currentCellChanged.connect(lambda *_: self._offer())
