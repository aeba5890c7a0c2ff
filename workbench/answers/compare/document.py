"""The comparison as JSON and CSV rows (schema vdi-workbench/compare/1): keys may be added, never renamed or removed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.common.baselines import evidence_of_baseline
from workbench.answers.common.document import Table, problem_row
from workbench.answers.compare.compute import Comparison, Excluded
from workbench.measures.configurations import Group
from workbench.measures.judging.differences import Difference
from workbench.measures.judging.method import METHOD
from workbench.measures.statistics import CONFIDENCE
from workbench.model.problem import Problem

COMPARE_SCHEMA = "vdi-workbench/compare/1"


@dataclass(frozen=True, eq=False)
class Compared:
    """A study by name with its comparison and the groups that it is of."""

    study: str
    comparison: Comparison
    groups: Sequence[Group] = ()


def compare_table(compared: Sequence[Compared], margin: float, problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb compare --format json` as a value: null = not available; `margin` is a share (0.05 for 5 %).

    `problems` are those of the studies; what makes configurations hard to compare stands before them.
    """
    own = [problem for one in compared for problem in one.comparison.problems]
    return {
        "schema": COMPARE_SCHEMA,
        "method": METHOD,
        "margin_percent": 100 * margin,
        "confidence_percent": 100 * CONFIDENCE,
        "baselines": [
            {
                "study": one.study,
                "baseline": one.comparison.baseline.label,
                "baseline_evidence": evidence_of_baseline([one.comparison.baseline]),
                "runs": [run.run.name for run in one.comparison.baseline.runs],
                "primary": {phase: list(keys) for phase, keys in one.comparison.primary},
                "primary_by": dict(one.comparison.primary_by),
            }
            for one in compared
            if one.comparison.baseline is not None
        ],
        "differences": [_full(row, one) for one in compared for row in one.comparison.differences],
        "excluded": [_excluded(run, one.study) for one in compared for run in one.comparison.excluded],
        "problems": [problem_row(problem) for problem in (*own, *problems)],
    }


def compare_rows(compared: Sequence[Compared]) -> list[Table]:
    """The differences flat: one row per study, phase, configuration and metric."""
    return [_row(row, one) for one in compared for row in one.comparison.differences]


def _row(row: Difference, one: Compared) -> Table:
    change, baseline = row.change, one.comparison.baseline
    return {
        "study": one.study,
        "phase": row.phase,
        "configuration": row.configuration,
        "baseline": None if baseline is None else baseline.label,
        "metric": row.measure.key,
        "unit": row.measure.unit,
        "value": row.value,
        "baseline_value": row.baseline_value,
        "difference": row.difference,
        "ratio": None if change is None else change.ratio,
        "change_percent": None if change is None else change.percent,
        "low_percent": None if change is None else _percent(change.low),
        "high_percent": None if change is None else _percent(change.high),
        "basis": None if change is None else change.basis,
        "p": None if change is None else change.p,
        "p_holm": row.p_holm,
        "p_permutation": row.p_permutation,
        "verdict": None if row.verdict is None else row.verdict.value,
        "reason": None if row.judgement is None else row.judgement.reason,
        "n": len(row.values),
        "n_baseline": len(row.baseline_values),
        "better": None if row.measure.better == "none" else row.measure.better,
        "name": row.measure.name,
        "value_geometric": row.value_geometric,
        "baseline_value_geometric": row.baseline_value_geometric,
        "tier": row.tier,
        "judged_as": row.judged_as,
        "p_bh": row.p_bh,
        "p_same": row.p_same,
        "could_show_low_percent": None if row.outlook is None else 100 * row.outlook.low,
        "could_show_high_percent": None if row.outlook is None else 100 * row.outlook.high,
        "level": None if row.outlook is None else row.outlook.level,
        "runs_for_same": None if row.outlook is None else row.outlook.same_runs,
        "objection": row.objection,
        "unmeasured": row.unmeasured or None,
        "outlook": None if row.judgement is None else " ".join(row.judgement.outlook) or None,
        "baseline_evidence": None if baseline is None else evidence_of_baseline([baseline]),
        "order": one.comparison.order_of(row.configuration),
        "not_comparable": row.apart or None,
    }


def _full(row: Difference, one: Compared) -> Table:
    """With the figures of the runs that it was worked out from."""
    return {
        **_row(row, one),
        "runs": [{"run": run, "value": value} for run, value in row.values],
        "baseline_runs": [{"run": run, "value": value} for run, value in row.baseline_values],
    }


def _excluded(run: Excluded, study: str) -> Table:
    return {"study": study, "configuration": run.configuration, "run": run.run, "reason": run.reason}


def _percent(ratio: float | None) -> float | None:
    if ratio is None or not math.isfinite(ratio):
        return None
    return 100 * (ratio - 1)
