"""`vdiwb plan`: how many runs a comparison needs and in which order to make them, as tables and sentences."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from workbench.answers.common.baselines import evidence_of_baseline, guess_notes, with_option
from workbench.answers.common.change_words import margin_words
from workbench.answers.common.document import Table
from workbench.answers.common.options import margin_of
from workbench.answers.common.reply import NO_RUNS, Block, Reply, Text
from workbench.answers.common.spec import UsageError
from workbench.answers.compare.reply import side_by_side
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import MEASURES
from workbench.measures.comparability import CANNOT, Reason, reason_sentences, why_apart
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.phase_table import run_figures
from workbench.measures.significance.method import METHOD
from workbench.measures.significance.power import MOST_RUNS
from workbench.measures.significance.run_plan import Need, RunPlan, run_plan
from workbench.measures.statistics import SIGNIFICANT
from workbench.model.run import Study
from workbench.words.captions import named, short_lines
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, fixed, marked, percent, plural

PLAN_SCHEMA = "vdi-workbench/plan/1"


@dataclass(frozen=True, slots=True)
class Planned:
    """A study by name with its plan and its baseline."""

    study: str
    plan: RunPlan
    base: Group
    apart: tuple[Reason, ...] = ()


def planned(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The plan of every study. Raises UsageError for an invalid change, margin or baseline."""
    detect, margin = detect_of(options.detect), margin_of(options)
    groups = side_by_side({study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs})
    groups, _ = with_option(groups, options.baseline, every=True)
    plans = [
        _planned(name, base, members, detect, margin, options.add)
        for name, members in groups.items()
        if (base := baseline_of(members)) is not None
    ]
    return Reply(lambda: _text(plans), lambda: _json(plans), lambda: _rows(plans), notes=guess_notes(groups))


def _planned(
    study: str, base: Group, groups: Sequence[Group], detect: float, margin: float, added: Sequence[str]
) -> Planned:
    others = [group for group in groups if group.runs and group is not base]
    reasons = {group.label: why_apart(base, group) for group in others}
    plan = run_plan(base, [group for group in others if reasons[group.label] is None], detect, margin, added)
    return Planned(study, plan, base, tuple(reason for reason in reasons.values() if reason is not None))


def check_plan(options: argparse.Namespace) -> None:
    """Check the options before anything is read. Raises UsageError."""
    detect_of(options.detect)
    margin_of(options)
    if not all(name.strip() for name in options.add):
        raise UsageError("The name of a configuration is empty. Enter a name, for example 'MCSIO 8 GB'.")


