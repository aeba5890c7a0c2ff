"""The logon page: figures, tables and cards show the computed values, and gaps are reported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.logons.login_storms import app_start, group, storm_run, timer
from tests.builders import T0, run
from workbench.answers.logons.app_starts import app_starts_figure, group_app_starts
from workbench.answers.logons.compute import group_logons
from workbench.answers.logons.figures import active_sessions_figure, logon_times_figure
from workbench.answers.logons.page import app_cards, limit_cards, logon_cards, stuck_cards
from workbench.answers.logons.tables import apps_table, limits_table, logons_table, sessions_table
from workbench.answers.logons.vsimax_figure import group_vsimax, vsimax_figure
from workbench.answers.logons.vsimax_models import KEY, chosen_model, load_models, model_inputs
from workbench.charts.figure import Bars, Line, Look, Points
from workbench.model.session import EuxSummary, Measurement, MeasurementKind, Session, VsiSummary

MODELS = load_models()
V41 = MODELS["VSImax 4.1"]
LOOKS = {"MCS": Look("MCS", marker="circle"), "PVS": Look("PVS", marker="triangle")}
SECONDS = 3.0 + 0.01 * np.arange(100)


def _timers(values: list[float]) -> tuple[Measurement, ...]:
    return tuple(
        timer(10.0 * place, name, value, str(place), place)
        for place, value in enumerate(values, start=1)
        for name in ("NSLD", "NFO", "ZHC", "ZLC", "CPU")
    )


def test_that_every_logon_is_a_dot_at_its_start_time_with_the_trend_line() -> None:
    figure = logon_times_figure([group_logons(group(storm_run(SECONDS)))], LOOKS)
    (panel,) = figure.panels
    dots, line = panel.marks
    assert isinstance(dots, Points)
    assert isinstance(line, Line)
    np.testing.assert_allclose(dots.x, 2.0 * np.arange(100))
    np.testing.assert_allclose(dots.y, SECONDS)
    assert dots.names[0] == "user1 on VM1"
    # 0.01 s more with each logon, one logon every 2 s; the line goes through the middle of all logons.
    np.testing.assert_allclose(line.y, [3.0, 3.99])
    assert "100 logons" in panel.subtitle
    assert "The dashed line is the trend (Theil-Sen slope)" in figure.method


def test_that_the_drawn_trend_has_the_reported_slope() -> None:
    noisy = SECONDS + np.random.default_rng(1).normal(0, 0.4, SECONDS.size)
    found = group_logons(group(storm_run(noisy)))
    line = next(m for m in logon_times_figure([found], LOOKS).panels[0].marks if isinstance(m, Line))
    told = found.runs[0].per_minute
    assert told is not None
    assert (line.y[1] - line.y[0]) / (line.x[1] - line.x[0]) == pytest.approx(told.slope / 60)


def test_that_configurations_share_their_axes_and_runs_with_another_phase_rule_have_a_warning(
    snapshot: SnapshotAssertion,
) -> None:
    events = replace(storm_run(SECONDS), name="r2")
    totals = tuple(Measurement(T0 + n, MeasurementKind.LOGIN, "total_login_time", 4.0, "s", f"s{n}") for n in range(30))
    other = group(run(measurements=totals), label="PVS")
    figure = logon_times_figure([group_logons(group(events)), group_logons(other)], LOOKS)
    assert figure.share_y
    assert [panel.column for panel in figure.panels] == [0, 1]
    assert figure.caption == snapshot


def test_that_a_study_without_logons_names_the_files_to_add() -> None:
    for figure in (
        logon_times_figure([group_logons(group(run()))], LOOKS),
        active_sessions_figure([group_logons(group(run()))], LOOKS),
        vsimax_figure([group_vsimax(group(run()), V41)], V41, LOOKS),
        app_starts_figure([group_app_starts(group(run()))], LOOKS),
    ):
        assert figure.panels == ()
        assert "folder" in figure.empty


def test_that_active_sessions_are_drawn_as_steps_and_averaged_over_runs() -> None:
    one = run(
        sessions=(
            Session("a", "", T0, T0 + 4, None, T0 + 100, 4.0),
            Session("b", "", T0 + 10, T0 + 14, None, T0 + 50, 4.0),
        )
    )
    figure = active_sessions_figure([group_logons(group(one))], LOOKS)
    active = next(m for m in figure.panels[0].marks if isinstance(m, Line) and m.name == "active")
    assert float(active.y.max()) == 2.0
    assert (active.x[-1], active.y[-1]) == (100.0, 0.0)
    figure = active_sessions_figure([group_logons(group(one, one))], LOOKS)
    active = next(m for m in figure.panels[0].marks if isinstance(m, Line) and m.name == "active")
    assert float(active.y.max()) == 2.0


def test_that_vsimax_is_drawn_at_its_threshold_with_the_value_of_the_analyzer_next_to_it(
    snapshot: SnapshotAssertion,
) -> None:
    one = run(measurements=_timers([100.0] * 15 + [1_000.0] * 10), summaries=(VsiSummary("t", T0, 250.0, 19.0),))
    found = [group_vsimax(group(one), V41)]
    figure = vsimax_figure(found, V41, LOOKS)
    named = {mark.name: mark for mark in figure.panels[0].marks if isinstance(mark, Line)}
    assert named["VSImax"].x.tolist() == [21.0, 21.0]
    assert named["VSImax, analyzer"].x.tolist() == [19.0, 19.0]
    assert named["threshold"].y.tolist() == pytest.approx([1_257.5] * 2)
    assert figure.caption == snapshot
    (card,) = limit_cards(found, LOOKS)
    assert (card.value, card.unit, card.detail) == ("21", "sessions", "Login VSI Analyzer: 19")
    rows = limits_table(found, LOOKS).rows
    assert [(row[2].text, row[3].text) for row in rows] == [
        ("VSImax 4.1 (VDI Workbench)", "21"),
        ("Login VSI Analyzer", "19"),
    ]


def test_that_an_analyzer_summary_is_a_bar_and_eux_scores_are_a_line() -> None:
    alone = [group_vsimax(group(run(summaries=(VsiSummary("t", T0, 700.0, 180.0),))), V41)]
    figure = vsimax_figure(alone, V41, LOOKS)
    (bar,) = figure.panels[0].marks
    assert isinstance(bar, Bars)
    assert bar.values.tolist() == [180.0]
    scores = tuple(Measurement(T0 + 60 * n, MeasurementKind.EUX, "EUX score", 8.0 - n / 10) for n in range(5))
    eux = [group_vsimax(group(run(measurements=scores, eux_summaries=(EuxSummary("t", score=7.8),))), V41)]
    (panel,) = vsimax_figure(eux, V41, LOOKS).panels
    (line,) = panel.marks
    assert isinstance(line, Line)
    assert line.y.tolist() == pytest.approx([8.0, 7.9, 7.8, 7.7, 7.6])
    assert panel.y.limits == (0.0, 10.0)
    assert limit_cards(eux, LOOKS)[0].value == "7.80"


def test_that_a_vsimax_that_was_not_reached_is_described_as_above_the_active_sessions() -> None:
    (card,) = limit_cards([group_vsimax(group(run(measurements=_timers([100.0] * 30))), V41)], LOOKS)
    assert card.value.replace("\u2009", " ") == "> 30"


def test_that_each_application_has_a_line_or_a_bar_if_active_sessions_are_unknown() -> None:
    counted = run(
        measurements=tuple(
            app_start(n, name, 1_000.0 * factor, n)
            for n in range(1, 41)
            for name, factor in (("Word", 1), ("Excel", 2))
        )
    )
    found = [group_app_starts(group(counted))]
    (panel,) = app_starts_figure(found, LOOKS).panels
    assert [(mark.name, float(mark.y[0])) for mark in panel.marks if isinstance(mark, Line)] == [
        ("Excel", 2.0),
        ("Word", 1.0),
    ]
    uncounted = run(measurements=tuple(app_start(n, "Word", 1_000.0) for n in range(3)))
    (panel,) = app_starts_figure([group_app_starts(group(uncounted))], LOOKS).panels
    assert isinstance(panel.marks[0], Bars)
    (card,) = app_cards(found, LOOKS)
    assert card.value == "2.00"
    assert apps_table(found, LOOKS).rows[0][1].text == "Word"


def test_that_the_tables_contain_every_session_and_name_stuck_and_excluded_ones(snapshot: SnapshotAssertion) -> None:
    stuck = Session("late", "VM1", logon_start=T0 + 99)
    one = replace(storm_run(SECONDS), sessions=(*storm_run(SECONDS).sessions, stuck))
    out = replace(storm_run(SECONDS), name="bad", excluded="vCenter failed over")
    groups = replace(group(one), excluded=group(out).runs)
    found = [group_logons(groups)]
    table = logons_table(found, LOOKS)
    (row,) = table.rows
    assert [row[place].value for place in (1, 2, 3, 4)] == [1, 101, 1, 100]
    assert table.legend == snapshot
    assert len(sessions_table(found, LOOKS).rows) == 101
    (card,) = stuck_cards(found, LOOKS)
    assert card.note.startswith("1 of 101 sessions stuck")
    assert logon_cards(found, LOOKS)[0].value == "3.50"


def test_that_equal_logon_times_have_no_range() -> None:
    same, other = (group_logons(group(storm_run(times))) for times in (np.full(100, 3.0), SECONDS))
    assert " to " not in logon_cards([same], LOOKS)[0].detail
    assert " to " in logon_cards([other], LOOKS)[0].detail


def test_that_model_numbers_are_inputs_with_their_origin_and_user_values_are_restored() -> None:
    key = f"{KEY}.VSImax 4.1.threshold.add_ms"
    mine = chosen_model(MODELS, "VSImax 4.1", lambda name, default: 500.0 if name == key else default)
    shown = {one.key: one for one in model_inputs(MODELS, mine)}
    assert (shown[key].value, shown[key].origin) == (500.0, "yours")
    assert shown[f"{KEY}.VSImax 4.1.weights.CPU"].origin == "assumed"
    assert shown[f"{KEY}.VSImax 4.1.baseline.lowest"].origin == "documented"
    assert chosen_model(MODELS, "gone", lambda _name, default: default).name == "VSImax 4.1"


def test_that_the_caption_mentions_a_trend_only_if_one_is_drawn() -> None:
    assert "Dashed" not in logon_times_figure([group_logons(group(storm_run(SECONDS[:2])))], LOOKS).caption
