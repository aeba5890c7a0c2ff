"""Page Limits: what was agreed on, and which configurations keep to it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.limits.chosen import limits_of
from workbench.answers.limits.compute import Check, Outcome, checks, counts_of
from workbench.answers.limits.sentences import QUESTION, count_text, reasons_of
from workbench.answers.limits.tables import check_table, glance_table, unread_table
from workbench.charts.cards import Card
from workbench.charts.content import Content
from workbench.charts.figure import Look
from workbench.measures.configurations import phase_names
from workbench.words.lists import first_named

NO_LIMITS = "No limits are stated. Write down what was agreed on, or put a limits.toml into the folder of the study."
_QUIET = Look("quiet")
_EDIT = ("Edit limits…", "limits.edit")


def answer(library: Library, choices: Choices) -> Content:
    """Cards that count the verdicts, and a row for each limit of each configuration."""
    groups = library.groups(choices)
    if not library.shown(choices):
        return without_answer(QUESTION, library)
    limits = limits_of(library.study(choices.study), choices, phase_names(groups))
    if limits is None or not (limits.limits or limits.problems):
        return Content(QUESTION, empty=NO_LIMITS, offers=_EDIT)
    made = checks(groups, limits.limits, frozenset(choices.hidden))
    glance = glance_table(made)
    tables = [glance] if glance is not None else []
    tables += [check_table(made, looks(groups), groups)] if made else []
    tables += [unread_table(limits.problems)] if limits.problems else []
    count = len(limits.limits)
    unread = len(limits.problems)
    parts = [limits.name, f"{count} limit{'s' * (count != 1)}", count_text(made)]
    parts += [f"{unread} limit{'s' * (unread != 1)} cannot be read"] if unread else []
    caption = " · ".join(parts)
    return Content(QUESTION, caption, _cards(made), None, tuple(tables), tabled=True, offers=_EDIT)


def _cards(made: Sequence[Check]) -> tuple[Card, ...]:
    """How many checks came to what, and which configurations keep to every limit."""
    counts, of = counts_of(made), f"of {len(made)}"
    single = sum(check.outcome is Outcome.FAIL_ONE_RUN for check in made)
    labels = list(dict.fromkeys(check.configuration for check in made if check.configuration))
    short = {check.configuration for check in made if check.outcome is not Outcome.PASS}
    keeping = [label for label in labels if label not in short]
    return (
        Card("Pass", _QUIET, str(counts.passed), of, "the interval lies within the limit"),
        Card("Fail", _QUIET, str(counts.failed), of, f"{single} of one run" if single else _FAILED),
        Card("Not shown", _QUIET, str(counts.not_shown), of, _why_not(made)),
        Card(
            "Keep to every limit",
            _QUIET,
            str(len(keeping)),
            f"of {len(labels)}",
            first_named(keeping, 2) or "no configuration",
        ),
    )


_FAILED = "it lies beyond the limit"


def _why_not(made: Sequence[Check]) -> str:
    """The commonest reason."""
    first, *others = reasons_of(made) or [""]
    return f"{first}, and other reasons" if others else first
