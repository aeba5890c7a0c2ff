"""Preferences, each declared once: kind, default, words and limits. Dialog, checks and docs are derived from it.

Command line, exports and JSON replies ignore them, because the input of a script must not depend on a setting. Margin
and primary metrics are copied into the state of a new workspace: its file keeps them, and command line and exports
follow the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from workbench.measures.catalogue import DURATION, MEASURES
from workbench.model.phase import STANDARD_PHASES, STEADY
from workbench.session.settings import Settings
from workbench.words.metrics import phase_words

Value = float | str
# These existed as separate settings before there were preferences.
_FIELDS = ("theme", "language")


@dataclass(frozen=True, slots=True)
class Preference:
    """`choices` are pairs of value and words. Without choices it is a number in `unit` from `least` to `most`."""

    key: str
    group: str
    title: str
    text: str
    default: Value
    choices: tuple[tuple[str, str], ...] = ()
    unit: str = ""
    least: float = 0.0
    most: float = 0.0
    decimals: int = 0

    @property
    def kind(self) -> str:
        """`choice` or `number`."""
        return "choice" if self.choices else "number"

    def allowed(self, value: object) -> bool:
        """True if `value` is allowed."""
        if self.choices:
            return value in [choice for choice, _ in self.choices]
        return isinstance(value, float | int) and self.least <= value <= self.most


def _primary(phase: str) -> Preference:
    """The preference for the metric that judges a phase. The length of steady state is not a result."""
    usual = next(measure.within for measure in MEASURES.values() if phase in measure.primary)
    offered = [
        measure
        for measure in MEASURES.values()
        if measure.change and measure.better != "none" and not measure.rds_only
        if (phase, measure.key) != (STEADY, DURATION)
    ]
    return Preference(
        primary_key(phase),
        "Comparison",
        f"Primary metric, {phase_words(phase)}",
        "The most important metric of this phase. Choose it before you see results. Only findings about primary "
        "metrics can be strong. [primary] in the run.toml of the baseline overrides this setting.",
        "",
        (("", f"default: {usual}"), *((measure.key, measure.name) for measure in offered)),
    )


def primary_key(phase: str) -> str:
    """The key of the preference for the primary metric of a phase."""
    return f"primary_{phase}"


PREFERENCES = (
    Preference(
        "theme",
        "Appearance",
        "Theme",
        "Colours of the window. The system setting is only read at startup.",
        "light",
        (("light", "light"), ("dark", "dark"), ("system", "same as system")),
    ),
    Preference(
        "type_size",
        "Appearance",
        "Text size",
        "Size of text in the window and in charts. Presentations use larger text.",
        "100",
        (("100", "100 %"), ("125", "125 %"), ("150", "150 %")),
    ),
    Preference(
        "language",
        "Appearance",
        "Language",
        "Language of VDI Workbench. A change takes effect after a restart.",
        "",
        (("", "same as system"), ("en", "English"), ("de", "Deutsch")),
    ),
    Preference(
        "units",
        "Numbers",
        "Unit of cache sizes",
        "Unit name for cache sizes on screen. The numbers do not change, because both names mean 2²⁰ bytes. In "
        "benchmarks, MB/s always means 10⁶ bytes per second.",
        "MB",
        (("MB", "MB (2²⁰ bytes)"), ("MiB", "MiB (2²⁰ bytes)")),
    ),
    Preference(
        "decimals",
        "Numbers",
        "Decimal mark",
        "Decimal mark of numbers on screen and in copied tables. Exports, the command line and JSON do not use "
        "this setting.",
        "system",
        (("system", "same as system"), ("point", "1 234.5"), ("comma", "1 234,5")),
    ),
    Preference(
        "margin",
        "Comparison",
        "Margin",
        "Smallest change that matters to you. The Compare page rates smaller changes as 'same'. New studies "
        "start with this margin.",
        5.0,
        unit="%",
        least=0.0,
        most=50.0,
        decimals=1,
    ),
    *(_primary(phase) for phase in STANDARD_PHASES),
    Preference(
        "store_cap_gib",
        "Storage",
        "Import cache limit",
        "Maximum disk space for imported data. The least recently used data is deleted first. Data used in the "
        "last 24 hours is kept.",
        20.0,
        unit="GB",
        least=1.0,
        most=2000.0,
    ),
)
BY_KEY = {preference.key: preference for preference in PREFERENCES}


def value_of(settings: Settings, key: str) -> Value:
    """The value of a preference; its default if it is not set or has a value that is not allowed."""
    preference = BY_KEY[key]
    value = getattr(settings, key) if key in _FIELDS else settings.preferences.get(key, preference.default)
    return value if preference.allowed(value) else preference.default


def with_value(settings: Settings, key: str, value: Value) -> Settings:
    """The settings with one preference set. Raises ValueError for a value that is not allowed."""
    preference = BY_KEY[key]
    if not preference.allowed(value):
        raise ValueError(f"{preference.title} cannot be {value}")
    if key in _FIELDS:
        return msgspec.structs.replace(settings, **{key: value})
    kept = {name: other for name, other in settings.preferences.items() if name != key}
    # A default is not saved, so a changed default of a later version applies.
    return msgspec.structs.replace(settings, preferences=kept if value == preference.default else kept | {key: value})


def matching(typed: str) -> tuple[Preference, ...]:
    """The preferences that contain every typed word in title, text, group or choices."""
    words = typed.casefold().split()
    return tuple(preference for preference in PREFERENCES if all(word in _searched(preference) for word in words))


def _searched(preference: Preference) -> str:
    return " ".join(
        (preference.title, preference.text, preference.group, *(words for _, words in preference.choices))
    ).casefold()


# A preference with more choices has a link to their list in the docs.
_MOST_LISTED = 9


def as_markdown() -> str:
    """The page of the docs that lists the preferences."""
    head = (
        "# Preferences\n\nPress Ctrl+, in the window to open the preferences. Changes are saved immediately in\n"
        "`settings.json` ([Files and folders](files.md)).\n\n"
    )
    rows = ["| group | preference | values | default | what it does |", "|---|---|---|---|---|"]
    rows += [
        f"| {entry.group} | {entry.title} | {_values(entry)} | {_default(entry)} | {entry.text} |"
        for entry in PREFERENCES
    ]
    return head + "\n".join(rows) + "\n"


def _values(preference: Preference) -> str:
    if len(preference.choices) > _MOST_LISTED:
        return "a metric of the [phase table](answers/overview.md) that can get better or worse"
    if preference.choices:
        return ", ".join(words for _, words in preference.choices)
    return f"{preference.least:g} to {preference.most:g} {preference.unit}"


def _default(preference: Preference) -> str:
    return (
        dict(preference.choices)[str(preference.default)].removeprefix("default: ")
        if preference.choices
        else f"{preference.default:g} {preference.unit}"
    )
