"""Labels for little room: cut with …, drawn in a smaller font, or wrapped into more lines so nothing is cut."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.gui.services.plain import plain_tip


class ElidedLabel(QLabel):
    """One line of plain text. It is cut with … if the window is narrow; the tooltip shows it in full."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.full = ""

    def show_text(self, text: str) -> None:
        """Shows as much of `text` as fits."""
        self.full = text
        self.setToolTip(plain_tip(text))
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the text for the new width."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Cuts the text again if the font size has changed (style sheet or presentation)."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        self.setText(self.cut_to(self.width()))

    def cut_to(self, room: int) -> str:
        """The part of the text that fits into this many pixels."""
        return QFontMetrics(self.font()).elidedText(self.full, Qt.TextElideMode.ElideRight, max(0, room))


class PartsLabel(ElidedLabel):
    """Text that takes more lines before anything is cut; a line ends between two parts of the text if possible.

    It reports its height for a width in advance. Otherwise a layout would give two lines the height of one.
    """

    def __init__(self, role: str) -> None:
        super().__init__(role)
        # Results by room: a layout asks for equal sizes many times.
        self._cuts: dict[int, str] = {}
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Always True."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of the lines at this width, in pixels."""
        self.ensurePolished()
        lines = self.cut_to(width).count("\n")
        metrics = QFontMetrics(self.font())
        return metrics.height() + lines * metrics.lineSpacing()

    def sizeHint(self) -> QSize:
        """The size at the current width."""
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """No minimum width; the height of its lines."""
        return QSize(0, self.sizeHint().height())

    def show_text(self, text: str) -> None:
        """Shows `text`. Only a word that is wider than the label is cut."""
        self._cuts.clear()
        super().show_text(text)

    def changeEvent(self, event: QEvent) -> None:
        """Wraps the text again if the font size has changed."""
        self._cuts.clear()
        super().changeEvent(event)

    def cut_to(self, room: int) -> str:
        """The lines, separated by line breaks."""
        if room not in self._cuts:
            self._cuts[room] = self._broken(self.full, max(0, room))
        return self._cuts[room]

    def _broken(self, text: str, room: int) -> str:
        metrics, words = QFontMetrics(self.font()), text.split(" ")
        if metrics.horizontalAdvance(text) <= room:
            return text
        counts = range(1, len(words))
        fitting = counts[
            : bisect_right(counts, room, key=lambda count: metrics.horizontalAdvance(" ".join(words[:count])))
        ]
        if not fitting:
            first, _, rest = text.partition(" ")
            cut = metrics.elidedText(first, Qt.TextElideMode.ElideRight, room)
            return f"{cut}\n{self._broken(rest, room)}" if rest else cut
        # Lines should end at the end of a part of the text, if that takes no more lines; an interval in brackets is one
        # part.
        whole = [count for count in fitting if _closed(words[:count])]
        ends = [count for count in whole if words[count - 1].endswith(",") or words[count] == "·"]
        texts = []
        for at in dict.fromkeys([*ends[-1:], (whole or fitting)[-1]]):
            rest = " ".join(words[at:]).removeprefix("· ")
            texts.append(f"{' '.join(words[:at]).removesuffix(' ·')}\n{self._broken(rest, room)}")
        return min(texts, key=lambda text: text.count("\n"))


def _closed(words: list[str]) -> bool:
    text = " ".join(words)
    return all(text.count(left) == text.count(right) for left, right in ("[]", "()"))


# Below this size the text no longer looks like an answer.
_SMALLEST = 0.6


