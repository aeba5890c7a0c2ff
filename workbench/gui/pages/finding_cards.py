"""The strongest findings as cards: a large sentence, its chart, and the link to its evidence.

The sentence has at most six lines. Names and one number are in bold. The sentence is always shown as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from workbench.charts.claim import Claim, FindingCard, Lead, Statement, claim_words
from workbench.charts.palette import ThemeName
from workbench.gui.plot.claim.chart import paint_claim
from workbench.gui.plot.ink import Ink
from workbench.gui.services.assets import ui_font
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import labelled, running_application
from workbench.gui.services.translation import tr, tr_line
from workbench.gui.widgets.labels import ElidedLabel, WrappedLabel
from workbench.gui.widgets.look_icon import look_pixmap
from workbench.words.captions import as_sentences, capital
from workbench.words.numbers import THIN

# Height of the chart, distance of the cards and their side margins in pixels, and the window widths below which two
# cards or one are shown side by side.
_CHART_PX, _GAP, _PAD = 150, 12, 16
_TWO_BELOW, _ONE_BELOW = 1200, 900
# Number of findings that a digit key opens; number of paragraphs that replace a missing chart.
_KEYS, _PARAGRAPHS = 3, 4


def banner() -> QLabel:
    """A line with a coloured edge for a message that applies to everything below; hidden if there is no message."""
    label = labelled("")
    label.setProperty("callout", "warning")
    label.hide()
    return label


class TableLinks(QWidget):
    """Links at the foot of a page that lead to its tables. `asked` reports the name of a table."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: list[QPushButton] = []
        self._row = in_row(1, on=self, margins=(0, 0, 0, 0))

    def show_links(self, links: Sequence[tuple[str, str]]) -> None:
        """Shows these links (text, name of a table) instead of the earlier ones."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [_link(tr_line(words)) for words, _ in links]
        for button, (_, name) in zip(self.buttons, links, strict=True):
            button.clicked.connect(partial(self.asked.emit, name))
            self._row.addWidget(button)


def _link(words: str) -> QPushButton:
    button = QPushButton(plain_button(words))
    button.setProperty("kind", "link")
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


class ClaimView(QWidget):
    """The chart of one finding."""

    def __init__(self) -> None:
        super().__init__()
        self.claim: Claim | None = None
        self._ink = Ink("light")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def show_claim(self, claim: Claim | None, theme: ThemeName, scale: float) -> None:
        """Draws this claim; draws nothing if the finding has none."""
        self.claim, self._ink = claim, Ink(theme, scale)
        self.setMinimumHeight(round(_CHART_PX * scale))
        self.setAccessibleName(tr("Chart of the finding"))
        self.setAccessibleDescription("" if claim is None else claim_words(claim))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the claim."""
        if self.claim is not None:
            painter = QPainter(self)
            paint_claim(painter, self._ink, QRectF(self.rect()).adjusted(2, 2, -2, -2), self.claim)
            painter.end()


