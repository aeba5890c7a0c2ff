"""The import report by cause: the causes on the left, the file at the faulty line on the right.

The causes are in groups. Arrow keys go from one to the next, Enter presses its button.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QPushButton, QScrollArea, QWidget

from workbench.charts.content import Content
from workbench.charts.palette import THEMES, ThemeName
from workbench.gui.pages.cause_words import ICONS, button_words, count_words, headings, place_words, searched, short
from workbench.gui.pages.file_preview import FilePreview
from workbench.gui.services import assets
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import SHADES, current_theme, labelled, restyle, running_application
from workbench.gui.services.translation import said, tr
from workbench.model.problem import Cause, CauseGroup, Correction, Mending, Problem, begun

# If there is less width than this (as in a window of 1100 pixels with the tree), the file slides over the causes. It
# then covers this share of them.
_NARROW, _SHARE, _LIST = 1000, 0.82, 0.47
_GAP = 12
# Decisions that are made next to the file.
_BESIDE = (Mending.TIME_ZONE, Mending.SPLIT, Mending.MACHINES, Mending.SHOW)


class CausesView(QWidget):
    """`problem_chosen` requests the lines of a problem. `change_asked` requests the effect of correcting the current
    run's cause with a value, and `mended` the correction itself. `files_asked` requests the tables of all files, and
    `list_asked` a copy of all causes."""

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
        """True if the file has no room next to the causes."""
        return self.width() < _NARROW

    def show_content(self, content: Content, _theme: ThemeName) -> bool:
        """Shows the causes of a page's answer. Returns True if there are any."""
        if content.causes:
            self.list.show_causes(content.causes)
        return bool(content.causes)

    @property
    def first(self) -> QWidget:
        """The widget that gets the keyboard focus when the page is shown."""
        return self.list

    def show_change(self, change: Correction) -> None:
        """Shows the effect of the current correction."""
        self.preview.show_change(change)

    def enter_search(self) -> None:
        """Puts the cursor into the search."""
        self.slide(False)
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def turn(self, step: int) -> None:
        """Shows the next or previous problem of the cause."""
        if (cause := self.list.cause) and cause.problems:
            self._at = (self._at + step) % len(cause.problems)
            self._show_problem(cause)
            self.slide(True)

    def slide(self, on: bool) -> None:
        """Slides the file over the causes, or away, in a narrow window."""
        self._open = on
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divides the room for the new size."""
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
        for button in (self.copy_list, self.files):
            button.setProperty("kind", "link")
        in_row((self.search, 1), 0, self.copy_list, self.files, on=foot, margins=(13, 8, 11, 8))
        in_column((self.list, 1), foot, on=self._left, margins=(1, 1, 1, 1), spacing=0)
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


# Maximum number of places named under the current cause.
_NAMED = 3
_BUTTON_PX = 158


class CauseRow(QFrame):
    """One cause: the odd observation, the action taken, the amount of affected data, and its button."""

    chosen = Signal(object)
    pressed = Signal(object)

    def __init__(self, cause: Cause) -> None:
        super().__init__()
        self.cause = cause
        self.setProperty("cause", True)
        self.setAccessibleName(f"{cause.title}, {count_words(cause)} {cause.noun}")
        self._sign = labelled("")
        self.title, self.done = labelled(cause.title, "heading"), labelled(_done(cause), "quiet")
        self.places = labelled(_places(cause), "quiet")
        for label in (self.title, self.done, self.places):
            label.setWordWrap(True)
        self.places.setVisible(False)
        self.button = QPushButton(plain_button(button_words(cause)))
        self.button.setVisible(bool(self.button.text()))
        self.button.setToolTip(plain_tip(cause.command))
        # The list is one stop for the keyboard, and Return presses the button of the current cause.
        self.button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.button.clicked.connect(lambda: self.pressed.emit(cause))
        self._build()
        self._draw_sign()

    def light(self, on: bool) -> None:
        """Highlights the cause as the current one and shows the places of its problems."""
        self.setProperty("chosen", on)
        self.places.setVisible(on and bool(self.places.text()))
        restyle(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selects the cause."""
        super().mousePressEvent(event)
        self.chosen.emit(self.cause)

    def changeEvent(self, event: QEvent) -> None:
        """Uses the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw_sign()

    def _draw_sign(self) -> None:
        name, token = ICONS[self.cause.group]
        theme = current_theme(running_application())
        colours = SHADES[theme] if hasattr(SHADES[theme], token) else THEMES[theme]
        self._sign.setPixmap(assets.pixmap(name, getattr(colours, token), 18))

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 9, 12, 9)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        # The numbers of all causes are aligned, independent of the text of their buttons.
        grid.setColumnMinimumWidth(3, _BUTTON_PX)
        top, right = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignRight
        grid.addWidget(self._sign, 0, 0, top)
        grid.addWidget(self.title, 0, 1, top)
        grid.addWidget(labelled(count_words(self.cause), "heading"), 0, 2, right | top)
        grid.addWidget(self.done, 1, 1, top)
        grid.addWidget(labelled(self.cause.noun, "quiet"), 1, 2, right | top)
        grid.addWidget(self.button, 0, 3, 2, 1, right | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.places, 2, 1, 1, 3)


def _done(cause: Cause) -> str:
    return f"{tr('fixed')}: {cause.done}" if cause.mending is Mending.UNDO else begun(short(cause.done))


def _places(cause: Cause) -> str:
    names = list(dict.fromkeys(place_words(problem) for problem in cause.problems))
    left = len(names) - _NAMED
    more = [said(f"and {left} more {'entry' if left == 1 else 'entries'}. F8 shows the next entry")] if left > 0 else []
    return "\n".join(names[:_NAMED] + more)


class CauseList(QScrollArea):
    """`chosen` reports the current cause, `pressed` the cause whose button was pressed."""

    chosen = Signal(object)
    pressed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Causes"))
        self.rows: list[CauseRow] = []
        self.notes = QPushButton()
        self.nothing = labelled("", "quiet")
        self._headings: dict[CauseGroup, QWidget] = {}
        self._searched = ""
        self._causes: tuple[Cause, ...] = ()
        self._unfolded = False
        self._at = 0

    @property
    def cause(self) -> Cause | None:
        """The current cause; None if there is none."""
        return self.rows[self._at].cause if self._at < len(self.rows) else None

    @property
    def shown(self) -> list[Cause]:
        """The visible causes, without folded notes."""
        return [row.cause for row in self.rows if row.isVisibleTo(self)]

    def show_causes(self, causes: Sequence[Cause]) -> None:
        """Shows these causes. The current one stays current if it still exists."""
        if tuple(causes) == self._causes and self.rows:
            return
        keys, was = [cause.key for cause in causes], self.cause
        self._causes = tuple(causes)
        self._fill()
        self._choose_at(keys.index(was.key) if was and was.key in keys else self._at)

    def choose(self, cause: Cause) -> None:
        """Makes a cause the current one."""
        self._choose_at(next((at for at, row in enumerate(self.rows) if row.cause == cause), self._at))

    def fold_notes(self) -> None:
        """Shows or hides the notes."""
        self._unfolded = not self._unfolded
        self._show_rows()

    def show_matching(self, text: str) -> None:
        """Shows the causes and notes that contain `text` anywhere, ignoring case."""
        self._searched = text.strip().casefold()
        self._show_rows()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes to the next or previous cause, or presses its button."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        cause = self.cause
        if step:
            self._choose_at(next(iter(self._seen(step)), self._at))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and cause:
            if cause.mending is not Mending.NOTHING:
                self.pressed.emit(cause)
        else:
            super().keyPressEvent(event)

    def _show_rows(self) -> None:
        for row in self.rows:
            row.setVisible(self._is_shown(row.cause))
        groups = {row.cause.group for row in self.rows if row.isVisibleTo(self)}
        for group, heading in self._headings.items():
            heading.setVisible(group in groups or (group is CauseGroup.NOTE and not self._searched))
        self.nothing.setVisible(not groups and bool(self._searched))
        number = sum(cause.group is CauseGroup.NOTE for cause in self._causes)
        sign = "▾" if self._unfolded else "▸"
        words = f"{sign}  {number} " + (tr("kind of note") if number == 1 else tr("kinds of notes"))
        # A search finds notes even if they are folded.
        self.notes.setText(headings()[CauseGroup.NOTE][0] if self._searched else words)
        self.notes.setEnabled(not self._searched)
        self.notes.setToolTip(plain_tip(headings()[CauseGroup.NOTE][1]))
        if self.rows and not self.rows[self._at].isVisibleTo(self):
            self._choose_at(next((at for at, row in enumerate(self.rows) if row.isVisibleTo(self)), self._at))

    def _is_shown(self, cause: Cause) -> bool:
        if self._searched:
            return self._searched in searched(cause)
        return self._unfolded or cause.group is not CauseGroup.NOTE

    def _seen(self, step: int) -> list[int]:
        places = range(self._at + step, len(self.rows) if step > 0 else -1, step)
        return [at for at in places if self.rows[at].isVisibleTo(self)]

    def _choose_at(self, at: int) -> None:
        self._at = max(0, min(at, len(self.rows) - 1))
        for place, row in enumerate(self.rows):
            row.light(place == self._at)
        if self.rows:
            # The heading above the first row comes into sight with it.
            self.ensureWidgetVisible(self.rows[self._at], 0, 12 if self._at else self.rows[0].y())
            self.chosen.emit(self.rows[self._at].cause)

    def _fill(self) -> None:
        inside = QWidget()
        inside.setObjectName("causes")
        column = in_column(on=inside, margins=(0, 6, 0, 6), spacing=0)
        self.rows, self.notes, self._headings = [], QPushButton(), {}
        for group, causes in groupby(self._causes, lambda cause: cause.group):
            self._headings[group] = self._heading(group)
            column.addWidget(self._headings[group])
            for cause in causes:
                column.addWidget(self._row(cause))
        self.nothing = labelled(tr("No cause matches the search. Change or clear the search."), "quiet")
        self.nothing.setContentsMargins(14, 10, 12, 6)
        column.addWidget(self.nothing)
        column.addStretch(1)
        self.setWidget(inside)
        self._show_rows()

    def _row(self, cause: Cause) -> CauseRow:
        row = CauseRow(cause)
        row.chosen.connect(self.choose)
        row.chosen.connect(lambda _: self.setFocus())
        row.pressed.connect(self.choose)
        row.pressed.connect(self.pressed)
        self.rows.append(row)
        return row

    def _heading(self, group: CauseGroup) -> QWidget:
        if group is CauseGroup.NOTE:
            self.notes.setObjectName("notes")
            self.notes.setProperty("kind", "quiet")
            self.notes.clicked.connect(self.fold_notes)
            return self.notes
        words, beside = headings()[group]
        box = QWidget()
        in_row(labelled(words, "heading"), labelled(beside, "quiet"), 1, on=box, margins=(14, 10, 12, 6))
        return box
