"""The counters that the timeline draws: chosen in the tree next to it, dropped on it, pinned, or removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial

import numpy as np
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from workbench.answers.common.names import TIMELINE
from workbench.charts.content import Content
from workbench.charts.figure import Look
from workbench.gui.pages.counter_model import MAX_AT_ONCE, MIME, keys_in
from workbench.gui.pages.counter_panel import CounterPanel
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.workspace import Workspace
from workbench.model.recording import Recording, SeriesKey
from workbench.model.run import Run
from workbench.study.series.catalogue import HOST, OBJECT, RUN, Catalogue, catalogue
from workbench.words.numbers import fixed

# The position of the run in a row of the report.
RUN_CELL = 3


class Counters(QObject):
    """The commands of the action table that begin with `counters.`, and the side panel of the timeline page."""

    def __init__(self, parent: QWidget, workspace: Workspace, tasks: Tasks, status: StatusLine, pages: Pages) -> None:
        super().__init__(parent)
        self._workspace, self._tasks, self._status, self._pages = workspace, tasks, status, pages
        self._read: tuple[tuple[Recording, ...], Catalogue] | None = None
        self._asked: tuple[tuple[int, ...], tuple[SeriesKey, ...]] | None = None
        # The folders of the runs whose counters the panel lists.
        self._listed: tuple[str, ...] = ()
        self._parent = parent
        pages.drawn.connect(self.refresh)
        pages.each(self._stand_beside)

    @cached_property
    def panel(self) -> CounterPanel:
        """The tree of counters with its search, and the list of drawn ones; created when first needed."""
        panel = CounterPanel(self._tasks, self._entries)
        # Until its page is created the panel belongs to the window and is deleted with it.
        panel.hide()
        panel.setParent(self._parent)
        panel.chosen.connect(self.add)
        panel.removed.connect(self.remove)
        panel.ticked.connect(self._ticked)
        panel.cleared.connect(self.reset)
        return panel

    def _stand_beside(self, page: PageView) -> None:
        if page.spec.key == TIMELINE:
            page.set_side(self.panel)
            page.setAcceptDrops(True)
            page.installEventFilter(self)

    @property
    def shown(self) -> tuple[SeriesKey, ...]:
        """The drawn counters in their order."""
        from workbench.answers.timeline.page import shown_keys

        return shown_keys(self._workspace.library, self._workspace.state)

    def add(self, keys: Iterable[SeriesKey]) -> None:
        """Draws these counters too."""
        before = self.shown
        fresh = [key for key in dict.fromkeys(keys) if key not in before]
        if len(fresh) > MAX_AT_ONCE:
            self._status.tell(
                f"{fixed(len(fresh), 0)} counters are too many for one chart. "
                f"Choose up to {MAX_AT_ONCE}, or search for fewer."
            )
            return
        from workbench.answers.timeline.curves import MAX_CURVES

        if len(before) + len(fresh) > MAX_CURVES:
            self._status.tell(f"{MAX_CURVES} counters can be shown at most. Remove some first.")
            return
        if fresh:
            self._workspace.apply(timeline=(*before, *fresh), page=TIMELINE)

    def remove(self, keys: Iterable[SeriesKey]) -> None:
        """Removes these counters from the chart."""
        gone = set(keys)
        self._workspace.apply(timeline=tuple(key for key in self.shown if key not in gone))

    def reset(self) -> None:
        """Draws the page's default counters again."""
        self._workspace.apply(timeline=None)

    def pin(self, keys: Iterable[SeriesKey], on: bool) -> None:
        """Lists these counters above the tree, or removes them from there."""
        some = tuple(keys)
        others = tuple(key for key in self._workspace.state.pinned if key not in some)
        self._workspace.apply(pinned=(*others, *some) if on else others)

    def find(self) -> None:
        """Moves the focus to the search of counters."""
        self._workspace.apply(page=TIMELINE)
        self.panel.field.setFocus()
        self.panel.field.selectAll()

    def twins(self, key: SeriesKey) -> tuple[SeriesKey, ...]:
        """This counter in every run of the study, the key itself first: of the machine with this name if the run has
        it, otherwise of the run's first machine."""
        if self._read is None:
            return (key,)
        return _twins(self._read[1], key)

    def refresh(self) -> None:
        """Shows what is drawn, and the counters of the current study; they are listed in the background."""
        library, state = self._workspace.library, self._workspace.state
        study = library.study(state.study)
        runs = (*(study.runs if study else ()), *library.loose)
        if state.page != TIMELINE or not runs:
            return
        self.panel.show_drawn(_drawn(self._pages[TIMELINE].content), state.theme)
        # Edits create new runs with the old recordings; only recordings contain counters.
        held = tuple(recording for run in runs for recording in run.recordings)
        state_key = (tuple(id(recording) for recording in held), state.pinned)
        if state_key == self._asked:
            return
        if self._read is not None and self._asked is not None and self._asked[0] == state_key[0]:
            self.panel.show_catalogue(self._read[1], state.pinned)
        else:
            self._list(runs, held)
        self._asked = state_key

    def _list(self, runs: tuple[Run, ...], held: tuple[Recording, ...]) -> None:
        def done(counters: Catalogue) -> None:
            # Keeps the recordings next to what was read from them, so Python does not reuse their ids.
            self._read = (held, counters)
            self.panel.show_catalogue(counters, self._workspace.state.pinned)

        folders = tuple(run.folder for run in runs)
        if folders != self._listed:
            self._listed = folders
            self.panel.forget_catalogue()
        self._tasks.run("counters", lambda: catalogue(runs), done)

    def _ticked(self, key: SeriesKey, on: bool) -> None:
        if on:
            self.add((key,))
        else:
            self.remove((key,))

    def _entries(self, keys: tuple[SeriesKey, ...]) -> list[tuple[str, Callable[[], object]]]:
        """The menu of the selected rows of the tree."""
        drawn, pinned = set(self.shown), set(self._workspace.state.pinned)
        entries: list[tuple[str, Callable[[], object]]] = []
        if not drawn.issuperset(keys):
            entries.append(("Draw", partial(self.add, keys)))
        if drawn.intersection(keys):
            entries.append(("Remove from chart", partial(self.remove, keys)))
        if len(keys) == 1 and len(self.twins(keys[0])) > 1:
            entries.append(("Draw for all runs", lambda: self.add(self.twins(keys[0]))))
        if pinned.issuperset(keys):
            entries.append(("Unpin", partial(self.pin, keys, False)))
        elif len(keys) <= MAX_AT_ONCE:
            entries.append(("Pin above the tree", partial(self.pin, keys, True)))
        return entries

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accepts counters that are dragged over the page, and draws them when they are dropped."""
        if isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent) and event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()
            if event.type() == QEvent.Type.Drop:
                self.add(keys_in(event.mimeData()))
            return True
        return super().eventFilter(watched, event)


def _drawn(content: Content | None) -> list[tuple[SeriesKey, str, Look, str]]:
    """Key, name, look and tooltip of every row of the report."""
    if content is None or not content.tables:
        return []
    table = content.tables[0]
    several = len({row[RUN_CELL].value for row in table.rows}) > 1
    drawn = []
    for key, row in zip(table.keys, table.rows, strict=True):
        counter, instance, host, run = row[: RUN_CELL + 1]
        instances = f" ({instance.value})" if instance.value and instance.value.casefold() != "_total" else ""
        parts = (f"{counter.text}{instances}", host.value or "", run.text if several else "")
        tip = " · ".join(cell.text for cell in (counter, instance, host, run) if cell.value)
        drawn.append((key, " · ".join(part for part in parts if part), counter.look or Look("quiet"), tip))
    return drawn


def _twins(listing: Catalogue, key: SeriesKey) -> tuple[SeriesKey, ...]:
    rows = listing.rows_of((key,))
    if not rows.size:
        return (key,)
    mine = listing.codes[int(rows[0])]
    same = np.flatnonzero((listing.codes[:, OBJECT:] == mine[OBJECT:]).all(axis=1))
    chosen = [key]
    for run in range(len(listing.texts[RUN])):
        there = same[listing.codes[same, RUN] == run]
        if run == mine[RUN] or not there.size:
            continue
        named = there[listing.codes[there, HOST] == mine[HOST]]
        chosen.append(listing.keys[int((named if named.size else there)[0])])
    return tuple(chosen)