class FindingFrame(QFrame):
    """One card. `evidence_asked` reports the key of its finding."""

    evidence_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.sentence, self.chart, self.whole = SentenceLabel(), ClaimView(), WrappedLabel("quiet")
        self.foot = ElidedLabel("quiet")
        self.evidence = _link(tr("Evidence"))
        self.evidence.clicked.connect(self._ask)
        self.key = ""
        parts = (self.sentence, (self.chart, 1), self.whole, 0, in_row((self.foot, 1), self.evidence))
        in_column(*parts, on=self, margins=(_PAD, 13, _PAD, 8), spacing=10)

    def tell(self, place: int, card: FindingCard, theme: ThemeName, scale: float) -> None:
        """Shows this finding; its position is counted from 1."""
        self.key = card.key
        self.sentence.tell(card.sentence, card.number, place, scale)
        self.chart.show_claim(card.claim, theme, scale)
        self.chart.setVisible(card.claim is not None)
        # If there is no chart, the caveats are shown; the sentence is not repeated.
        caveats = card.tip.split("\n")[1:]
        self.whole.setVisible(card.claim is None and bool(caveats))
        self.whole.show_text("\n".join(caveats[:_PARAGRAPHS]))
        foot = tr_line(card.foot)
        self.foot.show_text(foot)
        self.setToolTip(plain_tip(card.tip))
        self.evidence.setAccessibleName(f"{tr('Evidence')}: {card.sentence}")
        self.setAccessibleName(as_sentences((f"{place}. {card.sentence}", capital(foot))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes to the evidence on Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask()
            return
        super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Goes to the evidence."""
        self._ask()
        super().mouseDoubleClickEvent(event)

    def _ask(self) -> None:
        self.evidence_asked.emit(self.key)


class StatementFrame(QFrame):
    """Replaces the cards if nothing can be compared yet: the reason, the next step, and the dates of the runs."""

    evidence_asked = Signal(str)
    command_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._key = ""
        self.title, self.why, self.steps = labelled("", "title"), WrappedLabel(""), WrappedLabel("")
        self.tag = labelled("", "quiet")
        self.check, self.prepare = QPushButton(tr("Check detected runs")), QPushButton(tr("Prepare a test"))
        self.check.setProperty("kind", "primary")
        self._key = ""
        self.check.clicked.connect(lambda: self.evidence_asked.emit(self._key))
        self.prepare.clicked.connect(lambda: self.command_asked.emit("prepare"))
        self._days = QGridLayout()
        words = (self.title, self.why, labelled(tr("Next steps"), "heading"), self.steps)
        left = in_column(*words, in_row(self.check, self.prepare, 1), 1, self.tag, spacing=10)
        right = in_column(labelled(tr("Dates of the runs"), "heading"), self._days, 1)
        in_row((left, 3), (right, 2), on=self, margins=(24, 18, 24, 14), spacing=32)

    def tell(self, statement: Statement, theme: ThemeName) -> None:
        """Shows this statement instead of the earlier one."""
        self._key = statement.key
        self.title.setText(tr(statement.title))
        self.why.show_text("\n".join(statement.why))
        self.steps.show_text("\n".join(statement.next_steps))
        self.tag.setText(tr_line(statement.tag))
        while (item := self._days.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._days.setColumnStretch(1, 1)
        for row, (name, look, day) in enumerate(statement.days):
            mark, label = labelled(""), ElidedLabel("")
            mark.setPixmap(look_pixmap(look, theme))
            label.show_text(name)
            for column, widget in enumerate((mark, label, labelled(day, "quiet"))):
                self._days.addWidget(widget, row, column)
        days = "; ".join(f"{name}: {day}" for name, _, day in statement.days)
        self.setAccessibleName(" ".join((self.title.text(), *statement.why, *statement.next_steps)))
        self.setAccessibleDescription(days)


class FindingCards(QWidget):
    """Up to three findings side by side, equally wide: two in a narrow window, one in a very narrow one. If nothing can
    be compared, a statement replaces them; `command_asked` reports the command that it offers."""

    evidence_asked = Signal(str)
    command_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lead: Lead | None = None
        self.frames: list[FindingFrame] = []
        self._row = in_row(on=self, margins=(0, 0, 0, 0), spacing=_GAP)
        self.statement: StatementFrame | None = None
        for place in range(1, _KEYS + 1):
            shortcut = QShortcut(QKeySequence(str(place)), parent or self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self.ask_evidence, place))

    def show_lead(self, lead: Lead | None, theme: ThemeName) -> None:
        """Shows these findings instead of the earlier ones."""
        self.lead = lead
        cards = lead.findings if lead is not None else ()
        self._show_statement(None if lead is None else lead.statement, theme)
        scale = float(running_application().property("type_scale") or 1.0)
        while len(self.frames) < len(cards):
            frame = FindingFrame()
            frame.evidence_asked.connect(self.evidence_asked)
            self.frames.append(frame)
            self._row.addWidget(frame, 1)
            self._put_first((frame, frame.evidence))
        for place, (frame, card) in enumerate(zip(self.frames, cards, strict=False), start=1):
            frame.tell(place, card, theme, scale)
        self._fit()

    def _show_statement(self, statement: Statement | None, theme: ThemeName) -> None:
        if self.statement is None and statement is not None:
            self.statement = StatementFrame()
            self.statement.evidence_asked.connect(self.evidence_asked)
            self.statement.command_asked.connect(self.command_asked)
            self._row.addWidget(self.statement, 1)
            self._put_first((self.statement, self.statement.check, self.statement.prepare))
        if self.statement is not None:
            self.statement.setVisible(statement is not None)
            if statement is not None:
                self.statement.tell(statement, theme)

    def _put_first(self, stops: Sequence[QWidget]) -> None:
        """Puts these widgets after the existing cards in the tab order. Otherwise widgets that are created late would
        be last, wherever they are shown.
        """
        before = self.frames[-2].evidence if len(self.frames) > 1 and stops[0] is self.frames[-1] else self
        # Otherwise Qt would continue from the last widget in a widget that takes no keyboard focus.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for first, second in pairwise((before, *stops)):
            QWidget.setTabOrder(first, second)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """The height of the highest card at this width."""
        wide = max(self.width(), 1)
        tall = self._row.totalHeightForWidth(wide) if self._row.hasHeightForWidth() else super().sizeHint().height()
        return QSize(super().sizeHint().width(), tall)

    def ask_evidence(self, place: int) -> bool:
        """Goes to the evidence of the finding at a position counted from 1; False if there is none."""
        cards = self.lead.findings if self.lead is not None else ()
        if not 1 <= place <= len(cards):
            return False
        self.evidence_asked.emit(cards[place - 1].key)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows as many cards as fit side by side."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Uses the height for the new font size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        wide = _top(self).width()
        most = 1 if wide < _ONE_BELOW else 2 if wide < _TWO_BELOW else 3
        count = len(self.lead.findings) if self.lead is not None else 0
        for place, frame in enumerate(self.frames):
            frame.setVisible(place < min(most, count))
        self._give_lines(self.frames[: min(most, count)])
        for frame in self.frames:
            # Otherwise the row would keep the heights of the earlier texts until the next event.
            frame.updateGeometry()
        self.setFixedHeight(self.sizeHint().height())

    def _give_lines(self, frames: Sequence[FindingFrame]) -> None:
        """Gives all sentences the lines that the longest one needs, so the charts are aligned."""
        if frames:
            wide = (self.width() - _GAP * (len(frames) - 1)) // len(frames) - 2 * _PAD - 2
            needed = max(frame.sentence.lines_at(wide) for frame in frames)
            for frame in frames:
                frame.sentence.keep_lines(min(max(needed, _FEWEST), _LINES))


def _top(widget: QWidget) -> QWidget:
    """The topmost parent of a widget."""
    while (parent := widget.parentWidget()) is not None:
        widget = parent
    return widget


_POINTS, _FEWEST, _LINES = 13.5, 2, 6
_MARK_PX = 24
_FIRM = "\u202f"


# A name in quotes, English or German.
_QUOTED = re.compile(r"(?<!\w)['„](.+?)['“](?!\w)")


def _bold(start: int, length: int) -> QTextLayout.FormatRange:
    span, form = QTextLayout.FormatRange(), QTextCharFormat()
    form.setFontWeight(QFont.Weight.Bold)
    span.start, span.length, span.format = start, length, form
    return span


class SentenceLabel(QWidget):
    """Shows `number` in a disk before the sentence. Text beyond six lines is replaced by …; `cut` reports this."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.strong, self.place, self.scale, self._lines = "", "", 0, 1.0, _LINES
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def tell(self, text: str, strong: str, place: int, scale: float) -> None:
        """Shows this sentence with its names and `strong` in bold; its `place` is counted from 1."""
        self.text, self.strong, self.place, self.scale = text, strong, place, scale
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The height of the lines of cards side by side, so their charts are aligned."""
        return QSize(200, round(self._lines * QFontMetricsF(self._font()).lineSpacing()) + 2)

    def minimumSizeHint(self) -> QSize:
        """A minimal width."""
        return QSize(0, self.sizeHint().height())

    def lines_at(self, wide: int) -> int:
        """The number of lines that the sentence needs at this width."""
        return self._layout(self.text, wide).lineCount()

    def keep_lines(self, lines: int) -> None:
        """Has room for this number of lines."""
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()

    @property
    def cut(self) -> bool:
        """True if the sentence needs more than six lines at this width."""
        return self._fitted() != self.text

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the sentence."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(self.foregroundRole()))
        self._layout(self._fitted()).draw(painter, QPointF(0, 0))
        tall = QFontMetricsF(self._font()).lineSpacing()
        side = 17 * self.scale
        disk = QRectF(0, (tall - side) / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(self.foregroundRole()))
        painter.drawEllipse(disk)
        painter.setFont(ui_font(8.5 * self.scale, QFont.Weight.Bold))
        painter.setPen(self.palette().color(self.palette().ColorRole.Base))
        painter.drawText(disk, Qt.AlignmentFlag.AlignCenter, str(self.place))
        painter.end()

    def _font(self) -> QFont:
        return ui_font(_POINTS * self.scale, QFont.Weight.Medium)

    def _fitted(self) -> str:
        """The text without the words at its end that do not fit into six lines."""
        words, text = self.text.split(" "), self.text
        while len(words) > 1 and self._layout(text).lineCount() > _LINES:
            words.pop()
            text = " ".join(words).rstrip(",;:") + "…"
        return text

    def _layout(self, text: str, wide: int | None = None) -> QTextLayout:
        # Bold type replaces the quotes around a name.
        pieces = _QUOTED.split(text)
        text = "".join(pieces)
        bold = [(len("".join(pieces[:at])), len(pieces[at])) for at in range(1, len(pieces), 2)]
        if self.strong and (at := text.find(self.strong)) >= 0:
            bold.append((at, len(self.strong)))
        # Qt breaks lines at a thin space, which would split the thousands of a number. This space is as wide and does
        # not break.
        layout = QTextLayout(text.replace(THIN, _FIRM), self._font())
        layout.setFormats([_bold(*span) for span in bold])
        self._break(layout, self.width() if wide is None else wide)
        return layout

    def _break(self, layout: QTextLayout, wide: int) -> None:
        tall, y = QFontMetricsF(self._font()).lineSpacing(), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            indent = _MARK_PX * self.scale if y == 0 else 0.0
            line.setLineWidth(max(20.0, wide - indent))
            line.setPosition(QPointF(indent, y))
            y += tall
        layout.endLayout()
