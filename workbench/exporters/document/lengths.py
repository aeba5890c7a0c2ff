"""The lengths of a document: the first part, the findings that follow, and the omitted parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import FindingRef, StorySlide
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.answers.findings.compute import Strength
from workbench.answers.findings.words import headline
from workbench.answers.limits.sentences import METHOD
from workbench.answers.limits.tables import GLANCE
from workbench.answers.sizing.chosen import capacity_plans
from workbench.answers.sizing.compute import Plan
from workbench.answers.storyboard.answer import SURE, Answer, Fact, answer_of, configuration_table, cost_figure
from workbench.answers.storyboard.compute import shown_findings
from workbench.answers.storyboard.shown import ShownSlide, ShownStory, StudyFindings
from workbench.answers.storyboard.summary import recommendation
from workbench.charts.claim import on_one_scale
from workbench.charts.content import Card
from workbench.charts.figure import Bars, Figure, Heatmap, Line, Mark
from workbench.charts.tables import Cell, TableData
from workbench.exporters.chart_plan import y_values
from workbench.exporters.contents import page_part
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.slides import content_slide, short_title, slide_of
from workbench.exporters.job import DocumentPart
from workbench.exporters.safe_file import NO_ROOM
from workbench.exporters.wanted import Length
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.recording import Series, series_key
from workbench.words.captions import as_sentences, ended, whole_lines
from workbench.words.numbers import THIN, number, plural

ANSWER, LIMITS, COST, TABLE, DIVIDER = "answer", "limits", "cost", "table", "divider"
_COSTS = "Disks, hosts and cache RAM of each configuration"
# Slides per study in a review: twelve, including cover, answer, limits, cost, method and table.
MOST_SLIDES = 12
_COVER_AND_METHOD = 2
# A table of names and numbers of runs has no results.
_LEAST_COLUMNS = 3
# For results of storage tools: a second column with an existing name that stays, and columns that only the page has.
_KEPT_UNITS, _DETAILS = ("× raw",), ("Type of latency", "Job", "Tool", "Error")
# Columns with the same text in all rows of a job. Job names repeat over files, and within a file with other settings.
_ONE_JOB = ("Test", "Job", "Block", "Queue", "Jobs")
# Pages whose charts need no phase, the number of them that become slides, and the content drawn for a file, best first.
_TIMELINE, _BENCHMARKS = "timeline", "benchmarks"
_MAIN = (
    (
        *(Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS),
        *(Quantity.THROUGHPUT, Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT),
        *(Quantity.LATENCY, Quantity.READ_LATENCY, Quantity.WRITE_LATENCY),
    ),
    (Quantity.CPU, Quantity.CPU_UTILITY, Quantity.MEMORY_AVAILABLE, Quantity.MEMORY),
)
_CHARTED, _MOST_CHARTED = ("per-vm-iops", _TIMELINE, "logons", _BENCHMARKS), 3


@dataclass(frozen=True, eq=False)
class StudyBrief:
    """The first slides of a study, its table, and the answer that the slides give."""

    study: StudyFindings
    slides: tuple[Slide, ...]
    table: Slide | None
    answer: Answer | None


def study_briefs(
    story: ShownStory, library: Library, choices: Choices, figures: Mapping[str, RunFigures], several: bool
) -> tuple[StudyBrief, ...]:
    """The brief of each study: the answer with its chart, the agreed limits, and the cost, as far as available."""
    plans = capacity_plans(library, choices)
    # Benchmarks without findings are shown too.
    tests = [study.name for study in library.studies if study.benchmarks]
    studies = story.studies or tuple(StudyFindings("", name, choices, ()) for name in tests[:1])
    return tuple(
        _brief(study, plans.get(study.folder, ()), library, figures, several)
        for study in studies
        if study.findings or not story.studies or library.groups(study.choices)
    )


def _brief(
    study: StudyFindings, plans: Sequence[Plan], library: Library, figures: Mapping[str, RunFigures], several: bool
) -> StudyBrief:
    answer = answer_of(study, plans)
    configuration = answer.configuration if answer is not None else ""
    slides = [
        _answer_slide(study, answer, library, figures, several) if answer is not None else None,
        _limits_slide(study, library) if study.groups else None,
        _cost_slide(study, plans, configuration),
    ]
    made = tuple(filter(None, slides))
    if all(slide.figure is None for slide in made):
        # Recorded data comes before a table of missing data.
        charted = _page_slides(study, library)
        made = (*charted, *(slide for slide in made if not charted or slide.part != ANSWER))
    return StudyBrief(study, made, _table_slide(study, plans, library, several), answer)


def _page_slides(study: StudyFindings, library: Library) -> tuple[Slide, ...]:
    """The first charts of the pages, for studies without an answer that has one: samples without phases, or only
    sessions. The first one is the answer."""
    parts = [page_part(library, study.choices, page, "") for page in _CHARTED]
    if not any(_charted(part) for part in parts if part is not None and part.page != _TIMELINE):
        parts = [*recorded_parts(study, library)]
    charted = [part for part in parts if part is not None and _charted(part)]
    made = [content_slide(part.name, part.content) for part in charted]
    shown = [replace(slide, study=study.name) for slide in made if slide is not None]
    if not shown:
        return ()
    facts = [_fact(card) for card in charted[0].content.cards[:2]]
    title = f"{facts[0].label}: {facts[0].words}" if facts else ""
    if not title and charted[0].page == _BENCHMARKS:
        title = _highest(shown[0].figure)
    title = title or shown[0].title
    sure = Fact(SURE, "Not compared", ended(recommendation(study)[0]))
    first = replace(shown[0], title=title, figure=_lead(shown[0].figure), facts=(*facts, sure), part=ANSWER)
    return (first, *shown[1:_MOST_CHARTED])


def _fact(card: Card) -> Fact:
    """A measured value with its subject."""
    return Fact(card.title, f"{card.value}{THIN}{card.unit}".strip(), card.note)


def _highest(figure: Figure | None) -> str:
    """The highest bar of the first panel in words; empty without bars."""
    panel = next(iter(figure.panels), None) if figure is not None else None
    bars = [mark for mark in panel.marks if isinstance(mark, Bars)] if panel is not None else []
    known = [(value, at) for mark in bars for at, value in enumerate(mark.values) if np.isfinite(value)]
    if panel is None or not known:
        return ""
    value, at = max(known)
    names = panel.x.categories
    return f"{names[at]}: {number(value)}{THIN}{panel.y.unit}, the highest of {len(names)} tests"


def _lead(figure: Figure | None) -> Figure | None:
    """The figure. If bars are below each other, only the first panel, because the facts take a part of the slide."""
    if figure is None or not all(isinstance(mark, Bars) for panel in figure.panels for mark in panel.marks):
        return figure
    tops = {panel.column: panel for panel in reversed(figure.panels)}
    return replace(figure, panels=tuple(panel for panel in figure.panels if panel is tops[panel.column]))


def recorded_parts(study: StudyFindings, library: Library) -> tuple[DocumentPart, ...]:
    """The counters of the first files as charts, to show the recorded data if no page has a chart."""
    runs = [run for group in library.groups(study.choices) for run in (*group.runs, *group.excluded)]
    found = [(name, page_part(library, seen, _TIMELINE, "")) for name, seen in _file_choices(study.choices, runs)]
    return tuple(
        replace(
            part,
            name=f"{part.name}, {name}",
            content=replace(part.content, question=_recorded(part.content.figure, name)),
        )
        for name, part in found
        if part is not None and _charted(part)
    )[:_MOST_CHARTED]


def _charted(part: DocumentPart) -> bool:
    """True if the page shows a chart."""
    figure = part.content.figure
    return figure is not None and bool(figure.panels) and not part.content.empty


def _recorded(figure: Figure | None, file: str) -> str:
    """The content of a file's chart, such as `% Processor Time: host.csv`."""
    marks = (mark for panel in figure.panels for mark in panel.marks) if figure is not None else ()
    names = dict.fromkeys(mark.name for mark in marks if isinstance(mark, Line) and mark.name)
    return f"{' and '.join(names)}: {file}" if names else file


