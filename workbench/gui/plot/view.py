"""FigureView draws any Figure, moves and zooms it, and reports which VM was clicked.

Also finds the part of a figure at a point with its source, and draws the focus ring. A style sheet cannot draw that
ring because the parts of the chart cover it.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from workbench.charts.figure import Figure, FigureSource, Line, Panel
from workbench.charts.hidden import entry_name
from workbench.charts.scales import Span
from workbench.gui.plot.bars import source_at as bar_source
from workbench.gui.plot.flags import flag_at
from workbench.gui.plot.geometry import LegendEntry
from workbench.gui.plot.moving import end_names
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.pointing.bar_reading import spoken, spot_at
from workbench.gui.plot.pointing.drags import Chip, Drags, Grip, grip_at
from workbench.gui.plot.pointing.legend import Legend
from workbench.gui.plot.pointing.readout import Pointer
from workbench.gui.plot.shown import ShownFigure
from workbench.gui.plot.zooming import wheeled

_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
EMPTY = Figure("empty", "", "", ())


class FigureView(ShownFigure):
    """A Figure on screen. The wheel zooms x; over the axis or with Shift it zooms y. Dragging zooms to a box, with
    Shift it moves x. A double-click or the key 0 shows all. The keys A and B set cursors at the pointer, the arrows
    move the last one by a sample (Shift: ten), Esc removes them.

    After `set_edges_movable` the edges of phases can be dragged. `edge_dragged` reports the title of the column (or the
    folder of the run that owns the phase), the phase, the edge, the distance (x units), and True if the edge was
    released. `edge_left` reports that Esc cancelled the drag.

    The key N asks for a note at the pointer: `note_wanted` reports the column's title and x. A double-click on a note's
    flag emits `note_opened` with its key. A double-click on a bar, or Return while a VM is highlighted, emits
    `source_asked` with its source. `entry_wanted` reports the legend entry to hide or show, or to show alone;
    `entry_dragged` the panel and the name of an entry that the pointer drags away.
    """

    vm_clicked = Signal(str)
    source_asked = Signal(object)
    edge_dragged = Signal(str, str, str, float, bool)
    edge_left = Signal()
    note_wanted = Signal(str, float)
    note_opened = Signal(str)
    entry_wanted = Signal(str, bool)
    entry_dragged = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drags = Drags(self._zoom_to, self._move_edge)
        self._canvas.scene().sigMouseMoved.connect(self._point)
        self._canvas.double_clicked.connect(self._double_click)
        self._canvas.turned = self._turn
        FocusRing(self)
        self.legend = Legend(
            self, self._canvas, self._entries, lambda: self._ink, self.entry_wanted.emit, self._drag_entry
        )

    def _connect(self, panel: PanelView) -> None:
        panel.box.clicked = self._click
        panel.box.dragged = partial(self._dragged, panel)

    def show_figure(self, figure: Figure) -> None:
        """Shows a figure. The zoom stays if its axes span as much as in the previous figure."""
        self._drags.settle()
        super().show_figure(figure)

    def _paint_hover(self, painter: QPainter) -> None:
        self._drags.paint(painter, self._ink, self.seen)
        super()._paint_hover(painter)

    def _turn(self, at: QPointF, turned: float, shifted: bool) -> bool:
        """Zooms y around the pointer if the wheel turns over the y axis, or with Shift over a plot. Returns False
        otherwise; the wheel then zooms x."""
        panel = next((p for p in self.seen if p.over_axis(at) or (shifted and p.place.plot.contains(at))), None)
        if panel is None or panel.heat is not None or not panel.zooms:
            return False
        self.zoom_y(panel, *wheeled(panel.scales.y, panel.full_y, panel.y_at(at.y()), turned))
        return True

    @property
    def x_reach(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The pixels of the first plot's left and right edge, and the values of x there. None without a plot."""
        panel = next(iter(self.seen), None)
        if panel is None:
            return None
        plot, origin = panel.place.plot, panel.scales.origin
        return (plot.left(), plot.right()), (panel.span[0] + origin, panel.span[1] + origin)

    @property
    def moving_edge(self) -> bool:
        """True while an edge of a phase is dragged; a new figure must wait until it is released."""
        return self._drags.moving_edge

    def show_chip(self, chip: Chip | None) -> None:
        """Shows this text next to the dragged edge."""
        self._drags.chip = chip
        self._hover.update()

    def settle_edge(self) -> None:
        """Removes the line of a released edge; a new figure does so too."""
        self._drags.settle()
        self._hover.update()

    def set_edges_movable(self, movable: bool) -> None:
        """Allows or forbids dragging the edges of phases."""
        self._drags.edges = movable

    def _entries(self) -> list[tuple[QRectF, LegendEntry]]:
        """The entries of all legends with their places."""
        above = [pair for place in (self._layout.places if self._layout else ()) for pair in place.legend]
        return above + [pair for panel in self.seen for pair in end_names(self._ink, panel)]

    def _drag_entry(self, at: QPointF) -> None:
        if (curve := self.curve_at(at)) is not None:
            self.entry_dragged.emit(*curve)

    def plot_key(self, y: float) -> str | None:
        """The key of the panel at this height, or of the next one below. None below the last plot."""
        return next((p.scales.panel.key for p in self.seen if y <= p.place.plot.bottom()), None)

    def _click(self, at: QPointF) -> None:
        panel = self._panel_at(at)
        if panel is None:
            return
        vm = vm_at(panel, at)
        if vm is not None:
            self.vm_clicked.emit(vm)

    def source_at(self, at: QPointF) -> FigureSource | None:
        """The source of the bar or the VM at a point; otherwise of the highlighted VM, otherwise of the whole column.
        None if unknown."""
        panel = self._panel_at(at)
        if panel is None:
            spot = None if self.rows is None else spot_at(self.spots, at)
            return None if spot is None else spot.source
        return source_at(panel, at, self._lit)

    def curve_at(self, at: QPointF) -> tuple[Panel, str] | None:
        """The panel and the name of the line, or of the legend entry, at a point; None if there is none."""
        for panel in self.seen:
            for area, entry in (*panel.place.legend, *end_names(self._ink, panel)):
                if area.contains(at):
                    return panel.scales.panel, entry.name
        pointed = self._panel_at(at)
        line = None if pointed is None or pointed.scales.panel.x.categories else line_at(pointed, at)
        if pointed is None or line is None:
            return None
        return pointed.scales.panel, entry_name(line, pointed.scales.panel) or line.name

    @property
    def lit_source(self) -> FigureSource | None:
        """The source of the highlighted VM's trace: in the panel under the pointer, otherwise in the first panel that
        has it."""
        pointed = [self._pointer.panel] if self._pointer else []
        generator = (panel.scales.panel.sources.get(self._lit or "?") for panel in (*pointed, *self._panels))
        return next((source for source in generator if source), None)

    def _double_click(self, at: QPointF) -> None:
        """Opens the source of a bar or the note of a flag, if the point has one; otherwise shows all of x again."""
        panel = self._panel_at(at)
        source = self.source_at(at) if panel is None else bar_source(panel.place, at)
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
            self._read_spot(spot_at(self.spots, at))
            return
        if self._spot is not None:
            self._read_spot(None)
        self._pointer = Pointer(panel, panel.x_at(at.x()), panel.row_at(at.y()))
        self._hover.update()
        on_edge = self._drags.edges and grip_at(panel, at) is not None
        self._canvas.setCursor(Qt.CursorShape.SplitHCursor if on_edge else Qt.CursorShape.ArrowCursor)

    def _bar_key(self, event: QKeyEvent) -> bool:
        """Handles the keys for reading bars: arrows, Home and End move from bar to bar, Return opens the source, Esc
        ends. Returns True if the key was used."""
        every = self.spots
        if not every or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        here = next((at for at, spot in enumerate(every) if self._spot and spot.same(self._spot)), None)
        goes = {
            Qt.Key.Key_Right: 0 if here is None else min(here + 1, len(every) - 1),
            Qt.Key.Key_Left: len(every) - 1 if here is None else max(here - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(every) - 1,
        }
        if event.key() in goes:
            self._read_spot(every[goes[Qt.Key(event.key())]])
            self._say(spoken(self._ink, every[goes[Qt.Key(event.key())]]))
        elif self._spot is not None and event.key() == Qt.Key.Key_Escape:
            self._read_spot(None)
        elif self._spot is not None and event.key() in _RETURN and self._spot.source is not None:
            self.source_asked.emit(self._spot.source)
        else:
            return False
        return True

    def _say(self, text: str) -> None:
        """Sends the text to screen readers."""
        self.setAccessibleDescription(text)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _dragged(self, panel: PanelView, event: object) -> bool:
        taken = self._drags.take(panel, event)
        if taken:
            self._unpoint()
            self._hover.update()
        return taken

    def _zoom_to(self, panel: PanelView, x: Span, y: Span | None) -> None:
        panel.box.setXRange(*x, padding=0)
        if y is not None:
            self.zoom_y(panel, *y)

    def _move_edge(self, grip: Grip, x: float, finished: bool) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        label = grip.run or self._title_of(grip.panel)
        self.edge_dragged.emit(label, grip.region, grip.side, x - grip.x, finished)

    def ask_note(self) -> None:
        """Asks for a note at the pointer, or in the middle of the view."""
        panel = self._pointer.panel if self._pointer else next(iter(self.seen), None)
        if panel is None or not panel.scales.time:
            return
        x = self._pointer.x if self._pointer else sum(panel.span) / 2
        self.note_wanted.emit(self._title_of(panel), x + panel.scales.origin)

    def set_cursor(self, name: str) -> None:
        """Sets the cursor A or B at the pointer, or in the middle of the view."""
        timed = (panel for panel in self.seen if not panel.scales.panel.x.categories)
        panel = self._pointer.panel if self._pointer else next(timed, None)
        if panel is not None:
            self.cursors.put(name, panel, self._pointer.x if self._pointer else sum(panel.span) / 2)
            self._fit_rows()

    def _cursor_key(self, event: QKeyEvent) -> bool:
        """Handles the keys of the cursors: A and B; also the arrows and Esc while a cursor is set. Returns True if the
        key was used."""
        key, shifted = event.key(), event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if key in (Qt.Key.Key_A, Qt.Key.Key_B) and not event.modifiers():
            self.set_cursor("A" if key == Qt.Key.Key_A else "B")
        elif self.cursors and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.cursors.step(self._panels, (10 if shifted else 1) * (1 if key == Qt.Key.Key_Right else -1))
            self._fit_rows()
        elif self.cursors and key == Qt.Key.Key_Escape:
            self.cursors.clear()
            self._fit_rows()
        else:
            return False
        return True

    def event(self, event: QEvent) -> bool:
        """Keeps Esc while an edge is dragged or a cursor is set, so no shortcut of the window gets it."""
        overrides = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if overrides and (self.moving_edge or self.cursors or self._spot) and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles the keys: Esc puts a dragged edge back, A and B set cursors, 0 shows everything, N asks for a note,
        Return opens the source of the highlighted VM."""
        if event.key() == Qt.Key.Key_Escape and self.moving_edge:
            self._drags.give_up()
            self._hover.update()
            self.edge_left.emit()
            return
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and self.sideways.press(event):
            return
        if self._cursor_key(event) or self._bar_key(event) or self.sideways.press(event):
            return
        if event.key() in _RETURN and (source := self.lit_source) is not None:
            self.source_asked.emit(source)
            return
        if event.key() == Qt.Key.Key_N and not event.modifiers():
            self.ask_note()
            return
        if event.key() == Qt.Key.Key_0 and not event.modifiers():
            self.reset_zoom()
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Moves the columns if this turn of the wheel moves columns, also over their heads."""
        if self.sideways.turn(event):
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes the keyboard focus, so A and B work after a click."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)


def vm_at(panel: PanelView, at: QPointF) -> str | None:
    """The VM whose heatmap row or line is at a point; None if there is none."""
    row = panel.row_at(at.y())
    return panel.scales.heatmap.rows[row] if row is not None and panel.scales.heatmap else panel.vm_near(at)


def line_at(panel: PanelView, at: QPointF, reach: float = 8.0) -> Line | None:
    """The line nearest to a point of the canvas, within `reach` pixels; the upper one of two equally near lines. None
    if no line is that near."""
    asides = np.linspace(-reach, reach, 17)
    places = np.array([panel.x_at(at.x() + aside) for aside in asides])
    best: tuple[float, Line | None] = (reach, None)
    for line in [mark for mark in panel.scales.panel.marks if isinstance(mark, Line)]:
        x, y = panel.samples(line)
        inside = (places >= x[0]) & (places <= x[-1]) if x.size else np.zeros(places.size, dtype=np.bool_)
        if not inside.any():
            continue
        rows = [panel.pixel(0, value).y() for value in np.interp(places[inside], x, y).tolist()]
        gaps = np.hypot(asides[inside], np.array(rows) - at.y())
        gap = float(np.nanmin(gaps)) if np.isfinite(gaps).any() else np.inf
        best = (gap, line) if gap <= best[0] else best
    return best[1]


def source_at(panel: PanelView, at: QPointF, lit: str | None) -> FigureSource | None:
    """The source of the bar or the VM at a point; otherwise of the highlighted VM `lit`, otherwise of the whole column.
    None if unknown."""
    known = panel.scales.panel.sources
    traces = (known.get(vm) for vm in (vm_at(panel, at), lit, "") if vm is not None)
    return bar_source(panel.place, at) or next((source for source in traces if source), None)


_WIDTH = 2
# After a click the user has seen the new focus, so no ring is needed.
_BACK = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
_SILENT = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.OtherFocusReason)


class FocusRing(QWidget):
    """Shown while the widget around it has the keyboard focus, if Tab or a shortcut gave it."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self._around, self._shown = around, False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Accent)
        self.hide()
        around.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Shows, hides and resizes the ring with the focus and the chart."""
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() not in _BACK:
                self._shown = event.reason() not in _SILENT
            self.setVisible(event.gotFocus() and self._shown)
            self._around.setProperty("ring", self._shown)
            self._fit()
        elif event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        whole = self._around.rect()
        self.setGeometry(whole)
        inside = whole.adjusted(_WIDTH, _WIDTH, -_WIDTH, -_WIDTH)
        self.setMask(QRegion(whole).subtracted(QRegion(inside)))
        self.raise_()
