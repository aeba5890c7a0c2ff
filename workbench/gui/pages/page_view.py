"""The widget of a page: cards over a figure over tables, inputs beside, or one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from workbench.answers.common.page import PageSpec
from workbench.charts.cards import Card
from workbench.charts.claim import Pointed
from workbench.charts.content import Content, Listing
from workbench.charts.marked import marked_figure
from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.pages.answer_cards import AnswerCards
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.pages.figure_heights import ANY_PX, least_height, most_height
from workbench.gui.pages.finding_cards import FindingCards, TableLinks, banner
from workbench.gui.pages.inputs_panel import FEW, InputsPanel
from workbench.gui.pages.own_views import form_of, own_view_of
from workbench.gui.pages.welcome import Welcome
from workbench.gui.plot.view import FigureView
from workbench.gui.services.theme import dress
from workbench.gui.services.translation import tr
from workbench.gui.widgets.axis_slider import AxisSlider
from workbench.gui.widgets.configuration_list import ConfigurationList
from workbench.gui.widgets.scroll_room import ScrollRoom
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard

# Below this height of a table beside a chart nothing can be read: its head and two rows.
_TABLE_PX = 190
# What cards over the columns take of a figure.
_HEADS_PX = 70
# So many rows of a table are seen beside a chart, as far as there is room.
_ROWS = (4, 3)
# A table that has to be scrolled to anyhow has room for more rows.
_SCROLLED_PX = 300
# With a slider under it the chart is what the page is about: where less is left beside a table, it takes all.
_SLID_PX = 420
# Each plot over it is so much higher than a plot that is only looked at; what has no room is scrolled to.
_SLID_PLOT_PX = 60
# The list of many configurations, with five of its rows; its share of the height beside the chart's.
_LIST_PX, _LIST_SHARE = 252, 45
_NOTHING_PX = 150


class PageView(QWidget):
    """Shows the Content of one page; `vm_clicked` tells which machine was picked in its figure,
    `row_opened` which row of which table was double-clicked, `row_menu` which was right-clicked, with the menu to fill,
    `input_changed` and `inputs_reset` what the user did to its inputs, `note_wanted` and `note_opened` which note
    is to be written or read (see FigureView)."""

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

    def __init__(self, spec: PageSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.content: Content | None = None
        self.pointed: Pointed | None = None
        self._theme: ThemeName = "light"
        self.cards, self.lead = AnswerCards(), FindingCards(self)
        self.banner, self.links = banner(), TableLinks()
        self.figure = FigureView() if spec.table_share < 100 else None
        named = spec.table_names if spec.tables_apart else spec.table_names[:1]
        self.tables = [TableCard(name) for name in named]
        self.listing = ConfigurationList() if spec.lists else None
        self._many, self._few = InputsPanel(), InputsPanel(in_a_row=True)
        self.slider = AxisSlider() if spec.slides else None
        self.own, self.form = own_view_of(spec), form_of(spec)
        self.empty = Welcome()
        self.side: QWidget | None = None
        self.body = QSplitter(Qt.Orientation.Vertical)
        # What has no room in a small window is scrolled to rather than squeezed until nobody can read it.
        self._room = ScrollRoom()
        self._build()
        self._room.resized.connect(self._give_tables_room)

    @property
    def causes(self) -> CausesView | None:
        """The causes of the import report."""
        return self.own if isinstance(self.own, CausesView) else None

    @property
    def filtered(self) -> list[TableCard]:
        """The cards with a filter, from the top."""
        return [*([] if self.listing is None else [self.listing]), *self.tables]

    @property
    def inputs(self) -> InputsPanel:
        """The panel of the inputs: a row over the cards where they are few, else beside everything."""
        few = self.content is not None and len(self.content.inputs) <= FEW
        return self._few if few else self._many

    def set_side(self, side: QWidget) -> None:
        """Gives the page a widget of its own at the left of everything."""
        self.side = side
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        row.insertWidget(0, side)

    def dress(self) -> None:
        """Takes the theme applied last."""
        tables = self.findChildren(DataTable)
        for table in tables:
            table.hold_rows(True)
        dress(self)
        for table in tables:
            table.hold_rows(False)

    def set_type_scale(self, scale: float) -> None:
        """Draws the chart in type of this size, 1 for the plain one."""
        if self.figure is not None:
            self.figure.set_type_scale(scale)

    def prepare(self, content: Content) -> bool:
        """Makes the fields of many inputs where they are not there yet, and tells whether it had to: that is work
        for a turn of the event loop of its own, before the one that shows the content."""
        if len(content.inputs) <= FEW or self._many.has_fields_of(content.inputs):
            return False
        self._many.show_inputs(content.inputs)
        return True

    def show_content(self, content: Content, theme: ThemeName, lit_vm: str | None) -> None:
        """Draws what the page's answer function returned."""
        self.content, self._theme = content, theme
        if self.side is not None:
            self.side.setVisible(not content.nothing_open)
        self.empty.show_ways(content.empty, content.nothing_open, ())
        self.empty.offer_adding(content.to_add)
        self.empty.offer(content.offers)
        self.empty.setVisible(bool(content.empty))
        own = self.own is not None and self.own.show_content(content, theme)
        self._room.setVisible(not content.empty and not own)
        if self.own is not None:
            self.own.setVisible(own)
        if self.form is not None:
            self.form.show_form(content.form)
        self.cards.show_cards(content.cards, theme)
        self._show_lead(content)
        self._show_listing(content.listing, theme)
        self.inputs.show_inputs(content.inputs)
        for panel in (self._few, self._many):
            panel.setVisible(panel is self.inputs and bool(content.inputs))
        self._show_slider(content)
        if self.figure is not None:
            self.figure.setVisible(content.figure is not None)
            # While the hand holds an edge the chart stays; the figure without that drag comes when it lets go.
            if content.figure is not None and not content.empty and not self.figure.moving_edge:
                heads = _HEADS_PX if self.spec.headed and content.cards else 0
                self.figure.setMinimumHeight(least_height(content.figure) + heads)
                self.figure.setMaximumHeight(most_height(content.figure))
                self.figure.set_theme(theme)
                self.figure.show_figure(marked_figure(content.figure, self.pointed))
                self.figure.light_vm(lit_vm)
        # A storyboard has its table for exports alone.
        if content.story is None:
            self._show_tables(content, theme)
        self._give_tables_room()

    def _show_slider(self, content: Content) -> None:
        if self.slider is None or self.figure is None:
            return
        shown = next((field for field in content.inputs if field.step), None)
        self.figure.zoom_bar.slid = shown is not None
        self.slider.setVisible(shown is not None and not content.empty)
        if shown is not None:
            self.slider.show_input(shown)

    def _align_slider(self) -> None:
        """Lets the slider share the x axis of the figure over it."""
        if self.slider is not None and self.figure is not None and (reach := self.figure.x_reach) is not None:
            self.slider.align(*reach)

    def take_keyboard(self) -> None:
        """Gives the keyboard to what the page shows first."""
        chart = self.figure if self.figure is not None and self.figure.isVisible() else None
        own = self.own.first if self.own is not None and self.own.isVisible() else None
        form = None if self.form is None else self.form.first
        (chart or own or form or self).setFocus()

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

    def open_table(self, name: str) -> None:
        """Shows the table of this name, and gives it the keyboard."""
        for card in self.tables:
            names = [card.tabs.tabData(index) for index in range(card.tabs.count())]
            if name in names:
                card.tabs.setCurrentIndex(names.index(name))
                self._room.ensureWidgetVisible(card)
                card.enter_table()

    def _show_lead(self, content: Content | None) -> None:
        """The strongest findings stand in place of the cards."""
        lead = None if content is None else content.lead
        offers = None if content is None or content.empty else content.offers
        links = () if lead is None else lead.links
        links = (*links, offers) if offers is not None else links
        if lead is not None:
            self.lead.show_lead(lead, self._theme)
        self.links.show_links(links)
        self.links.setVisible(bool(links))
        self.lead.setVisible(lead is not None)
        self.cards.setVisible(lead is None and content is not None and bool(content.cards))
        self.banner.setText("" if lead is None else tr(lead.banner))
        self.banner.setVisible(bool(self.banner.text()))

    def _show_listing(self, listing: Listing | None, theme: ThemeName) -> None:
        if self.listing is None:
            return
        self.listing.setVisible(listing is not None)
        if listing is not None:
            self.listing.show_listing(listing, theme)

    def show_live(self, cards: Sequence[Card], tables: tuple[TableData, ...]) -> None:
        """Shows these cards and tables while an edge of a phase is dragged; none leaves those that are there."""
        if cards:
            self.cards.show_cards(cards, self._theme)
        if tables and self.listing is not None and not self.tables:
            self.listing.show_rows(tables[0], self._theme)
        elif tables and self.tables:
            self.tables[0].show_tables(tables, self._theme)

    def _give_tables_room(self) -> None:
        """Four rows of a table where they fit beside the chart, else fewer; many where both do not fit anyhow."""
        if self.figure is None:
            return
        under = self._give_slid_figure_room()
        charts = under + self.figure.minimumHeight() + self.body.handleWidth() if self.figure.isVisibleTo(self) else 0
        if self.lead.isVisibleTo(self):
            charts += self.lead.minimumHeight() + self.body.handleWidth()
        if self.listing is not None and self.listing.isVisibleTo(self):
            charts += self.listing.minimumHeight() + self.body.handleWidth()
        left = self._room.viewport().height() - charts
        for card in self.tables:
            fitting = (height for rows in _ROWS if _TABLE_PX < (height := card.least_height(rows)) <= left)
            card.setMinimumHeight(_SCROLLED_PX if left < _TABLE_PX else next(fitting, _TABLE_PX))

    def _give_slid_figure_room(self) -> int:
        """Gives a figure over a slider what a table leaves, or all; the pixels that the slider takes."""
        figure = None if self.content is None else self.content.figure
        if self.slider is None or figure is None or self.figure is None or not self.slider.isVisibleTo(self):
            return 0
        under = self.slider.height() + self.body.handleWidth()
        room = self._room.viewport().height() - under
        beside = room - self.body.handleWidth() - _TABLE_PX
        readable = least_height(figure) + _SLID_PLOT_PX * len(figure.panels)
        self.figure.setMinimumHeight(max(readable, beside if beside >= _SLID_PX else room))
        return under

    def _show_tables(self, content: Content, theme: ThemeName) -> None:
        if self.spec.tables_apart:
            for card, data in zip(self.tables, content.tables, strict=False):
                card.show_tables((data,), theme)
                # What says that there is nothing leaves its room to the others.
                card.setMaximumHeight(_NOTHING_PX if len(self.tables) > 1 and not data.rows else ANY_PX)
            return
        for card in self.tables:
            card.setVisible(bool(content.tables))
            if content.tables:
                card.show_tables(content.tables, theme)

    def _build(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(self._few)
        column.addWidget(self.banner)
        if self.spec.headed and self.figure is not None:
            self.cards.stand_over(self.figure)
        else:
            column.addWidget(self.cards)
        if self.form is not None:
            column.addWidget(self.form)
        column.addWidget(self._room, 1)
        column.addWidget(self.links)
        column.addWidget(self.empty, 1)
        if self.own is not None:
            column.addWidget(self.own, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addLayout(column, 1)
        row.addWidget(self._many)
        if self.form is not None:
            self.form.changed.connect(self.input_changed)
            self.form.write_asked.connect(self.write_asked)
        for panel in (self._few, self._many):
            panel.hide()
            panel.changed.connect(self.input_changed)
            panel.reset.connect(self.inputs_reset)
        self.cards.source_asked.connect(self.source_asked)
        self._build_room()
        self._add_lead_and_listing()
        self._add_figure()
        self._add_tables()
        self._share_height()

    def _build_room(self) -> None:
        # In width everything gives way; tables scroll by themselves.
        self.body.setMinimumWidth(1)
        self._room.setWidget(self.body)
        self._room.setWidgetResizable(True)
        self._room.setFrameShape(QFrame.Shape.NoFrame)
        self._room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body.setHandleWidth(12)
        self.body.setChildrenCollapsible(False)

    def _add_lead_and_listing(self) -> None:
        self.lead.hide()
        self.links.hide()
        self.links.asked.connect(self._follow)
        self.lead.evidence_asked.connect(self.evidence_asked)
        self.body.addWidget(self.lead)
        if self.listing is not None:
            self.listing.hide()
            self.listing.setMinimumHeight(_LIST_PX)
            self.listing.changed.connect(self.input_changed)
            self.listing.source_asked.connect(self.source_asked)
            self.body.addWidget(self.listing)

    def _add_figure(self) -> None:
        """The figure, and its slider under it."""
        if self.figure is None:
            return
        self.figure.vm_clicked.connect(self.vm_clicked)
        self.figure.source_asked.connect(self.source_asked)
        self.figure.edge_dragged.connect(self.edge_dragged)
        self.figure.edge_left.connect(self.edge_left)
        self.figure.note_wanted.connect(self.note_wanted)
        self.figure.note_opened.connect(self.note_opened)
        self.figure.set_edges_movable(self.spec.movable_phases)
        self.body.addWidget(self.figure)
        if self.slider is not None:
            self.slider.hide()
            self.slider.changed.connect(self.input_changed)
            self.figure.columns_moved.connect(self._align_slider)
            self.figure.span_changed.connect(self._align_slider)
            self.body.addWidget(self.slider)

    def _add_tables(self) -> None:
        for card in self.tables:
            card.setMinimumHeight(_TABLE_PX if self.figure is not None else 0)
            self.body.addWidget(card)
            card.row_opened.connect(self.row_opened)
            card.row_menu.connect(self.row_menu)
            card.row_chosen.connect(self.row_chosen)
            card.source_asked.connect(self.source_asked)

    def _share_height(self) -> None:
        shares = [0, *([] if self.listing is None else [_LIST_SHARE])]
        shares += [100 - self.spec.table_share] if self.figure is not None else []
        shares += [0] if self.slider is not None else []
        shares += [self.spec.table_share // max(1, len(self.tables))] * len(self.tables)
        self.body.setSizes([10 * share for share in shares])
        for index, share in enumerate(shares):
            self.body.setStretchFactor(index, share)
