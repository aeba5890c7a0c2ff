"""The head of every page: the question, the exact measured quantity, and the choosers.

Also the (i) next to a question: how to read the page, its method, and the link to its docs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSignalBlocker, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QScrollArea, QToolButton, QWidget

from workbench.answers.common.chosen import chosen_metric, chosen_phase
from workbench.answers.common.spec import PageSpec, Sign
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment
from workbench.answers.registry import unused_choosers, whole_run_shown
from workbench.charts.palette import THEMES, Tokens
from workbench.gui.services.actions import command
from workbench.gui.services.assets import icon
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import current_theme, dress, labelled, running_application
from workbench.gui.services.translation import said, tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.widgets.boxes import CaptionedBox
from workbench.gui.widgets.labels import WrappedLabel
from workbench.measures.configurations import phase_names
from workbench.measures.traced import TRACED
from workbench.words.metrics import phase_words

_GAP, _BESIDE = 8, 24
_CAPTION_LINES = 2
_Place = tuple[int, int, int, int]
SCALES = (("linear", "Common axis, linear"), ("log", "Common axis, logarithmic"), ("own", "Separate axes"))


class Chooser(QWidget):
    """A box of choices with its caption inside."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self.box = CaptionedBox(tr(caption))
        in_column(self.box, on=self, margins=(0, 0, 0, 0))

    def offer(self, choices: Sequence[tuple[Any, str]], chosen: Any) -> None:
        """Shows these (value, text) choices with `chosen` selected, without emitting a signal."""
        with QSignalBlocker(self.box):
            self.box.clear()
            for value, words in choices:
                self.box.addItem(said(words), value)
            index = next((at for at, (value, _) in enumerate(choices) if value == chosen), -1)
            self.box.setCurrentIndex(index)
        self.box.updateGeometry()
        self.box.setEnabled(len(choices) > 0)