def _file_choices(choices: Choices, runs: Sequence[RunFigures]) -> Iterator[tuple[str, Choices]]:
    """The names of files, each with choices that show its main two counters; files with disk I/O and CPU first. Files
    with samples over time only."""
    for run in runs:
        timed = [recording for recording in run.run.recordings if recording.rows > 1]
        timed.sort(key=lambda recording: -len(_best_series(recording.series)))
        for recording in timed[:_MOST_CHARTED]:
            keys = (
                series_key(run.run.folder, recording.file, series.path) for series in _main_series(recording.series)
            )
            yield recording.file, replace(choices, timeline=tuple(keys), phase=WHOLE_RUN)


def _main_series(series: Sequence[Series]) -> list[Series]:
    """The two best counters of a file, or its first two if these are missing."""
    best = _best_series(series)
    return [*best, *(one for one in series if one not in best)][:2]


def _best_series(series: Sequence[Series]) -> list[Series]:
    """A counter of disk I/O, then one of CPU or memory, if the file has them; totals first."""
    best: list[Series] = []
    for kind in _MAIN:
        own = [one for one in series if one.metric is not None and one.metric.quantity in kind]
        best += sorted(own, key=lambda one: (one.instance != "_Total", kind.index(_quantity(one))))[:1]
    return best


