"""The counters that the timeline draws: chosen in the tree next to it, dropped on it, pinned, or removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import count

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from workbench.answers.common.choices import Derived, Rule
from workbench.answers.common.names import TIMELINE
from workbench.charts.content import Content
from workbench.charts.figure import Look, Panel
from workbench.gui.pages.counter_model import MAX_AT_ONCE, MIME, keys_in, mime_of
from workbench.gui.pages.counter_panel import CounterPanel
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import tr
from workbench.model.recording import Recording, SeriesKey
from workbench.model.run import Run
from workbench.study.series.catalogue import HOST, OBJECT, RUN, Catalogue, catalogue
from workbench.words.numbers import fixed

# The position of the run in a row of the report.
RUN_CELL = 3
# The texts and actions of the rows of a menu.
Entries = list[tuple[str, Callable[[], object]]]


class Counters(Commands):
    """The commands for counters, and the side panel of the timeline page."""

    _pages: Pages

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._read: tuple[tuple[Recording, ...], Catalogue] | None = None
        self._asked: tuple[tuple[int, ...], tuple[SeriesKey, ...]] | None = None
        # The folders of the runs whose counters the panel lists.
        self._listed: tuple[str, ...] = ()
        self._pages.drawn.connect(self.refresh)
        self._pages.each(self._stand_beside)

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
            if (figure := page.figure) is not None:
                figure.entry_dragged.connect(partial(self._drag, figure))

    @property
    def shown(self) -> tuple[SeriesKey, ...]:
        """The drawn counters in their order."""
        from workbench.answers.timeline.page import shown_keys

        return shown_keys(self._workspace.library, self._workspace.state)

    def add(self, keys: Iterable[SeriesKey]) -> None:
        """Draws these counters too."""
        if fresh := self._fresh(keys):
            self._workspace.apply(timeline=(*self.shown, *fresh), page=TIMELINE)

    def place(self, keys: Iterable[SeriesKey], plot: str | None) -> None:
        """Draws these counters on the plot with this key, or on a new plot (None). A counter with another unit stays on
        a plot of its unit."""
        from workbench.answers.timeline.page import moved

        every = tuple(dict.fromkeys(keys))
        fresh = self._fresh(every)
        if fresh is None:
            return
        state = self._workspace.state
        placed, others = moved(self._workspace.library, state, every, plot)
        self._workspace.apply(placed=placed, page=TIMELINE, timeline=(*self.shown, *fresh) if fresh else state.timeline)
        if others:
            self._status.tell(f"{others[0]} has a different unit from this chart. It is shown in a separate chart.")

    def derive(self, rule: Rule, keys: Sequence[SeriesKey]) -> None:
        """Draws the sum, the difference or the change per minute of these counters."""
        from workbench.answers.timeline.curves import curves

        state = self._workspace.state
        known = {(some.rule, some.of): some for some in state.derived}
        taken = {some.key for some in state.derived}
        names = (SeriesKey(keys[0].run, f"={rule} {number}") for number in count(1))
        free = next(key for key in names if key not in taken)
        recipe = known.get((rule, tuple(keys))) or Derived(free, rule, tuple(keys))
        every = (*state.derived, *(() if recipe.key in taken else (recipe,)))
        if not curves(self._workspace.library.drawable(state), (recipe.key,), every):
            self._status.tell("Only curves of the same run and unit can be added or subtracted.")
            return
        if fresh := self._fresh((recipe.key,)):
            self._workspace.apply(derived=every, timeline=(*self.shown, *fresh), page=TIMELINE)

    def calculations(self, keys: Sequence[SeriesKey]) -> Entries:
        """The commands that compute a curve from these counters."""
        entries: Entries = []
        if len(keys) == 1:
            entries.append((tr("Show per-minute change"), lambda: self.derive("derivative", keys)))
        elif len(keys) <= MAX_AT_ONCE:
            entries.append((tr("Show sum"), lambda: self.derive("sum", keys)))
        if len(keys) == 2:
            there = (keys[1], keys[0])
            entries.append((tr("Subtract second counter"), lambda: self.derive("difference", keys)))
            entries.append((tr("Subtract first counter"), lambda: self.derive("difference", there)))
        return entries

    def _fresh(self, keys: Iterable[SeriesKey]) -> list[SeriesKey] | None:
        """The counters that are not drawn yet. None, after a message, if there are too many."""
        before = self.shown
        fresh = [key for key in dict.fromkeys(keys) if key not in before]
        if len(fresh) > MAX_AT_ONCE:
            self._status.tell(
                f"{fixed(len(fresh), 0)} counters are too many for one chart. "
                f"Choose up to {MAX_AT_ONCE}, or narrow the search."
            )
            return None
        from workbench.answers.timeline.curves import MAX_CURVES

        if len(before) + len(fresh) > MAX_CURVES:
            self._status.tell(f"A timeline shows at most {MAX_CURVES} counters. Remove some counters first.")
            return None
        return fresh

    def remove(self, keys: Iterable[SeriesKey]) -> None:
        """Removes these counters from the chart."""
        gone = set(keys)
        kept = tuple(key for key in self.shown if key not in gone)
        placed = tuple(pair for pair in self._workspace.state.placed if pair[0] not in gone)
        self._workspace.apply(timeline=kept, placed=placed)

    def reset(self) -> None:
        """Draws the page's default counters again."""
        self._workspace.apply(timeline=None, placed=())

    def pin(self, keys: Iterable[SeriesKey], on: bool) -> None:
        """Lists these counters above the tree, or removes them from that list."""
        some = tuple(keys)
        others = tuple(key for key in self._workspace.state.pinned if key not in some)
        self._workspace.apply(pinned=(*others, *some) if on else others)

    @command("&Edit", "Find a coun&ter…", "Ctrl+Shift+F", place=220)
    def find(self) -> None:
        """Moves the focus to the search of counters."""
        self._workspace.apply(page=TIMELINE)
        self.panel.field.setFocus()
        self.panel.field.selectAll()

    def twins(self, key: SeriesKey) -> tuple[SeriesKey, ...]:
        """This counter in every run of the study, the key itself first. In each run, it is the counter of the machine
        with this name, otherwise of the run's first machine."""
        if self._read is None:
            return (key,)
        return _twins(self._read[1], key)

    def refresh(self) -> None:
        """Shows the drawn counters, and the counters of the current study, which are listed in the background."""
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
            # Keeps the recordings together with the data read from them, so Python does not reuse their ids.
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

    def _entries(self, keys: tuple[SeriesKey, ...]) -> Entries:
        """The menu of the selected rows of the tree, or of the list of drawn counters."""
        drawn, pinned = set(self.shown), set(self._workspace.state.pinned)
        entries: Entries = []
        if not drawn.issuperset(keys):
            entries.append(("Draw", partial(self.add, keys)))
        if drawn.intersection(keys):
            entries.append(("Remove from chart", partial(self.remove, keys)))
        if len(keys) == 1 and len(self.twins(keys[0])) > 1:
            entries.append(("Show for all runs", lambda: self.add(self.twins(keys[0]))))
        if drawn.issuperset(keys):
            entries.append((tr("Use separate chart"), partial(self.place, keys, None)))
        entries += self.calculations(keys)
        if any(key.path.startswith("=") for key in keys):
            return entries
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
                self._drop(keys_in(event.mimeData()), event.position().toPoint())
            return True
        return super().eventFilter(watched, event)

    def _drop(self, keys: tuple[SeriesKey, ...], at: QPoint) -> None:
        """Draws counters on the plot where they were dropped; below the last plot, on a new plot."""
        page = self._pages[TIMELINE]
        figure = page.figure
        inside = None if figure is None or not figure.isVisible() else figure.mapFrom(page, at)
        if figure is None or inside is None or not figure.rect().contains(inside):
            self.add(keys)
        else:
            self.place(keys, figure.plot_key(inside.y()))

    def _drag(self, source: QWidget, panel: Panel, name: str) -> None:
        """Drags the curve of this name, until it is dropped."""
        from workbench.answers.timeline.sources import counter_key

        key = None if name not in panel.sources else counter_key(panel.sources[name])
        if key is not None:
            drag = QDrag(source)
            drag.setMimeData(mime_of((key,)))
            drag.exec(Qt.DropAction.CopyAction)


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
