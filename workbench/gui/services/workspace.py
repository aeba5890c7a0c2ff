"""Workspace: the one object with the State and the opened studies. It reports changes of both.

Also the user's work: the open paths, the file in which the work is saved, and whether any of it is unsaved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from workbench.answers.common.library import Library, edited_library, split_library, stated
from workbench.answers.findings.edits import completed
from workbench.answers.registry import answerable
from workbench.gui.services.importer import Opened, Stamps
from workbench.gui.services.tasks import Tasks
from workbench.measures.configurations import phase_among, phase_names
from workbench.model.edits import About
from workbench.model.phase import STEADY
from workbench.session.document import SessionDocument
from workbench.session.earlier_folders import of_today
from workbench.session.state import History, State, work_of

__all__ = ["Library", "Workspace"]


class Workspace(QObject):
    """The state and the studies. `apply(**changes)` is the only way to change the user's choices."""

    changed = Signal(object, object)
    # The states before and after a step that can be undone, right after the step; `changed` may come later.
    stepped = Signal(object, object)
    library_changed = Signal()

    def __init__(self, tasks: Tasks, state: State, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = tasks
        self.library = Library()
        self._opened = self._as_read = Library()
        self._history = History(state)
        # Size and time of change of the open files when they were read.
        self.stamps: Stamps = {}

    @property
    def state(self) -> State:
        """The user's choices."""
        return self._history.state

    @property
    def past(self) -> tuple[State, ...]:
        """The states that undo returns to, newest last."""
        return self._history.past

    @property
    def future(self) -> tuple[State, ...]:
        """The states that redo returns to, next one last."""
        return self._history.future

    def apply(self, merge: str = "", **changes: Any) -> None:
        """Changes the state and informs all widgets that draw it. See `History.apply` for `merge`. Another study begins
        in steady state, because the phase was chosen for the previous study."""
        before = self.state
        if changes.get("study", before.study) != before.study:
            changes.setdefault("phase", STEADY)
        after = self._history.apply(merge, **changes)
        if work_of(after) != work_of(before):
            self.stepped.emit(before, after)
        self._tell(before, after)

    def undo(self) -> None:
        """Undoes the last step that changed figures."""
        before = self.state
        if (after := self._history.undo()) is not None:
            self._tell(before, after)

    def redo(self) -> None:
        """Redoes the step that was undone last."""
        before = self.state
        if (after := self._history.redo()) is not None:
            self._tell(before, after)

    @property
    def as_opened(self) -> Library:
        """The studies as they are in their folders."""
        return self._opened

    @property
    def as_read(self) -> Library:
        """The studies without the user's edits, except those that split a folder into runs."""
        return self._as_read

    def take_back(self, saved: State) -> None:
        """Permanently removes the work since `saved`, because the user has given it up."""
        self._history = History(replace(self.state, **work_of(saved)))

    def open(self, opened: Opened, state: State | None = None, *, keeps_state: bool = False) -> None:
        """Shows the result of an import; with `state`, in that state (the theme stays). With `keeps_state` everything
        done so far stays and can still be undone."""
        self.stamps = opened.stamps
        had_phases = bool(phase_names(self.library.groups(self.state)))
        if state is not None:
            state = of_today(state, opened.studies)
            self._history = History(replace(answerable(state), theme=self.state.theme))
        self._opened = self._as_read = self.library = opened.library
        if state is None and not keeps_state:
            # Steps on the previously open study cannot be undone here.
            first = self.library.first_study
            folder = first.folder if first else None
            self._history = History(replace(self.state, study=folder, lit_vm=None, hidden=frozenset()))
        study = self.library.study(self.state.study)
        phases = phase_names(self.library.groups(self.state))
        # The phase of the previous study no longer applies; a phase that was stated before anything was open does.
        stays = keeps_state or state is not None or not had_phases
        known = (keeps_state and had_phases) or (stays and self.state.phase in phases)
        phase = self.state.phase if known else phase_among(phases)
        self._history.state = replace(self.state, study=study.folder if study else None, phase=phase)
        self._keep_looks()
        self.library_changed.emit()
        if stated(self.state):
            # Opened again: statements about these runs still apply.
            self._restate(self.state, self.state)

    @property
    def settled(self) -> bool:
        """True if all statements about runs are applied in the library."""
        library = self.library
        open_now = {edits for edits in stated(self.state) if edits.run in (library.figures or {})}
        return open_now == set((library.edits or {}).values())

    def complete_findings(self, abouts: Mapping[str, About]) -> None:
        """Adds the subject to edits of findings that an earlier version saved, by their key. This does not count as a
        change."""
        self._history.rewrite(lambda state: replace(state, findings=completed(state.findings, abouts)))

    def _keep_looks(self) -> None:
        """Stores the looks of the open configurations. This does not count as a change: undo leaves them."""
        looks = self.library.looks(self.state)
        if looks != self.state.looks:
            self._history.rewrite(lambda state: replace(state, looks=looks))

    def _tell(self, before: State, after: State) -> None:
        if after == before:
            return
        if stated(after) != stated(before):
            self._restate(before, after)
        else:
            self.changed.emit(before, after)

    def _restate(self, before: State, after: State) -> None:
        """Computes values again on a thread, because statements about runs move their samples or phases."""
        opened, split, shown = self._opened, self._as_read, self.library

        def work() -> tuple[Library, Library]:
            as_read = split_library(opened, split, after.edits)
            return as_read, edited_library(as_read, shown, after)

        def done(libraries: tuple[Library, Library]) -> None:
            if self._opened is not opened:
                return  # other studies were opened meanwhile
            self._as_read, self.library = libraries
            self._keep_looks()
            self.library_changed.emit()
            self.changed.emit(before, after)

        # If the columns are missing, the page reports it when it is next computed.
        self.tasks.run("edits", work, done, lambda _error: self.changed.emit(before, after))


class Work(QObject):
    """The saved or unsaved work. Emits `changed` when its name or saved state may have changed."""

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.paths: tuple[Path, ...] = ()
        # None: the work was never saved.
        self.file: Path | None = None
        # None: the open work was restored after a crash, and is not saved at all.
        self.saved: State | None = workspace.state
        # The content of the file when it was last opened or saved; None: there is no file.
        self.kept: SessionDocument | None = None

    @property
    def dirty(self) -> bool:
        """True if anything that a workspace file keeps has changed since the last save."""
        if not self._workspace.library.studies:
            return False
        return self.saved is None or work_of(self._workspace.state) != work_of(self.saved)

    @property
    def name(self) -> str:
        """The name of the open work; empty if nothing is open."""
        return self.file.name if self.file else ", ".join(path.name for path in self.paths)

    def belongs_to(self, file: Path | None) -> None:
        """Records that the work is saved in this file as it is now (None: not in a file)."""
        self.file, self.saved, self.kept = file, self._workspace.state, None
