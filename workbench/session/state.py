"""State: all choices of the user, as one frozen value. Undo is a list of states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from workbench.answers.common.choices import Choices
from workbench.charts.palette import ThemeName


@dataclass(frozen=True, slots=True)
class State(Choices):
    """The choices of all answers, and the theme of the window. `earlier_names`: name configurations like workspace
    files of version 2."""

    theme: ThemeName = "light"
    earlier_names: bool = False


# Only these parts of a state can be undone, and the program asks before they are lost. Navigation is not among them.
WORK = (
    "hidden",
    "edits",
    "notes",
    "findings",
    "views",
    "inputs",
    "timeline",
    "pinned",
    "derived",
    "placed",
    "own_columns",
    "storyboard",
)


def work_of(state: State) -> dict[str, Any]:
    """The user's work, by field of the state."""
    return {name: getattr(state, name) for name in WORK}


class History:
    """The current state, with earlier ones for undo and later ones for redo."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._past: list[State] = []
        self._future: list[State] = []
        self._merging = ""

    @property
    def past(self) -> tuple[State, ...]:
        """The states for undo, latest last."""
        return tuple(self._past)

    @property
    def future(self) -> tuple[State, ...]:
        """The states for redo, next last."""
        return tuple(self._future)

    def apply(self, merge: str = "", **changes: Any) -> State:
        """Change the current state and return it. The previous state is kept for undo if the change affects results.

        Successive changes with equal `merge` (all of one drag) are one undo step.
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
        """Rewrite all states, past and future ones too, in another form with equal meaning."""
        self.state = change(self.state)
        self._past, self._future = ([change(state) for state in states] for states in (self._past, self._future))

    def undo(self) -> State | None:
        """Undo the last step that affected results; returns the state, None if there is none."""
        return self._step(self._past, self._future)

    def redo(self) -> State | None:
        """Redo the step that was undone last; returns the state, None if there is none."""
        return self._step(self._future, self._past)

    def _step(self, source: list[State], target: list[State]) -> State | None:
        if not source:
            return None
        target.append(self.state)
        self._merging = ""
        state = source.pop()
        # Page, phase and theme stay as they are now.
        self.state = replace(self.state, **work_of(state))
        return self.state
