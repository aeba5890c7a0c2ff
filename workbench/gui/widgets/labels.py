"""Labels that give way where room is short: cut with …, or set in smaller type first.

A line of plain text that goes on in further lines where it has no room; nothing of it is cut.
"""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem

from workbench.gui.services.plain import plain_tip


class ElidedLabel(QLabel):
    """One line of plain text that is cut with … when the window is narrow; the tip has it whole."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.full = ""

    def show_text(self, text: str) -> None:
        """Shows `text`, as much of it as fits."""
        self.full = text
        self.setToolTip(plain_tip(text))
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts again."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Cuts again where the type has another size: the style sheet, or a presentation."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        self.setText(self.cut_to(self.width()))

    def cut_to(self, room: int) -> str:
        """What is shown on so many pixels."""
        return QFontMetrics(self.font()).elidedText(self.full, Qt.TextElideMode.ElideRight, max(0, room))


class TwoLineLabel(ElidedLabel):
    """Text that goes on in a second line before anything of it is cut.

    It says beforehand how high it is at a width: what asks only once the text is broken gives one line's height to two.
    """

    def __init__(self, role: str) -> None:
        super().__init__(role)
        # By room: a layout asks the same again and again.
        self._cuts: dict[int, str] = {}
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """It has."""
        return True

    def heightForWidth(self, width: int) -> int:
        """One line or two."""
        self.ensurePolished()
        lines = self.cut_to(width).count("\n")
        metrics = QFontMetrics(self.font())
        return metrics.height() + lines * metrics.lineSpacing()

    def sizeHint(self) -> QSize:
        """That of its height at the width it has."""
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """No narrower than nothing, no lower than its lines."""
        return QSize(0, self.sizeHint().height())

    def show_text(self, text: str) -> None:
        """Shows `text` in up to two lines, as much of it as fits."""
        self._cuts.clear()
        super().show_text(text)

    def changeEvent(self, event: QEvent) -> None:
        """Breaks again where the type has another size."""
        self._cuts.clear()
        super().changeEvent(event)

    def cut_to(self, room: int) -> str:
        """One line, or two parted by a line break."""
        if room not in self._cuts:
            self._cuts[room] = self._broken(room)
        return self._cuts[room]

    def _broken(self, room: int) -> str:
        metrics, room = QFontMetrics(self.font()), max(0, room)
        words = self.full.split(" ")
        if metrics.horizontalAdvance(self.full) <= room:
            return super().cut_to(room)
        counts = range(1, len(words))
        fitting = counts[
            : bisect_right(counts, room, key=lambda count: metrics.horizontalAdvance(" ".join(words[:count])))
        ]
        if not fitting:
            return super().cut_to(room)
        # Where a part of the text ends the eye expects the line to end; an interval in brackets is one part.
        ends = [
            count
            for count in fitting
            if (words[count - 1].endswith(",") or words[count] == "·") and _closed(words[:count])
        ]
        at = (ends or fitting)[-1]
        second = " ".join(words[at:]).removeprefix("· ")
        return f"{' '.join(words[:at])}\n{metrics.elidedText(second, Qt.TextElideMode.ElideRight, room)}"


def _closed(words: list[str]) -> bool:
    text = " ".join(words)
    return all(text.count(left) == text.count(right) for left, right in ("[]", "()"))


# Smaller than this the type is no longer that of an answer.
_SMALLEST = 0.6


class FittedLabel(ElidedLabel):
    """One line that is set in smaller type before anything of it is cut; then `short` stands in its place.

    A number that is cut reads as another number, and names of configurations differ at their end.
    """

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self.short = ""

    def show_fitted(self, text: str, short: str = "") -> None:
        """Shows `text`; where even small type has no room for it, `short`."""
        self.short = short
        self.show_text(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws it as large as fits."""
        if self.text() == self.full:
            super().paintEvent(event)
            return
        fitted_text, share = self.fitted()
        font = _sized(self.font(), share)
        text = QFontMetrics(font).elidedText(fitted_text, Qt.TextElideMode.ElideMiddle, self.width())
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def fitted(self) -> tuple[str, float]:
        """What is drawn at this width, and in what share of the type's own size."""
        text = self.full if self._share(self.full) >= _SMALLEST or not self.short else self.short
        share = min(1.0, max(_SMALLEST, self._share(text)))
        # Type does not shrink evenly: letters keep whole pixels, and the last digit would not fit.
        while share > _SMALLEST and self._overflows(text, share):
            share = max(_SMALLEST, share - 0.02)
        return text, share

    @property
    def cut(self) -> bool:
        """Whether even the smallest type has no room for what is to be read."""
        return self._share(self.fitted()[0]) < _SMALLEST

    def _overflows(self, text: str, share: float) -> bool:
        # Asked of what would cut it: widths in whole pixels are rounded, and a fraction too many is too many.
        metrics = QFontMetrics(_sized(self.font(), share))
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, self.width()) != text

    def _share(self, text: str) -> float:
        """How much of its own size the type may have for `text` to fit."""
        return self.width() / max(1, QFontMetrics(self.font()).horizontalAdvance(text) + 2)


def _sized(font: QFont, share: float) -> QFont:
    """The font in a share of its size."""
    made = QFont(font)
    if made.pixelSize() > 0:
        made.setPixelSize(max(1, int(made.pixelSize() * share)))
    else:
        made.setPointSizeF(made.pointSizeF() * share)
    return made


class WrappedLabel(QLabel):
    """As wide as its place, and as high as its text is there."""

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
        """All of the text."""
        return self.text()

    def show_text(self, text: str) -> None:
        """Shows `text`; without any the label takes no line."""
        if text:
            self.setText(text)
        else:
            # Qt gives an empty text that followed another one a line.
            self.clear()

    def lines(self, width: int) -> int:
        """How many lines the text takes on so many pixels."""
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        height = metrics.boundingRect(0, 0, width, 10_000, Qt.TextFlag.TextWordWrap, self.text()).height()
        return round(height / metrics.lineSpacing())

    def width_of_text(self) -> int:
        """Pixels that the text takes on one line."""
        self.ensurePolished()
        return QFontMetrics(self.font()).horizontalAdvance(self.text()) + 2

    def minimumSizeHint(self) -> QSize:
        """One line: a layout asks the height for the width it gives."""
        return QSize(0, QFontMetrics(self.font()).height())


# What the style sheet keeps free left and right of a cell's text, and the measuring of its height does not.
_PADDING = 24


class WrappedText(QStyledItemDelegate):
    """Measures the height of a cell for the width that its text really has."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The room that the text needs."""
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(max(1, option.rect.width() - _PADDING))
        return super().sizeHint(narrower, index)
