"""The fields of the run editor: each shows one fact about the selected runs, its origin, and the typed value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QLabel, QLineEdit, QSpinBox, QWidget

from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.boxes import choice_box, whole_number_box
from workbench.model.edits import RunEdits
from workbench.model.metric import Side
from workbench.model.run import Provisioning, Run, SessionType
from workbench.study.series.run_date import run_date

AS_THEY_ARE = "unchanged"
NO_CACHE, NOT_KNOWN = "no RAM cache, or size unknown", "unknown"
WRITE_CACHES = (
    ("not stated", ""),
    ("server", "server"),
    ("device disk", "device-disk"),
    ("device RAM", "device-ram"),
    ("device RAM with overflow", "device-ram-overflow"),
)
SESSION_TYPES = (("one session per VM (VDI)", SessionType.VDI), ("many sessions per VM (RDS)", SessionType.RDS))
GUEST_COUNTERS = (("not stated", ""), ("above the cache", Side.ABOVE.value), ("below the cache", Side.BELOW.value))
# Edits that can be undone without another value.
_CLEARED = ("write_cache", "guest_counters", "build", "date")
EXAMPLES = {
    "build": "for example 22H2-19045.3803",
    "date": "2026-03-02 or 2026-03-02T09:00",
    "time_zone": "+01:00 or Europe/London",
}
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class RunFact:
    """A fact about a run that the user can state: its key in RunEdits and in the guesses, its name, and the run's
    value."""

    key: str
    words: str
    of: Callable[[Run], Any]


FACTS = (
    RunFact("configuration", "Configuration", lambda run: run.configuration.name),
    RunFact("provisioning", "Provisioning", lambda run: run.configuration.provisioning),
    RunFact("write_cache", "Write cache", lambda run: run.configuration.write_cache or ""),
    RunFact("ram_cache_mb", "RAM cache", lambda run: run.configuration.ram_cache_mb),
    RunFact("guest_counters", "Guest counters", lambda run: run.guest_counters or ""),
    RunFact("session_type", "Sessions", lambda run: run.session_type),
    RunFact("vms", "VMs", lambda run: run.vms),
    RunFact("users", "Users", lambda run: run.users),
    RunFact("build", "Build", lambda run: run.build or ""),
    RunFact("date", "Date", lambda run: run.date or ""),
    RunFact("time_zone", "Time zone", lambda run: run.time_zone or ""),
)
# Facts that can be stated for several runs at once.
OF_SEVERAL = ("configuration", "provisioning", "build", "time_zone")


class Field:
    """One fact on screen: its widget, and a line with the origin of its value. `edited` are the runs as shown, `read`
    the runs as in their files, in one order."""

    def __init__(self, fact: RunFact, edited: Sequence[Run], read: Sequence[Run], unit: str = "MB") -> None:
        self.fact = fact
        self._read = [fact.of(run) for run in read]
        shown = [fact.of(run) for run in edited]
        self._alike = all(run == shown[0] for run in shown)
        self._first = shown[0] if self._alike else None
        self.widget = self._made(edited, unit)
        self.widget.setAccessibleName(tr(fact.words))
        self.origin = labelled(_origin(fact, edited, read), "caption")
        self.origin.setWordWrap(True)
        self._at_first = self.typed()

    def typed(self) -> Any:
        """The value of the widget; None if nothing is typed."""
        if isinstance(self.widget, QComboBox):
            return self.widget.currentData()
        if isinstance(self.widget, QSpinBox):
            value = self.widget.value()
            return None if value == self.widget.minimum() else value
        assert isinstance(self.widget, QLineEdit)
        return self.widget.text().strip()

    @property
    def touched(self) -> bool:
        """True if the typed value differs from the value shown at first."""
        return bool(self.typed() != self._at_first)

    def edit(self, index: int, before: RunEdits) -> Any:
        """The edit of this fact for the run at this position."""
        if not self.touched:
            return getattr(before, self.fact.key)
        typed, read = self.typed(), self._read[index]
        if self.fact.key == "ram_cache_mb" and typed is None:
            return None if read is None else -1
        if typed == read or (typed in (None, "") and self.fact.key not in _CLEARED):
            return None
        return typed

    def _made(self, runs: Sequence[Run], unit: str) -> QWidget:
        match self.fact.key:
            case "provisioning":
                return self._choice([(provisioning.value, provisioning) for provisioning in Provisioning])
            case "session_type":
                return self._choice(SESSION_TYPES)
            case "write_cache":
                return self._choice(WRITE_CACHES)
            case "guest_counters":
                return self._choice(GUEST_COUNTERS)
            case "ram_cache_mb":
                return self._number(-1, NO_CACHE, f" {unit}")
            case "vms" | "users":
                return self._number(0, NOT_KNOWN, "")
            case _:
                return self._line(runs)

    def _choice(self, entries: Sequence[tuple[str, object]]) -> QComboBox:
        as_they_are = () if self._alike else ((AS_THEY_ARE, None),)
        box = choice_box([(tr(words), value) for words, value in (*as_they_are, *entries)])
        if self._alike:
            values = [value for _, value in entries]
            if self._first not in values:
                box.addItem(str(self._first), self._first)
                values.append(self._first)
            box.setCurrentIndex(values.index(self._first))
        return box

    def _number(self, least: int, nothing: str, suffix: str) -> QSpinBox:
        spin = whole_number_box(least, _MOST)
        spin.setSpecialValueText(tr(nothing))
        spin.setSuffix(suffix)
        spin.lineEdit().setTextMargins(7, 0, 0, 0)
        spin.setGroupSeparatorShown(True)
        spin.setValue(least if self._first is None else self._first)
        return spin

    def _line(self, runs: Sequence[Run]) -> QLineEdit:
        line = QLineEdit("" if self._first is None else str(self._first))
        if len(runs) > 1 and (self.fact.key == "time_zone" or not self._alike):
            line.setPlaceholderText(tr(AS_THEY_ARE))
        elif self.fact.key in EXAMPLES:
            line.setPlaceholderText(tr(EXAMPLES[self.fact.key]))
        return line


def offer_names(field: Field, names: Sequence[str]) -> None:
    """Completes the typed text from known names."""
    assert isinstance(field.widget, QLineEdit)
    completer = QCompleter(list(names), field.widget)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    field.widget.setCompleter(completer)


def labels_of(field: Field) -> QLabel:
    """The caption of a field; its keyboard shortcut leads to the field."""
    label = labelled(tr(field.fact.words))
    label.setBuddy(field.widget)
    return label


def _origin(fact: RunFact, edited: Sequence[Run], read: Sequence[Run]) -> str:
    """The origin of the value: yours, guessed (with the reason), or stated by the files."""
    if len(edited) > 1:
        return ""
    now, then = fact.of(edited[0]), fact.of(read[0])
    if now != then:
        return "yours; no value in the files" if then in (None, "") else f"yours; value in the files: {then}"
    guess = next((guesse for guesse in read[0].guesses if guesse.field == fact.key), None)
    if guess is not None:
        return f"guessed: {guess.reason}"
    if fact.key == "time_zone":
        return _zone_words(read[0])
    if fact.key == "date" and now == "" and (stamped := run_date(read[0])) is not None:
        moment = datetime.fromtimestamp(stamped.seconds, UTC)
        return tr("from timestamps: {} UTC").format(f"{moment:%Y-%m-%d %H:%M}")
    return tr("not stated") if now in (None, "") else tr("from run.toml")


def _zone_words(run: Run) -> str:
    silent = sum(recording.utc_offset_minutes is None and not recording.relative for recording in run.recordings)
    if run.time_zone:
        return tr("from run.toml")
    if silent:
        return f"{silent} of {len(run.recordings)} files contain no UTC offset; UTC is assumed"
    return "not needed: all files contain their UTC offset"