class PageHeader(QWidget):
    """Title, caption and choosers. The user's choice goes to the workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._names: frozenset[str] = frozenset()
        self._view = ""
        self.question, self.reading = WrappedLabel("title"), ReadingButton()
        # The remaining space of the row keeps the sign to the right of the text.
        self._asked = in_row((self.question, 1), self.reading, 0, spacing=_GAP)
        self.again = QPushButton(tr("Reload"))
        self.again.setToolTip(tr("Reload files that have changed"))
        self._bar, self._grid = QWidget(self), QGridLayout(self)
        self._places: tuple[object, ...] = ()
        self.caption = WrappedLabel("quiet")
        # The view comes last, so it keeps its place when other choosers are hidden.
        self.choosers = {
            "phase": Chooser("Phase"),
            "metric": Chooser("Metric"),
            "alignment": Chooser("Aligned at"),
            "scale": Chooser("Scale"),
            "study": Chooser("Study"),
            "view": Chooser("View"),
        }
        self._build()
        for name, chooser in self.choosers.items():
            chooser.box.activated.connect(lambda _at, name=name: self._chosen(name))

    def show_page(self, spec: PageSpec, *, of_files: bool = False) -> None:
        """Shows the choosers that the page uses, its views if it has several, and the studies if it answers from
        several and can show one alone. A page with `of_files` offers to read the files again."""
        state, library = self._workspace.state, self._workspace.library
        names, views, studies = spec.choosers, spec.views, spec.studies(library)
        any_runs = bool(library.with_runs)
        shown, known = state.page_view(state.page), [key for key, _ in views]
        self._view = shown if shown in known else next(iter(known), "")
        self._names = names - unused_choosers(state.page, self._view)
        if not self._metrics():
            self._names -= {"metric"}
        for name, chooser in self.choosers.items():
            chooser.setVisible(any_runs and name in self._names)
        self.choosers["view"].setVisible(bool(views) and bool(library.files))
        self.choosers["view"].offer(views, self._view)
        self.choosers["study"].setVisible(len(studies) > 1)
        self.choosers["study"].offer(
            [("", tr("All studies")), *((name, name) for name in studies)], spec.chosen_study(library, state)
        )
        self.again.setVisible(of_files and bool(library.files))
        self._arrange()

    def refresh(self) -> None:
        """Offers the choices of the current study."""
        state, library = self._workspace.state, self._workspace.library
        phases = phase_names(library.shown(state))
        whole = whole_run_shown(state.page, self._view)
        named: list[tuple[Any, str]] = [(name, phase_words(name).capitalize()) for name in phases]
        if whole and library.with_runs:
            named.append((WHOLE_RUN, "Whole run"))
        # A chooser must show the value used by the page, even if it differs from the choice.
        self.choosers["phase"].offer(named, chosen_phase(library, state, whole))
        # Runs without a phase have nothing to choose and no phase to start at.
        if self.choosers["phase"].box.currentIndex() < 0:
            self.choosers["phase"].hide()
        self.choosers["metric"].offer(self._metrics(), chosen_metric(library, state))
        starts = [alignment for alignment in Alignment if phases or alignment is not Alignment.PHASE_START]
        self.choosers["alignment"].offer(
            [(start, start.value.capitalize()) for start in starts],
            state.alignment if state.alignment in starts else Alignment.RUN_START,
        )
        self.choosers["scale"].offer(SCALES, state.scale)
        self._arrange()

    def _metrics(self) -> list[tuple[Any, str]]:
        present = self._workspace.library.metrics(self._workspace.state)
        return [(metric, measure.name) for metric, measure in TRACED.items() if metric in present]

    def show_text(self, question: str, caption: str) -> None:
        """Shows the page's question and the exact measured quantity."""
        self.question.setText(tr(question))
        self.caption.show_text(caption)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Places the choosers for the new width."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Places the choosers for the new font size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._arrange()

    def _build(self) -> None:
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BESIDE)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        in_row(1, *self.choosers.values(), self.again, on=self._bar, margins=(0, 0, 0, 0), spacing=_GAP)
        self.again.hide()
        self._arrange()

    def _arrange(self) -> None:
        """Places the choosers next to the question if it keeps one line; otherwise next to the caption if it keeps two
        lines; otherwise below both."""
        shown = any(not widget.isHidden() for widget in (*self.choosers.values(), self.again))
        self._bar.setVisible(shown)
        sign = self.reading.sizeHint().width() + _GAP if not self.reading.isHidden() else 0
        left = self.width() - sign - (self._bar.sizeHint().width() + _BESIDE if shown else 0)
        self.question.setMaximumWidth(self.question.width_of_text())
        if not shown or self.question.lines(left) == 1:
            places: tuple[_Place, ...] = ((0, 0, 1, 1), (1, 0, 1, 2), (0, 1, 1, 1))
        elif self.caption.lines(left) <= _CAPTION_LINES:
            places = ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1))
        else:
            places = ((0, 0, 1, 2), (1, 0, 1, 2), (2, 0, 1, 2))
        if places != self._places:
            self._places = places
            asked, *others = places
            self._grid.removeItem(self._asked)
            self._grid.addLayout(self._asked, *asked)
            for widget, place in zip((self.caption, self._bar), others, strict=True):
                self._grid.addWidget(widget, *place)

    def _chosen(self, name: str) -> None:
        chosen = self.choosers[name].box.currentData()
        state = self._workspace.state
        if name == "view":
            self._workspace.apply(page_views=state.with_page_view(state.page, chosen).page_views)
        elif name == "study":
            self._workspace.apply(alone=state.with_study_alone(state.page, chosen).alone)
        else:
            self._workspace.apply(**{name: chosen})


TITLE = "How to read this page"
_WIDE, _MARGIN = 396, 18
_GLYPH = QSize(36, 24)
_DOCS = Path(__file__).parents[3] / "docs"


