"""The head of every page: the reviewer's question, what exactly is measured, and the choosers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.answers.common.chosen import chosen_metric, chosen_phase
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment
from workbench.answers.registry import unused_choosers, whole_run_shown
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.shell.reading import ReadingButton
from workbench.gui.widgets.captioned_box import CaptionedBox
from workbench.gui.widgets.wrapped_label import WrappedLabel
from workbench.measures.configurations import phase_names
from workbench.measures.traced import TRACED
from workbench.words.metrics import phase_words

_GAP, _BESIDE = 8, 24
_CAPTION_LINES = 2
_Place = tuple[int, int, int, int]
SCALES = (("linear", "Shared, linear"), ("log", "Shared, log"), ("own", "Each its own"))


class Chooser(QWidget):
    """A box of choices with its caption inside."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.box = CaptionedBox(tr(caption))
        column.addWidget(self.box)

    def offer(self, choices: Sequence[tuple[Any, str]], chosen: Any) -> None:
        """Shows these (value, words) with `chosen` selected, without telling anyone."""
        with QSignalBlocker(self.box):
            self.box.clear()
            for value, words in choices:
                self.box.addItem(tr(words), value)
            index = next((at for at, (value, _) in enumerate(choices) if value == chosen), -1)
            self.box.setCurrentIndex(index)
        self.box.updateGeometry()
        self.box.setEnabled(len(choices) > 0)


class Header(QWidget):
    """Title, caption and choosers; what is chosen goes to the workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._names: frozenset[str] = frozenset()
        self._view = ""
        self.question, self.reading = WrappedLabel("title"), ReadingButton()
        self._asked = QHBoxLayout()
        self.again = QPushButton(tr("Read again"))
        self.again.setToolTip(tr("Reads the result folders again, for what has changed in them"))
        self._bar, self._grid = QWidget(self), QGridLayout(self)
        self._places: tuple[object, ...] = ()
        self.caption = WrappedLabel("quiet")
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

    def show_page(
        self, names: frozenset[str], views: tuple[tuple[str, str], ...] = (), *, of_files: bool = False
    ) -> None:
        """Shows the choosers that the page at hand listens to, and its views where it has several; what is read again
        is asked where the page is `of_files`."""
        state, library = self._workspace.state, self._workspace.library
        any_runs = bool(library.with_runs)
        shown, known = state.page_view(state.page), [key for key, _ in views]
        self._view = shown if shown in known else next(iter(known), "")
        self._names = names - unused_choosers(state.page, self._view)
        if not self._metrics():
            self._names -= {"metric"}
        for name, chooser in self.choosers.items():
            chooser.setVisible(any_runs and name in self._names)
        self.choosers["view"].setVisible(bool(views) and bool(library.files))
        self.choosers["view"].offer(views, self._view)
        self.again.setVisible(of_files and bool(library.files))
        self._arrange()

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
        self._arrange()

    def _metrics(self) -> list[tuple[Any, str]]:
        present = self._workspace.library.metrics(self._workspace.state)
        return [(metric, measure.name) for metric, measure in TRACED.items() if metric in present]

    def show_text(self, question: str, caption: str) -> None:
        """The page's question and what exactly is measured."""
        self.question.setText(tr(question))
        self.caption.show_text(caption)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Places the choosers for the new width."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Places the choosers for type of another size."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._arrange()

    def _build(self) -> None:
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BESIDE)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._asked.setSpacing(_GAP)
        self._asked.addWidget(self.question, 1)
        self._asked.addWidget(self.reading)
        # What is left of the row keeps the sign right of the words.
        self._asked.addStretch()
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addStretch(1)
        for chooser in self.choosers.values():
            row.addWidget(chooser)
        row.addWidget(self.again)
        self.again.hide()
        self._arrange()

    def _arrange(self) -> None:
        """The choosers stand beside the question where it keeps one line, else beside the caption where that keeps
        two, else below both."""
        shown = any(not widget.isHidden() for widget in (*self.choosers.values(), self.again))
        self._bar.setVisible(shown)
        sign = self.reading.sizeHint().width() + _GAP if not self.reading.isHidden() else 0
        left = self.width() - sign - (self._bar.sizeHint().width() + _BESIDE if shown else 0)
        self.question.setMaximumWidth(self.question.width_of_text())
        if not shown or self.question.lines(left) == 1:
            places: tuple[_Place, ...] = ((0, 0, 1, 1), (1, 0, 1, 2), (0, 1, 1, 1))
        elif self.caption.lines(left) <= _CAPTION_LINES:
            places = ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1))
        else:
            places = ((0, 0, 1, 2), (1, 0, 1, 2), (2, 0, 1, 2))
        if places != self._places:
            self._places = places
            asked, *others = places
            self._grid.removeItem(self._asked)
            self._grid.addLayout(self._asked, *asked)
            for widget, place in zip((self.caption, self._bar), others, strict=True):
                self._grid.addWidget(widget, *place)

    def _chosen(self, name: str) -> None:
        chosen = self.choosers[name].box.currentData()
        state = self._workspace.state
        if name == "view":
            self._workspace.apply(page_views=state.with_page_view(state.page, chosen).page_views)
        else:
            self._workspace.apply(**{name: chosen})
