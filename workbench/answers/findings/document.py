"""The findings as JSON and CSV rows (schema vdi-workbench/findings/1): keys may be added, never renamed or removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.answers.common.baselines import evidence_of_baseline
from workbench.answers.common.document import Table, problem_row
from workbench.answers.findings.compute import Finding, listed, ranks_of
from workbench.measures.comparability import COMPARABLE, Comparability
from workbench.measures.configurations import Group
from workbench.measures.judging.method import METHOD
from workbench.model.problem import Problem

FINDINGS_SCHEMA = "vdi-workbench/findings/1"


@dataclass(frozen=True, eq=False)
class Told:
    """A study by name with its findings, the sentences on what cannot be found, and its baseline (None: it has no runs
    that count). `run_names` are the names of runs by their folders. `comparability` says which configurations cannot
    be compared with the baseline, and why."""

    study: str
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    baseline: Group | None = None
    run_names: Mapping[str, str] = field(default_factory=dict)
    comparability: Comparability = COMPARABLE


def findings_json(told: Sequence[Told], problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb findings --format json` as a value: null = not available, percentages of change, `relevance` 0 to 1."""
    return {
        "schema": FINDINGS_SCHEMA,
        "method": METHOD,
        "findings": [
            {
                **row,
                "caveats": list(finding.caveats),
                "runs": _run_names(each, finding),
                "figures": list(finding.figures),
            }
            for each in told
            for row, finding in zip(_rows(each), each.findings, strict=True)
        ],
        "remarks": [{"study": one.study, "text": text} for one in told for text in one.remarks],
        "comparability": [_comparability(one) for one in told if one.baseline is not None],
        "problems": [problem_row(problem) for problem in problems],
    }


def _comparability(told: Told) -> Table:
    return {
        "study": told.study,
        "comparable": told.comparability.comparable,
        "reasons": [
            {
                "code": reason.code,
                "configuration": reason.configuration or None,
                "baseline": reason.baseline or None,
                "text": reason.text,
                "next": reason.next_step,
            }
            for reason in told.comparability.reasons
        ],
    }


def findings_rows(told: Sequence[Told]) -> list[Table]:
    """The findings flat: one row each, lists joined."""
    return [
        {
            **row,
            "caveats": "; ".join(finding.caveats),
            "runs": "; ".join(_run_names(each, finding)),
            "figures": "; ".join(finding.figures),
        }
        for each in told
        for row, finding in zip(_rows(each), each.findings, strict=True)
    ]


def _run_names(told: Told, finding: Finding) -> list[str]:
    return [told.run_names.get(folder, folder) for folder in finding.runs]


def _rows(told: Told) -> list[Table]:
    evidence = None if told.baseline is None else evidence_of_baseline([told.baseline])
    shown = {finding.key for finding in listed(told.findings)[0]}
    ranks = ranks_of(told.findings)
    return [
        _row(finding, index, told.study, evidence)
        | {"shown": finding.key in shown, "rank": ranks[finding.key], "evidence_of": finding.led_by or None}
        for index, finding in enumerate(told.findings)
    ]


def _row(one: Finding, place: int, study: str, evidence: str | None) -> Table:
    change = one.change
    low, high = (None, None) if change is None else change.percent_ends
    return {
        "study": study,
        "key": one.key,
        "text": one.text,
        "strength": one.strength.value,
        "kind": one.kind,
        "place": place + 1,
        "shown": False,
        "relevance": round(one.relevance, 6),
        "configuration": one.configuration or None,
        "baseline": one.baseline or None,
        "phase": one.phase or None,
        "metric": one.figure or None,
        "change_percent": None if change is None else change.percent,
        "low_percent": low,
        "high_percent": high,
        "basis": None if change is None else change.basis,
        "n": _count(one, 0),
        "n_baseline": _count(one, 1),
        "page": one.page or None,
        "view": one.view or None,
        "vm": one.lit_vm or None,
        "difference": one.difference if change is None else change.difference,
        "unit": one.unit or None,
        "source": one.source or None,
        "baseline_evidence": evidence if one.baseline else None,
        "order": one.order,
    }


def _count(one: Finding, side: int) -> int | None:
    """The runs (side 0) or the baseline's (side 1) that a finding's figures are of."""
    counts = one.counts if one.change is None else (one.change.n, one.change.n_baseline)
    return None if counts is None else counts[side]
