"""The overview page: what each configuration costs, and what the tests found."""

from __future__ import annotations

from workbench.analysis.configurations import phase_names
from workbench.charts.cards import metric_cards
from workbench.charts.metrics import phase_words
from workbench.charts.overview_figure import overview_figure
from workbench.charts.phase_tables import phase_table
from workbench.charts.vantage_tables import tier_table, worst_vm_table
from workbench.model.metric import Quantity
from workbench.pages import findings
from workbench.pages.choices import chosen_phase, without_answer
from workbench.pages.page import Content
from workbench.session.library import Library
from workbench.session.state import State

BENCHMARKS_ONLY = "What do the storage benchmarks tell?"
FINDINGS_ONLY = "What did the tests find?"


def overview(library: Library, state: State) -> Content:
    """What each configuration costs: cards, bars by phase, the phase table."""
    groups = library.shown(state)
    figure = overview_figure(groups, phase_names(groups))
    found = findings.tables(library, state)
    if figure.empty:
        if not found:
            return without_answer(figure.question, library)
        question = FINDINGS_ONLY if any(group.runs for group in groups) else BENCHMARKS_ONLY
        return Content(question, tables=found)
    phase = chosen_phase(library, state)
    cards = metric_cards(groups, phase, Quantity.IOPS)
    interval = (
        " · [ ] 95 % interval of the ratio of geometric means"
        if any("[" in card.note for card in cards)
        else ""
    )
    caption = f"Cards: mean IOPS per VM in {phase_words(phase)}{interval} · bars: {figure.caption}"
    tables = (*found, phase_table(groups, state.per_run), tier_table(groups), worst_vm_table(groups, phase))
    return Content(figure.question, caption, cards, figure, tables)
