"""The tree of studies, configurations, runs and VMs. Boxes show and hide configurations; an excluded row shows the
reason.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from workbench.answers.common.baselines import GUESSED, baseline_words, lost_words
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.charts.figure import Look
from workbench.charts.short_names import short_names
from workbench.gui.runs.rename_delegate import LOOK, TAG, Index, RenameDelegate
from workbench.gui.runs.run_fields import WRITE_CACHES
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.translation import said, tr
from workbench.gui.services.workspace import Workspace
from workbench.measures.configurations import Group, lost_baselines
from workbench.measures.phase_table import RunFigures
from workbench.model.run import BaselineEvidence, Study
from workbench.study.series.vm_series import vm_names
from workbench.words.metrics import phase_words, rule_of
from workbench.words.numbers import plural


class RowKind(IntEnum):
    """The kind of a row of the tree."""

    STUDY = 0
    CONFIGURATION = 1
    RUN = 2
    VM = 3


_WRITE_CACHES = {key: words for words, key in WRITE_CACHES}
_KIND = Qt.ItemDataRole.UserRole + 1
_KEY = Qt.ItemDataRole.UserRole + 2
# For a configuration, the folders of its runs; True if the rows below do not exist yet.
_RUNS = Qt.ItemDataRole.UserRole + 3
_WAITS = Qt.ItemDataRole.UserRole + 4
_ROOT = QModelIndex()
_RowKey = tuple[int, str, str]


class _Rows(QStandardItemModel):
    """The rows of the tree. The rows below a configuration or a run are created when it is opened."""

    def __init__(self, below: Callable[[QStandardItem], Iterable[list[QStandardItem]]], parent: QWidget) -> None:
        super().__init__(0, 2, parent)
        self._below = below

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        """True for a configuration, which has runs, and for a run, which has VMs."""
        return super().hasChildren(parent) or self.canFetchMore(parent)

    def canFetchMore(self, parent: Index) -> bool:
        """True if the rows below do not exist yet."""
        return parent.isValid() and bool(parent.data(_WAITS))

    def fetchMore(self, parent: Index) -> None:
        """Creates the rows below."""
        if self.canFetchMore(parent):
            item = self.itemFromIndex(parent)
            with QSignalBlocker(self):
                item.setData(False, _WAITS)
            for row in self._below(item):
                item.appendRow(row)


class RunsTree(QTreeView):
    """Boxes only show or hide configurations. A click on a study makes it the current one, a click on a VM highlights
    it.

    `menu_wanted` reports the kind and key of the row whose menu was requested, and the place on the screen. `renamed`
    reports the folders of the runs whose configuration was renamed in the tree. `baseline_asked` reports a click on a
    baseline mark, with the folder of the study and the place on the screen.
    """

    menu_wanted = Signal(int, str, QPoint)
    renamed = Signal(object, str)
    baseline_asked = Signal(str, QPoint)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._items = _Rows(self._below, self)
        self._shown: tuple[Library, str | None, str, int] | None = None
        # The data behind the ticks and tooltips of the rows.
        self._ticks: object = None
        self.setModel(self._items)
        self.setObjectName("runs")
        self.setAccessibleName(tr("Studies, configurations, runs and VMs"))
        self.setHeaderHidden(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegateForColumn(0, RenameDelegate(self._name_of, self._rename, self._ask_baseline, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setIndentation(10)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(12)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        # A name takes a second line in a narrow column.
        self.header().sectionResized.connect(self.scheduleDelayedItemsLayout)
        self._items.itemChanged.connect(self._ticked)
        self.clicked.connect(self._clicked)
        self.activated.connect(self._clicked)
        self.customContextMenuRequested.connect(self._menu)

    def refresh(self) -> None:
        """Shows the state. Ticks change in place. The rows are built again only for another library, study, theme or
        number of warnings. Otherwise a tick that is being set could lose its row."""
        state, library = self._workspace.state, self._workspace.library
        shown = (library, state.study, state.theme, library.warnings())
        ticks = (state.hidden, state.edits)
        if shown != self._shown:
            self._shown = shown
            self._build_rows()
        elif ticks != self._ticks:
            self._tick_again()
        self._ticks = ticks

    def _tick_again(self) -> None:
        state = self._workspace.state
        with QSignalBlocker(self._items):
            for item in self._all():
                if item.isCheckable():
                    item.setCheckState(_tick(item.data(_KEY) not in state.hidden))
                if item.data(_KIND) == RowKind.RUN:
                    self._show_run(item)
                if item.data(_KIND) == RowKind.STUDY:
                    self._show_groups(item)
        self.viewport().update()

    def _build_rows(self) -> None:
        state, library = self._workspace.state, self._workspace.library
        open_keys, chosen = self._expanded(), self._chosen()
        current = library.study(state.study)
        with QSignalBlocker(self._items):
            self._items.clear()
            self._items.setColumnCount(2)
            for study in library.with_runs:
                self._items.appendRow([self._study(study, study is current)])
        self.model().layoutChanged.emit()
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for item in self._all():
            kind, key = item.data(_KIND), item.data(_KEY)
            if kind == RowKind.STUDY:
                self.setFirstColumnSpanned(item.row(), QModelIndex(), True)
                self.setExpanded(item.index(), current is not None and key == current.folder)
            elif not open_keys.isdisjoint(_keys(item)):
                self._items.fetchMore(item.index())
                self.expand(item.index())
        self._choose_again(chosen)

    def run_item(self, folder: str) -> QStandardItem | None:
        """The row of a run, for code that controls the tree; None if it does not exist."""
        for item in self._all():
            if item.data(_KIND) == RowKind.CONFIGURATION and folder in item.data(_RUNS):
                self._items.fetchMore(item.index())
            if item.data(_KIND) == RowKind.RUN and item.data(_KEY) == folder:
                return item
        return None

    def configuration_item(self, label: str) -> QStandardItem | None:
        """The row of a configuration of the current study; None if it does not exist."""
        current = self._workspace.library.study(self._workspace.state.study)
        return next(
            (
                item
                for item in self._all()
                if item.data(_KIND) == RowKind.CONFIGURATION
                and item.data(_KEY) == label
                and current is not None
                and item.parent().data(_KEY) == current.folder
            ),
            None,
        )

    def configurations(self) -> list[tuple[str, Look]]:
        """The names of the current study's configurations with their looks, in the order of the tree."""
        current = self._workspace.library.study(self._workspace.state.study)
        rows = [self._items.item(row) for row in range(self._items.rowCount())]
        studies = [row for row in rows if current is not None and row.data(_KEY) == current.folder]
        below = [study.child(row) for study in studies for row in range(study.rowCount())]
        return [(item.data(_KEY), item.data(LOOK)) for item in below]

    def selected_runs(self) -> list[str]:
        """The folders of the selected runs and of the runs of selected configurations, in the order of the tree."""
        names: list[str] = []
        for item in self._all():
            if self.selectionModel().isSelected(item.index()):
                names += _runs_of(item)
        return list(dict.fromkeys(names))

    def rename(self) -> None:
        """Starts to rename the configuration of the current row in the tree."""
        index = self.currentIndex().siblingAtColumn(0)
        if index.isValid() and self._name_of(index):
            self.setFocus()
            self.edit(index)

    def _name_of(self, index: Index) -> str:
        """The configuration of a row, empty if it has none."""
        runs = _runs_of(self._items.itemFromIndex(index))
        known = self._workspace.library.figures or {}
        return known[runs[0]].run.configuration.name if runs and runs[0] in known else ""

    def _rename(self, index: Index, name: str) -> None:
        self.renamed.emit(_runs_of(self._items.itemFromIndex(index)), name)

    def _ask_baseline(self, index: Index, point: QPoint) -> None:
        self.baseline_asked.emit(index.parent().data(_KEY), point)

    def _chosen(self) -> set[_RowKey]:
        every = (item for item in self._all() if self.selectionModel().isSelected(item.index()))
        return {key for item in every for key in _keys(item)}

    def _choose_again(self, chosen: set[_RowKey]) -> None:
        opened = {run for kind, _, run in chosen if kind == RowKind.VM}
        runs = opened | {key for kind, key, _ in chosen if kind == RowKind.RUN}
        for item in self._all():
            kind, key = item.data(_KIND), item.data(_KEY)
            if not runs.isdisjoint(item.data(_RUNS)) if kind == RowKind.CONFIGURATION else key in opened:
                self._items.fetchMore(item.index())
            if not chosen.isdisjoint(_keys(item)):
                if not self.currentIndex().isValid():
                    self.setCurrentIndex(item.index())
                self.selectionModel().select(
                    item.index(), QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
                )

    def _show_run(self, item: QStandardItem) -> None:
        """Shows in the row of a run if it is excluded, and why."""
        figures = (self._workspace.library.figures or {}).get(item.data(_KEY))
        if figures is None:
            return
        reason = self._workspace.state.excluded.get(figures.run.folder, figures.run.excluded)
        item.setText(f"{figures.run.name}  ·  {said(f'excluded: {reason}')}" if reason else figures.run.name)
        item.setToolTip(plain_tip(_run_tip(figures, reason)))
        font = item.font()
        font.setItalic(bool(reason))
        item.setFont(font)

    def _show_groups(self, item: QStandardItem) -> None:
        """Marks the baseline among the configurations of a study with its reason, and counts their runs."""
        groups = self._workspace.library.groups(replace(self._workspace.state, study=item.data(_KEY)))
        by_label, lost = {group.label: group for group in groups}, lost_baselines(groups)
        for place in range(item.rowCount()):
            row, count = item.child(place), item.child(place, 1)
            group = by_label[row.data(_KEY)]
            out, every = len(group.excluded), len(group.runs) + len(group.excluded)
            count.setText(f"{every - out}/{every}" if out else str(every))
            told = said(f"{out} of {every} runs excluded") if out else ""
            count.setToolTip(plain_tip(told))
            count.setData(told or None, Qt.ItemDataRole.AccessibleTextRole)
            # A single configuration is not compared.
            by = None if group.baseline_by is BaselineEvidence.ONLY else group.baseline_by
            words = [group.label, *([tr("Baseline")] if by else [])]
            words += [tr(GUESSED)] if by is BaselineEvidence.GUESSED else []
            row.setData(by and by.value, TAG)
            row.setToolTip(plain_tip(_configuration_tip(group, lost)))
            row.setData(", ".join(words), Qt.ItemDataRole.AccessibleTextRole)

    def _study(self, study: Study, current: bool) -> QStandardItem:
        state, library = self._workspace.state, self._workspace.library
        troubled = library.warnings(study)
        name = _item(study.name + (f"  ·  {troubled} !" if troubled else ""), RowKind.STUDY, study.folder)
        font = name.font()
        font.setBold(current)
        name.setFont(font)
        groups = library.groups(replace(state, study=study.folder))
        look, short = looks(groups), short_names([group.label for group in groups])
        for group in groups:
            name.appendRow(self._configuration(group, short[group.label], look[group.label], current))
        self._show_groups(name)
        name.setToolTip(
            plain_tip(f"{study.folder}\n{said(f'{len(study.runs)} runs, {troubled} problems: see the import report')}")
        )
        return name

    def _configuration(self, group: Group, name: str, look: Look, current: bool) -> list[QStandardItem]:
        state = self._workspace.state
        item = _item(name, RowKind.CONFIGURATION, group.label)
        if current:
            item.setData(look, LOOK)
            item.setCheckable(True)
            item.setCheckState(_tick(group.label not in state.hidden))
        runs = sorted((*group.runs, *group.excluded), key=lambda run: run.run.name)
        item.setData([figures.run.folder for figures in runs], _RUNS)
        item.setData(bool(runs), _WAITS)
        return [item, _count("")]

    def _below(self, item: QStandardItem) -> Iterator[list[QStandardItem]]:
        known = self._workspace.library.figures or {}
        if item.data(_KIND) == RowKind.CONFIGURATION:
            yield from (self._run(known[run]) for run in item.data(_RUNS) if run in known)
        elif item.data(_KEY) in known:
            yield from ([_item(vm, RowKind.VM, vm), _count("")] for vm in vm_names(known[item.data(_KEY)].run))

    def _run(self, figures: RunFigures) -> list[QStandardItem]:
        run, vms = figures.run, vm_names(figures.run)
        item = _item(run.name, RowKind.RUN, run.folder)
        item.setData(bool(vms), _WAITS)
        self._show_run(item)
        return [item, _count(_vms(len(vms)) if vms else "")]

    def _ticked(self, item: QStandardItem) -> None:
        hidden, key = self._workspace.state.hidden, item.data(_KEY)
        if item.data(_KIND) == RowKind.CONFIGURATION:
            on = item.checkState() is Qt.CheckState.Checked
            self._workspace.apply(hidden=hidden - {key} if on else hidden | {key})

    def _clicked(self, index: QModelIndex) -> None:
        item = self._items.itemFromIndex(index.siblingAtColumn(0))
        study = item
        while study.parent() is not None:
            study = study.parent()
        changes: dict[str, Any] = {}
        if study.data(_KEY) != self._workspace.state.study:
            changes = {"study": study.data(_KEY), "hidden": frozenset(), "lit_vm": None}
        if item.data(_KIND) == RowKind.VM:
            changes["lit_vm"] = item.data(_KEY)
        if changes:
            self._workspace.apply(**changes)

    def _menu(self, point: QPoint) -> None:
        item = self._items.itemFromIndex(self.indexAt(point).siblingAtColumn(0))
        if item is not None:
            self.menu_wanted.emit(item.data(_KIND), item.data(_KEY), self.viewport().mapToGlobal(point))

    def _all(self) -> Iterator[QStandardItem]:
        """The existing rows, including rows created during the iteration."""
        waiting = deque(self._items.item(row) for row in range(self._items.rowCount()))
        while waiting:
            item = waiting.popleft()
            yield item
            waiting += [item.child(row) for row in range(item.rowCount())]

    def _expanded(self) -> set[_RowKey]:
        return {key for item in self._all() if self.isExpanded(item.index()) for key in _keys(item)}


