"""The file at the line that a problem names, and the effect of a decision about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from workbench.charts.palette import THEMES
from workbench.charts.tables import file_table, without_columns
from workbench.gui.pages.cause_words import CALLOUTS, sentence
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import SHADES, current_theme, labelled, restyle, running_application
from workbench.gui.services.translation import said, tables_in_window_language, tr
from workbench.gui.widgets.boxes import choice_box
from workbench.gui.widgets.excerpt_text import ExcerptText
from workbench.gui.widgets.labels import ElidedLabel
from workbench.gui.widgets.table import DataTable
from workbench.model.problem import Cause, Correction, Mending, Problem, Span
from workbench.model.recording import FileReport
from workbench.study.discovery.excerpt import Excerpt
from workbench.words.numbers import plural

# Offered in addition to the fitting time zones; the user may type any other.
_ZONES = ("UTC", "Europe/London", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Tokyo")
_LOW, _TEXT, _FILES, _GAP = 500, 84, 130, 10
# Columns of the files that do not explain why the run is odd.
_UNNEEDED = ("Rejected", "First sample", "UTC offset", "Encoding")
_HEADED = (Mending.TIME_ZONE, Mending.SPLIT, Mending.MACHINES)


class FilePreview(QFrame):
    """`turned` requests the next problem (1) or the previous one (-1), and `zone_typed` the effect of a time zone.
    `applied` corrects a cause with a value (only for one run if one is given). `left` closes the preview."""

    turned = Signal(int)
    zone_typed = Signal(str)
    applied = Signal(object, str, str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.cause: Cause | None = None
        self.problem: Problem | None = None
        self.run = ""
        self.file, self.about = ElidedLabel("heading"), labelled("", "quiet")
        self.place = labelled("", "quiet")
        self.back, self.next = _arrow("‹", tr("Previous line (Shift+F8)")), _arrow("›", tr("Next line (F8)"))
        self.close_button = _arrow("×", tr("Back to causes (Esc)"))
        self.text = ExcerptText()
        self.text.setAccessibleName(tr("Text of the file"))
        self.text.setMinimumHeight(_TEXT)
        self.message, self.callout = labelled(""), QFrame()
        self.files_title, self.files = labelled(tr("Files of this run"), "heading"), DataTable("Files of this run")
        self.change_title, self.change = labelled("", "heading"), labelled("")
        self.bars, self.rest = SpanBars(), _Scrolled()
        self.zone = choice_box(editable=True)
        self.buttons: list[QPushButton] = []
        self._answers: Sequence[tuple[str, str, bool]] = ()
        self._build()

    def show_cause(self, cause: Cause, problem: Problem | None, at: int, run: str) -> None:
        """Shows a cause at one of its problems: the `at`-th from 0, whose run is in the folder `run`."""
        new = self.cause is None or (cause.key, cause.runs) != (self.cause.key, self.cause.runs)
        self.cause, self.problem, self.run = cause, problem, run
        self.file.show_text(problem.file if problem else cause.title)
        self.about.hide()
        self.callout.setProperty("callout", CALLOUTS[cause.group])
        restyle(self.callout)
        self.message.setText(sentence(problem) if problem else cause.done)
        number = len(cause.problems)
        self.place.setText(said(f"{at + 1} of {number}") if number > 1 else "")
        for button in (self.back, self.next):
            button.setVisible(number > 1)
        self.text.hide()
        self.show_files(())
        self._show_buttons(_answers(cause, alone=bool(run)))
        if new:
            self._offer(cause)

    def show_excerpt(self, line: int, excerpt: Excerpt, report: FileReport | None) -> None:
        """Shows the lines of the file."""
        self.text.setVisible(bool(excerpt.lines or excerpt.note))
        self.text.show_lines(line, excerpt)
        if report:
            parts = [
                report.reader or tr("not recognised"),
                report.encoding or "",
                said(plural(report.rows, "row")) * bool(report.rows),
            ]
            self.about.show()
            self.about.setText(" · ".join(part for part in parts if part))

    def show_files(self, reports: Sequence[FileReport]) -> None:
        """Shows the files that a run was read from, if the problem is about the run; without files the list takes no
        space.
        """
        for widget in (self.files_title, self.files):
            widget.setVisible(bool(reports))
        if reports:
            (table,) = tables_in_window_language((without_columns(file_table(reports), _UNNEEDED),))
            self.files.show_data(table, current_theme(running_application()))

    def show_change(self, change: Correction) -> None:
        """Shows the effect of the decision."""
        self.change.setText(said("\n".join(change.sentences) or change.wrong))
        self.bars.show_spans(change.spans)
        self.bars.setVisible(self._bars_fit())
        if self.cause and self.cause.mending is Mending.TIME_ZONE:
            if change.value and not self.zone.currentText():
                self.zone.insertItem(0, change.value)
                self.zone.setCurrentIndex(0)
            for button in self.buttons:
                button.setEnabled(bool(self.zone.currentText().strip()) and not change.wrong)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides the bars if they would cut the sentences."""
        super().resizeEvent(event)
        self.bars.setVisible(self._bars_fit())

    def _bars_fit(self) -> bool:
        return len(self.bars.spans) > 1 and self.height() > _LOW

    def enter(self) -> None:
        """Gives the keyboard focus to the decision, otherwise to the text."""
        mends = self.cause is not None and self.cause.mending in _HEADED and self.buttons
        target = self.zone if mends and self.zone.isVisible() else self.buttons[0] if mends else self.text
        target.setFocus()

    def _show_buttons(self, answers: Sequence[tuple[str, str, bool]]) -> None:
        """Buttons that stay keep the keyboard focus."""
        if answers == self._answers:
            return
        self._answers = answers
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(*words) for words in answers]
        for at, button in enumerate(self.buttons):
            button.setProperty("kind", "" if at else "primary")

    def _offer(self, cause: Cause) -> None:
        headed = cause.mending in _HEADED
        for widget in (self.change_title, self.change):
            widget.setVisible(headed)
        self.change_title.setText(_title(cause))
        self.change.setText("")
        self.bars.show_spans(())
        self.zone.setVisible(cause.mending is Mending.TIME_ZONE)
        self.zone.blockSignals(True)
        self.zone.clear()
        self.zone.addItems(_ZONES)
        self.zone.setCurrentIndex(-1)
        self.zone.setEditText("")
        self.zone.blockSignals(False)

    def _button(self, words: str, value: str, alone: bool) -> QPushButton:
        button = QPushButton(plain_button(words))
        button.clicked.connect(lambda: self._apply(value, self.run if alone else ""))
        self._row.insertWidget(self._row.count() - 1, button)
        return button

    def _press_first(self) -> None:
        if self.buttons:
            self.buttons[0].click()

    def _apply(self, value: str, run: str) -> None:
        if self.cause is not None:
            zone = self.zone.currentText().strip()
            self.applied.emit(self.cause, zone if self.cause.mending is Mending.TIME_ZONE else value, run)

    def _build(self) -> None:
        head = in_row((self.file, 1), self.place, self.back, self.next, self.close_button)
        in_column(self.message, on=self.callout)
        self.files.setMinimumHeight(_FILES)
        self.rest.add(self.callout, self.files_title, self.files, self.change_title, self.change, self.bars)
        shown = (head, self.about, (self.text, 1), self.rest)
        column = in_column(*shown, on=self, margins=(14, 10, 14, 12), spacing=_GAP)
        for label in (self.message, self.change):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._add_mending(column)
        self.back.clicked.connect(lambda: self.turned.emit(-1))
        self.next.clicked.connect(lambda: self.turned.emit(1))
        self.close_button.clicked.connect(self.left)
        self.close_button.hide()

    def _add_mending(self, column: QVBoxLayout) -> None:
        self.zone.setAccessibleName(tr("Time zone"))
        self.zone.setMinimumWidth(190)
        edit = self.zone.lineEdit()
        if edit is not None:
            edit.setPlaceholderText("+01:00, Europe/London")
            edit.returnPressed.connect(self._press_first)
        self.zone.currentTextChanged.connect(self.zone_typed)
        self._row = in_row(self.zone, 1)
        column.addLayout(self._row)


