"""What the speaker sees on a screen of their own: notes, the next slide, number and clock."""

from __future__ import annotations

from datetime import datetime
from time import monotonic

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Slide
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.storyboard.room import Room
from workbench.gui.storyboard.slide_painter import Place, slide_picture

_SHARE = 0.42
# Points that the notes are larger than the type of the desk.
_NOTES_LARGER = 4


class SpeakerWindow(QWidget):
    """Its keys are those of the room."""

    def __init__(self, parent: QWidget, room: Room) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._room = room
        self._began = monotonic()
        self._next: tuple[Slide, Place] | None = None
        self._theme: ThemeName = "light"
        self.setWindowTitle(tr("Speaker notes"))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.number, self.clock = labelled("", "title"), labelled("", "title")
        self.sentence = labelled("", "heading")
        self.notes = QPlainTextEdit()
        self.notes.setReadOnly(True)
        self.notes.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # To be read while standing.
        self.notes.zoomIn(_NOTES_LARGER)
        self.notes.setAccessibleName(tr("Speaker notes"))
        self.next_title, self.next_slide = labelled("", "quiet"), labelled("")
        self._build()
        self._ticks = QTimer(self)
        self._ticks.timeout.connect(self._tick)
        self._ticks.start(1000)
        self._tick()

    def tell(self, slide: Slide | None, notes: str, place: Place, following: Slide | None, theme: ThemeName) -> None:
        """Shows the notes of the slide at a place, and the slide that follows."""
        self._theme = theme
        self.number.setText(f"{place.number} / {place.total}")
        self.sentence.setText(slide.title if slide is not None else "")
        self.notes.setPlainText("\n\n".join(filter(None, (notes, slide.notes if slide is not None else ""))))
        self._next = None if following is None else (following, Place(place.number + 1, place.total))
        self.next_title.setText(tr("Next") if following is not None else tr("This is the last slide."))
        self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The same keys as over the slides."""
        self._room.keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The same keys as over the slides."""
        self._room.keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draws the next slide for another width."""
        super().resizeEvent(event)
        self._draw()

    def _build(self) -> None:
        self.sentence.setWordWrap(True)
        head = QHBoxLayout()
        head.addWidget(self.number)
        head.addStretch(1)
        head.addWidget(self.clock)
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(self.sentence)
        left.addWidget(self.notes, 1)
        right.addWidget(self.next_title)
        right.addWidget(self.next_slide)
        right.addStretch(1)
        body = QHBoxLayout()
        body.setSpacing(24)
        body.addLayout(left, 1)
        body.addLayout(right)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 24)
        column.setSpacing(16)
        column.addLayout(head)
        column.addLayout(body, 1)

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
