"""Edges of phases, dragged on a chart: the figures follow while the hand still holds the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from workbench.gui.services.status import StatusLine
from workbench.gui.services.workspace import Workspace
from workbench.measures.phase_table import RunFigures
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.phase import Phase
from workbench.words.metrics import phase_words
from workbench.words.numbers import signed

# The figures follow the hand this often.
FOLLOW_MS = 120
# No phase is shorter.
_SHORTEST_S = 1.0


class PhaseEditor(QObject):
    """Listens to `edge_dragged` of every page's figure; a drag is one step of undo."""

    def __init__(self, parent: QObject, workspace: Workspace, status: StatusLine) -> None:
        super().__init__(parent)
        self._workspace, self._status = workspace, status
        self._drag = 0
        self._read: dict[str, Phase] | None = None
        self._wanted: tuple[str, str, str, float] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(FOLLOW_MS)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._follow)

    def drag(self, label: str, name: str, side: str, seconds: float, finished: bool) -> None:
        """Moves an edge of the phase `name` in each run of the configuration `label`, or in the one run whose
        folder `label` is."""
        named, runs = self._runs(label)
        if not runs:
            return
        if self._read is None:
            # All of a drag counts from where the edge stood when it was taken hold of.
            self._read = {run.run.folder: row.phase for run in runs if (row := run.phase(name)) is not None}
            self._drag += 1
        self._wanted = (label, name, side, seconds)
        if finished:
            self._timer.stop()
            self._follow()
            self._read = None
            self._tell(named, len(runs), name, side, seconds)
        elif not self._timer.isActive():
            self._timer.start()

    def reset(self) -> None:
        """Every phase of the current study back to where the evidence puts it."""
        state = self._workspace.state
        without = (replace(edit, phases=(), dropped=()) for edit in state.edits)
        self._workspace.apply(edits=state.with_edits(*without).edits)

    def _follow(self) -> None:
        if self._wanted is None or self._read is None:
            return
        _label, _name, side, seconds = self._wanted
        state = self._workspace.state
        changed = [
            _with_phase(state.edits_of(folder), _moved(phase, side, seconds)) for folder, phase in self._read.items()
        ]
        edits = state.with_edits(*changed).edits
        if edits != state.edits:
            self._workspace.apply(merge=f"edge {self._drag}", edits=edits)

    def _runs(self, label: str) -> tuple[str, Sequence[RunFigures]]:
        """The runs that are meant, and what they are called."""
        library, state = self._workspace.library, self._workspace.state
        if (run := (library.figures or {}).get(label)) is not None:
            return run.run.name, (run,)
        group = next((group for group in library.shown(state) if group.label == label), None)
        return label, () if group is None else group.runs

    def _tell(self, named: str, count: int, name: str, side: str, seconds: float) -> None:
        runs = f" in each of its {count} runs" if count > 1 else ""
        self._status.tell(
            f"The {side} of {phase_words(name)} of {named} was moved by {signed(seconds, 0)} s{runs}. "
            "Ctrl+Z takes it back."
        )


def _moved(phase: Phase, side: str, seconds: float) -> PhaseEdit:
    if side == "start":
        return PhaseEdit(phase.name, min(phase.start + seconds, phase.end - _SHORTEST_S), phase.end)
    return PhaseEdit(phase.name, phase.start, max(phase.end + seconds, phase.start + _SHORTEST_S))


def _with_phase(edits: RunEdits, phase: PhaseEdit) -> RunEdits:
    others = tuple(edit for edit in edits.phases if edit.name != phase.name)
    return replace(edits, phases=(*others, phase))
