"""Page Compare: every configuration against a baseline, with intervals and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.baselines import baseline_words, origin_of
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_metric, chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BARS, Chosen, Figured, listed
from workbench.answers.common.looks import looks
from workbench.answers.common.names import ADDED, BASELINE, MARGIN_PERCENT
from workbench.answers.compare.compute import Comparison, compare, margin_of
from workbench.answers.compare.distribution import DISTRIBUTION, distribution_page
from workbench.answers.compare.figures import (
    ESTIMATION,
    QUESTION,
    compare_cards,
    compare_figure,
    estimation_figure,
    measure_of,
)
from workbench.answers.compare.plan import answer_words, apart_words, need_table, order_table, plan_words, there_words
from workbench.answers.compare.tables import (
    difference_table,
    excluded_table,
    folded,
    hindrance_table,
    verdict_cell,
    verdict_table,
)
from workbench.charts.content import Content
from workbench.charts.inputs import Input
from workbench.charts.tables import TableData
from workbench.measures.catalogue import DURATION
from workbench.measures.configurations import Group, phase_names
from workbench.measures.significance.run_plan import run_plan
from workbench.measures.statistics import MARGIN
from workbench.measures.traced import TRACED
from workbench.words.captions import captioned
from workbench.words.metrics import in_phase, phase_words

PLAN, DETECT_PERCENT = "plan", "compare.detect_percent"
EQUAL, _FOLDED, _EACH = "compare.equal", "folded", "each shown"
PLAN_QUESTION = "How many runs does the comparison need?"


def answer(library: Library, choices: Choices) -> Content:
    """Cards with the change of the chosen metric in the chosen phase, bars by phase, tables of every metric."""
    if choices.page_view("compare") == DISTRIBUTION:
        return distribution_page(library, choices)
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    every = library.groups(choices)
    # Excluded runs are also reported for configurations that have no other run.
    hidden = [group for group in every if not group.runs and group.label not in choices.hidden]
    comparison = compare([*groups, *hidden], margin_of(choices), hidden=every)
    field, inputs = _field(library, choices), _inputs(every, comparison, choices)
    if choices.page_view("compare") == PLAN and len(groups) > 1:
        return _plan(comparison, groups, inputs, choices)
    phase = chosen_phase(library, choices)
    tables, unfolding = _folding(_tables(comparison, groups, phase), choices)
    inputs = (*inputs, *unfolding)
    rows = _listed(comparison, groups, choices, field, phase)
    if choices.page_view("compare") in ("", ESTIMATION):
        figure = estimation_figure(comparison, groups, field, phase, rows)
    else:
        figure = compare_figure(comparison, groups, field, rows)
    if rows:
        content = rows.content(figure, tables, inputs)
        caption, lines = captioned((_differing(comparison), content.caption), content.method)
        return replace(content, caption=caption, method=lines)
    # The dots of the estimation plot show the same values as the cards.
    cards = () if figure.key == ESTIMATION else compare_cards(comparison, groups, phase, field)
    length = f"the duration of {phase_words(phase)}"
    what = length if field == DURATION else f"{measure_of(field).within} {in_phase(phase)}"
    cards_of = (f"The cards show {what}",) if cards else ()
    caption, lines = captioned((_differing(comparison), figure.caption), cards_of)
    if len(groups) < 2:
        return Content(figure.question, empty=figure.empty)
    return Content(
        figure.question,
        figure.empty or caption,
        cards,
        None if figure.empty else figure,
        tables,
        inputs=inputs,
        method=lines,
    )


def _folding(tables: tuple[TableData, ...], choices: Choices) -> tuple[tuple[TableData, ...], tuple[Input, ...]]:
    """The verdicts with equal columns folded, unless the user unfolds them, and the input to unfold them if any are."""
    verdicts, *others = tables
    short = folded(verdicts)
    if len(short.columns) == len(verdicts.columns):
        return tables, ()
    chosen = str(choices.input(EQUAL, _FOLDED))
    chooser = Input(
        EQUAL,
        "Identical columns",
        chosen if chosen in (_FOLDED, _EACH) else _FOLDED,
        choices=(_FOLDED, _EACH),
        names=("combined", "separate"),
        group="Compare",
        origin="yours" if EQUAL in dict(choices.inputs) else "",
        tip="Combined: metrics with identical verdicts and changes share one column",
    )
    return (verdicts if chosen == _EACH else short, *others), (chooser,)


def _listed(comparison: Comparison, groups: Sequence[Group], choices: Choices, field: str, phase: str) -> Chosen | None:
    """The configurations compared with the baseline, sorted by their change; only if there are many."""
    measure, base = measure_of(field), comparison.baseline
    rows = {(row.configuration, row.phase): row for row in comparison.differences if row.measure is measure}
    compared = [group for group in groups if base is None or group.label != base.label]

    def column(name: str) -> Figured:
        return Figured(
            name, measure, lambda group: verdict_cell(rows.get((group.label, name)), base, group, name, measure.key)
        )

    names = [
        name
        for name in phase_names(groups)
        if any(row.change is not None for (_, at), row in rows.items() if at == name)
    ]
    return listed(compared, choices, [column(name) for name in names], phase, BARS, look=looks(groups))


def _plan(comparison: Comparison, groups: Sequence[Group], inputs: tuple[Input, ...], choices: Choices) -> Content:
    """Tables of the runs needed for the comparison."""
    base = comparison.baseline
    assert base is not None
    detect = choices.number(DETECT_PERCENT, 100 * MARGIN)
    added = str(choices.input(ADDED, "")).splitlines()
    apart = {reason.configuration for reason in comparison.apart}
    others = [group for group in groups if group is not base and group.label not in apart]
    plan = run_plan(base, others, detect / 100, comparison.margin, added)
    given = Input(
        DETECT_PERCENT,
        "Change to detect",
        detect,
        "%",
        minimum=0.1,
        maximum=100.0,
        decimals=1,
        group="Compare",
        origin="yours" if DETECT_PERCENT in dict(choices.inputs) else "assumed",
        tip="Smallest change that the runs must detect (80 % power)",
    )
    if not plan.needs:
        return Content(PLAN_QUESTION, empty=plan_words(plan, comparison.apart), inputs=(*inputs, given))
    tables = (need_table(plan), order_table(plan))
    caption, lines = captioned((answer_words(plan), *apart_words(comparison.apart)), there_words(plan))
    return Content(PLAN_QUESTION, caption, (), None, tables, inputs=(*inputs, given), method=lines)


def _differing(comparison: Comparison) -> str:
    """The number of other settings that differ. The table "Differences" names them."""
    count = len(comparison.problems)
    return "" if not count else "1 other setting differs" if count == 1 else f"{count} other settings differ"


def _field(library: Library, choices: Choices) -> str:
    if choices.page_view("compare") == "duration":
        return DURATION
    return TRACED[chosen_metric(library, choices)].key


def _tables(comparison: Comparison, groups: Sequence[Group], phase: str) -> tuple[TableData, ...]:
    tables = [verdict_table(comparison, groups, phase), difference_table(comparison, groups)]
    if comparison.problems:
        tables.append(hindrance_table(comparison.problems))
    if comparison.excluded:
        tables.append(excluded_table(comparison))
    return tuple(tables)


def _inputs(groups: Sequence[Group], comparison: Comparison, choices: Choices) -> tuple[Input, ...]:
    base, changed = comparison.baseline, dict(choices.inputs)
    assert base is not None
    return (
        Input(
            BASELINE,
            "Baseline",
            base.label,
            choices=tuple(group.label for group in groups if group.runs),
            group="Compare",
            origin=origin_of(base),
            tip=f"{baseline_words(base)} All pages, findings and exports use this baseline.",
        ),
        Input(
            MARGIN_PERCENT,
            "Margin",
            100 * comparison.margin,
            "%",
            minimum=0.0,
            maximum=50.0,
            decimals=1,
            group="Compare",
            origin="yours" if MARGIN_PERCENT in changed else "assumed",
            tip="Smallest change that matters. 'Better' or 'worse': the change is larger and significant. 'Same': the "
            "interval is within the margin.",
        ),
    )
