"""The pages' answers: pure functions from the library and the state to what is shown."""

from __future__ import annotations

from workbench.analysis.configurations import phase_names
from workbench.charts import overview_figure, per_vm_figure
from workbench.charts.cards import metric_cards
from workbench.charts.metrics import phase_words
from workbench.charts.notes import with_notes
from workbench.charts.phase_tables import phase_table
from workbench.charts.tables import file_table, problem_table
from workbench.charts.traces import View
from workbench.charts.vantage_tables import tier_table, worst_vm_table
from workbench.model.metric import Quantity
from workbench.model.problem import Severity
from workbench.pages import compare, findings, timeline, views
from workbench.pages.choices import chosen_metric, chosen_phase, without_answer
from workbench.pages.page import Content, PageSpec
from workbench.session.library import Library
from workbench.session.state import State

BENCHMARKS_ONLY = "What do the storage benchmarks tell?"
FINDINGS_ONLY = "What did the tests find?"


def overview(library: Library, state: State) -> Content:
    """What each configuration costs: cards, bars by phase, the phase table."""
    groups = library.shown(state)
    figure = overview_figure.overview_figure(groups, phase_names(groups))
    found = findings.tables(library, state)
    if figure.empty:
        if not found:
            return without_answer(figure.question, library)
        question = FINDINGS_ONLY if any(group.runs for group in groups) else BENCHMARKS_ONLY
        return Content(question, tables=found)
    phase = chosen_phase(library, state)
    cards = metric_cards(groups, phase, Quantity.IOPS)
    interval = (
        " · [ ] 95 % interval of the ratio of geometric means"
        if any("[" in card.note for card in cards)
        else ""
    )
    caption = f"Cards: mean IOPS per VM in {phase_words(phase)}{interval} · bars: {figure.caption}"
    tables = (*found, phase_table(groups, state.per_run), tier_table(groups), worst_vm_table(groups, phase))
    return Content(figure.question, caption, cards, figure, tables)


def per_vm(library: Library, state: State) -> Content:
    """Per-VM traces side by side."""
    groups = library.shown(state)
    if not groups:
        return without_answer(per_vm_figure.QUESTION, library)
    view = View(chosen_phase(library, state, whole=True), chosen_metric(library, state), state.alignment)
    figure = per_vm_figure.per_vm_figure(groups, view, scale=state.scale)
    runs = {group.label: group.runs for group in groups}
    figure = with_notes(
        figure, state.notes, view, {p.column: runs[p.title] for p in figure.panels if p.title}
    )
    columns = [panel.title for panel in figure.panels if panel.title]
    cards = [card for card in metric_cards(groups, view.phase, view.metric) if card.title in columns]
    return Content(figure.question, figure.caption, tuple(cards), figure, empty=figure.empty)


def import_report(library: Library, _state: State) -> Content:
    """Every file and every problem."""
    question = "What was read, and what was not?"
    if not library.files and not library.problems:
        return without_answer(question, library)
    problems = sorted(library.problems, key=lambda one: -list(Severity).index(one.severity))
    known = sum(report.recognised for report in library.files)
    counts = [sum(p.severity is severity for p in problems) for severity in Severity]
    caption = (
        f"{known} of {len(library.files)} files recognised · {counts[2]} refused · {counts[1]} warnings · "
        f"{counts[0]} notes, such as what was inferred and why"
    )
    return Content(
        question,
        caption,
        tables=(
            problem_table(problems),
            file_table(sorted(library.files, key=lambda report: (not report.recognised, report.path))),
        ),
    )


# The window starts without these pages: each is loaded when it is first asked.


def _cache(library: Library, state: State) -> Content:
    from workbench.pages.cache import cache

    return cache(library, state)


def _logons(library: Library, state: State) -> Content:
    from workbench.pages.logons import logons

    return logons(library, state)


def _benchmarks(library: Library, state: State) -> Content:
    from workbench.pages.benchmarks import benchmarks

    return benchmarks(library, state)


def _sizing(library: Library, state: State) -> Content:
    from workbench.pages.sizing import sizing

    return sizing(library, state)


PROBLEMS = "Problems"

PAGES = (
    PageSpec("overview", "Overview", overview, frozenset(("phase",)), 49, ("Phase table",)),
    PageSpec(
        "per-vm-iops",
        "Per-VM IOPS",
        per_vm,
        frozenset(("phase", "metric", "alignment", "scale")),
        movable_phases=True,
    ),
    PageSpec(
        "cache",
        "Cache",
        _cache,
        frozenset(("phase", "alignment")),
        36,
        views.CACHE_TABLES,
        views=views.CACHE_VIEWS,
    ),
    PageSpec(
        timeline.KEY,
        "Timeline",
        timeline.timeline,
        frozenset(("phase", "alignment")),
        30,
        timeline.TABLES,
        movable_phases=True,
    ),
    PageSpec("logons", "Logons", _logons, frozenset(), 36, views.LOGON_TABLES, views=views.LOGON_VIEWS),
    PageSpec(
        "benchmarks",
        "Benchmarks",
        _benchmarks,
        frozenset(),
        34,
        views.BENCHMARK_TABLES,
        views=views.BENCHMARK_VIEWS,
    ),
    PageSpec(
        "compare",
        "Compare",
        compare.answer,
        frozenset(("phase", "metric")),
        46,
        (compare.TABLES,),
        views=compare.VIEWS,
    ),
    PageSpec("sizing", "Sizing", _sizing, frozenset(), 46, views.SIZING_TABLES, views=views.SIZING_VIEWS),
    PageSpec(
        "import-report",
        "Import report",
        import_report,
        frozenset(),
        100,
        (PROBLEMS, "Files"),
        tables_apart=True,
    ),
)
