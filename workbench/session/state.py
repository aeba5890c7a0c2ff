"""State: what the user chose, as one frozen value; undo is a list of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from workbench.charts.palette import ThemeName
from workbench.charts.traces import Alignment, View
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY

Scale = Literal["linear", "log", "own"]


@dataclass(frozen=True, slots=True)
class State:
    """`study` is the folder of the study that is looked at; `hidden` are labels of configurations, `excluded`
    folders of runs taken out by hand, `time_zones` pairs of run folder and zone for files that name none."""

    study: str | None = None
    page: str = "overview"
    phase: str = STEADY
    metric: Quantity = Quantity.IOPS
    alignment: Alignment = Alignment.PHASE_START
    scale: Scale = "linear"
    theme: ThemeName = "light"
    per_run: bool = False
    lit_vm: str | None = None
    hidden: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    time_zones: tuple[tuple[str, str], ...] = ()

    @property
    def view(self) -> View:
        """What the choosers say."""
        return View(self.phase, self.metric, self.alignment)

    def with_time_zone(self, run_folder: str, zone: str | None) -> State:
        """The state with the zone of one run set, or taken back (None)."""
        kept = tuple(pair for pair in self.time_zones if pair[0] != run_folder)
        return replace(self, time_zones=kept if zone is None else (*kept, (run_folder, zone)))


# Looking around is not undone; what changes the figures is.
_UNDOABLE = ("hidden", "excluded", "time_zones")


class History:
    """The states before and after the present one."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._past: list[State] = []
        self._future: list[State] = []

    def apply(self, **changes: Any) -> State:
        """The present state with changes; remembers the one before when figures change by it."""
        after = replace(self.state, **changes)
        if any(getattr(after, name) != getattr(self.state, name) for name in _UNDOABLE):
            self._past.append(self.state)
            self._future.clear()
        self.state = after
        return after

    def undo(self) -> State | None:
        """The state with the last figure-changing step taken back, None when there is none."""
        return self._step(self._past, self._future)

    def redo(self) -> State | None:
        """The step taken back last, done again."""
        return self._step(self._future, self._past)

    def _step(self, source: list[State], target: list[State]) -> State | None:
        if not source:
            return None
        target.append(self.state)
        found = source.pop()
        # Page, phase and theme stay where the user is looking now.
        self.state = replace(self.state, **{name: getattr(found, name) for name in _UNDOABLE})
        return self.state
