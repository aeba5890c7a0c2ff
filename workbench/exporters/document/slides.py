"""Slides of findings and pages: the sentence, the figure for it, and the evidence of both.

A slide of the storyboard shows the claims of its findings, otherwise the page with their evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from workbench.answers.common.change_words import few_runs_words
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.known import evidence_state
from workbench.answers.registry import PAGES
from workbench.answers.storyboard.figures import claim_figure
from workbench.answers.storyboard.grouped import caveat_lines
from workbench.answers.storyboard.shown import ShownSlide, StudyFindings
from workbench.charts.claim import Pointed
from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.marked import marked_figure
from workbench.charts.short_names import short_names
from workbench.exporters.contents import answered, page_part, saved_views
from workbench.exporters.document.document import BENCHMARK_METHODS, METHODS, Document, Slide
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.method import PROGRAM
from workbench.measures.statistics import Change
from workbench.model.phase import STANDARD_PHASES, STEADY
from workbench.model.problem import all_named, few_named
from workbench.model.run import Run, Study
from workbench.words.captions import as_sentences, ended, named
from workbench.words.metrics import MEASURED_AT, phase_words, rule_of
from workbench.words.numbers import THIN, moment, plural, signed

Figures = Mapping[str, RunFigures]


def document_on(studies: Sequence[Study], figures: Sequence[RunFigures], slides: Sequence[Slide]) -> Document:
    """The document of slides about these studies, with its subtitle, the method, and all problems."""
    problems = [problem for study in studies for problem in study.problems]
    problems += [problem for figure in figures for problem in figure.problems]
    with_runs = [study.name for study in studies if study.runs or study.benchmarks] or [study.name for study in studies]
    title = with_runs[0] if len(with_runs) == 1 else f"{len(with_runs)} studies"
    folders = [{run.folder for run in study.runs} for study in studies]
    groups = (group_runs(figure for figure in figures if figure.run.folder in of) for of in folders)
    configurations = {group.label for of in groups for group in of if group.runs}
    subtitle = _subtitle(with_runs, [figure.run for figure in figures], len(configurations))
    document = Document(title, subtitle, tuple(slides), METHODS, tuple(dict.fromkeys(problems)))
    if not figures and any(study.benchmarks for study in studies):
        return replace(document, method=BENCHMARK_METHODS, short_method=BENCHMARK_METHODS)
    return document


def story_slide(shown: ShownSlide, content: Content, figures: Figures, several: bool) -> Slide:
    """A slide of the storyboard with its chart or tables. Its study is named if the document has several."""
    slide, finding = shown.slide, shown.findings[0] if shown.findings else None
    study = shown.study.name if several and shown.study else ""
    runs = [figures[folder] for folder in finding.runs if folder in figures] if finding else []
    phase = phase_words(shown.view.phase).capitalize() if shown.view else ""
    viewed = ", ".join(filter(None, (study, phase, content.caption)))
    evidence = _evidence(study, finding, runs, shown.study.groups if shown.study else ()) if finding else viewed
    saved = "\n".join((f"Saved view: {slide.view}", *content.method, _written()))
    labels = {folder: group.label for group in (shown.study.groups if shown.study else ()) for folder in group.folders}
    generated = _notes(finding, runs, labels, shown.also) if finding else saved
    notes = "\n".join(filter(None, (slide.notes, "" if slide.switches.source else evidence, generated)))
    title = short_title(shown.sentence, shown.study)
    return Slide(
        # Prevents a line break between n, = and the number.
        re.sub(r"\bn = (?=\d)", "n\u00a0=\u00a0", title),
        content.figure,
        evidence if slide.switches.source else "",
        notes,
        caveat_lines(finding.caveats) if finding else (),
        finding.runs if finding else (),
        slide.key,
        shown.also,
        finding.strength.words if finding else "",
        () if content.figure else content.tables[:1],
        tuple(claim for _, claim in shown.claims),
        slide.switches,
        of_story=True,
        said=slide.notes or "",
    )


# A longer title does not fit two lines.
_LONGEST_TITLE = 110


def short_title(title: str, study: StudyFindings | None) -> str:
    """The title; if it is too long for a slide, with short names of the configurations. The notes have it in full."""
    if len(title) <= _LONGEST_TITLE or study is None:
        return title
    names = short_names([group.label for group in study.groups])
    for label in sorted(names, key=len, reverse=True):
        title = title.replace(label, names[label])
    return title


def content_slide(name: str, content: Content) -> Slide | None:
    """The current page as a slide, with its question as the title. None if it has no figure, and no table that is its
    answer."""
    tables = content.tables[:1] if content.tabled else ()
    if content.empty or (content.figure is None and not tables):
        return None
    cards = [
        " ".join(filter(None, (f"{card.heading}: {card.value}", card.unit, f"({card.note})" if card.note else "")))
        for card in content.cards
    ]
    notes = "\n".join(filter(None, (f"Page: {name}", *cards, *content.method, _written())))
    figure = content.figure
    title = content.question or (figure.question if figure is not None else name)
    # The caption of the figure is above it.
    evidence = "" if figure is not None and figure.caption == content.caption else content.caption
    return Slide(title, figure, evidence, notes, tables=tables)


# Maximum number of configurations that the evidence of a slide names for one number of runs.
_NAMED = 3
_GRADES = {
    Strength.STRONG: "the evidence is strong",
    Strength.INDICATIVE: "the evidence is indicative, not conclusive",
    Strength.INCONCLUSIVE: "the evidence is inconclusive",
}


def _evidence(study: str, finding: Finding, runs: Sequence[RunFigures], groups: Sequence[Group]) -> str:
    based = _runs_words(runs, groups)
    if study:
        based = f"{based} (study '{study}')" if based else f"the study '{study}'"
    parts = (f"Based on {based}" if based else "", *_uncertainty(finding), *_phase_rules(finding, runs, groups))
    return as_sentences([part[:1].upper() + part[1:] for part in (*parts, _vantages(finding, runs))])


def _runs_words(runs: Sequence[RunFigures], groups: Sequence[Group]) -> str:
    """The runs as text: `3 runs each of MCS and MCSIO 4 GB`, `3 runs of MCS and 1 run of PVS 3 GB`."""
    names = _names(runs, groups)
    by_count: dict[int, list[str]] = {}
    for name, count in Counter(names[run.run.folder] for run in runs).items():
        by_count.setdefault(count, []).append(name)
    return all_named(
        [
            f"{plural(count, 'run')}{' each' * (len(names) > 1)} of {_configurations(names)}"
            for count, names in by_count.items()
        ]
    )


def _names(runs: Sequence[RunFigures], groups: Sequence[Group]) -> dict[str, str]:
    """The short name of each run's configuration, by the folder of the run."""
    short = short_names([group.label for group in groups])
    labels = {folder: short[group.label] for group in groups for folder in group.folders}
    return {run.run.folder: labels.get(run.run.folder, run.run.configuration.name) for run in runs}


