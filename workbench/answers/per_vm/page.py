"""The per-VM page: the traces of every VM, configurations side by side."""

from __future__ import annotations

from workbench.answers.common.cards import card_measures, metric_cards
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_metric, chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.notes import with_notes
from workbench.answers.common.trace_figure import QUESTION, per_vm_figure
from workbench.answers.common.traces import View
from workbench.charts.cards import Card
from workbench.charts.content import Content, Live


def per_vm(library: Library, choices: Choices) -> Content:
    """Per-VM traces side by side."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    view = View(chosen_phase(library, choices, whole=True), chosen_metric(library, choices), choices.alignment)
    figure = per_vm_figure(groups, view, scale=choices.scale)
    runs = {group.label: group.runs for group in groups}
    figure = with_notes(figure, choices.notes, view, {p.column: runs[p.title] for p in figure.panels if p.title})
    columns = [panel.title for panel in figure.panels if panel.title]

    def cards(moved: Library) -> tuple[Card, ...]:
        every = metric_cards(moved.shown(choices), view.phase, view.metric)
        return tuple(card for card in every if card.title in columns)

    live = Live(card_measures(view.metric), lambda moved: (cards(moved), ()))
    return Content(figure.question, figure.caption, cards(library), figure, empty=figure.empty, live=live)
