"""The checks as JSON and CSV rows (schema vdi-workbench/check/1): keys may be added, never renamed or removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.common.baselines import evidence_of_baseline
from workbench.answers.common.document import Table, problem_row
from workbench.answers.limits.compute import Check, Outcome, contradictions, counts_of, expected_wrong_fails
from workbench.answers.limits.limit import BASELINE, LimitsFile
from workbench.measures.configurations import Group
from workbench.measures.judging.method import METHOD
from workbench.measures.statistics import CONFIDENCE
from workbench.model.problem import Problem

CHECK_SCHEMA = "vdi-workbench/check/1"


@dataclass(frozen=True, eq=False)
class Checked:
    """A study by name (several that are looked at as one, by their names), the limits it was held against, and what
    came of each; `baseline` is that of the study."""

    study: str
    limits: LimitsFile
    checks: tuple[Check, ...]
    baseline: Group | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What of the limits could not be read, and which of them contradict each other."""
        return (*self.limits.problems, *contradictions(self.checks, self.limits.file))

    def baseline_by(self, check: Check) -> str | None:
        """Why the configuration is the baseline that a check is against; None where it is against none."""
        base = self.baseline
        if base is None or check.limit.against != BASELINE or check.against != base.label:
            return None
        return evidence_of_baseline([base])


def failed(studies: Sequence[Checked], strict: bool) -> bool:
    """Whether any limit is broken; when `strict`, whether any is not shown to be kept."""
    outcomes = [check.outcome for study in studies for check in study.checks]
    return any(outcome.failed or (strict and outcome is Outcome.NOT_SHOWN) for outcome in outcomes)


def problems_of(studies: Sequence[Checked]) -> list[Problem]:
    """What is wrong with the limits themselves, each problem once."""
    return list(dict.fromkeys(problem for study in studies for problem in study.problems))


def check_json(studies: Sequence[Checked], strict: bool, problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb check --format json` as a value: null = not available; problems of the limits come before the
    `problems` of the studies."""
    counts = counts_of([check for study in studies for check in study.checks])
    return {
        "schema": CHECK_SCHEMA,
        "method": METHOD,
        "confidence_percent": 100 * CONFIDENCE,
        "strict": strict,
        "failed": failed(studies, strict),
        "wrong_fails_at_most": sum(expected_wrong_fails(study.checks) for study in studies),
        "counts": {
            "pass": counts.passed,
            "fail": counts.failed,
            "not_shown": counts.not_shown,
            "inconclusive": counts.not_shown,
        },
        "limits": [
            {"study": study.study, "file": study.limits.file, "limits": len(study.limits.limits)} for study in studies
        ],
        "checks": [_full(check, study) for study in studies for check in study.checks],
        "problems": [problem_row(problem) for problem in (*problems_of(studies), *problems)],
    }


def check_rows(studies: Sequence[Checked]) -> list[Table]:
    """The checks flat: one row per study, limit and configuration."""
    return [_row(check, study) for study in studies for check in study.checks]


def _row(check: Check, study: Checked) -> Table:
    limit = check.limit
    return {
        "study": study.study,
        "limit": check.words,
        "configuration": check.configuration,
        "verdict": check.outcome.value,
        "measure": limit.measure,
        "phase": limit.phase or None,
        "against": check.against or None,
        "bound": limit.bound,
        "direction": None if limit.bound is None else "at_most" if limit.at_most else "at_least",
        "unit": limit.unit,
        "value": check.value,
        "low": check.low,
        "high": check.high,
        "basis": check.basis,
        "n": len(check.values),
        "n_baseline": len(check.baseline_values) if check.against else None,
        "reason": check.reason or None,
        "notes": list(check.notes),
        "estimated": check.estimated,
        "line": limit.line,
        "file": study.limits.file,
        "baseline_evidence": study.baseline_by(check),
    }


def _full(check: Check, study: Checked) -> Table:
    """With the figures of the runs that it was worked out from."""
    return {
        **_row(check, study),
        "runs": [{"run": run, "value": value} for run, value in check.values],
        "baseline_runs": [{"run": run, "value": value} for run, value in check.baseline_values],
    }
