"""The result of a series: a step with its build, a drift, undecided, or no change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import DAY, FIRST, SCATTER, drifting, of, stepped, weekly
from workbench.answers.trend.compute import Trend, TrendOutcome, drift_ratio
from workbench.answers.trend.parted import series_of
from workbench.answers.trend.sentences import likely_text, outcome_text, slope_text, trend_sentence
from workbench.measures.statistics import Verdict, change
from workbench.model.history import DateEvidence, HistoryPoint, RunDate


def trend_of(points: list[HistoryPoint]) -> Trend:
    (trend,) = of(points)
    return trend


def test_that_a_step_has_its_build_and_size_and_interval_and_direction(snapshot: SnapshotAssertion) -> None:
    values = stepped(7, 0.12)
    trend = trend_of(weekly(values))
    (step,) = trend.steps
    welch = change(values[:7], values[7:])
    assert welch is not None
    assert (trend.outcome, step.point.build, step.verdict) == (TrendOutcome.STEP, "8", Verdict.WORSE)
    assert (step.change.percent, *step.change.percent_ends) == (welch.percent, *welch.percent_ends)
    assert 10 < step.change.percent < 14
    assert [(segment.start, segment.end, segment.mean.n) for segment in trend.segments] == [(0, 7, 7), (7, 12, 5)]
    assert outcome_text(trend) == snapshot
    assert trend_sentence(trend) == snapshot


def test_that_a_fall_of_iops_is_better() -> None:
    assert trend_of(weekly(stepped(6, -0.2))).steps[0].verdict is Verdict.BETTER


def test_that_a_drift_is_not_reported_as_a_step() -> None:
    trend = trend_of(weekly(drifting(0.2)))
    assert (trend.outcome, trend.steps, trend.verdict) == (TrendOutcome.DRIFT, (), Verdict.WORSE)
    assert trend.slope is not None
    assert trend.slope.low < 0.2 < trend.slope.high
    assert trend.slope.change == pytest.approx(0.2, abs=0.03)


def test_that_a_drift_over_dates_is_found_although_the_dates_are_irregular() -> None:
    """Nine runs in nine days, three a month later: by their order alone they would look like a step."""
    days = [0, 1, 2, 3, 4, 5, 6, 7, 8, 38, 39, 40]
    dates = [RunDate(FIRST + DAY * day, DateEvidence.STATED) for day in days]
    values = [100 * (1 + 0.01 * day) * (1 + SCATTER[place] / 200) for place, day in enumerate(days)]
    assert trend_of(weekly(values, date=dates)).outcome is TrendOutcome.DRIFT


def test_that_runs_that_do_not_show_whether_it_is_a_step_report_so(snapshot: SnapshotAssertion) -> None:
    values = [100.0, 101.0, 100.5, 102.0, 103.0, 102.5, 105.5, 107.0, 106.0, 107.5, 108.0, 107.0]
    trend = trend_of(weekly(values))
    assert trend.outcome is TrendOutcome.UNCLEAR
    assert trend.steps
    assert trend.slope is not None
    assert outcome_text(trend) == snapshot
    assert trend_sentence(trend).startswith("Either a step or a drift changed IOPS per VM in steady state with MCS (")


def test_that_runs_with_random_variation_show_no_change() -> None:
    trend = trend_of(weekly(stepped(6, 0.0)))
    assert (trend.outcome, trend.steps, len(trend.segments)) == (TrendOutcome.NONE, (), 1)
    assert trend.p is not None
    assert trend.p > 0.05


def test_that_too_few_runs_report_how_many_are_needed(snapshot: SnapshotAssertion) -> None:
    trend = trend_of(weekly(stepped(4, 0.5, count=7)))
    assert (trend.outcome, trend.p, trend.segments) == (TrendOutcome.TOO_FEW, None, ())
    assert outcome_text(trend) == snapshot
    assert trend_of(weekly(stepped(4, 0.5, count=8))).outcome is TrendOutcome.STEP


def test_that_a_step_in_the_last_two_runs_has_a_student_interval() -> None:
    values = stepped(10, 0.3)
    trend = trend_of(weekly(values))
    (step,) = trend.steps
    logs = np.log(values)
    student = stats.ttest_ind(logs[10:], logs[:10]).confidence_interval(0.95)
    assert (step.point.build, step.runs, step.verdict) == ("11", (10, 2), Verdict.WORSE)
    assert (step.change.low, step.change.high) == pytest.approx((np.exp(student.low), np.exp(student.high)))
    assert step.change.ratio == pytest.approx(np.exp(logs[10:].mean() - logs[:10].mean()))


def test_that_the_last_run_alone_is_a_possible_step() -> None:
    trend = trend_of(weekly(stepped(11, 0.3)))
    assert (trend.outcome, trend.steps) == (TrendOutcome.NONE, ())
    assert trend.possible is not None
    assert (trend.possible.point.build, trend.possible.more) == ("12", 1)
    assert trend_of(weekly(stepped(11, 0.0))).possible is None
    further = trend_of(weekly(stepped(11, 0.3, count=13)))
    assert [step.point.build for step in further.steps] == ["12"]


def test_that_the_runs_of_a_session_count_as_one() -> None:
    """Four days of three runs each: twelve runs would show a step, four sessions show none."""
    days = [RunDate(FIRST + DAY * (place // 3), DateEvidence.STATED) for place in range(12)]
    trend = trend_of(weekly(stepped(6, 0.3), date=days))
    assert (trend.outcome, len(trend.series.starts), trend.needed) == (TrendOutcome.TOO_FEW, 4, 8)


def test_that_series_with_too_few_sessions_state_the_required_number() -> None:
    """Three series of seven runs each need nine: with eight, no step could pass the adjusted level."""
    few = of([point for name in ("A", "B", "C") for point in weekly(stepped(3, 0.3, count=7), name)])
    assert [trend.needed for trend in few] == [9, 9, 9]
    more = of([point for name in ("A", "B", "C") for point in weekly(stepped(4, 0.3, count=9), name)])
    assert TrendOutcome.TOO_FEW not in {trend.outcome for trend in more}
    alone = of([*weekly(stepped(3, 0.3, count=7), "A"), *weekly([100.0, 101.0], "B")])
    assert [trend.needed for trend in alone] == [8, 8]


def test_that_the_figures_of_a_step_are_computed_from_session_means() -> None:
    days = [RunDate(FIRST + DAY * (place // 3), DateEvidence.STATED) for place in range(36)]
    values = stepped(18, 0.3, count=36)
    trend = trend_of(weekly(values, date=days))
    (step,) = trend.steps
    means = np.exp(np.log(values).reshape(12, 3).mean(axis=1))
    welch = change(means[:6].tolist(), means[6:].tolist())
    assert welch is not None
    assert (step.index, step.runs, step.change.n) == (18, (18, 18), 6)
    assert (step.change.low, step.change.high) == pytest.approx((welch.low, welch.high))
    assert [(segment.start, segment.end) for segment in trend.segments] == [(0, 18), (18, 36)]


def test_that_named_sessions_override_days_and_runs_without_a_date_form_one_session() -> None:
    names = [f"lab: {place // 2}" for place in range(16)]
    (series,) = series_of(weekly(stepped(8, 0.3, count=16), session=names))
    assert series.starts == tuple(range(0, 16, 2))
    (series,) = series_of(weekly(stepped(8, 0.3, count=16), date=None))
    assert series.starts == (0,)


def test_that_a_step_whose_interval_includes_no_change_has_no_verdict() -> None:
    """The test of a change and its interval may disagree: an outlier run widens only the interval."""
    values = [100.0, 101.0, 99.5, 100.4, 99.8, 100.9, 106.0, 107.0, 106.5, 107.4, 106.1, 300.0]
    for step in trend_of(weekly(values)).steps:
        assert step.change.low is not None
        assert step.change.high is not None
        assert (step.verdict is Verdict.INCONCLUSIVE) or not step.change.low <= 1 <= step.change.high


def test_that_a_step_with_several_possible_builds_names_them() -> None:
    values = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 103.2, 106.0, 107.0, 105.0, 106.5, 105.5, 106.2, 106.8]
    trend = trend_of(weekly(values))
    step = max(trend.steps, key=lambda each: abs(each.change.percent))
    assert likely_text(step, trend.series) == "7 or 8"
    assert sum(place.share for place in step.places) >= 0.95


def test_that_each_further_series_makes_the_tests_of_others_stricter() -> None:
    values = stepped(6, 0.12)
    alone = trend_of(weekly(values))
    beside = of([point for place in range(5) for point in weekly(values, f"MCS {place}")])
    assert alone.p is not None
    assert [trend.p for trend in beside] == [pytest.approx(min(1.0, 5 * alone.p))] * 5


def test_that_a_change_of_the_hypervisor_is_another_explanation(snapshot: SnapshotAssertion) -> None:
    facts = [(("hypervisor", "XenServer 8.2" if place < 7 else "XenServer 8.4"),) for place in range(12)]
    (step,) = trend_of(weekly(stepped(7, 0.12), circumstances=facts)).steps
    assert step.beside == snapshot
    elsewhere = [(("hypervisor", "XenServer 8.2" if place < 3 else "XenServer 8.4"),) for place in range(12)]
    (step,) = trend_of(weekly(stepped(7, 0.12), circumstances=elsewhere)).steps
    assert step.beside == ()


def test_that_another_version_of_the_method_is_another_explanation(snapshot: SnapshotAssertion) -> None:
    (step,) = trend_of(weekly(stepped(7, 0.12), method=[2] * 7 + [3] * 5)).steps
    assert step.beside == snapshot


def test_that_a_step_within_one_build_is_not_attributed_to_the_build(snapshot: SnapshotAssertion) -> None:
    builds = ["A"] * 4 + ["B"] * 8
    trend = trend_of(weekly(stepped(7, 0.12), build=builds))
    (step,) = trend.steps
    assert step.same_build
    assert outcome_text(trend) == snapshot
    assert trend_sentence(trend) == snapshot


def test_that_a_figure_of_zero_is_tested_unchanged() -> None:
    values = [0.0, 0.0, 0.1, 0.0, 0.05, 0.0, 5.0, 5.2, 4.9, 5.1, 5.05, 4.95]
    trend = trend_of(weekly(values))
    assert trend.outcome is TrendOutcome.STEP
    assert trend.steps[0].change.difference == pytest.approx(np.mean(values[6:]) - np.mean(values[:6]))


def test_that_runs_without_build_and_date_are_reported(snapshot: SnapshotAssertion) -> None:
    points = weekly(stepped(6, 0.0))
    points[0] = replace(points[0], build=None, date=None)
    assert trend_of(points).notes[:2] == snapshot


def test_that_lower_bounds_do_not_create_a_step(snapshot: SnapshotAssertion) -> None:
    """Six complete runs, six partial ones with lower values: the unmeasured part could contain the difference."""
    trend = trend_of(weekly(stepped(6, -0.3), lower_bound=[False] * 6 + [True] * 6))
    assert (trend.outcome, trend.steps, trend.p) == (TrendOutcome.TOO_FEW, (), None)
    assert outcome_text(trend) == snapshot
    assert trend.notes == snapshot


def test_that_a_partly_measured_build_before_a_step_is_a_possible_cause() -> None:
    trend = trend_of(weekly(stepped(7, 0.12), lower_bound=[place == 6 for place in range(12)]))
    (step,) = trend.steps
    assert (step.point.build, step.change.n_baseline) == ("8", 6)
    assert likely_text(step, trend.series) == "7 or 8"


def test_that_a_step_within_the_margin_is_neither_better_nor_worse() -> None:
    small = [100 * (1 + 0.004 * (place >= 6)) * (1 + SCATTER[place] / 2000) for place in range(12)]
    (step,) = trend_of(weekly(small)).steps
    assert step.verdict is Verdict.SAME
    near = [100 * (1 + 0.045 * (place >= 6)) * (1 + SCATTER[place] / 100) for place in range(12)]
    (step,) = trend_of(weekly(near)).steps
    assert (step.verdict, step.reason) == (Verdict.INCONCLUSIVE, "add runs to show whether the change exceeds 5\u2009%")


def test_that_a_drift_within_the_margin_is_neither_better_nor_worse() -> None:
    values = [100 * (1 + 0.02 * place / 11) * (1 + SCATTER[place] / 2000) for place in range(12)]
    trend = trend_of(weekly(values))
    assert (trend.outcome, trend.verdict) == (TrendOutcome.DRIFT, Verdict.SAME)


def test_that_a_rise_from_a_negative_value_is_a_rise() -> None:
    values = [-10.0, -10.2, -9.9, -10.1, -10.05, -9.95, -2.0, -2.1, -1.9, -2.05, -1.95, -2.15]
    (step,) = trend_of(weekly(values)).steps
    assert (step.change.difference > 0, step.verdict) == (True, Verdict.WORSE)


def test_that_series_that_cannot_show_a_step_are_reported_to_have_too_few_runs() -> None:
    """Eight runs show a step of one series, but not of three: this does not prove that nothing changed."""
    points = [point for name in "ABC" for point in weekly(stepped(4, 0.3, count=8), name)]
    made = of(points)
    assert [outcome_text(trend) for trend in made] == ["cannot be judged with 8 test days (9 needed)"] * 3
    beside = of([*points, *weekly(stepped(6, 0.3), "D")])
    assert [trend.outcome for trend in beside] == [TrendOutcome.TOO_FEW] * 3 + [TrendOutcome.STEP]


def test_that_a_clean_step_is_found_in_each_of_very_many_series() -> None:
    made = of([point for place in range(120) for point in weekly(stepped(10, 0.3, count=20), f"C{place}")])
    assert {trend.outcome for trend in made} == {TrendOutcome.STEP}


def test_that_figures_from_other_method_versions_are_noted_for_any_result() -> None:
    methods = [2] * 6 + [3] * 6
    note = "the values come from different versions of the method (2 and 3)"
    for values in (stepped(6, 0.0), stepped(2, 0.2, count=7), drifting(0.2), stepped(6, 0.2)):
        assert note in trend_of(weekly(values, method=methods)).notes


def test_that_a_change_of_the_hypervisor_is_another_explanation_of_a_drift(snapshot: SnapshotAssertion) -> None:
    facts = [(("hypervisor", "XenServer 8.2" if place < 7 else "XenServer 8.4"),) for place in range(12)]
    trend = trend_of(weekly(drifting(0.2), circumstances=facts))
    assert trend.outcome is TrendOutcome.DRIFT
    assert trend_sentence(trend) == snapshot


@pytest.mark.parametrize(("before", "behind"), [(0.0, 500.0), (500.0, 0.0)])
def test_that_a_step_from_or_to_zero_has_no_percentage(
    before: float, behind: float, snapshot: SnapshotAssertion
) -> None:
    points = [replace(each, measure="cache_disk_used_mb_end") for each in weekly([before] * 6 + [behind] * 6)]
    trend = trend_of(points)
    assert trend_sentence(trend) == snapshot
    assert "inf" not in trend_sentence(trend)


def of_measure(key: str, values: Sequence[float]) -> Trend:
    return trend_of([replace(point, measure=key) for point in weekly(values)])


def test_that_a_drift_of_a_share_is_in_percentage_points() -> None:
    trend = of_measure("cpu_percent", drifting(1.3, level=20.0))
    assert trend.outcome is TrendOutcome.DRIFT
    assert slope_text(trend).startswith("+25.9\u2009pp [+25.")
    assert "%" not in slope_text(trend)
    assert "drifts by +25.9\u2009pp [" in trend_sentence(trend)


def test_that_the_size_of_a_drift_is_the_ratio_of_its_line_ends_in_every_unit() -> None:
    ratio, points = of_measure("iops_per_vm", drifting(1.3)), of_measure("cpu_percent", drifting(1.3, level=20.0))
    assert [drift_ratio(trend) for trend in (ratio, points)] == pytest.approx([2.3, 2.3], rel=0.05)
    assert drift_ratio(of_measure("iops_per_vm", drifting(-0.5))) == pytest.approx(0.5, rel=0.05)


def test_that_a_drift_from_zero_is_compared_with_the_mean_of_its_runs() -> None:
    values = [0.0, *drifting(1.0, level=100.0, count=11)]
    trend = of_measure("cache_disk_used_mb_end", [value * place for place, value in enumerate(values)])
    assert trend.slope is not None
    mean = sum(trend.series.values) / 12
    assert drift_ratio(trend) == pytest.approx(1 + trend.slope.change / mean)


def test_that_a_drift_from_zero_is_in_the_unit_of_its_measure() -> None:
    values = [0.0, *drifting(1.0, level=100.0, count=11)]
    trend = of_measure("cache_disk_used_mb_end", [value * place for place, value in enumerate(values)])
    assert trend.slope is not None
    assert "\u2009MB [" in slope_text(trend)
