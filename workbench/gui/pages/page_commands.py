"""The user's changes on a page itself: its inputs, and the highlighted machine.

Also clicks on the legend of a chart: they hide the entry, or show it alone.
"""

from __future__ import annotations

from collections.abc import Set
from functools import partial

from workbench.answers.common.names import BASELINE, FILTER
from workbench.charts.hidden import entry_name
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.status import StatusLine
from workbench.gui.services.workspace import Workspace


class InputCommands:
    """Driven by the signals of every page."""

    def __init__(self, workspace: Workspace, pages: Pages) -> None:
        self._workspace, self._pages = workspace, pages

    def light(self, vm: str) -> None:
        """Highlights a machine on every page, or removes the highlight."""
        self._workspace.apply(lit_vm=None if vm == self._workspace.state.lit_vm else vm)

    def set(self, key: str, value: object) -> None:
        """Sets an input of the page to a number or a choice."""
        assert isinstance(value, float | str)
        state = self._workspace.state
        if key == BASELINE:
            self._workspace.apply(edits=self._workspace.library.with_baseline(state, str(value)).edits)
            return
        inputs = (state.with_input(key, value) if value != "" else state.without_inputs(frozenset((key,)))).inputs
        # The letters of a typed word are one step of undo. A movement of a slider is one step too.
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


class LegendCommands:
    """Listens to the legends of every page. A configuration is hidden everywhere, like with its tick in the tree; any
    other entry only in the charts of its page. Both are steps of undo, and saved views keep them."""

    def __init__(self, pages: Pages, workspace: Workspace, status: StatusLine) -> None:
        self._workspace, self._status = workspace, status
        pages.each(self._listen)

    def _listen(self, page: PageView) -> None:
        if page.figure is not None:
            page.figure.entry_wanted.connect(partial(self.want, page))

    def want(self, page: PageView, name: str, alone: bool) -> None:
        """Hides the entry, or shows it if it is hidden. `alone` hides all others of its kind, or shows them again if it
        is the only one shown."""
        state = self._workspace.state
        labels = self._labels()
        if name in labels:
            hidden = _changed(state.hidden, name, labels, alone)
            if labels <= hidden:
                self._status.tell(f"{name} is the only configuration that is shown, so it cannot be hidden.")
                return
            self._workspace.apply(hidden=hidden)
        else:
            entries = _entries(page) - labels
            hidden = _changed(state.hidden_entries(page.spec.key), name, entries, alone)
            self._workspace.apply(inputs=state.with_hidden_entries(page.spec.key, hidden).inputs)
        if name in hidden:
            self._status.tell(f"{name} is hidden. Click its entry in the legend to show it again.")
        elif alone and hidden:
            self._status.tell(f"Only {name} is shown. Alt+click it again to show the other entries.")
        else:
            self._status.tell(f"{name} is shown.")

    def offered(self, page: PageView, name: str) -> tuple[bool, bool, bool]:
        """Three flags: the name can be hidden, it can be shown alone, something of its kind is hidden."""
        hidden, every = self._kind(page, name)
        shown = every - hidden
        return name in shown and len(shown) > 1, name in every and shown != {name}, bool(hidden & every)

    def show_all(self, page: PageView, name: str) -> None:
        """Shows again everything hidden of this name's kind: configurations, or other entries of the page."""
        state = self._workspace.state
        hidden, every = self._kind(page, name)
        if name in self._labels():
            self._workspace.apply(hidden=frozenset(hidden - every))
        else:
            self._workspace.apply(inputs=state.with_hidden_entries(page.spec.key, frozenset()).inputs)
        self._status.tell("Everything is shown.")

    def _labels(self) -> set[str]:
        """The names of the configurations."""
        return {group.label for group in self._workspace.library.groups(self._workspace.state) if group.runs}

    def _kind(self, page: PageView, name: str) -> tuple[Set[str], Set[str]]:
        """The hidden names, and all names, of the kind of this name."""
        state, labels = self._workspace.state, self._labels()
        if name in labels:
            return state.hidden, labels
        return state.hidden_entries(page.spec.key), _entries(page) - labels


def _changed(hidden: frozenset[str], name: str, every: Set[str], alone: bool) -> frozenset[str]:
    if not alone:
        return hidden ^ {name}
    others = frozenset(every) - {name}
    return hidden - every if others and others <= hidden and name not in hidden else (hidden | others) - {name}


def _entries(page: PageView) -> set[str]:
    figure = None if page.content is None else page.content.figure
    panels = () if figure is None else figure.panels
    return {entry_name(mark, panel) for panel in panels if panel.legend for mark in panel.marks} - {""}
