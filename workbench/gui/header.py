"""The head of every page: the reviewer's question, what exactly is measured, and the choosers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from workbench.analysis.configurations import phase_names
from workbench.charts.metrics import PER_VM_METRICS, SHOWN, phase_words
from workbench.charts.traces import WHOLE_RUN, Alignment
from workbench.gui.elided_label import ElidedLabel
from workbench.gui.translation import tr
from workbench.gui.workspace import Workspace

# Beside its choosers in a narrow window the question takes two lines.
_ONE_LINE, _TWO_LINES = 34, 54
SCALES = (("linear", "Shared, linear"), ("log", "Shared, log"), ("own", "Each its own"))


class Chooser(QWidget):
    """A combo box under a small caption."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        label = QLabel(tr(caption))
        label.setProperty("role", "caption")
        self.box = QComboBox()
        self.box.setAccessibleName(tr(caption))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        label.setBuddy(self.box)
        column.addWidget(label)
        column.addWidget(self.box)

    def offer(self, choices: Sequence[tuple[Any, str]], chosen: Any) -> None:
        """Shows these (value, words) with `chosen` selected, without telling anyone."""
        with QSignalBlocker(self.box):
            self.box.clear()
            for value, words in choices:
                self.box.addItem(tr(words), value)
            place = next((at for at, (value, _) in enumerate(choices) if value == chosen), -1)
            self.box.setCurrentIndex(place)
        self.box.setEnabled(len(choices) > 0)


class Header(QWidget):
    """Title, caption and choosers; what is chosen goes to the workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._presents = False
        self._names: frozenset[str] = frozenset()
        self.question = QLabel()
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.question.setProperty("role", "title")
        self.question.setWordWrap(True)
        self.question.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.caption = ElidedLabel("quiet")
        self.choosers = {
            "view": Chooser("View"),
            "phase": Chooser("Phase"),
            "metric": Chooser("Metric"),
            "alignment": Chooser("Aligned at"),
            "scale": Chooser("Scale"),
        }
        self._build()
        for name, chooser in self.choosers.items():
            chooser.box.activated.connect(lambda _at, name=name: self._chosen(name))

    def show_page(self, names: frozenset[str], views: tuple[tuple[str, str], ...] = ()) -> None:
        """Shows the choosers that the page at hand listens to, and its views where it has several."""
        self._names = names
        library = self._workspace.library
        any_runs = bool(library.with_runs)
        for name, chooser in self.choosers.items():
            chooser.setVisible(any_runs and name in names and not self._presents)
        self.choosers["view"].setVisible(bool(views) and bool(library.files) and not self._presents)
        shown = self._workspace.state.page_view(self._workspace.state.page)
        known = [key for key, _ in views]
        self.choosers["view"].offer(views, shown if shown in known else next(iter(known), ""))
        beside = (any_runs and names) or views
        self.question.setMinimumHeight(_TWO_LINES if beside else _ONE_LINE)

    def refresh(self) -> None:
        """Offers what the current study has."""
        state, library = self._workspace.state, self._workspace.library
        phases = phase_names(library.shown(state))
        whole = [(WHOLE_RUN, "Whole run")] if library.with_runs else []
        named: list[tuple[Any, str]] = [(name, phase_words(name).capitalize()) for name in phases]
        self.choosers["phase"].offer([*named, *whole], state.phase)
        present = library.metrics(state)
        metrics = [(metric, SHOWN[metric].name) for metric in PER_VM_METRICS if metric in present]
        self.choosers["metric"].offer(metrics, state.metric)
        self.choosers["alignment"].offer(
            [(one, one.value.capitalize()) for one in Alignment], state.alignment
        )
        self.choosers["scale"].offer(SCALES, state.scale)

    def present(self, on: bool) -> None:
        """Leaves only the question and what is looked at, for the room."""
        self._presents = on

    def _in_few_words(self) -> str:
        """The metric and the phase that the page at hand shows."""
        state = self._workspace.state
        asked = self._names
        metric = SHOWN[state.metric].name if "metric" in asked and state.metric in SHOWN else ""
        phase = phase_words(state.phase) if "phase" in asked and state.phase != WHOLE_RUN else ""
        words = ", ".join(part for part in (metric, phase) if part)
        return words[:1].upper() + words[1:]

    def show_text(self, question: str, caption: str) -> None:
        """The page's question and what exactly is measured."""
        self.question.setText(tr(question))
        self.caption.show_text(self._in_few_words() if self._presents else caption)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.question, 1)
        for chooser in self.choosers.values():
            row.addWidget(chooser, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(row)
        column.addWidget(self.caption)

    def _chosen(self, name: str) -> None:
        chosen = self.choosers[name].box.currentData()
        state = self._workspace.state
        if name == "view":
            self._workspace.apply(page_views=state.with_page_view(state.page, chosen).page_views)
        else:
            self._workspace.apply(**{name: chosen})
