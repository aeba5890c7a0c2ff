"""The strip at the bottom: progress with *Cancel*, messages, and the value under the pointer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from workbench.answers.common.library import Library
from workbench.gui.services.importer import Progress
from workbench.gui.services.layout import in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import native_keys, said, tr
from workbench.gui.widgets.labels import ElidedLabel
from workbench.session.state import State
from workbench.words.numbers import THIN, duration, number

_HEIGHT = 28


class StatusStrip(QWidget):
    """One line that is always visible. It shows the first of these that exists: the progress of an import or export,
    the value under the pointer, the last message, the text about the open studies."""

    cancelled = Signal()

    def __init__(self, fold: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # Texts by rank: messages, the value under the pointer, the resting text.
        self.told, self._read, self._rest = "", "", ""
        self._warning, self._lasts, self.working = "", False, False
        self.message = ElidedLabel("quiet")
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(260)
        self.bar.setAccessibleName(tr("Progress"))
        self.count = labelled("", "quiet")
        self.next = ElidedLabel("quiet")
        self.next.hide()
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setAccessibleName(tr("Cancel"))
        self.cancel.setProperty("kind", "link")
        self.cancel.setProperty("slim", True)
        row = in_row(fold, (self.message, 1), (self.next, 1), on=self, margins=(8, 0, 16, 0), spacing=12)
        row.addWidget(self.count, 0, Qt.AlignmentFlag.AlignRight)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self.cancelled)
        self._show(working=False)
        self.set_type_scale(1.0)

    def set_type_scale(self, scale: float) -> None:
        """Makes room for this font scale; 1 is the normal size."""
        self.setFixedHeight(round(_HEIGHT * scale))

    def begin(self, text: str) -> None:
        """Shows an empty bar."""
        self.told = text
        self.count.setText("")
        self.bar.setValue(0)
        self._show(working=True)

    def advance(self, progress: Progress) -> None:
        """Moves the bar: by bytes, but never behind the share of files."""
        share = progress.share if progress.files else 1.0
        self.bar.setValue(round(1000 * share))
        self.count.setText(how_far(progress))
        at_hand = ", ".join(name for name in progress.reading if name) or progress.newest
        if at_hand:
            self.told = said(f"Reading {at_hand}")
            self._show(self.working)

    def warn(self, text: str) -> None:
        """Shows an important message. The next message (for example the end of an import) is shown after it."""
        self.tell(text)
        self._warning = self.told

    def tell(self, text: str, *, lasts: bool = False) -> None:
        """Shows a message without a bar. If it `lasts`, `forget` keeps it."""
        self._lasts = lasts
        self.told = native_keys(" ".join(part for part in (self._warning, said(text)) if part))
        self._warning = ""
        self._show(working=False)
        if self.told:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.told))

    def forget(self, *, lasting: bool = False) -> None:
        """Removes a message because another page or study is shown. A bar, a warning and, except with `lasting`, a
        lasting message stay."""
        if not (self.working or self._warning or (self._lasts and not lasting)):
            self.tell("")

    def mention(self, text: str) -> None:
        """Shows a message; a visible bar stays."""
        self.told = native_keys(said(text))
        self._show(self.working)

    def fill(self, text: str, share: float) -> None:
        """Shows a message and fills the bar to this share (0 to 1)."""
        self.mention(text)
        self.bar.setValue(round(1000 * share))

    def read(self, text: str) -> None:
        """Shows the value under the pointer; empty when the pointer leaves."""
        self._read = text
        self._show(self.working)

    def rest(self, text: str) -> None:
        """Sets the text that is shown if there is nothing else to show."""
        self._rest = text
        self._show(self.working)

    def announce_next(self, text: str) -> None:
        """Shows the next content to be opened after the running import; an empty text removes it."""
        self.next.show_text(text)
        self.next.setVisible(bool(text))
        if text:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _show(self, working: bool) -> None:
        self.working = working
        for widget in (self.bar, self.cancel, self.count):
            widget.setVisible(working)
        self.message.show_text(self.told if working else self._read or self.told or self._rest)


def what_is_open(library: Library, state: State) -> str:
    """The number of runs and configurations of the current study, and of benchmark results; empty if there are none.
    `12 of 26 runs` if other studies are open."""
    study = library.study(state.study)
    runs, every = len(study.runs) if study else 0, sum(len(study.runs) for study in library.studies)
    counts = (
        (every, "run"),
        (len(library.groups(state)), "configuration"),
        (len(library.benchmarks), "benchmark result"),
    )
    named = ", ".join(f"{count} {word}{'s' * (count != 1)}" for count, word in counts if count)
    return f"{runs} of {named}" if runs < every else named


def how_far(progress: Progress) -> str:
    """Files done, the rate in 10^6 bytes per second, and the time left, as far as they are known."""
    parts = [f"{progress.files_done} of {progress.files} files"]
    if progress.rate is not None and progress.seconds_left is not None:
        parts += [f"{number(progress.rate / 1e6)}{THIN}MB/s", f"{duration(progress.seconds_left)} left"]
    return said(" · ".join(parts))
