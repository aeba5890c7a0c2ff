"""Undo and redo: menu and status line name each step."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu

from workbench.gui.services.actions import Commands, command
from workbench.gui.services.plain import plain_button
from workbench.gui.services.translation import said, tr
from workbench.session.state import State

_MOST_WORDS = 60
# The parts of the state that *Back* restores, and the maximum number of stored places.
_PLACE = ("page", "study", "phase", "metric", "page_views", "lit_vm")
_MOST_PLACES = 50


class HistoryCommands(Commands):
    """The commands `history.undo`, `history.redo` and `history.back`. The status line names every
    step until its command reports more."""

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._places: list[State] = []
        self._returning = False
        self._workspace.stepped.connect(lambda before, after: self._tell("Changed", self._words(before, after)))
        self._workspace.changed.connect(self._went)

    @command("&View", "Bac&k", "Alt+Left", place=205)
    def back(self) -> None:
        """Returns to the previous page, study and view. Changes made in between stay; the page keeps its scroll
        position and zoom."""
        known = {study.folder for study in self._workspace.library.studies}
        while self._places:
            place = self._places.pop()
            if place.study is None or place.study in known:
                self._returning = True
                self._workspace.apply(**{name: getattr(place, name) for name in _PLACE})
                self._returning = False
                return
        self._status.tell(tr("There is no earlier page."))

    def _went(self, before: State, after: State) -> None:
        if not self._returning and (before.page, before.study) != (after.page, after.study):
            self._places = [*self._places[1 - _MOST_PLACES :], before]

    @command("&Edit", "&Undo", "Ctrl+Z", place=105)
    def undo(self) -> None:
        """Undoes the last step that changed figures, and names it."""
        words = self.undo_words
        self._workspace.undo()
        self._tell("Undone", words) if words else self._status.tell("There is nothing to undo.")

    @command("&Edit", "&Redo", "Ctrl+Shift+Z", place=110, other_shortcut="Ctrl+Y")
    def redo(self) -> None:
        """Redoes the last undone step."""
        words = self.redo_words
        self._workspace.redo()
        self._tell("Redone", words) if words else self._status.tell("There is nothing to redo.")

    @property
    def undo_words(self) -> str:
        """The text of the step that undo would undo; empty if there is none."""
        past = self._workspace.past
        return self._words(past[-1], self._workspace.state) if past else ""

    @property
    def redo_words(self) -> str:
        """The text of the step that redo would redo; empty if there is none."""
        future = self._workspace.future
        return self._words(self._workspace.state, future[-1]) if future else ""

    def name_entries(self, menu: QMenu) -> None:
        """Makes the menu entries name their step each time the menu opens."""
        menu.aboutToShow.connect(lambda: self._name(menu))

    def named(self, key: str, words: str) -> str:
        """The text of a command, with the step that it would undo or redo."""
        step = {"history.undo": self.undo_words, "history.redo": self.redo_words}.get(key)
        return f"{words}: {_one_colon(said(step))}" if step else words

    def _name(self, menu: QMenu) -> None:
        words = {"history.undo": tr("&Undo"), "history.redo": tr("&Redo")}
        for entry in menu.actions():
            if (key := entry.data()) in words:
                step = self.named(key, "")
                entry.setText(words[key] + plain_button(step))

    def _tell(self, what: str, words: str) -> None:
        self._status.mention(f"{what}: {_one_colon(words)}.")

    def _words(self, before: State, after: State) -> str:
        # The window starts without the code that names every step.
        from workbench.answers.changes.replay import steps

        names = {run.folder: run.name for study in self._workspace.library.studies for run in study.runs}
        done = [*(step.words for step in steps((before, after), names)), *_marks(before, after)]
        return _short(done) if done else "choices"


def _marks(before: State, after: State) -> Iterable[str]:
    """The text for changes that affect no value: notes, saved views and the counters of the timeline."""
    notes = {note.key: note.text for note in (*before.notes, *after.notes)}
    for note in dict.fromkeys(note.key for note in set(before.notes) ^ set(after.notes)):
        yield f"note “{notes[note]}”"
    if before.views != after.views:
        names = dict.fromkeys(view.name for view in (*after.views, *before.views))
        kept = {view.name for view in before.views if view in after.views}
        moved = ", ".join(f"“{name}”" for name in names if name not in kept)
        yield f"saved view {moved}" if moved else "order of the saved views"
    if before.timeline != after.timeline:
        yield "counters of the timeline"
    if before.placed != after.placed:
        yield "charts of the timeline"
    if before.own_columns != after.own_columns:
        yield "added columns"
    if before.storyboard != after.storyboard:
        yield "slides"
    if before.pinned != after.pinned:
        yield "pinned counters"


def _one_colon(step: str) -> str:
    """The step after a colon: `mcs-r1, excluded` instead of `mcs-r1: excluded`."""
    return step.replace(": ", ", ", 1)


def _short(steps: list[str]) -> str:
    words = "; ".join(steps[:2]) + ("; …" if len(steps) > 2 else "")
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]}…"
