"""The operations measured at each point, and the preparation of a study for them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.console.loading import load_studies
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.wanted import Wanted
from workbench.measures.phase_table import run_figures
from workbench.session.state import State
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.standby import Standby
from workbench.study.store.column_store import Store

# A waiting worker has loaded its libraries after it has used this much processor time and is idle.
_LOADED_S, _RESTS_S = 0.1, 0.3


@dataclass(frozen=True, slots=True)
class Spent:
    """Elapsed seconds and processor seconds, workers included."""

    clock_s: float
    processor_s: float


Operation = Callable[[Path, Path, Path], Spent]


def importing(study: Path, stored: Path, scratch: Path) -> Spent:
    """Imports the folder into an empty store; the first one stays and is opened by the other operations. The workers
    have started, as in an empty window."""
    place = scratch / "empty" if stored.exists() else stored
    store, standby = Store(place), Standby()
    standby.start()
    _until_loaded()

    def read() -> None:
        sources = find_sources([study], store)
        job = ImportJob(sources.sources, store, standby=standby)
        job.start()
        readings = []
        while not job.finished:
            readings += job.poll()
            time.sleep(0.002)
        build_studies(sources, readings)

    started = _of_workers()
    spent = _spent(read)
    return Spent(spent.clock_s, spent.processor_s - started)


def opening(study: Path, store: Path, _scratch: Path) -> Spent:
    """From the folder with stored columns to the first chart of the window, on the Overview."""
    from tests.tools.benchmarks.windows import empty_window, open_study

    with empty_window(Store(store), "overview") as window:
        return _spent(lambda: open_study(window, study))


def overview(study: Path, store: Path, _scratch: Path) -> Spent:
    """From the stored studies to the content of the page, with the figures of the runs."""
    studies = load_studies([study], Store(store))
    page = next(spec for spec in PAGES if spec.key == "overview")

    def answer() -> None:
        figures = {run.folder: run_figures(run) for one in studies for run in one.runs}
        page.answer(Library(studies, figures), State())

    return _spent(answer)


def compare(study: Path, store: Path, _scratch: Path) -> Spent:
    """From the figures of the runs to the page's content."""
    library = _library(study, store)
    page = next(spec for spec in PAGES if spec.key == "compare")
    return _spent(lambda: page.answer(library, State(page="compare")))


def workbook(study: Path, store: Path, scratch: Path) -> Spent:
    """From the figures of the runs to the file, every page included."""
    library = _library(study, store)
    file = scratch / "study.xlsx"
    return _spent(lambda: export(job_of(library, State(), Wanted(file))))


OPERATIONS: dict[str, Operation] = {
    "import": importing,
    "opening": opening,
    "Overview": overview,
    "Compare": compare,
    "workbook": workbook,
}


def _library(study: Path, store: Path) -> Library:
    studies = load_studies([study], Store(store))
    return Library(studies, {run.folder: run_figures(run) for one in studies for run in one.runs})


def _spent(work: Callable[[], object]) -> Spent:
    """The cost of the work, with the processor time of all threads and of every process that ends in it."""
    clock, processor = time.perf_counter(), _processor_s()
    work()
    return Spent(time.perf_counter() - clock, _processor_s() - processor)


def _processor_s() -> float:
    of_all = os.times()
    return time.process_time() + of_all.children_user + of_all.children_system


def _until_loaded() -> None:
    """Waits until the workers are idle."""
    taken = 0.0
    while (now := _of_workers()) < _LOADED_S or now - taken > 0.02 * _RESTS_S:
        taken = now
        time.sleep(_RESTS_S)


def _of_workers() -> float:
    """Processor seconds that the workers have used so far."""
    # Linux' clock of another process: its number inverted, shifted, and the mark of the scheduler's clock.
    return sum(time.clock_gettime(~child.pid << 3 | 2) for child in active_children() if child.pid is not None)
