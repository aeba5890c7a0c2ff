"""The widget of a page: the text and buttons of an empty page, or the parts that show an answer.

An empty page shows a sentence and the ways to get an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from threading import Event

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from workbench.answers.common.spec import PageSpec
from workbench.charts.claim import Pointed
from workbench.charts.content import Card, Content
from workbench.charts.marked import marked_figure
from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.pages.page_parts import PageParts
from workbench.gui.plot.view import FigureView
from workbench.gui.services.importer import Progress
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import breakable, plain_button
from workbench.gui.services.theme import dress, labelled
from workbench.gui.services.translation import tr
from workbench.gui.storyboard.board import BoardView
from workbench.gui.widgets.table_card import TableCard

_loaded = Event()


def load_parts() -> None:
    """Imports pyqtgraph, which the parts of pages need. Call it only on the window's thread: the import goes through
    every class of Qt, and if another thread uses them meanwhile, the program crashes (SIGSEGV)."""
    for module in ("canvas", "box", "items"):
        import_module(f"workbench.gui.plot.{module}")
    _loaded.set()


class PageView(QWidget):
    """Shows the Content of one page. `vm_clicked` reports the machine selected in its figure. `row_opened` reports the
    table and row that were double-clicked, and `row_menu` the row that was right-clicked with the menu to fill.
    `input_changed` and `inputs_reset` report the user's changes to inputs. `note_wanted` and `note_opened` report the
    note to write or read (see FigureView).

    An empty window needs no parts: `parts` is None until the first content is shown, and `made_whole` signals that they
    were created. Until then the page has no figure, no tables and no own view. Only `make_whole` and the methods that
    show something create the parts; reading a property does not.
    """

    vm_clicked = Signal(str)
    value_read = Signal(str)
    edge_dragged = Signal(str, str, str, float, bool)
    edge_left = Signal()
    row_opened = Signal(str, object)
    row_menu = Signal(str, object, object)
    source_asked = Signal(object)
    input_changed = Signal(str, object)
    inputs_reset = Signal()
    note_wanted = Signal(str, float)
    note_opened = Signal(str)
    evidence_asked = Signal(str)
    row_chosen = Signal(str, object)
    write_asked = Signal()
    made_whole = Signal()

    def __init__(self, spec: PageSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.content: Content | None = None
        self.pointed: Pointed | None = None
        self._theme: ThemeName = "light"
        self._scale = 1.0
        self.parts: PageParts | None = None
        self.empty = Welcome()
        self.side: QWidget | None = None
        self.waiting, self._body, self._stack = Waiting(), QWidget(), QStackedLayout(self)
        for widget in (self._body, self.waiting):
            self._stack.addWidget(widget)
        self._column, self._row = QVBoxLayout(), QHBoxLayout(self._body)
        self._column.setSpacing(12)
        self._column.addWidget(self.empty, 1)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self._row.addLayout(self._column, 1)

    # The parts.

    def make_whole(self) -> PageParts:
        """The parts of the page; creates them if they do not exist."""
        if self.parts is None:
            load_parts()
            parts = self.parts = PageParts(self.spec, self)
            parts.put(self._column, self._row)
            self._connect(parts)
            self.made_whole.emit()
            self.set_type_scale(self._scale)
            if self.content is not None:
                parts.show_content(self.content, self._theme, None, self.pointed)
        return self.parts

    def make_whole_if_loaded(self) -> None:
        """Creates the parts if pyqtgraph has been imported."""
        if _loaded.is_set():
            self.make_whole()

    @property
    def figure(self) -> FigureView | None:
        """The figure; None if the page has none."""
        return None if self.parts is None else self.parts.figure

    @property
    def tables(self) -> list[TableCard]:
        """The tables, from the top."""
        return [] if self.parts is None else self.parts.tables

    @property
    def filtered(self) -> list[TableCard]:
        """The cards with a filter, from the top."""
        return [] if self.parts is None else self.parts.filtered

    @property
    def own(self) -> CausesView | BoardView | None:
        """The view that the page draws with its own widget; None if it has none."""
        return None if self.parts is None else self.parts.own

    @property
    def causes(self) -> CausesView | None:
        """The causes of the import report; None on other pages."""
        return None if self.parts is None else self.parts.causes

    # The current content.

    def set_side(self, side: QWidget) -> None:
        """Puts a widget to the left of everything else in the page."""
        self.side = side
        self._row.insertWidget(0, side)

    def dress(self) -> None:
        """Shows the page in the theme that was applied last."""
        tables = [] if self.parts is None else self.parts.every_table
        for table in tables:
            table.hold_rows(True)
        dress(self)
        for table in tables:
            table.hold_rows(False)

    def set_type_scale(self, scale: float) -> None:
        """Sets the font scale of the chart; 1 is the normal size."""
        self._scale = scale
        if self.figure is not None:
            self.figure.set_type_scale(scale)

    def light_vm(self, vm: str | None) -> None:
        """Highlights a VM in the figure; None highlights none."""
        if self.figure is not None:
            self.figure.light_vm(vm)

    def prepare(self, content: Content) -> bool:
        """Creates what this content needs and the page does not have yet: the parts, and the fields of many inputs.

        Returns True if it created any. The content is then shown in a later turn of the event loop, so the window
        responds in between.
        """
        if content.nothing_open and self.parts is None:
            return False
        made = self.parts is None
        return self.make_whole().prepare(content) or made

    def wait(self, of_what: Sequence[str]) -> None:
        """Shows that the answer is being computed, with its subject. `content` is None and no part of an earlier answer
        is visible until `show_content`."""
        self.content = None
        self.waiting.tell(of_what)
        self._stack.setCurrentWidget(self.waiting)

    def show_content(self, content: Content, theme: ThemeName, lit_vm: str | None) -> None:
        """Shows the result of the page's answer function; `lit_vm` is the VM that the figure highlights."""
        self._stack.setCurrentWidget(self._body)
        parts = self.parts if content.nothing_open else self.make_whole()
        self.content, self._theme = content, theme
        if self.side is not None:
            self.side.setVisible(not content.nothing_open)
        self.empty.show_ways(content.empty, content.nothing_open, ())
        self.empty.offer_adding(content.to_add)
        self.empty.offer(content.offers)
        self.empty.setVisible(bool(content.empty))
        if parts is not None:
            parts.show_content(content, theme, lit_vm, self.pointed)

    def arranged_once(self) -> AbstractContextManager[None]:
        """Arranges the figure once at the end of the block, after all changes."""
        return nullcontext() if self.figure is None else self.figure.arranged_once()

    def show_live(self, cards: Sequence[Card], tables: tuple[TableData, ...]) -> None:
        """Shows these cards and tables while an edge of a phase is dragged. If there are none, the current ones
        stay.
        """
        self.make_whole().show_live(cards, tables)

    def open_table(self, name: str) -> None:
        """Shows the table of this name and moves the keyboard focus to it."""
        self.make_whole().open_table(name)

    def take_keyboard(self) -> None:
        """Moves the keyboard focus to the first part that takes it, otherwise to the page."""
        first = None if self.parts is None else self.parts.first
        (first or self).setFocus()

    def point_at(self, pointed: Pointed | None) -> None:
        """Dims everything in the figure except the subject of a finding; None dims nothing."""
        changed, self.pointed = pointed != self.pointed, pointed
        if changed and self.figure is not None and self.content is not None and self.content.figure is not None:
            self.figure.show_figure(marked_figure(self.content.figure, pointed))

    @property
    def marked(self) -> bool:
        """True if the figure shows the subject of the finding given to `point_at`."""
        figure = None if self.content is None else self.content.figure
        return figure is not None and marked_figure(figure, self.pointed) is not figure

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ends the dimming by `point_at` on Esc, and the highlight of the finding's VM."""
        if event.key() == Qt.Key.Key_Escape and self.pointed is not None:
            vm = self.pointed.vm
            self.point_at(None)
            if vm and self.figure is not None and self.figure.lit == vm:
                self.vm_clicked.emit(vm)
            return
        super().keyPressEvent(event)

    def _follow(self, name: str) -> None:
        """Follows a link: runs the command that the page offers, or shows the table of this name."""
        offers = None if self.content is None else self.content.offers
        if offers is not None and name == offers[1]:
            self.empty.asked.emit(name)
        else:
            self.open_table(name)

    def _read(self, text: str) -> None:
        """Reports the value under the pointer; once it leaves the chart, that of the selected cells again."""
        selected = (card.table.selected_words() for card in self.tables)
        self.value_read.emit(text or next(filter(None, selected), ""))

    def _connect(self, parts: PageParts) -> None:
        if parts.form is not None:
            parts.form.changed.connect(self.input_changed)
            parts.form.write_asked.connect(self.write_asked)
        for panel in (parts.inputs_row, parts.inputs_side):
            panel.changed.connect(self.input_changed)
            panel.reset.connect(self.inputs_reset)
        parts.cards.source_asked.connect(self.source_asked)
        parts.links.asked.connect(self._follow)
        parts.lead.evidence_asked.connect(self.evidence_asked)
        parts.lead.command_asked.connect(self.empty.asked)
        if parts.listing is not None:
            parts.listing.changed.connect(self.input_changed)
            parts.listing.source_asked.connect(self.source_asked)
        if (figure := parts.figure) is not None:
            figure.vm_clicked.connect(self.vm_clicked)
            figure.value_read.connect(self._read)
            figure.source_asked.connect(self.source_asked)
            figure.edge_dragged.connect(self.edge_dragged)
            figure.edge_left.connect(self.edge_left)
            figure.note_wanted.connect(self.note_wanted)
            figure.note_opened.connect(self.note_opened)
        if parts.slider is not None:
            parts.slider.changed.connect(self.input_changed)
        for card in parts.tables:
            card.row_opened.connect(self.row_opened)
            card.value_read.connect(self.value_read)
            card.row_menu.connect(self.row_menu)
            card.row_chosen.connect(self.row_chosen)
            card.source_asked.connect(self.source_asked)


