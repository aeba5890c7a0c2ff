"""The tree of all counters as a model. Branches are created when the user opens them; names are never copied."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from workbench.gui.services.plain import plain_tip
from workbench.model.recording import SeriesKey
from workbench.study.series.catalogue import COUNTER, HOST, INSTANCE, LEVELS, OBJECT, RUN, Catalogue, IntArray

MIME = "application/x-vdi-workbench-counters"
# A branch with more counters than this is not drawn at once by accident.
MAX_AT_ONCE = 16
PINNED = "Pinned"
Index = QModelIndex | QPersistentModelIndex
KEY_ROLE = Qt.ItemDataRole.UserRole + 1


class _Node:
    """A branch or a counter: the rows of the catalogue below it. `level` is the level of its name, -1 for the root and
    the pinned ones."""

    __slots__ = ("children", "level", "parent", "place", "rows")

    def __init__(self, rows: IntArray, level: int, parent: _Node | None, index: int) -> None:
        self.rows, self.level, self.parent, self.place = rows, level, parent, index
        self.children: list[_Node] | None = None


class CounterModel(QAbstractItemModel):
    """Levels: run, host, object, instance, counter. A level with only one name is left out, and so is the instance of
    an object without instances. `ticked` reports a counter and True if it is to be drawn."""

    ticked = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.catalogue: Catalogue | None = None
        self._pinned: tuple[SeriesKey, ...] = ()
        self._shown: frozenset[SeriesKey] = frozenset()
        self._levels: tuple[int, ...] = (COUNTER,)
        self._root = _Node(np.empty(0, dtype=np.int64), -1, None, 0)

    def show(self, catalogue: Catalogue, rows: IntArray, pinned: Sequence[SeriesKey] = ()) -> None:
        """Shows these rows of a catalogue below the pinned counters."""
        self.beginResetModel()
        self.catalogue, self._pinned = catalogue, tuple(pinned)
        self._levels = _levels(catalogue)
        self._root = _Node(rows, -1, None, 0)
        self._root.children = self._branches(self._root, 0)
        favourites = catalogue.rows_of(pinned) if pinned else rows[:0]
        if favourites.size:
            top = _Node(favourites, -1, self._root, 0)
            top.children = [_Node(favourites[at : at + 1], COUNTER, top, at) for at in range(favourites.size)]
            self._root.children.insert(0, top)
            for index, node in enumerate(self._root.children):
                node.place = index
        self.endResetModel()

    def forget(self) -> None:
        """Removes all rows."""
        self.beginResetModel()
        self.catalogue, self._pinned = None, ()
        self._root = _Node(np.empty(0, dtype=np.int64), -1, None, 0)
        self.endResetModel()

    def mark(self, shown: Sequence[SeriesKey]) -> None:
        """Ticks the drawn counters."""
        self._shown = frozenset(shown)

    def keys(self, index: Index) -> tuple[SeriesKey, ...]:
        """The counters below a row."""
        if self.catalogue is None or not index.isValid():
            return ()
        return tuple(self.catalogue.keys[row] for row in self._node(index).rows.tolist())

    def is_pinned(self, index: Index) -> bool:
        """True if a row is the branch of the pinned counters."""
        return index.isValid() and self._node(index).level < 0

    def index_of(self, row: int) -> QModelIndex:
        """The position in the tree of a row of the catalogue, outside the pinned counters."""
        node = self._root
        while node.level != COUNTER:
            child = next((n for n in self._children(node) if n.level >= 0 and row in n.rows), None)
            if child is None:
                return QModelIndex()
            node = child
        return self.createIndex(node.place, 0, node)

    # The methods that Qt calls.

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        """The child of a row."""
        children = self._children(self._node(parent))
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    def parent(self, index: Index | None = None) -> Any:
        """The branch that contains a row."""
        if index is None:
            return QObject.parent(self)
        node = self._node(index).parent
        return QModelIndex() if node is None or node is self._root else self.createIndex(node.place, 0, node)

    def rowCount(self, parent: Index | None = None) -> int:
        """The number of rows of a branch; creates the rows."""
        return len(self._children(self._node(parent)))

    def hasChildren(self, parent: Index | None = None) -> bool:
        """True if a row is a branch; does not create its rows."""
        node = self._node(parent)
        return node.level != COUNTER and bool(node.rows.size or node.children)

    def columnCount(self, _parent: Index | None = None) -> int:
        """Always 1."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name, tooltip, weight and key of a row."""
        if self.catalogue is None or not index.isValid():
            return None
        node = self._node(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._name(node)
        if role == KEY_ROLE:
            return self.catalogue.keys[int(node.rows[0])] if node.level == COUNTER else None
        if role == Qt.ItemDataRole.ToolTipRole and node.level == COUNTER:
            return plain_tip(" · ".join(name for name in self.catalogue.names(int(node.rows[0])) if name))
        if role == Qt.ItemDataRole.CheckStateRole and node.level == COUNTER:
            drawn = self.catalogue.keys[int(node.rows[0])] in self._shown
            return Qt.CheckState.Checked if drawn else Qt.CheckState.Unchecked
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every row can be selected and dragged; a counter can be ticked."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flag = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        if self._node(index).level == COUNTER:
            flag |= Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemNeverHasChildren
        return flag

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Emits the tick. It is shown once the counter is drawn."""
        if role != Qt.ItemDataRole.CheckStateRole or not (keys := self.keys(index)):
            return False
        self.ticked.emit(keys[0], Qt.CheckState(value) is Qt.CheckState.Checked)
        return True

    def mimeTypes(self) -> list[str]:
        """The application's own type only."""
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The counters of the rows, to be dropped on a chart."""
        return mime_of(dict.fromkeys(key for index in indexes for key in self.keys(index)))

    def _node(self, index: Index | None) -> _Node:
        if index is None or not index.isValid():
            return self._root
        node = index.internalPointer()
        assert isinstance(node, _Node)
        return node

    def _children(self, node: _Node) -> list[_Node]:
        if node.children is None:
            depth = self._levels.index(node.level) + 1 if node.level in self._levels else 0
            node.children = [] if node.level == COUNTER else self._branches(node, depth)
        return node.children

    def _branches(self, node: _Node, depth: int) -> list[_Node]:
        if self.catalogue is None:
            return []
        spans: list[tuple[IntArray, int]] = []
        for part in self.catalogue.parts(node.rows, self._levels[depth]):
            level = self._levels[depth]
            if level == INSTANCE and not self.catalogue.text(int(part[0]), INSTANCE):
                level = COUNTER
            # Counters with equal names are separate counters.
            some = [part[at : at + 1] for at in range(part.size)] if level == COUNTER else [part]
            spans += [(rows, level) for rows in some]
        return [_Node(rows, level, node, index) for index, (rows, level) in enumerate(spans)]

    def _name(self, node: _Node) -> str:
        assert self.catalogue is not None
        if node.level < 0:
            return PINNED
        row = int(node.rows[0])
        if node.parent is not None and node.parent.level < 0 and node.parent is not self._root:
            names = self.catalogue.names(row)
            messages = [names[COUNTER], names[INSTANCE], names[HOST], names[RUN]]
            return " · ".join(name for name in messages if name)
        return self.catalogue.text(row, node.level) or _NAMELESS[node.level]


_NAMELESS = {RUN: "run", HOST: "no host", OBJECT: "no object", INSTANCE: "no instance", COUNTER: "no name"}


def mime_of(keys: Iterable[SeriesKey]) -> QMimeData:
    """A drag of these counters."""
    data = QMimeData()
    data.setData(MIME, json.dumps([(key.run, key.path, key.file) for key in keys]).encode())
    return data


def keys_in(data: QMimeData) -> tuple[SeriesKey, ...]:
    """The counters in a drag."""
    if not data.hasFormat(MIME):
        return ()
    return tuple(SeriesKey(*parts) for parts in json.loads(bytes(data.data(MIME).data())))


def _levels(catalogue: Catalogue) -> tuple[int, ...]:
    """The levels that distinguish counters; always includes the object, because it names the subject of the counter."""
    kept = [
        level
        for level in range(LEVELS - 1)
        if level == OBJECT or (len(catalogue.codes) and np.ptp(catalogue.codes[:, level]) > 0)
    ]
    return (*kept, COUNTER)
