"""The strip at the bottom: how far an import or export is, with Cancel; else the last message."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from workbench.gui.services.importer import Progress
from workbench.gui.services.native_keys import native_keys
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.words.numbers import THIN, duration, number


class ProgressStrip(QWidget):
    """Hidden while there is nothing to tell."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._warning, self._lasts = "", False
        self.message = ElidedLabel("quiet")
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(260)
        self.bar.setAccessibleName(tr("Progress"))
        self.count = labelled("", "quiet")
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setAccessibleName(tr("Cancel"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.message, 1)
        row.addWidget(self.count, 0, Qt.AlignmentFlag.AlignRight)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self.cancelled)
        self.hide()

    def begin(self, text: str) -> None:
        """Shows an empty bar."""
        self.message.show_text(text)
        self.count.setText("")
        self.bar.setValue(0)
        self._working(True)

    def advance(self, progress: Progress) -> None:
        """Moves the bar: by bytes, and never behind the share of files."""
        share = progress.share if progress.files else 1.0
        self.bar.setValue(round(1000 * share))
        self.count.setText(how_far(progress))
        at_hand = ", ".join(name for name in progress.reading if name) or progress.newest
        if at_hand:
            self.message.show_text(f"Reading · {at_hand}")

    def warn(self, text: str) -> None:
        """Shows what must not be missed: it also stands before the next message, such as the end of an import."""
        self.tell(text)
        self._warning = self.message.full

    def tell(self, text: str, *, lasts: bool = False) -> None:
        """Shows a message and no bar; an empty one hides the strip. If it `lasts`, `forget` leaves it."""
        self._lasts = lasts
        text = " ".join(part for part in (self._warning, text) if part)
        self._warning = ""
        self.message.show_text(native_keys(text))
        self._working(False)
        self.setVisible(bool(text))

    def forget(self) -> None:
        """Hides a message, because another page or study is shown now; a bar, a warning and what lasts stay."""
        if self.bar.isHidden() and not self._warning and not self._lasts:
            self.tell("")

    def mention(self, text: str) -> None:
        """Shows a message; a bar that is shown stays."""
        if self.isHidden():
            self._working(False)
        self.message.show_text(native_keys(text))

    def fill(self, text: str, share: float) -> None:
        """Shows a message, and the bar filled to this share (0 to 1)."""
        self.mention(text)
        self.bar.setValue(round(1000 * share))

    def _working(self, on: bool) -> None:
        self.setVisible(True)
        for widget in (self.bar, self.cancel, self.count):
            widget.setVisible(on)


def how_far(progress: Progress) -> str:
    """Files done, the rate in 10^6 bytes a second, and the time left, as far as they are known."""
    parts = [f"{progress.files_done} of {progress.files} files"]
    if progress.rate is not None and progress.seconds_left is not None:
        parts += [f"{number(progress.rate / 1e6)}{THIN}MB/s", f"{duration(progress.seconds_left)} left"]
    return " · ".join(parts)