def _configurations(names: Sequence[str]) -> str:
    """Text like `MCS, PVS 3 GB, PVS 1 GB and 1 other configuration`."""
    shown, others = [named(name) for name in names[:_NAMED]], len(names) - _NAMED
    return few_named([*shown, plural(others, "other configuration")] if others > 0 else shown, _NAMED + 1)


def _uncertainty(finding: Finding) -> tuple[str, ...]:
    change = finding.change
    if change is None and finding.strength is Strength.SINGLE:
        return ()  # the number of runs already shows this
    graded = _GRADES.get(finding.strength, finding.strength.words)
    if change is None:
        return (graded,)
    if change.basis == "single":
        return (f"a single run gives no 95{THIN}% interval",)
    return (_interval(change), graded) if finding.strength in _GRADES else (_interval(change),)


def _interval(change: Change) -> str:
    low, high = change.percent_ends
    if low is None or high is None:
        return few_runs_words(change.n, change.n_baseline)
    ends = f"{signed(low, 1)}{THIN}% to {signed(high, 1)}{THIN}%"
    return f"95{THIN}% interval of the change: {ends}" if change.basis == "interval" else f"range of the change: {ends}"


def _rows(finding: Finding, runs: Sequence[RunFigures]) -> list[PhaseFigures]:
    rows = (run.phase(finding.phase) for run in runs) if finding.phase else ()
    return [row for row in rows if row is not None]


