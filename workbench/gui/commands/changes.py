"""The changes since the workspace was saved or opened, since the last refresh, or since a step of undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QTimer

from workbench.answers.changes.moves import Before, Files
from workbench.answers.common.library import Library, edited_library, split_library
from workbench.charts.tables import TableData
from workbench.file_replace import reason
from workbench.gui.commands.files.folders import FolderCommands
from workbench.gui.dialogs import session_dialogs
from workbench.gui.dialogs.changes_window import ChangesWindow
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.importer import Opened
from workbench.gui.services.workspace import Work
from workbench.session.document import source_files, stamps_of
from workbench.session.state import State, work_of
from workbench.study.store.temporary import write_whole

# Number of undo steps offered, latest first.
_STEPS = 12
# Delay after a change until the open window compares again.
_SOON_MS = 400


@dataclass(frozen=True, eq=False)
class Since:
    """A state to compare with: its name in the chooser and in a sentence, the states from then to now, and a function
    that returns its values (called in the background)."""

    title: str
    words: str
    states: tuple[State, ...]
    before: Callable[[], Before]


class _Answer(NamedTuple):
    """The changes shown in the window, and their CSV file."""

    headline: str
    notes: tuple[str, ...]
    tables: tuple[TableData, ...]
    csv: str


class ChangeCommands(Commands):
    """The commands for changes."""

    _work: Work
    _folders: FolderCommands

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._offered: list[Since] = []
        self._csv = ""
        self.dialog: ChangesWindow | None = None
        self._again = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._again.timeout.connect(self._offer_again)
        self._workspace.changed.connect(self._changed)
        self._workspace.library_changed.connect(self._soon)

    @command("&Edit", "Show c&hanges…", place=115)
    def show(self) -> None:
        """Opens the window with the changes since the work was saved; otherwise since the last refresh, or since it was
        opened."""
        if not self._workspace.library.with_runs:
            self._status.tell("Nothing to compare yet. Open a result folder first.")
            return
        if self.dialog is None:
            self.dialog = ChangesWindow(self._parent)
            self.dialog.chosen.connect(self._compare)
            self.dialog.save_wanted.connect(self._ask_place)
            self.dialog.finished.connect(self._closed)
        self._offered = list(self._states())
        self.dialog.offer([since.title for since in self._offered])
        self.dialog.show()
        self._compare(0)

    def _closed(self) -> None:
        self.dialog = None
        self._again.stop()

    def _changed(self, before: State, after: State) -> None:
        if work_of(after) != work_of(before):
            self._soon()

    def _soon(self) -> None:
        if self.dialog is not None:
            self._again.start()

    def _offer_again(self) -> None:
        """Keeps the chosen state if it is still offered."""
        if self.dialog is None:
            return
        at = self.dialog.since.currentIndex()
        title = self._offered[at].title if 0 <= at < len(self._offered) else ""
        self._offered = list(self._states())
        titles = [since.title for since in self._offered]
        at = titles.index(title) if title in titles else 0
        self.dialog.offer(titles, at)
        self._compare(at)

    def _states(self) -> Iterator[Since]:
        """The states to compare with, most likely first."""
        past, now, kept = self._workspace.past, self._workspace.state, self._work.kept
        files = self._files_now()
        if kept is not None:
            state, when = kept.state, _when(kept.saved)
            at = next((at for at, earlier in enumerate(past) if work_of(earlier) == work_of(state)), len(past))
            saved = Before(state, kept.figures, stamps_of(kept.files))
            yield Since(
                f"As saved {when}", f"you saved the workspace {when}", (state, *past[at + 1 :], now), _known(saved)
            )
        if (earlier := self._folders.earlier) is not None:
            yield Since("Before the last refresh", "the last refresh", (now,), lambda: _before_refresh(earlier, now))
        if kept is None:
            first = Before((*past, now)[0], None, files)
            yield Since("As opened", "the study was opened", (*past, now), _known(first))
        yield from self._before_steps(files)

    def _before_steps(self, files: Files) -> Iterator[Since]:
        from workbench.answers.changes.replay import steps

        states = (*self._workspace.past, self._workspace.state)
        names = {run.folder: run.name for study in self._workspace.library.studies for run in study.runs}
        for at in reversed(range(max(0, len(states) - 1 - _STEPS), len(states) - 1)):
            if done := steps(states[at : at + 2], names):
                words = "; ".join(step.words for step in done[:2]) + ("; …" if len(done) > 2 else "")
                before = Before(states[at], None, files)
                yield Since(f"Before {words}", f"the state before “{words}”", states[at:], _known(before))

    def _files_now(self) -> Files:
        return stamps_of(source_files(self._workspace.library.places or {}, self._workspace.stamps))

    def _compare(self, at: int) -> None:
        if self.dialog is None or not 0 <= at < len(self._offered):
            return
        since, workspace, files = self._offered[at], self._workspace, self._files_now()
        opened, present = workspace.as_opened, workspace.library if workspace.settled else None
        self.dialog.wait()

        def work() -> _Answer:
            return _answer(since, since.before(), opened, files, present)

        self._tasks.run("changes", work, self._show, self._failed)

    def _show(self, answer: _Answer) -> None:
        self._csv = answer.csv
        if self.dialog is not None:
            theme = self._workspace.state.theme
            self.dialog.show_changes(answer.headline, answer.notes, answer.tables, theme)

    def _failed(self, error: Exception) -> None:
        if self.dialog is not None:
            reason = f"The states cannot be compared ({error}). Open the folder again."
            self.dialog.show_changes(reason, (), (), self._workspace.state.theme)

    def _ask_place(self) -> None:
        first = self._work.file or next(iter(self._work.paths), Path.home() / "workspace")
        place = first.parent / f"{first.stem}-changes.csv"
        session_dialogs.ask_place(self._parent, "Save table", place, self.save_to)

    def save_to(self, path: Path) -> None:
        """Writes the changes as CSV in the background."""
        csv = self._csv.encode()

        def write() -> None:
            write_whole(path, csv)

        self._tasks.run(
            "changes.csv",
            write,
            lambda _: self._status.tell(f"Saved {path.name}."),
            lambda error: self._status.tell(f"{path.name} was not saved: {_why(error)}. Save it in another folder."),
            apart=True,
        )


def _why(error: Exception) -> str:
    return reason(error) if isinstance(error, OSError) else str(error)


def _answer(since: Since, before: Before, opened: Library, files: Files, present: Library | None) -> _Answer:
    # The window starts without these modules.
    from workbench.answers.changes.replay import changes_since
    from workbench.answers.changes.reply import change_rows
    from workbench.answers.changes.tables import change_tables, headline, notes
    from workbench.answers.common.document import to_csv

    changes = changes_since(before, opened, files, since.states, present)
    csv = to_csv(change_rows(changes))
    return _Answer(headline(changes, since.words), notes(changes), change_tables(changes), csv)


def _known(before: Before) -> Callable[[], Before]:
    return lambda: before


def _before_refresh(earlier: Opened, state: State) -> Before:
    """The values of the files before the last refresh, with the current edits."""
    from workbench.answers.changes.compute import figures_of

    opened = Library(earlier.studies, earlier.figures, earlier.places)
    library = edited_library(split_library(opened, opened, state.edits), opened, state)
    return Before(state, figures_of(library, state, {}), stamps_of(source_files(earlier.places, earlier.stamps)))


def _when(saved: str) -> str:
    """`at 14:02` for today, otherwise `on 2026-11-21 at 14:02`, in local time."""
    try:
        at = datetime.fromisoformat(saved).astimezone()
    except ValueError:
        return "earlier"
    day = "" if at.date() == datetime.now().astimezone().date() else f"on {at:%Y-%m-%d} "
    return f"{day}at {at:%H:%M}"
