"""Mouse and keyboard on the legend of a chart: a click or a key on an entry hides it or shows it alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsView, QToolTip, QWidget

from workbench.gui.plot.geometry import LegendEntry
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.painted import Layer
from workbench.gui.services.translation import tr

Entries = Sequence[tuple[QRectF, LegendEntry]]


class Legend(QObject):
    """Watches pointer and keys over the entries of a figure. `wanted` is called with the name of an entry, and True if
    only this entry is to be shown. `dragged` is called with the place where the drag of an entry begins. L goes to the
    first entry and then to the next, Shift+L back. Space hides or shows the entry, Alt+Space shows it alone, Esc leaves
    the legend."""

    def __init__(
        self,
        view: QWidget,
        canvas: QGraphicsView,
        entries: Callable[[], Entries],
        ink: Callable[[], Ink],
        wanted: Callable[[str, bool], None],
        dragged: Callable[[QPointF], None],
    ) -> None:
        super().__init__(view)
        self._view, self._canvas, self._entries, self._ink, self._wanted = view, canvas, entries, ink, wanted
        self._dragged = dragged
        self._press: QPointF | None = None
        self._at: int | None = None
        self._ring = Layer(self._paint, 30)
        canvas.scene().addItem(self._ring)
        canvas.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Handles events over an entry."""
        kind = event.type()
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseButtonPress:
            return self._pressed(event)
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseButtonDblClick:
            # The second click of a double-click hides or shows the entry again.
            return self._pressed(event)
        if isinstance(event, QMouseEvent) and self._press is not None:
            return self._moved(event)
        if isinstance(event, QHelpEvent):
            entry = self.entry_at(self._canvas.mapToScene(event.pos()))
            # The tooltip of a short entry shows its full name.
            QToolTip.showText(event.globalPos(), "" if entry is None or entry.text == entry.name else entry.name)
            return entry is not None
        if isinstance(event, QKeyEvent) and kind == QEvent.Type.ShortcutOverride:
            if self._at is not None and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Space):
                event.accept()
            return False
        if isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress:
            return self._key(event)
        # A figure that is hidden while its page is computed keeps the entry, which gets the focus back.
        if kind == QEvent.Type.FocusOut and self._view.isVisible():
            self._go(None)
        return False

    def entry_at(self, at: QPointF) -> LegendEntry | None:
        """The entry at a point of the canvas; None if there is none."""
        return next((entry for area, entry in self._entries() if area.contains(at)), None)

    def _pressed(self, event: QMouseEvent) -> bool:
        self._press = None
        at = self._canvas.mapToScene(event.position().toPoint())
        if self.entry_at(at) is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        self._press = at
        return True

    def _moved(self, event: QMouseEvent) -> bool:
        """Hides or shows the entry on release; a drag begins if the pointer moves away before."""
        start, at = self._press, self._canvas.mapToScene(event.position().toPoint())
        assert start is not None
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._press = None
            if (entry := self.entry_at(start)) is not None:
                self._wanted(entry.name, bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        elif (at - start).manhattanLength() >= QApplication.startDragDistance():
            self._press = None
            self._dragged(start)
        return True

    def _key(self, event: QKeyEvent) -> bool:
        entries, alt = self._entries(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.key() == Qt.Key.Key_L and entries:
            step = -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._go((0 if step > 0 else -1) % len(entries) if self._at is None else (self._at + step) % len(entries))
            return True
        if self._at is None or self._at >= len(entries):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._go(None)
        elif event.key() == Qt.Key.Key_Space:
            self._wanted(entries[self._at][1].name, alt)
        else:
            return False
        return True

    def _go(self, place: int | None) -> None:
        if place == self._at:
            return
        self._at = place
        self._ring.set_area(QRectF(self._canvas.viewport().rect()))
        self._ring.update()
        if place is not None:
            entry = self._entries()[place][1]
            state = tr("hidden") if entry.hidden else tr("shown")
            self._view.setAccessibleDescription(f"{entry.name}: {state}")
            QAccessible.updateAccessibility(QAccessibleEvent(self._view, QAccessible.Event.DescriptionChanged))

    def _paint(self, painter: QPainter) -> None:
        entries = self._entries()
        if self._at is None or self._at >= len(entries):
            return
        painter.setPen(QPen(self._ink().token("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(entries[self._at][0].adjusted(-3, 0, -8, 0), 4, 4)
