"""The (i) beside a question: how to read the page, its method, and the way to its docs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import QBrush, QColor, QDesktopServices, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.answers.common.page import Sign
from workbench.charts.palette import THEMES, Tokens
from workbench.gui.services.assets import icon
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import current_theme, dress, labelled, running_application
from workbench.gui.services.translation import tr

TITLE = "How to read this page"
_WIDE, _MARGIN = 396, 18
_GLYPH = QSize(36, 24)
_DOCS = Path(__file__).parents[3] / "docs"


class ReadingButton(QToolButton):
    """A round i; pressed it opens the popover under itself, pressed again it closes it. Hidden if a page has nothing to
    explain."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr(TITLE))
        self.setToolTip(plain_tip(f"{tr(TITLE)} (F1)"))
        self.popover: ReadingPopover | None = None
        self._offered: tuple[tuple[Sign, ...], tuple[str, ...], str] = (), (), ""
        self.setVisible(False)
        self.clicked.connect(self.turn)

    def offer(self, signs: Sequence[Sign], method: Sequence[str], docs: str) -> None:
        """Takes what the popover says: signs and their meaning, the method, the page of the docs. A popover with other
        words closes."""
        offered = tuple(signs), tuple(method), docs
        if offered != self._offered:
            self.close_popover()
        self._offered = offered
        self.setIcon(icon("info", current_theme(running_application())))
        self.setVisible(bool(signs or method))

    def turn(self) -> None:
        """Opens the popover under the button and gives it the keyboard; closes it if it is open."""
        if self.popover is not None:
            self.close_popover()
        elif self.isVisible():
            self.popover = ReadingPopover(self, *self._offered)
            self.popover.show_under()

    def close_popover(self) -> None:
        """Closes the popover and takes the keyboard back."""
        if self.popover is not None:
            had_keyboard = self.popover.isAncestorOf(running_application().focusWidget() or self)
            self.popover.hide()
            self.popover.deleteLater()
            self.popover = None
            if had_keyboard:
                self.setFocus()


class ReadingPopover(QFrame):
    """At most six signs with their meaning, the method in short sentences, a link to the docs. Esc, F1 and a click
    outside close it; the page behind it stays as it is."""

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
        """Takes its place under the button, inside the window and no higher than the room there."""
        button, window = self._button, self._button.window()
        at = button.mapTo(window, QPoint(0, button.height() + 4))
        wide = min(_WIDE, window.width() - 16)
        # Shown first: words have their final size only then.
        self.show()
        self.raise_()
        tall = self._inside.heightForWidth(wide - 2) + self._foot.sizeHint().height() + 4
        left = min(max(at.x() - 36, 8), window.width() - wide - 8)
        self.setGeometry(left, at.y(), wide, min(tall, window.height() - at.y() - 8))
        running_application().installEventFilter(self)
        # The frame itself where there is no link: a screen reader reads its description.
        (self.link if self.link.isVisible() else self.area).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Closes on Esc and on a click outside; the click still does what it does elsewhere."""
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
            # By its place: a press that nothing takes is told to what lies behind, too.
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
        # The rounded ground is that of the frame.
        for part in (self.area.viewport(), self._inside):
            part.setAutoFillBackground(False)
        self.area.setAccessibleName(tr(TITLE))
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(_MARGIN, 8, _MARGIN, 10)
        known = docs_page(docs) is not None
        self.link.setVisible(known)
        foot.addWidget(self.link)
        foot.addWidget(labelled("" if known else docs, "quiet"))
        foot.addStretch(1)
        foot.addWidget(labelled("F1", "keys"))
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.area, 1)
        column.addWidget(self._foot)

    def _open_docs(self, docs: str) -> None:
        page = docs_page(docs)
        self._button.close_popover()
        if page is not None:
            QDesktopServices.openUrl(page)


class SignGlyph(QWidget):
    """A mark as charts draw it, 36 by 24 pixels."""

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
    """The page of the docs in the folder of the sources; None where they are not there."""
    name, _, anchor = docs.partition("#")
    if not docs or not (_DOCS / name).is_file():
        return None
    url = QUrl.fromLocalFile(str(_DOCS / name))
    url.setFragment(anchor)
    return url


def _paint(painter: QPainter, glyph: str, tokens: Tokens) -> None:
    """Draws one of `GLYPHS`; any other text as it is."""
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
        case "hatched":
            painter.fillRect(QRectF(2, middle - 5, wide - 8, 10), pale)
            painter.fillRect(QRectF(2, middle - 5, wide - 8, 10), QBrush(ink, Qt.BrushStyle.BDiagPattern))
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
