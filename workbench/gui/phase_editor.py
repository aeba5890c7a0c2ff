"""Edges of phases, dragged on a chart: the figures follow while the hand still holds the edge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from workbench.analysis.configurations import Group
from workbench.charts.metrics import phase_words
from workbench.charts.numbers import signed
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.phase import Phase

if TYPE_CHECKING:
    from workbench.gui.main_window import MainWindow

# The figures follow the hand this often.
FOLLOW_MS = 120
# No phase is shorter.
_SHORTEST_S = 1.0


class PhaseEditor(QObject):
    """Listens to `edge_dragged` of every page's figure; a drag is one step of undo."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = window.workspace
        self._drag = 0
        self._read: dict[str, Phase] | None = None
        self._wanted: tuple[str, str, str, float] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(FOLLOW_MS)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._follow)

    def drag(self, label: str, name: str, side: str, seconds: float, finished: bool) -> None:
        """Moves an edge of the phase `name` of the configuration `label` in each of its runs."""
        group = next(
            (g for g in self._workspace.library.shown(self._workspace.state) if g.label == label), None
        )
        if group is None:
            return
        if self._read is None:
            # All of a drag counts from where the edge stood when it was taken hold of.
            self._read = {
                one.run.folder: row.phase for one in group.runs if (row := one.phase(name)) is not None
            }
            self._drag += 1
        self._wanted = (label, name, side, seconds)
        if finished:
            self._timer.stop()
            self._follow()
            self._read = None
            self._tell(group, name, side, seconds)
        elif not self._timer.isActive():
            self._timer.start()

    def reset(self) -> None:
        """Every phase of the current study back to where the evidence puts it."""
        state = self._workspace.state
        self._workspace.apply(edits=state.with_edits(*(replace(one, phases=()) for one in state.edits)).edits)

    def _follow(self) -> None:
        if self._wanted is None or self._read is None:
            return
        _label, _name, side, seconds = self._wanted
        state = self._workspace.state
        changed = [
            _with_phase(state.edits_of(folder), _moved(phase, side, seconds))
            for folder, phase in self._read.items()
        ]
        edits = state.with_edits(*changed).edits
        if edits != state.edits:
            self._workspace.apply(merge=f"edge {self._drag}", edits=edits)

    def _tell(self, group: Group, name: str, side: str, seconds: float) -> None:
        runs = f" in each of its {len(group.runs)} runs" if len(group.runs) > 1 else ""
        self._window.strip.tell(
            f"The {side} of {phase_words(name)} of {group.label} was moved by {signed(seconds, 0)} s{runs}. "
            "Ctrl+Z takes it back."
        )


def _moved(phase: Phase, side: str, seconds: float) -> PhaseEdit:
    if side == "start":
        return PhaseEdit(phase.name, min(phase.start + seconds, phase.end - _SHORTEST_S), phase.end)
    return PhaseEdit(phase.name, phase.start, max(phase.end + seconds, phase.start + _SHORTEST_S))


def _with_phase(edits: RunEdits, phase: PhaseEdit) -> RunEdits:
    others = tuple(one for one in edits.phases if one.name != phase.name)
    return replace(edits, phases=(*others, phase))
