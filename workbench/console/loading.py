"""Opening paths from the console: import with progress on a terminal, silent in a pipe."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from workbench.answers.common.command import StoppedError, UsageError
from workbench.console.plain import printable
from workbench.console.progress import files_counted
from workbench.interrupts import beside, postponed
from workbench.model.run import Study
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.mappings import load_mappings
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import Read, Source
from workbench.study.store.column_store import Store

_POLL_S = 0.01


def load_studies(
    paths: list[Path], store: Store, cluster: str | None = None, thorough: bool = False
) -> tuple[Study, ...]:
    """Every study below the paths, read through the column store; on a Dask cluster where its address is given, by
    processes of this machine otherwise. `thorough` checks every column that is stored. Raises UsageError for a cluster
    that cannot be used, ColumnsError for stored columns that are damaged. Ctrl+C is heard while a share does not
    answer."""
    sources = beside(lambda: find_sources(paths, store))
    if cluster is not None:
        return build_studies(sources, _from_cluster(cluster, sources.sources, store, thorough))
    job = ImportJob(sources.sources, store, mappings=load_mappings(say), thorough=thorough)
    readings = _readings(job)
    return beside(lambda: build_studies(sources, readings))


def _from_cluster(address: str, sources: tuple[Source, ...], store: Store, thorough: bool) -> list[Read]:
    # Loaded here: few have a cluster.
    from workbench.study.importing.cluster import ClusterError, ClusterStoppedError, read_on_cluster

    with files_counted(len(sources)) as tell:
        try:
            return read_on_cluster(address, sources, store, load_mappings(say), tell, thorough)
        except ClusterStoppedError as error:
            raise StoppedError(str(error)) from error
        except ClusterError as error:
            raise UsageError(str(error)) from error


def say(sentence: str) -> None:
    """A sentence on standard error."""
    sys.stderr.write(f"{printable(sentence)}\n")


def _readings(job: ImportJob) -> list[Read]:
    readings: list[Read] = []
    with files_counted(len(job.sources)) as tell, postponed() as stop_if_asked:
        try:
            beside(job.start, stop_if_asked)
            while not job.finished:
                stop_if_asked()
                readings += job.poll()
                tell(len(readings))
                time.sleep(_POLL_S)
        except BaseException:
            job.cancel()
            job.join()
            raise
    return readings