def _quantity(series: Series) -> Quantity:
    assert series.metric is not None
    return series.metric.quantity


def _answer_slide(
    study: StudyFindings, answer: Answer, library: Library, figures: Mapping[str, RunFigures], several: bool
) -> Slide | None:
    refs = tuple(FindingRef(finding.key, finding.about) for finding in answer.findings)
    slide = StorySlide(f"{ANSWER}/{study.folder}", study.folder, refs)
    shown = shown_findings(slide, study)
    alone = replace(shown, claims=tuple((of, on_one_scale([claim])[0]) for of, claim in shown.claims[:1]))
    made, _ = slide_of(alone, library, study.choices, figures, several)
    return (
        None
        if made is None
        else replace(made, title=short_title(answer.title, study), facts=answer.facts, also=(), part=ANSWER)
    )


def _limits_slide(study: StudyFindings, library: Library) -> Slide | None:
    """The agreed limits by configuration, as a chart if there are too many configurations for a table."""
    part = page_part(library, study.choices, "limits", "")
    if part is None or part.content.empty:
        return None
    content = part.content
    told = next((finding for finding in study.findings if finding.kind == "limits" and not finding.edited), None)
    tables = tuple(table for table in content.tables if table.name == GLANCE)
    title = short_title(headline(told), study) if told is not None else content.question
    figure = None if tables else content.figure
    if figure is None and not tables:
        return None
    # The rules of pass and fail would not fit under the table: the notes have them.
    reasons = tables[0].method[len(METHOD) :] if tables else ()
    evidence, rules = as_sentences(whole_lines(reasons)), as_sentences(whole_lines(METHOD)) if tables else ""
    return Slide(title, figure, evidence, rules, tables=tables, part=LIMITS, study=study.name, evidence_key="limits:")


def _cost_slide(study: StudyFindings, plans: Sequence[Plan], configuration: str) -> Slide | None:
    told = next((f for f in study.findings if f.kind == "sizing" and f.configuration == configuration), None)
    title = short_title(headline(told), study) if told is not None else _COSTS
    figure = cost_figure(plans, study.groups, configuration, title)
    # The answer already has the price of a single configuration.
    if figure is None or not any(len(panel.x.categories) > 1 for panel in figure.panels):
        return None
    caveats = told.caveats if told is not None else ()
    return Slide(title, figure, caveats=caveats, part=COST, study=study.name, evidence_key="sizing:plan", of_story=True)


def _table_slide(study: StudyFindings, plans: Sequence[Plan], library: Library, several: bool) -> Slide | None:
    table: TableData | None = None
    if any(group.runs for group in study.groups):
        table = configuration_table(study.groups, plans)
    elif (part := page_part(library, study.choices, "benchmarks", "")) is not None and part.content.tables:
        table = _benchmark_values(part.content.tables[0])
    if table is None or not table.rows:
        return None
    # The table without empty columns.
    kept = [at for at in range(len(table.columns)) if not all(row[at].empty for row in table.rows)]
    rows = tuple(tuple(row[at] for at in kept) for row in table.rows)
    table = replace(table, columns=tuple(table.columns[at] for at in kept), rows=rows)
    if len(table.columns) < _LEAST_COLUMNS:
        return None
    title = f"All values: {study.name}" if several else "All values"
    return Slide(title, None, table.whole_legend, tables=(table,), part=TABLE, study=study.name)


def _benchmark_values(table: TableData) -> TableData:
    """The results of storage tools with their main columns. The total of a job replaces its reads and writes; the
    legend has the number of these rows."""
    at = {column.title: place for place, column in reversed([*enumerate(table.columns)])}
    operation = at["Operation"]

    def job(row: Sequence[Cell]) -> tuple[str, ...]:
        """The file, the job and the settings of a row."""
        return (row[at["Test"]].tip, *(row[at[title]].text for title in _ONE_JOB))

    totalled = {job(row) for row in table.rows if row[operation].text == "total"}
    rows = [row for row in table.rows if row[operation].text == "total" or job(row) not in totalled]
    kept = [n for n, column in enumerate(table.columns) if n == at.get(column.title) or column.unit in _KEPT_UNITS]
    kept = [n for n in kept if table.columns[n].title not in _DETAILS]
    columns = tuple(table.columns[n] for n in kept)
    omitted = len(table.rows) - len(rows)
    shown = f"The table shows totals only and omits {plural(omitted, 'row')} with reads or writes"
    legend = shown if omitted else table.legend
    return replace(table, columns=columns, rows=tuple(tuple(row[n] for n in kept) for row in rows), legend=legend)


