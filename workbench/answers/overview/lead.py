"""The top of the overview: the strongest findings as large sentences, each with its chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.findings.claims import chart_key, claim_of
from workbench.answers.findings.compute import NOT_COMPARABLE, Finding, is_effect, listed
from workbench.answers.findings.page import asked_of, kept_findings
from workbench.answers.findings.sentences import CANNOT, reasons_words
from workbench.answers.findings.tables import NAME, finding_tip
from workbench.answers.findings.words import card_sentence, foot_words, number_in
from workbench.answers.overview.tables import NAME as PHASES
from workbench.answers.overview.tables import TIERS, WORST
from workbench.charts.claim import FindingCard, Lead, Statement
from workbench.charts.figure import Look
from workbench.charts.tables import TableData
from workbench.measures.configurations import Group
from workbench.measures.statistics import MARGIN
from workbench.study.series.run_date import run_date
from workbench.words.captions import first_lines
from workbench.words.numbers import plural

FIRST = 3
# Maximum number of configurations that are listed with the day of their runs.
_MOST_DAYS = 6
SINGLE_RUNS = "One run per configuration: differences have no 95 % interval."


def lead_of(library: Library, choices: Choices, caption: str, tables: Sequence[TableData]) -> Lead | None:
    """The cards of the strongest findings, and links to the `tables` below them; `caption` is shown under the question.
    None without findings."""
    groups = library.shown(choices)
    singles = single_runs(groups)
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    kept = kept_findings(library, choices)
    if apart := next((finding for finding in kept if finding.kind == NOT_COMPARABLE and not finding.edited), None):
        return Lead((), caption, links=_links(1, tables), statement=_statement(apart, library, choices))
    first = strongest(kept)
    cards = tuple(_card(finding, groups, margin, singles=singles) for finding in first)
    banner = SINGLE_RUNS if singles else ""
    return Lead(cards, caption, banner, _links(len(first), tables)) if cards else None


def _statement(finding: Finding, library: Library, choices: Choices) -> Statement:
    """The statement that nothing can be compared yet: the reason, the next step, and the dates of the runs."""
    asked = asked_of(library, choices)
    why, steps = ((), ()) if asked is None else reasons_words(asked.comparability.reasons)
    groups = [group for group in library.shown(choices) if group.runs]
    look, most = looks(groups), max((len(group.runs) for group in groups), default=0)
    runs = "one run each" if most == 1 else f"up to {most} runs each"
    return Statement(finding.key, CANNOT, why, steps, f"no verdict, {runs}", tuple(_days(groups, look)))


def _days(groups: Sequence[Group], look: Mapping[str, Look]) -> Iterator[tuple[str, Look, str]]:
    for group in groups[:_MOST_DAYS]:
        dates = [date.seconds for run in group.runs if (date := run_date(run.run))]
        day = f"{datetime.fromtimestamp(min(dates), UTC):%d %b %Y}".lstrip("0") if dates else "date unknown"
        yield group.label, look[group.label], day


def _links(cards: int, tables: Sequence[TableData]) -> tuple[tuple[str, str], ...]:
    """The tables under the page, as (words, name); the words of the findings count those without a card."""
    names = [table.name for table in tables if table.name in (NAME, PHASES, TIERS, WORST)]
    more = sum(len(table.rows) for table in tables if table.name == NAME) - cards
    findings = plural(more, "more finding") if more > 0 else "All findings"
    return tuple((findings if name == NAME else name, name) for name in names)


def single_runs(groups: Sequence[Group]) -> bool:
    """True if several configurations are compared with one run each."""
    counts = [len(group.runs) for group in groups if group.runs]
    return len(counts) > 1 and max(counts) == 1


def strongest(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The first findings in the user's order, one for each chart; if there are too few charts, the next ones.

    Findings of no difference come after all effects.
    """
    own = [finding for finding in findings if not finding.apart]
    shown, others, undecided = listed(own)
    leading = (*shown, *(finding for finding in others if not finding.led_by))
    effects = [finding for finding in leading if finding.own or is_effect(finding)] or leading
    charts: dict[tuple[str, ...], Finding] = {}
    for finding in effects:
        charts.setdefault((finding.key,) if finding.own else chart_key(finding), finding)
    in_turn = dict.fromkeys((*charts.values(), *effects, *shown, *others, *undecided))
    return tuple(sorted(list(in_turn)[:FIRST], key=own.index))


def _card(finding: Finding, groups: Sequence[Group], margin: float, *, singles: bool) -> FindingCard:
    sentence = card_sentence(finding)
    foot = foot_words(finding, singles_said=singles)
    claim = claim_of(finding, groups, margin)
    tip = first_lines(finding_tip(finding).split("\n"), "caveat")
    return FindingCard(finding.key, sentence, number_in(finding, sentence), foot, tip, claim)
