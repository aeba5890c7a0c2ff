"""The slides as thumbnails in a row, the appendix at the end. Arrow keys select; Alt and an arrow, or dragging, moves a
slide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate
from PySide6.QtWidgets import QStyleOptionViewItem as Option

from workbench.charts.palette import THEMES, ThemeName
from workbench.gui.plot.axes.names import wrapped
from workbench.gui.plot.ink import line_height
from workbench.gui.services.assets import ui_font
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import SHADES
from workbench.gui.services.translation import tr

THUMB = QSize(180, 101)
_GAP, _LINES, _HEAD_PX = 12, 3, 26
_DIVIDER_PX = 132
# The height by which a dragged slide is lifted, and the size of its shadow.
LIFTED_PX, _SHADOW_PX = 10, 10
_KEY, _DATA = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_WORDS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True)
class Thumb:
    """A slide in the strip: its number, sentence, problem if any, and part (story or appendix)."""

    key: str
    number: int
    sentence: str
    warning: str = ""
    appendix: bool = False


class SlideStrip(QListWidget):
    """`chosen` passes the key of the selected slide. `placed` passes a slide, the slide to put it before ("": last of
    its part), and True for the appendix. `moved` passes the number of positions by which a slide moves, `removed` and
    `edit_wanted` a key. `scrolled` reports that other slides may be in view."""

    chosen = Signal(str)
    placed = Signal(str, str, bool)
    moved = Signal(str, int)
    removed = Signal(str)
    edit_wanted = Signal()
    scrolled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme: ThemeName = "light"
        self.thumbs: tuple[Thumb, ...] = ()
        self.pictures: dict[str, QPixmap] = {}
        # During a drag: the key of the slide, and the row before which it would be placed.
        self.dragged = ""
        self.insert_at: int | None = None
        self.setDropIndicatorShown(False)
        self.setObjectName("strip")
        self.setAccessibleName(tr("Slides"))
        self.setFlow(QListWidget.Flow.LeftToRight)
        self.setWrapping(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_ThumbDelegate(self))
        self.setFixedHeight(thumb_height() + 20)
        self.currentItemChanged.connect(self._choose)
        self.horizontalScrollBar().valueChanged.connect(self.scrolled)
        self.horizontalScrollBar().rangeChanged.connect(self.scrolled)

    @property
    def key(self) -> str:
        """The key of the selected slide; empty if there is none."""
        item = self.currentItem()
        return "" if item is None else str(item.data(_KEY) or "")

    @property
    def in_view(self) -> list[str]:
        """The keys of the visible slides in their order."""
        seen = self.viewport().rect()
        items = (self.item(row) for row in range(self.count()))
        return [
            str(item.data(_KEY)) for item in items if item.data(_KEY) and self.visualItemRect(item).intersects(seen)
        ]

    def show_thumbs(self, thumbs: Sequence[Thumb], theme: ThemeName, chosen: str = "") -> None:
        """Shows these thumbnails. Selects `chosen`, otherwise the slide that was selected before."""
        wanted, at = chosen or self.key, self.currentRow()
        self.thumbs, self._theme = tuple(thumbs), theme
        self.blockSignals(True)
        self.clear()
        for thumb in thumbs:
            if thumb.appendix and not self._divider():
                self._add_divider()
            item = QListWidgetItem(f"{thumb.number}. {thumb.sentence}")
            item.setData(_KEY, thumb.key)
            item.setData(_DATA, thumb)
            item.setToolTip(plain_tip("\n".join(filter(None, (thumb.sentence, thumb.warning)))))
            self.addItem(item)
        if not self._divider():
            self._add_divider()
        self.blockSignals(False)
        if not self.choose(wanted):
            self._choose_near(at)

    def choose(self, key: str) -> bool:
        """Selects a slide; returns True if it exists."""
        if (item := self._item_of(key)) is not None:
            self.setCurrentItem(item)
        return item is not None

    def show_picture(self, key: str, picture: QPixmap) -> None:
        """Sets the thumbnail of a slide; the others are not redrawn."""
        item = self._item_of(key)
        if item is not None and self.pictures.get(key) is not picture:
            self.pictures[key] = picture
            self.viewport().update(self.visualItemRect(item))

    def _item_of(self, key: str) -> QListWidgetItem | None:
        items = (self.item(row) for row in range(self.count()))
        return next((item for item in items if key and item.data(_KEY) == key), None)

    def event(self, event: QEvent) -> bool:
        """Keeps Alt and an arrow for moving a slide; elsewhere Alt+Left goes back."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            moves = event.modifiers() == Qt.KeyboardModifier.AltModifier
            if moves and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """←/→ select, with Alt they move the slide; F2 goes to the sentence, Del removes the slide."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        if step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.moved.emit(self.key, step)
        elif step:
            self._choose_near(self.currentRow() + step, step)
        elif event.key() == Qt.Key.Key_Delete and self.key:
            self.removed.emit(self.key)
        elif event.key() == Qt.Key.Key_F2:
            self.edit_wanted.emit()
        else:
            super().keyPressEvent(event)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        """Lifts the slide: its image with a shadow follows the pointer, and a dashed slot stays at its place."""
        item = self.currentItem()
        if item is None or not self.key:
            return
        area = self.visualItemRect(item)
        lifted = lifted_picture(self.viewport().grab(area), self.devicePixelRatioF())
        self.dragged = self.key
        self.viewport().update()
        drag = QDrag(self)
        drag.setMimeData(self.model().mimeData([self.currentIndex()]))
        drag.setPixmap(lifted)
        at = self.viewport().mapFromGlobal(self.cursor().pos()) - area.topLeft()
        drag.setHotSpot(at + QPoint(_SHADOW_PX, _SHADOW_PX + LIFTED_PX))
        drag.exec(Qt.DropAction.MoveAction)
        self.dragged, self.insert_at = "", None
        self.viewport().update()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Shows a line at the place where the slide would be placed."""
        super().dragMoveEvent(event)
        row = self._row_at(event.position().toPoint())
        if row != self.insert_at:
            self.insert_at = row
            self.viewport().update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Hides the line."""
        self.insert_at = None
        self.viewport().update()
        super().dragLeaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the thumbnails, and the line of a drag."""
        super().paintEvent(event)
        if self.insert_at is None or not self.count():
            return
        last = self.insert_at >= self.count()
        area = self.visualItemRect(self.item(min(self.insert_at, self.count() - 1)))
        painter = QPainter(self.viewport())
        painter.setPen(QPen(QColor(THEMES[self._theme].accent), 2))
        x = area.right() if last else max(area.left(), 1)
        painter.drawLine(x, area.top() + 5, x, area.top() + 5 + THUMB.height())
        painter.end()

    def dropEvent(self, event: QDropEvent) -> None:
        """Requests the new place of the dropped slide. The receiver of the signal fills the list again."""
        key, row = self.key, self._row_at(event.position().toPoint())
        self.insert_at = None
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        self.drop_at(key, row)

    def _row_at(self, at: QPoint) -> int:
        """The row before which a slide dropped at this point is placed."""
        index = self.indexAt(at)
        if not index.isValid():
            return self.count()
        return index.row() + (at.x() > self.visualRect(index).center().x())

    def drop_at(self, key: str, row: int) -> None:
        """Requests to place a slide before a row of the list."""
        divider = self._divider_row()
        following = str(self.item(row).data(_KEY) or "") if row < self.count() else ""
        if key and following != key:
            self.placed.emit(key, following, row > divider)

    def _choose(self) -> None:
        if self.key:
            self.chosen.emit(self.key)

    def _choose_near(self, row: int, step: int = 1) -> None:
        """Selects the slide at a row, or the nearest one that exists."""
        row = min(max(row, 0), self.count() - 1)
        if self.item(row) is not None and not self.item(row).data(_KEY):
            row += step if 0 <= row + step < self.count() else -step
        if 0 <= row < self.count() and self.item(row).data(_KEY):
            self.setCurrentRow(row)

    def _divider_row(self) -> int:
        return next((row for row in range(self.count()) if not self.item(row).data(_KEY)), self.count())

    def _divider(self) -> bool:
        return self._divider_row() < self.count()

    def _add_divider(self) -> None:
        item = QListWidgetItem(tr("Appendix"))
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled)
        self.addItem(item)

    @property
    def theme(self) -> ThemeName:
        """The theme in which the strip is drawn."""
        return self._theme


