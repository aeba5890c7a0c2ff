"""The texts of a window as Qt shows them: markup, mnemonics and the marks of window titles are interpreted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex
from PySide6.QtGui import QAction, Qt, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

_ROLE = Qt.ItemDataRole
_TIPS = (_ROLE.ToolTipRole, _ROLE.StatusTipRole, _ROLE.WhatsThisRole)
_ROWS = 60


def widgets_now(aside: Collection[QWidget] = ()) -> Iterator[QWidget]:
    """Every current widget, except detached ones and their children."""
    left = [window for window in QApplication.topLevelWidgets() if window not in aside]
    while left:
        widget = left.pop()
        yield widget
        within = [child for child in widget.children() if isinstance(child, QWidget)]
        # A window that belongs to another one is in the list of windows itself.
        left += [child for child in within if not child.isWindow() and child not in aside]


def texts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """(place, text as shown on the screen) of one widget and its actions, without its children."""
    name = type(widget).__name__
    yield f"title of {name}", _titled(widget.windowTitle())
    for where, text in (("tip", widget.toolTip()), ("status tip", widget.statusTip()), ("help", widget.whatsThis())):
        yield f"{where} of {name}", rich(text)
    yield f"accessible name of {name}", widget.accessibleName()
    yield from ((f"{name}", text) for text in _own(widget))
    for action in widget.actions():
        yield f"action of {name}", _action(action)
        yield f"tip of an action of {name}", rich(action.statusTip())


@cache
def rich(text: str) -> str:
    """The text as Qt shows it if it interprets markup."""
    return QTextDocumentFragment.fromHtml(text).toPlainText() if Qt.mightBeRichText(text) else text


def _own(widget: QWidget) -> Iterator[str]:
    match widget:
        case QMessageBox():
            plain = widget.textFormat() is Qt.TextFormat.PlainText
            yield from (text if plain else rich(text) for text in (widget.text(), widget.informativeText()))
        case QLabel():
            plain = widget.textFormat() is Qt.TextFormat.PlainText
            text = widget.text() if plain else rich(widget.text())
            yield _without_marks(text) if widget.buddy() is not None else text
        case QAbstractButton():
            yield _without_marks(widget.text())
        case QGroupBox():
            yield _without_marks(widget.title())
        case QMenu():
            yield _without_marks(widget.title())
        case QTabBar():
            for place in range(widget.count()):
                yield _without_marks(widget.tabText(place))
                yield rich(widget.tabToolTip(place))
        case QComboBox():
            yield from (widget.itemText(place) for place in range(widget.count()))
        case QLineEdit():
            yield from (widget.text(), widget.placeholderText())
        case QPlainTextEdit():
            yield widget.toPlainText()
        case QHeaderView() if widget.model() is not None:
            # The cells are those of its table, which shows them itself.
            yield from _of_header(widget.model(), widget.orientation())
        case QAbstractItemView() if widget.model() is not None:
            yield from _of_model(widget.model())
        case QGraphicsView() if widget.scene() is not None:
            drawn = (item for item in widget.scene().items() if isinstance(item, QGraphicsTextItem))
            yield from (item.toPlainText() for item in drawn)


def _of_model(model: QAbstractItemModel) -> Iterator[str]:
    yield from _of_header(model, Qt.Orientation.Horizontal)
    for index in indices(model):
        yield str(index.data(_ROLE.DisplayRole) or "")
        yield str(index.data(_ROLE.AccessibleTextRole) or "")
        yield from (rich(str(index.data(role) or "")) for role in _TIPS)


def _of_header(model: QAbstractItemModel, way: Qt.Orientation) -> Iterator[str]:
    # A list has one column, and its column count is not accessible.
    listed = isinstance(model, QAbstractListModel)
    columns = 1 if listed else model.columnCount(QModelIndex())
    for section in range(columns if way is Qt.Orientation.Horizontal else model.rowCount(QModelIndex())):
        yield str(model.headerData(section, way, _ROLE.DisplayRole) or "")
        yield rich(str(model.headerData(section, way, _ROLE.ToolTipRole) or ""))


def indices(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 6) -> Iterator[QModelIndex]:
    """The cells of a model, the first rows of each level."""
    parent = QModelIndex() if parent is None else parent
    # The column count of a list is not accessible: it is one. Lists and tables have no child rows.
    listed = isinstance(model, QAbstractListModel)
    for row in range(min(model.rowCount(parent), _ROWS)):
        for column in range(1 if listed else model.columnCount(parent)):
            index = model.index(row, column, parent)
            yield index
            if column == 0 and depth and not listed and not isinstance(model, QAbstractTableModel):
                yield from indices(model, index, depth - 1)


def _titled(title: str) -> str:
    """A window title: `[*]` is the mark of unsaved work, `[*][*]` means `[*]`."""
    marks = re.split(r"((?:\[\*\])+)", title)
    return "".join("[*]" * (len(part) // 6) if part.startswith("[*]") else part for part in marks)


def _action(action: QAction) -> str:
    """The text in the menu: the key follows a tab."""
    return _without_marks(action.text().partition("\t")[0])


def _without_marks(text: str) -> str:
    return re.sub("&(.)", r"\1", text, flags=re.DOTALL).removesuffix("&")
