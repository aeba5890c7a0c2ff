"""The panel of an answer's inputs: numbers and choices, each with its unit and the origin of its value.

It includes a box of choices that cuts its text with … when it is narrow. Qt does not do this under a style sheet.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from workbench.charts.inputs import Input, Origin, Value
from workbench.charts.short_names import FITS, short_names
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import freed_whole, labelled
from workbench.gui.services.translation import input_name, said, tr
from workbench.gui.widgets.boxes import BEFORE, BEHIND
from workbench.gui.widgets.labels import WrappedLabel
from workbench.gui.widgets.number_field import NumberField
from workbench.words.numbers import in_full

# Up to this many inputs are shown in a row over the answer cards, so the chart keeps the full width.
FEW = 3
WIDTH, _CHOICE_WIDTH, _NUMBER_WIDTH = 264, 380, 120
# Many inputs have a sign for the origin of their value, with one legend; few inputs have the word.
SIGNS: dict[Origin, str] = {"measured": "●", "documented": "◆", "assumed": "○", "yours": "▲"}
Field = QDoubleSpinBox | QComboBox
_Shape = tuple[tuple[str, str, tuple[str, ...]], ...]


class InputsPanel(QFrame):
    """`changed` passes the key and the new value; `reset` asks for the default values."""

    changed = Signal(str, object)
    reset = Signal()

    def __init__(self, *, in_a_row: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", not in_a_row)
        self._in_a_row = in_a_row
        if not in_a_row:
            self.setFixedWidth(WIDTH)
        self.fields: dict[str, Field] = {}
        self._origins: dict[str, QLabel] = {}
        self._shape: _Shape = ()
        # Created with a parent: a widget shown without one is a window for a moment, and takes the keyboard focus.
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setVisible(not in_a_row)
        self.legend = labelled("", "caption")
        self.legend.setParent(self)
        self.legend.setWordWrap(True)
        self.legend.setContentsMargins(0, 0, 8, 6)
        self.legend.setVisible(not in_a_row)
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        self._back = QPushButton(tr("Restore the defaults"), self)
        self._back.setProperty("kind", "quiet")
        self._back.clicked.connect(self.reset)
        if in_a_row:
            self._row.setContentsMargins(0, 0, 0, 0)
            self.setLayout(self._row)
            return
        column = in_column(self.legend, (self._scroll, 1), on=self, margins=(14, 12, 6, 8))
        column.addWidget(self._back, 0, Qt.AlignmentFlag.AlignLeft)

    def show_inputs(self, inputs: tuple[Input, ...]) -> None:
        """Shows these inputs. Fields that stay keep focus and cursor."""
        if not self.has_fields_of(inputs):
            self.fields, self._origins = {}, {}
            if self._in_a_row:
                self._build_row(inputs)
            else:
                self._build_form(inputs)
            self._shape = _shape(inputs)
        for field in inputs:
            self._fill(field)
        used = dict.fromkeys(field.origin for field in inputs)
        self.legend.setText("   ".join(f"{sign}\u00a0{tr(word)}" for word, sign in SIGNS.items() if word in used))
        changed = any(field.origin == "yours" for field in inputs)
        self._back.setVisible(changed and not self._in_a_row)

    def has_fields_of(self, inputs: tuple[Input, ...]) -> bool:
        """True if the fields of these inputs exist, so showing them only fills in values."""
        return self._shape == _shape(inputs)

    def _build_row(self, inputs: tuple[Input, ...]) -> None:
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for shown in inputs:
            field = self._field(shown)
            if shown.choices:
                field.setMinimumWidth(_NUMBER_WIDTH)
                field.setMaximumWidth(_CHOICE_WIDTH)
            else:
                field.setFixedWidth(_NUMBER_WIDTH)
            for part in self._labelled(shown, field):
                self._row.addWidget(part)
            self._row.addSpacing(16)
        self._row.addStretch(1)

    def _labelled(self, shown: Input, field: Field) -> tuple[QLabel, Field, QLabel]:
        """Caption, field, and the origin of the value."""
        self.fields[shown.key] = field
        # A caption with a buddy would underline the letter after an ampersand.
        words = plain_button(said(shown.label))
        caption = labelled(words) if self._in_a_row else _wrapped(words)
        caption.setBuddy(field)
        origin = labelled("", "caption")
        self._origins[shown.key] = origin
        return caption, field, origin

    def _build_form(self, inputs: tuple[Input, ...]) -> None:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 12, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(3)
        group = ""
        for shown in inputs:
            if shown.group != group:
                group = shown.group
                heading = _wrapped(tr(group), "heading")
                heading.setContentsMargins(0, 10 if self.fields else 0, 0, 2)
                form.addRow(heading)
            caption, field, origin = self._labelled(shown, self._field(shown))
            head = in_row((caption, 1), origin, margins=(0, 4, 2, 0))
            form.addRow(head)
            form.addRow(field)
        old = self._scroll.takeWidget()
        if old is not None:
            old.deleteLater()
        self._scroll.setWidget(inside)

    def _field(self, shown: Input) -> Field:
        if shown.choices:
            box = ElidedBox()
            # Long names of tests must not widen the panel.
            policy = QComboBox.SizeAdjustPolicy
            box.setSizeAdjustPolicy(
                policy.AdjustToContents if self._in_a_row else policy.AdjustToMinimumContentsLengthWithIcon
            )
            for words, choice in zip(shown.names or shown.choices, shown.choices, strict=True):
                box.addItem(said(words), choice)
            box.activated.connect(lambda at, key=shown.key, box=box: self.changed.emit(key, box.itemData(at)))
            field: Field = box
        else:
            spin = NumberField()
            spin.lineEdit().setTextMargins(7, 0, 0, 0)
            spin.valueChanged.connect(lambda value, key=shown.key: self.changed.emit(key, value))
            field = spin
        field.setAccessibleName(input_name(shown))
        # The wheel scrolls the panel; it must not change a number under the pointer.
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.wheelEvent = lambda event: event.ignore()  # type: ignore[method-assign]
        return field

    def _fill(self, shown: Input) -> None:
        field = self.fields[shown.key]
        with QSignalBlocker(field):
            if isinstance(field, QComboBox):
                field.setCurrentIndex(field.findData(str(shown.value)))
            else:
                assert isinstance(field, NumberField)
                field.show_decimals(shown.decimals, shown.kept)
                field.setRange(shown.minimum, shown.maximum)
                field.setSuffix(f" {said(shown.counted)}" if shown.unit else "")
                field.show_missing(shown.missing)
                field.setValue(_number(shown.value))
        field.setToolTip(plain_tip("\n".join(filter(None, (_in_full(shown), shown.tip)))))
        field.setAccessibleDescription(tr(shown.origin))
        origin = self._origins[shown.key]
        origin.setText(tr(shown.origin) if self._in_a_row else SIGNS.get(shown.origin, ""))
        origin.setToolTip(tr(shown.origin))


def _wrapped(words: str, role: str = "") -> QLabel:
    """A label that a form gives room for all its lines."""
    label = WrappedLabel(role)
    label.setText(words)
    return label


def _in_full(shown: Input) -> str:
    """The value of an input if its field may show only a part of it."""
    if shown.missing:
        return tr("no value")
    if isinstance(shown.value, str):
        return said(shown.name) if len(shown.name) > FITS else ""
    whole = round(shown.value, shown.decimals) == shown.value
    return "" if whole else f"{in_full(shown.value)} {said(shown.unit)}".strip()


def _shape(inputs: tuple[Input, ...]) -> _Shape:
    return tuple((field.key, field.group, field.choices) for field in inputs)


def _number(value: Value) -> float:
    return value if isinstance(value, float | int) else 0.0


class ElidedBox(QComboBox):
    """A box that shows the differing part of a long choice, and cuts its middle with … instead of half a letter. The
    open list shows the choice in full."""

    def __init__(self) -> None:
        super().__init__()
        self.view()
        freed_whole(self)

    def showPopup(self) -> None:
        """Opens the list, wide enough for its longest choice."""
        widest = (self.fontMetrics().horizontalAdvance(self.itemText(row)) for row in range(self.count()))
        self.view().setMinimumWidth(max(widest, default=0) + BEFORE + BEHIND)
        super().showPopup()

    def shown_text(self) -> str:
        """The text that is drawn at this width."""
        text, wide = self.currentText(), self._text_area().width()
        if self.fontMetrics().horizontalAdvance(text) > wide:
            text = short_names([self.itemText(row) for row in range(self.count())]).get(text, text)
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, wide)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the box with the text that fits."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        shown = self.palette().text() if self.isEnabled() else self.palette().placeholderText()
        painter.setPen(shown.color())
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._text_area(), side, self.shown_text())

    def _text_area(self) -> QRect:
        # The style's own measure counts the room of the arrow twice.
        return self.rect().adjusted(BEFORE, 0, -BEHIND, 0)
