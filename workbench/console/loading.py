"""Opening paths from the console: import with progress on a terminal, silent in a pipe.

Sessions and bundles among the paths of a command: what was done in the window counts on the console, too.

Progress on a terminal, and silence in a pipe, where what draws it is not even loaded.
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


def _from_cluster(address: str, sources: tuple[ImportSource, ...], store: Store, thorough: bool) -> list[Read]:
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


@dataclass(frozen=True, slots=True)
class Named:
    """What the paths of a command come to: `paths` to be read, with those of a session in its place, `bundled`
    the studies that a bundle holds, and the state of the session or bundle (None: there is none)."""

    paths: tuple[Path, ...]
    bundled: tuple[Study, ...] = ()
    state: State | None = None


def named(paths: Sequence[Path], store: Store) -> Named:
    """The paths with a session and a bundle opened. Raises UsageError for one that cannot be, and for two."""
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
        # A bundle holds what it was made of; its folders may be elsewhere, or not there at all.
        read += [] if studies else [Path(path) for path in session.paths]
    return Named(tuple(read), tuple(bundled), state)


def _opened(path: Path, store: Store) -> tuple[SessionDocument, tuple[Study, ...]] | None:
    """The session in a file and the studies that came with it; None for any other path."""
    ending = path.suffix.lower()
    if ending not in (SESSION, BUNDLE) or not path.is_file():
        return None
    # Loaded here: most paths are folders.
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
    """The studies with what the user stated about their runs: names, phases, clocks, exclusions, parts,
    and the primary measures. Raises
    UsageError for a time zone that this machine does not know."""
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
            f"The time zone of a run in this workspace file {error}. Set it again in the window."
        ) from error


@contextmanager
def files_counted(total: int) -> Iterator[Callable[[int], None]]:
    """A bar of files; what is yielded hears how many of them are read."""
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
    """A bar; what is yielded hears what is done now, and the share that is done (0 to 1)."""
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
    # Asked of the stream itself: FORCE_COLOR makes rich take a pipe for a terminal.
    return not sys.stderr.isatty()
