"""The overview page: the cost of each configuration, and the results of the tests."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.cards import metric_cards
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BARS, Figured, listed
from workbench.answers.findings import page as findings
from workbench.answers.overview.figures import overview_figure
from workbench.answers.overview.lead import lead_of
from workbench.answers.overview.tables import phase_table, tier_table, worst_vm_table
from workbench.charts.content import Content
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import phase_names
from workbench.model.metric import Quantity
from workbench.words.metrics import in_phase

BENCHMARKS_ONLY = "What do the storage benchmarks show?"
FINDINGS_ONLY = "What did the tests find?"
INTERVALS = "[…]: 95 % interval of the geometric-mean ratio"


def overview(library: Library, choices: Choices) -> Content:
    """The page: cards, bars by phase, the phase table."""
    groups = library.shown(choices)
    phases, phase = phase_names(groups), chosen_phase(library, choices)
    columns = [Figured(name, MEASURES["iops_per_vm"]) for name in phases]
    cards = metric_cards(groups, phase, Quantity.IOPS)
    chosen = listed(groups, choices, columns, phase, BARS, cards) if phases else None
    figure = overview_figure(groups, phases, chosen)
    study_tables = findings.tables(library, choices)
    if figure.empty and chosen is None:
        if not study_tables:
            return without_answer(figure.question, library)
        question = FINDINGS_ONLY if any(group.runs for group in groups) else BENCHMARKS_ONLY
        return Content(question, tables=study_tables, lead=lead_of(library, choices, "", study_tables))
    tables = (*study_tables, phase_table(groups, choices.per_run), tier_table(groups), worst_vm_table(groups, phase))
    if chosen is not None:
        content = chosen.content(figure, tables)
        return replace(content, lead=lead_of(library, choices, content.caption, tables))
    method = (INTERVALS,) if any("[" in card.note for card in cards) else ()
    lead = lead_of(library, choices, figure.caption, tables)
    method = (f"The cards show mean IOPS per VM {in_phase(phase)}", *method)
    return Content(figure.question, figure.caption, cards, figure, tables, lead=lead, method=method)
