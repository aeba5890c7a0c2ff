"""One window for all tests of a process. Between two tests it is restored to its state at a moment when it was like
new.

`looks` records the visible content and the state at that moment. If a restored window looks different, the next test
gets a new one, so a test cannot affect another.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from threading import Thread
from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QSplitter,
    QTabBar,
    QTreeView,
    QWidget,
)

from workbench.gui.pages.counter_panel import CounterPanel
from workbench.gui.pages.page_view import PageView
from workbench.gui.plot.view import FocusRing
from workbench.gui.services.tasks import _COMPUTING
from workbench.gui.services.theme import current_theme
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable
from workbench.session.journal import journal_of
from workbench.session.state import History, State

# Set this variable to see why windows are not reused.
TELLS = bool(os.environ.get("TESTS_TELL_WINDOWS"))
Looks = list[Hashable]
Step = Callable[[MainWindow], object]
# Hidden pages are created and computed again; unpainted ones have no picture. The widget that had the focus last is
# stored as an address.
_ASIDE = ("_made", "_answered", "_picture", "_cuts", "_heights", "_last_focus")


@dataclass(frozen=True, eq=False)
class Moment:
    """A recorded state of a window, and everything needed to restore it."""

    state: State
    opened: dict[str, Any]
    memory: list[tuple[object, dict[str, Any]]]
    content: object
    told: tuple[str, bool]
    title: str
    focus: QWidget | None
    on_page: bool
    open_rows: dict[QTreeView, list[tuple[int, ...]]]
    looks: Looks

    @classmethod
    def of(cls, window: MainWindow) -> Moment:
        """This moment."""
        workspace = window.workspace
        opened = {name: getattr(workspace, name) for name in ("library", "_opened", "_as_read", "stamps")}
        memory = [(one, _copied(one)) for one in _keepers(window)]
        told = window.strip.told, window.strip._lasts
        return cls(
            workspace.state,
            opened,
            memory,
            window.page.content,
            told,
            window.windowTitle(),
            window.focusWidget(),
            window.focusWidget() is window.page,
            {tree: [_place(index) for index in _expanded(tree)] for tree in _trees(window)},
            looks(window),
        )


class KeptWindow:
    """`window` is the shared one, None if there is none; `moments` are its recorded states."""

    def __init__(self, make: Callable[[], MainWindow]) -> None:
        self._make = make
        self.window: MainWindow | None = None
        self.moments: dict[Hashable, Moment] = {}

    @property
    def threads(self) -> set[Thread]:
        """The threads of the window that is kept."""
        return set() if self.window is None else set(self.window.tasks._threads[:_COMPUTING])

    def at(
        self, moment: Hashable, way: Callable[[MainWindow], object], settle: Callable[[MainWindow], None]
    ) -> MainWindow:
        """The window in a state: restored, or a new one brought to it."""
        window = self.window
        if window is not None and (there := self.moments.get(moment) or self.moments.get("new")):
            if take_back(window, there, settle):
                self._drop_panels(window)
                if there is self.moments.get(moment):
                    return window
            else:
                self.end()
        if self.window is None:
            window = self.window = self._make()
            settle(window)
            self.moments["new"] = Moment.of(window)
        assert window is not None
        way(window)
        if moment != "new":
            self.moments[moment] = Moment.of(window)
        return window

    def _drop_panels(self, window: MainWindow) -> None:
        """Deletes the panels next to a dropped page, except those that the window or a moment needs again. Otherwise Qt
        would style and search them with everything else."""
        held = [of_one for moment in self.moments.values() for _, of_one in moment.memory]
        needed = [value for of_one in (vars(window.counters), *held) for value in of_one.values()]
        for panel in QApplication.topLevelWidgets():
            if isinstance(panel, CounterPanel) and not any(panel is one for one in needed):
                panel.deleteLater()

    def end(self) -> None:
        """Closes the window."""
        window, self.window = self.window, None
        self.moments.clear()
        if window is not None and shiboken6.isValid(window):
            window.guard.give_up()
            window.close()
            window.deleteLater()
            # Now, not when an event loop runs again, because every remaining window is styled, visible or not.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def take_back(window: MainWindow, moment: Moment, settle: Step) -> bool:
    """Restores a window to a state; returns whether it looks the same."""
    if not shiboken6.isValid(window) or not window.isVisible() or window.importer.running or window.follower.on:
        return _told("was closed, or reads")
    workspace, drawer = window.workspace, window._drawer
    window.guard.end()
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    others = [other for other in QApplication.topLevelWidgets() if other is not window and not isinstance(other, QMenu)]
    for other in others:
        other.close()
    # Files and screens of such a window are removed when it closes.
    if window.presenter.room is not None or window.sessions._lock is not None or window.sessions._waiting is not None:
        return _told("presents, or has a workspace file")
    if window.follower._begun:
        return _told("has followed a test")
    window.tasks.abandon(*{topic for topic, _ in window.tasks._done})
    for other in others:
        if shiboken6.isValid(other) and other.parentWidget() is not None:
            other.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QGuiApplication.clipboard().clear()

    before, content = workspace.state, window.page.content
    same = before == moment.state and workspace.library is moment.opened["library"] and content is moment.content
    for one, held in moment.memory:
        _restore(one, held)
    journal = window.sessions.journal
    journal.close()
    journal._file, journal._left = journal_of(uuid.uuid4().hex), False
    window.strip._warning = ""
    window.strip.read("")
    window.strip.tell(moment.told[0], lasts=moment.told[1])
    window.preferences._write_numbers()
    workspace._history = History(moment.state)
    for name, value in moment.opened.items():
        setattr(workspace, name, value)
    # Intermediate states are not visible.
    window.setUpdatesEnabled(False)
    if not same:
        drawer._asked = None
    _drop_pages(window, keep=moment.state.page)
    for page in window.pages.made:
        page.pointed = None
    for table in window.pages.findChildren(DataTable):
        for columns in (table.memory.hidden, table.memory.shown, table.memory.order):
            columns.clear()
        table.setCurrentIndex(QModelIndex())
        table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        table.scrollToTop()
    window.showNormal()
    window.resize(1600, 900)
    window.activateWindow()
    for field in window.findChildren(QLineEdit, "search"):
        field.clear()
    for tree in _trees(window):
        tree.selectionModel().clear()
        tree.collapseAll()
    with QSignalBlocker(window.rail.tools):
        # The last shown tool stays its current row, although it is not selected any more.
        window.rail.tools.setCurrentIndex(QModelIndex())
    window.rail.remember(window.settings.rail_collapsed)
    window.preferences.dress()
    if not same:
        workspace.library_changed.emit()
    # It names the entries of the menu Edit in any case.
    workspace.changed.emit(before, moment.state)
    # It has received the restored state.
    _restore(window.history, next(held for one, held in moment.memory if one is window.history))
    settle(window)
    for tree, rows in moment.open_rows.items():
        if shiboken6.isValid(tree):
            for place in rows:
                index = QModelIndex()
                for row in place:
                    index = tree.model().index(row, 0, index)
                tree.expand(index)
            tree.scrollToTop()
    window.setUpdatesEnabled(True)
    _give_keyboard(window, moment)
    window.setWindowTitle(moment.title)
    if looks(window) == moment.looks:
        return True
    # Caches of the current page and the tree are cleared with it.
    _drop_pages(window, keep="")
    window.rail.tree._shown = ()  # type: ignore[assignment]
    drawer.forget()
    window.refresh()
    settle(window)
    _give_keyboard(window, moment)
    return (now := looks(window)) == moment.looks or _told("differs", now, moment.looks)


def _trees(window: MainWindow) -> list[QTreeView]:
    return window.findChildren(QTreeView, "runs")


def _give_keyboard(window: MainWindow, moment: Moment) -> None:
    if moment.focus is not None and shiboken6.isValid(moment.focus):
        # Set again even if the widget has the focus, because the frame depends on how it got the focus.
        moment.focus.clearFocus()
        moment.focus.setFocus()
    elif moment.on_page:
        window.page.setFocus()
    elif moment.focus is not None:
        window.page.take_keyboard()


def _told(why: str, *looked: Looks) -> bool:
    if TELLS:
        print(f"\nwindow thrown away: {why}", file=sys.stderr)
        for now in looked[:-1]:
            old, new = Counter(map(repr, looked[-1])), Counter(map(repr, now))
            for sign, lines in (("-", old - new), ("+", new - old)):
                for line in sorted(lines.elements())[:8]:
                    print(f"   {sign} {line[:200]}", file=sys.stderr)
    return False


def _drop_pages(window: MainWindow, keep: str) -> None:
    pages = window.pages
    for key, page in list(pages._made.items()):
        if key != keep:
            pages.removeWidget(page)
            if page.side is not None:
                # The commands that added it add it to the next page, too.
                page.side.setParent(None)
            del pages._made[key]
            page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _keepers(window: MainWindow) -> list[object]:
    """The commands and services with state: no widgets, and no owner of the edits."""
    apart = (window.tasks, window.workspace, window.sessions.journal)
    return [one for one in vars(window).values() if _ours(one) and not isinstance(one, QWidget) and one not in apart]


def _ours(one: object) -> bool:
    return type(one).__module__.startswith("workbench.gui.") and hasattr(one, "__dict__")


def _copied(one: object) -> dict[str, Any]:
    return {name: value.copy() if isinstance(value, list | dict | set) else value for name, value in vars(one).items()}


def _restore(one: object, held: dict[str, Any]) -> None:
    now = vars(one)
    for name in set(now) - set(held):
        del now[name]
    for name, value in held.items():
        there = now.get(name)
        if isinstance(value, list) and isinstance(there, list):
            there[:] = value
        elif isinstance(value, dict | set) and type(there) is type(value):
            there.clear()
            there.update(value)
        elif there is not value:
            now[name] = value


# The compared properties.


def looks(window: MainWindow) -> Looks:
    """The visible content and the state of a window, as a list of plain values."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    # Qt lays out tables and scroll bars later, by events.
    application.processEvents()
    state = window.workspace.state
    found: Looks = [
        ("state", state),
        ("settings", repr(window.settings)),
        ("undo", len(window.workspace.past), len(window.workspace.future)),
        ("open", window.open_now, window.work.file, window.work.name, window.work.dirty),
        ("title", window.windowTitle(), window.isWindowModified(), window.windowState().value),
        ("theme", current_theme(application), application.property("type_scale"), application.font().toString()),
        ("busy", window.busy, window.importer.running, window.follower.on, window.guard.safe),
        ("pages", *(key for key in window.pages._made if key == state.page)),
        ("clipboard", QGuiApplication.clipboard().text()),
        ("windows", *(type(one).__name__ for one in QApplication.topLevelWidgets() if one.isVisible())),
        ("cursor", application.overrideCursor() is None),
    ]
    for one in _keepers(window):
        found.append((type(one).__name__, *_plain(one)))
    for entry in (*window.actions(), *(entry for menu in window.menus.values() for entry in menu.actions())):
        found.append(("action", entry.text(), entry.isEnabled(), entry.isChecked(), entry.isVisible()))
    found += _widgets(window, 0)
    return sorted(found, key=repr)


