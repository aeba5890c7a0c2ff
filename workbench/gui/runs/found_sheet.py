"""The sheet *Check detected runs*: the runs of an opened study, with every guess marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from workbench.answers.import_report.found import FoundRun, found_run, machine_questions
from workbench.charts.figure import Look
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.runs.found_cells import FIELD, GUESSED, LOOK, MARKS, VALUE, FoundCells
from workbench.gui.runs.run_editor import NO_REASON, reason_hint
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import current_theme, labelled, restyle, running_application
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.look_icon import look_icon
from workbench.measures.phase_table import RunFigures
from workbench.model.benchmark import Benchmark
from workbench.model.edits import RunEdits
from workbench.model.problem import all_named
from workbench.model.run import Run, Study
from workbench.session.phase_rows import clock_of
from workbench.study.series.time_zone import offset_minutes
from workbench.words.numbers import number

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A reason for an exclusion wraps in the column of dates, so the names keep their space.
_SIZE, _ROW, _STRIP, _ASIDE, _DATES = (1134, 560), 60, 150, 10, 260
_YEAR_S = 365.25 * 86400
# The fields of the columns, and those that can be edited; None for the columns with the run's name and the strip.
_FIELDS = ("", "configuration", "provisioning", "ram_cache_mb", "vms", "date", "time_zone", "")
_TYPED = frozenset(("configuration", "provisioning", "ram_cache_mb", "vms", "time_zone"))
_NAME, _DATE, _WHEN = 0, 5, 7
_AS_READ: Any = {"configuration": lambda run: run.configuration.name}
_AS_READ |= {"provisioning": lambda run: run.configuration.provisioning, "vms": lambda run: run.vms}
_AS_READ |= {"ram_cache_mb": lambda run: run.configuration.ram_cache_mb, "time_zone": lambda run: run.time_zone or ""}


@dataclass(frozen=True, eq=False)
class SheetState:
    """The content of the sheet: a study with its runs as they were read; by folder the looks of their configurations
    and the current edits. `unread` files were not read."""

    study: Study
    read: Mapping[str, RunFigures]
    edits: Sequence[RunEdits]
    looks: Mapping[str, Look]
    unread: int


class FoundSheet(QDialog):
    """`applied` passes the edits of all runs; `kept` also asks to write them next to the results; `files_asked` asks
    for the report of files that were not imported."""

    applied = Signal(tuple)
    kept = Signal(tuple)
    files_asked = Signal()

    def __init__(self, parent: QWidget, shown: SheetState) -> None:
        super().__init__(parent)
        room = parent.size()
        self.resize(min(_SIZE[0], room.width() - 40), min(_SIZE[1], room.height() - 60))
        # Opened over the pages, so the navigation list stays visible.
        self.move(parent.mapToGlobal(QPoint(room.width() - self.width() - _ASIDE, room.height() // 9)))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Check detected runs"))
        self.shown = shown
        self.edits = {edit.run: edit for edit in shown.edits}
        self.rows: list[FoundRun] = []
        self.table = QTableWidget(0, len(_FIELDS))
        self.merge, self.split = QPushButton(tr("Merge")), QPushButton(tr("Split"))
        self.exclude, self.swap = QPushButton(tr("Exclude")), QPushButton(tr("Swap day and month"))
        self.keep, self.apply = QPushButton(tr("Write run.toml…")), QPushButton(tr("Apply"))
        self.cancel, self.files = QPushButton(tr("Cancel")), QPushButton(tr("Show"))
        self.benchmarks = QPushButton()
        self.folded = labelled("", "caption")
        self.said = labelled("", tone="danger")
        self.machines = [(question, QCheckBox()) for question in machine_questions(self._problems())]
        # Runs that need a check come first.
        asks = {
            folder: found_run(figures.run, self.edits[folder], figures.problems).asks
            for folder, figures in shown.read.items()
        }
        self._order = sorted(asks, key=lambda folder: not asks[folder])
        self._build()
        self.fill()

    def fill(self) -> None:
        """Shows every run with the edits made so far; ticks stay."""
        ticked = set(self.ticked())
        self.rows = [
            found_run(self.shown.read[folder].run, self.edits[folder], self.shown.read[folder].problems)
            for folder in self._order
        ]
        self.table.blockSignals(True)
        self.table.setRowCount(len(self.rows))
        moments = self._moments()
        first, length = (moments[0], max(moments[-1] - moments[0], 1.0)) if moments else (0.0, 1.0)
        years = dict.fromkeys(f"{_EPOCH + timedelta(seconds=at):%Y}" for at in moments)
        when = self.table.horizontalHeaderItem(_WHEN)
        assert when is not None
        when.setText(" – ".join(years))
        for at, row in enumerate(self.rows):
            for column, item in enumerate(self._items(row, first, length)):
                self.table.setItem(at, column, item)
            box = self.table.item(at, _NAME)
            assert box is not None
            box.setCheckState(Qt.CheckState.Checked if row.run.folder in ticked else Qt.CheckState.Unchecked)
        self.table.blockSignals(False)
        self.table.horizontalHeader().resizeSection(_DATE, min(self.table.sizeHintForColumn(_DATE), _DATES))
        self.swap.setVisible(any(self._dates_open(row) for row in self.rows))
        self._offer()

    def ticked(self) -> list[str]:
        """The folders of the ticked runs."""
        items = [(row, self.table.item(at, _NAME)) for at, row in enumerate(self.rows)]
        return [row.run.folder for row, item in items if item and item.checkState() is Qt.CheckState.Checked]

    def state_field(self, row: int, field: str, value: Any) -> None:
        """States a field of the run in a row. A value equal to that of its files removes the edit."""
        folder = self.rows[row].run.folder
        self.said.hide()
        if field == "time_zone" and value:
            try:
                offset_minutes(value, 0.0)
            except ValueError as error:
                self._say(f"The time zone {error}.")
                return
        if value in ("", None) and field != "ram_cache_mb":
            self._say(tr("This cell needs a value."))
            return
        as_read = _AS_READ[field](self.shown.read[folder].run)
        stated: dict[str, Any] = {field: None if value == as_read else -1 if value is None else value}
        self._change([replace(self.edits[folder], **stated)])

    def merge_ticked(self) -> None:
        """Gives all ticked runs the configuration of the first."""
        folders = self.ticked()
        first = next(row.run.configuration for row in self.rows if row.run.folder == folders[0])
        self._change(
            [
                replace(
                    self.edits[folder],
                    configuration=_unless(first.name, read.name),
                    provisioning=_unless(first.provisioning, read.provisioning),
                    ram_cache_mb=_unless(-1 if first.ram_cache_mb is None else first.ram_cache_mb, read.ram_cache_mb),
                )
                for folder in folders
                if (read := self.shown.read[folder].run.configuration)
            ]
        )

    def split_ticked(self) -> None:
        """Splits a folder that mixes several runs, or gives a merged run a separate configuration."""
        changed = []
        for row, edit in ((row, self.edits[row.run.folder]) for row in self._ticked_rows()):
            if row.mixed or edit.split:
                changed.append(replace(edit, split=not edit.split))
            elif row.merged:
                changed.append(replace(edit, configuration=row.run.other_configuration))
            elif self._merged_here(row):
                before = next(one for one in self.shown.edits if one.run == row.run.folder)
                names = ("configuration", "provisioning", "ram_cache_mb")
                changed.append(replace(edit, **{name: getattr(before, name) for name in names}))
        self._change(changed)

    def exclude_ticked(self) -> None:
        """Asks for a reason and excludes the ticked runs; includes runs that are excluded."""
        rows = self._ticked_rows()
        if all(row.run.excluded for row in rows):
            self.exclude_with("")
            return
        words = f"Reason for excluding {all_named([row.run.name for row in rows])}:"
        hint, confirm = reason_hint(), tr("Exclude")
        question = TextQuestion(
            self, tr("Exclude from results"), words, hint=hint, confirm=confirm, needed=NO_REASON, lines=False
        )
        question.answered.connect(self.exclude_with)
        question.open()

    def exclude_with(self, reason: str) -> None:
        """Excludes the ticked runs for a reason; without a reason includes them."""
        stated = {row.run.folder: self.shown.read[row.run.folder].run.excluded for row in self._ticked_rows()}
        self._change(
            [
                replace(self.edits[folder], excluded=(_unless(reason, read) if reason else "" if read else None))
                for folder, read in stated.items()
            ]
        )

    def swap_dates(self) -> None:
        """Swaps day and month of the guessed dates of the ticked runs, or of all runs if none is ticked."""
        chosen = set(self.ticked() or self.edits)
        orders = {}
        for folder in chosen:
            dates = [one.dates for one in self.shown.read[folder].run.recordings if one.dates and one.date_guessed]
            if dates:
                orders[folder] = dates[0].other
        self._change(
            [
                replace(self.edits[folder], date_order=None if self.edits[folder].date_order == order else order)
                for folder, order in orders.items()
            ]
        )

    def result(self) -> tuple[RunEdits, ...]:  # type: ignore[override]
        """The statements of the sheet about each run."""
        edits = dict(self.edits)
        for question, box in self.machines:
            for folder in question.runs if box.isChecked() else ():
                left_out = (*edits[folder].left_out, *question.machines)
                edits[folder] = replace(edits[folder], left_out=tuple(dict.fromkeys(left_out)))
        return tuple(edits.values())

    def accept(self) -> None:
        """Emits the edits."""
        self.applied.emit(self.result())
        super().accept()

    def _problems(self) -> list[Any]:
        return [problem for figures in self.shown.read.values() for problem in figures.problems]

    def _ticked_rows(self) -> list[FoundRun]:
        folders = set(self.ticked())
        return [row for row in self.rows if row.run.folder in folders]

    def _change(self, edits: Sequence[RunEdits]) -> None:
        self.edits |= {edit.run: edit for edit in edits}
        self.fill()

    def _merged_here(self, row: FoundRun) -> bool:
        before = next(edit for edit in self.shown.edits if edit.run == row.run.folder)
        return self.edits[row.run.folder].configuration not in (before.configuration, None)

    def _dates_open(self, row: FoundRun) -> bool:
        return any(recording.date_guessed for recording in self.shown.read[row.run.folder].run.recordings)

    def _offer(self) -> None:
        rows = self._ticked_rows()
        names = {(row.run.configuration.name, row.run.configuration.provisioning) for row in rows}
        self.merge.setEnabled(len(names) > 1)
        parted = [row for row in rows if row.mixed or self.edits[row.run.folder].split or row.merged]
        self.split.setEnabled(bool(parted or any(self._merged_here(row) for row in rows)))
        self.exclude.setEnabled(bool(rows))
        out = bool(rows) and all(row.run.excluded for row in rows)
        self.exclude.setText(tr("Include again") if out else tr("Exclude"))

    def _show_files(self) -> None:
        self.reject()
        self.files_asked.emit()

    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.show()

    def _moments(self) -> list[float]:
        """The first and the last moment of all runs and benchmark results; none if no time is known."""
        clocks = [clock_of(row.run) for row in self.rows]
        moments = [at for clock in clocks for at in (clock.first, clock.last) if at is not None]
        moments += _started(self.shown.study.benchmarks)
        return [min(moments), max(moments)] if moments else []

    def _items(self, row: FoundRun, first: float, length: float) -> list[QTableWidgetItem]:
        run, edit, clock = row.run, self.edits[row.run.folder], clock_of(row.run)
        size = run.configuration.ram_cache_mb
        texts = (
            run.name,
            run.configuration.name,
            tr(run.configuration.provisioning.value),
            "—" if size is None else f"{number(size)} MB",
            "—" if run.vms is None else str(run.vms),
            _state(run, edit) or _when(clock.first, clock.last, clock.offset),
            run.time_zone or edit.time_zone or clock.words,
            "",
        )
        items = []
        for column, (text, field) in enumerate(zip(texts, _FIELDS, strict=True)):
            item, why = QTableWidgetItem(text), row.why.get(field) if field else None
            item.setData(FIELD, field)
            item.setData(GUESSED, why is not None)
            item.setData(VALUE, _AS_READ[field](run) if field in _AS_READ else None)
            tip = tr("Guessed: {}").format(said(why)) if why is not None else run.folder if column == _NAME else text
            item.setToolTip(plain_tip(tip))
            if field not in _TYPED:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            if run.excluded:
                font = item.font()
                font.setStrikeOut(True)
                item.setFont(font)
                item.setToolTip(plain_tip(tr("Excluded: {}").format(said(run.excluded))))
            items.append(item)
        marks = [] if clock.first is None else [(clock.first - first) / length]
        items[_WHEN].setData(MARKS, marks)
        look = self.shown.looks.get(run.folder)
        items[_WHEN].setData(LOOK, look)
        if look is not None:
            sign = look_icon(look, current_theme(running_application()))
            items[1].setData(Qt.ItemDataRole.DecorationRole, sign)
        return items

    def _build(self) -> None:
        column = in_column(
            self._head(), (self._made_table(), 1), self._benchmark_row(), on=self, margins=(22, 18, 22, 16), spacing=8
        )
        for question, box in self.machines:
            box.setText(plain_button(tr("Exclude {}").format(all_named(question.machines))))
            box.setToolTip(plain_tip(question.text))
            column.addWidget(box)
        if (years := self._span_of_runs() / _YEAR_S) >= 1:
            column.addWidget(
                labelled(
                    tr("The runs took place {} years apart. Check their dates.").format(f"{years:.1f}"), tone="warning"
                )
            )
        self.said.hide()
        column.addWidget(self.said)
        column.addLayout(self._foot())

    def _span_of_runs(self) -> float:
        clocks = [clock_of(figures.run) for figures in self.shown.read.values()]
        starts = [clock.first for clock in clocks if clock.first is not None]
        return max(starts) - min(starts) if starts else 0.0

    def _head(self) -> QHBoxLayout:
        words = in_column(labelled(tr("Check detected runs"), "title"), labelled(self.shown.study.name, "quiet"))
        for button, act in (
            (self.swap, self.swap_dates),
            (self.merge, self.merge_ticked),
            (self.split, self.split_ticked),
            (self.exclude, self.exclude_ticked),
        ):
            button.clicked.connect(act)
            button.setAutoDefault(False)
        self.merge.setToolTip(tr("Join the ticked runs into one configuration"))
        self.split.setToolTip(tr("Split a mixed folder into runs, or make each ticked run a configuration"))
        return in_row((words, 1), self.swap, self.merge, self.split, self.exclude)

    def _made_table(self) -> QTableWidget:
        table = self.table
        named = (tr("Run"), tr("Configuration"), tr("Provisioning"), tr("Cache"), tr("VMs"))
        table.setHorizontalHeaderLabels([*named, tr("Start – end"), tr("Time zone"), tr("When")])
        table.setAccessibleName(tr("Detected runs"))
        table.setItemDelegate(FoundCells(self.state_field, table))
        table.verticalHeader().hide()
        # A long name wraps; its row grows with it.
        table.verticalHeader().setMinimumSectionSize(_ROW)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        trigger = QAbstractItemView.EditTrigger
        table.setEditTriggers(
            trigger.SelectedClicked | trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed
        )
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for wide in (_NAME, 1):
            header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
        for column in (_DATE, _WHEN):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(_WHEN, _STRIP)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.itemChanged.connect(lambda _item: self._offer())
        return table

    def _benchmark_row(self) -> QHBoxLayout:
        rows = self.shown.study.benchmarks
        tools = Counter(row.tool for row in rows)
        self.benchmarks.setText(tr("{} benchmark results").format(len(rows)))
        self.benchmarks.setProperty("kind", "link")
        self.benchmarks.setAutoDefault(False)
        self.folded.setText(" · ".join(f"{tool} {count}" for tool, count in tools.items()))
        self.folded.hide()
        self.benchmarks.clicked.connect(lambda: self.folded.setVisible(self.folded.isHidden()))
        self.benchmarks.setVisible(bool(rows))
        return in_row(self.benchmarks, (self.folded, 1), 0)

    def _foot(self) -> QHBoxLayout:
        count = self.shown.unread
        words = labelled(tr("{} files not imported").format(count))
        self.files.setProperty("kind", "link")
        for widget in (words, self.files):
            widget.setVisible(bool(count))
        self.apply.setProperty("kind", "primary")
        restyle(self.apply)
        self.apply.setDefault(True)
        for button, act in (
            (self.keep, lambda: self.kept.emit(self.result())),
            (self.cancel, self.reject),
            (self.apply, self.accept),
            (self.files, self._show_files),
        ):
            button.clicked.connect(act)
        for button in (self.keep, self.cancel, self.files):
            button.setAutoDefault(False)
        return in_row(words, self.files, 0, self.keep, self.cancel, self.apply)


def _unless(value: Any, read: Any) -> Any:
    """The edit that states a value; None if this value was read."""
    return None if value == read or (value == -1 and read is None) else value


def _state(run: Run, edit: RunEdits) -> str:
    """The user's decision about a run; empty without a decision."""
    if run.excluded:
        return tr("Excluded: {}").format(said(run.excluded))
    return tr("will be split") if edit.split else ""


def _when(first: float | None, last: float | None, offset: int) -> str:
    """`2016-05-23` and below it `08:30 – 09:38`, on the clock of the run; a dash if its time is unknown."""
    if first is None or last is None:
        return "—"
    start, end = (_EPOCH + timedelta(seconds=at, minutes=offset) for at in (first, last))
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%Y-%m-%d}\n{start:%H:%M} – {until}"


def _started(benchmarks: Sequence[Benchmark]) -> list[float]:
    """The start times of benchmarks, if stated."""
    return [
        datetime.fromisoformat(row.started).astimezone(UTC).timestamp() for row in benchmarks if row.started is not None
    ]
