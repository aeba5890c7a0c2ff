"""Logon times: published values are reproduced, and missing ones are reported and not counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import theilslopes
from syrupy.assertion import SnapshotAssertion

from tests.answers.logons.login_storms import group, logon_csv, sessions, storm_run, storm_seconds
from tests.builders import T0, event, run
from workbench.answers.logons.compute import (
    active_over_time,
    change_of,
    group_logons,
    logon_figures,
    most_active,
    spread_of,
    trend,
)
from workbench.answers.logons.session_logons import LogonOutcome, session_logons
from workbench.console.loading import load_studies
from workbench.model.session import EventKind, Measurement, MeasurementKind, Session
from workbench.study.store.column_store import Store


def test_that_a_storm_of_1000_desktops_is_found_with_its_published_mean_lowest_and_highest(tmp_path: Path) -> None:
    logon_csv(tmp_path / "storm" / "Logon_1.csv", storm_seconds(1_000, 1.6, 3.5, 8.6))
    store = Store(tmp_path / "store")
    store.prepare()
    (study,) = load_studies([tmp_path / "storm"], store)
    (one,) = study.runs
    figures = logon_figures(one)
    assert figures is not None
    assert figures.spread is not None
    assert figures.spread.n == 1_000
    assert round(figures.spread.mean, 1) == 3.5
    assert (figures.spread.low, figures.spread.high) == (1.6, 8.6)


def test_that_the_statistics_equal_those_of_numpy() -> None:
    values = storm_seconds(333, 2.0, 5.0, 30.0)
    found = spread_of(values)
    assert found is not None
    assert (found.n, found.low, found.high) == (333, values.min(), values.max())
    assert found.mean == pytest.approx(np.mean(values))
    assert (found.p50, found.p95) == pytest.approx(tuple(np.percentile(values, [50, 95])))


def test_that_the_trend_equals_the_theil_sen_slope_of_scipy_with_its_interval() -> None:
    random = np.random.default_rng(3)
    x = np.arange(120.0)
    y = 3 + 0.02 * x + random.normal(0, 0.5, 120)
    found, expected = trend(x, y), theilslopes(y, x, 0.95)
    assert found is not None
    assert (found.slope, found.low, found.high) == pytest.approx(
        (expected.slope, expected.low_slope, expected.high_slope)
    )
    assert found.low < 0.02 < found.high
    assert found.direction == "rising"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("starts", "logons", "scatter", "decimals"), [(12, 40, 1.0, 0), (9, 30, 3.0, 1)])
def test_that_the_trend_equals_that_of_scipy_for_many_equal_logons(
    seed: int, starts: int, logons: int, scatter: float, decimals: int
) -> None:
    """Equal values narrow the interval: whole seconds, or tenths with few equal values; several logons start at
    once."""
    random = np.random.default_rng(seed)
    x = np.sort(random.integers(0, starts, logons)).astype(float)
    y = np.round(5 + 0.1 * x + random.normal(0, scatter, x.size), decimals)
    found, expected = trend(x, y), theilslopes(y, x, 0.95)
    assert found is not None
    assert (found.slope, found.low, found.high) == pytest.approx(
        (expected.slope, expected.low_slope, expected.high_slope)
    )


def test_that_a_slowdown_of_half_a_second_per_100_logons_is_reported_as_that_slope() -> None:
    noise = np.random.default_rng(5).normal(0, 0.3, 400)
    seconds = 4 + 0.005 * np.arange(400) + noise
    figures = logon_figures(storm_run(seconds))
    assert figures is not None
    assert figures.per_100_logons is not None
    assert figures.per_100_logons.slope == pytest.approx(0.5, abs=0.05)
    assert figures.per_minute is not None
    # One logon every 2 s: 30 a minute.
    assert figures.per_minute.slope == pytest.approx(0.3 * figures.per_100_logons.slope)


def test_that_a_few_hanging_logons_do_not_create_a_trend() -> None:
    seconds = np.random.default_rng(5).normal(4, 0.3, 200)
    seconds[190:] = 120.0
    figures = logon_figures(storm_run(seconds))
    assert figures is not None
    assert figures.per_100_logons is not None
    assert abs(figures.per_100_logons.slope) < 0.2


def test_that_few_logons_or_logons_at_one_moment_have_no_trend() -> None:
    assert trend(np.arange(19.0), np.arange(19.0)) is None
    assert trend(np.zeros(50), np.arange(50.0)) is None


def test_that_the_trend_of_thousands_of_logons_uses_all_of_them() -> None:
    x = np.arange(6_000.0)
    found = trend(x, 2 + 0.001 * x)
    assert found is not None
    assert found.slope == pytest.approx(0.001)


def test_that_stuck_sessions_are_counted_by_outcome_and_other_figures_are_computed() -> None:
    good = sessions(np.full(20, 3.0))
    never = Session("late", "VM1", logon_start=T0 + 99)
    failed = replace(good[0], user="failed", state="failed", logon_s=60.0)
    hanging = replace(good[1], user="hanging", session_end=None)
    figures = logon_figures(run(sessions=(*good, never, failed, hanging)))
    assert figures is not None
    counts = figures.counts
    assert (counts.launched, counts.logged_on) == (23, 21)
    assert (counts.never_logged_on, counts.failed, counts.without_end) == (1, 1, 1)
    assert counts.stuck == 3
    assert counts.stuck_percent == pytest.approx(100 * 3 / 23)
    assert figures.spread is not None
    assert (figures.spread.n, figures.spread.high) == (21, 3.0)
    assert len(figures.notes) == 3
    assert all(note.endswith(".") for note in figures.notes)


def test_that_sessions_from_a_source_without_ends_are_not_stuck(snapshot: SnapshotAssertion) -> None:
    some = tuple(replace(one, session_end=None) for one in sessions(np.full(9, 3.0)))
    figures = logon_figures(run(sessions=some))
    assert figures is not None
    assert figures.counts.without_end is None
    assert figures.counts.stuck == 0
    assert " ".join(figures.notes) == snapshot


def test_that_a_logon_that_ends_before_it_starts_has_no_duration_and_is_reported() -> None:
    wrong = Session("wrong", "VM1", logon_start=T0 + 10, logon_end=T0 + 4)
    figures = logon_figures(run(sessions=(*sessions(np.full(9, 3.0)), wrong)))
    assert figures is not None
    assert figures.spread is not None
    assert (figures.spread.n, figures.spread.low) == (9, 3.0)
    assert any("before the logon start" in note for note in figures.notes)


def test_that_events_pair_by_user_and_machine_and_a_second_logon_is_a_separate_session() -> None:
    events = (
        event(EventKind.LOGON_START, 0, "A", "u1"),
        event(EventKind.LOGON_START, 1, "B", "u1"),
        event(EventKind.LOGON_END, 4, "B", "u1"),
        event(EventKind.LOGON_END, 10, "A", "u1"),
        event(EventKind.APPS_STARTED, 15, "A", "u1"),
        event(EventKind.LOGOFF, 100, "A", "u1"),
        event(EventKind.LOGON_START, 200, "A", "u1"),
        event(EventKind.LOGON_END, 206, "A", "u1"),
        event(EventKind.LOGON_START, 300, "C", "u3"),
    )
    found = session_logons(run(events=events))
    assert found.source == "events"
    told = [(one.vm, one.logon_s, one.apps_s, one.outcome) for one in found.logons]
    assert told == [
        ("A", 10.0, 5.0, LogonOutcome.LOGGED_ON),
        ("B", 3.0, None, LogonOutcome.LOGGED_ON),
        ("A", 6.0, None, LogonOutcome.LOGGED_ON),
        ("C", None, None, LogonOutcome.NEVER),
    ]


def test_that_a_user_who_logs_on_again_without_a_logoff_has_two_sessions() -> None:
    events = tuple(
        event(kind, at, "A", "u1")
        for at in (0.0, 500.0)
        for kind, at in ((EventKind.LOGON_START, at), (EventKind.LOGON_END, at + 5 + at / 100))
    )
    found = session_logons(run(events=events))
    assert [one.logon_s for one in found.logons] == [5.0, 10.0]


def test_that_the_total_of_login_enterprise_is_the_logon_time_if_available() -> None:
    some = tuple(replace(one, id=f"s{place}") for place, one in enumerate(sessions(np.full(9, 3.0))))
    totals = tuple(
        Measurement(T0, MeasurementKind.LOGIN, "total_login_time", 7_000.0, "ms", f"s{place}") for place in range(8)
    )
    figures = logon_figures(run(sessions=some, measurements=totals))
    assert figures is not None
    assert figures.spread is not None
    assert (figures.spread.n, figures.spread.mean) == (8, 7.0)
    assert "total_login_time" in figures.rule
    alone = logon_figures(run(measurements=totals))
    assert alone is not None
    assert alone.source == "measurements"
    assert alone.counts.launched == 8


def test_that_active_sessions_increase_at_logon_ends_and_decrease_at_session_ends() -> None:
    some = (
        Session("a", "", T0, T0 + 4, None, T0 + 100, 4.0),
        Session("b", "", T0 + 2, T0 + 5, None, None, 3.0),
        Session("c", "", T0 + 3, None),
    )
    moments, launched, active = active_over_time(session_logons(run(sessions=some)).logons)
    assert (moments - T0).tolist() == [0, 2, 3, 4, 5, 100]
    assert launched.tolist() == [1, 2, 3, 3, 3, 3]
    assert active.tolist() == [0, 0, 0, 1, 2, 1]
    assert most_active(session_logons(run(sessions=some)).logons) == 2


@settings(max_examples=25, deadline=None)
@given(hours=st.integers(-12, 14), order=st.permutations(range(30)))
def test_that_time_zone_and_row_order_change_no_figure(hours: int, order: list[int]) -> None:
    some = sessions(storm_seconds(30, 2.0, 4.0, 9.0))
    moved = tuple(
        replace(
            some[place],
            logon_start=(some[place].logon_start or 0) + 3600 * hours,
            logon_end=(some[place].logon_end or 0) + 3600 * hours,
            session_end=(some[place].session_end or 0) + 3600 * hours,
        )
        for place in order
    )
    one, other = logon_figures(run(sessions=some)), logon_figures(run(sessions=moved))
    assert one is not None
    assert other is not None
    assert one.spread is not None
    assert other.spread is not None
    assert (one.spread.low, one.spread.p95, one.spread.high) == (other.spread.low, other.spread.p95, other.spread.high)
    assert one.counts == other.counts
    assert one.per_100_logons is not None
    assert other.per_100_logons is not None
    assert other.per_100_logons.slope == pytest.approx(one.per_100_logons.slope)


def test_that_a_configuration_averages_its_runs_and_not_its_sessions() -> None:
    found = group_logons(group(storm_run(np.full(10, 2.0)), storm_run(np.full(90, 4.0))))
    assert found.spread is not None
    assert found.spread.mean == 3.0
    assert (found.spread.n, found.spread.low, found.spread.high) == (100, 2.0, 4.0)
    assert found.means == [2.0, 4.0]


def test_that_a_run_without_logons_has_no_figures() -> None:
    assert logon_figures(run()) is None
    assert group_logons(group(run())).spread is None


def test_that_sessions_without_the_logon_time_of_the_tool_are_described_as_another_time_span() -> None:
    states = [
        replace(one, id=f"s{place}", state="succeeded") for place, one in enumerate(sessions(np.array([32.0, 31.0])))
    ]
    total = Measurement(T0, MeasurementKind.LOGIN, "total_login_time", 4623.0, "ms", "s0")
    alone, stated = (logon_figures(run(sessions=tuple(states), measurements=some)) for some in ((), (total,)))
    assert alone is not None
    assert stated is not None
    assert [one.logon_s for one in alone.timed] == [32.0, 31.0]
    assert [one.logon_s for one in stated.timed] == [4.623]
    assert alone.rule != stated.rule
    assert sum("total_login_time" in note for note in alone.notes) == 1
    assert not any("total_login_time" in note for note in stated.notes)


def _measured_by(product: str, seconds: float) -> tuple[Session, ...]:
    return tuple(replace(one, product=product) for one in sessions(np.full(6, seconds)))


def test_that_logons_measured_by_two_products_are_not_compared() -> None:
    base, same = (group_logons(group(run(sessions=_measured_by("uberAgent", time)))) for time in (20.0, 30.0))
    other = group_logons(group(run(sessions=_measured_by("Azure Virtual Desktop", 60.0))))
    compared = change_of(base, same)
    assert compared is not None
    assert compared.ratio == pytest.approx(1.5)
    assert change_of(base, other) is None


def test_that_a_logon_measured_by_two_products_counts_once() -> None:
    both = _measured_by("uberAgent", 20.0) + _measured_by("Azure Virtual Desktop", 60.0)[:4]
    figures = logon_figures(run(sessions=both))
    assert figures is not None
    assert figures.spread is not None
    assert (figures.spread.n, figures.spread.mean) == (6, 20.0)
    assert any("4 sessions" in note for note in figures.notes)