def _keys(item: QStandardItem) -> set[_RowKey]:
    """The keys by which a row is found again. Those of a configuration are its runs: it may be renamed, and another
    study may have one of its name. VMs of several runs may have equal names, so a VM's key contains its run."""
    kind, key = item.data(_KIND), item.data(_KEY)
    if kind == RowKind.CONFIGURATION:
        return {(kind, run, "") for run in item.data(_RUNS)}
    return {(kind, key, item.parent().data(_KEY) if kind == RowKind.VM else "")}


def _runs_of(item: QStandardItem | None) -> list[str]:
    """The folders of the runs below a row."""
    if item is None:
        return []
    if item.data(_KIND) == RowKind.RUN:
        return [item.data(_KEY)]
    if item.data(_KIND) != RowKind.CONFIGURATION:
        return []
    return list(item.data(_RUNS))


def _item(text: str, kind: RowKind, key: str) -> QStandardItem:
    item = QStandardItem(text)
    item.setData(int(kind), _KIND)
    item.setData(key, _KEY)
    item.setEditable(kind in (RowKind.CONFIGURATION, RowKind.RUN))
    return item


def _vms(count: int) -> str:
    return plural(count, "VM")


def _count(text: str) -> QStandardItem:
    item = QStandardItem(text)
    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    item.setSelectable(False)
    item.setEditable(False)
    return item


def _tick(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked


def _configuration_tip(group: Group, lost: Sequence[Group]) -> str:
    configuration = group.configuration
    size = configuration.ram_cache_mb
    lines = [f"provisioning: {configuration.provisioning}"]
    cache = configuration.write_cache
    lines += [f"write cache: {_WRITE_CACHES.get(cache, cache)}"] if cache else []
    lines += [f"RAM cache: {size} MB"] if size else []
    lines.append(plural(len(group.runs), "run"))
    lines += [_vms(group.vms)] if group.vms else []
    if group.baseline_by:
        lines += [baseline_words(group), *lost_words(lost)]
    return "\n".join((group.label, *map(said, lines)))


def _run_tip(figures: RunFigures, reason: str | None) -> str:
    run = figures.run
    lines = [f"excluded: {reason}"] if reason else []
    lines += [f"{guess.field} = {guess.value}: {guess.reason}" for guess in run.guesses]
    lines += [f"{phase_words(row.phase.name)}: {rule_of(row.phase)}" for row in figures.phases]
    return "\n".join((run.folder, *map(said, lines)))
