"""Findings and pages become a deck: the sentence, the figure of its evidence, and what both rest on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from workbench.answers.findings.compute import Finding
from workbench.charts.content import Content
from workbench.exporters.slides.deck import Deck, FindingSlide
from workbench.exporters.slides.method_words import METHODS
from workbench.measures.catalogue import MEASURES
from workbench.measures.judging.method import PROGRAM
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.statistics import Change
from workbench.model.run import Run, Study
from workbench.words.metrics import phase_words, rule_of
from workbench.words.numbers import THIN, moment, signed

_STRENGTHS = {
    "strong": "strong",
    "indicative": "indicative",
    "single run": "single run",
    "inconclusive": "inconclusive",
    "yours": "stated by hand",
}
Figures = Mapping[str, RunFigures]


def deck_of(studies: Sequence[Study], figures: Sequence[RunFigures], slides: Sequence[FindingSlide]) -> Deck:
    """The deck of slides on these studies, with its subtitle, the method, and every problem met."""
    problems = [problem for study in studies for problem in study.problems]
    problems += [problem for figure in figures for problem in figure.problems]
    with_runs = [study.name for study in studies if study.runs] or [study.name for study in studies]
    title = with_runs[0] if len(with_runs) == 1 else f"{len(with_runs)} studies"
    return Deck(
        title,
        _subtitle(with_runs, [figure.run for figure in figures]),
        _unlike(slides),
        METHODS,
        tuple(dict.fromkeys(problems)),
    )


def _unlike(slides: Sequence[FindingSlide]) -> tuple[FindingSlide, ...]:
    """Each once: storage benchmarks belong to all studies, and so their findings come with each of them."""
    seen: dict[tuple[str, str], FindingSlide] = {}
    for slide in slides:
        seen.setdefault((slide.title, "" if slide.figure is None else slide.figure.caption), slide)
    return tuple(seen.values())


def finding_slides(
    pairs: Sequence[tuple[Finding, Content | None]], figures: Sequence[RunFigures], study: str = ""
) -> list[FindingSlide]:
    """A slide for each finding, with what the page of its evidence shows; `study` is named where the deck speaks of
    several."""
    by_folder = {figure.run.folder: figure for figure in figures}
    return [_finding_slide(finding, content, by_folder, study) for finding, content in pairs]


def content_slide(name: str, content: Content) -> FindingSlide | None:
    """A page as it is looked at: its question as the title; None when it has no figure."""
    if content.figure is None or content.empty:
        return None
    cards = [
        " ".join(filter(None, (f"{card.title}: {card.value}", card.unit, f"({card.note})" if card.note else "")))
        for card in content.cards
    ]
    notes = "\n".join(filter(None, (f"Page: {name}", *cards, _written())))
    return FindingSlide(content.question or content.figure.question, content.figure, content.caption, notes)


def _finding_slide(finding: Finding, content: Content | None, figures: Figures, study: str) -> FindingSlide:
    runs = [figures[folder] for folder in finding.runs if folder in figures]
    figure = None if content is None or content.empty else content.figure
    parts = (study, _runs_words(runs), _uncertainty(finding), _phase_rule(finding, runs), _vantages(finding, runs))
    evidence = " · ".join(part for part in parts if part)
    # No line ends between n, = and the number.
    title = re.sub(r"\bn = (?=\d)", "n\u00a0=\u00a0", finding.text)
    return FindingSlide(title, figure, evidence, _notes(finding, runs), finding.caveats, finding.runs)


# The evidence line


def _runs_words(runs: Sequence[RunFigures]) -> str:
    counts = Counter(run.run.configuration.name for run in runs)
    return ", ".join(f"{name}: {count} run{'s' if count > 1 else ''}" for name, count in counts.items())


def _uncertainty(finding: Finding) -> str:
    change = finding.change
    words = _STRENGTHS[finding.strength.value]
    if change is None:
        return words
    n = f"n = {change.n}" if change.n == change.n_baseline else f"n = {change.n} against {change.n_baseline}"
    return ", ".join(filter(None, (n, _interval(change), words)))


def _interval(change: Change) -> str:
    low, high = change.percent_ends
    if low is None or high is None:
        return "no uncertainty available"
    ends = f"{signed(low, 1)}{THIN}% to {signed(high, 1)}{THIN}%"
    return f"95{THIN}% interval {ends}" if change.basis == "interval" else f"range {ends}"


def _rows(finding: Finding, runs: Sequence[RunFigures]) -> list[PhaseFigures]:
    rows = (run.phase(finding.phase) for run in runs) if finding.phase else ()
    return [row for row in rows if row is not None]


def _phase_rule(finding: Finding, runs: Sequence[RunFigures]) -> str:
    rules = dict.fromkeys(rule_of(row.phase) for row in _rows(finding, runs))
    return f"{phase_words(finding.phase)}: {' / '.join(rules)}" if rules else ""


def _vantages(finding: Finding, runs: Sequence[RunFigures]) -> str:
    vantages = dict.fromkeys(row.vantage for row in _rows(finding, runs) if row.vantage)
    return f"measured at: {', '.join(vantages)}" if vantages else ""


# Notes and subtitle


def _notes(finding: Finding, runs: Sequence[RunFigures]) -> str:
    parts = [f"Edited by hand. As it was computed: {finding.generated}" if finding.edited and finding.generated else ""]
    parts += [f"{MEASURES[name].name} = {MEASURES[name].computed}" for name in finding.figures if name in MEASURES]
    parts += ["Runs:"] if runs else []
    parts += [_run_line(run, finding.phase) for run in runs]
    return "\n".join(part for part in (*parts, _written()) if part)


def _run_line(figures: RunFigures, phase: str) -> str:
    run, row = figures.run, figures.phase(phase) if phase else None
    span = "" if row is None else f", {phase} {moment(row.phase.start)} to {moment(row.phase.end)} UTC"
    return f"- {run.name} ({run.configuration.name}){span}"


def _written() -> str:
    return f"{PROGRAM}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def _subtitle(studies: Sequence[str], runs: Sequence[Run]) -> str:
    counted = [run for run in runs if run.excluded is None]
    configurations = {run.configuration.name for run in counted}
    counts = f"{len(configurations)} configurations · {len(counted)} runs" if counted else ""
    out = f" · {len(runs) - len(counted)} excluded" if len(runs) > len(counted) else ""
    facts = (_shared(runs, name) for name in ("workload", "guest_os", "hypervisor"))
    names = ", ".join(studies) if len(studies) > 1 else ""
    return "\n".join(line for line in (names, counts + out, " · ".join(filter(None, facts))) if line)


def _shared(runs: Sequence[Run], name: str) -> str:
    """What all runs say alike; nothing where they differ."""
    values = {getattr(run, name) for run in runs}
    return str(values.pop() or "") if len(values) == 1 else ""