def _widgets(widget: QWidget, depth: int) -> Iterator[Hashable]:
    """A widget and its visible children, each with its content."""
    yield (depth, *_seen(widget))
    if isinstance(widget, QLineEdit):
        # The button that clears the field fades in and out.
        return
    for child in widget.children():
        if isinstance(child, QWidget):
            # The frame depends on how the widget got the focus, not only on the focus.
            if not child.isWindow() and not child.isHidden() and not isinstance(child, FocusRing):
                yield from _widgets(child, depth + 1)
            elif not child.isWindow() and not isinstance(child, PageView):
                yield from _set_in(child)
        elif isinstance(child, QTimer) and child.isActive():
            yield (depth, "timer")


def _set_in(hidden: QWidget) -> Iterator[Hashable]:
    """User settings of a hidden widget, which would be visible when it is shown again."""
    for widget in (hidden, *hidden.findChildren(QWidget)):
        match widget:
            case QLineEdit():
                yield ("hidden", widget.text())
            case QAbstractButton() if widget.isCheckable():
                yield ("hidden", widget.text(), widget.isChecked())
            case QTabBar() if widget.currentIndex() > 0:
                yield ("hidden", widget.currentIndex())
            case QHeaderView() if widget.orientation() == Qt.Orientation.Horizontal and widget.count():
                hidden = tuple(index for index in range(widget.count()) if widget.isSectionHidden(index))
                # Widths are fitted again to the next content of the table.
                if hidden or widget.sortIndicatorSection() >= 0:
                    yield ("hidden", widget.sortIndicatorSection(), widget.sortIndicatorOrder().value, hidden)