def detect_of(text: str) -> float:
    """The share that `5%` or `5` means. Raises UsageError for anything else."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        raise UsageError(f"'{text}' is not a percentage. Enter, for example, --detect 5%.") from None
    if not 0 < value <= 1000:
        raise UsageError(
            f"A change of {marked(format(value, 'g'))} % cannot be planned for. Enter a percentage above 0, up to 1000."
        )
    return value / 100


def _text(plans: Sequence[Planned]) -> Text:
    return [_study_text(planned) for planned in plans] or [[NO_RUNS]]


def _study_text(planned: Planned) -> list[Block]:
    plan = planned.plan
    if not plan.needs:
        return [f"{planned.study}: {plan_words(plan, planned.apart)}"]
    return [f"{planned.study}: {plan_words(plan, planned.apart)}", need_table(plan), order_table(plan)]


def _json(plans: Sequence[Planned]) -> Table:
    return {"schema": PLAN_SCHEMA, "method": METHOD, "plans": [_plan_json(planned) for planned in plans]}


def _plan_json(planned: Planned) -> Table:
    plan = planned.plan
    return {
        "study": planned.study,
        "baseline": plan.baseline,
        "baseline_evidence": evidence_of_baseline([planned.base]),
        "detect_percent": 100 * plan.detect,
        "margin_percent": 100 * plan.margin,
        "level": plan.level,
        "runs": plan.runs,
        "text": plan_words(plan, planned.apart),
        "not_comparable": {reason.configuration: reason.text for reason in planned.apart},
        "needs": [{key: value for key, value in row.items() if key != "study"} for row in _rows([planned])],
        "order": list(plan.order),
    }


def _rows(plans: Sequence[Planned]) -> list[Table]:
    return [{"study": planned.study, **asdict(need)} for planned in plans for need in planned.plan.needs]


def need_table(plan: RunPlan) -> TableData:
    """The runs that each configuration and primary metric needs."""
    detect = f"{marked(format(100 * plan.detect, 'g'))}{THIN}%"
    columns = (
        Column("Phase", numeric=False),
        Column("Configuration", numeric=False),
        Column("Metric", numeric=False),
        Column("Existing runs", tip="Number of existing runs of this configuration"),
        Column("Variation", tip="Variation between runs, upper bound (80 %)"),
        Column(
            f"Runs to detect a {detect} change", tip="Runs needed per configuration to detect the change (80 % power)"
        ),
        Column(
            f"Runs to show equality ({margin_words(plan.margin)})",
            tip="Runs needed per configuration to show equality, if the true difference is 0",
        ),
    )
    assumed = any(need.assumed and need.scatter is not None for need in plan.needs)
    legend = "* means assumed variation" * assumed
    return TableData(columns, tuple(_row(need) for need in plan.needs), legend, "Runs needed", method=_method(plan))


def order_table(plan: RunPlan) -> TableData:
    """The runs in their planned order."""
    size = len(dict.fromkeys(plan.order)) or 1
    rows = tuple(
        (Cell(str(place + 1), place + 1), Cell(str(place // size + 1), place // size + 1), Cell(label, label))
        for place, label in enumerate(plan.order)
    )
    columns = (Column("Run"), Column("Round"), Column("Configuration", numeric=False))
    method = ("Every other round is reversed, so drift affects all configurations equally",)
    return TableData(columns, rows, "Each round runs every configuration once", "Order of the runs", method=method)


def plan_words(plan: RunPlan, apart: Sequence[Reason] = ()) -> str:
    """Sentences: the runs needed for all primary metrics, and the configurations that are not added.

    `apart` are the reasons why configurations are not in the plan.
    """
    words = " ".join((f"{answer_words(plan)}.", *(f"{words}." for words in there_words(plan))))
    if not apart:
        return words
    reasons = f"The plan excludes {plural(len(apart), 'configuration')}: {reason_sentences(apart)}"
    return f"{words} {reasons}" if plan.needs else f"{CANNOT}. {reason_sentences(apart)}"


def apart_words(apart: Sequence[Reason]) -> tuple[str, ...]:
    """The reasons why parts of a study are not planned, in short lines."""
    return ("Some configurations cannot be compared:", *short_lines(reason_sentences(apart))) if apart else ()


def answer_words(plan: RunPlan) -> str:
    """The runs needed for all primary metrics."""
    detect = f"{marked(format(100 * plan.detect, 'g'))}{THIN}%"
    if not plan.needs:
        return "No primary metric is measured in two configurations. Log the same metric in both configurations"
    if all(need.scatter is None for need in plan.needs):
        return "Not enough runs to estimate variation. Run each configuration three times"
    if plan.runs is None:
        return (
            f"The runs vary too much: more than {fixed(MOST_RUNS, 0)} runs per configuration are needed to detect "
            f"a {detect} change"
        )
    return f"{plan.runs} runs per configuration detect a {detect} change (80{THIN}% power)"


def there_words(plan: RunPlan) -> tuple[str, ...]:
    """The configurations that are not added because they already have runs."""
    if not plan.runs:
        return ()
    return tuple(f"{named(label)} already has runs and is not added" for label in plan.there)


def _method(plan: RunPlan) -> tuple[str, ...]:
    assumed = any(need.assumed and need.scatter is not None for need in plan.needs)
    level = f"The significance level is {marked(format(plan.level, '.2g'))}"
    return (
        f"{level}: {marked(str(SIGNIFICANT))} ÷ {len(plan.needs)} comparisons (Holm)" if len(plan.needs) > 1 else level,
        "The plan uses the 80 % upper bound of run-to-run variation",
        *(("* means assumed: the variation of the most variable configuration",) if assumed else ()),
        *short_lines(beyond_words(plan)),
    )


def beyond_words(plan: RunPlan) -> str:
    """Advice if the margin is as large as the change to show; empty if it is smaller."""
    words = f"To detect changes smaller than {margin_words(plan.margin)}, set a smaller margin"
    return words if plan.detect <= plan.margin else ""


def _row(need: Need) -> tuple[Cell, ...]:
    measure = MEASURES[need.measure]
    scatter = MISSING if need.scatter is None else percent(100 * need.scatter) + " *" * need.assumed
    return (
        Cell(phase_words(need.phase), need.phase),
        Cell(need.configuration, need.configuration),
        Cell(measure.name, measure.name),
        Cell(str(need.runs_there), need.runs_there),
        Cell(scatter, need.scatter),
        _runs(need.runs, need),
        _runs(need.same_runs, need),
    )


def _runs(runs: int | None, need: Need) -> Cell:
    if runs is None:
        return Cell(MISSING if need.scatter is None else f"> {fixed(MOST_RUNS, 0)}", None)
    return Cell(str(runs), runs)
