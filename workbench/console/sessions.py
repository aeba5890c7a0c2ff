"""Sessions and bundles among the paths of a command: what was done in the window counts on the console, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.answers.common.command import UsageError
from workbench.model.run import Run, Study
from workbench.session.files import BUNDLE, SESSION
from workbench.study.store.column_store import Store

if TYPE_CHECKING:
    from workbench.session.document import Document
    from workbench.session.state import State


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


def _opened(path: Path, store: Store) -> tuple[Document, tuple[Study, ...]] | None:
    """The session in a file and the studies that came with it; None for any other path."""
    ending = path.suffix.lower()
    if ending not in (SESSION, BUNDLE) or not path.is_file():
        return None
    # Loaded here: most paths are folders.
    from workbench.console.loading import say
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
