"""A table whose first column stays at the left edge while the other columns scroll beneath it or are moved.

The column is painted a second time over the columns there, and mouse actions at that place go to it. A second view on
top would be a second stop for the keyboard and for screen readers.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QCursor, QHelpEvent, QHoverEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionViewItem, QTableView, QWidget

Index = QModelIndex | QPersistentModelIndex
# A column that takes more of the width than this leaves too little room for the others.
_MOST = 0.5
# The pixels around the text of a column that can be omitted, to avoid sideways scrolling for a few pixels.
_SPARE = 5
# The minimum width in pixels of a column that takes the remaining width.
_LEAST_TEXT = 120
_HOVERS = (QEvent.Type.HoverEnter, QEvent.Type.HoverMove)


class StayingHeader(QHeaderView):
    """The header of a StayingTable. Its first section stays with the column."""

    def __init__(self, table: StayingTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        # While a button is held: the offset from the mouse to the section's normal place.
        self._held: int | None = None
        # While an edge is held: the staying section, and the distance from the mouse to the edge.
        self._edge: tuple[int, int] | None = None
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setFirstSectionMovable(False)

    def section_at(self, at: QPoint) -> int:
        """The section visible at a place of the header; -1 if there is none."""
        return self.logicalIndexAt(at.x() + self._shift(at.x()), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the first section over the others."""
        super().paintEvent(event)
        section = self._table.staying_section
        if section >= 0:
            painter = QPainter(self.viewport())
            strip = QRect(0, 0, self.sectionSize(section), self.height())
            self.paintSection(painter, strip, section)
            _draw_edge(painter, strip, self)
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Sorts by the visible section, or starts to change its width."""
        x = event.position().toPoint().x()
        if event.button() == Qt.MouseButton.LeftButton and self._at_edge(x):
            self._edge = (self._table.staying_section, self.sectionSize(self._table.staying_section) - x)
            return
        self._held = self._shift(x)
        super().mousePressEvent(self._moved(event))
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Changes the width of the grabbed section. Qt does so only for a section at its normal place."""
        x = event.position().toPoint().x()
        if self._edge is not None:
            section, beside = self._edge
            most = int(_MOST * self._table.viewport().width())
            self.resizeSection(section, max(self.minimumSectionSize(), min(x + beside, most)))
        elif event.buttons() == Qt.MouseButton.NoButton and (self._shift(x) or self._at_edge(x)):
            self.setCursor(Qt.CursorShape.SplitHCursor if self._at_edge(x) else Qt.CursorShape.ArrowCursor)
        else:
            super().mouseMoveEvent(self._moved(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Releases the section."""
        if self._edge is None:
            super().mouseReleaseEvent(self._moved(event))
        self._held = self._edge = None
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Makes the visible section as wide as its text."""
        if self._at_edge(event.position().toPoint().x()):
            self.sectionHandleDoubleClicked.emit(self._table.staying_section)
        else:
            super().mouseDoubleClickEvent(self._moved(event))

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the tooltip of the visible section, and highlights it."""
        if self._table.staying_section < 0:
            return super().viewportEvent(event)
        if isinstance(event, QHelpEvent):
            event = QHelpEvent(event.type(), event.pos() + QPoint(self._shift(event.x()), 0), event.globalPos())
        elif isinstance(event, QHoverEvent) and event.type() in _HOVERS:
            place = event.position() + QPointF(self._shift(event.position().x()), 0)
            event = QHoverEvent(event.type(), place, event.globalPosition(), event.oldPosF(), event.modifiers())
            self.viewport().update()
        return super().viewportEvent(event)

    def _shift(self, x: float) -> int:
        section = self._table.staying_section
        stays = section >= 0 and 0 <= x < self.sectionSize(section)
        return self.sectionViewportPosition(section) if stays else 0

    def _at_edge(self, x: int) -> bool:
        section = self._table.staying_section
        grip = self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderGripMargin, None, self)
        return section >= 0 and abs(x - self.sectionSize(section)) <= grip

    def _moved(self, event: QMouseEvent) -> QMouseEvent:
        shift = self._shift(event.position().x()) if self._held is None else self._held
        if not shift:
            return event
        place = event.position() + QPointF(shift, 0)
        return QMouseEvent(
            event.type(), place, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )


class MeasuredTable(QTableView):
    """Measures the text of a row once for the same widths, font and content. Layouts ask for a height several times."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heights: dict[int, int] = {}

    def setHorizontalHeader(self, header: QHeaderView) -> None:
        """Takes the header whose sections have the widths."""
        super().setHorizontalHeader(header)
        header.sectionResized.connect(self._heights.clear)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Shows the rows of a model."""
        if model is not None and model is not self.model():
            for changed in (
                model.layoutChanged,
                model.modelReset,
                model.rowsInserted,
                model.rowsRemoved,
                model.dataChanged,
            ):
                changed.connect(self._heights.clear)
        self._heights.clear()
        super().setModel(model)

    def sizeHintForRow(self, row: int) -> int:
        """The height that the text of a row needs."""
        if row not in self._heights:
            self._heights[row] = super().sizeHintForRow(row)
        return self._heights[row]

    def changeEvent(self, event: QEvent) -> None:
        """Forgets the heights if the font may have changed."""
        self._heights.clear()
        super().changeEvent(event)


class StayingTable(MeasuredTable):
    """Scrolls sideways by pixels. The first shown column stays, unless it takes more than half of the width. `moved`:
    the user has moved another column."""

    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.header = StayingHeader(self)
        self.setHorizontalHeader(self.header)
        self._placing = False
        # The width of each column for its text, and the width that it was given last.
        self._wanted: list[int] = []
        self._given: list[int] = []
        self.header.sectionMoved.connect(self._section_moved)

    @property
    def placed_columns(self) -> list[int]:
        """The columns from left to right, hidden ones included."""
        return [self.header.logicalIndex(place) for place in range(self.header.count())]

    @property
    def first_section(self) -> int:
        """The first shown column; -1 if there is none."""
        return next((section for section in self.placed_columns if not self.isColumnHidden(section)), -1)

    def place_columns(self, order: Sequence[int]) -> None:
        """Puts the columns into this order from left to right."""
        self._placing = True
        for place, section in enumerate(order):
            self.header.moveSection(self.header.visualIndex(section), place)
        self._placing = False

    def set_widths(self, widths: Sequence[int]) -> None:
        """Sets the width of each column in pixels."""
        self._wanted, self._given = list(widths), list(widths)
        for section, width in enumerate(widths):
            self.setColumnWidth(section, width)
        self.fit_width()

    def fit_width(self) -> None:
        """Takes a few missing pixels from the space around the columns. Columns that the user has resized, or that take
        the remaining width, stay as they are."""
        shown = [at for at in self.placed_columns[: len(self._wanted)] if not self.isColumnHidden(at)]
        by_hand, stretches = QHeaderView.ResizeMode.Interactive, self.header.stretchLastSection()
        filling = [at for at in shown if self.header.sectionResizeMode(at) != by_hand]
        # The last column may be wider because it takes the rest.
        own = [at for at in shown if self.columnWidth(at) != self._given[at] and not (stretches and at == shown[-1])]
        free = [at for at in shown if at not in filling and at not in own]
        taken = sum(self._wanted[at] if at in free else self.columnWidth(at) for at in shown if at not in filling)
        missing = taken + len(filling) * _LEAST_TEXT - self._room()
        each = -(-missing // len(free)) if free and missing > 0 else 0
        for at in free:
            self._given[at] = self._wanted[at] - (each if each <= _SPARE else 0)
            self.setColumnWidth(at, self._given[at])

    def missing_width(self, shown: Sequence[int]) -> int:
        """The pixels that are missing if these columns are shown; 0 or less if they fit."""
        filling = [at for at in shown if self.header.sectionResizeMode(at) != QHeaderView.ResizeMode.Interactive]
        taken = sum(self._wanted[at] - _SPARE for at in shown if at not in filling)
        return taken + len(filling) * _LEAST_TEXT - self._room()

    def _room(self) -> int:
        """The width for the columns. If the column widths change the heights of wrapped text, the vertical scroll bar
        may appear or disappear. Its width then stays free, because otherwise the columns would change with it again and
        again."""
        if not self.wordWrap():
            return self.viewport().width()
        return self.contentsRect().width() - self.verticalScrollBar().sizeHint().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the columns into the new width."""
        super().resizeEvent(event)
        self.fit_width()

    def _section_moved(self) -> None:
        if not self._placing:
            self.moved.emit()

    @property
    def staying_section(self) -> int:
        """The column that stays at the left edge now; -1 while it is at its normal place."""
        if not self.horizontalScrollBar().value():
            return -1
        section = self.first_section
        return section if section >= 0 and self.columnWidth(section) <= _MOST * self.viewport().width() else -1

    def indexAt(self, at: QPoint) -> QModelIndex:
        """The cell visible at a place."""
        section = self.staying_section
        if section >= 0 and 0 <= at.x() < self.columnWidth(section):
            return self.model().index(self.rowAt(at.y()), section, self.rootIndex())
        return super().indexAt(at)

    def visualRect(self, index: Index) -> QRect:
        """The visible area of a cell."""
        rect = super().visualRect(index)
        if index.isValid() and index.column() == self.staying_section:
            rect.moveLeft(0)
        return rect

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Scrolls until the cell is visible and not beneath the staying column."""
        bar, staying = self.horizontalScrollBar(), self.staying_section
        scrolled = bar.value()
        super().scrollTo(index, hint)
        if staying >= 0 and index.column() == staying:
            bar.setValue(scrolled)
        elif self.staying_section >= 0:
            covered = self.columnWidth(self.staying_section) - self.columnViewportPosition(index.column())
            bar.setValue(bar.value() - max(0, covered))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Home in the first column also scroll the other columns to their start."""
        super().keyPressEvent(event)
        first = self.currentIndex().column() == self.first_section
        if first and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Home):
            self.horizontalScrollBar().setValue(0)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Repaints everything on sideways scrolling: Qt would move the staying column along."""
        super().scrollContentsBy(dx, dy)
        if dx:
            self.viewport().update()
            self.header.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the staying column over the others."""
        super().paintEvent(event)
        section = self.staying_section
        if section < 0:
            return
        painter = QPainter(self.viewport())
        below = self.verticalHeader().length() - self.verticalOffset()
        strip = QRect(0, 0, self.columnWidth(section), min(self.viewport().height(), below))
        painter.fillRect(strip, self.palette().base())
        row, rows = self.rowAt(0), self.model().rowCount(self.rootIndex())
        while 0 <= row < rows and self.rowViewportPosition(row) < strip.height():
            self._draw_cell(painter, self.model().index(row, section, self.rootIndex()))
            row += 1
        _draw_edge(painter, strip, self)
        painter.end()

    def _draw_cell(self, painter: QPainter, index: QModelIndex) -> None:
        option, flag = QStyleOptionViewItem(), QStyle.StateFlag
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        if self.selectionModel().isSelected(index):
            option.state |= flag.State_Selected
        if index == self.currentIndex() and self.hasFocus():
            option.state |= flag.State_HasFocus
        viewport = self.viewport()
        if viewport.underMouse() and option.rect.contains(viewport.mapFromGlobal(QCursor.pos())):
            option.state |= flag.State_MouseOver
        # A heading over all columns also covers the columns beneath it.
        painter.fillRect(option.rect, self.palette().base())
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewRow, option, painter, self)
        self.itemDelegateForIndex(index).paint(painter, option, index)


def _draw_edge(painter: QPainter, strip: QRect, widget: QWidget) -> None:
    painter.setPen(widget.palette().dark().color())
    painter.drawLine(strip.topRight(), strip.bottomRight())