def _phase_rules(finding: Finding, runs: Sequence[RunFigures], groups: Sequence[Group]) -> tuple[str, ...]:
    """The rule of the phase, or one part per rule that names its configurations. If a configuration has several rules,
    the part names no configuration."""
    names = _names(runs, groups)
    users: dict[str, dict[str, None]] = {}
    for run in runs:
        row = run.phase(finding.phase) if finding.phase else None
        if row is not None:
            users.setdefault(_rule_words(rule_of(row.phase)), {})[names[run.run.folder]] = None
    phase, words = _phase_name(finding.phase), tuple(users)
    if len(words) < 2:
        return tuple(f"{phase}: {rule}" for rule in words)
    if sum(map(len, users.values())) > len(set().union(*users.values())):
        return (f"{phase}: for some runs, {words[0]}; for others, {', or '.join(words[1:])}",)
    return tuple(f"{phase} of {_configurations(tuple(users[rule]))}: {rule}" for rule in words)


def _phase_name(phase: str) -> str:
    """`steady state`, `logon phase`, `phase 'scan'`: the phase at the beginning of its rule."""
    if phase == STEADY:
        return phase_words(phase)
    return f"{phase} phase" if phase in STANDARD_PHASES else f"phase '{phase}'"


def _rule_words(rule: str) -> str:
    """`from end of logon to first logoff (recorded events)`: the rule before its kind of evidence."""
    evidence, colon, words = rule.partition(": ")
    if evidence == "detected":
        return "detected from activity"
    return f"from {words} (recorded {evidence})" if colon and evidence in ("events", "sessions") else rule


def _vantages(finding: Finding, runs: Sequence[RunFigures]) -> str:
    rows = (row.vantage for row in _rows(finding, runs) if row.vantage)
    vantages = dict.fromkeys(vantage for names in rows for vantage in names.split(" + "))
    return f"I/O was measured {few_named([MEASURED_AT[vantage] for vantage in vantages])}" if vantages else ""


def _notes(finding: Finding, runs: Sequence[RunFigures], labels: Mapping[str, str], also: Sequence[str]) -> str:
    parts = [f"Full headline: {finding.text}"]
    parts += ["On the same chart:", *(f"- {sentence}" for sentence in also)] if also else []
    parts += [f"Edited by you. Generated text: {finding.generated}" if finding.edited and finding.generated else ""]
    parts += [f"{MEASURES[name].name} = {MEASURES[name].computed}" for name in finding.figures if name in MEASURES]
    parts += ["Runs:"] if runs else []
    parts += [_run_line(run, labels.get(run.run.folder, run.run.configuration.name), finding.phase) for run in runs]
    return "\n".join(part for part in (*parts, _written()) if part)


def _run_line(figures: RunFigures, configuration: str, phase: str) -> str:
    run, row = figures.run, figures.phase(phase) if phase else None
    span = "" if row is None else f", {phase_words(phase)} {moment(row.phase.start)} to {moment(row.phase.end)} UTC"
    return f"- {run.name} ({configuration}){span}"


def _written() -> str:
    return f"{PROGRAM}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def _subtitle(studies: Sequence[str], runs: Sequence[Run], configurations: int) -> str:
    counted = [run for run in runs if run.excluded is None]
    counts = f"{plural(configurations, 'configuration')}, {plural(len(counted), 'run')}" if counted else ""
    left = len(runs) - len(counted)
    alone = f"{plural(left, 'run')} {'is' if left == 1 else 'are'} excluded"
    out = (
        (f" ({plural(left, 'more run')} {'is' if left == 1 else 'are'} excluded)" if counts else alone) if left else ""
    )
    facts = (_shared(runs, name) for name in ("workload", "guest_os", "hypervisor", "build"))
    names = ", ".join(studies) if len(studies) > 1 else ""
    return "\n".join(line for line in (names, counts + out, ", ".join(filter(None, facts))) if line)