class ReadingButton(QToolButton):
    """A round (i). A click opens or closes the popover below it. Hidden if a page has nothing to explain."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr(TITLE))
        self.setToolTip(plain_tip(f"{tr(TITLE)} (F1)"))
        self.popover: ReadingPopover | None = None
        self._offered: tuple[tuple[Sign, ...], tuple[str, ...], str] = (), (), ""
        self.setVisible(False)
        self.clicked.connect(self.turn)

    def offer(self, signs: Sequence[Sign], method: Sequence[str], docs: str) -> None:
        """Sets the content of the popover: signs and their meaning, the method, the page of the docs. A popover with
        other content closes."""
        offered = tuple(signs), tuple(method), docs
        if offered != self._offered:
            self.close_popover()
        self._offered = offered
        self.setIcon(icon("info", current_theme(running_application())))
        self.setVisible(bool(signs or method))

    @command("&Help", "&Explain this page", "F1", place=110)
    def turn(self) -> None:
        """Opens the popover below the button and gives it the keyboard focus, or closes it if it is open."""
        if self.popover is not None:
            self.close_popover()
        elif self.isVisible():
            self.popover = ReadingPopover(self, *self._offered)
            self.popover.show_under()

    def close_popover(self) -> None:
        """Closes the popover and takes the keyboard focus back."""
        if self.popover is not None:
            had_keyboard = self.popover.isAncestorOf(running_application().focusWidget() or self)
            self.popover.hide()
            self.popover.deleteLater()
            self.popover = None
            if had_keyboard:
                self.setFocus()


class ReadingPopover(QFrame):
    """The content of the (i): at most six signs with their meaning, the method in short sentences, and a link to the
    docs. Esc, F1 and a click outside close it. The page behind it does not change."""

    def __init__(self, button: ReadingButton, signs: Sequence[Sign], method: Sequence[str], docs: str) -> None:
        super().__init__(button.window())
        self._button = button
        self.setObjectName("popover")
        self.setAccessibleName(tr(TITLE))
        lines = [*(tr(sign.words) for sign in signs), *method]
        self.setAccessibleDescription(". ".join(line.rstrip(".") for line in lines))
        self.link = QPushButton(tr("Method and formulas"))
        self.link.setProperty("kind", "link")
        self.link.setAccessibleDescription(docs)
        self.link.clicked.connect(lambda: self._open_docs(docs))
        self.area, self._inside = QScrollArea(), QWidget()
        self._build(signs, method, docs)
        dress(self)

    def show_under(self) -> None:
        """Moves below the button, inside the window and no higher than the room there."""
        button, window = self._button, self._button.window()
        at = button.mapTo(window, QPoint(0, button.height() + 4))
        wide = min(_WIDE, window.width() - 16)
        # Shown first, because text gets its final size only when it is shown.
        self.show()
        self.raise_()
        tall = self._inside.heightForWidth(wide - 2) + self._foot.sizeHint().height() + 4
        left = min(max(at.x() - 36, 8), window.width() - wide - 8)
        self.setGeometry(left, at.y(), wide, min(tall, window.height() - at.y() - 8))
        running_application().installEventFilter(self)
        # The frame itself if there is no link: a screen reader reads its description.
        (self.link if self.link.isVisible() else self.area).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Closes on Esc and on a click outside. The click still has its normal effect."""
        if not self.isVisible():
            return False
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self._button.close_popover()
                return True
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            # Compared by position, because a press that no widget handles is also reported to the widgets behind.
            at = event.globalPosition().toPoint()
            if not any(part.rect().contains(part.mapFromGlobal(at)) for part in (self, self._button)):
                self._button.close_popover()
        elif event.type() == QEvent.Type.Resize and watched is self.window():
            self._button.close_popover()
        return False

    def _build(self, signs: Sequence[Sign], method: Sequence[str], docs: str) -> None:
        self._inside.setObjectName("popover-inside")
        grid = QGridLayout(self._inside)
        grid.setContentsMargins(_MARGIN, 14, _MARGIN, 12)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(labelled(tr(TITLE), "heading"), 0, 0, 1, 2)
        for row, sign in enumerate(signs, 1):
            grid.addWidget(SignGlyph(sign.glyph), row, 0)
            grid.addWidget(labelled(tr(sign.words)), row, 1)
        if signs and method:
            rule = QFrame()
            rule.setFrameShape(QFrame.Shape.HLine)
            grid.addWidget(rule, len(signs) + 1, 0, 1, 2)
        for row, line in enumerate(method, len(signs) + 2):
            label = labelled(line, "quiet")
            label.setWordWrap(True)
            grid.addWidget(label, row, 0, 1, 2)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._inside)
        # The rounded background is that of the frame.
        for part in (self.area.viewport(), self._inside):
            part.setAutoFillBackground(False)
        self.area.setAccessibleName(tr(TITLE))
        self._foot = QWidget()
        known = docs_page(docs) is not None
        self.link.setVisible(known)
        parts = (self.link, labelled("" if known else docs, "quiet"), 1, labelled("F1", "keys"))
        in_row(*parts, on=self._foot, margins=(_MARGIN, 8, _MARGIN, 10))
        in_column((self.area, 1), self._foot, on=self, margins=(1, 1, 1, 1), spacing=0)

    def _open_docs(self, docs: str) -> None:
        page = docs_page(docs)
        self._button.close_popover()
        if page is not None:
            QDesktopServices.openUrl(page)


