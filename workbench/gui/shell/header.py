"""The head of every page: the reviewer's question, what exactly is measured, and the choosers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.answers.common.chosen import chosen_metric, chosen_phase
from workbench.answers.common.traces import WHOLE_RUN, Alignment
from workbench.answers.registry import unused_choosers, whole_run_shown
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.measures.configurations import phase_names
from workbench.measures.traced import TRACED
from workbench.words.metrics import phase_words

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
        label = labelled(tr(caption), "caption")
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
            index = next((at for at, (value, _) in enumerate(choices) if value == chosen), -1)
            self.box.setCurrentIndex(index)
        self.box.setEnabled(len(choices) > 0)


class Header(QWidget):
    """Title, caption and choosers; what is chosen goes to the workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._presents = False
        self._names: frozenset[str] = frozenset()
        self._view = ""
        self.question = labelled("", "title")
        self.question.setWordWrap(True)
        self.question.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.caption = ElidedLabel("quiet")
        # The view stands last: it keeps its place when the choosers that it does not listen to go.
        self.choosers = {
            "phase": Chooser("Phase"),
            "metric": Chooser("Metric"),
            "alignment": Chooser("Aligned at"),
            "scale": Chooser("Scale"),
            "view": Chooser("View"),
        }
        self._build()
        for name, chooser in self.choosers.items():
            chooser.box.activated.connect(lambda _at, name=name: self._chosen(name))

    def show_page(self, names: frozenset[str], views: tuple[tuple[str, str], ...] = ()) -> None:
        """Shows the choosers that the page at hand listens to, and its views where it has several."""
        state, library = self._workspace.state, self._workspace.library
        any_runs = bool(library.with_runs)
        shown, known = state.page_view(state.page), [key for key, _ in views]
        self._view = shown if shown in known else next(iter(known), "")
        self._names = names - unused_choosers(state.page, self._view)
        if not self._metrics():
            self._names -= {"metric"}
        for name, chooser in self.choosers.items():
            chooser.setVisible(any_runs and name in self._names and not self._presents)
        self.choosers["view"].setVisible(bool(views) and bool(library.files) and not self._presents)
        self.choosers["view"].offer(views, self._view)
        beside = (any_runs and self._names) or views
        self.question.setMinimumHeight(_TWO_LINES if beside else _ONE_LINE)

    def refresh(self) -> None:
        """Offers what the current study has."""
        state, library = self._workspace.state, self._workspace.library
        phases = phase_names(library.shown(state))
        whole = whole_run_shown(state.page, self._view)
        named: list[tuple[Any, str]] = [(name, phase_words(name).capitalize()) for name in phases]
        if whole and library.with_runs:
            named.append((WHOLE_RUN, "Whole run"))
        # What the page shows where it has not what is chosen, too: a chooser must not say otherwise.
        self.choosers["phase"].offer(named, chosen_phase(library, state, whole))
        self.choosers["metric"].offer(self._metrics(), chosen_metric(library, state))
        self.choosers["alignment"].offer(
            [(alignment, alignment.value.capitalize()) for alignment in Alignment], state.alignment
        )
        self.choosers["scale"].offer(SCALES, state.scale)

    def _metrics(self) -> list[tuple[Any, str]]:
        present = self._workspace.library.metrics(self._workspace.state)
        return [(metric, measure.name) for metric, measure in TRACED.items() if metric in present]

    def present(self, on: bool) -> None:
        """Leaves only the question and what is looked at, for the room."""
        self._presents = on

    def _in_few_words(self) -> str:
        """The metric and the phase that the page at hand shows."""
        state, library = self._workspace.state, self._workspace.library
        shown = chosen_phase(library, state, whole_run_shown(state.page, self._view))
        metric = TRACED[chosen_metric(library, state)].name if "metric" in self._names else ""
        phase = phase_words(shown) if "phase" in self._names and shown != WHOLE_RUN else ""
        words = ", ".join(part for part in (metric, phase) if part)
        return words[:1].upper() + words[1:]

    def show_text(self, question: str, caption: str, drawn: str = "") -> None:
        """The page's question and what exactly is measured; for the room few words, and how many are `drawn`."""
        self.question.setText(tr(question))
        few = " · ".join(filter(None, (self._in_few_words(), drawn)))
        self.caption.show_text(few if self._presents else caption)

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
