"""The widgets that show a page's answer: cards, a figure below them, tables below it, and inputs next to them.

Also computes the smallest height at which a figure is readable, and the height beyond which it would have empty space.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.common.spec import PageSpec
from workbench.answers.prepare.spec import KEY as PREPARE
from workbench.charts.claim import Pointed
from workbench.charts.content import Card, Content, Listing
from workbench.charts.figure import Figure
from workbench.charts.marked import marked_figure
from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.pages.answer_cards import AnswerCards, ConfigurationList
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.pages.finding_cards import FindingCards, TableLinks, banner
from workbench.gui.pages.form_panel import FormPanel
from workbench.gui.pages.inputs_panel import FEW, InputsPanel
from workbench.gui.plot.geometry import is_read, legend_of
from workbench.gui.plot.rows import rows_height
from workbench.gui.plot.view import FigureView
from workbench.gui.services.translation import tr
from workbench.gui.storyboard.board import BoardView
from workbench.gui.widgets.axis_slider import AxisSlider
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard

# A table below this height next to a chart is unreadable: its header and two rows.
_TABLE_PX = 190
# The height of cards over the columns of a figure.
_HEADS_PX = 70
# The share of the height that a chart with a slider leaves to a table on a large screen.
_TABLE_SHARE = 0.3
# Table rows visible next to a chart: the first of these numbers that fits.
_ROWS = (4, 3)
# The height of a table that needs scrolling anyway: it has room for more rows.
_SCROLLED_PX = 300
# A chart with a slider is the main part of its page. If a table would leave it less than this, the chart takes the
# whole height, and the user scrolls to the table.
_SLID_PX = 420
# Extra height of each plot of a chart with a slider.
_SLID_PLOT_PX = 60
# The list of many configurations, with five of its rows; its share of the height compared with the chart's.
_LIST_PX, _LIST_SHARE = 252, 45
# Maximum height of a table without rows if there are other tables.
_NOTHING_PX = 150


class PageParts:
    """All widgets of a page except `Welcome`, which is shown on an empty page. They are created for the first answer;
    `put` places them in the page."""

    def __init__(self, spec: PageSpec, page: QWidget) -> None:
        self._spec, self._page = spec, page
        self._content: Content | None = None
        self._theme: ThemeName = "light"
        self.cards, self.lead = AnswerCards(), FindingCards(page)
        self.banner, self.links = banner(), TableLinks()
        self.figure = FigureView() if spec.table_share < 100 else None
        named = spec.table_names if spec.tables_apart else spec.table_names[:1]
        self.tables = [TableCard(name) for name in named]
        self.listing = ConfigurationList() if spec.lists else None
        self.inputs_side, self.inputs_row = InputsPanel(), InputsPanel(in_a_row=True)
        self.slider = AxisSlider() if spec.slides else None
        self.own, self.form = own_view_of(spec), form_of(spec)
        self.body = QSplitter(Qt.Orientation.Vertical)
        # Parts that do not fit into a small window are scrolled, because squeezed parts would be unreadable.
        self.room = ScrollRoom()
        self._build()
        self.room.resized.connect(self._give_tables_room)

    def put(self, column: QVBoxLayout, row: QHBoxLayout) -> None:
        """Places the widgets in the page: in its column, above and below its content, and at the end of its row."""
        above: list[QWidget] = [self.inputs_row, self.banner]
        if self._spec.headed and self.figure is not None:
            self.cards.stand_over(self.figure)
        else:
            above.append(self.cards)
        if self.form is not None:
            above.append(self.form)
        for index, widget in enumerate(above):
            column.insertWidget(index, widget)
        column.insertWidget(len(above), self.room, 1)
        column.insertWidget(len(above) + 1, self.links)
        if self.own is not None:
            column.addWidget(self.own, 1)
        row.addWidget(self.inputs_side)

    @property
    def causes(self) -> CausesView | None:
        """The causes of the import report; None on other pages."""
        return self.own if isinstance(self.own, CausesView) else None

    @property
    def every_table(self) -> list[DataTable]:
        """The tables of all cards and views."""
        return self._page.findChildren(DataTable)

    @property
    def inputs(self) -> InputsPanel:
        """The panel of the inputs: a row over the cards if there are few inputs, otherwise next to everything."""
        few = self._content is not None and len(self._content.inputs) <= FEW
        return self.inputs_row if few else self.inputs_side

    @property
    def filtered(self) -> list[TableCard]:
        """The cards with a filter, from the top."""
        return [*([] if self.listing is None else [self.listing]), *self.tables]

    def prepare(self, content: Content) -> bool:
        """Creates the fields of many inputs if they do not exist yet; returns True if it created them."""
        if len(content.inputs) <= FEW or self.inputs_side.has_fields_of(content.inputs):
            return False
        self.inputs_side.show_inputs(content.inputs)
        return True

    def show_content(self, content: Content, theme: ThemeName, lit_vm: str | None, pointed: Pointed | None) -> None:
        """Shows the result of the page's answer function; see `PageView`."""
        self._content, self._theme = content, theme
        own = self.own is not None and self.own.show_content(content, theme)
        self.room.setVisible(not content.empty and not own)
        if self.own is not None:
            self.own.setVisible(own)
        if self.form is not None:
            self.form.show_form(content.form)
        self.cards.show_cards(content.cards, theme)
        self._show_lead(content)
        self._show_listing(content.listing, theme)
        self.inputs.show_inputs(content.inputs)
        for panel in (self.inputs_row, self.inputs_side):
            panel.setVisible(panel is self.inputs and bool(content.inputs))
        self._show_slider(content)
        self._show_figure(content, theme, lit_vm, pointed)
        # The table of a storyboard is for exports only.
        if content.story is None:
            self._show_tables(content, theme)
        self._give_tables_room()

    def show_live(self, cards: Sequence[Card], tables: tuple[TableData, ...]) -> None:
        """Shows these cards and tables while an edge of a phase is dragged. If there are none, the current ones
        stay.
        """
        if cards:
            self.cards.show_cards(cards, self._theme)
        if tables and self.listing is not None and not self.tables:
            self.listing.show_rows(tables[0], self._theme)
        elif tables and self.tables:
            self.tables[0].show_tables(tables, self._theme)

    def open_table(self, name: str) -> None:
        """Shows the table of this name and moves the keyboard focus to it."""
        for card in self.tables:
            names = [card.tabs.tabData(index) for index in range(card.tabs.count())]
            if name in names:
                card.tabs.setCurrentIndex(names.index(name))
                self.room.ensureWidgetVisible(card)
                card.enter_table()

    @property
    def first(self) -> QWidget | None:
        """The part that takes the keyboard focus first; None if no part does."""
        chart = self.figure if self.figure is not None and self.figure.isVisible() else None
        own = self.own.first if self.own is not None and self.own.isVisible() else None
        form = None if self.form is None else self.form.first
        return chart or own or form

    def _show_figure(self, content: Content, theme: ThemeName, lit_vm: str | None, pointed: Pointed | None) -> None:
        if self.figure is None:
            return
        self.figure.setVisible(content.figure is not None)
        # While the user drags an edge the chart stays unchanged; a new figure comes when the edge is released.
        if content.figure is not None and not content.empty and not self.figure.moving_edge:
            heads = _HEADS_PX if self._spec.headed and content.cards else 0
            self.figure.setMinimumHeight(least_height(content.figure) + heads)
            self.figure.setMaximumHeight(most_height(content.figure))
            self.figure.set_theme(theme)
            self.figure.show_figure(marked_figure(content.figure, pointed))
            self.figure.light_vm(lit_vm)

    def _show_slider(self, content: Content) -> None:
        if self.slider is None or self.figure is None:
            return
        shown = next((field for field in content.inputs if field.step), None)
        self.figure.zoom_bar.slid = shown is not None
        self.slider.setVisible(shown is not None and not content.empty)
        if shown is not None:
            self.slider.show_input(shown)

    def _align_slider(self) -> None:
        """Makes the slider as wide as the x axis of the figure above it."""
        if self.slider is not None and self.figure is not None and (reach := self.figure.x_reach) is not None:
            self.slider.align(*reach)

    def _show_lead(self, content: Content) -> None:
        """Shows the strongest findings instead of the cards."""
        lead = content.lead
        offers = None if content.empty else content.offers
        links = () if lead is None else lead.links
        links = (*links, offers) if offers is not None else links
        if lead is not None:
            self.lead.show_lead(lead, self._theme)
        self.links.show_links(links)
        self.links.setVisible(bool(links))
        self.lead.setVisible(lead is not None)
        self.cards.setVisible(lead is None and bool(content.cards))
        self.banner.setText("" if lead is None else tr(lead.banner))
        self.banner.setVisible(bool(self.banner.text()))

    def _show_listing(self, listing: Listing | None, theme: ThemeName) -> None:
        if self.listing is None:
            return
        self.listing.setVisible(listing is not None)
        if listing is not None:
            self.listing.show_listing(listing, theme)

    def _give_tables_room(self) -> None:
        """Sets the minimum height of each table.

        Four rows if they fit next to the chart, otherwise three, otherwise the header and two rows; more if the page
        scrolls anyway.
        """
        if self.figure is None:
            return
        under = self._give_slid_figure_room()
        page, handle = self._page, self.body.handleWidth()
        charts = under + self.figure.minimumHeight() + handle if self.figure.isVisibleTo(page) else 0
        if self.lead.isVisibleTo(page):
            charts += self.lead.minimumHeight() + handle
        if self.listing is not None and self.listing.isVisibleTo(page):
            charts += self.listing.minimumHeight() + handle
        left = self.room.viewport().height() - charts
        for card in self.tables:
            fitting = (height for rows in _ROWS if _TABLE_PX < (height := card.least_height(rows)) <= left)
            card.setMinimumHeight(_SCROLLED_PX if left < _TABLE_PX else next(fitting, _TABLE_PX))

    def _give_slid_figure_room(self) -> int:
        """Sets the minimum height of a figure above a slider: the height that a table leaves, or all of the page.

        Returns the height of the slider in pixels, 0 if none is shown.
        """
        figure = None if self._content is None else self._content.figure
        if self.slider is None or figure is None or self.figure is None or not self.slider.isVisibleTo(self._page):
            return 0
        under = self.slider.height() + self.body.handleWidth()
        room = self.room.viewport().height() - under
        beside = room - self.body.handleWidth() - max(_TABLE_PX, round(_TABLE_SHARE * room))
        readable = least_height(figure) + _SLID_PLOT_PX * len(figure.panels)
        self.figure.setMinimumHeight(max(readable, beside if beside >= _SLID_PX else room))
        return under

    def _show_tables(self, content: Content, theme: ThemeName) -> None:
        if self._spec.tables_apart:
            for card, data in zip(self.tables, content.tables, strict=False):
                card.show_tables((data,), theme)
                # If a table has no rows, the other tables get its height.
                card.setMaximumHeight(_NOTHING_PX if len(self.tables) > 1 and not data.rows else ANY_PX)
            return
        for card in self.tables:
            card.setVisible(bool(content.tables))
            if content.tables:
                card.show_tables(content.tables, theme)

    def _build(self) -> None:
        for panel in (self.inputs_row, self.inputs_side):
            panel.hide()
        # Every part may be narrower than its size hint; tables scroll sideways on their own.
        self.body.setMinimumWidth(1)
        self.room.setWidget(self.body)
        self.room.setWidgetResizable(True)
        self.room.setFrameShape(QFrame.Shape.NoFrame)
        self.room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body.setHandleWidth(12)
        self.body.setChildrenCollapsible(False)
        self._fill_body()
        self._share_height()

    def _fill_body(self) -> None:
        self.lead.hide()
        self.links.hide()
        self.body.addWidget(self.lead)
        if self.listing is not None:
            self.listing.hide()
            self.listing.setMinimumHeight(_LIST_PX)
            self.body.addWidget(self.listing)
        if self.figure is not None:
            self.figure.set_edges_movable(self._spec.movable_phases)
            self.body.addWidget(self.figure)
            if self.slider is not None:
                self.slider.hide()
                self.figure.columns_moved.connect(self._align_slider)
                self.figure.span_changed.connect(self._align_slider)
                self.body.addWidget(self.slider)
        for card in self.tables:
            card.setMinimumHeight(_TABLE_PX if self.figure is not None else 0)
            self.body.addWidget(card)

    def _share_height(self) -> None:
        shares = [0, *([] if self.listing is None else [_LIST_SHARE])]
        shares += [100 - self._spec.table_share] if self.figure is not None else []
        shares += [0] if self.slider is not None else []
        shares += [self._spec.table_share // max(1, len(self.tables))] * len(self.tables)
        self.body.setSizes([10 * share for share in shares])
        for index, share in enumerate(shares):
            self.body.setStretchFactor(index, share)


# By the key of the page. Each view shows the parts of a content that it supports, and returns True if there were any.
# Its `first` gets the keyboard focus.
_OWN: dict[str, type[CausesView | BoardView]] = {IMPORT_REPORT: CausesView, "storyboard": BoardView}


def own_view_of(spec: PageSpec) -> CausesView | BoardView | None:
    """A new widget for the page's own view; None if it has none."""
    return _OWN[spec.key]() if spec.own_view is not None and spec.key in _OWN else None


def form_of(spec: PageSpec) -> FormPanel | None:
    """A new widget for the form above the page's tables; None if it has no form."""
    if spec.key != PREPARE:
        return None
    from workbench.gui.pages.kit_panel import KitPanel  # the window starts without this module

    return KitPanel()


# Qt's maximum size of a widget.
ANY_PX = 16_777_215
# Minimum readable heights: a panel with its values, the parts around panels, and any figure.
_PANEL_PX, _AROUND_PX, _LEAST_PX = 100, 80, 160
_TITLE_PX, _LEGEND_PX, _FOOTER_PX, _READ_PX, _FLAGS_PX = 26, 40, 30, 22, 17


def least_height(figure: Figure) -> int:
    """Pixels that the panels of a figure need in the column with the most panels."""
    if figure.in_rows:
        return rows_height(figure)
    columns = Counter(panel.column for panel in figure.panels)
    titled = any(panel.title for panel in figure.panels)
    # Panels side by side are narrow: their legends are in separate lines.
    listed = len(columns) > 1 and any(legend_of(panel) for panel in figure.panels)
    # The note below panels that do not share a scale takes a line, too.
    footed = (len(columns) > 1 and not figure.share_y) or bool(figure.note)
    read = max(Counter(panel.column for panel in figure.panels if is_read(panel)).values(), default=0)
    read_px = read * _READ_PX + bool(read) * _FLAGS_PX
    around = read_px + _AROUND_PX + titled * _TITLE_PX + listed * _LEGEND_PX + footed * _FOOTER_PX
    return max(_LEAST_PX, _PANEL_PX * max(columns.values(), default=1) + around)


def most_height(figure: Figure) -> int:
    """Pixels beyond which a figure would have empty space: rows have a maximum height."""
    return rows_height(figure, most=True) if figure.in_rows else ANY_PX


class ScrollRoom(QScrollArea):
    """The scroll area. `resized` reports a change of its size."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emits `resized`."""
        super().resizeEvent(event)
        self.resized.emit()
