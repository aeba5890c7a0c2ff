"""The pages' answers: pure functions from the library and the state to what is shown."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from workbench.charts.overview_figure import QUESTION
from workbench.pages import views
from workbench.pages.choices import without_answer
from workbench.pages.page import Content, PageSpec
from workbench.session.library import Library
from workbench.session.state import TIMELINE, State

# The window starts without the pages: each is loaded when it is first asked.


def _overview(library: Library, state: State) -> Content:
    if not library.files and not state.findings:
        return without_answer(QUESTION, library)
    from workbench.pages.overview import overview

    return overview(library, state)


def _per_vm(library: Library, state: State) -> Content:
    from workbench.pages.per_vm import per_vm

    return per_vm(library, state)


def _cache(library: Library, state: State) -> Content:
    from workbench.pages.cache import cache

    return cache(library, state)


def _logons(library: Library, state: State) -> Content:
    from workbench.pages.logons import logons

    return logons(library, state)


def _timeline(library: Library, state: State) -> Content:
    from workbench.pages.timeline import timeline

    return timeline(library, state)


def _benchmarks(library: Library, state: State) -> Content:
    from workbench.pages.benchmarks import benchmarks

    return benchmarks(library, state)


def _sizing(library: Library, state: State) -> Content:
    from workbench.pages.sizing import sizing

    return sizing(library, state)


def _compare(library: Library, state: State) -> Content:
    from workbench.pages.compare import answer

    return answer(library, state)


def _import_report(library: Library, state: State) -> Content:
    from workbench.pages.import_report import import_report

    return import_report(library, state)


PAGES = (
    PageSpec("overview", "Overview", _overview, frozenset(("phase",)), 49, ("Phase table",)),
    PageSpec(
        "per-vm-iops",
        "Per-VM IOPS",
        _per_vm,
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
        TIMELINE,
        "Timeline",
        _timeline,
        frozenset(("phase", "alignment")),
        30,
        views.TIMELINE_TABLES,
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
        _compare,
        frozenset(("phase", "metric")),
        46,
        views.COMPARE_TABLES,
        views=views.COMPARE_VIEWS,
    ),
    PageSpec("sizing", "Sizing", _sizing, frozenset(), 46, views.SIZING_TABLES, views=views.SIZING_VIEWS),
    PageSpec(
        "import-report",
        "Import report",
        _import_report,
        frozenset(),
        100,
        (views.PROBLEMS, views.FILES),
        tables_apart=True,
    ),
)


def answerable(state: State) -> State:
    """The state of a session with pages and views that there are: the first page stands for one that nobody knows, and
    each page has its own first view for such a view."""
    views = {spec.key: {key for key, _ in spec.views} for spec in PAGES}
    saved = (
        one if one.page in views else replace(one, page=PAGES[0].key, page_view="") for one in state.views
    )
    return replace(
        state, page=state.page if state.page in views else PAGES[0].key, views=tuple(saved),
        page_views=tuple((page, view) for page, view in state.page_views if view in views.get(page, ())),
    )  # fmt: skip


# The modules of the pages, in the order in which they are likely to be asked.
MODULES = (
    "overview", "per_vm", "cache", "timeline", "compare", "logons", "benchmarks", "sizing", "import_report",
)  # fmt: skip


def load_pages() -> None:
    """Loads every page, what exports them and what explains their numbers: a tenth of a second's work for a thread
    beside the window, which the first answer then need not do."""
    for name in (*MODULES, "export", "origins"):
        import_module(f"workbench.pages.{name}")
