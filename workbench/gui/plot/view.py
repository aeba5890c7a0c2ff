"""FigureView: draws any Figure, moves and zooms it, and tells which VM was clicked."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.charts.figure import Figure, Heatmap, Line, Look, Source
from workbench.charts.palette import ThemeName
from workbench.charts.scales import Span, heat_limits, scales_of
from workbench.gui.plot.bars import source_at as bar_source
from workbench.gui.plot.canvas import Canvas, Layer
from workbench.gui.plot.drags import Chip, Drags, Grip, grip_at
from workbench.gui.plot.flags import flag_at
from workbench.gui.plot.geometry import Entry, Layout, arrange
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.legend import Legend
from workbench.gui.plot.moving import paint_over, paint_under
from workbench.gui.plot.panel import Box, PanelView
from workbench.gui.plot.readout import Pointer, paint_readout
from workbench.gui.plot.static import Footer, footer_of, paint_empty, paint_static

EMPTY = Figure("empty", "", "", ())


class FigureView(QWidget):
    """A Figure on screen. The wheel zooms x, dragging moves it, Shift and dragging zooms to a stretch, a double
    click or the key A shows all. With `set_edges_movable` the edges of phases can be dragged:
    `edge_dragged` tells the title of the column (the folder of the run where the phase is one run's), the phase,
    which edge, by how far (x units), and whether it was let go; `edge_left` that Esc put it back. The key N asks for a
    note where the pointer is: `note_wanted` tells the column's title and x; a double click on a note's flag tells
    `note_opened` its key. A double click on a bar, or Return with a VM lit, tells `source_asked` where that comes
    from. `entry_wanted` tells the entry of a legend that is to be hidden or shown, or shown alone."""

    vm_clicked = Signal(str)
    source_asked = Signal(object)
    edge_dragged = Signal(str, str, str, float, bool)
    edge_left = Signal()
    span_changed = Signal(float, float)
    note_wanted = Signal(str, float)
    note_opened = Signal(str)
    entry_wanted = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure, self._ink = EMPTY, Ink("light")
        self._lit: str | None = None
        self._title, self._ground = False, True
        self._panels: list[PanelView] = []
        self._layout: Layout | None = None
        self._footer = Footer()
        self._pointer: Pointer | None = None
        self._following = False
        self._drags = Drags(self._zoom_to, self._move_edge)
        self._canvas = Canvas(self, self._paint_still)
        self._under = Layer(self._paint_under, -200)
        self._over = Layer(self._paint_over, 10)
        self._hover = Layer(self._paint_hover, 20)
        for layer in (self._under, self._over, self._hover):
            self._canvas.scene().addItem(layer)
        self._canvas.scene().sigMouseMoved.connect(self._point)
        self._canvas.left.connect(self._unpoint)
        self._canvas.double_clicked.connect(self._double_click)
        self._canvas.resized.connect(self._arrange)
        self.legend = Legend(self, self._canvas, self._entries, lambda: self._ink, self.entry_wanted.emit)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._canvas)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 160)

    @property
    def figure(self) -> Figure:
        """The figure that is shown."""
        return self._figure

    @property
    def lit(self) -> str | None:
        """The VM that is lit."""
        return self._lit

    def show_figure(self, figure: Figure) -> None:
        """Shows a figure; the zoom stays when its x axes span what the figure before spanned."""
        kept = self._spans() if [p.full for p in self._panels] else {}
        full = {p.scales.x_key: p.full for p in self._panels}
        before, self._figure = self._figure, figure
        self._drags.settle()
        try:
            self._build()
        except Exception:
            # What cannot be drawn must not be tried again at the next change of theme.
            self._figure = before
            raise
        for panel in self._panels:
            key = panel.scales.x_key
            if key in kept and full[key] == panel.full:
                panel.box.setXRange(*kept[key], padding=0)
        self.setAccessibleName(figure.question)
        self.setAccessibleDescription(figure.summary or figure.empty)

    def set_theme(self, name: ThemeName) -> None:
        """Draws in the colours of a theme."""
        if name != self._ink.theme:
            self._restyle(Ink(name, self._ink.scale))

    def set_type_scale(self, scale: float) -> None:
        """Enlarges type and the room around it: 1 on screen, 1.6 in a presentation."""
        if scale != self._ink.scale:
            self._restyle(Ink(self._ink.theme, scale))

    def set_show_title(self, shown: bool) -> None:
        """Draws question and caption over the panels, as pictures need them."""
        self._title = shown
        self._arrange()

    def light_vm(self, vm: str | None) -> None:
        """Lights one VM in every panel that knows it; None lights none."""
        self._lit = vm
        for panel in self._panels:
            panel.light(self._line_of(panel, vm) if vm and panel.heat is None else None)
        self._over.update()

    @property
    def moving_edge(self) -> bool:
        """Whether an edge of a phase is being dragged; another figure must wait until it is let go."""
        return self._drags.moving_edge

    def show_chip(self, chip: Chip | None) -> None:
        """Says this beside the edge that is dragged."""
        self._drags.chip = chip
        self._hover.update()

    def settle_edge(self) -> None:
        """Takes away the line of an edge that was let go; another figure does so, too."""
        self._drags.settle()
        self._hover.update()

    def set_edges_movable(self, movable: bool) -> None:
        """Lets the edges of phases be dragged, or not."""
        self._drags.edges = movable

    def reset_zoom(self) -> None:
        """Shows the whole x range."""
        for panel in self._panels:
            panel.box.setXRange(*panel.full, padding=0)

    @property
    def zoomed_span(self) -> Span | None:
        """The stretch of x (units of the figure's x axis) that was zoomed to, None when everything is shown."""
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
        """Draws the figure with any painter (picture, SVG, PDF), without what the pointer shows."""
        self._unpoint()
        self._canvas.render(painter, area, self._canvas.viewport().rect(), Qt.AspectRatioMode.IgnoreAspectRatio)

    def _restyle(self, ink: Ink) -> None:
        kept = self._spans()
        self._ink = ink
        self._build()
        for panel in self._panels:
            panel.box.setXRange(*kept[panel.scales.x_key], padding=0)

    def _spans(self) -> dict[str, Span]:
        return {panel.scales.x_key: panel.span for panel in self._panels}

    def _build(self) -> None:
        self._pointer = None
        scene = self._canvas.scene()
        # Made before the old ones go: a figure that cannot be drawn leaves the one before as it was.
        limits = heat_limits(self._figure)
        fresh = [PanelView(scales, self._ink, limits) for scales in scales_of(self._figure)]
        for panel in self._panels:
            panel.box.sigXRangeChanged.disconnect(self._follow)
            scene.removeItem(panel.box)
            panel.box.close()
        self._panels = fresh
        for panel in self._panels:
            scene.addItem(panel.box)
            panel.box.clicked = self._click
            panel.box.dragged = partial(self._dragged, panel)
            panel.box.sigXRangeChanged.connect(self._follow)
        clipped = [(panel.scales.panel.title, panel.scales.clipped) for panel in self._panels]
        self._footer = footer_of(self._figure, clipped, limits)
        self._arrange()
        if self._lit:
            self.light_vm(self._lit)

    def _arrange(self) -> None:
        size = QSizeF(self._canvas.viewport().size())
        scales = [panel.scales for panel in self._panels]
        self._layout = arrange(self._figure, scales, self._ink, size, self._title, self._footer.present)
        for panel, panel_place in zip(self._panels, self._layout.places, strict=True):
            panel.put(panel_place)
        for layer in (self._under, self._over, self._hover):
            layer.set_area(QRectF(0, 0, size.width(), size.height()))
        self._canvas.resetCachedContent()
        self._canvas.viewport().update()

    def _line_of(self, panel: PanelView, vm: str) -> Line | None:
        """The VM's own line, else its row of the heatmap in the same column when both have one unit."""
        for mark in panel.scales.panel.marks:
            if isinstance(mark, Line) and mark.vm == vm:
                return mark
        for other in self._figure.panels:
            for mark in other.marks:
                fits = other.column == panel.scales.panel.column and isinstance(mark, Heatmap)
                if fits and isinstance(mark, Heatmap) and vm in mark.rows and mark.unit == panel.scales.panel.y.unit:
                    middles = (mark.edges[:-1] + mark.edges[1:]) / 2
                    return Line(vm, middles, mark.values[mark.rows.index(vm)], Look("text"), vm=vm)
        return None

    def _follow(self, box: Box, span: Span) -> None:
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
        self.span_changed.emit(span[0] + origin, span[1] + origin)

    def _entries(self) -> list[tuple[QRectF, Entry]]:
        """The entries of all legends with where they stand."""
        return [pair for place in (self._layout.places if self._layout else ()) for pair in place.legend]

    def _panel_at(self, at: QPointF) -> PanelView | None:
        return next((p for p in self._panels if p.place.plot.contains(at)), None)

    def _click(self, at: QPointF) -> None:
        panel = self._panel_at(at)
        if panel is None:
            return
        vm = _vm_at(panel, at)
        if vm is not None:
            self.vm_clicked.emit(vm)

    def source_at(self, at: QPointF) -> Source | None:
        """Where the bar or the VM at a point comes from; beside every VM the lit one, else the whole column."""
        panel = self._panel_at(at)
        if panel is None:
            return None
        known = panel.scales.panel.sources
        traces = (known.get(vm) for vm in (_vm_at(panel, at), self._lit, "") if vm is not None)
        return bar_source(panel.place, at) or next((source for source in traces if source), None)

    @property
    def lit_source(self) -> Source | None:
        """Where the lit VM's trace comes from: in the panel under the pointer, else in the first that knows it."""
        pointed = [self._pointer.panel] if self._pointer else []
        generator = (panel.scales.panel.sources.get(self._lit or "?") for panel in (*pointed, *self._panels))
        return next((source for source in generator if source), None)

    def _double_click(self, at: QPointF) -> None:
        """A bar whose source is known leads there, a flag to its note; everything else shows all of x again."""
        panel = self._panel_at(at)
        source = None if panel is None else bar_source(panel.place, at)
        flag = None if panel is None else flag_at(panel, at.x())
        if source is not None:
            self.source_asked.emit(source)
        elif flag is not None:
            self.note_opened.emit(flag.key)
        else:
            self.reset_zoom()

    def _point(self, at: QPointF) -> None:
        panel = self._panel_at(at)
        if panel is None or panel.scales.panel.x.categories:
            self._unpoint()
            return
        self._pointer = Pointer(panel, panel.x_at(at.x()), panel.row_at(at.y()))
        self._hover.update()
        on_edge = self._drags.edges and grip_at(panel, at) is not None
        self._canvas.setCursor(Qt.CursorShape.SplitHCursor if on_edge else Qt.CursorShape.ArrowCursor)

    def _dragged(self, panel: PanelView, event: object) -> bool:
        taken = self._drags.take(panel, event)
        if taken:
            self._unpoint()
            self._hover.update()
        return taken

    def _zoom_to(self, panel: PanelView, low: float, high: float) -> None:
        panel.box.setXRange(low, high, padding=0)

    def _move_edge(self, grip: Grip, x: float, finished: bool) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        label = grip.run or self._title_of(grip.panel)
        self.edge_dragged.emit(label, grip.region, grip.side, x - grip.x, finished)

    def _title_of(self, panel: PanelView) -> str:
        column = panel.scales.panel.column
        return next(p.title for p in self._figure.panels if p.column == column)

    def ask_note(self) -> None:
        """Asks for a note where the pointer is, else in the middle of what is shown."""
        panel = self._pointer.panel if self._pointer else next(iter(self._panels), None)
        if panel is None or not panel.scales.time:
            return
        x = self._pointer.x if self._pointer else sum(panel.span) / 2
        self.note_wanted.emit(self._title_of(panel), x + panel.scales.origin)

    def _unpoint(self) -> None:
        if self._pointer is not None:
            self._pointer = None
            self._hover.update()

    def _paint_still(self, painter: QPainter) -> None:
        if self._layout is None:
            return
        if not self._panels:
            area = QRectF(self._canvas.viewport().rect())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_empty(painter, self._ink, area, self._figure.empty)
            return
        paint_static(painter, self._ink, self._figure, self._layout, self._footer, self._ground)

    def _paint_under(self, painter: QPainter) -> None:
        for panel in self._panels:
            paint_under(painter, self._ink, panel)

    def _paint_over(self, painter: QPainter) -> None:
        for panel in self._panels:
            paint_over(painter, self._ink, panel, self._lit)

    def _paint_hover(self, painter: QPainter) -> None:
        self._drags.paint(painter, self._ink, self._panels)
        if self._pointer is not None:
            paint_readout(painter, self._ink, self._panels, self._pointer)

    def event(self, event: QEvent) -> bool:
        """While an edge is dragged Esc belongs to it: no shortcut of the window takes it."""
        if event.type() == QEvent.Type.ShortcutOverride and self.moving_edge and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts a dragged edge back, A shows everything, N asks for a note, Return where the lit VM comes from."""
        if event.key() == Qt.Key.Key_Escape and self.moving_edge:
            self._drags.give_up()
            self._hover.update()
            self.edge_left.emit()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (source := self.lit_source) is not None:
            self.source_asked.emit(source)
            return
        if event.key() == Qt.Key.Key_N and not event.modifiers():
            self.ask_note()
            return
        if event.key() == Qt.Key.Key_A and not event.modifiers():
            self.reset_zoom()
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes the keyboard, so that A works after a click."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)


def _vm_at(panel: PanelView, at: QPointF) -> str | None:
    """The VM whose row of the heatmap, or whose line, lies at a point."""
    row = panel.row_at(at.y())
    return panel.scales.heatmap.rows[row] if row is not None and panel.scales.heatmap else panel.vm_near(at)
