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

from workbench.answers.common.command import UsageError
from workbench.console.tables import printable
from workbench.interrupts import postponed
from workbench.model.run import Study
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import Read, build_studies
from workbench.study.importing.cluster import ClusterError, read_on_cluster
from workbench.study.importing.mappings import load_mappings
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import Source
from workbench.study.store.column_store import Store

_POLL_S = 0.01


def load_studies(
    paths: list[Path], store: Store, cluster: str | None = None, thorough: bool = False
) -> tuple[Study, ...]:
    """Every study below the paths, read through the column store; on a Dask cluster where its address is given, by
    processes of this machine otherwise. `thorough` checks every column that is stored. Raises UsageError for a cluster
    that cannot be used, ColumnsError for stored columns that are damaged."""
    found = find_sources(paths, store)
    if cluster is not None:
        return build_studies(found, _from_cluster(cluster, found.sources, store, thorough))
    job = ImportJob(found.sources, store, mappings=load_mappings(_say), thorough=thorough)
    return build_studies(found, _readings(job))


def _from_cluster(address: str, sources: tuple[Source, ...], store: Store, thorough: bool) -> list[Read]:
    with _bar(*_files_read()) as progress:
        task = progress.add_task("", total=len(sources))
        try:
            return read_on_cluster(
                address,
                sources,
                store,
                load_mappings(_say),
                lambda files: progress.update(task, completed=files),
                thorough,
            )
        except ClusterError as error:
            raise UsageError(str(error)) from error


def _say(sentence: str) -> None:
    sys.stderr.write(f"{printable(sentence)}\n")


def _files_read() -> tuple[ProgressColumn, ...]:
    return TextColumn("Reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()


def _readings(job: ImportJob) -> list[Read]:
    readings: list[Read] = []
    with _bar(*_files_read()) as progress, postponed() as stop_if_asked:
        task = progress.add_task("", total=len(job.sources))
        try:
            job.start()
            while not job.finished:
                stop_if_asked()
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
