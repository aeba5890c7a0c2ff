"""Notes at moments: written at the pointer, read and changed at their flags."""

from __future__ import annotations

import uuid
from dataclasses import replace

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from workbench.answers.common.chosen import chosen_phase
from workbench.answers.common.names import TIMELINE
from workbench.answers.common.traces.traces import WHOLE_RUN, View, zero_of
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import tr
from workbench.measures.phase_table import RunFigures
from workbench.model.edits import Note
from workbench.phases.clock import clock
from workbench.words.metrics import phase_words
from workbench.words.numbers import moment, signed


class NoteDialog(TextQuestion):
    """The text of a note. An existing note can be deleted."""

    def __init__(self, parent: QWidget, where: str, text: str = "", *, known: bool = False) -> None:
        super().__init__(parent, tr("Note"), where, text, hint=tr("What happened here?"))
        self.text.setAccessibleName(tr("Text of the note"))
        self.delete = None
        if known:
            self.delete = self.buttons.addButton(tr("Delete"), QDialogButtonBox.ButtonRole.DestructiveRole)
            self.delete.clicked.connect(self._cleared)

    def _cleared(self) -> None:
        self.text.clear()
        self.accept()


class NoteCommands(Commands):
    """The commands for notes."""

    _pages: Pages

    @command("&Edit", "Write a &note…", "Ctrl+Shift+N", place=205)
    def here(self) -> None:
        """Writes a note at the pointer on the current chart."""
        figure = self._pages.shown.figure
        if figure is None or not figure.isVisible():
            self._status.tell("A note belongs to a time. Open the timeline or another chart over time.")
            return
        figure.ask_note()

    def write(self, title: str, x: float) -> None:
        """Asks for the text of a new note at x of the column `title` of the current chart."""
        note_place = self._place(title, x)
        if note_place is None:
            self._status.tell("A note belongs to a run, but this chart shows no run.")
            return
        note, where = note_place
        dialog = NoteDialog(self._parent, where)
        dialog.answered.connect(lambda text: self.put(replace(note, text=text)))
        dialog.open()

    def open(self, key: str) -> None:
        """Shows a note to change or delete."""
        note = next((note for note in self._workspace.state.notes if note.key == key), None)
        if note is None:
            return
        dialog = NoteDialog(self._parent, self._where(note), note.text, known=True)
        dialog.answered.connect(lambda text: self.put(replace(note, text=text)))
        dialog.open()

    def put(self, note: Note) -> None:
        """Stores a note, replacing the one with its key; a note without text is deleted."""
        notes = self._workspace.state.notes
        if any(pinned.key == note.key for pinned in notes):
            kept = tuple(note if pinned.key == note.key else pinned for pinned in notes)
        else:
            kept = (*notes, note)
        self._workspace.apply(notes=tuple(note for note in kept if note.text))

    def _place(self, title: str, x: float) -> tuple[Note, str] | None:
        """The note without its text: in a single run at its moment, in several runs relative to the start of the phase.
        None if no run has this moment."""
        library, state = self._workspace.library, self._workspace.state
        page = state.page
        runs = self._runs(title)
        view = View(chosen_phase(library, state, whole=True), alignment=state.alignment)
        placed = [(run, zero) for run in runs if (zero := zero_of(run, view)) is not None]
        if not placed:
            return None
        figures, zero = placed[0]
        if page == TIMELINE:
            zero += self._late(view).get(figures.run.folder, 0.0)
        row = figures.phase(view.phase)
        if len(placed) > 1 and page != TIMELINE and view.phase != WHOLE_RUN and row is not None:
            note = Note(uuid.uuid4().hex, "", zero + x - row.phase.start, phase=view.phase)
        else:
            note = Note(uuid.uuid4().hex, "", zero + x, run=figures.run.folder)
        return note, self._where(note)

    def _late(self, view: View) -> dict[str, float]:
        """Seconds by which x = 0 on the timeline is later than that of the view, by run."""
        from workbench.answers.timeline.curves import curves
        from workbench.answers.timeline.page import late_starts, shown_keys

        library, state = self._workspace.library, self._workspace.state
        shown = curves(library.drawable(state), shown_keys(library, state), state.derived)
        return late_starts(shown, view)

    def _runs(self, title: str) -> tuple[RunFigures, ...]:
        """The runs that a column of the current chart shows; for the timeline the run whose phases it shows."""
        library, state = self._workspace.library, self._workspace.state
        if state.page == TIMELINE:
            from workbench.answers.timeline.page import shown_keys

            folders = list(dict.fromkeys(key.run for key in shown_keys(library, state)))
            known = library.figures or {}
            return tuple(known[folder] for folder in folders[:1] if folder in known)
        groups = library.shown(state)
        named = [group for group in groups if group.label == title]
        return tuple(run for group in named or groups for run in group.runs)

    def _where(self, note: Note) -> str:
        if not note.run:
            return f"{signed(note.at, 0)} s after the start of {phase_words(note.phase)}, in every run"
        figures = (self._workspace.library.figures or {}).get(note.run)
        name = figures.run.name if figures else note.run
        return f"{name}, {moment(note.at)} UTC" if figures is None else f"{name}, {clock(figures.run, note.at)}"
