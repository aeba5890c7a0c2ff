"""The dialog of the acceptance limits: a list, and a form for the current limit. It does not block the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from workbench.answers.limits.file import read_limits
from workbench.answers.limits.limit import BASELINE, OVERFLOW, Limit, LimitsFile, limited
from workbench.gui.dialogs.session_dialogs import ask_place
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import breakable
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.boxes import choice_box
from workbench.gui.widgets.number_field import ExactField
from workbench.model.phase import STANDARD_PHASES, STEADY
from workbench.study.discovery.manifest import LIMITS, limits_text
from workbench.words.metrics import phase_words

_NEW = Limit("iops_per_vm", 100.0, phase=STEADY)
_MOST, _SIZE, _LIST_WIDTH, _NAMES_HEIGHT, _GAP = 1e15, (940, 540), 400, 150, 10


class LimitsDialog(QDialog):
    """`confirmed` passes the limits, `save_asked` the limits and the target file. `file` is the file that they were
    last read from or written to."""

    confirmed = Signal(object)
    save_asked = Signal(object, object)

    def __init__(
        self,
        parent: QWidget,
        stated: LimitsFile | None,
        file: str,
        phases: Sequence[str],
        labels: Sequence[str],
        baseline: str = "",
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(tr("Acceptance limits"))
        self.resize(*_SIZE)
        self.limits = [] if stated is None else list(stated.limits)
        self.file, self._labels, self._baseline = file, tuple(labels), baseline
        self.list = QListWidget()
        self.add, self.remove = QPushButton(tr("Add limit")), QPushButton(tr("Remove"))
        self.opener, self.saver = QPushButton(tr("Open file…")), QPushButton(tr("Save as…"))
        self.name, self.names, self.bound = QLineEdit(), QListWidget(), ExactField()
        figures = [(said(figure.name), figure.key) for figure in limited().values()]
        known = dict.fromkeys((*STANDARD_PHASES, *phases, *(limit.phase for limit in self.limits if limit.phase)))
        self.measure = choice_box(figures)
        self.phase = choice_box([(tr("any phase"), ""), *((said(phase_words(name)), name) for name in known)])
        of_baseline = tr("change from the baseline") + (f" ({baseline})" if baseline else "")
        against = [(tr("measured value"), ""), (of_baseline, BASELINE)]
        self.against = choice_box([*against, *((tr("change from {}").format(label), label) for label in labels)])
        self.side = choice_box([(tr("at most"), True), (tr("at least"), False)])
        self.unread = labelled("", "quiet")
        self.form = QWidget()
        self._build()
        self._connect()
        self._list(0)
        self._say_unread(stated)

    @property
    def at(self) -> int:
        """The row of the current limit; below 0 if there is none."""
        return self.list.currentRow()

    def show_limit(self, key: str) -> None:
        """Selects the limit with this key (`Limit.key`), if there is one."""
        keys = [limit.key for limit in self.limits]
        if key in keys:
            self.list.setCurrentRow(keys.index(key))

    def accept(self) -> None:
        """Emits the limits and closes."""
        self.confirmed.emit(tuple(self.limits))
        super().accept()

    def add_limit(self) -> None:
        """Adds a limit, ready to edit."""
        self.limits.append(_NEW)
        self._list(len(self.limits) - 1)
        self.measure.setFocus()

    def remove_limit(self) -> None:
        """Removes the current limit."""
        if self.at >= 0:
            row = self.at
            del self.limits[row]
            self._list(min(row, len(self.limits) - 1))

    def open_file(self, path: Path) -> None:
        """Shows the limits of a file instead of the current ones; a file that cannot be read changes nothing."""
        read = read_limits(limits_text(path, path.name))
        if read.limits or not read.problems:
            self.limits, self.file = list(read.limits), str(path)
            self._list(0)
        self._say_unread(read)

    def save_file(self, path: Path) -> None:
        """Asks to write the current limits to a file."""
        self.file = str(path)
        self.save_asked.emit(tuple(self.limits), path)

    def _say_unread(self, read: LimitsFile | None) -> None:
        problems = () if read is None else read.problems
        lines = [
            f"{tr('line')} {problem.line}: {problem.sentences}" if problem.line else problem.sentences
            for problem in problems[:2]
        ]
        lines += [tr("{} more lines cannot be read.").format(len(problems) - 2)] if len(problems) > 2 else []
        lines += [tr("Lines that cannot be read will not be saved.")] if problems else []
        self.unread.setText(breakable("\n".join(lines)))
        self.unread.setVisible(bool(lines))

    def _list(self, at: int) -> None:
        """Lists the limits, with the one at this position as the current one."""
        with QSignalBlocker(self.list):
            self.list.clear()
            for limit in self.limits:
                self.list.addItem(self._words(limit))
            self.list.setCurrentRow(at)
        self._fill()

    def _words(self, limit: Limit) -> str:
        of = f" ({', '.join(limit.configurations)})" if limit.configurations else ""
        words = limit.words_against(self._baseline) if limit.against == BASELINE else limit.words
        return f"{said(words)}{of}"

    def _fill(self) -> None:
        """Fills the form from the current limit."""
        self.form.setEnabled(self.at >= 0)
        self.remove.setEnabled(self.at >= 0)
        self.saver.setEnabled(bool(self.limits))
        limit = self.limits[self.at] if self.at >= 0 else _NEW
        fields = (self.name, self.measure, self.phase, self.against, self.side, self.bound, self.names)
        blocked = [QSignalBlocker(field) for field in fields]
        self.name.setText(limit.name)
        for box, value in ((self.measure, limit.measure), (self.phase, limit.phase), (self.side, limit.at_most)):
            _choose(box, value)
        if limit.against and self.against.findData(limit.against) < 0:
            self.against.addItem(tr("change from {}").format(limit.against), limit.against)
        _choose(self.against, limit.against)
        # Only a change can be below 0, and a ratio cannot fall by more than 100 %.
        self.bound.setRange(0.0 if not limit.against else -_MOST if limit.unit == "pp" else -100.0, _MOST)
        self.bound.setValue(limit.bound or 0.0)
        self.bound.setSuffix(f" {tr(limit.unit)}" if limit.unit else "")
        self.phase.setEnabled(not limit.figure.of_run)
        self.against.setEnabled(bool(limit.figure.change_unit))
        for field in (self.side, self.bound):
            field.setEnabled(limit.bound is not None)
        # Lists the configurations and ticks those that the limit names. None ticked: it applies to all.
        self.names.clear()
        named = {name.casefold() for name in limit.configurations}
        known = {label.casefold() for label in self._labels}
        others = [name for name in limit.configurations if name.casefold() not in known]
        for label in (*self._labels, *others):
            item = QListWidgetItem(label)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if label.casefold() in named else Qt.CheckState.Unchecked)
            self.names.addItem(item)
        del blocked

    def _change(self, **changes: Any) -> None:
        """Changes the current limit; removes fields that the metric does not have."""
        if self.at < 0:
            return
        limit = replace(self.limits[self.at], **changes, line=None)
        figure = limit.figure
        overflow = limit.measure == OVERFLOW
        phase = "" if figure.of_run else limit.phase if limit.phase or overflow else STEADY
        bound = None if overflow else limit.bound if limit.bound is not None else _NEW.bound
        against = limit.against if figure.change_unit else ""
        if bound is not None and bound < 0 and not against:
            bound = _NEW.bound
        self.limits[self.at] = replace(limit, phase=phase, against=against, bound=bound)
        if (item := self.list.item(self.at)) is not None:
            item.setText(self._words(self.limits[self.at]))

    def _changed(self, **changes: Any) -> None:
        self._change(**changes)
        self._fill()

    def _names_changed(self) -> None:
        items = [self.names.item(row) for row in range(self.names.count())]
        self._change(configurations=tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked))

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(lambda _row: self._fill())
        self.add.clicked.connect(self.add_limit)
        self.remove.clicked.connect(self.remove_limit)
        self.opener.clicked.connect(self._ask_file)
        self.saver.clicked.connect(self._ask_place)
        self.name.textEdited.connect(lambda text: self._change(name=text.strip()))
        self.measure.currentIndexChanged.connect(lambda _: self._changed(measure=self.measure.currentData()))
        self.phase.currentIndexChanged.connect(lambda _: self._changed(phase=self.phase.currentData()))
        self.against.currentIndexChanged.connect(lambda _: self._changed(against=self.against.currentData()))
        self.side.currentIndexChanged.connect(lambda _: self._change(at_most=self.side.currentData()))
        self.bound.valueChanged.connect(lambda value: self._change(bound=value))
        self.names.itemChanged.connect(lambda _: self._names_changed())

    def _ask_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Open limits"), self.file, "*.toml")
        if path:
            self.open_file(Path(path))

    def _ask_place(self) -> None:
        ask_place(self, tr("Save limits"), Path(self.file or LIMITS), self.save_file)

    def _build(self) -> None:
        self.bound.setRange(-_MOST, _MOST)
        self.bound.lineEdit().setTextMargins(7, 0, 0, 0)
        self.names.setFixedHeight(_NAMES_HEIGHT)
        for listing in (self.list, self.names):
            listing.setSpacing(2)
        self.name.setPlaceholderText(tr("name of the limit (optional)"))
        self.list.setAccessibleName(tr("Limits"))
        self.list.setMinimumWidth(_LIST_WIDTH)
        self.unread.setWordWrap(True)
        form = QFormLayout(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(_GAP)
        holds = in_column(
            self.names, labelled(tr("If no configuration is ticked, the limit applies to all."), "quiet"), spacing=2
        )
        bound = in_row(self.side, (self.bound, 1), spacing=8)
        rows: tuple[tuple[str, QWidget | QBoxLayout, QWidget], ...] = (
            (tr("Metric"), self.measure, self.measure),
            (tr("Phase"), self.phase, self.phase),
            (tr("Limit applies to"), self.against, self.against),
            (tr("Limit"), bound, self.bound),
            (tr("Configurations"), holds, self.names),
            (tr("Name"), self.name, self.name),
        )
        for words, row, field in rows:
            field.setAccessibleName(words)
            form.addRow(labelled(words), row)
        self.side.setAccessibleName(tr("Limit type"))
        self._lay_out()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        for button in (self.add, self.remove, self.opener, self.saver):
            button.setAutoDefault(False)
        left = in_column((self.list, 1), in_row(self.add, self.remove, 1))
        foot = in_row(self.opener, self.saver, 1, buttons)
        middle = in_row((left, 1), spacing=16)
        middle.addWidget(self.form, 1, Qt.AlignmentFlag.AlignTop)
        in_column((middle, 1), self.unread, foot, on=self, margins=(16, 14, 16, 14))


def _choose(box: QComboBox, data: object) -> None:
    if (at := box.findData(data)) >= 0:
        box.setCurrentIndex(at)