def _seen(widget: QWidget) -> Iterator[Hashable]:
    area = widget.geometry()
    yield type(widget).__name__
    yield widget.objectName()
    yield (area.x(), area.y(), area.width(), area.height()) if widget.parentWidget() else (area.width(), area.height())
    yield widget.isEnabled()
    yield widget.window().focusWidget() is widget
    yield widget.toolTip()
    yield from _values(widget)
    if _ours(widget):
        yield from _plain(widget)


def _values(widget: QWidget) -> Iterator[Hashable]:
    match widget:
        case QLabel():
            yield widget.text()
        case QLineEdit():
            yield (widget.text(), widget.isReadOnly())
        case QAbstractButton():
            yield (widget.text(), widget.isChecked(), widget.isDown())
        case QComboBox():
            yield (widget.currentIndex(), widget.currentText(), widget.count())
        case QTabBar():
            yield (widget.currentIndex(), *(widget.tabText(index) for index in range(widget.count())))
        case QAbstractSlider():
            yield (widget.value(), widget.minimum(), widget.maximum())
        case QSplitter():
            yield tuple(widget.sizes())
        case QHeaderView():
            hidden = tuple(widget.isSectionHidden(index) for index in range(widget.count()))
            sizes = tuple(widget.sectionSize(widget.logicalIndex(index)) for index in range(widget.count()))
            yield (widget.sortIndicatorSection(), widget.sortIndicatorOrder().value, hidden, sizes)
        case QAbstractItemView():
            yield from _rows(widget)


