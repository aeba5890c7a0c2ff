"""A figure as a widget that draws only: the content, its arrangement, and the stretch in view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.charts.figure import Figure
from workbench.charts.marked import vm_line
from workbench.charts.palette import ThemeName
from workbench.charts.scales import Span, heat_limits, scales_of
from workbench.gui.plot.geometry import Around, Layout
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.layout import arrange, fitting, is_joined
from workbench.gui.plot.moving import paint_over, paint_under
from workbench.gui.plot.painted import Layer
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.pointing.bar_reading import Spot, paint_spot, spoken, spot_at, spot_tip, spots
from workbench.gui.plot.pointing.cursors import Cursors
from workbench.gui.plot.pointing.readout import Pointer, paint_readout, readout_tip, row_words, rows_needed
from workbench.gui.plot.rows import FigureRows
from workbench.gui.plot.sideways import Sideways
from workbench.gui.plot.static import Footer, footer_of, paint_empty, paint_rows, paint_static
from workbench.gui.plot.zooming import ZoomBar, heights_of, restore_heights, restore_spans, spans_of

EMPTY = Figure("empty", "", "", ())
LEFT_OUT = "Shown: the first {} of {} configurations. A wider image shows more configurations."


class ShownFigure(QWidget):
    """Draws a Figure and keeps its zoom. `span_changed` reports the stretch of x in view, `columns_moved` that columns
    have new places. A figure that scrolls shows the columns that fit."""

    span_changed = Signal(float, float)
    # The sentence for the value read at the pointer or with the arrow keys; empty if nothing is read.
    value_read = Signal(str)
    columns_moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure, self._ink = EMPTY, Ink("light")
        self._lit: str | None = None
        self._title, self._ground, self._read, self._flagged = False, True, 1, False
        self._panels: list[PanelView] = []
        self._layout: Layout | None = None
        self._footer = Footer()
        self._pointer: Pointer | None = None
        self._spot: Spot | None = None
        self._following = False
        # True if something asked for a new arrangement while arranging was delayed.
        self._putting_off = self._put_off = False
        self._heads: Callable[[float], float] | None = None
        self._left_out = ""
        self._part: tuple[int, int] | None = None
        self.cursors = Cursors()
        from workbench.gui.plot.canvas import Canvas  # the window starts without pyqtgraph

        self._canvas = Canvas(self, self._paint_still)
        self._under = Layer(self._paint_under, -200)
        self._over = Layer(self._paint_over, 10)
        self._hover = Layer(self._paint_hover, 20)
        for layer in (self._under, self._over, self._hover):
            self._canvas.scene().addItem(layer)
        self._canvas.left.connect(self._unpoint)
        self._canvas.tip_at = self._tip_at
        self.zoom_bar = ZoomBar()
        self.zoom_bar.strip.moved.connect(self._show_span)
        self.zoom_bar.reset.clicked.connect(self.reset_zoom)
        self.zoom_bar.setParent(self)
        self.sideways = Sideways(self)
        self.sideways.valueChanged.connect(self._move_sideways)
        self._canvas.moved_columns = self.sideways.turn
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 160)

    def _connect(self, panel: PanelView) -> None:
        """Connects the user's actions on a panel. This class only draws and handles no actions."""

    @property
    def figure(self) -> Figure:
        """The current figure."""
        return self._figure

    @property
    def seen(self) -> list[PanelView]:
        """The panels whose columns are in view."""
        return [panel for panel in self._panels if panel.placed]

    def leave_heads(self, height_at: Callable[[float], float] | None) -> None:
        """Leaves room for a widget over each column; `height_at` returns its height for the width of a column."""
        self._heads = height_at
        self._arrange()

    def column_heads(self) -> list[tuple[str, QRectF]]:
        """The columns in view: title, and the area over their plots."""
        places = [panel.place for panel in self.seen if not panel.scales.row]
        return [(place.scales.panel.title, place.head) for place in places if place.head.height()]

    @property
    def lit(self) -> str | None:
        """The highlighted VM; None if there is none."""
        return self._lit

    def show_figure(self, figure: Figure) -> None:
        """Shows a figure. The zoom stays if its x axes span as much as in the previous figure."""
        before, self._figure = self._figure, figure
        with self._or_else(before):
            self._build()
        self.setAccessibleName(figure.question)
        self.setAccessibleDescription(figure.summary or figure.empty)

    @contextmanager
    def arranged_once(self) -> Iterator[None]:
        """Delays arranging until the end of the block, so several changes are arranged once."""
        before = self._figure
        self._putting_off, self._put_off = True, False
        try:
            yield
        finally:
            self._putting_off = False
            if self._put_off:
                with self._or_else(before):
                    self._arrange()
                    self._fit_rows()

    @contextmanager
    def _or_else(self, before: Figure) -> Iterator[None]:
        try:
            yield
        except Exception:
            # A figure that cannot be drawn must not be tried again when the theme changes.
            self._figure = before
            raise

    def set_theme(self, name: ThemeName) -> None:
        """Draws in the colours of a theme."""
        if name != self._ink.theme:
            self._restyle(Ink(name, self._ink.scale))

    def set_type_scale(self, scale: float) -> None:
        """Enlarges text and the room around it: 1 on screen, 1.6 in a presentation."""
        if scale != self._ink.scale:
            self._restyle(Ink(self._ink.theme, scale))

    def set_show_title(self, shown: bool) -> None:
        """Draws question and caption over the panels, as images need them."""
        self._title = shown
        self._arrange()

    def draw_as_picture(self, columns: tuple[int, int] | None = None) -> None:
        """Draws neither the row for the values under the pointer nor the strip: an image has no pointer. `columns` are
        the first one and the number of those to draw (None: as many as fit)."""
        self._read, self._part = 0, columns
        self.zoom_bar.hide()
        self._arrange()

    def light_vm(self, vm: str | None) -> None:
        """Highlights one VM in every panel that has it; None highlights none."""
        self._lit = vm
        for panel in self._panels:
            panel.light(vm_line(self._figure, panel.scales.panel, vm) if vm and panel.heat is None else None)
        self._over.update()
        self._fit_rows()

    def reset_zoom(self) -> None:
        """Shows all of x and of y."""
        for panel in self._panels:
            panel.box.setXRange(*panel.full, padding=0)
            panel.set_y(panel.full_y)
        self._arrange()
        self._tell_zoom()

    @property
    def zoomed_span(self) -> Span | None:
        """The stretch of x (units of the figure's x axis) that the user zoomed to. None if everything is shown."""
        for panel in self._panels:
            if panel.span != panel.full and not panel.scales.panel.x.categories:
                return panel.span[0] + panel.scales.origin, panel.span[1] + panel.scales.origin
        return None

    def set_span(self, low: float, high: float) -> None:
        """Shows x from `low` to `high` (units of the figure's x axis) in every panel of samples."""
        for panel in self._panels:
            if not panel.scales.panel.x.categories:
                panel.box.setXRange(low - panel.scales.origin, high - panel.scales.origin, padding=0)

    def paint_to(self, painter: QPainter, area: QRectF) -> None:
        """Draws the figure with any painter (image, SVG, PDF), without pointer and cursors."""
        self._unpoint()
        self._canvas.render(painter, area, self._canvas.viewport().rect(), Qt.AspectRatioMode.IgnoreAspectRatio)

    def _restyle(self, ink: Ink) -> None:
        self._ink = ink
        self._build()

    def _build(self) -> None:
        self._pointer = None
        kept, tall = spans_of(self._panels), heights_of(self._panels)
        scene = self._canvas.scene()
        # Created before the old ones are removed: if the new figure cannot be drawn, the old one stays.
        limits = heat_limits(self._figure)
        panels = [] if self._figure.in_rows else scales_of(self._figure)
        fresh = [PanelView(scales, self._ink, limits) for scales in panels]
        for panel in self._panels:
            panel.box.sigXRangeChanged.disconnect(self._follow)
            scene.removeItem(panel.box)
            panel.box.close()
        self._panels = fresh
        for panel in self._panels:
            scene.addItem(panel.box)
            self._connect(panel)
            panel.box.sigXRangeChanged.connect(self._follow)
        self._footer = footer_of(self._figure, [panel.scales for panel in self._panels], limits)
        self.cursors.fit(self._panels)
        self._fit_bar()
        # Before the panels get their places, so they are arranged once.
        restore_spans(self._panels, kept)
        restore_heights(self._panels, tall)
        self._arrange()
        self._fit_rows()
        if self._lit:
            self.light_vm(self._lit)
        self._tell_zoom()

    def _arrange(self) -> None:
        if self._putting_off:
            self._put_off = True
            return
        size = QSizeF(self.size())
        scales = [panel.scales for panel in self._panels]
        columns = sorted({scale.panel.column for scale in scales})
        screen = self._read > 0
        fits = fitting(self._figure, scales, self._ink, size.width())
        self.sideways.offer(len(columns) if screen else fits, fits)
        first, fits = self._part or (self.sideways.value(), fits)
        self._left_out = "" if screen or self._part or fits == len(columns) else LEFT_OUT.format(fits, len(columns))
        seen = set(columns[first : first + fits])
        inside = is_joined(self._figure, len(seen))
        strip = float(self.zoom_bar.height_wanted)
        size.setHeight(size.height() - (0.0 if inside else strip))
        self._canvas.setGeometry(0, 0, round(size.width()), round(size.height()))
        around = Around(
            self._title,
            self._said.present,
            self._read,
            self._heads if screen else None,
            self.sideways.height_wanted,
            strip if inside else 0.0,
            self._flagged,
        )
        shown = [panel for panel in self._panels if panel.scales.panel.column in seen]
        self._layout = arrange(self._figure, [panel.scales for panel in shown], self._ink, size, around)
        for panel in set(self._panels).difference(shown):
            panel.take_away()
        for panel, panel_place in zip(shown, self._layout.places, strict=True):
            panel.put(panel_place)
        self._place_bars(self._layout, size, inside)
        if self._spot is not None:
            # The bar that was read is at a new place now, or does not exist in the new figure.
            self._spot = next((spot for spot in self.spots if self._spot.same(spot)), None)
        for layer in (self._under, self._over, self._hover):
            layer.set_area(QRectF(0, 0, size.width(), size.height()))
        self._canvas.resetCachedContent()
        self._canvas.viewport().update()
        self.columns_moved.emit()

    @property
    def _said(self) -> Footer:
        """The footer, with the texts for which an image has no room."""
        return replace(self._footer, notes=(*self._footer.notes, self._left_out)) if self._left_out else self._footer

    def _move_sideways(self, _first: int) -> None:
        self._unpoint()
        self._arrange()
        self._fit_rows()

    def _place_bars(self, layout: Layout, size: QSizeF, inside: bool) -> None:
        # Inside the space of the layout, otherwise under the canvas.
        self.sideways.setGeometry(layout.bar.toRect())
        top = layout.strip.top() if inside else size.height()
        area = QRectF(0, top, size.width(), self.zoom_bar.height_wanted)
        plots = (place.plot for place in layout.places)
        self.zoom_bar.stand(area, reduce(QRectF.united, plots, QRectF()), self._ink.px(12) if inside else 0)

    @property
    def rows(self) -> FigureRows | None:
        """The places of the rows if the figure is drawn as rows, otherwise None."""
        if not self._figure.in_rows or self._layout is None:
            return None
        area = QRectF(self._canvas.viewport().rect())
        return FigureRows(self._figure, self._ink, area.adjusted(0, self._layout.title.bottom(), 0, 0))

    def _follow(self, box: object, span: Span) -> None:
        if self._following:
            return
        self._following = True
        try:
            key = next((p.scales.x_key for p in self._panels if p.box is box), None)
            moving = [p for p in self._panels if p.scales.x_key == key]
            for panel in moving:
                if panel.box is not box:
                    panel.box.setXRange(*span, padding=0)
                panel.refresh()
        finally:
            self._following = False
        self._under.update()
        self._over.update()
        origin = moving[0].scales.origin if moving else 0.0
        self._tell_zoom()
        self.span_changed.emit(span[0] + origin, span[1] + origin)

    def _panel_at(self, at: QPointF) -> PanelView | None:
        return next((p for p in self.seen if p.place.plot.contains(at)), None)

    def _title_of(self, panel: PanelView) -> str:
        column = panel.scales.panel.column
        return next(p.title for p in self._figure.panels if p.column == column)

    def _unpoint(self) -> None:
        if self._pointer is not None or self._spot is not None:
            self._pointer = None
            self._read_spot(None)

    def _read_spot(self, spot: Spot | None) -> None:
        """Reads out a bar, or a name without a bar."""
        self._spot = spot
        self._hover.update()
        self.value_read.emit("" if spot is None else spoken(self._ink, spot))

    def _tip_at(self, at: QPointF) -> str:
        """The values at a point with all their digits; empty if there are none."""
        panel = self._panel_at(at)
        if panel is not None and not panel.scales.panel.x.categories:
            return readout_tip(self._ink, panel, Pointer(panel, panel.x_at(at.x()), panel.row_at(at.y())))
        spot = spot_at(self.spots, at)
        return "" if spot is None else spot_tip(self._ink, spot)

    @property
    def spots(self) -> list[Spot]:
        """The bars of the figure, and the names without one, in reading order."""
        return spots(self.seen, self.rows, self._ink)

    def _paint_still(self, painter: QPainter) -> None:
        if self._layout is None:
            return
        if not self._panels:
            area = QRectF(self._canvas.viewport().rect())
            if (rows := self.rows) is not None:
                paint_rows(painter, rows, self._layout.title, self._ground)
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_empty(painter, self._ink, area, self._figure.empty)
            return
        paint_static(painter, self._ink, self._figure, self._layout, self._said, self._ground)

    def _paint_under(self, painter: QPainter) -> None:
        for panel in self.seen:
            paint_under(painter, self._ink, panel)

    def _paint_over(self, painter: QPainter) -> None:
        for panel in self.seen:
            paint_over(painter, self._ink, panel, self._lit)

    def _fit_rows(self) -> None:
        """Gives the rows of the read-out as many lines as the values at both cursors need, otherwise one line. If there
        are cursors, their flags get a row."""
        if not self._read:
            return
        words = [
            (p, row_words(self._ink, p, self._panels, None, self.cursors)) for p in self.seen if p.place.read.height()
        ]
        lines = max((rows_needed(self._ink, p, said) for p, said in words), default=1)
        if (lines, bool(self.cursors)) != (self._read, self._flagged):
            self._read, self._flagged = lines, bool(self.cursors)
            self._arrange()
        self._hover.update()

    def _paint_hover(self, painter: QPainter) -> None:
        if self._read:
            paint_readout(painter, self._ink, self._panels, self._pointer, self.cursors)
        if self._spot is not None:
            paint_spot(painter, self._ink, self._spot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides the strip if the plots need its room."""
        super().resizeEvent(event)
        self._fit_bar()
        self._arrange()

    def _fit_bar(self) -> None:
        timed = [panel for panel in self._panels if panel.zooms]
        one_axis = len({panel.scales.x_key for panel in timed}) == 1
        self.zoom_bar.show_panels(timed if one_axis else [], self._ink)
        self.zoom_bar.fit(self._read > 0 and bool(timed), self.height(), self.zoomed)

    def _tell_zoom(self) -> None:
        timed = next((panel for panel in self._panels if panel.zooms), None)
        if timed is not None:
            self.zoom_bar.strip.set_window(timed.span)
        before = self.zoom_bar.height_wanted
        self.zoom_bar.fit(self._read > 0 and timed is not None, self.height(), self.zoomed)
        if self.zoom_bar.height_wanted != before:
            self._arrange()

    @property
    def zoomed(self) -> bool:
        """True if only a part of x or y is shown."""
        return self.zoomed_span is not None or any(panel.scales.y != panel.full_y for panel in self._panels)

    def _show_span(self, low: float, high: float) -> None:
        """Shows a stretch (panel coordinates) that the user has chosen in the strip."""
        panel = next((panel for panel in self._panels if panel.zooms), None)
        if panel is not None:
            panel.box.setXRange(low, high, padding=0)

    def zoom_y(self, panel: PanelView, low: float, high: float) -> None:
        """Shows y from `low` to `high` (panel coordinates) in this panel and all that share its axis."""
        if panel.heat is not None or not panel.zooms or not low < high:
            return
        for other in self._panels:
            if other.scales.y_key == panel.scales.y_key:
                other.set_y((low, high))
        self._arrange()
        self._tell_zoom()
