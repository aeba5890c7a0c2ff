"""The full-screen window for the audience with one slide and a pointer.

Also the speaker's window on another screen: notes, the next slide, number and clock.
"""

from __future__ import annotations

from datetime import datetime
from time import monotonic

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.charts.palette import THEMES, ThemeName
from workbench.exporters.document.document import Slide
from workbench.gui.services.assets import ui_font
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.storyboard.slide_painter import SlidePlace, slide_picture

_STEPS = {
    **dict.fromkeys((Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Space), 1),
    **dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace), -1),
}
# A red that differs clearly from both themes and from the colours of all configurations.
_POINTER, _POINTER_PX = "#e5202b", 34
_POINTS = 20.0
_MOST_DIGITS = 3


class PresentingRoom(QWidget):
    """`stepped` passes the number of slides to move, `number_typed` the slide to show, `end_wanted` the end to show
    (True: the last slide). `left` reports that the presentation has ended, `swap_wanted` asks to move the slides to the
    other screen."""

    stepped = Signal(int)
    number_typed = Signal(int)
    end_wanted = Signal(bool)
    swap_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.slide: Slide | None = None
        self.place = SlidePlace(1, 1)
        self.blank, self.typed = False, ""
        self.pointer: QPointF | None = None
        self._theme: ThemeName = "light"
        self._picture: QImage | None = None
        self.setWindowTitle(tr("Presentation"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.BlankCursor)

    def show_slide(self, slide: Slide | None, place: SlidePlace, theme: ThemeName) -> None:
        """Shows a slide; None while it is computed."""
        self.slide, self.place, self._theme = slide, place, theme
        self._picture = None
        title = slide.title if slide is not None else ""
        self.setAccessibleName(f"{place.number} / {place.total}. {title}")
        words = slide.figure.summary if slide is not None and slide.figure is not None else ""
        self.setAccessibleDescription(words)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles the keys of a presentation. The window with the notes passes its keys to this one."""
        key = event.key()
        if Qt.Key.Key_0 <= key <= Qt.Key.Key_9:
            self._type((self.typed + str(key - Qt.Key.Key_0))[-_MOST_DIGITS:])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif key in _STEPS:
            self._uncover()
            self.stepped.emit(_STEPS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._uncover()
            self.end_wanted.emit(key == Qt.Key.Key_End)
        elif key == Qt.Key.Key_B:
            self.blank = not self.blank
            self.update()
        elif key == Qt.Key.Key_S:
            self.swap_wanted.emit()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_F5):
            self.left.emit()
        elif key == Qt.Key.Key_Control:
            self._point(QPointF(self.mapFromGlobal(self.cursor().pos())))
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Hides the pointer when its key is released."""
        if event.key() == Qt.Key.Key_Control and not event.isAutoRepeat():
            self._point(None)
        super().keyReleaseEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Shows the pointer while the button is held."""
        self._point(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Moves the pointer with the mouse while its key or button is held."""
        held = event.buttons() & Qt.MouseButton.LeftButton
        if held or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._point(event.position())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Hides the pointer when the button is released."""
        self._point(None)

    def leaveEvent(self, event: QEvent) -> None:
        """Hides the pointer."""
        self._point(None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draws the slide for the new size."""
        self._picture = None
        super().resizeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the slide, or a black screen; over it the pointer and the number being typed."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.blank:
            painter.fillRect(self.rect(), QColor("black"))
        elif self.slide is None:
            painter.fillRect(self.rect(), QColor(THEMES[self._theme].card))
        else:
            if self._picture is None:
                self._picture = slide_picture(
                    self.slide, self.place, self.size(), self._theme, self.devicePixelRatioF()
                )
            painter.drawImage(0, 0, self._picture)
        if self.typed:
            painter.setFont(ui_font(_POINTS, QFont.Weight.DemiBold))
            painter.setPen(QColor(THEMES[self._theme].accent))
            corner = self.rect().adjusted(0, 0, -32, -28)
            painter.drawText(corner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, f"{self.typed} ↵")
        if self.pointer is not None:
            colour = QColor(_POINTER)
            colour.setAlphaF(0.75)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(self.pointer, _POINTER_PX / 2, _POINTER_PX / 2)
        painter.end()

    def _type(self, digits: str) -> None:
        self.typed = digits
        self.update()

    def _enter(self) -> None:
        """Shows the slide with the typed number; without a number, the next slide."""
        typed = self.typed
        self._uncover()
        if typed:
            self.number_typed.emit(int(typed))
        else:
            self.stepped.emit(1)

    def _uncover(self) -> None:
        self.blank = False
        self._type("")

    def _point(self, at: QPointF | None) -> None:
        if at != self.pointer:
            self.pointer = at
            self.update()


_SHARE = 0.42
# The notes are this many points larger than normal text.
_NOTES_LARGER = 4


class SpeakerWindow(QWidget):
    """Its keys work like those of the audience's window."""

    def __init__(self, parent: QWidget, room: PresentingRoom) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._room = room
        self._began = monotonic()
        self._next: tuple[Slide, SlidePlace] | None = None
        self._theme: ThemeName = "light"
        self.setWindowTitle(tr("Speaker notes"))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.number, self.clock = labelled("", "title"), labelled("", "title")
        self.sentence = labelled("", "heading")
        self.notes = QPlainTextEdit()
        self.notes.setReadOnly(True)
        self.notes.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Large enough to read while standing.
        self.notes.zoomIn(_NOTES_LARGER)
        self.notes.setAccessibleName(tr("Speaker notes"))
        self.next_title, self.next_slide = labelled("", "quiet"), labelled("")
        self._build()
        self._ticks = QTimer(self)
        self._ticks.timeout.connect(self._tick)
        self._ticks.start(1000)
        self._tick()

    def tell(
        self, slide: Slide | None, notes: str, place: SlidePlace, following: Slide | None, theme: ThemeName
    ) -> None:
        """Shows the notes of a slide and the slide that follows."""
        self._theme = theme
        self.number.setText(f"{place.number} / {place.total}")
        self.sentence.setText(slide.title if slide is not None else "")
        self.notes.setPlainText("\n\n".join(filter(None, (notes, slide.notes if slide is not None else ""))))
        self._next = None if following is None else (following, SlidePlace(place.number + 1, place.total))
        self.next_title.setText(tr("Next") if following is not None else tr("This is the last slide."))
        self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Passes the key to the audience's window."""
        self._room.keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Passes the key to the audience's window."""
        self._room.keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draws the next slide for the new width."""
        super().resizeEvent(event)
        self._draw()

    def _build(self) -> None:
        self.sentence.setWordWrap(True)
        head = in_row(self.number, 1, self.clock)
        left, right = in_column(self.sentence, (self.notes, 1)), in_column(self.next_title, self.next_slide, 1)
        body = in_row((left, 1), right, spacing=24)
        in_column(head, (body, 1), on=self, margins=(28, 24, 28, 24), spacing=16)

    def _draw(self) -> None:
        if self._next is None:
            self.next_slide.setPixmap(QPixmap())
            return
        wide = max(160, round(self.width() * _SHARE))
        picture = slide_picture(*self._next, QSize(wide, round(wide * 9 / 16)), self._theme, self.devicePixelRatioF())
        self.next_slide.setPixmap(QPixmap.fromImage(picture))

    def _tick(self) -> None:
        minutes, seconds = divmod(int(monotonic() - self._began), 60)
        self.clock.setText(f"{datetime.now():%H:%M} · {minutes}:{seconds:02}")
