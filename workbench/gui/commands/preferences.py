"""The effects of the preferences: each applies in the window at once and is stored in the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QGuiApplication

from workbench.answers.common.names import MARGIN_PERCENT, PRIMARY
from workbench.charts.content import Content
from workbench.charts.palette import ThemeName
from workbench.charts.units import unit_words, with_unit
from workbench.gui.dialogs.preferences import PreferencesDialog
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.importer import Importer
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.status import Stage
from workbench.gui.services.theme import running_application
from workbench.model.phase import STANDARD_PHASES
from workbench.session.preferences import BY_KEY, Value, primary_key, value_of, with_value
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import prune
from workbench.words.numbers import write_decimals_with

# Inputs of a new workspace that take their value from a preference, by its key.
_INPUTS = {"margin": MARGIN_PERCENT} | {primary_key(phase): f"{PRIMARY}{phase}" for phase in STANDARD_PHASES}
# Locales with these decimal marks, for fields in which numbers are typed.
_LOCALES = {".": QLocale.Language.C, ",": QLocale.Language.French}


def theme_of(settings: Settings) -> ThemeName:
    """The theme to start with: the chosen one, or that of the system."""
    chosen = value_of(settings, "theme")
    if chosen == "system":
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return "dark" if dark else "light"
    return "dark" if chosen == "dark" else "light"


def with_preferred(settings: Settings, state: State) -> State:
    """A starting state with the preferred margin and primary metrics."""
    for key in _INPUTS:
        state = _with(settings, state, key)
    return state


def _with(settings: Settings, state: State, key: str) -> State:
    value, given = value_of(settings, key), _INPUTS[key]
    default = value == BY_KEY[key].default
    return state.without_inputs(frozenset((given,))) if default else state.with_input(given, value)


class PreferenceKeeper(Commands):
    """The commands for preferences. `redraw_wanted` is emitted when the display of numbers has changed."""

    redraw_wanted = Signal()

    _settings: SettingsKeeper
    _importer: Importer
    _pages: Pages
    _stage: Stage

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._write_numbers()
        self._cap_store()

    @command("&Edit", "&Preferences…", "Ctrl+,", place=405)
    def show(self) -> None:
        """Opens the dialog; changes apply at once."""
        dialog = PreferencesDialog(self._parent, self._settings.settings)
        dialog.changed.connect(self.set)
        dialog.show()

    def value(self, key: str) -> Value:
        """The value of a preference."""
        return value_of(self._settings.settings, key)

    @property
    def cache_unit(self) -> str:
        """The chosen name of the unit of 2^20 bytes."""
        return unit_words("MB") if self.value("units") == "MiB" else "MB"

    @property
    def type_scale(self) -> float:
        """The font scale outside presentations, 1 for the normal size."""
        return int(self.value("type_size")) / 100

    def worded(self, content: Content) -> Content:
        """A page's content in the preferred units."""
        return with_unit(content, self.cache_unit)

    def set(self, key: str, value: Value) -> None:
        """Sets a preference and applies it."""
        self._settings.settings = with_value(self._settings.settings, key, value)
        self._settings.write()
        effects: dict[str, Callable[[], object]] = {
            "theme": self._theme,
            "type_size": self.dress,
            "units": self.redraw_wanted.emit,
            "decimals": self._numbers,
            **dict.fromkeys(_INPUTS, partial(self._give, key)),
            "store_cap_gib": self._prune,
            "language": self._language,
        }
        effects[key]()

    def theme_changed(self, theme: ThemeName) -> None:
        """Stores a theme that was chosen with its own command."""
        if theme != theme_of(self._settings.settings):
            self._settings.change(theme=theme)

    def dress(self) -> None:
        """Applies the preferred font size to the window and to charts."""
        dressed = running_application().property("type_scale") or 1.0
        if dressed == self.type_scale:
            return
        self._stage.dress(self._workspace.state.theme, self.type_scale)
        self._stage.set_type_scale(self.type_scale)
        self._pages.shown.set_type_scale(self.type_scale)

    def _theme(self) -> None:
        self._workspace.apply(theme=theme_of(self._settings.settings))

    def _write_numbers(self) -> None:
        chosen = self.value("decimals")
        system = "," if QLocale.system().decimalPoint() == "," else "."
        mark = system if chosen == "system" else "," if chosen == "comma" else "."
        write_decimals_with(mark)
        QLocale.setDefault(QLocale(_LOCALES[mark]))

    def _numbers(self) -> None:
        self._write_numbers()
        self.redraw_wanted.emit()

    def _give(self, key: str) -> None:
        self._workspace.apply(inputs=_with(self._settings.settings, self._workspace.state, key).inputs)

    def _cap_store(self) -> None:
        cap = round(float(self.value("store_cap_gib")) * 2**30)
        self._importer.store = replace(self._importer.store, cap_bytes=cap)

    def _prune(self) -> None:
        self._cap_store()
        store = self._importer.store
        self._tasks.run("prune", lambda: prune(store), self._told_freed)

    def _told_freed(self, freed: int) -> None:
        if freed:
            self._status.tell(f"The import cache was reduced by {freed / 2**20:.0f} MB.")

    def _language(self) -> None:
        self._status.tell("The language changes at the next start.")
