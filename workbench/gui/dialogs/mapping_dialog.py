"""Map columns: the meaning of the columns of a CSV of an unknown format. A proposal is filled in; the user decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from workbench.gui.services.layout import in_column
from workbench.gui.services.plain import plain_title
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.boxes import choice_box
from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, MappedCounter, TimeFormat, header_key
from workbench.model.metric import Quantity, Tier, Vantage
from workbench.readers.tables.mapped import FROM_FILE_NAME, HEAD_BYTES
from workbench.readers.tables.proposal import Kinds, counter_meanings, kinds_of, propose, units_of
from workbench.readers.tables.timed import TimedCsv, find_timed_csv, moment_of, time_format_of
from workbench.study.discovery.archive import read_head
from workbench.study.importing.mappings import load_mappings
from workbench.study.series.time_zone import offset_minutes
from workbench.words.metrics import quantity_words

Header = tuple[TimedCsv, ColumnMapping, Kinds]
LEFT_OUT, COUNTER = "ignored", "counter without a metric"
# The columns that name a row of a long table, by the field of the mapping.
ROLES = {"machine_column": "VM or LUN name", "disk_column": "disk name", "counter_column": "counter name"}
PREVIEW_ROWS = 6
# Each row of the table contains five widgets. Columns beyond this number keep the proposal.
MAX_COLUMNS = 300
DECIMALS = {mark: f"decimal {mark.value}" for mark in Decimal}
TITLES = ("Column", "First value", "Meaning", "Unit", "VM or LUN", "Measured at", "Tier")
NO_TIER = "not stated"
# Boxes are as high as in a form, and wide enough for their longest text.
_WIDTHS, _ROW_HEIGHT, _FORM_WIDTH = (230, 150, 160, 120, 140), 44, 420
_COUNTER_WIDTH = 240
# The part of a file that is searched for the counters in its rows.
_KINDS_BYTES = 64 << 20

# The names of quantities that differ from those in sentences.
_WORDS = {
    Quantity.IO_SIZE: "I/O size",
    Quantity.CPU_PRIVILEGED: "CPU, privileged time",
    Quantity.CPU_INTERRUPT: "CPU, interrupt time",
    Quantity.MEMORY_AVAILABLE: "available memory",
    Quantity.POOL_NONPAGED: "nonpaged pool",
    Quantity.CACHE_RAM_USED: "cache RAM used",
    Quantity.CACHE_DISK_USED: "cache disk used",
    Quantity.CACHE_DISK_SIZE: "size of the cache disk",
}


@dataclass(frozen=True, eq=False)
class _Row:
    """The widgets of one column."""

    column: int
    meaning: QComboBox
    unit: QComboBox
    machine: QComboBox
    vantage: QComboBox
    tier: QComboBox


@dataclass(frozen=True, eq=False)
class _CounterRow:
    """The widgets of one counter of a long table."""

    name: str
    meaning: QComboBox
    unit: QComboBox


class MappingDialog(QDialog):
    """Does not block the main window. `confirmed` passes the mapping once it can be used."""

    confirmed = Signal(object)

    def __init__(
        self, parent: QWidget, name: str, table: TimedCsv, mapping: ColumnMapping, kinds: Kinds | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(plain_title(f"{tr('Map columns')} — {name}"))
        self.resize(1180, 760)
        self._found, self._mapping, self._kinds = table, mapping, kinds or {}
        self.time_column = _combo(tr("Time column"), [(_shown(table, at), at) for at in range(len(table.names))])
        self.time_format = _combo(tr("Time format"), [(tr(form.value), form) for form in TimeFormat])
        self.decimal = _combo(tr("Decimals"), [(tr(DECIMALS[mark]), mark) for mark in Decimal])
        self.time_zone = QLineEdit(mapping.time_zone)
        self.columns = QTableWidget(0, len(TITLES))
        self.preview = QTableWidget(min(PREVIEW_ROWS, len(table.rows)), len(table.names))
        self.said = labelled("")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.rows: list[_Row] = []
        self.counter_rows: list[_CounterRow] = []
        self._build(name)
        self._fill()

    def mapping(self) -> ColumnMapping:
        """The mapping that the widgets contain."""
        time_column = self.time_column.currentData()
        shown = {row.column for row in self.rows}
        kept = [column for column in self._mapping.columns if column.column not in shown]
        roles = {role: self._place_of(role) for role in ROLES}
        chosen = [_chosen(row) for row in self.rows if row.meaning.currentData() not in (LEFT_OUT, *ROLES)]
        return replace(
            self._mapping,
            time_column=time_column,
            time_format=TimeFormat(self.time_format.currentData()),
            decimal=Decimal(self.decimal.currentData()),
            time_zone=self.time_zone.text().strip(),
            columns=tuple(column for column in (*chosen, *kept) if column.column != time_column),
            machine_column=roles["machine_column"],
            disk_column=roles["disk_column"],
            counter_column=roles["counter_column"],
            counters=tuple(_counter(row) for row in self.counter_rows),
        )

    def _place_of(self, role: str) -> int | None:
        """The first column with this role, except the time column; None if there is none."""
        time_column = self.time_column.currentData()
        places = (row.column for row in self.rows if row.meaning.currentData() == role and row.column != time_column)
        return next(places, None)

    def accept(self) -> None:
        """Emits the mapping, or shows why it cannot be used."""
        mapping = self.mapping()
        if complaint := self._complaint(mapping):
            self.said.setText(complaint)
            return
        self.confirmed.emit(mapping)
        super().accept()

    def _complaint(self, mapping: ColumnMapping) -> str:
        cells = [row[mapping.time_column] for row in self._found.rows]
        name = self._found.names[mapping.time_column]
        if not any(moment_of(cell, mapping.time_format) for cell in cells):
            return f"No cell of '{name}' has the time format {mapping.time_format}. The first cell is '{cells[0]}'."
        for role, words in ROLES.items():
            twice = [row.column for row in self.rows if row.meaning.currentData() == role and row.meaning.isEnabled()]
            if len(twice) > 1:
                names = f" {tr('and')} ".join(f"'{_shown(self._found, column)}'" for column in twice)
                return tr("The columns {} have the same meaning, '{}'. Keep it for only one.").format(names, tr(words))
        if not mapping.columns:
            return tr("All columns are ignored. Choose a meaning for at least one column.")
        if mapping.time_zone:
            try:
                offset_minutes(mapping.time_zone, 0.0)
            except ValueError as error:
                return f"The time zone {error}."
        return ""

    def _build(self, name: str) -> None:
        form = QFormLayout()
        self.time_zone.setAccessibleName(tr("Time zone"))
        self.time_zone.setPlaceholderText(tr("+01:00 or Europe/London; empty if unknown"))
        for words, widget in (
            (tr("Time column"), self.time_column),
            (tr("Time format"), self.time_format),
            (tr("Time zone"), self.time_zone),
            (tr("Decimals"), self.decimal),
        ):
            widget.setMaximumWidth(_FORM_WIDTH)
            form.addRow(words, widget)
        head = labelled(
            tr(
                "{}: the format of this file is unknown. Choose the meaning of each column. "
                "The mapping applies to all files with this header."
            ).format(name)
        )
        for label in (head, self.said):
            label.setWordWrap(True)
        parts = (head, form, (self.columns, 3), (self.preview, 2), self.said, self.buttons)
        in_column(*parts, on=self, margins=(16, 14, 16, 14))
        for table in (self.columns, self.preview):
            table.setTabKeyNavigation(False)
        self.columns.setAccessibleName(tr("Columns and their meaning"))
        self.columns.setHorizontalHeaderLabels([tr(title) for title in TITLES])
        self.columns.verticalHeader().hide()
        self.columns.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.preview.setAccessibleName(tr("First rows of the file"))
        self.preview.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.time_column.currentIndexChanged.connect(self._time_column_changed)

    def _fill(self) -> None:
        _choose(self.time_column, self._mapping.time_column)
        _choose(self.time_format, self._mapping.time_format)
        _choose(self.decimal, self._mapping.decimal)
        by_place = {column.column: column for column in self._mapping.columns}
        roles = {getattr(self._mapping, role): role for role in ROLES}
        shown = range(min(MAX_COLUMNS, len(self._found.names)))
        self.columns.setRowCount(len(shown))
        for index in shown:
            self._add_row(index, by_place.get(index), roles.get(index))
        self.columns.resizeColumnsToContents()
        self.columns.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.columns.setColumnWidth(0, min(320, self.columns.columnWidth(0)))
        for section, width in enumerate(_WIDTHS, 2):
            self.columns.setColumnWidth(section, width)
        self._show_counters()
        self._enable_rows()
        if len(self._found.names) > MAX_COLUMNS:
            self.said.setText(f"The columns after the first {MAX_COLUMNS} keep the proposed meaning.")
        self.preview.setHorizontalHeaderLabels([_shown(self._found, at) for at in range(len(self._found.names))])
        for row, cells in enumerate(self._found.rows[:PREVIEW_ROWS]):
            for index, cell in enumerate(cells):
                self.preview.setItem(row, index, QTableWidgetItem(cell[:80]))
        self.preview.resizeColumnsToContents()

    def _add_row(self, index: int, column: MappedColumn | None, role: str | None) -> None:
        name = _shown(self._found, index)
        for at, text in ((0, name), (1, self._found.rows[0][index][:40])):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.columns.setItem(index, at, item)
        meanings = [(tr(LEFT_OUT), LEFT_OUT), *((tr(words), key) for key, words in ROLES.items()), *_quantities()]
        row = _Row(
            index,
            _combo(tr("Meaning of '{}'").format(name), meanings),
            _combo(tr("Unit of '{}'").format(name), []),
            _combo(tr("VM or LUN of '{}'").format(name), [("", ""), (tr("file name"), FROM_FILE_NAME)], editable=True),
            _combo(tr("Measuring point of '{}'").format(name), [(tr(vantage.value), vantage) for vantage in Vantage]),
            _combo(
                tr("Tier of '{}'").format(name), [(tr(NO_TIER), ""), *((tr(tier.value), tier.value) for tier in Tier)]
            ),
        )
        for at, widget in enumerate((row.meaning, row.unit, row.machine, row.vantage, row.tier), 2):
            self.columns.setCellWidget(index, at, widget)
        self._show_column(row, column)
        if role:
            _choose(row.meaning, role)
            _offer_units(row)
        row.meaning.currentIndexChanged.connect(lambda _at, changed=row: self._meaning_changed(changed))
        self.rows.append(row)

    def _meaning_changed(self, row: _Row) -> None:
        _offer_units(row)
        self._show_counters()
        self._enable_rows()

    def _show_counters(self) -> None:
        """Adds a row below the columns for each counter that the column of counters names, with its meaning."""
        place = self._place_of("counter_column")
        names = () if place is None else self._kinds.get(place, ())
        if names == tuple(row.name for row in self.counter_rows):
            return
        remembered = {counter.name: counter for counter in self._mapping.counters}
        self.counter_rows = []
        self.columns.setRowCount(len(self.rows) + len(names))
        for counter in counter_meanings(names):
            self._add_counter(remembered.get(counter.name, counter), place)
        if names:
            self.columns.setColumnWidth(1, max(self.columns.columnWidth(1), _COUNTER_WIDTH))
            self.said.setText(tr("Set the meaning of each counter in the last rows of the table."))

    def _add_counter(self, counter: MappedCounter, place: int | None) -> None:
        index = len(self.rows) + len(self.counter_rows)
        for at, text in ((0, "" if place is None else _shown(self._found, place)), (1, counter.name[:120])):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.columns.setItem(index, at, item)
        row = _CounterRow(
            counter.name,
            _combo(tr("Meaning of '{}'").format(counter.name), _quantities()),
            _combo(tr("Unit of '{}'").format(counter.name), []),
        )
        for at, widget in enumerate((row.meaning, row.unit), 2):
            self.columns.setCellWidget(index, at, widget)
        _choose(row.meaning, COUNTER if counter.quantity is None else counter.quantity.value)
        _offer_units(row)
        _choose(row.unit, counter.scale)
        row.meaning.currentIndexChanged.connect(lambda _at: _offer_units(row))
        self.counter_rows.append(row)

    def _show_column(self, row: _Row, column: MappedColumn | None) -> None:
        if column is None:
            _choose(row.meaning, LEFT_OUT)
            _offer_units(row)
            return
        _choose(row.meaning, COUNTER if column.quantity is None else column.quantity.value)
        _offer_units(row)
        _choose(row.unit, column.scale)
        if column.machine == FROM_FILE_NAME:
            _choose(row.machine, FROM_FILE_NAME)
        else:
            row.machine.setEditText(column.machine)
        _choose(row.vantage, column.vantage)
        _choose(row.tier, column.tier.value if column.tier else "")

    def _time_column_changed(self) -> None:
        cells = [row[self.time_column.currentData()] for row in self._found.rows]
        _choose(self.time_format, time_format_of(cells))
        self._enable_rows()

    def _enable_rows(self) -> None:
        """Sets which fields can be edited: the time column only means the time, and a column that names a row has no
        unit."""
        for row in self.rows:
            is_time = row.column == self.time_column.currentData()
            row.meaning.setEnabled(not is_time)
            for widget in (row.unit, row.machine, row.vantage, row.tier):
                widget.setEnabled(not is_time and row.meaning.currentData() not in ROLES)


def _chosen(row: _Row) -> MappedColumn:
    meaning = row.meaning.currentData()
    text = row.machine.currentText().strip()
    machine = FROM_FILE_NAME if text == row.machine.itemText(1) else text
    tier = row.tier.currentData()
    return MappedColumn(
        row.column,
        None if meaning == COUNTER else Quantity(meaning),
        float(row.unit.currentData()),
        machine,
        Vantage(row.vantage.currentData()),
        Tier(tier) if tier else None,
    )


def _counter(row: _CounterRow) -> MappedCounter:
    meaning = row.meaning.currentData()
    quantity = None if meaning == COUNTER else Quantity(meaning)
    return MappedCounter(row.name, quantity, float(row.unit.currentData()))


def _quantities() -> list[tuple[str, str]]:
    return [(tr(COUNTER), COUNTER), *((tr(meaning_words(quantity)), quantity.value) for quantity in Quantity)]


def meaning_words(quantity: Quantity) -> str:
    """`read latency` for READ_LATENCY."""
    return _WORDS.get(quantity) or quantity_words(quantity)


def _offer_units(row: _Row | _CounterRow) -> None:
    """Offers the units for the chosen meaning."""
    meaning = row.meaning.currentData()
    row.unit.clear()
    for words, factor in units_of(None if meaning in (LEFT_OUT, COUNTER, *ROLES) else Quantity(meaning)):
        row.unit.addItem(tr(words), factor)


def _combo(name: str, entries: Sequence[tuple[str, object]], *, editable: bool = False) -> QComboBox:
    box = choice_box(entries, editable=editable)
    box.setAccessibleName(name)
    return box


def _choose(box: QComboBox, data: object) -> None:
    """Selects the entry with this data; adds an entry for a factor that no unit has."""
    for index in range(box.count()):
        if box.itemData(index) == data:
            box.setCurrentIndex(index)
            return
    if isinstance(data, float):
        box.addItem(f"× {data:g}", data)
        box.setCurrentIndex(box.count() - 1)


def _shown(table: TimedCsv, index: int) -> str:
    return table.names[index][:120] or f"column {index + 1}"


def header_of(path: Path) -> Header | None:
    """The header of a file, its stored or proposed mapping, and the texts of its columns of names. None if the file is
    not a CSV with a time column. Reads the file, so call it on a background thread."""
    head = read_head(path, HEAD_BYTES)
    table = find_timed_csv(head, whole=len(head) < HEAD_BYTES)
    if table is None:
        return None
    remembered = load_mappings().get(header_key(table.names, table.delimiter))
    return table, remembered or propose(table), kinds_of(read_head(path, _KINDS_BYTES), table)
