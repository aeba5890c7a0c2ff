"""Findings on acceptance limits: exceeded ones with their figures, and no statement that the checks do not support."""

from __future__ import annotations

from dataclasses import replace

from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import LARGE, MCS, SMALL, groups, replicates
from workbench.answers.findings.claims import chart_key, claim_of
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.rules.limits import limit_findings
from workbench.answers.findings.words import Asked
from workbench.answers.limits.limit import Limit, LimitsFile
from workbench.charts.claim import BarClaim
from workbench.measures.phase_table import RunFigures
from workbench.model.problem import Problem, Severity

IOPS = Limit("iops_per_vm", 100.0, phase="steady")
CPU = Limit("cpu_percent", 50.0, phase="steady")
LOW, HIGH = (90.0, 91.0, 89.0), (110.0, 111.0, 109.0)


def runs(low: tuple[float, ...] = LOW, high: tuple[float, ...] = HIGH) -> list[RunFigures]:
    return [*replicates(MCS, "iops_per_vm", high), *replicates(SMALL, "iops_per_vm", low)]


def found(made: list[RunFigures], *limits: Limit, problems: tuple[Problem, ...] = ()) -> dict[str, Finding]:
    """The findings by their text."""
    file = LimitsFile("limits.toml", limits, problems)
    return {each.text: each for each in limit_findings(Asked("lab", groups(*made), limits=(file,)))}


def test_that_an_exceeded_limit_is_a_finding_with_its_figures(snapshot: SnapshotAssertion) -> None:
    ((text, broken),) = found(runs(), IOPS).items()
    assert text == snapshot
    assert (broken.strength, broken.configuration, broken.page) == (Strength.INDICATIVE, "MCS", "limits")
    assert broken.figures == ("iops_per_vm",)
    assert len(broken.runs) == 3
    ((text, _),) = found(runs(low=HIGH), IOPS).items()
    assert text == snapshot
    assert all(part in text for part in ("MCS and 'MCSIO 256 MB'", "110\u2009IOPS ["))


def test_that_an_exceeded_limit_of_single_runs_is_reported_as_such(snapshot: SnapshotAssertion) -> None:
    ((text, broken),) = found(runs(low=(90.0,), high=(110.0,)), IOPS).items()
    assert text == snapshot
    assert text.endswith("single run)")
    assert broken.strength is Strength.SINGLE


def test_that_several_limits_are_summarised_by_their_counts(snapshot: SnapshotAssertion) -> None:
    first, second = found(runs(), IOPS, replace(IOPS, bound=200.0)).values()
    assert first.text == snapshot
    assert isinstance(first.claim, BarClaim)
    assert first.claim.left_out == "Bars: limits not met"
    assert (first.strength, first.number) == (Strength.INDICATIVE, "1 of 2")
    assert second.short == snapshot
    assert second.caveats == ()
    assert chart_key(first) == chart_key(second)
    assert claim_of(first, groups(*runs()), 0.05) is first.claim
    assert first.claim is not None
    assert first.caveats[0] == snapshot


def test_that_an_inconclusive_limit_is_not_reported_as_met(snapshot: SnapshotAssertion) -> None:
    assert list(found(runs(), CPU)) == snapshot
    (only,) = found(runs(high=LOW), IOPS, CPU).values()
    assert only.text == snapshot
    assert (only.strength, only.claim) == (Strength.INCONCLUSIVE, None)
    first, _ = found(runs(), IOPS, CPU).values()
    assert first.text == snapshot


def test_that_met_limits_are_reported_once(snapshot: SnapshotAssertion) -> None:
    ((text, kept),) = found(runs(high=LOW), IOPS).items()
    assert text == snapshot
    assert kept.strength is Strength.INDICATIVE
    assert "MCS and 'MCSIO 256 MB' meet both limits" in found(runs(high=LOW), IOPS, replace(IOPS, bound=200.0))


def test_that_a_study_without_limits_has_no_finding_on_limits() -> None:
    assert found(runs()) == {}


def test_that_an_unreadable_limit_is_a_caveat(snapshot: SnapshotAssertion) -> None:
    problem = Problem(
        Severity.WARNING,
        "limits.toml",
        "limit-unreadable",
        "Limit 2 has no key 'measure'.",
        "not checked; name the metric to check",
        7,
    )
    first, *_ = found(runs(), IOPS, problems=(problem,)).values()
    assert first.caveats == snapshot


def test_that_limits_that_contradict_each_other_are_a_caveat() -> None:
    least = replace(IOPS, bound=120.0, at_most=False, configurations=("MCS",))
    caveats = [each.caveats for each in found(runs(), IOPS, least).values() if each.caveats]
    assert sum("MCS cannot meet both limits:" in text for text in caveats[0]) == 1
    assert not any("No figure" in text for each in found(runs(), IOPS).values() for text in each.caveats)


def test_that_a_hidden_baseline_is_compared_and_not_mentioned(snapshot: SnapshotAssertion) -> None:
    made = groups(*runs(), *replicates(LARGE, "iops_per_vm", HIGH))
    limit = Limit("iops_per_vm", -50.0, phase="steady", against="MCS")
    shown = [group for group in made if group.label == LARGE.name]
    asked = Asked("lab", shown, family=made, limits=(LimitsFile("x", (limit,)),))
    (broken,) = limit_findings(asked)
    assert broken.text == snapshot
    assert len(broken.runs) == 6
