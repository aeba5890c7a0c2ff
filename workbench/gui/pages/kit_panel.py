"""The user's questions, and the kit for them: the upper part of the page that prepares a test."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.answers.prepare.chosen import CHOSEN, NAMES, KitForm, as_input
from workbench.answers.prepare.kit.contents import Kit
from workbench.answers.prepare.questions import QUESTIONS
from workbench.charts.inputs import Form, Input, Value
from workbench.gui.pages.form_panel import FormPanel
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import breakable, plain_button, plain_tip
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.labels import WrappedLabel
from workbench.gui.widgets.number_field import NumberField

_WIDTH, _WIDEST, _NUMBER_PX, _GAP = 430, 540, 150, 12
_MARGINS = (16, 12, 16, 12)


class KitPanel(FormPanel):
    """`write_asked` asks to write the kit."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes = {key: QCheckBox(plain_button(tr(question.text))) for key, question in QUESTIONS.items()}
        self.fields: dict[str, NumberField] = {}
        self.names, self.write = QLineEdit(), QPushButton(tr("Create test kit…"))
        self.runs, self.plan = labelled("", "subtitle"), WrappedLabel("quiet")
        self._standard = ""
        self.counted = labelled("", "caption")
        self._questions, self._numbers = QVBoxLayout(), QGridLayout()
        self._build()
        self.names.editingFinished.connect(self._name)
        self.write.clicked.connect(self.write_asked)

    def show_form(self, form: Form | None) -> None:
        """Shows the choices and the kit for them. Fields that stay keep the keyboard focus. None hides the panel."""
        super().show_form(form)
        if not isinstance(form, KitForm):
            return
        if not self.fields:
            self._add_fields(form)
        for key, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(key in form.ticked)
        for number in form.inputs:
            self._fill(number)
        self._standard = form.standard_names
        if not self.names.hasFocus():
            self.names.setText(form.names or form.standard_names)
            # The beginning of a long line comes first, with the baseline.
            self.names.setCursorPosition(0)
        self._show_kit(form.kit, form.refused)

    @property
    def first(self) -> QWidget:
        """The widget that gets the keyboard focus when the page is shown."""
        return next(iter(self.boxes.values()))

    def _show_kit(self, kit: Kit | None, refused: str) -> None:
        self.write.setEnabled(kit is not None)
        if kit is None:
            self.runs.setText("")
            self.plan.show_text(said(refused) or tr("Tick at least one question."))
            self.counted.setText("")
            return
        planned = kit.planned
        count = len(planned.configurations)
        words = tr("{} runs of {} configurations") if count > 1 else tr("{} runs of {} configuration")
        self.runs.setText(words.format(len(planned.order), count))
        self.plan.show_text(breakable(said(planned.reason)))
        self.counted.setText(tr("{} files and {} run folders").format(len(kit.files), len(planned.order)))

    def _fill(self, number: Input) -> None:
        field = self.fields[number.key]
        with QSignalBlocker(field):
            field.setDecimals(number.decimals)
            field.setRange(number.minimum, number.maximum)
            marked = f"({tr('assumed')})" if number.origin == "assumed" else ""
            field.setSuffix("".join(f" {part}" for part in (number.unit, marked) if part))
            field.setValue(float(number.value))
        field.setToolTip(plain_tip(tr(number.tip)))

    def _ticked(self) -> None:
        self.changed.emit(CHOSEN, as_input([key for key, box in self.boxes.items() if box.isChecked()]))

    def _name(self) -> None:
        names = self.names.text().strip()
        self.changed.emit(NAMES, "" if names == self._standard else names)

    def _set(self, key: str, value: Value) -> None:
        self.changed.emit(key, value)

    def _add_fields(self, form: KitForm) -> None:
        for column, number in enumerate(form.inputs):
            field = self.fields[number.key] = NumberField()
            if not number.minimum:
                field.setSpecialValueText(tr("as needed"))
            field.setFixedWidth(_NUMBER_PX)
            field.lineEdit().setTextMargins(7, 0, 0, 0)
            field.setAccessibleName(tr(number.label))
            field.valueChanged.connect(lambda value, key=number.key: self._set(key, value))
            self._numbers.addWidget(_caption(tr(number.label), field), 0, column)
            self._numbers.addWidget(field, 1, column, Qt.AlignmentFlag.AlignLeft)
        stops = (*self.boxes.values(), self.names, *self.fields.values(), self.write)
        for stop, following in pairwise(stops):
            QWidget.setTabOrder(stop, following)

    def _build(self) -> None:
        in_row(self._asked(), (self._written(), 1), on=self, margins=(0, 0, 0, 0), spacing=_GAP)

    def _asked(self) -> QFrame:
        card, column = _card(tr("Questions for the test"))
        card.setMinimumWidth(_WIDTH)
        card.setMaximumWidth(_WIDEST)
        card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._questions.setSpacing(3)
        for box in self.boxes.values():
            box.toggled.connect(lambda _on: self._ticked())
            self._questions.addWidget(box)
        column.addLayout(self._questions)
        column.addStretch(1)
        return card

    def _written(self) -> QFrame:
        card, column = _card(tr("Contents of the kit"))
        self.write.setProperty("kind", "primary")
        column.addWidget(self.runs)
        column.addWidget(self.plan)
        self.names.setAccessibleName(tr("Configurations"))
        self.names.setToolTip(tr("Configurations to compare, separated by commas, baseline first"))
        column.addWidget(_caption(tr("Configurations"), self.names))
        column.addWidget(self.names)
        self._numbers.setVerticalSpacing(2)
        self._numbers.setColumnStretch(len(QUESTIONS), 1)
        column.addLayout(self._numbers)
        column.addStretch(1)
        column.addLayout(in_row((self.counted, 1), self.write))
        return card


def _card(words: str) -> tuple[QFrame, QVBoxLayout]:
    card = QFrame()
    card.setProperty("card", True)
    column = in_column(labelled(words, "heading"), on=card, margins=_MARGINS, spacing=6)
    return card, column


def _caption(words: str, field: QWidget) -> QLabel:
    caption = labelled(words, "caption")
    caption.setBuddy(field)
    return caption
