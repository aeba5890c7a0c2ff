"""The page of the storyboard: the selected slide as it is exported, its editable parts, and all slides.

A slide can be changed in its sentence, options, notes, and place in story or appendix.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from workbench.answers.common.storyboard import Switches
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.charts.content import Content
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Slide
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tr, tr_line
from workbench.gui.storyboard.shelf import Shows, SlideShelf, in_order, shows
from workbench.gui.storyboard.slide_painter import SlidePlace, chart_picture, slide_picture
from workbench.gui.storyboard.strip import THUMB, SlideStrip, Thumb
from workbench.words.numbers import plural

_GAP = 12


class Preview(QFrame):
    """One slide in 16:9, as large as there is room. A double-click presents it."""

    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setMinimumSize(320, 180)
        self.slide: Slide | None = None
        self._place = SlidePlace(1, 1)
        self._theme: ThemeName = "light"
        self._picture: QImage | None = None

    def show_slide(self, slide: Slide | None, place: SlidePlace, theme: ThemeName) -> None:
        """Shows a slide; None while it is computed."""
        self.slide, self._place, self._theme, self._picture = slide, place, theme, None
        self.setAccessibleName(f"{tr('Slide')} {place.number}: {slide.title if slide else ''}")
        self.update()

    @property
    def area(self) -> QRect:
        """The area of the slide."""
        size = QSize(16, 9).scaled(self.size() - QSize(4, 4), Qt.AspectRatioMode.KeepAspectRatio)
        area = QRect(0, 0, size.width(), size.height())
        area.moveCenter(self.rect().center())
        return area

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Presents the slide."""
        self.opened.emit()
        super().mouseDoubleClickEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draws the slide for the new size."""
        self._picture = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the slide once, then shows that image."""
        super().paintEvent(event)
        if self.slide is None:
            return
        area = self.area
        if self._picture is None:
            self._picture = slide_picture(self.slide, self._place, area.size(), self._theme, self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawImage(area.topLeft(), self._picture)
        painter.end()


class BoardView(QWidget):
    """The signals report the actions on buttons and keys, with the key of the selected slide."""

    present_wanted = Signal()
    add_wanted = Signal()
    export_wanted = Signal()
    default_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.story: ShownStory | None = None
        self.preview, self.pane, self.strip = Preview(), SlidePane(), SlideStrip()
        self.count = labelled("", "quiet")
        self.add = QPushButton(tr("Add slide…"))
        self.export = QPushButton(tr("Export slides…"))
        self.default = QPushButton(tr("Restore default"))
        self.present = QPushButton(tr("Present  F5"))
        # The key of the slide to select when the storyboard is shown next.
        self.choose_next = ""
        self._shelf: SlideShelf | None = None
        self._theme: ThemeName = "light"
        self._drawn: dict[tuple[Shows, ThemeName], QPixmap] = {}
        # The inputs of the values in the thumbnails; see `SlideShelf.figures`.
        self._drawn_of: object = None
        # The selected slide comes first; thumbnails follow one by one.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._draw_thumbs)
        self._build()

    def use(self, shelf: SlideShelf) -> None:
        """Takes the slides from this shelf."""
        self._shelf = shelf
        shelf.arrived.connect(self._arrived)

    @property
    def first(self) -> QWidget:
        """The widget that gets the keyboard focus when the page is shown."""
        return self.strip

    @property
    def drawing(self) -> bool:
        """True if thumbnails in view are not drawn yet. One is drawn in each turn of the event loop."""
        return self._later.isActive()

    @property
    def slides(self) -> tuple[ShownSlide, ...]:
        """The slides in the order of their numbers."""
        return () if self.story is None else in_order(self.story)

    @property
    def shown(self) -> ShownSlide | None:
        """The selected slide; None if there is none."""
        return next((shown for shown in self.slides if shown.slide.key == self.strip.key), None)

    def show_content(self, content: Content, theme: ThemeName) -> bool:
        """Shows the storyboard of a page's answer. Returns True if there is one."""
        self.story, self._theme = content.story, theme
        if self.story is None:
            return False
        thumbs = [_thumb(number, shown) for number, shown in enumerate(self.slides, 1)]
        self.strip.show_thumbs(thumbs, theme, self.choose_next)
        self.choose_next = ""
        self.default.setEnabled(self.story.own)
        count = sum(not thumb.appendix for thumb in thumbs)
        counted = tr_line(plural(count, "slide"))
        edited = self.story.own or any(shown.view is not None for shown in self.slides)
        self.count.setText(counted if edited else f"{counted} · {tr('F5 presents the brief version')}")
        self.show_chosen()
        self.strip.pictures = {}
        self._later.start()
        return True

    def show_chosen(self) -> None:
        """Shows the selected slide, large and with its editable parts."""
        shown = self.shown
        numbers = [other.slide.key for other in self.slides]
        number = numbers.index(shown.slide.key) + 1 if shown is not None else 0
        slide = None if shown is None else self._slide(shown)
        if shown is not None and slide is None and self._shelf is not None:
            self._shelf.want((shown,), self._several)
        self.preview.show_slide(slide, SlidePlace(number, len(numbers)), self._theme)
        self.pane.show_slide(shown, number)

    def enter_sentence(self) -> None:
        """Puts the cursor into the sentence."""
        self.pane.sentence.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.pane.sentence.selectAll()

    @property
    def _several(self) -> bool:
        return self.story is not None and len(self.story.studies) > 1

    def _slide(self, shown: ShownSlide) -> Slide | None:
        return None if self._shelf is None else self._shelf.slide(shown, self._several)

    def _arrived(self, key: str) -> None:
        if not self.isVisible():
            return
        if key == self.strip.key:
            self.show_chosen()
        self._later.start()

    def _draw_thumbs(self) -> None:
        """Draws one thumbnail in view that is not drawn yet, and the next one in another turn of the event loop.
        Requests a slide that is missing, and continues when it arrives. Thumbnails that are never visible are never
        drawn."""
        seen = set(self.strip.in_view) if self.isVisible() else set()
        if self._shelf is not None and self._drawn_of is not self._shelf.figures:
            self._drawn_of = self._shelf.figures
            self._drawn.clear()
        for shown in self.slides:
            key, cached = shown.slide.key, (shows(shown, self._several), self._theme)
            if cached in self._drawn:
                self.strip.show_picture(key, self._drawn[cached])
            elif key not in seen:
                continue
            elif (slide := self._slide(shown)) is not None:
                picture = chart_picture(slide, THUMB, self._theme, self.devicePixelRatioF())
                self._drawn[cached] = QPixmap.fromImage(picture)
                self.strip.show_picture(key, self._drawn[cached])
                self._later.start()
                return
            elif self._shelf is not None:
                self._shelf.want((shown,), self._several)
                return

    def _build(self) -> None:
        upper = in_row((self.preview, 1), _scrolled(self.pane), spacing=_GAP)
        lower = QFrame()
        lower.setProperty("card", True)
        head = in_row(labelled(tr("Storyboard"), "heading"), self.count, 1)
        for button in (self.default, self.add, self.export, self.present):
            head.addWidget(button)
        self.default.setProperty("kind", "quiet")
        self.present.setProperty("kind", "primary")
        below = in_column(on=lower, margins=(12, 8, 12, 6), spacing=4)
        # The strip is first in the keyboard order.
        below.addWidget(self.strip)
        below.insertLayout(0, head)
        column = in_column(lower, on=self, margins=(0, 0, 0, 0), spacing=_GAP)
        column.insertLayout(0, upper, 1)
        self.strip.chosen.connect(self.show_chosen)
        self.strip.scrolled.connect(self._later.start)
        self.strip.edit_wanted.connect(self.enter_sentence)
        self.preview.opened.connect(self.present_wanted)
        self.present.clicked.connect(self.present_wanted)
        self.add.clicked.connect(self.add_wanted)
        self.export.clicked.connect(self.export_wanted)
        self.default.clicked.connect(self.default_wanted)


def _scrolled(pane: QWidget) -> QScrollArea:
    """The pane in a scroll area, for small windows."""
    area = QScrollArea()
    area.setWidget(pane)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFixedWidth(pane.minimumWidth() + area.verticalScrollBar().sizeHint().width())
    return area


def _thumb(number: int, shown: ShownSlide) -> Thumb:
    caveats = len(shown.findings[0].caveats) if shown.findings else 0
    count = tr_line(f"{caveats} caveat{'s' if caveats > 1 else ''}") if caveats else ""
    return Thumb(
        shown.slide.key, number, _sentence(shown) or shown.slide.view, said(shown.notice) or count, shown.slide.appendix
    )


def _sentence(shown: ShownSlide) -> str:
    """The user's text unchanged; a generated sentence in the window's language."""
    return shown.sentence if shown.slide.words is not None else said(shown.sentence)


PANE_PX = 348
SWITCHES = (
    ("claim", "Highlight the bar named in the headline"),
    ("bracket", "Show difference and interval in a bracket"),
    ("baseline", "Baseline"),
    ("value_axis", "Value axis"),
    ("source", "Source line"),
)


class _Field(QPlainTextEdit):
    """A text field. Emits `done` when it loses the focus. Ctrl+Enter leaves it, and so does Enter if it is one
    sentence."""

    done = Signal(str)

    def __init__(self, name: str, sentence: bool) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self._sentence, self._was = sentence, ""

    def show_text(self, text: str) -> None:
        """Shows a text, except while the user types another one."""
        if not (self.hasFocus() and self.toPlainText() != self._was):
            self._was = text
            if text != self.toPlainText():
                self.setPlainText(text)

    def finish(self) -> None:
        """Emits the typed text once."""
        if (text := self.toPlainText()) != self._was:
            self._was = text
            self.done.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter finishes a sentence, Ctrl+Enter any text; Esc discards the typed text."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and (self._sentence or event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self.finish()
        elif event.key() == Qt.Key.Key_Escape and self.toPlainText() != self._was:
            self.setPlainText(self._was)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keeps the typed text."""
        super().focusOutEvent(event)
        self.finish()


class SlidePane(QFrame):
    """`sentence_typed` and `notes_typed` pass a text, `switched` the new options, `part_wanted` True if the slide
    belongs to the appendix. `restore_wanted` asks for the generated text, `evidence_asked` for the page with the
    evidence."""

    sentence_typed = Signal(str)
    notes_typed = Signal(str)
    switched = Signal(object)
    part_wanted = Signal(bool)
    restore_wanted = Signal()
    evidence_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setFixedWidth(PANE_PX)
        self.title, self.kind, self.notice = labelled("", "heading"), labelled("", "quiet"), labelled("", "quiet")
        self.notice.setWordWrap(True)
        self.sentence, self.notes = _Field(tr("Headline"), True), _Field(tr("Speaker notes"), False)
        self.evidence, self.restore = QPushButton(tr("Evidence")), QPushButton(tr("Restore generated text"))
        self.boxes = {name: QCheckBox(tr(words)) for name, words in SWITCHES}
        self.appendix = QCheckBox(tr("Show in appendix"))
        self._switches = Switches()
        self._build()

    def show_slide(self, shown: ShownSlide | None, number: int) -> None:
        """Shows the parts of a slide; None if there is none."""
        self.setEnabled(shown is not None)
        if shown is None:
            return
        slide, finding = shown.slide, next(iter(shown.findings), None)
        self.title.setText(f"{tr('Slide')} {number}")
        self.kind.setText(" · ".join(filter(None, (tr(finding.strength.value) if finding else "", tr(slide.kind)))))
        self.evidence.setVisible(bool(finding is not None and finding.page))
        self.restore.setVisible(slide.words is not None)
        caveats = " ".join(finding.caveats) if finding is not None else ""
        self.notice.setText(said(shown.notice or caveats))
        self.notice.setVisible(bool(self.notice.text()))
        self.sentence.show_text(_sentence(shown))
        self.notes.show_text(slide.notes or "")
        self._switches = slide.switches
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(getattr(slide.switches, name))
                # The chart of a page is not dimmed and has no bracket.
                box.setEnabled(bool(shown.claims) or name == "source")
        with QSignalBlocker(self.appendix):
            self.appendix.setChecked(slide.appendix)

    def _build(self) -> None:
        self.sentence.setMaximumHeight(76)
        self.sentence.setMinimumHeight(60)
        hint = labelled(tr("Numbers in the text change with the data."), "quiet")
        hint.setWordWrap(True)
        head = in_row(self.title, self.kind, 1, self.evidence)
        parts = (head, labelled(tr("Headline"), "heading"), self.sentence, hint)
        column = in_column(*parts, on=self, margins=(16, 12, 16, 12), spacing=6)
        column.addWidget(self.restore, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.notice)
        column.addWidget(labelled(tr("Speaker notes"), "heading"))
        self.notes.setMinimumHeight(48)
        self.notes.setMaximumHeight(120)
        column.addWidget(self.notes, 1)
        column.addWidget(labelled(tr("Chart"), "heading"))
        for box in self.boxes.values():
            column.addWidget(box)
            box.toggled.connect(self._switch)
        column.addWidget(self.appendix)
        column.addStretch(1)
        for button in (self.evidence, self.restore):
            button.setProperty("kind", "link")
        self.sentence.done.connect(self.sentence_typed)
        self.notes.done.connect(self.notes_typed)
        self.evidence.clicked.connect(self.evidence_asked)
        self.restore.clicked.connect(self.restore_wanted)
        self.appendix.toggled.connect(self.part_wanted)

    def _switch(self) -> None:
        self.switched.emit(Switches(**{name: box.isChecked() for name, box in self.boxes.items()}))
