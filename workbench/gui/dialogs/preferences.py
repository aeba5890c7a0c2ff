"""The preferences dialog: generated from their declaration, with a search. Changes apply at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.services.layout import in_column
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.boxes import choice_box
from workbench.gui.widgets.number_field import NumberField
from workbench.session.preferences import PREFERENCES, Preference, Value, matching, value_of
from workbench.session.settings import Settings

_FIELD_WIDTH = 210
NOTHING_CALLED_SO = "No preference matches the search. Change or clear the search."


@dataclass(frozen=True, eq=False)
class _Entry:
    """The widgets of one preference."""

    one: Preference
    box: QWidget
    field: QComboBox | QDoubleSpinBox
    reset: QPushButton


class PreferencesDialog(QDialog):
    """Does not block the main window. `changed` passes the key and value of a change."""

    changed = Signal(str, object)

    def __init__(self, parent: QWidget, settings: Settings) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(tr("Preferences"))
        self.search = QLineEdit()
        self.search.setObjectName("search")
        self.search.setPlaceholderText(tr("Search preferences"))
        self.search.setAccessibleName(tr("Search preferences"))
        self.search.setClearButtonEnabled(True)
        self.nothing = labelled(tr(NOTHING_CALLED_SO), "quiet")
        self.nothing.hide()
        self.groups: dict[str, QFrame] = {}
        self.entries: dict[str, _Entry] = {}
        self._build()
        for preference in PREFERENCES:
            self._fill(preference, value_of(settings, preference.key))
        self.search.textChanged.connect(self._filter)
        self.search.setFocus()

    def shown(self) -> list[str]:
        """The keys that match the search."""
        return [key for key, entry in self.entries.items() if not entry.box.isHidden()]

    def _filter(self, typed: str) -> None:
        names = {preference.key for preference in matching(typed)}
        for key, entry in self.entries.items():
            entry.box.setVisible(key in names)
        for group, card in self.groups.items():
            card.setVisible(
                any(
                    self.entries[preference.key].one.group == group
                    for preference in PREFERENCES
                    if preference.key in names
                )
            )
        self.nothing.setVisible(not names)

    def _set(self, key: str, value: Value) -> None:
        entry = self.entries[key]
        entry.reset.setEnabled(value != entry.one.default)
        self.changed.emit(key, value)

    def _reset(self, key: str) -> None:
        preference = self.entries[key].one
        self._fill(preference, preference.default)
        self._set(key, preference.default)

    def _fill(self, preference: Preference, value: Value) -> None:
        entry = self.entries[preference.key]
        with QSignalBlocker(entry.field):
            if isinstance(entry.field, QComboBox):
                entry.field.setCurrentIndex([choice for choice, _ in preference.choices].index(str(value)))
            else:
                entry.field.setValue(float(value))
        entry.reset.setEnabled(value != preference.default)

    def _build(self) -> None:
        inside = QWidget()
        cards = in_column(on=inside, margins=(0, 0, 8, 0), spacing=12)
        for preference in PREFERENCES:
            if preference.group not in self.groups:
                self.groups[preference.group] = card = QFrame()
                card.setProperty("card", True)
                in_column(labelled(tr(preference.group), "heading"), on=card, margins=(16, 12, 16, 12))
                cards.addWidget(card)
            self.entries[preference.key] = entry = self._entry(preference)
            _column(self.groups[preference.group]).addWidget(entry.box)
        # Equally wide, and none cuts a choice.
        wide = max(_FIELD_WIDTH, *(entry.field.sizeHint().width() for entry in self.entries.values()))
        for entry in self.entries.values():
            entry.field.setFixedWidth(wide)
        cards.addWidget(self.nothing)
        cards.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(tr("Preferences"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        in_column(self.search, (area, 1), buttons, on=self, margins=(18, 16, 10, 14), spacing=12)
        self.resize(680, 760)

    def _entry(self, preference: Preference) -> _Entry:
        field = self._field(preference)
        field.setAccessibleName(tr(preference.title))
        field.setAccessibleDescription(tr(preference.text))
        reset = QPushButton(tr("Reset"))
        reset.setProperty("kind", "quiet")
        reset.setAutoDefault(False)
        reset.setAccessibleName(f"{tr('Reset')}: {tr(preference.title)}")
        reset.clicked.connect(partial(self._reset, preference.key))
        text = labelled(tr(preference.text), "quiet")
        text.setWordWrap(True)
        title = labelled(tr(preference.title))
        title.setBuddy(field)
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 6, 0, 4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(title, 0, 0)
        grid.addWidget(field, 0, 1)
        grid.addWidget(reset, 0, 2)
        grid.addWidget(text, 1, 0, 1, 3)
        return _Entry(preference, box, field, reset)

    def _field(self, preference: Preference) -> QComboBox | QDoubleSpinBox:
        if preference.choices:
            box = choice_box([(tr(words), choice) for choice, words in preference.choices])
            box.activated.connect(
                lambda at, preference=preference: self._set(preference.key, preference.choices[at][0])
            )
            return box
        spin = NumberField()
        spin.lineEdit().setTextMargins(7, 0, 0, 0)
        spin.setDecimals(preference.decimals)
        spin.setRange(preference.least, preference.most)
        spin.setSuffix(f" {preference.unit}")
        spin.valueChanged.connect(lambda value, key=preference.key: self._set(key, value))
        return spin


def _column(card: QFrame) -> QVBoxLayout:
    layout = card.layout()
    assert isinstance(layout, QVBoxLayout)
    return layout
