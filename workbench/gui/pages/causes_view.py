"""The import report by cause: the causes on the left, the file at the faulty line on the right."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from workbench.charts.content import Content
from workbench.charts.palette import ThemeName
from workbench.gui.pages.cause_list import CauseList
from workbench.gui.pages.file_preview import FilePreview
from workbench.gui.services.translation import tr
from workbench.model.cause import Cause, Change, Mending
from workbench.model.problem import Problem

# On less width, which a window of 1100 pixels leaves beside the tree, the file slides over the causes and takes this
# share of them.
_NARROW, _SHARE, _LIST = 1000, 0.82, 0.47
_GAP = 12
# What is decided beside the file.
_BESIDE = (Mending.TIME_ZONE, Mending.SPLIT, Mending.MACHINES, Mending.SHOW)


class CausesView(QWidget):
    """`problem_chosen` asks for the lines of a problem, `change_asked` for what a cause's mending with a value would
    change for the run at hand, `mended` for the mending itself, `files_asked` for the tables of all files, `list_asked`
    for a copy of all causes."""

    problem_chosen = Signal(object, object)
    change_asked = Signal(object, str, str)
    mended = Signal(object, object, str, str)
    files_asked = Signal()
    list_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.list, self.preview = CauseList(), FilePreview()
        self.search, self.files = QLineEdit(), QPushButton(tr("All files and problems"))
        self.copy_list = QPushButton(tr("Copy as list"))
        self._at = 0
        self._open = False
        self._left = QFrame(self)
        self._build()
        self.preview.setParent(self)
        self._connect()

    @property
    def narrow(self) -> bool:
        """Whether the file has no room beside the causes."""
        return self.width() < _NARROW

    def show_content(self, content: Content, _theme: ThemeName) -> bool:
        """Shows the causes of a page's answer, and tells whether there are any."""
        if content.causes:
            self.list.show_causes(content.causes)
        return bool(content.causes)

    @property
    def first(self) -> QWidget:
        """What takes the keyboard when the page is shown."""
        return self.list

    def show_change(self, change: Change) -> None:
        """Says what the mending at hand would change."""
        self.preview.show_change(change)

    def enter_search(self) -> None:
        """Puts the cursor into the search."""
        self.slide(False)
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def turn(self, step: int) -> None:
        """Shows the next problem of the cause, or the one before."""
        if (cause := self.list.cause) and cause.problems:
            self._at = (self._at + step) % len(cause.problems)
            self._show_problem(cause)
            self.slide(True)

    def slide(self, on: bool) -> None:
        """In a narrow window: puts the file over the causes, or away."""
        self._open = on
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the room."""
        super().resizeEvent(event)
        self._lay_out()

    def _build(self) -> None:
        self._left.setProperty("card", True)
        self.search.setObjectName("search")
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search causes"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(220)
        foot = QFrame()
        foot.setObjectName("foot")
        row = QHBoxLayout(foot)
        row.setContentsMargins(13, 8, 11, 8)
        row.addWidget(self.search, 1)
        row.addStretch(0)
        for button in (self.copy_list, self.files):
            button.setProperty("kind", "link")
            row.addWidget(button)
        column = QVBoxLayout(self._left)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(foot)
        stops = (self.list, self.search, self.copy_list, self.files)
        for stop, following in pairwise(stops):
            QWidget.setTabOrder(stop, following)

    def _leave_search(self) -> None:
        self.search.clear()
        self.list.setFocus()

    def _connect(self) -> None:
        self.search.textChanged.connect(self.list.show_matching)
        for key, leave in (("Esc", self._leave_search), ("Down", self.list.setFocus), ("Return", self.list.setFocus)):
            shortcut = QShortcut(QKeySequence(key), self.search, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(leave)
        self.list.chosen.connect(self._chosen)
        self.list.pressed.connect(self._pressed)
        self.preview.turned.connect(self.turn)
        self.preview.zone_typed.connect(self._asked)
        self.preview.applied.connect(self._applied)
        self.preview.left.connect(self._leave)
        self.files.clicked.connect(self.files_asked)
        self.copy_list.clicked.connect(self.list_asked)
        for key, act in (("F8", lambda: self.turn(1)), ("Shift+F8", lambda: self.turn(-1))):
            shortcut = QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        away = QShortcut(QKeySequence("Esc"), self.preview, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        away.activated.connect(self._leave)

    def _chosen(self, cause: Cause) -> None:
        self._at = 0
        self._show_problem(cause)

    def _show_problem(self, cause: Cause) -> None:
        problem = cause.problems[self._at] if cause.problems else None
        run = cause.folders[self._at] if self._at < len(cause.folders) else ""
        self.preview.show_cause(cause, problem, self._at, run)
        if problem is not None:
            self.problem_chosen.emit(cause, problem)
        if cause.mending in _BESIDE and cause.mending is not Mending.SHOW:
            self.change_asked.emit(cause, self.preview.zone.currentText().strip(), run)

    def _pressed(self, cause: Cause) -> None:
        if cause.mending in _BESIDE:
            self.slide(True)
            self.preview.enter()
        else:
            self.mended.emit(cause, self._problem(cause), "", "")

    def _problem(self, cause: Cause) -> Problem | None:
        return cause.problems[min(self._at, len(cause.problems) - 1)] if cause.problems else None

    def _asked(self, zone: str) -> None:
        if self.list.cause:
            self.change_asked.emit(self.list.cause, zone.strip(), self.preview.run)

    def _applied(self, cause: Cause, value: str, run: str) -> None:
        self.mended.emit(cause, self._problem(cause), value, run)
        self._leave()

    def _leave(self) -> None:
        self.slide(False)
        self.list.setFocus()

    def _lay_out(self) -> None:
        width, height = self.width(), self.height()
        narrow = self.narrow
        beside = int(width * _LIST)
        taken = int(width * _SHARE) if narrow else width - beside - _GAP
        self._left.setGeometry(0, 0, width if narrow else beside, height)
        self.preview.setGeometry(width - taken, 0, taken, height)
        self.preview.setVisible(not narrow or self._open)
        self.preview.close_button.setVisible(narrow)
        self.preview.raise_()