def _rows(view: QAbstractItemView) -> Iterator[Hashable]:
    model, index = view.model(), view.currentIndex()
    if model is None:
        return
    yield (index.row(), index.column(), model.rowCount(view.rootIndex()))
    if (selection := view.selectionModel()) is not None:
        yield tuple((one.row(), one.column()) for one in selection.selectedIndexes()[:50])
    if isinstance(view, QTreeView):
        yield tuple((str(one.data()), str(one.data(Qt.ItemDataRole.CheckStateRole))) for one in _expanded(view))


def _expanded(view: QTreeView, below: QModelIndex | None = None) -> list[QModelIndex]:
    """The open rows, from the top."""
    found: list[QModelIndex] = []
    below = below or QModelIndex()
    for row in range(view.model().rowCount(below)):
        index = view.model().index(row, 0, below)
        if view.isExpanded(index):
            found += [index, *_expanded(view, index)]
    return found


def _place(index: QModelIndex) -> tuple[int, ...]:
    """The rows from the top to this one, by position, because the row objects may be recreated."""
    return (*_place(index.parent()), index.row()) if index.isValid() else ()


def _plain(one: object, depth: int = 0) -> Iterator[Hashable]:
    """The plain state of a project object: numbers, words, and lengths of lists."""
    for name, value in vars(one).items():
        if name in _ASIDE:
            continue
        if isinstance(value, bool | int | float | str | Enum | None | frozenset):
            yield (name, value)
        elif isinstance(value, list | dict | set):
            yield (name, len(value))
        elif isinstance(value, tuple):
            with suppress(TypeError):
                hash(value)
                yield (name, len(value))
        elif depth < 2 and _ours(value) and not isinstance(value, QObject):
            yield (name, *_plain(value, depth + 1))