class _Scrolled(QScrollArea):
    """Widgets below each other, at their full height if there is room; otherwise they scroll, and nothing is cut."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self.setWidget(self._inside)

    def add(self, *widgets: QWidget) -> None:
        """Adds the widgets from top to bottom."""
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        for widget in widgets:
            column.addWidget(widget, isinstance(widget, DataTable))
        column.addStretch(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Requests the space for the new content."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Requests the space at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The height of the content at the current width."""
        return QSize(self._inside.sizeHint().width(), max(0, self._inside.heightForWidth(self.width())) + 2)


def _title(cause: Cause) -> str:
    return {
        Mending.TIME_ZONE: tr("Times in another time zone"),
        Mending.SPLIT: tr("Runs after splitting the folder"),
        Mending.MACHINES: tr("Are these machines tested VMs?"),
    }.get(cause.mending, "")


def _answers(cause: Cause, *, alone: bool) -> Sequence[tuple[str, str, bool]]:
    """The text of each button, its value, and whether it applies only to the shown run, if one is shown (`alone`)."""
    many = len(cause.runs)
    alone = alone and many > 1
    if cause.mending is Mending.TIME_ZONE:
        every = tr("Apply to {} runs").format(many) if many > 1 else tr("Apply")
        return [(every, "", False), *([(tr("This run only"), "", True)] if alone else [])]
    if cause.mending is Mending.SPLIT:
        split = tr("Split {} folders").format(many) if many > 1 else tr("Split into runs")
        return [(split, "", False), *([(tr("This folder only"), "", True)] if alone else [])]
    if cause.mending is Mending.MACHINES:
        return [(tr("Exclude"), "out", False), (tr("Treat as VMs"), "count", False)]
    return []


