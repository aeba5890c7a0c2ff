"""Page Limits: the agreed limits, and the configurations that meet them, with a chart of the values and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from workbench.answers.common.change_words import WHISKERS
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.limits.compute import Check, Outcome, checks, contradictions, counts_of
from workbench.answers.limits.file import limits_of
from workbench.answers.limits.limit import OVERFLOW, Limit
from workbench.answers.limits.sentences import (
    QUESTION,
    figure_text,
    headline,
    keeping_text,
    runs_text,
    value_text,
    why_text,
)
from workbench.answers.limits.tables import CONTRADICTING, UNREAD, check_source, check_table, data_table, glance_table
from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Bars, Figure, FloatArray, Line, Look, Panel
from workbench.charts.tables import unread_table
from workbench.measures.configurations import Group, phase_names
from workbench.words.captions import MOST_WORDS, capital, captioned, named, short_lines, word_count
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, plural

NO_LIMITS = "No limits are set. Enter the agreed limits, or put a limits.toml into the folder of the study."
# With more configurations the cards would be too narrow: the table alone is shown.
_MOST_CARDS = 6
_EDIT = ("Edit limits…", "limits.edit")


def answer(library: Library, choices: Choices) -> Content:
    """The counts as a headline, a card for each configuration, each limit drawn, and a row for each check."""
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
    tables += [unread_table(problems, name) for name, problems in wrong if problems]
    count, unread = len(limits.limits), len(limits.problems)
    keeping = capital(keeping_text(results)) if results else ""
    caption, method = captioned(
        (
            f"{plural(unread, 'limit')} cannot be read" if unread else "",
            "Some limits contradict each other" if opposed else "",
            keeping if word_count(keeping) <= MOST_WORDS else "",
            figure.caption if figure is not None else plural(count, "limit"),
        ),
        (
            *(figure.method if figure is not None else ()),
            f"{limits.name} contains {plural(count, 'limit')}",
            *(short_lines(keeping) if word_count(keeping) > MOST_WORDS else ()),
        ),
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


CHART = "limits"
# Panels of one figure: limits that fail come first.
MOST = 8
# Bars of one panel: configurations that fail come first.
_BARS = 12
# Red and blue as for the signs of the verdicts. Texture and names show the verdict without colour.
_LOOKS = {
    Outcome.PASS: Look("accent"),
    Outcome.FAIL: Look("danger", dash="dash-dot"),
    Outcome.FAIL_ONE_RUN: Look("danger", dash="dash-dot"),
    Outcome.NOT_SHOWN: Look("quiet", dash="dash"),
}
_SIGNS = {Outcome.PASS: "✓", Outcome.FAIL: "✗", Outcome.FAIL_ONE_RUN: "✗", Outcome.NOT_SHOWN: "~"}
_LIMIT_LOOK = Look("text", dash="dash")
# Room above and below the bars for their values, as a share of the range.
_ROOM = 0.27


def limits_figure(checks: Sequence[Check], groups: Sequence[Group]) -> Figure | None:
    """A panel for each limit that has a figure: the value of every configuration with its interval, and the limit as a
    line. None if no limit has a figure."""
    by_limit = [[check for check in checks if check.limit == limit] for limit in dict.fromkeys(c.limit for c in checks)]
    measured = [members for members in by_limit if any(check.value is not None for check in members)]
    if not measured:
        return None
    first = sorted(range(len(measured)), key=lambda index: (_urgency(measured[index]), index))[:MOST]
    by_label = {group.label: group for group in groups}
    drawn = [_few(measured[index]) for index in sorted(first)]
    panels = tuple(_panel(column, members, by_label) for column, members in enumerate(drawn))
    left_out = len(by_limit) - len(drawn)
    most = max(map(len, measured))
    bases = {check.basis for check in checks if check.low is not None}
    words = " or ".join(word for basis, word in WHISKERS.items() if basis in bases)
    caption, method = captioned(
        (f"{_BARS} of {most} configurations are shown" if most > _BARS else "", "The dashed line is the limit"),
        (f"Whiskers show the {words}" if words else "",),
    )
    return Figure(
        CHART,
        QUESTION,
        caption,
        panels,
        share_y=False,
        summary=f"{headline(checks)}. {'; '.join(map(_spoken, checks))}.",
        method=method,
        note=f"The table has {plural(left_out, 'more limit')}" if left_out else "",
        scrolls=True,
    )


def _spoken(check: Check) -> str:
    """The check in a list: `MCS (fail): No overflow (overflow in 3 of 3 runs)`."""
    figure, why = figure_text(check), why_text(check)
    counted = "" if check.limit.measure == OVERFLOW else f", n = {runs_text(check)}"
    evidence = "; ".join(filter(None, ("" if figure == MISSING else f"{figure}{counted}", why)))
    head = f"{named(check.configuration)} ({check.verdict})" if check.configuration else check.verdict
    return f"{head}: {check.limit.name or check.words}" + f" ({evidence})" * bool(evidence)


def _few(checks: Sequence[Check]) -> list[Check]:
    """The configurations that fit with their names, in their order."""
    kept = sorted(range(len(checks)), key=lambda index: (_urgency(checks[index : index + 1]), index))[:_BARS]
    return [checks[index] for index in sorted(kept)]


def _urgency(checks: Sequence[Check]) -> int:
    counts = counts_of(checks)
    return 0 if counts.failed else 1 if counts.not_shown else 2


def _panel(column: int, checks: Sequence[Check], groups: Mapping[str, Group]) -> Panel:
    limit, count = checks[0].limit, len(checks)
    bound = _bound(limit)
    line = Line("limit", np.array([-0.5, count - 0.5]), np.full(2, bound), _LIMIT_LOOK)
    bars = tuple(_bar(index, check, count, groups) for index, check in enumerate(checks))
    return Panel(
        limit.name or limit.figure.name,
        Axis("", categories=tuple(map(_name, checks)), of=tuple(check.configuration for check in checks)),
        _axis(limit, checks),
        (line, *bars),
        column,
        subtitle=_subtitle(limit, checks[0].against),
        legend=False,
    )


def _name(check: Check) -> str:
    """`MCS ✗`: the configuration with the sign of its verdict, which has room under a narrow bar."""
    return f"{check.configuration} {_SIGNS[check.outcome] if check.verdict else ''}".strip()


def _subtitle(limit: Limit, against: str) -> str:
    """The subtitle of a panel: `steady state · vs. 'MCS' · limit ≤ −80 %`."""
    parts = [phase_words(limit.phase) if limit.phase else "", f"vs. {named(against)}" if against else ""]
    return " · ".join(
        filter(None, (*parts, f"limit {limit.bound_words}" if limit.bound_words else "limit: no run may overflow"))
    )


def _bound(limit: Limit) -> float:
    """The position of the line; for an overflow at 0 runs."""
    return 0.0 if limit.bound is None else limit.bound


def _axis(limit: Limit, checks: Sequence[Check]) -> Axis:
    """The quantity with its unit, from 0 over every bar, whisker and the limit, with room for the values."""
    edges = [0.0, _bound(limit)]
    edges += [edge for check in checks for edge in (check.value, check.low, check.high) if edge is not None]
    low, high = min(edges), max(edges)
    reach = (high - low) or 1.0
    limits = low - _ROOM * reach * (low < 0), high + _ROOM * reach * (high > 0 or low == high)
    if limit.measure == OVERFLOW:
        return Axis("Runs with overflow", limits=limits)
    change = bool(limit.against)
    return Axis(f"{'Change in ' * change}{limit.figure.name}", limit.unit, limits=limits, change=change)


def _bar(index: int, check: Check, count: int, groups: Mapping[str, Group]) -> Bars:
    ends = (np.empty(0), np.empty(0))
    if check.low is not None and check.high is not None:
        ends = (_at(index, count, check.low), _at(index, count, check.high))
    return Bars(
        check.configuration,
        _at(index, count, np.nan if check.value is None else check.value),
        _LOOKS[check.outcome],
        *ends,
        stack="limit",
        sources=tuple(check_source(check, groups) if at == index else None for at in range(count)),
        words=(value_text(check),),
        counts=(str(len(check.values)),) * count,
        ends=WHISKERS.get(check.basis, "") if check.basis else "",
    )


def _at(index: int, count: int, value: float) -> FloatArray:
    values = np.full(count, np.nan)
    values[index] = value
    return values


def limit_cards(checks: Sequence[Check], looks: Mapping[str, Look]) -> tuple[Card, ...]:
    """The cards in the order of the configurations; none if there are too many."""
    labels = [label for label in looks if any(check.configuration == label for check in checks)]
    if len(labels) > _MOST_CARDS:
        return ()
    return tuple(_card(label, looks[label], [c for c in checks if c.configuration == label]) for label in labels)


def _card(label: str, look: Look, checks: Sequence[Check]) -> Card:
    counts = counts_of(checks)
    others = {"failed": counts.failed, "inconclusive": counts.not_shown}
    note = " · ".join(f"{count} {outcome}" for outcome, count in others.items() if count)
    return Card(label, look, f"{counts.passed} of {len(checks)}", "checks passed", note, spoken=named(label))
