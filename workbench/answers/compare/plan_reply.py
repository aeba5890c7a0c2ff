"""`vdiwb plan`: how many runs a comparison needs, and in which order to make them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from workbench.answers.common.baselines import evidence_of_baseline, guess_notes, with_option
from workbench.answers.common.command import UsageError
from workbench.answers.common.document import Table
from workbench.answers.common.options import margin_of
from workbench.answers.common.reply import NO_RUNS, Block, Reply, Text
from workbench.answers.compare.plan_tables import need_table, order_table, plan_words
from workbench.answers.compare.reply import side_by_side
from workbench.measures.comparability import Reason, why_apart
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.judging.method import METHOD
from workbench.measures.judging.run_plan import RunPlan, run_plan
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.words.numbers import marked

PLAN_SCHEMA = "vdi-workbench/plan/1"


@dataclass(frozen=True, slots=True)
class Planned:
    """A study by name with its plan and its baseline."""

    study: str
    plan: RunPlan
    base: Group
    apart: tuple[Reason, ...] = ()


def planned(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The plan of every study; raises UsageError for a change, a margin or a baseline that cannot be."""
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
    """Raises UsageError before anything is read."""
    detect_of(options.detect)
    margin_of(options)
    if blank := [name for name in options.add if not name.strip()]:
        raise UsageError(f"'{blank[0]}' is not a name of a configuration.")


def detect_of(text: str) -> float:
    """`5%` or `5` as a share. Raises UsageError for what is none."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        raise UsageError(f"'{text}' is not a percentage. Enter, for example, --detect 5%.") from None
    if not 0 < value <= 1000:
        raise UsageError(
            f"A change of {marked(format(value, 'g'))} % cannot be planned for. Enter a percentage above 0, to 1000."
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
        "needs": [_need_json(row) for row in _rows([planned])],
        "order": list(plan.order),
    }


def _need_json(row: Table) -> Table:
    return {key: value for key, value in row.items() if key != "study"}


def _rows(plans: Sequence[Planned]) -> list[Table]:
    return [{"study": planned.study, **asdict(need)} for planned in plans for need in planned.plan.needs]
