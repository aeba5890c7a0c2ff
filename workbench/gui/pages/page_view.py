"""The widget of a page: one sentence that says what to do, or the parts that it shows an answer with."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from threading import Event

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from workbench.answers.common.page import PageSpec
from workbench.charts.cards import Card
from workbench.charts.claim import Pointed
from workbench.charts.content import Content
from workbench.charts.marked import marked_figure
from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.pages.answer_cards import AnswerCards
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.pages.finding_cards import FindingCards, TableLinks
from workbench.gui.pages.form_panel import FormPanel
from workbench.gui.pages.inputs_panel import InputsPanel
from workbench.gui.pages.page_parts import PageParts
from workbench.gui.pages.welcome import Welcome
from workbench.gui.plot.view import FigureView
from workbench.gui.services.theme import dress
from workbench.gui.storyboard.board import BoardView
from workbench.gui.widgets.axis_slider import AxisSlider
from workbench.gui.widgets.configuration_list import ConfigurationList
from workbench.gui.widgets.table_card import TableCard

_loaded = Event()


def load_parts() -> None:
    """Loads pyqtgraph, which the parts of pages need; for a thread, because the window would stand still."""
    for module in ("canvas", "box", "items"):
        import_module(f"workbench.gui.plot.{module}")
    _loaded.set()


class PageView(QWidget):
    """Shows the Content of one page; `vm_clicked` tells which machine was picked in its figure,
    `row_opened` which row of which table was double-clicked, `row_menu` which was right-clicked, with the menu to fill,
    `input_changed` and `inputs_reset` what the user did to its inputs, `note_wanted` and `note_opened` which note
    is to be written or read (see FigureView).

    An empty window needs no parts: they are made for the first content, and `made_whole` tells that they are there.
    Until then the page has no figure, no tables and no view of its own."""

    vm_clicked = Signal(str)
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
        self._parts: PageParts | None = None
        self.empty = Welcome()
        self.side: QWidget | None = None
        self._column, self._row = QVBoxLayout(), QHBoxLayout(self)
        self._column.setSpacing(12)
        self._column.addWidget(self.empty, 1)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self._row.addLayout(self._column, 1)

    # The parts.

    @property
    def whole(self) -> bool:
        """Whether the parts are there."""
        return self._parts is not None

    def make_whole(self) -> PageParts:
        """The parts, made where they are not there yet."""
        if self._parts is None:
            parts = self._parts = PageParts(self.spec, self)
            parts.put(self._column, self._row)
            self._connect(parts)
            self.made_whole.emit()
            self.set_type_scale(self._scale)
            if self.content is not None:
                parts.show_content(self.content, self._theme, None, self.pointed)
        return self._parts

    def make_whole_if_loaded(self) -> None:
        """Makes the parts, unless they are still being loaded."""
        if _loaded.is_set():
            self.make_whole()

    @property
    def figure(self) -> FigureView | None:
        """The figure; None where the page has none."""
        return None if self._parts is None else self._parts.figure

    @property
    def tables(self) -> list[TableCard]:
        """The tables, from the top."""
        return [] if self._parts is None else self._parts.tables

    @property
    def filtered(self) -> list[TableCard]:
        """The cards with a filter, from the top."""
        return [] if self._parts is None else self._parts.filtered

    @property
    def own(self) -> CausesView | BoardView | None:
        """The view that the page draws with a widget of its own; None where it has none."""
        return None if self._parts is None else self._parts.own

    @property
    def causes(self) -> CausesView | None:
        """The causes of the import report."""
        return None if self._parts is None else self._parts.causes

    @property
    def cards(self) -> AnswerCards:
        """The row of cards."""
        return self.make_whole().cards

    @property
    def lead(self) -> FindingCards:
        """The strongest findings, in place of the cards."""
        return self.make_whole().lead

    @property
    def banner(self) -> QLabel:
        """What holds for everything below."""
        return self.make_whole().banner

    @property
    def links(self) -> TableLinks:
        """The links to the tables, at the foot."""
        return self.make_whole().links

    @property
    def listing(self) -> ConfigurationList | None:
        """The list of many configurations; None where the page has none."""
        return self.make_whole().listing

    @property
    def slider(self) -> AxisSlider | None:
        """The slider under the figure; None where the page has none."""
        return self.make_whole().slider

    @property
    def form(self) -> FormPanel | None:
        """What the page asks over its tables; None where it asks nothing."""
        return self.make_whole().form

    @property
    def inputs(self) -> InputsPanel:
        """The panel of the inputs: a row over the cards where they are few, else beside everything."""
        return self.make_whole().inputs

    @property
    def body(self) -> QSplitter:
        """What holds figure and tables."""
        return self.make_whole().body

    # What is shown.

    def set_side(self, side: QWidget) -> None:
        """Gives the page a widget of its own at the left of everything."""
        self.side = side
        self._row.insertWidget(0, side)

    def dress(self) -> None:
        """Takes the theme applied last."""
        tables = [] if self._parts is None else self._parts.every_table
        for table in tables:
            table.hold_rows(True)
        dress(self)
        for table in tables:
            table.hold_rows(False)

    def set_type_scale(self, scale: float) -> None:
        """Draws the chart in type of this size, 1 for the plain one."""
        self._scale = scale
        if self.figure is not None:
            self.figure.set_type_scale(scale)

    def light_vm(self, vm: str | None) -> None:
        """Lights a machine in the figure; None lights none."""
        if self.figure is not None:
            self.figure.light_vm(vm)

    def prepare(self, content: Content) -> bool:
        """Makes the parts, and the fields of many inputs, where they are not there yet, and tells whether it had to:
        that is work for a turn of the event loop of its own, before the one that shows the content."""
        if content.nothing_open and not self.whole:
            return False
        made = not self.whole
        return self.make_whole().prepare(content) or made

    def show_content(self, content: Content, theme: ThemeName, lit_vm: str | None) -> None:
        """Draws what the page's answer function returned."""
        parts = self._parts if content.nothing_open else self.make_whole()
        self.content, self._theme = content, theme
        if self.side is not None:
            self.side.setVisible(not content.nothing_open)
        self.empty.show_ways(content.empty, content.nothing_open, ())
        self.empty.offer_adding(content.to_add)
        self.empty.offer(content.offers)
        self.empty.setVisible(bool(content.empty))
        if parts is not None:
            parts.show_content(content, theme, lit_vm, self.pointed)

    def show_live(self, cards: Sequence[Card], tables: tuple[TableData, ...]) -> None:
        """Shows these cards and tables while an edge of a phase is dragged; none leaves those that are there."""
        self.make_whole().show_live(cards, tables)

    def open_table(self, name: str) -> None:
        """Shows the table of this name, and gives it the keyboard."""
        self.make_whole().open_table(name)

    def take_keyboard(self) -> None:
        """Gives the keyboard to what the page shows first."""
        first = None if self._parts is None else self._parts.first
        (first or self).setFocus()

    def point_at(self, pointed: Pointed | None) -> None:
        """Dims all of the figure but what a finding speaks of; None dims nothing."""
        changed, self.pointed = pointed != self.pointed, pointed
        if changed and self.figure is not None and self.content is not None and self.content.figure is not None:
            self.figure.show_figure(marked_figure(self.content.figure, pointed))

    @property
    def marked(self) -> bool:
        """Whether the figure shows what the finding speaks of that it is pointed at."""
        figure = None if self.content is None else self.content.figure
        return figure is not None and marked_figure(figure, self.pointed) is not figure

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc shows everything in the figure alike again, and lights the VM of the finding no longer."""
        if event.key() == Qt.Key.Key_Escape and self.pointed is not None:
            vm = self.pointed.vm
            self.point_at(None)
            if vm and self.figure is not None and self.figure.lit == vm:
                self.vm_clicked.emit(vm)
            return
        super().keyPressEvent(event)

    def _follow(self, name: str) -> None:
        """Does what a link says: the command that the page offers, or the table of this name."""
        offers = None if self.content is None else self.content.offers
        if offers is not None and name == offers[1]:
            self.empty.asked.emit(name)
        else:
            self.open_table(name)

    def _connect(self, parts: PageParts) -> None:
        if parts.form is not None:
            parts.form.changed.connect(self.input_changed)
            parts.form.write_asked.connect(self.write_asked)
        for panel in (parts.few, parts.many):
            panel.changed.connect(self.input_changed)
            panel.reset.connect(self.inputs_reset)
        parts.cards.source_asked.connect(self.source_asked)
        parts.links.asked.connect(self._follow)
        parts.lead.evidence_asked.connect(self.evidence_asked)
        if parts.listing is not None:
            parts.listing.changed.connect(self.input_changed)
            parts.listing.source_asked.connect(self.source_asked)
        if (figure := parts.figure) is not None:
            figure.vm_clicked.connect(self.vm_clicked)
            figure.source_asked.connect(self.source_asked)
            figure.edge_dragged.connect(self.edge_dragged)
            figure.edge_left.connect(self.edge_left)
            figure.note_wanted.connect(self.note_wanted)
            figure.note_opened.connect(self.note_opened)
        if parts.slider is not None:
            parts.slider.changed.connect(self.input_changed)
        for card in parts.tables:
            card.row_opened.connect(self.row_opened)
            card.row_menu.connect(self.row_menu)
            card.row_chosen.connect(self.row_chosen)
            card.source_asked.connect(self.source_asked)