def of_length(
    document: Document,
    briefs: Sequence[StudyBrief],
    length: Length,
    own: bool,
    shown: Mapping[str, ShownSlide],
    remake: Mapping[str, Slide],
) -> Document:
    """The document in its length: the briefs first, then as many findings as fit, then one table per study.

    A chart of a brief is not repeated. If the storyboard is the user's `own`, only the answer comes before its slides.
    """
    several = len(briefs) > 1
    slides: list[Slide] = []
    left: list[Slide] = []
    tables = [brief.table for brief in briefs if brief.table is not None]
    rest = list(document.slides)
    for brief in briefs:
        mine = [slide for slide in rest if slide.study == brief.study.name or not several]
        rest = [slide for slide in rest if slide not in mine]
        findings = mine if own else [kept for slide in mine if (kept := _unlike(slide, brief, shown, remake))]
        # The user's own slides contain the rest.
        made = [slide for slide in brief.slides if not own or slide.facts]
        first = (*([_divider(brief)] if several else []), *made)
        room = MOST_SLIDES - _COVER_AND_METHOD - len(first) - (brief.table is not None)
        count = {"brief": 0, "review": max(0, room), "full": len(findings)}[length]
        slides += [*first, *findings[:count]]
        left += findings[count:]
    slides += rest if length != "brief" else ()
    appendix = [*(document.appendix if length == "full" else ()), *tables]
    if not own:
        slides, appendix = _once(slides, appendix, shown)
    hidden = len(left) + (len(document.appendix) if length != "full" else 0)
    remarks = [f"{hidden} more finding{' is' if hidden == 1 else 's are'} {NO_ROOM}"]
    return replace(
        document,
        slides=tuple(slides),
        appendix=tuple(appendix),
        length=length,
        remarks=(*document.remarks, *(remarks if hidden else ())),
    )


def _once(
    slides: Sequence[Slide], appendix: Sequence[Slide], shown: Mapping[str, ShownSlide]
) -> tuple[list[Slide], list[Slide]]:
    """The slides and the appendix without findings whose chart another slide shows; its notes get their sentences.

    A table of unknown values has no slide.
    """
    made: tuple[list[Slide], list[Slide]] = ([], [])
    places: dict[tuple[object, ...], tuple[int, int]] = {}
    for at, slide in (*((0, slide) for slide in slides), *((1, slide) for slide in appendix)):
        key, told = _drawn(slide), shown.get(slide.key)
        generated = told is not None and told.findings and told.slide.words is None
        if generated and slide.strength == Strength.INCONCLUSIVE.words and slide.figure is None:
            # The limitations name the unknown values.
            continue
        if key in places and generated:
            part, index = places[key]
            made[part][index] = _with_also(made[part][index], (slide.title, *slide.also))
        else:
            places.setdefault(key, (at, len(made[at])))
            made[at].append(slide)
    return made


def _with_also(slide: Slide, sentences: Sequence[str]) -> Slide:
    notes = "\n".join(filter(None, (slide.notes, "On the same chart:", *(f"- {sentence}" for sentence in sentences))))
    return replace(slide, also=(*slide.also, *sentences), notes=notes)


def _drawn(slide: Slide) -> tuple[object, ...]:
    """The content of a chart; equal for two slides with the same chart, and unique without a chart. The chart of the
    cost has the main numbers of the capacity plan."""
    if slide.figure is None:
        return (id(slide),)
    if slide.part == COST or slide.evidence_key.partition(":")[0] == "sizing":
        return (COST, slide.study)
    marks = ((panel, mark) for panel in slide.figure.panels for mark in panel.marks)
    return (slide.study, *((panel.title, panel.y.label, mark.name, *_bytes(mark)) for panel, mark in marks))


def _bytes(mark: Mark) -> list[bytes]:
    return [values.tobytes() for values in ((mark.values,) if isinstance(mark, Heatmap) else y_values(mark))]


def _unlike(
    slide: Slide, brief: StudyBrief, shown: Mapping[str, ShownSlide], remake: Mapping[str, Slide]
) -> Slide | None:
    """The slide without content that the brief already shows; None if nothing remains."""
    told = shown.get(slide.key)
    if told is None or not told.findings or told.slide.words is not None:
        return slide
    parts = {made.part for made in brief.slides}
    lead = told.findings[0]
    if (lead.kind == "limits" and LIMITS in parts) or (lead.kind == "sizing" and COST in parts):
        return None
    if brief.answer is not None and ANSWER in parts and brief.answer.findings[0] in told.findings:
        return remake.get(slide.key)
    return slide


def _divider(brief: StudyBrief) -> Slide:
    runs = sum(len(group.runs) for group in brief.study.groups)
    groups = sum(bool(group.runs) for group in brief.study.groups)
    counted = f"{plural(groups, 'configuration')}, {plural(runs, 'run')}" if runs else "Benchmarks"
    return Slide(brief.study.name, evidence=counted, part=DIVIDER, study=brief.study.name)
