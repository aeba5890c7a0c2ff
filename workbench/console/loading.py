"""Opening paths from the console: import with progress on a terminal, silent in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from workbench.model.run import Study
from workbench.study.build import Read, build_studies
from workbench.study.column_store import Store
from workbench.study.folders import find_sources
from workbench.study.import_pool import ImportJob
from workbench.study.mappings import load_mappings

_POLL_S = 0.01


def load_studies(paths: list[Path], store: Store) -> tuple[Study, ...]:
    """Every study below the paths, read through the column store."""
    found = find_sources(paths, store)
    job = ImportJob(found.sources, store, mappings=load_mappings())
    return build_studies(found, _readings(job))


def _readings(job: ImportJob) -> list[Read]:
    columns = (TextColumn("Reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    readings: list[Read] = []
    with _bar(*columns) as progress:
        task = progress.add_task("", total=len(job.sources))
        job.start()
        try:
            while not job.finished:
                readings += job.poll()
                progress.update(task, completed=len(readings))
                time.sleep(_POLL_S)
        except BaseException:
            job.cancel()
            job.join()
            raise
    return readings


@contextmanager
def progress_told() -> Iterator[Callable[[str, float], None]]:
    """A bar on a terminal; what is yielded hears what is done now, and the share that is done (0 to 1)."""
    with _bar(BarColumn(), TextColumn("{task.description}", markup=False)) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda text, share: progress.update(task, description=text, completed=share)


def _bar(*columns: ProgressColumn) -> Progress:
    # Asked of the stream itself: FORCE_COLOR makes rich take a pipe for a terminal.
    silent = not sys.stderr.isatty()
    return Progress(*columns, console=Console(file=sys.stderr), transient=True, disable=silent)