def welcome() -> str:
    """The text that an empty page shows instead of its question."""
    return tr("Which results do you want to open?")


def reading(names: str, progress: Progress | None) -> str:
    """The text while the first results are read: the subject, the progress, and the content read so far."""
    if progress is None or not progress.files:
        return tr("Checking the files of {}…").format(breakable(names))
    words = tr("Files to import from {}: {}. Imported: {}. Folders with results: {}.")
    return words.format(breakable(names), progress.files, progress.files_done, progress.folders)


class Waiting(QWidget):
    """*Calculating…*, and below it the subject: page, phase and study."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.of_what = labelled(tr("Calculating…"), "subtitle"), labelled("", "quiet")
        for label in (self.text, self.of_what):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        in_column(2, self.text, self.of_what, 3, on=self, spacing=6)

    def tell(self, of_what: Sequence[str]) -> None:
        """Shows the subject that is being calculated: the page, and its phase and study if it depends on them."""
        page, *details = of_what
        self.of_what.setText("  ·  ".join(of_what))
        self.setAccessibleName(" · ".join((tr("Calculating the {} page…").format(page), *details)))


class Welcome(QWidget):
    """The empty page. `asked` passes the pressed button: `folder`, `add`, `sample`, `damaged`, `prepare`, the command
    that the page offers, or the path of a recent folder."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = labelled("", "subtitle")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        # A name of hundreds of letters must not widen the window.
        self.text.setMinimumWidth(1)
        self.open = QPushButton(tr("Open folder…"))
        self.open.setProperty("kind", "primary")
        self.sample = QPushButton(tr("Open sample study"))
        self.damaged = QPushButton(tr("Open defect examples"))
        self.damaged.setToolTip(tr("Sample runs with one defect each, to show how problems are reported"))
        self.prepare = QPushButton(tr("Prepare a test"))
        self.prepare.setToolTip(tr("Counters to log for your questions"))
        self.recent = QVBoxLayout()
        self._ways, self._adding = QWidget(), QWidget()
        self.add, self.sample_instead = QPushButton(tr("Add folder…")), QPushButton(tr("Open the sample study"))
        self.add.setProperty("kind", "primary")
        self._offered = ""
        self.offered = QPushButton()
        self.offered.setProperty("kind", "primary")
        self.offered.clicked.connect(lambda: self.asked.emit(self._offered))
        self._build()
        self.add.clicked.connect(lambda: self.asked.emit("add"))
        self.sample_instead.clicked.connect(lambda: self.asked.emit("sample"))
        self.open.clicked.connect(lambda: self.asked.emit("folder"))
        self.sample.clicked.connect(lambda: self.asked.emit("sample"))
        self.damaged.clicked.connect(lambda: self.asked.emit("damaged"))
        self.prepare.clicked.connect(lambda: self.asked.emit("prepare"))

    def show_ways(self, text: str, offered: bool, recent: tuple[str, ...]) -> None:
        """Shows the sentence; shows buttons and recent folders only if nothing is open yet."""
        self.text.setText(tr(text))
        self._ways.setVisible(offered)
        while (item := self.recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if offered and recent:
            heading = labelled(tr("Recent"), "caption")
            self.recent.addWidget(heading, 0, Qt.AlignmentFlag.AlignHCenter)
        for path in recent if offered else ():
            button = QPushButton(plain_button(f"{Path(path).name}   —   {Path(path).parent}"))
            button.setProperty("kind", "quiet")
            button.setAccessibleName(tr("Open again: {}").format(path))
            button.clicked.connect(lambda _on, path=path: self.asked.emit(path))
            self.recent.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def offer_adding(self, on: bool) -> None:
        """Offers to add results to the open ones, or to open the sample."""
        self._adding.setVisible(on)

    def offer(self, command: tuple[str, str] | None) -> None:
        """Offers a command of the window by its text and key; None offers none."""
        self.offered.setVisible(command is not None)
        if command is not None:
            self.offered.setText(plain_button(tr(command[0])))
            self._offered = command[1]

    def _build(self) -> None:
        column = in_column(2, self.text, self._ways, self._adding, on=self, spacing=18)
        column.addWidget(self.offered, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self.recent)
        column.addStretch(3)
        in_row(1, self.open, self.sample, self.damaged, self.prepare, 1, on=self._ways, spacing=12)
        in_row(1, self.add, self.sample_instead, 1, on=self._adding, spacing=12)
        self._adding.hide()
        self.offered.hide()