class SignGlyph(QWidget):
    """A mark as in charts, 36 by 24 pixels."""

    def __init__(self, glyph: str) -> None:
        super().__init__()
        self._glyph = glyph
        self.setFixedSize(_GLYPH)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the mark in the theme's colours."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint(painter, self._glyph, THEMES[current_theme(running_application())])
        painter.end()


def docs_page(docs: str) -> QUrl | None:
    """The page of the docs in the source folder; None if it is not there."""
    name, _, anchor = docs.partition("#")
    if not docs or not (_DOCS / name).is_file():
        return None
    url = QUrl.fromLocalFile(str(_DOCS / name))
    url.setFragment(anchor)
    return url


def _paint(painter: QPainter, glyph: str, tokens: Tokens) -> None:
    """Draws one of `GLYPHS`; any other text as plain text."""
    ink, quiet = QColor(tokens.accent), QColor(tokens.quiet)
    wide, middle, across = float(_GLYPH.width()), _GLYPH.height() / 2, _GLYPH.width() / 2
    pale = QColor(ink)
    pale.setAlphaF(0.25)
    line = QPen(ink, 2.0)
    painter.setPen(line)
    match glyph:
        case "line":
            painter.drawLine(QPointF(2, middle), QPointF(wide - 2, middle))
        case "dashed" | "dotted":
            style = Qt.PenStyle.DashLine if glyph == "dashed" else Qt.PenStyle.DotLine
            painter.setPen(QPen(QColor(tokens.text), 1.6, style))
            painter.drawLine(QPointF(2, middle), QPointF(wide - 2, middle))
        case "band":
            painter.fillRect(QRectF(2, middle - 5, wide - 4, 10), pale)
            painter.drawLine(QPointF(2, middle), QPointF(wide - 2, middle))
        case "margin":
            grey = QColor(quiet)
            grey.setAlphaF(0.3)
            painter.fillRect(QRectF(2, middle - 5, wide - 4, 10), grey)
        case "whisker":
            painter.setPen(QPen(QColor(tokens.text), 1.6))
            for y in (3.0, 2 * middle - 3):
                painter.drawLine(QPointF(across - 6, y), QPointF(across + 6, y))
            painter.drawLine(QPointF(across, 3), QPointF(across, 2 * middle - 3))
        case "bar":
            painter.fillRect(QRectF(2, middle - 5, wide - 8, 10), ink)
        case "outlined":
            painter.fillRect(QRectF(2, middle - 5, wide - 8, 10), pale)
            painter.setPen(QPen(ink, 1.5))
            painter.drawRect(QRectF(2.75, middle - 4.25, wide - 9.5, 8.5))
        case "heat":
            for at, share in enumerate((0.15, 0.4, 0.7, 1.0)):
                shade = QColor(ink)
                shade.setAlphaF(share)
                painter.fillRect(QRectF(2 + 8 * at, middle - 5, 8, 10), shade)
        case "dots":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            for x, y in ((across - 11, middle - 1), (across, middle + 3), (across + 11, middle - 3)):
                painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
        case "diamond":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            corners = (QPointF(0, -6), QPointF(6, 0), QPointF(0, 6), QPointF(-6, 0))
            painter.drawPolygon([QPointF(across, middle) + corner for corner in corners])
        case _:
            painter.setPen(QColor(tokens.text))
            painter.drawText(QRectF(0, 0, wide, 2 * middle), Qt.AlignmentFlag.AlignCenter, glyph)
