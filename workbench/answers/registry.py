"""The pages' answers: pure functions from the library and the state to what is shown."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TypeVar

from workbench.answers.common import views
from workbench.answers.common.choices import TIMELINE, Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.page import PageSpec
from workbench.answers.overview.figures import QUESTION
from workbench.charts.content import Content

# The window starts without the pages: each is loaded when it is first asked.


def _overview(library: Library, choices: Choices) -> Content:
    if not library.files and not choices.findings:
        return without_answer(QUESTION, library)
    from workbench.answers.overview.page import overview

    return overview(library, choices)


def _per_vm(library: Library, choices: Choices) -> Content:
    from workbench.answers.per_vm.page import per_vm

    return per_vm(library, choices)


def _cache(library: Library, choices: Choices) -> Content:
    from workbench.answers.cache.page import cache

    return cache(library, choices)


def _logons(library: Library, choices: Choices) -> Content:
    from workbench.answers.logons.page import logons

    return logons(library, choices)


def _timeline(library: Library, choices: Choices) -> Content:
    from workbench.answers.timeline.page import timeline

    return timeline(library, choices)


def _benchmarks(library: Library, choices: Choices) -> Content:
    from workbench.answers.benchmarks.page import benchmarks

    return benchmarks(library, choices)


def _sizing(library: Library, choices: Choices) -> Content:
    from workbench.answers.sizing.page import sizing

    return sizing(library, choices)


def _compare(library: Library, choices: Choices) -> Content:
    from workbench.answers.compare.page import answer

    return answer(library, choices)


def _import_report(library: Library, choices: Choices) -> Content:
    from workbench.answers.import_report.page import import_report

    return import_report(library, choices)


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


_Choices = TypeVar("_Choices", bound=Choices)


def answerable(choices: _Choices) -> _Choices:
    """The state of a session with pages and views that there are: the first page stands for one that nobody knows, and
    each page has its own first view for such a view."""
    views = {spec.key: {key for key, _ in spec.views} for spec in PAGES}
    saved = (
        one if one.page in views else replace(one, page=PAGES[0].key, page_view="") for one in choices.views
    )
    return replace(
        choices,
        page=choices.page if choices.page in views else PAGES[0].key,
        views=tuple(saved),
        page_views=tuple((page, view) for page, view in choices.page_views if view in views.get(page, ())),
    )


# The modules of the pages, in the order in which they are likely to be asked.
MODULES = (
    "overview",
    "per_vm",
    "cache",
    "timeline",
    "compare",
    "logons",
    "benchmarks",
    "sizing",
    "import_report",
)


def load_pages() -> None:
    """Loads every page and what explains their numbers: a tenth of a second's work for a thread beside the window,
    which the first answer then need not do."""
    for name in MODULES:
        import_module(f"workbench.answers.{name}.page")
    import_module("workbench.answers.sources")
