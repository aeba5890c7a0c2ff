"""Page Limits: what was agreed on, and which configurations keep to it."""

from __future__ import annotations

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.limits.cards import limit_cards
from workbench.answers.limits.chosen import limits_of
from workbench.answers.limits.compute import checks, contradictions
from workbench.answers.limits.figures import limits_figure
from workbench.answers.limits.sentences import QUESTION, headline, keeping_text
from workbench.answers.limits.tables import CONTRADICTING, UNREAD, check_table, data_table, glance_table, problem_table
from workbench.charts.content import Content
from workbench.measures.configurations import phase_names
from workbench.words.captions import captioned, short_lines

NO_LIMITS = "No limits are stated. Write down what was agreed on, or put a limits.toml into the folder of the study."
_EDIT = ("Edit limits…", "limits.edit")


def answer(library: Library, choices: Choices) -> Content:
    """The counts as a headline, a card for each configuration, each limit drawn, and every check as a row."""
    groups = library.groups(choices)
    if not library.shown(choices):
        return without_answer(QUESTION, library)
    limits = limits_of(library.study(choices.study), choices, phase_names(groups))
    if limits is None or not (limits.limits or limits.problems):
        return Content(QUESTION, empty=NO_LIMITS, offers=_EDIT)
    results = checks(groups, limits.limits, frozenset(choices.hidden))
    look = looks(groups)
    figure, glance = limits_figure(results, groups), glance_table(results)
    tables = [glance] if glance is not None else []
    tables += [check_table(results, look, groups)] if results else []
    opposed = contradictions(results, limits.file)
    wrong = ((UNREAD, limits.problems), (CONTRADICTING, opposed))
    tables += [problem_table(problems, name) for name, problems in wrong if problems]
    count, unread = len(limits.limits), len(limits.problems)
    caption, method = captioned(
        (
            f"{unread} limit{'s' * (unread != 1)} cannot be read" if unread else "",
            "some limits contradict each other" if opposed else "",
            figure.caption if figure is not None else f"{count} limit{'s' * (count != 1)}",
        ),
        (f"{limits.name}: {count} limit{'s' * (count != 1)}", *(short_lines(keeping_text(results)) if results else ())),
    )
    return Content(
        headline(results) if results else QUESTION,
        caption,
        limit_cards(results, look),
        figure,
        tuple(tables),
        tabled=figure is None,
        data=data_table(results) if results else None,
        offers=_EDIT,
        method=method,
    )
