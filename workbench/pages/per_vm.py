"""The per-VM page: the traces of every VM, configurations side by side."""

from __future__ import annotations

from workbench.charts.cards import metric_cards
from workbench.charts.notes import with_notes
from workbench.charts.per_vm_figure import QUESTION, per_vm_figure
from workbench.charts.traces import View
from workbench.pages.choices import chosen_metric, chosen_phase, without_answer
from workbench.pages.page import Content
from workbench.session.library import Library
from workbench.session.state import State


def per_vm(library: Library, state: State) -> Content:
    """Per-VM traces side by side."""
    groups = library.shown(state)
    if not groups:
        return without_answer(QUESTION, library)
    view = View(chosen_phase(library, state, whole=True), chosen_metric(library, state), state.alignment)
    figure = per_vm_figure(groups, view, scale=state.scale)
    runs = {group.label: group.runs for group in groups}
    figure = with_notes(
        figure, state.notes, view, {p.column: runs[p.title] for p in figure.panels if p.title}
    )
    columns = [panel.title for panel in figure.panels if panel.title]
    cards = [card for card in metric_cards(groups, view.phase, view.metric) if card.title in columns]
    return Content(figure.question, figure.caption, tuple(cards), figure, empty=figure.empty)