class FittedLabel(ElidedLabel):
    """One line that uses a smaller font before it is cut; if even that is too wide, `short` replaces it.

    A cut number would read as another number, and names of configurations differ at their end. Labels side by side
    (`beside`) have one size, that of the longest text.
    """

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self.short = ""
        self.beside: tuple[FittedLabel, ...] = (self,)

    def show_fitted(self, text: str, short: str = "") -> None:
        """Shows `text`, or `short` if even the small font is too wide."""
        self.short = short
        self.show_text(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the text as large as fits."""
        share = self.share
        if self.text() == self.full and share == 1.0:
            super().paintEvent(event)
            return
        fitted_text, _ = self.fitted()
        font = _sized(self.font(), share)
        text = QFontMetrics(font).elidedText(fitted_text, Qt.TextElideMode.ElideMiddle, self.width())
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def fitted(self) -> tuple[str, float]:
        """The text that is drawn at this width, and its share of the normal font size."""
        text = self.full if self._share(self.full) >= _SMALLEST or not self.short else self.short
        share = min(1.0, max(_SMALLEST, self._share(text)))
        # Fonts do not shrink evenly: letters keep whole pixels, and the last digit would not fit.
        while share > _SMALLEST and self._overflows(text, share):
            share = max(_SMALLEST, share - 0.02)
        return text, share

    @property
    def share(self) -> float:
        """The share of the normal font size at which the text is drawn."""
        return min(label.fitted()[1] for label in self.beside if label is self or _is_drawn(label))

    @property
    def cut(self) -> bool:
        """True if even the smallest font cannot show the text in full."""
        return self._share(self.fitted()[0]) < _SMALLEST

    def _overflows(self, text: str, share: float) -> bool:
        # Uses the function that would cut the text: widths in whole pixels are rounded, and even a fraction too much
        # would cut it.
        metrics = QFontMetrics(_sized(self.font(), share))
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, self.width()) != text

    def _share(self, text: str) -> float:
        """The share of the normal font size at which `text` fits."""
        return self.width() / max(1, QFontMetrics(self.font()).horizontalAdvance(text) + 2)


def _is_drawn(widget: QWidget) -> bool:
    """True if the widget is part of a picture of its window, even if the window was never shown."""
    part: QWidget | None = widget
    while part is not None and not part.isWindow():
        if part.isHidden():
            return False
        part = part.parentWidget()
    return True


def _sized(font: QFont, share: float) -> QFont:
    """The font at a share of its size."""
    made = QFont(font)
    if made.pixelSize() > 0:
        made.setPixelSize(max(1, int(made.pixelSize() * share)))
    else:
        made.setPointSizeF(made.pointSizeF() * share)
    return made


class WrappedLabel(QLabel):
    """A line of plain text that takes its width from the layout and wraps; nothing is cut."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def full(self) -> str:
        """The full text."""
        return self.text()

    def show_text(self, text: str) -> None:
        """Shows `text`. An empty text takes no room."""
        if text:
            self.setText(text)
        else:
            # Qt gives an empty text one line if it follows another text.
            self.clear()

    def lines(self, width: int) -> int:
        """The number of lines that the text takes at this width in pixels."""
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        height = metrics.boundingRect(0, 0, width, 10_000, Qt.TextFlag.TextWordWrap, self.text()).height()
        return round(height / metrics.lineSpacing())

    def width_of_text(self) -> int:
        """Width in pixels of the text on one line."""
        self.ensurePolished()
        return QFontMetrics(self.font()).horizontalAdvance(self.text()) + 2

    def sizeHint(self) -> QSize:
        """The height of the text at the current width. A layout gives the label no more than this height, and Qt's own
        hint is for another width."""
        self.ensurePolished()
        hint = super().sizeHint()
        return QSize(hint.width(), self.heightForWidth(self.width())) if self.text() else hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Asks for the height at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """One line: a layout asks separately for the height at the width it gives."""
        return QSize(0, QFontMetrics(self.font()).height())


# The style sheet keeps this much free left and right of a cell's text; measuring its height does not include it.
_PADDING = 24


class WrappedText(QStyledItemDelegate):
    """Measures the height of a cell for the real width of its text."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The size that the text needs."""
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(max(1, option.rect.width() - _PADDING))
        return super().sizeHint(narrower, index)
