"""A row of the tree: its box has the configuration's colour, and its editor shows the configuration's name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from workbench.answers.common.baselines import GUESSED
from workbench.charts.figure import Look
from workbench.charts.palette import ThemeName
from workbench.gui.plot.ink import Ink
from workbench.gui.services.theme import current_theme, running_application
from workbench.gui.services.translation import tr

# Uses only the colours: an ink creates five fonts, and each row is painted several times per second.
_ink_of = cache(Ink)
# The look of the configuration of a row with a box.
LOOK = int(Qt.ItemDataRole.UserRole) + 10
# The evidence for the baseline, None for other rows.
TAG = int(Qt.ItemDataRole.UserRole) + 11
_GAP, _FLAG, _TWO_LINES = 6, 12, 2
Index = QModelIndex | QPersistentModelIndex


class RenameDelegate(QStyledItemDelegate):
    """`name_of` returns the name for a row's editor, `rename` gets the typed name. `tag_clicked` reports a click on the
    baseline mark, with its place on the screen."""

    def __init__(
        self,
        name_of: Callable[[Index], str],
        rename: Callable[[Index, str], None],
        tag_clicked: Callable[[Index, QPoint], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._name_of, self._rename, self._tag_clicked = name_of, rename, tag_clicked

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line, or two lines for a name that needs more than the width of its column."""
        size, tree = super().sizeHint(option, index), option.widget
        if not isinstance(tree, QTreeView) or index.data(LOOK) is None:
            return size
        if tree.fontMetrics().horizontalAdvance(index.data()) > self._room(option, index, tree, size.height()):
            size.setHeight(size.height() + tree.fontMetrics().lineSpacing())
        return size

    def _room(self, option: QStyleOptionViewItem, index: Index, tree: QTreeView, height: int) -> int:
        """The width that a row of this height has for its name."""
        laid, style = QStyleOptionViewItem(option), tree.style()
        self.initStyleOption(laid, index)
        laid.rect = QRect(0, 0, tree.columnWidth(0) - tree.indentation() * _depth(index), height)
        if tag := index.data(TAG):
            laid.rect.adjust(0, 0, -tag_room(laid, "?" if tag == GUESSED else "").width(), 0)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, laid, tree) + 1
        return style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, laid, tree).width() - 2 * margin

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Wraps the name if its row has two lines."""
        super().initStyleOption(option, index)
        if option.rect.height() > _TWO_LINES * option.fontMetrics.height():
            option.features |= QStyleOptionViewItem.ViewItemFeature.WrapText

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws the row, a box in the configuration's colour, and the baseline mark at its end."""
        if tag := index.data(TAG):
            # The background covers the whole row; the name ends before the mark.
            laid = QStyleOptionViewItem(option)
            self.initStyleOption(laid, index)
            style = laid.widget.style()
            style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, laid, painter, laid.widget)
            text_room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, laid, laid.widget)
            words = _words(tag, option, text_room.width() - laid.fontMetrics.horizontalAdvance(laid.text))
            room = tag_room(option, words)
            painter.save()
            _draw_tag(painter, option, room, words, index.data(LOOK), current_theme(running_application()))
            painter.restore()
            option = QStyleOptionViewItem(option)
            option.rect = option.rect.adjusted(0, 0, -room.width(), 0)
        super().paint(painter, option, index)
        look = index.data(LOOK)
        if look is not None:
            on = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) is Qt.CheckState.Checked
            painter.save()
            _draw_box(painter, QRectF(self._box(option, index)), look, on, current_theme(running_application()))
            painter.restore()

    def _box(self, option: QStyleOptionViewItem, index: Index) -> QRect:
        laid = QStyleOptionViewItem(option)
        self.initStyleOption(laid, index)
        style = laid.widget.style()
        return style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, laid, laid.widget)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        """Handles a click on the baseline mark, which asks for another baseline. The row handles every other event."""
        if (
            index.data(TAG)
            and isinstance(event, QMouseEvent)
            and event.button() is Qt.MouseButton.LeftButton
            and tag_room(option, "?").contains(event.position().toPoint())
        ):
            if event.type() is QEvent.Type.MouseButtonRelease:
                self._tag_clicked(index, event.globalPosition().toPoint())
            return True
        return super().editorEvent(event, model, option, index)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line to type in."""
        line = QLineEdit(parent)
        line.setObjectName("inplace")
        line.setAccessibleName(tr("Configuration of {}").format(index.data()))
        return line

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fills in the current name."""
        assert isinstance(editor, QLineEdit)
        editor.setText(self._name_of(index))
        editor.selectAll()

    def setModelData(self, editor: QWidget, _model: QAbstractItemModel, index: Index) -> None:
        """Passes on a new name; an equal or empty name changes nothing."""
        assert isinstance(editor, QLineEdit)
        typed = editor.text().strip()
        if typed and typed != self._name_of(index):
            self._rename(index, typed)


def _depth(index: Index) -> int:
    """The level of a row, 1 for the first one."""
    depth, parent = 1, index.parent()
    while parent.isValid():
        depth, parent = depth + 1, parent.parent()
    return depth


def tag_room(option: QStyleOptionViewItem, words: str) -> QRect:
    """The area of the mark of a row, at its right end: a flag, with text before it."""
    row, width = option.rect, _FLAG + _GAP + option.fontMetrics.horizontalAdvance(words)
    return QRect(row.right() - width, row.top(), width, row.height())


def _words(tag: str, option: QStyleOptionViewItem, free: int) -> str:
    """The text before the flag: empty for a known baseline; for a guess the word, if there is room."""
    if tag != GUESSED:
        return ""
    word = tr(GUESSED)
    return word if tag_room(option, word).width() + _GAP <= free else "?"


def _draw_tag(
    painter: QPainter, option: QStyleOptionViewItem, room: QRect, words: str, look: Look | None, theme: ThemeName
) -> None:
    ink = _ink_of(theme)
    colour = ink.token("text") if look is None else ink.colour(look)
    left, middle = room.right() - _FLAG + 1.5, room.center().y() + 0.5
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.5))
    # The flag of a guess is not filled.
    painter.setBrush(ink.token("card") if words else colour)
    painter.drawLine(QPointF(left, middle - 6), QPointF(left, middle + 7))
    painter.drawRect(QRectF(left, middle - 6, _FLAG - 3, 7))
    if words:
        painter.setFont(option.font)
        painter.setPen(ink.token("accent"))
        space = room.adjusted(0, 0, -_FLAG - _GAP // 2, 0)
        painter.drawText(space, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)


def _draw_box(painter: QPainter, box: QRectF, look: Look, on: bool, theme: ThemeName) -> None:
    ink = _ink_of(theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(ink.token("card"))
    painter.setPen(QPen(ink.colour(look), 1.5))
    painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 4, 4)
    if on:
        middle, part = box.center(), box.width() / 16
        offsets = ((-3.2, 0.2), (-0.8, 2.6), (3.4, -2.4))
        painter.drawPolyline([middle + QPointF(x * part, y * part) for x, y in offsets])