def lifted_picture(picture: QPixmap, pixels: float) -> QPixmap:
    """A thumbnail during a drag, with a shadow around and below it. `pixels` is the number of pixels per logical
    pixel."""
    size = picture.deviceIndependentSize().toSize()
    lifted = QPixmap((size + QSize(2 * _SHADOW_PX, 2 * _SHADOW_PX + LIFTED_PX)) * pixels)
    lifted.setDevicePixelRatio(pixels)
    lifted.fill(Qt.GlobalColor.transparent)
    painter = QPainter(lifted)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, 9))
    body = QRectF(_SHADOW_PX, _SHADOW_PX, size.width(), size.height())
    below = body.translated(0, LIFTED_PX)
    for wide in range(_SHADOW_PX, 0, -2):
        painter.drawRoundedRect(below.adjusted(-wide, -wide, wide, wide), 6 + wide, 6 + wide)
    painter.drawPixmap(body.topLeft(), picture)
    painter.end()
    return lifted


def thumb_height() -> int:
    """The height of a thumbnail with its sentence."""
    return THUMB.height() + _LINES * 17 + 26


class _ThumbDelegate(QStyledItemDelegate):
    """Draws a thumbnail over its sentence."""

    def __init__(self, strip: SlideStrip) -> None:
        super().__init__(strip)
        self._strip = strip

    def sizeHint(self, _option: Option, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The size of the image and a gap."""
        wide = THUMB.width() + _GAP if index.data(_KEY) else _DIVIDER_PX
        return QSize(wide, thumb_height())

    def paint(self, painter: QPainter, option: Option, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draws the thumbnail and its sentence."""
        tokens = THEMES[self._strip.theme]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        thumb = index.data(_DATA)
        if thumb is None:
            self._divider(painter, option.rect)
            painter.restore()
            return
        rect: QRect = option.rect
        state = option.state
        if thumb.appendix:
            painter.fillRect(rect, QColor(tokens.ground))
        box = QRectF(rect.left() + 3, rect.top() + 5, THUMB.width(), THUMB.height())
        if thumb.key == self._strip.dragged:
            painter.setPen(QPen(QColor(tokens.quiet), 1, Qt.PenStyle.DashLine))
            painter.setBrush(QColor(tokens.ground))
            painter.drawRoundedRect(box, 6, 6)
            painter.restore()
            return
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.setPen(QPen(QColor(tokens.accent if chosen else tokens.line), 2 if chosen else 1))
        painter.setBrush(QColor(tokens.card))
        painter.drawRoundedRect(box, 6, 6)
        picture = self._strip.pictures.get(thumb.key)
        if picture is not None:
            painter.drawPixmap(box.adjusted(3, 3, -3, -3).toRect(), picture)
        if state & QStyle.StateFlag.State_HasFocus and self._strip.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), 7, 7)
        self._words(painter, thumb, box, chosen)
        painter.restore()

    def _words(self, painter: QPainter, thumb: Thumb, box: QRectF, chosen: bool) -> None:
        tokens = THEMES[self._strip.theme]
        handle = QColor(tokens.quiet)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(handle)
        for dot in range(6):
            painter.drawEllipse(QRectF(box.left() + 2 + dot % 2 * 4, box.bottom() + 10 + dot // 2 * 4, 2, 2))
        painter.setFont(ui_font(9.0, QFont.Weight.DemiBold))
        painter.setPen(QColor(tokens.text))
        painter.drawText(QRectF(box.left() + 12, box.bottom() + 7, 22, 18), _WORDS, str(thumb.number))
        font = ui_font(8.5)
        tall = line_height(font)
        area = QRectF(box.left() + 34, box.bottom() + 7, box.width() - 36, _LINES * tall)
        painter.setFont(font)
        painter.setPen(QColor(tokens.text if chosen else tokens.quiet))
        lines = wrapped(thumb.sentence, font, area.width())
        # The last line that fits ends with … if the text continues.
        shown = [*lines[: _LINES - 1], " ".join(lines[_LINES - 1 :])]
        for place, line in enumerate(shown):
            at = QRectF(area.left(), area.top() + place * tall, area.width(), tall)
            fitted = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, int(area.width()) + 1)
            painter.drawText(at, int(Qt.AlignmentFlag.AlignLeft), fitted)
        if thumb.warning:
            painter.setPen(QColor(SHADES[self._strip.theme].warning))
            painter.setFont(ui_font(8.0))
            under = QRectF(area.left(), area.bottom() + 1, area.width(), 16)
            fitted = painter.fontMetrics().elidedText(thumb.warning, Qt.TextElideMode.ElideRight, int(under.width()))
            painter.drawText(under, int(Qt.AlignmentFlag.AlignLeft), fitted)

    def _divider(self, painter: QPainter, rect: QRect) -> None:
        tokens = THEMES[self._strip.theme]
        painter.setPen(QPen(QColor(tokens.line), 1, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(tokens.ground))
        painter.drawRoundedRect(QRectF(rect).adjusted(4, 4, 0, -4), 8, 8)
        area = QRectF(rect).adjusted(16, 14, -8, -8)
        painter.setPen(QColor(tokens.text))
        painter.setFont(ui_font(9.5, QFont.Weight.DemiBold))
        painter.drawText(area, _WORDS, tr("Appendix"))
        painter.setPen(QColor(tokens.quiet))
        painter.setFont(ui_font(8.5))
        painter.drawText(
            area.adjusted(0, _HEAD_PX, 0, 0),
            _WORDS,
            tr("The arrow keys skip the appendix. Type a slide number to show it."),
        )
