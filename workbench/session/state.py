"""State: what the user chose, as one frozen value; undo is a list of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from workbench.answers.common.choices import Choices
from workbench.charts.palette import ThemeName


@dataclass(frozen=True, slots=True)
class State(Choices):
    """The choices of the answers, and the theme of the window. `earlier_names`: configurations are to be named as
    workspace files of version 2 did."""

    theme: ThemeName = "light"
    earlier_names: bool = False


# Looking around is neither undone nor worth a question when it is lost; these parts of a state are.
WORK = ("hidden", "edits", "notes", "findings", "views", "inputs", "timeline", "pinned", "storyboard")


def work_of(state: State) -> dict[str, Any]:
    """What the user did, by the field of the state that holds it."""
    return {name: getattr(state, name) for name in WORK}


class History:
    """The states before and after the present one."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._past: list[State] = []
        self._future: list[State] = []
        self._merging = ""

    @property
    def past(self) -> tuple[State, ...]:
        """The states that undo leads back to, the latest last."""
        return tuple(self._past)

    @property
    def future(self) -> tuple[State, ...]:
        """The states that redo leads to, the next last."""
        return tuple(self._future)

    def apply(self, merge: str = "", **changes: Any) -> State:
        """The present state with changes; remembers the one before when figures change by it.

        Changes in a row with the same `merge` (all of one drag) are one step of undo.
        """
        after = replace(self.state, **changes)
        if work_of(after) != work_of(self.state):
            if not merge or merge != self._merging:
                self._past.append(self.state)
            self._future.clear()
            self._merging = merge
        self.state = after
        return after

    def rewrite(self, change: Callable[[State], State]) -> None:
        """Puts every state, those before and after the present one too, in another form that means the same."""
        self.state = change(self.state)
        self._past, self._future = ([change(state) for state in states] for states in (self._past, self._future))

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
        self._merging = ""
        state = source.pop()
        # Page, phase and theme stay where the user is looking now.
        self.state = replace(self.state, **work_of(state))
        return self.state
