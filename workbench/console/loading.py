"""Opens the paths of a command: imports folders, workspace files and bundles.

Edits made in the window also apply on the command line. Progress is shown on a terminal. In a pipe there is none, and
the library for it is not loaded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.answers.common.spec import StoppedError, UsageError
from workbench.cancellation import beside, postponed
from workbench.console.streams import printable
from workbench.model.run import Run, Study
from workbench.session.files import BUNDLE, SESSION
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.mappings import load_mappings
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource, Read
from workbench.study.store.column_store import Store

if TYPE_CHECKING:
    from workbench.session.document import SessionDocument
    from workbench.session.state import State

_POLL_S = 0.01


def load_studies(
    paths: list[Path], store: Store, cluster: str | None = None, thorough: bool = False
) -> tuple[Study, ...]:
    """Every study below the paths, read through the column store.

    Files are read on a Dask cluster if its address is given, otherwise by processes on this machine. `thorough` checks
    every stored column. Raises UsageError if the cluster cannot be used, ColumnsError if stored columns are damaged.
    Ctrl+C works even if a network share does not respond.
    """
    sources = beside(lambda: find_sources(paths, store))
    if cluster is not None:
        return build_studies(sources, _from_cluster(cluster, sources.sources, store, thorough))
    job = ImportJob(sources.sources, store, mappings=load_mappings(say), thorough=thorough)
    readings = _readings(job)
    return beside(lambda: build_studies(sources, readings))


def _from_cluster(address: str, sources: tuple[ImportSource, ...], store: Store, thorough: bool) -> list[Read]:
    # Imported here: few users have a cluster.
    from workbench.study.importing.cluster import ClusterError, ClusterStoppedError, read_on_cluster

    with files_counted(len(sources)) as tell:
        try:
            return read_on_cluster(address, sources, store, load_mappings(say), tell, thorough)
        except ClusterStoppedError as error:
            raise StoppedError(str(error)) from error
        except ClusterError as error:
            raise UsageError(str(error)) from error


def say(sentence: str) -> None:
    """Print a sentence on standard error."""
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


@dataclass(frozen=True, slots=True)
class Named:
    """The resolved paths of a command: `paths` to read (those of a workspace file instead of the file), the studies
    `bundled` in a bundle, and the state of the workspace or bundle (None: there is none)."""

    paths: tuple[Path, ...]
    bundled: tuple[Study, ...] = ()
    state: State | None = None


def named(paths: Sequence[Path], store: Store) -> Named:
    """The resolved paths. Raises UsageError if a workspace file or bundle cannot be opened, and for more than one."""
    read: list[Path] = []
    bundled: list[Study] = []
    state: State | None = None
    for path in paths:
        opened = _opened(path, store)
        if opened is None:
            read.append(path)
            continue
        if state is not None:
            raise UsageError("Only one workspace file or bundle can be opened at a time. Name one.")
        session, studies = opened
        state = session.state
        bundled += studies
        # A bundle contains its studies; its folders may be elsewhere or missing.
        read += [] if studies else [Path(path) for path in session.paths]
    return Named(tuple(read), tuple(bundled), state)


def _opened(path: Path, store: Store) -> tuple[SessionDocument, tuple[Study, ...]] | None:
    """The workspace in a file and the studies in a bundle; None for any other path."""
    ending = path.suffix.lower()
    if ending not in (SESSION, BUNDLE) or not path.is_file():
        return None
    # Imported here: most paths are folders.
    from workbench.session import bundle, document
    from workbench.session.document import SessionError

    try:
        if ending == BUNDLE:
            held = bundle.load_bundle(path, store)
            return held.document, held.studies
        session = document.load_session(path, say)
        bundles = [Path(path) for path in session.paths if path.lower().endswith(BUNDLE)]
        studies = (study for path in bundles for study in bundle.load_bundle(path, store).studies)
        return session, tuple(studies)
    except SessionError as error:
        raise UsageError(str(error)) from error


def with_edits(studies: Sequence[Study], state: State) -> tuple[Study, ...]:
    """The studies with the user's edits of their runs: names, phases, clocks, exclusions, parts, and the primary
    metrics. Raises UsageError for a time zone that this machine does not have."""
    from workbench.study.overrides import edited
    from workbench.study.splitting import split_studies

    edits = {edit.run: edit for edit in state.edits}

    def changed(run: Run) -> Run:
        run = replace(run, preferred=state.preferred)
        return edited(run, edits[run.folder]) if run.folder in edits else run

    try:
        studies = split_studies(studies, state.edits)
        return tuple(replace(study, runs=tuple(map(changed, study.runs))) for study in studies)
    except ValueError as error:
        raise UsageError(
            f"The time zone of a run in this workspace file {error}. Correct it in VDI Workbench."
        ) from error


@contextmanager
def files_counted(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar of files; yields a function that takes the number of files read."""
    if _silent():
        yield lambda _files: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("Reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda files: progress.update(task, completed=files)


@contextmanager
def progress_told() -> Iterator[Callable[[str, float], None]]:
    """A progress bar; yields a function that takes the current step and the finished share (0 to 1)."""
    if _silent():
        yield lambda _text, _share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = BarColumn(), TextColumn("{task.description}", markup=False)
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda text, share: progress.update(task, description=text, completed=share)


def _silent() -> bool:
    # Asks the stream itself, because FORCE_COLOR makes rich treat a pipe as a terminal.
    return not sys.stderr.isatty()
