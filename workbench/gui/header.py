"""The head of every page: the reviewer's question, what exactly is measured, and the choosers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from workbench.analysis.configurations import phase_names
from workbench.charts.metrics import PER_VM_METRICS, SHOWN, phase_words
from workbench.charts.traces import WHOLE_RUN, Alignment
from workbench.gui.workspace import Workspace

_SCALES = (("linear", "Shared, linear"), ("log", "Shared, log"), ("own", "Each its own"))


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
        self.setToolTip(text)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts anew."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self.full, Qt.TextElideMode.ElideRight, max(0, self.width())))


class Chooser(QWidget):
    """A combo box under a small caption."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        label = QLabel(caption)
        label.setProperty("role", "caption")
        self.box = QComboBox()
        self.box.setAccessibleName(caption)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        label.setBuddy(self.box)
        column.addWidget(label)
        column.addWidget(self.box)

    def offer(self, choices: Sequence[tuple[Any, str]], chosen: Any) -> None:
        """Shows these (value, words) with `chosen` selected, without telling anyone."""
        with QSignalBlocker(self.box):
            self.box.clear()
            for value, words in choices:
                self.box.addItem(words, value)
            place = next((at for at, (value, _) in enumerate(choices) if value == chosen), -1)
            self.box.setCurrentIndex(place)
        self.box.setEnabled(len(choices) > 0)


class Header(QWidget):
    """Title, caption and choosers; what is chosen goes to the workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.question = ElidedLabel("title")
        self.caption = ElidedLabel("quiet")
        self.phase = Chooser("Phase")
        self.metric = Chooser("Metric")
        self.alignment = Chooser("Aligned at")
        self.scale = Chooser("Scale")
        self._build()
        self.phase.box.activated.connect(self._phase_chosen)
        self.metric.box.activated.connect(self._metric_chosen)
        self.alignment.box.activated.connect(self._alignment_chosen)
        self.scale.box.activated.connect(self._scale_chosen)

    def show_page(self, choosers: frozenset[str]) -> None:
        """Shows the choosers that the page at hand listens to."""
        for name in ("phase", "metric", "alignment", "scale"):
            chooser: Chooser = getattr(self, name)
            chooser.setVisible(name in choosers)

    def refresh(self) -> None:
        """Offers what the current study has."""
        state, library = self._workspace.state, self._workspace.library
        phases = phase_names(library.shown(state))
        whole = [(WHOLE_RUN, "Whole run")] if library.with_runs else []
        named: list[tuple[Any, str]] = [(name, phase_words(name).capitalize()) for name in phases]
        self.phase.offer([*named, *whole], state.phase)
        present = library.metrics(state)
        metrics = [(metric, SHOWN[metric].name) for metric in PER_VM_METRICS if metric in present]
        self.metric.offer(metrics, state.metric)
        self.alignment.offer([(one, one.value.capitalize()) for one in Alignment], state.alignment)
        self.scale.offer(_SCALES, state.scale)

    def show_text(self, question: str, caption: str) -> None:
        """The page's question and what exactly is measured."""
        self.question.show_text(question)
        self.caption.show_text(caption)

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addStretch(1)
        words.addWidget(self.question)
        words.addWidget(self.caption)
        row.addLayout(words, 1)
        for chooser in (self.phase, self.metric, self.alignment, self.scale):
            row.addWidget(chooser, 0, Qt.AlignmentFlag.AlignBottom)

    def _phase_chosen(self) -> None:
        self._workspace.apply(phase=self.phase.box.currentData())

    def _metric_chosen(self) -> None:
        self._workspace.apply(metric=self.metric.box.currentData())

    def _alignment_chosen(self) -> None:
        self._workspace.apply(alignment=self.alignment.box.currentData())

    def _scale_chosen(self) -> None:
        self._workspace.apply(scale=self.scale.box.currentData())
