"""Which limits hold: those edited in the window, else those of the study's limits.toml."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.choices import Choices
from workbench.answers.limits.file import parse_limits
from workbench.answers.limits.limit import LimitsFile
from workbench.model.run import Study
from workbench.study.discovery.manifest import LIMITS, LimitsText

# Inputs of a session: the text of the limits as the user edited or opened them, and the file that holds it.
TEXT, FILE = "limits.text", "limits.file"


def stated(study: Study | None, choices: Choices | None) -> LimitsText | None:
    """The text of the limits that hold for a study; None where there are none."""
    text = "" if choices is None else str(choices.input(TEXT, ""))
    if choices is not None and text:
        return LimitsText(str(choices.input(FILE, "")) or LIMITS, text)
    return None if study is None else study.limits


def limits_of(study: Study | None, choices: Choices | None, phases: Sequence[str] | None = None) -> LimitsFile | None:
    """The limits that hold for a study, read; None where there are none. `phases` are those of its runs, which the
    limits may name (None: any)."""
    text = stated(study, choices)
    return None if text is None else read_limits(text, phases)


def read_limits(text: LimitsText, phases: Sequence[str] | None = None) -> LimitsFile:
    """The limits in a text, or why the file could not be read."""
    if text.problem is not None:
        return LimitsFile(text.file, (), (text.problem,))
    return parse_limits(text.text, text.file, phases)
