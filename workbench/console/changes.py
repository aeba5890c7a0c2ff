"""`vdiwb changes`: what changed between two workspace files, between a file and its folders now, or between two
summaries.
"""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from workbench.answers.changes.compute import SummaryError, figures_of_summary
from workbench.answers.changes.moves import Before, Files, KeptFigures
from workbench.answers.changes.replay import (
    Changes,
    Link,
    changes_since,
    edit_cause,
    explained,
    named,
    outside_causes,
    steps,
)
from workbench.answers.changes.reply import changes_reply
from workbench.answers.common.library import Library
from workbench.answers.common.reply import Reply
from workbench.answers.common.spec import UsageError
from workbench.cancellation import beside
from workbench.console.loading import load_studies, say
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.option_files import option_bytes
from workbench.session.document import SessionDocument, SessionError, load_session, stamps_of
from workbench.session.earlier_folders import of_today
from workbench.session.files import SESSION
from workbench.study.discovery.folders import find_sources
from workbench.study.store.column_store import Store

_SUMMARY = ".json"
_WHICH = "'vdiwb changes' requires one or two workspace files (.vdiwb), or two JSON files from 'vdiwb summary'."


@dataclass(frozen=True, eq=False)
class ChangesReply:
    """The changes, and the studies that were read for them (none if the saved values were enough)."""

    reply: Reply
    studies: tuple[Study, ...] = ()


def changes(paths: Sequence[Path], store: Store, thorough: bool = False) -> ChangesReply:
    """The changes from the first path to the second, or to the current content of its folders. Raises UsageError for
    other paths, and for files that cannot be read."""
    endings = {path.suffix.lower() for path in paths}
    if len(paths) == 2 and endings == {_SUMMARY}:
        before, after = map(_summary, paths)
        return ChangesReply(_reply(explained(before, [Link(after, ())], named(before, after)), paths))
    if len(paths) > 2 or endings != {SESSION}:
        raise UsageError(_WHICH)
    old, *new = [_session(path) for path in paths]
    if new and old.figures is not None and new[0].figures is not None:
        return ChangesReply(_reply(_as_saved(old, old.figures, new[0], new[0].figures), paths))
    return _read_now(old, new[0] if new else old, paths, store, thorough)


def _as_saved(old: SessionDocument, before: KeptFigures, new: SessionDocument, after: KeptFigures) -> Changes:
    """The changes between the values saved in both files. Nothing is read, so the effect of single edits is unknown."""
    names = named(before, after)
    done = steps((old.state, new.state), names)
    causes = (*outside_causes(before, after, stamps_of(old.files), stamps_of(new.files)), *map(edit_cause, done))
    return explained(before, [Link(after, causes)], names)


def _read_now(
    old: SessionDocument, new: SessionDocument, paths: Sequence[Path], store: Store, thorough: bool
) -> ChangesReply:
    """The changes from the saved values to the current results in the folders."""
    folders = [Path(path) for path in new.paths]
    studies = load_studies(folders, store, thorough=thorough)
    opened = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    before = Before(of_today(old.state, studies), old.figures, stamps_of(old.files))
    states = tuple(of_today(each.state, studies) for each in ((old,) if new is old else (old, new)))
    try:
        moved = changes_since(before, opened, beside(lambda: _files_now(folders, store)), states)
    except ValueError as error:
        raise UsageError(f"The time zone of a run in this workspace file {error}. Set it in VDI Workbench.") from error
    return ChangesReply(_reply(moved, paths), studies)


def _reply(moved: Changes, paths: Sequence[Path]) -> Reply:
    old, new = paths[0].name, paths[1].name if len(paths) > 1 else "the current files"
    return changes_reply(moved, old, new)


def _files_now(folders: list[Path], store: Store) -> Files:
    """The files in the folders by their names for the user, without members of archives."""
    files: Files = {}
    for source in find_sources(folders, store).sources:
        if source.member is None:
            status = source.path.stat()
            if stat.S_ISREG(status.st_mode):
                files[source.name] = (status.st_size, status.st_mtime_ns)
    return files


def _session(path: Path) -> SessionDocument:
    try:
        return load_session(path, say)
    except SessionError as error:
        raise UsageError(str(error)) from error


def _summary(path: Path) -> KeptFigures:
    try:
        return figures_of_summary(msgspec.json.decode(option_bytes(path)), path.name)
    except OSError as error:
        raise UsageError(f"{path.name} cannot be opened: {error.strerror or error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path.name} is not JSON of 'vdiwb summary', or it is damaged: {error}.") from error
    except SummaryError as error:
        raise UsageError(str(error)) from error
