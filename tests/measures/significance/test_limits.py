"""The limits of statements on runs, each tested on both sides: outliers, drifts, the order of a plan, verdicts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import t
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import LARGE, MCS, SMALL, groups
from tests.measures.significance.test_run_order import PRIMARY, at
from workbench.measures.catalogue import MEASURES
from workbench.measures.significance.differences import Outlook, outlook_of
from workbench.measures.significance.power import Scatter, scatter_of
from workbench.measures.significance.run_order import Drift, drifts, outlying_problems
from workbench.measures.significance.run_plan import interleaved, run_plan
from workbench.measures.significance.verdicts import Adjusted, judge, relative
from workbench.measures.statistics import Change, Direction, Verdict, change
from workbench.model.phase import STEADY
from workbench.model.run import Configuration
from workbench.words.numbers import THIN

CLOSE = [100.0, 102.0, 98.0, 101.0]


def outlying(*sides: tuple[Configuration, list[float]]) -> list[str]:
    """The messages about runs that are far from the other runs of their configuration."""
    runs = [at(made, n, n, value) for made, values in sides for n, value in enumerate(values, 1)]
    return [problem.message for problem in outlying_problems(groups(*runs), PRIMARY)]


def test_that_each_of_five_runs_is_compared_with_the_other_four_alone(snapshot: SnapshotAssertion) -> None:
    others = np.log(CLOSE)

    def p(value: float) -> float:
        error = others.std(ddof=1) * math.sqrt(1 + 1 / 4)
        return float(2 * t.sf(abs(math.log(value) - others.mean()) / error, 3))

    # Five runs and one primary measure: five tests.
    limit = brentq(lambda value: 5 * p(value) - 0.05, 105, 200)
    assert outlying((MCS, [*CLOSE, limit - 0.01])) == []
    (message,) = outlying((MCS, [*CLOSE, limit + 0.01]))
    assert message == snapshot


def test_that_fewer_than_five_runs_are_compared_with_the_variation_of_all_configurations(
    snapshot: SnapshotAssertion,
) -> None:
    small, two = [50.0, 51.0, 49.5], [200.0, 100.0]
    others = np.log(CLOSE[:3])
    rest = ((others - others.mean()) ** 2).sum() + ((np.log(small) - np.log(small).mean()) ** 2).sum()

    def p(value: float) -> float:
        # Seven runs of two configurations: one mean each, and the run itself, leave four degrees of freedom.
        error = math.sqrt(rest / 4 * (1 + 1 / 3))
        return float(2 * t.sf(abs(math.log(value) - others.mean()) / error, 4))

    # Nine tests: two runs of a configuration vary; they give no information about the others, but count as tests too.
    limit = brentq(lambda value: 9 * p(value) - 0.05, 50, 95)
    sides = (SMALL, small), (LARGE, two)
    assert outlying((MCS, [*CLOSE[:3], limit + 0.01]), *sides) == []
    (message,) = outlying((MCS, [*CLOSE[:3], limit - 0.01]), *sides)
    assert "MCS r4" in message
    assert message == snapshot


@pytest.mark.parametrize(("value", "named"), [(104.9, False), (105.1, True), (95.1, False), (94.9, True)])
def test_that_a_run_within_the_margin_is_never_an_outlier(value: float, named: bool) -> None:
    assert bool(outlying((MCS, [100.0, 100.0, 100.0, 100.0, value]))) is named
    assert bool(outlying((MCS, [99.99, 100.01, 100.0, 100.0, value]))) is named


def test_that_equal_runs_and_four_runs_alone_have_no_outlier() -> None:
    assert outlying((MCS, [100.0] * 5)) == []
    # Four runs leave two degrees of freedom: too few for a statement.
    assert outlying((MCS, [100.0, 100.1, 99.9, 300.0])) == []
    assert len(outlying((MCS, [100.0, 100.1, 99.9, 100.0, 300.0]))) == 1


@pytest.mark.parametrize(("runs", "told"), [(4, 0), (5, 1), (6, 1)])
def test_that_a_drift_needs_three_degrees_of_freedom(runs: int, told: int) -> None:
    values = [100 * 1.1**n * (1.001 if n % 2 else 1) for n in range(runs)]
    found = drifts(groups(*(at(MCS, n, n, value) for n, value in enumerate(values, 1))), PRIMARY)
    assert [(drift.runs, drift.places) for drift in found] == [(runs, (("MCS", (runs - 1) / 2),))] * told
    together = groups(*(at(MCS, n, min(n, runs - 1), value) for n, value in enumerate(values, 1)))
    assert drifts(together, PRIMARY) == ()


@pytest.mark.parametrize(
    ("log_ratio", "explains"), [(0.39, True), (0.41, False), (-0.3, False), (0.1, True), (-0.1, False)]
)
def test_that_a_drift_explains_a_change_if_it_is_half_as_large_and_in_its_direction(
    log_ratio: float, explains: bool
) -> None:
    drift = Drift(STEADY, "iops_per_vm", 0.1, 0.01, 9, (("A", 1.0), ("B", 3.0)))
    # B was made two places later: the drift alone moves it by 0.2.
    assert drift.explains("B", "A", math.exp(log_ratio)) is explains
    assert drift.explains("A", "B", math.exp(-log_ratio)) is explains
    assert not drift.explains("B", "C", math.exp(0.1))
    assert not drift.explains("C", "A", math.exp(0.1))
    assert not drift.explains("B", "A", 0.0)


def test_that_every_other_round_starts_one_configuration_later_and_the_rounds_between_are_reversed() -> None:
    rounds = ["".join(interleaved("ABC", 7)[3 * n : 3 * n + 3]) for n in range(7)]
    assert rounds == ["ABC", "CBA", "BCA", "ACB", "CAB", "BAC", "ABC"]
    assert interleaved(["A"], 2) == ("A", "A")
    assert interleaved("AB", 0) == ()


def test_that_a_plan_uses_the_configuration_that_needs_most_runs_and_the_significance_level_of_all() -> None:
    base, small = [100.0, 104.0, 97.0], [60.0, 66.0, 58.0]
    sides = ((MCS, base), (SMALL, small), (LARGE, [50.0]))
    runs = [at(made, n, n, value) for made, values in sides for n, value in enumerate(values, 1)]
    first, *others = groups(*runs)
    plan = run_plan(first, others, 0.1, 0.05)
    keys = {(need.phase, need.measure) for need in plan.needs}
    assert plan.level == pytest.approx(0.05 / len(plan.needs))
    assert len(plan.needs) == 2 * len(keys)
    widest = scatter_of(small)
    assert widest is not None
    needs = {need.configuration: need for need in plan.needs if need.measure == "iops_per_vm"}
    assert (needs["MCSIO 256 MB"].assumed, needs["MCSIO 1 GB"].assumed) == (False, True)
    assert needs["MCSIO 256 MB"].scatter == needs["MCSIO 1 GB"].scatter == pytest.approx(widest.limit)
    assert [needs[name].runs_there for name in ("MCSIO 256 MB", "MCSIO 1 GB")] == [3, 1]
    assert plan.runs == max(need.runs or 0 for need in plan.needs)
    assert len(plan.order) == 3 * min(plan.runs, 50)
    assert plan.order[:3] == ("MCS", "MCSIO 256 MB", "MCSIO 1 GB")


def test_that_a_plan_without_variation_has_three_runs() -> None:
    runs = [at(made, 1, n, 100.0) for n, made in enumerate((MCS, SMALL))]
    first, *others = groups(*runs)
    plan = run_plan(first, others, 0.1, 0.05)
    assert plan.runs is None
    assert {(need.runs, need.same_runs, need.scatter, need.assumed) for need in plan.needs} == {
        (None, None, None, True)
    }
    assert len(plan.order) == 6


def test_that_variation_needs_two_different_runs_and_no_zero_on_logs() -> None:
    assert scatter_of([5.0]) is None
    assert scatter_of([5.0, 5.0]) is None
    assert scatter_of([0.0, 5.0]) is None
    plain = scatter_of([0.0, 5.0], "plain", 10.0)
    # chi-square of one degree of freedom has 0.2 of its weight below 0.06418.
    assert plain == Scatter(pytest.approx(math.sqrt(0.125) / math.sqrt(0.0641847), rel=1e-5), 2)


@pytest.mark.parametrize(
    ("low", "high", "same", "margin", "words"),
    [
        (-0.095, 0.105, 12, 0.05, ["decreases under 9.5% or increases under 10%", "needs 12 runs per configuration"]),
        (-0.2, 0.2, None, 0.05, ["differences under 20%", "needs more than 1000 runs per configuration"]),
        (-0.2, 0.25, 5, 1.0, ["decreases under 20% or increases under 25%"]),
        (-0.2, 0.25, 5, 0.0, ["decreases under 20% or increases under 25%"]),
    ],
)
def test_that_the_detectable_change_is_reported_in_percent(
    low: float, high: float, same: int | None, margin: float, words: list[str]
) -> None:
    told = Outlook(0.05, low, high, same, 300.0).sentences(MEASURES["iops_per_vm"], margin)
    assert len(told) == len(words)
    for word, sentence in zip(words, told, strict=True):
        assert word in sentence.replace(THIN, "")


def test_that_a_side_without_variation_uses_that_of_the_other_side() -> None:
    def sides(first: list[float], second: list[float]) -> Outlook | None:
        found = change(first, second)
        assert found is not None
        return outlook_of(first, second, found, 0.05, 0.05)

    flat, other = [50.0, 50.0, 50.0], [100.0, 104.0, 97.0]
    one, two = sides(flat, other), sides(other, flat)
    assert one is not None
    assert two is not None
    assert (one.low, one.high, one.same_runs) == (two.low, two.high, two.same_runs)
    assert (1 + one.low) * (1 + one.high) == pytest.approx(1)
    assert sides(flat, flat) is None


def changed(ratio: float, p: float | None = 0.01, n: int = 3) -> Change:
    return Change(ratio, 0.0, None, None, "interval", n, n, p)


@pytest.mark.parametrize(
    ("found", "adjusted", "verdict", "words"),
    [
        (changed(0.8), Adjusted(0.049, 0.9, 0.049), Verdict.BETTER, "and the variation between runs"),
        (changed(1.2), Adjusted(0.049), Verdict.WORSE, "exceeds"),
        (changed(0.8), Adjusted(0.05), Verdict.INCONCLUSIVE, "not significant after correction"),
        (changed(0.8, 0.05), Adjusted(0.05), Verdict.INCONCLUSIVE, "the runs vary too much"),
        (changed(0.8), Adjusted(0.01, 0.9, 0.05), Verdict.INCONCLUSIVE, "permutation"),
        (changed(0.75), Adjusted(0.01), Verdict.INCONCLUSIVE, "whether the change exceeds 25\u2009%"),
        (changed(0.8, None), Adjusted(None), Verdict.INCONCLUSIVE, "have the same value"),
        (changed(0.8, None, 2), Adjusted(None), Verdict.INCONCLUSIVE, "needs three runs of each configuration"),
        (changed(0.8), Adjusted(None), Verdict.INCONCLUSIVE, "have the same value"),
    ],
)
def test_that_each_rule_of_a_verdict_changes_at_its_limit(
    found: Change, adjusted: Adjusted, verdict: Verdict, words: str
) -> None:
    margin = 0.25 if found.ratio == 0.75 else 0.05
    judgement = judge(found, adjusted, margin=margin)
    assert judgement.verdict is verdict
    assert words in judgement.reason


@pytest.mark.parametrize(
    ("ratio", "better", "verdict"),
    [
        (0.8, "lower", Verdict.BETTER),
        (0.8, "higher", Verdict.WORSE),
        (0.8, "none", Verdict.LOWER),
        (1.2, "lower", Verdict.WORSE),
        (1.2, "higher", Verdict.BETTER),
        (1.2, "none", Verdict.HIGHER),
    ],
)
def test_that_the_direction_of_a_metric_decides_what_is_better(
    ratio: float, better: Direction, verdict: Verdict
) -> None:
    assert judge(changed(ratio), Adjusted(0.01), better=better).verdict is verdict


def test_that_a_change_on_plain_values_is_the_difference_by_the_baseline() -> None:
    plain = Change(2.0, -30.0, None, None, "range", 3, 3, 0.01, scale="plain", value=70.0, baseline_value=100.0)
    assert relative(plain) == pytest.approx(-0.3)
    assert relative(changed(1.25)) == pytest.approx(0.25)
