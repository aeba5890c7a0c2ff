"""The user's choices for a test, as the inputs of the page store them, and the kit for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import ASSUMED_DESKTOPS, MARGIN_PERCENT, MOST_DESKTOPS
from workbench.answers.prepare.kit.contents import LONGEST_S, Kit, KitChoices, make_kit
from workbench.answers.prepare.questions import QUESTIONS
from workbench.charts.inputs import Form, Input, Origin, Value
from workbench.measures.configurations import Group
from workbench.measures.statistics import MARGIN

CHOSEN, NAMES = "prepare.questions", "prepare.configurations"
_DESKTOPS, _DETECT, _INTERVAL = "prepare.desktops", "prepare.detect_percent", "prepare.interval_s"
# The value of the input if no question is ticked: an empty value is the default, which means every question.
_NONE = "none"
_DETECT_PERCENT = 5.0
_MOST_PERCENT = 1e3


@dataclass(frozen=True, eq=False)
class KitForm(Form):
    """The state of the form, and the contents of the kit: the keys of the ticked questions, the names of the
    configurations as typed and the default names, the numbers, and the kit. The kit is None if no question is ticked,
    or if `refused` gives a reason in a sentence."""

    ticked: tuple[str, ...]
    names: str
    standard_names: str
    inputs: tuple[Input, ...]
    kit: Kit | None
    refused: str = ""


def kit_form(library: Library, choices: Choices) -> KitForm:
    """The form, filled from the user's choices."""
    groups = library.shown(choices)
    kit = kit_for(groups, choices)
    unnamed = kit_for(groups, choices.without_inputs(frozenset((NAMES,))))
    standard = unnamed.planned.configurations if unnamed is not None else ()
    return KitForm(
        ticked_questions(choices),
        str(choices.input(NAMES, "")),
        ", ".join(configuration.name for configuration in standard),
        _inputs(choices),
        kit,
        _chosen(groups, choices).refused if ticked_questions(choices) else "",
    )


def kit_for(groups: Sequence[Group], choices: Choices) -> Kit | None:
    """The kit for the choices; None if no question is ticked, or if samples are too far apart."""
    chosen = _chosen(groups, choices)
    return None if not ticked_questions(choices) or chosen.refused else make_kit(chosen, groups)


def _chosen(groups: Sequence[Group], choices: Choices) -> KitChoices:
    interval = choices.number(_INTERVAL, 0.0)
    return KitChoices(
        ticked_questions(choices),
        names_of(str(choices.input(NAMES, "")), [group.label for group in groups]),
        int(interval) or None,
        detect=choices.number(_DETECT, _DETECT_PERCENT) / 100,
        margin=choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100,
        desktops=int(choices.number(_DESKTOPS, ASSUMED_DESKTOPS)) if _DESKTOPS in dict(choices.inputs) else None,
    )


def names_of(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """The names with commas between them. A name of `known` that contains commas stays whole."""
    names: list[str] = []
    parts = [" ".join(part.split()) for part in text.split(",")]
    whole = {" ".join(name.split()) for name in known}
    while parts:
        sizes = [size for size in range(len(parts), 0, -1) if ", ".join(parts[:size]) in whole]
        size = sizes[0] if sizes else 1
        names.append(", ".join(parts[:size]))
        parts = parts[size:]
    return tuple(name for name in names if name)


def ticked_questions(choices: Choices) -> tuple[str, ...]:
    """The keys of the ticked questions; all keys until the user unticks one."""
    text = str(choices.input(CHOSEN, ""))
    return tuple(QUESTIONS) if not text else tuple(key for key in QUESTIONS if key in text.split(","))


def as_input(questions: Sequence[str]) -> str:
    """The value of the input for these questions; the default for all of them."""
    return "" if set(questions) == set(QUESTIONS) else ",".join(questions) or _NONE


def _inputs(choices: Choices) -> tuple[Input, ...]:
    stated = dict(choices.inputs)

    def number(key: str, label: str, default: float, unit: str, least: float, most: float, tip: str) -> Input:
        origin: Origin = "yours" if key in stated else "assumed"
        value: Value = choices.number(key, default)
        return Input(key, label, value, unit, minimum=least, maximum=most, origin=origin, tip=tip)

    detect = number(
        _DETECT,
        "Change to detect",
        _DETECT_PERCENT,
        "%",
        0.1,
        _MOST_PERCENT,
        "The smallest change that the runs must detect",
    )
    return (
        number(
            _DESKTOPS,
            "Desktops",
            float(ASSUMED_DESKTOPS),
            "",
            1,
            MOST_DESKTOPS,
            "Number of desktops whose load the storage test simulates",
        ),
        replace(detect, decimals=1),
        number(
            _INTERVAL,
            "Seconds between samples",
            0.0,
            "s",
            0,
            LONGEST_S,
            "Seconds between samples (default: depends on the questions)",
        ),
    )