def _arrow(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(plain_tip(tip))
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


_ROW, _BAR, _SHARE, _LEAST = 26, 14, 0.34, 3


class SpanBars(QWidget):
    """Bars below each other; the widget is as high as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: tuple[Span, ...] = ()

    def show_spans(self, spans: Sequence[Span]) -> None:
        """Shows these bars, the first at the top."""
        self.spans = tuple(spans)
        self.setAccessibleName(", ".join(said(span.label) for span in self.spans))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One row for each bar, and one for the clock."""
        return QSize(200, _ROW * (len(self.spans) + 1))

    def minimumSizeHint(self) -> QSize:
        """The height of `sizeHint`, with a minimal width."""
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the bars."""
        if not self.spans:
            return
        theme = current_theme(running_application())
        quiet, text = QColor(THEMES[theme].quiet), QColor(THEMES[theme].text)
        colours = [quiet, QColor(SHADES[theme].warning), QColor(THEMES[theme].accent)]
        start, end = min(span.start for span in self.spans), max(span.end for span in self.spans)
        left = self.width() * _SHARE
        scale = (self.width() - left - 4) / max(1.0, end - start)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(self.font())
        for at, span in enumerate(self.spans):
            label = metrics.elidedText(said(span.label), Qt.TextElideMode.ElideMiddle, int(left) - 10)
            painter.setPen(text)
            painter.drawText(QRectF(0, at * _ROW, left, _ROW), Qt.AlignmentFlag.AlignVCenter, label)
            bar = QRectF(left + (span.start - start) * scale, at * _ROW + 6, (span.end - span.start) * scale, _BAR)
            bar.setWidth(max(_LEAST, bar.width()))
            painter.fillRect(bar, colours[at % len(colours)])
        painter.setPen(quiet)
        room = QRectF(left, len(self.spans) * _ROW, self.width() - left, _ROW)
        days = datetime.fromtimestamp(start, UTC).date() != datetime.fromtimestamp(end, UTC).date()
        form = "%Y-%m-%d %H:%M" if days else "%H:%M"
        for moment, side in ((start, Qt.AlignmentFlag.AlignLeft), (end, Qt.AlignmentFlag.AlignRight)):
            painter.drawText(room, side | Qt.AlignmentFlag.AlignTop, f"{datetime.fromtimestamp(moment, UTC):{form}}")
        painter.end()
