"""The results of checks: a pass needs the whole interval within the limit, and unmeasured data never leads to a
pass."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import LARGE, MCS, SMALL, groups, one, replicates
from tests.answers.logons.login_storms import sessions
from tests.builders import T0, run
from tests.measures.significance.test_missing_data_check import configuration
from workbench.answers.limits.compute import Check, Outcome, checks, contradictions, expected_wrong_fails
from workbench.answers.limits.compute import judged as judged_spans
from workbench.answers.limits.limit import Limit
from workbench.answers.limits.sentences import family_text, value_text
from workbench.answers.limits.spans import ValueSpan
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Configuration

IOPS = Limit("iops_per_vm", 100.0, phase="steady")
AGAINST = Limit("iops_per_vm", -40.0, phase="steady", against="MCS")


def check(limit: Limit, *runs: RunFigures, of: str = "MCS") -> Check:
    (found,) = (found for found in checks(groups(*runs), [limit]) if found.configuration == of)
    return found


def judged(limit: Limit, *values: float) -> Check:
    return check(limit, *replicates(MCS, "iops_per_vm", values))


def compared(limit: Limit, base: tuple[float, ...], ours: tuple[float, ...]) -> Check:
    runs = (*replicates(MCS, "iops_per_vm", base), *replicates(SMALL, "iops_per_vm", ours))
    return check(limit, *runs, of=SMALL.name)


@pytest.mark.parametrize(
    ("values", "outcome", "reason"),
    [
        ((90.0, 91.0, 89.0), Outcome.PASS, ""),
        ((110.0, 111.0, 109.0), Outcome.FAIL, ""),
        ((99.0, 100.0, 99.5), Outcome.NOT_SHOWN, "the 95 % interval crosses the limit"),
        ((80.0, 99.0, 70.0), Outcome.NOT_SHOWN, "the 95 % interval crosses the limit"),
        ((110.0,), Outcome.FAIL_ONE_RUN, ""),
        ((50.0,), Outcome.NOT_SHOWN, "within the limit, but one run gives no interval; three runs are needed"),
        ((50.0, 51.0), Outcome.NOT_SHOWN, "within the limit, but two runs give no interval; three runs are needed"),
        ((150.0, 151.0), Outcome.FAIL, ""),
        ((90.0, 110.0), Outcome.NOT_SHOWN, "the range of the runs crosses the limit"),
        ((90.0, 90.0, 90.0), Outcome.NOT_SHOWN, "their variation is unknown"),
        ((0.0, 0.0, 0.0), Outcome.PASS, ""),
    ],
)
def test_that_a_value_passes_only_if_its_interval_meets_the_limit(
    values: tuple[float, ...], outcome: Outcome, reason: str
) -> None:
    found = judged(IOPS, *values)
    assert (found.outcome, len(found.values)) == (outcome, len(values))
    assert reason in found.reason
    assert bool(found.reason) is bool(reason)


@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=6), st.floats(0.5, 2e6), st.booleans())
def test_that_a_check_does_not_pass_if_its_interval_crosses_the_limit(
    values: list[float], bound: float, at_most: bool
) -> None:
    found = judged(replace(IOPS, bound=bound, at_most=at_most), *values)
    if found.outcome is Outcome.PASS:
        assert len(values) >= 3
        low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
        assert (high <= bound * (1 + 1e-9)) if at_most else (low >= bound * (1 - 1e-9))
    if found.outcome.failed:
        assert bool(np.mean(values) > bound) is at_most


SPANS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2).map(
    lambda ends: ValueSpan(sum(ends) / 2, min(ends), max(ends), "interval", 3)
)


@given(SPANS, SPANS, SPANS, st.floats(-1e6, 1e6), st.booleans())
def test_that_no_verdict_contradicts_an_end_of_its_interval(
    measured: ValueSpan, lowest: ValueSpan, highest: ValueSpan, bound: float, at_most: bool
) -> None:
    outcome, reason = judged_spans(replace(IOPS, bound=bound, at_most=at_most), measured, lowest, highest, "a gap")
    ends = [end for span in (measured, lowest, highest) for end in span.ends]
    within = [end <= bound if at_most else end >= bound for end in ends]
    expected = Outcome.PASS if all(within) else Outcome.NOT_SHOWN if any(within) else Outcome.FAIL
    assert (outcome, bool(reason)) == (expected, expected is Outcome.NOT_SHOWN)


def test_that_gaps_that_reduce_the_variation_do_not_pass_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The third run measured a tenth; filled up to the level of the others, the runs would vary far less.
    monkeypatch.setattr("tests.measures.significance.test_missing_data_check.FACTORS", (1.0, 1.01, 0.99))
    dead = {f"VM-{number}": 200.0 for number in range(1, 6)}
    group = configuration(tmp_path, "short", 100.0, ({}, {}, dead))
    (found,) = checks([group], [replace(IOPS, bound=120.0)])
    assert found.high is not None
    assert found.high > 120
    assert (found.outcome, found.reason) == (Outcome.NOT_SHOWN, "the 95 % interval crosses the limit")


@pytest.mark.parametrize(("runs", "most"), [(1, 0.5), (2, 0.25), (3, 0.025), (5, 0.025)])
def test_that_a_limit_that_is_exactly_met_fails_no_more_often_than_stated(runs: int, most: float) -> None:
    # A limit at the true mean: any fail is wrong, and so is any pass.
    studies = np.random.default_rng(18).normal(100.0, 8.0, (1500, runs))
    outcomes = [judged(IOPS, *map(float, values)).outcome for values in studies]
    failed = float(np.mean([outcome.failed for outcome in outcomes]))
    assert abs(failed - most) < 4 * math.sqrt(most * (1 - most) / len(studies))
    passed = float(np.mean([outcome is Outcome.PASS for outcome in outcomes]))
    assert passed <= 0.025 + 4 * math.sqrt(0.025 / len(studies))


def test_that_the_number_of_checks_that_fail_by_chance_is_stated(snapshot: SnapshotAssertion) -> None:
    made = [judged(IOPS, 90.0, 91.0, 89.0), judged(IOPS, 90.0, 91.0), judged(IOPS, 120.0), *overflow_checks()]
    assert expected_wrong_fails(made) == pytest.approx(0.025 + 0.25 + 0.5)
    assert family_text(made) == snapshot
    assert family_text(made[:1]) == ""


def overflow_checks() -> tuple[Check, ...]:
    return checks(groups(*overflows(None, None, None)), [Limit("overflow")])


def test_that_a_minimum_reverses_the_comparison() -> None:
    least = replace(IOPS, at_most=False)
    assert judged(least, 110.0, 111.0, 109.0).outcome is Outcome.PASS
    assert judged(least, 90.0, 91.0, 89.0).outcome is Outcome.FAIL
    assert judged(least, 90.0).outcome is Outcome.FAIL_ONE_RUN


def test_that_a_value_equal_to_the_limit_passes() -> None:
    assert judged(replace(IOPS, bound=90.0), 90.0).outcome is Outcome.NOT_SHOWN
    assert judged(replace(IOPS, bound=89.999), 90.0).outcome is Outcome.FAIL_ONE_RUN


def test_that_a_change_is_checked_by_the_interval_shown_on_compare() -> None:
    base, ours = (100.0, 102.0, 98.0), (50.0, 52.0, 49.0)
    found = compared(AGAINST, base, ours)
    interval = stats.ttest_ind(np.log(ours), np.log(base), equal_var=False).confidence_interval(0.95)
    assert found.low == pytest.approx(100 * math.expm1(interval.low))
    assert found.high == pytest.approx(100 * math.expm1(interval.high))
    assert found.outcome is Outcome.PASS
    at_end = replace(AGAINST, bound=100 * math.expm1(interval.high) - 0.01)
    assert compared(at_end, base, ours).outcome is Outcome.NOT_SHOWN
    assert compared(replace(AGAINST, bound=-60.0), base, ours).outcome is Outcome.FAIL


def test_that_a_change_of_single_runs_fails_but_never_passes() -> None:
    assert compared(AGAINST, (100.0,), (90.0,)).outcome is Outcome.FAIL_ONE_RUN
    assert compared(AGAINST, (100.0, 101.0, 99.0), (90.0,)).outcome is Outcome.FAIL_ONE_RUN
    found = compared(AGAINST, (100.0, 101.0, 99.0), (10.0,))
    assert (found.outcome, "one run gives no interval" in found.reason) == (Outcome.NOT_SHOWN, True)
    zeros = compared(AGAINST, (100.0, 101.0, 99.0), (0.0, 0.0, 0.0))
    assert (zeros.outcome, "a run has the value 0" in zeros.reason) == (Outcome.NOT_SHOWN, True)


def test_that_shares_change_in_points() -> None:
    runs = (*replicates(MCS, "cpu_percent", (50.0, 51.0, 49.0)), *replicates(SMALL, "cpu_percent", (52.0, 53.0, 52.5)))
    limit = Limit("cpu_percent", 10.0, phase="steady", against="baseline")
    found = check(limit, *runs, of=SMALL.name)
    assert (limit.unit, found.against, found.outcome) == ("pp", "MCS", Outcome.PASS)
    assert found.value == pytest.approx(2.5)


def test_that_the_baseline_is_not_compared_with_itself(snapshot: SnapshotAssertion) -> None:
    runs = (*replicates(MCS, "iops_per_vm", (1.0, 2.0)), *replicates(SMALL, "iops_per_vm", (1.0,)))
    assert [found.configuration for found in checks(groups(*runs), [AGAINST])] == [SMALL.name]
    (own,) = checks(groups(*runs), [replace(AGAINST, configurations=("mcs",))])
    assert (own.outcome, own.reason) == (Outcome.NOT_SHOWN, "compared with itself")
    assert own.words == snapshot
    both = checks(groups(*runs), [replace(AGAINST, configurations=("MCS", SMALL.name))])
    assert [(found.configuration, found.reason == own.reason) for found in both] == [("MCS", True), (SMALL.name, False)]


@pytest.mark.parametrize("measure", ["iops_per_vm", "read_latency_p95_ms"])
def test_that_a_run_without_the_figure_prevents_a_pass(measure: str) -> None:
    limit = Limit(measure, 100.0, phase="steady")
    runs = replicates(MCS, measure, (90.0, 91.0, 89.0))
    without = [one(MCS, 4, figures={measure: None}), one(MCS, 5, name="boot")]
    assert check(limit, *runs).outcome is Outcome.PASS
    found = check(limit, *runs, *without)
    assert (found.outcome, found.reason) == (
        Outcome.NOT_SHOWN,
        "within the limit, but not measured in MCS r4 and MCS r5",
    )
    assert check(replace(limit, bound=80.0), *runs, *without).outcome is Outcome.FAIL


@pytest.mark.parametrize("lacking", [MCS, SMALL])
def test_that_a_run_without_the_figure_prevents_a_pass_of_a_change(lacking: Configuration) -> None:
    runs = (
        *replicates(MCS, "iops_per_vm", (100.0, 102.0, 98.0)),
        *replicates(SMALL, "iops_per_vm", (50.0, 52.0, 49.0)),
    )
    found = check(AGAINST, *runs, one(lacking, 4, figures={"iops_per_vm": None}), of=SMALL.name)
    assert (found.outcome, found.reason) == (
        Outcome.NOT_SHOWN,
        f"within the limit, but not measured in {lacking.name} r4",
    )


@pytest.mark.parametrize(
    ("limit", "value", "text"),
    [
        (Limit("logon_mean_s", 30.0), 30.4, "30.4\u2009s"),
        (Limit("logon_mean_s", 300.0), 300.2, "300.2\u2009s"),
        (Limit("logon_mean_s", 30.0), 30.0, "30.0\u2009s"),
        (AGAINST, -39.96, "\u221239.96\u2009%"),
        (AGAINST, -52.34, "\u221252.3\u2009%"),
    ],
)
def test_that_a_failing_value_is_not_rounded_to_the_limit(limit: Limit, value: float, text: str) -> None:
    assert value_text(Check(limit, "MCSIO", limit.against, value)) == text


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (replace(IOPS, measure="read_latency_ms"), "not measured in steady state"),
        (replace(IOPS, phase="stedy"), "no run has the phase 'stedy'; did you mean steady?"),
        (replace(IOPS, configurations=("MSC",)), "there is no such configuration; did you mean 'MCS'?"),
        (replace(AGAINST, against="PVS"), "No configuration is called 'PVS'"),
        (Limit("stuck_percent", 1.0), "not measured"),
        (Limit("overflow", configurations=("MCS",)), "no counter shows whether the cache overflowed"),
    ],
)
def test_that_an_unmeasured_value_is_inconclusive_with_the_reason(limit: Limit, reason: str) -> None:
    (found,) = checks(groups(*replicates(MCS, "iops_per_vm", (1.0, 2.0, 3.0))), [limit])
    assert (found.outcome, found.value) == (Outcome.NOT_SHOWN, None)
    assert reason in found.reason


def test_that_excluded_and_running_tests_do_not_pass(snapshot: SnapshotAssertion) -> None:
    out = [one(MCS, n, figures={"iops_per_vm": 10.0 + n}, excluded="wrong build") for n in (1, 2, 3)]
    (found,) = checks(groups(*out), [replace(IOPS, configurations=("MCS",))])
    assert found.reason == snapshot
    (every,) = checks(groups(*out), [IOPS])
    assert (every.configuration, every.reason) == ("MCS", "every run is excluded")
    live = [one(MCS, n, figures={"iops_per_vm": 10.0 + n}, running=n == 3) for n in (1, 2, 3)]
    assert check(IOPS, *live).reason == snapshot


def test_that_a_limit_applies_to_the_configurations_that_it_names() -> None:
    runs = [run for made in (MCS, SMALL, LARGE) for run in replicates(made, "iops_per_vm", (1.0,))]
    limit = replace(IOPS, configurations=("mcsio 1 gb", "MCS"))
    assert [found.configuration for found in checks(groups(*runs), [limit])] == ["MCSIO 1 GB", "MCS"]
    assert [found.configuration for found in checks(groups(*runs), [IOPS], frozenset(["MCS"]))] == [
        "MCSIO 256 MB",
        "MCSIO 1 GB",
    ]


def test_that_a_configuration_is_checked_once_however_often_it_is_named() -> None:
    runs = replicates(SMALL, "iops_per_vm", (1.0, 2.0, 3.0))
    (group,) = groups(*runs)
    labelled = replace(group, label="MCSIO 256 MB, 5 VMs")
    limit = replace(IOPS, configurations=("MCSIO 256 MB", "mcsio 256 mb", "MCSIO 256 MB, 5 VMs"))
    assert [found.configuration for found in checks([labelled], [limit])] == ["MCSIO 256 MB, 5 VMs"]


def test_that_the_text_of_a_limit_names_its_reference(snapshot: SnapshotAssertion) -> None:
    runs = (*replicates(MCS, "iops_per_vm", (100.0,)), *replicates(SMALL, "iops_per_vm", (50.0,)))
    found = check(replace(AGAINST, against="baseline", name="A third"), *runs, of=SMALL.name)
    assert found.words == snapshot
    (none,) = checks(groups(*runs), [replace(AGAINST, against="PVS")])
    assert none.words == snapshot


def test_that_excluded_runs_are_named(snapshot: SnapshotAssertion) -> None:
    runs = replicates(MCS, "iops_per_vm", (90.0, 91.0, 89.0))
    phases = tuple(replace(row, total_io=5.0) for row in runs[0].phases)
    first = replace(runs[0], phases=phases)
    copy = replace(first, run=replace(first.run, name="MCS copy", folder="copy"))
    out = replace(runs[2], run=replace(runs[2].run, excluded="wrong build"))
    found = check(IOPS, first, runs[1], out, copy)
    assert len(found.values) == 2
    assert found.notes == snapshot


def overflows(*starts: float | None, disk: float | None = 5.0) -> list[RunFigures]:
    figures = [{"cache_disk_used_mb_peak": disk, "overflow_start": start} for start in starts]
    return [one(SMALL, n, figures=each) for n, each in enumerate(figures, 1)]


@pytest.mark.parametrize(
    ("starts", "outcome"),
    [
        ((None, None, None), Outcome.PASS),
        ((None, T0 + 60, None), Outcome.FAIL),
        ((T0 + 60,), Outcome.FAIL_ONE_RUN),
        ((None,), Outcome.NOT_SHOWN),
        ((None, None), Outcome.NOT_SHOWN),
    ],
)
def test_that_one_overflow_fails_the_check_and_a_pass_needs_three_runs(
    starts: tuple[float | None, ...], outcome: Outcome
) -> None:
    assert check(Limit("overflow"), *overflows(*starts), of=SMALL.name).outcome is outcome
    found = check(Limit("overflow", phase="steady"), *overflows(*starts), of=SMALL.name)
    # A count of runs has no interval, and is not the value of a single run.
    assert (found.outcome, found.basis) == (outcome, None)


def test_that_a_run_without_a_cache_disk_reading_prevents_a_pass() -> None:
    runs = [*overflows(None, None, None), one(SMALL, 4)]
    found = check(Limit("overflow"), *runs, of=SMALL.name)
    assert (found.outcome, "no counter for MCSIO 256 MB r4" in found.reason) == (Outcome.NOT_SHOWN, True)
    plain = checks(groups(*replicates(MCS, "iops_per_vm", (1.0,)), *runs), [Limit("overflow")])
    assert [each.configuration for each in plain] == [SMALL.name]


def test_that_an_estimated_overflow_does_not_fail_the_check() -> None:
    runs = replicates(SMALL, "cache_ram_used_mb_end", (300.0, 301.0, 302.0))
    guessed = [replace(run, phases=tuple(replace(row, cache_ram_estimate=True) for row in run.phases)) for run in runs]
    limit = Limit("cache_ram_used_mb_end", 200.0, phase="steady")
    assert check(limit, *runs, of=SMALL.name).outcome is Outcome.FAIL
    found = check(limit, *guessed, of=SMALL.name)
    assert (found.outcome, "contains more than the cache" in found.reason) == (Outcome.NOT_SHOWN, True)
    found = check(replace(limit, bound=400.0), *guessed, of=SMALL.name)
    assert (found.outcome, found.verdict) == (Outcome.PASS, "pass (estimated)")
    assert check(replace(limit, bound=400.0), *runs, of=SMALL.name).verdict == "pass"
    least = replace(limit, bound=400.0, at_most=False)
    assert check(least, *guessed, of=SMALL.name).verdict == "fail (estimated)"
    assert check(least, guessed[0], of=SMALL.name).verdict == "fail (one run, estimated)"
    assert check(replace(least, bound=200.0), *guessed, of=SMALL.name).verdict == "inconclusive"


def test_that_a_change_of_estimated_values_is_inconclusive() -> None:
    ours = replicates(SMALL, "cache_ram_used_mb_end", (100.0, 101.0, 102.0))
    theirs = replicates(LARGE, "cache_ram_used_mb_end", (300.0, 301.0, 302.0))
    limit = Limit("cache_ram_used_mb_end", -40.0, phase="steady", against=LARGE.name)
    assert check(limit, *ours, *theirs, of=SMALL.name).verdict == "pass"
    guess = replace(theirs[1], phases=tuple(replace(row, cache_ram_estimate=True) for row in theirs[1].phases))
    found = check(limit, *ours, theirs[0], guess, theirs[2], of=SMALL.name)
    assert (found.verdict, "the difference between the caches is unknown" in found.reason) == ("inconclusive", True)


def test_that_a_gap_that_could_change_the_result_makes_pass_and_fail_inconclusive(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    whole = configuration(tmp_path / "a", "whole", 90.0)
    short = configuration(tmp_path / "b", "short", 100.0, ({"VM-1": 1000.0}, {"VM-1": 1000.0}, {"VM-1": 1000.0}))
    near = Limit("iops_per_vm", 97.0, phase="steady")
    assert checks([whole], [near])[0].outcome is Outcome.PASS
    (found,) = checks([short], [near])
    assert (found.outcome, found.value is not None) == (Outcome.NOT_SHOWN, True)
    assert found.high is not None
    assert found.high < 97
    assert found.reason == snapshot
    # Even the maximum in the gaps would stay far below.
    assert checks([short], [replace(near, bound=500.0)])[0].outcome is Outcome.PASS
    assert checks([short], [replace(near, bound=20.0)])[0].outcome is Outcome.FAIL


def test_that_a_gap_makes_the_check_of_a_change_inconclusive_too(tmp_path: Path) -> None:
    base = configuration(tmp_path / "a", "base", 100.0)
    dead = ({"VM-1": 400.0},) * 3
    ours, short = (
        configuration(tmp_path / name, name, level, gone)
        for name, level, gone in (("ours", 16.8, ({}, {}, {})), ("short", 20.0, dead))
    )
    limit = Limit("iops_per_vm", -81.0, phase="steady", against="base")
    assert checks([base, ours], [limit])[0].outcome is Outcome.PASS
    (found,) = checks([base, short], [limit])
    assert (found.outcome, "missing samples" in found.reason) == (Outcome.NOT_SHOWN, True)


def test_that_limits_on_sessions_are_checked_run_by_run() -> None:
    def storm(count: int, n: int) -> RunFigures:
        made = sessions(np.full(20, 10.0 + n))
        stuck = tuple(
            replace(each, logon_end=None, logon_s=None, apps_started=None, session_end=None) for each in made[:count]
        )
        return RunFigures(run(name=f"r{n}", folder=f"r{n}", sessions=(*stuck, *made[count:])), (), ())

    clean, worse = ([storm(count, n) for n, count in enumerate(counts, 1)] for counts in ((0, 0, 0), (2, 3, 2)))
    limit = Limit("stuck_percent", 1.0)
    assert checks(groups(*clean), [limit])[0].outcome is Outcome.PASS
    (found,) = checks(groups(*worse), [limit])
    assert (found.outcome, [value for _, value in found.values]) == (Outcome.FAIL, [10.0, 15.0, 10.0])
    assert checks(groups(*clean), [Limit("logon_mean_s", 20.0)])[0].value == pytest.approx(12.0)
    without = RunFigures(run(name="r4", folder="r4"), (), ())
    for each in (limit, Limit("logon_mean_s", 20.0), Limit("logon_p95_s", 20.0)):
        assert checks(groups(*clean), [each])[0].outcome is Outcome.PASS
        (found,) = checks(groups(*clean, without), [each])
        assert (found.outcome, found.reason) == (Outcome.NOT_SHOWN, "within the limit, but not measured in r4")
    assert checks(groups(*worse, without), [limit])[0].outcome is Outcome.FAIL


LEAST = replace(IOPS, bound=120.0, at_most=False, line=7)
CHANGE = replace(AGAINST, bound=-50.0, line=1)


@pytest.mark.parametrize(
    ("limits", "configurations"),
    [
        ((IOPS, LEAST), ["MCS", "MCSIO 256 MB"]),
        ((LEAST, IOPS, replace(IOPS, bound=110.0)), ["MCS", "MCSIO 256 MB"]),
        ((IOPS, replace(LEAST, configurations=("mcs",))), ["MCS"]),
        ((replace(IOPS, configurations=("MCS",)), replace(LEAST, configurations=("MCSIO 256 MB", "MCS"))), ["MCS"]),
        ((CHANGE, replace(CHANGE, against="baseline", bound=-40.0, at_most=False)), ["MCSIO 256 MB"]),
        ((replace(IOPS, configurations=("None such",)), replace(LEAST, configurations=("none such",))), ["None such"]),
        ((IOPS, replace(LEAST, bound=100.0)), []),
        ((IOPS, replace(LEAST, phase="boot")), []),
        ((IOPS, replace(LEAST, measure="iops")), []),
        ((IOPS, replace(LEAST, against="MCS")), []),
        ((IOPS, replace(IOPS, bound=50.0)), []),
        ((replace(IOPS, configurations=("MCS",)), replace(LEAST, configurations=("MCSIO 256 MB",))), []),
        ((Limit("overflow"), LEAST), []),
    ],
)
def test_that_limits_that_contradict_each_other_are_named_with_their_configurations(
    limits: tuple[Limit, ...], configurations: list[str]
) -> None:
    runs = (*replicates(MCS, "iops_per_vm", (90.0, 91.0)), *replicates(SMALL, "iops_per_vm", (40.0, 41.0)))
    found = contradictions(checks(groups(*runs), limits), "limits.toml")
    assert [problem.code for problem in found] == ["limits-contradict"] * bool(configurations)
    for problem in found:
        who = problem.message.partition(":")[0]
        assert problem.line == max(limit.line or 0 for limit in limits)
        assert all(name in who for name in configurations)
        assert who.count(",") + who.count(" and ") + 1 == len(configurations)


def test_that_the_two_strictest_of_several_limits_on_one_figure_are_named() -> None:
    limits = [replace(IOPS, bound=float(bound)) for bound in (100, 90, 80)]
    limits += [replace(LEAST, bound=float(bound)) for bound in (95, 120, 110)]
    (problem,) = contradictions(checks(groups(*replicates(MCS, "iops_per_vm", (90.0,))), limits), "limits.toml")
    assert ("\u2264 80" in problem.message, "\u2265 120" in problem.message) == (True, True)
