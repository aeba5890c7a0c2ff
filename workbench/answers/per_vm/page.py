"""The per-VM page: the traces of every VM, configurations side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.cards import card_measures, metric_cards
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_metric, chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import MANY, Chosen, Figured, listed, picked
from workbench.answers.common.traces.marks import with_notes
from workbench.answers.common.traces.trace_figure import MAX_COLUMNS, QUESTION, per_vm_figure
from workbench.answers.common.traces.traces import View
from workbench.charts.content import Card, Content, Live
from workbench.charts.figure import Figure
from workbench.charts.tables import TableData
from workbench.measures.configurations import Group, phase_names
from workbench.measures.traced import TRACED


def per_vm(library: Library, choices: Choices) -> Content:
    """Per-VM traces side by side."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    view = View(chosen_phase(library, choices, whole=True), chosen_metric(library, choices), choices.alignment)
    chosen = _listed(groups, choices, view)
    if chosen is not None and not chosen.groups:
        return chosen.content(Figure("per-vm-iops", QUESTION, "", (), empty=QUESTION))
    labels = [group.label for group in picked(groups, chosen)] if chosen else ()
    # If all configurations have a column, the user scrolls to those that do not fit.
    figure = per_vm_figure(groups, view, labels, choices.scale, MAX_COLUMNS if chosen else MANY)
    runs = {group.label: group.runs for group in groups}
    figure = with_notes(figure, choices.notes, view, {p.column: runs[p.title] for p in figure.panels if p.title})
    columns = [panel.title for panel in figure.panels if panel.title]
    measures = card_measures(view.metric)

    def cards(moved: Library) -> tuple[Card, ...]:
        every = metric_cards(moved.shown(choices), view.phase, view.metric)
        return tuple(card for card in every if card.title in columns)

    def moved_rows(moved: Library) -> tuple[TableData, ...]:
        rows = _listed(moved.shown(choices), choices, view)
        return () if rows is None else (rows.listing.table,)

    if chosen is not None:
        return replace(chosen.content(figure), live=Live(measures, lambda moved: ((), moved_rows(moved))))
    live = Live(measures, lambda moved: (cards(moved), ()))
    return Content(figure.question, figure.caption, cards(library), figure, empty=figure.empty, live=live)


def _listed(groups: Sequence[Group], choices: Choices, view: View) -> Chosen | None:
    """The configurations sorted by the metric in each phase; only if there are many."""
    columns = [Figured(name, TRACED[view.metric]) for name in phase_names(groups)]
    return listed(groups, choices, columns, view.phase, MAX_COLUMNS, metric_cards(groups, view.phase, view.metric))
