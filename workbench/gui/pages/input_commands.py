"""What the user changes on a page itself: its inputs, and the machine that is lit."""

from __future__ import annotations

from workbench.answers.common.names import BASELINE, FILTER
from workbench.gui.pages.stack import Pages
from workbench.gui.services.workspace import Workspace


class InputCommands:
    """Driven by the signals of every page."""

    def __init__(self, workspace: Workspace, pages: Pages) -> None:
        self._workspace, self._pages = workspace, pages

    def light(self, vm: str) -> None:
        """Lights a machine on every page, or no longer."""
        self._workspace.apply(lit_vm=None if vm == self._workspace.state.lit_vm else vm)

    def set(self, key: str, value: object) -> None:
        """Sets an input of the page to a number or a choice."""
        assert isinstance(value, float | str)
        state = self._workspace.state
        if key == BASELINE:
            self._workspace.apply(edits=self._workspace.library.with_baseline(state, str(value)).edits)
            return
        inputs = (state.with_input(key, value) if value != "" else state.without_inputs(frozenset((key,)))).inputs
        # The letters of a word that is typed are one step of undo, and so is the way of a slider.
        self._workspace.apply(key if key in (FILTER, *self._sliding) else "", inputs=inputs)

    def reset(self) -> None:
        """Sets every input of the page to its default."""
        parts = self._pages.shown.parts
        keys = frozenset(() if parts is None else parts.inputs.fields)
        state = self._workspace.state.without_inputs(keys)
        if BASELINE in keys:
            state = self._workspace.library.with_baseline(state, "")
        self._workspace.apply(inputs=state.inputs, edits=state.edits)

    @property
    def _sliding(self) -> frozenset[str]:
        """The inputs of the page that have a slider."""
        content = self._pages.shown.content
        return frozenset(shown.key for shown in (content.inputs if content else ()) if shown.step)
