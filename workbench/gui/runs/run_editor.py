"""Edit runs: shows the data of the files and the guesses about runs, to correct them by hand. The window is not
blocked.

Also the table of a run's phases, in which names and clock times are edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from workbench.gui.runs.run_fields import AS_THEY_ARE, FACTS, OF_SEVERAL, Field, labels_of, offer_names
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_tip, plain_title
from workbench.gui.services.theme import labelled, restyle
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.boxes import choice_box
from workbench.measures.phase_table import RunFigures
from workbench.model.edits import RunEdits
from workbench.model.phase import EDITED, STANDARD_PHASES, Phase
from workbench.model.problem import few_named
from workbench.session.phase_rows import Clock, PhaseRow, clock_of, complaint, row_of, with_phases
from workbench.study.overrides import edited, lacks_time_zone
from workbench.study.series.run_date import date_text
from workbench.study.series.time_zone import offset_minutes
from workbench.words.metrics import rule_of

COUNTS, OUT = "included in results", "excluded from results"
_SIZE, _SIZE_OF_SEVERAL, _FIELD_WIDTH = (780, 780), (780, 290), 280
NO_REASON = "Enter a reason for the exclusion. It is shown with the results."


class RunEditor(QDialog):
    """Edits all fields of one run, or the common fields of several runs. `confirmed` passes their RunEdits.

    `shown` are the runs with the user's edits, `read` the runs as in their files, `edits` the current statements of the
    user, `reasons` why each is excluded (empty: it is included).
    """

    confirmed = Signal(object)

    def __init__(
        self,
        parent: QWidget | None,
        shown: Sequence[RunFigures],
        read: Sequence[RunFigures],
        edits: Sequence[RunEdits],
        reasons: Sequence[str],
        names: Sequence[str] = (),
        unit: str = "MB",
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self._shown, self._read, self._edits, self._reasons = shown, read, edits, reasons
        self._runs = [run.run for run in shown]
        one_run = len(shown) == 1
        title = f"{tr('Edit run')} — {self._runs[0].name}" if one_run else tr("Edit {} runs").format(len(shown))
        self.setWindowTitle(plain_title(title))
        self.fields = {
            fact.key: Field(fact, self._runs, [run.run for run in read], unit)
            for fact in FACTS
            if one_run or fact.key in OF_SEVERAL
        }
        offer_names(self.fields["configuration"], names)
        self.counts = choice_box()
        self.reason = QLineEdit()
        self.phases = self._phases_table() if one_run else None
        self.said = labelled("", tone="danger")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        self._fill_exclusion()
        self._build()

    def result_edits(self) -> tuple[RunEdits, ...]:
        """The statements of the dialog about each run. Raises ValueError with a sentence if they cannot be used."""
        return tuple(self._edits_of(index) for index in range(len(self._runs)))

    def accept(self) -> None:
        """Emits the edits, or shows why they cannot be used."""
        try:
            edits = self.result_edits()
        except ValueError as error:
            self.said.setText(str(error))
            self.said.show()
            return
        self.confirmed.emit(edits)
        super().accept()

    def restore(self) -> None:
        """Restores everything to the state of the files."""
        # The baseline is a choice about the study: no file contains it.
        self.confirmed.emit(tuple(RunEdits(edit.run, baseline=edit.baseline) for edit in self._edits))
        super().accept()

    def _edits_of(self, index: int) -> RunEdits:
        before, read = self._edits[index], self._read[index].run
        stated: dict[str, Any] = {key: field.edit(index, before) for key, field in self.fields.items()}
        after = replace(before, **stated, excluded=self._exclusion(index))
        name = self.fields["configuration"]
        if name.touched and not name.typed() and len(self._runs) == 1:
            raise ValueError("Enter a configuration. The run is compared under this name.")
        after = _checked(after)
        if self.phases is None:
            return after
        shown, now = self._clock, self._clock_after(after)
        rows = self.phases.rows()
        if message := complaint(rows, now):
            raise ValueError(message)
        return with_phases(after, rows, shown, now, read)

    @property
    def _clock(self) -> Clock:
        return clock_of(self._runs[0])

    def _clock_after(self, edits: RunEdits) -> Clock:
        """The run's clock with these edits. Files that state their offset keep it."""
        read = self._read[0].run
        if edits.time_zone is None or not lacks_time_zone(read):
            return clock_of(read) if edits.time_zone is None else self._clock
        return clock_of(edited(read, RunEdits(edits.run, time_zone=edits.time_zone)))

    def _exclusion(self, index: int) -> str | None:
        """None if the run.toml is right; otherwise the reason, or an empty text for a run that is included against its
        run.toml."""
        choice = self.counts.currentData()
        if choice is None:
            return self._edits[index].excluded
        stated = self._read[index].run.excluded
        if choice == COUNTS:
            return "" if stated else None
        reason = self.reason.text().strip()
        if not reason:
            raise ValueError(NO_REASON)
        return None if reason == stated else reason

    def _phases_table(self) -> PhasesTable:
        shown, read = self._shown[0], self._read[0]
        by_name = {row.phase.name: row.phase for row in read.phases}
        return PhasesTable([row.phase for row in shown.phases], by_name, self._clock)

    def _fill_exclusion(self) -> None:
        alike = len(set(self._reasons)) == 1
        if not alike:
            self.counts.addItem(tr(AS_THEY_ARE), None)
        for words in (COUNTS, OUT):
            self.counts.addItem(tr(words), words)
        if alike:
            self.counts.setCurrentIndex(self.counts.findData(OUT if self._reasons[0] else COUNTS))
            self.reason.setText(self._reasons[0])
        self.counts.setAccessibleName(tr("Use in results"))
        self.reason.setAccessibleName(tr("Reason"))
        self.reason.setPlaceholderText(reason_hint())
        self.counts.currentIndexChanged.connect(self._offer_reason)
        self._offer_reason()

    def _offer_reason(self) -> None:
        self.reason.setVisible(self.counts.currentData() == OUT)

    def _build(self) -> None:
        inside, area = QWidget(), QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = in_column(self._head(), self._facts(), on=inside, margins=(0, 0, 8, 0), spacing=10)
        if self.phases is not None:
            words = tr("Phases (time zone of the run: {})").format(self._clock.words)
            column.addWidget(labelled(words, "heading"))
            column.addWidget(self.phases, 1)
        else:
            column.addStretch(1)
        self.said.setWordWrap(True)
        self.said.hide()
        in_column(area, self.said, self.buttons, on=self, margins=(18, 16, 10, 14))
        restore = self.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        restore.setText(tr("Use values from files"))
        restore.setEnabled(any(not edit.nothing for edit in self._edits))
        restore.clicked.connect(self.restore)
        done = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        done.setProperty("kind", "primary")
        restyle(done)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.resize(*(_SIZE if self.phases is not None else _SIZE_OF_SEVERAL))

    def _facts(self) -> QGridLayout:
        """A grid of each fact with its field and the origin of its value."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(2, 1)
        rows: list[tuple[QLabel, QWidget, QWidget]] = [
            (labels_of(field), field.widget, field.origin) for field in self.fields.values()
        ]
        rows.append((_buddy("Use in results", self.counts), self.counts, self.reason))
        for row, (label, field, beside) in enumerate(rows):
            field.setFixedWidth(_FIELD_WIDTH)
            for index, widget in enumerate((label, field, beside)):
                grid.addWidget(widget, row, index)
        return grid

    def _head(self) -> QLabel:
        if len(self._runs) == 1:
            head = labelled(self._runs[0].folder, "quiet")
        else:
            names = said(few_named([run.name for run in self._runs]))
            head = labelled(tr("These values apply to all selected runs: {}.").format(names), "quiet")
        head.setWordWrap(True)
        return head


def _checked(edits: RunEdits) -> RunEdits:
    """The edits with their date in the stored format. Raises ValueError with a sentence for an invalid zone or date."""
    try:
        if edits.time_zone:
            offset_minutes(edits.time_zone, 0.0)
    except ValueError as error:
        raise ValueError(f"The time zone {error}.") from error
    try:
        return replace(edits, date=date_text(edits.date)) if edits.date else edits
    except ValueError as error:
        raise ValueError(f"The date {error}.") from error


def reason_hint() -> str:
    """The placeholder of an empty field for the reason of an exclusion."""
    return tr("reason, for example vCenter failed over at 09:40")


def _buddy(words: str, widget: QWidget) -> QLabel:
    label = labelled(tr(words))
    label.setBuddy(widget)
    return label


_TITLES = ("Phase", "Start", "End", "Evidence")
_NAME, _START, _END, _EVIDENCE = range(4)
_WIDTHS, _ROW_HEIGHT = (130, 190, 190), 32


class PhasesTable(QWidget):
    """Shows phases as rows; `read` are the detected phases by name."""

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
        """The rows with the text typed so far."""
        return [
            PhaseRow(self._text(at, _NAME), self._text(at, _START), self._text(at, _END), was)
            for at, was in enumerate(self._was)
        ]

    def add_row(self) -> None:
        """Adds a new row to edit; it begins where the last phase ends."""
        ends = [self._text(at, _END) for at in range(self.table.rowCount())]
        start = ends[-1] if ends else self._clock.text(self._clock.first or 0.0)
        last = self._clock.last
        self._append(PhaseRow("", start, start if last is None else self._clock.text(last)))
        self.table.setCurrentCell(self.table.rowCount() - 1, _NAME)
        if (name := self.table.item(self.table.rowCount() - 1, _NAME)) is not None:
            self.table.editItem(name)

    def remove_row(self) -> None:
        """Removes the current row."""
        if (at := self.table.currentRow()) >= 0:
            del self._was[at]
            self.table.removeRow(at)
        self._offer()

    def reset_row(self) -> None:
        """Restores the current row to the detected phase."""
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
        for index, text in enumerate((row.name, row.start, row.end, said(evidence))):
            item = QTableWidgetItem(text)
            fixed = index == _EVIDENCE or (index == _NAME and row.name in STANDARD_PHASES)
            if fixed:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            if index == _EVIDENCE and rule:
                item.setToolTip(plain_tip(said(rule)))
            self.table.setItem(at, index, item)

    def _offer(self) -> None:
        """Enables the commands for the current row: detected phases cannot be removed, only restored."""
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
        # Tab leaves the table; the arrow keys move between the cells.
        self.table.setTabKeyNavigation(False)
        for section, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(section, width)
        self.table.horizontalHeader().setSectionResizeMode(_EVIDENCE, QHeaderView.ResizeMode.Stretch)
        for button, do in ((self.add, self.add_row), (self.remove, self.remove_row), (self.back, self.reset_row)):
            button.setAutoDefault(False)
            button.clicked.connect(do)
        in_column((self.table, 1), in_row(self.add, self.remove, self.back, 1), on=self, margins=(0, 0, 0, 0))
        self.table.currentCellChanged.connect(lambda *_: self._offer())
