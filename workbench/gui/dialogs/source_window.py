"""A small window next to the main one: the formula, the phase and the sources of a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from workbench.answers.common.sources import explained_words, source_table
from workbench.charts.figure import FigureSource
from workbench.charts.palette import ThemeName
from workbench.gui.services.layout import in_column
from workbench.gui.services.plain import plain_title
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tables_in_window_language, tr
from workbench.gui.widgets.table_card import TableCard
from workbench.measures.catalogue import MEASURES
from workbench.model.source import Explanation
from workbench.words.captions import named
from workbench.words.metrics import figure_words, phase_words
from workbench.words.numbers import plural

# Maximum number of runs listed by name in the text; the table lists the sources of all runs.
_TOLD = 3


class SourceWindow(QDialog):
    """Does not block the main window; Escape closes it. `row_opened` reports the source that was double-clicked."""

    row_opened = Signal(object)

    def __init__(
        self, parent: QWidget, explanations: Sequence[Explanation], source: FigureSource, theme: ThemeName
    ) -> None:
        super().__init__(parent)
        first = explanations[0]
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        named = ", ".join(part for part in (_figure(first, source), phase_words(first.phase.name)) if part)
        self.setWindowTitle(plain_title(said(f"Source of {named}")))
        self.resize(1400, 560)
        self.words = labelled(said(_words(explanations, source)))
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.words.setAccessibleName(tr("Formula, phase and rule"))
        self.sources = TableCard("Sources")
        self.sources.show_tables(tables_in_window_language((source_table(explanations, "Sources"),)), theme)
        self.sources.row_opened.connect(lambda _name, cells: self.row_opened.emit(cells))
        area = QScrollArea()
        area.setWidget(self.words)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        in_column((area, 2), (self.sources, 3), on=self, margins=(16, 14, 16, 14), spacing=12)

    def showEvent(self, event: QShowEvent) -> None:
        """Gives the table the keyboard focus, so Ctrl+C copies it."""
        super().showEvent(event)
        self.sources.table.setFocus()


def _words(explanations: Sequence[Explanation], source: FigureSource) -> str:
    told = [replace(explanation, figure=_figure(explanation, source)) for explanation in explanations[:_TOLD]]
    messages = [explained_words(explanation) for explanation in told]
    more = len(explanations) - _TOLD
    if more > 0:
        messages.append(f"… and {plural(more, 'more run')}: the table lists the sources of all runs.")
    over = " ".join(part for part in (_over(explanations, source), source.how) if part)
    return "\n\n".join([over, *messages] if over else messages)


def _figure(explanation: Explanation, source: FigureSource) -> str:
    """The name of the value's metric with its unit, otherwise its key as words."""
    # The IOPS of a storage benchmark belong to one test, not to all VMs of a phase.
    measure = None if source.answer == "benchmarks" else MEASURES.get(explanation.figure)
    return figure_words(explanation.figure) if measure is None else measure.header


def _over(explanations: Sequence[Explanation], source: FigureSource) -> str:
    """The calculation from the runs: their mean, or the change between two configurations; and the configuration whose
    sources are listed first."""
    # A source without a run does not count as a run in a mean.
    runs = [
        explanation for explanation in explanations if explanation.folder and explanation not in source.explanations
    ]
    base = [run.configuration for run in runs if run.folder in source.against]
    ours = [run.configuration for run in runs if run.folder not in source.against]
    words = f"Mean of {len(ours)} runs." if len(ours) > 1 else ""
    if base and ours:
        words = f"Both values of the change: {_side(ours)} vs. {_side(base)}."
    if source.answer:
        return words
    known = any(source.vm == rows.vm for rows in explanations[0].sources if rows.vm)
    return f"{words} The sources of {source.vm} are listed first.".strip() if known else words


def _side(configurations: Sequence[str]) -> str:
    count = len(configurations)
    return f"{named(configurations[0])} ({plural(count, 'run')})"