def _shared(runs: Sequence[Run], name: str) -> str:
    """The value that all runs share; empty if they differ."""
    values = {getattr(run, name) for run in runs}
    return str(values.pop() or "") if len(values) == 1 else ""


NOTHING = "It no longer exists."
# Maximum number of columns of a figure on one slide.
_SIDE_BY_SIDE = 3


def slide_of(
    shown: ShownSlide, library: Library, choices: Choices, figures: Mapping[str, RunFigures], several: bool
) -> tuple[Slide | None, str]:
    """The slide, or the reason why there is none: it has neither chart nor table."""
    if shown.slide.kind == "text":
        return Slide(shown.sentence, notes=shown.slide.notes or "", key=shown.slide.key, of_story=True), ""
    if shown.lost:
        return None, NOTHING
    figure = claim_figure(shown.claims, shown.slide.switches)
    content = Content("", figure=figure) if figure is not None else _content(shown, library, choices)
    if content is None or content.empty or not (content.figure or content.tables):
        return None, (content.empty if content else "") or "It has neither a chart nor a table."
    slide = story_slide(shown, content, figures, several)
    return replace(slide, evidence_key=_evidence_key(shown), study=shown.study.name if shown.study else ""), ""


def _evidence_key(shown: ShownSlide) -> str:
    """The page of the slide with its view, like `Part.key`. Without a view it is the first one of the page."""
    if shown.view is not None:
        return f"{shown.view.page}:"
    page, view = shown.slide.page, shown.slide.page_view
    if shown.findings:
        page, view = shown.findings[0].page, shown.findings[0].view
    return f"{page}:{view}" if page else ""


def _content(shown: ShownSlide, library: Library, choices: Choices) -> Content | None:
    """The content of the page behind the slide."""
    seen = shown.study.choices if shown.study else choices
    if shown.findings:
        content = finding_content(shown.findings[0], library, seen)
        return marked_content(content, shown.findings[0]) if content and shown.slide.switches.claim else content
    if shown.view is not None:
        views = saved_views(library, choices, (shown.view,))
        return views.parts[0].content if views.parts else Content("", empty=" ".join(views.left_out))
    part = page_part(library, seen, shown.slide.page, shown.slide.page_view)
    return None if part is None else part.content


def finding_content(finding: Finding, library: Library, choices: Choices) -> Content | None:
    """The page with a finding's evidence (figure, cards and tables); None for a finding without evidence.

    If the page fails, its `empty` gives the reason.
    """
    spec = next((spec for spec in PAGES if spec.key == finding.page), None)
    return None if spec is None else answered(spec, library, evidence_state(choices, finding, library))


def marked_content(content: Content, finding: Finding) -> Content:
    """The content, with the subject of the finding highlighted in its figure."""
    if content.figure is None:
        return content
    figure, pointed = marked_figure(content.figure, finding.pointed), finding.pointed
    if pointed is not None and pointed.vm:
        # On paper no pointer shows which line belongs to the VM.
        panels = (replace(p, legend=p.legend or p.title == pointed.configuration) for p in figure.panels)
        figure = replace(figure, panels=tuple(panels))
    return replace(content, figure=figure if pointed is None else _few_columns(figure, pointed))


def _few_columns(figure: Figure, pointed: Pointed) -> Figure:
    """A figure with a column per configuration. If there are too many columns side by side, only those of the finding's
    configurations are kept, because they must not be on a later slide."""
    titles = {panel.column: panel.title for panel in figure.panels if panel.title}
    about = {pointed.configuration, pointed.baseline, *pointed.also}
    kept = {column for column, title in titles.items() if title in about}
    if len(titles) <= _SIDE_BY_SIDE or pointed.configuration not in titles.values() or len(kept) > _SIDE_BY_SIDE:
        return figure
    panels = tuple(panel for panel in figure.panels if panel.column in kept)
    shown = f"The chart shows {len(kept)} of {len(titles)} configurations"
    caption = ended(". ".join(filter(None, (figure.caption, shown))))
    return replace(figure, panels=panels, caption=caption)
