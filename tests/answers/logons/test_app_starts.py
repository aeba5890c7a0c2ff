"""Application starts: by application, in seconds, by the number of active sessions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import theilslopes

from tests.answers.logons.login_storms import app_start, group, storm_run
from tests.builders import run
from workbench.answers.logons.app_starts import ALL_APPLICATIONS, app_starts, app_starts_figure, group_app_starts
from workbench.charts.figure import Look


def test_that_each_application_has_its_statistics_in_seconds() -> None:
    values = [1_000.0, 2_000.0, 6_000.0]
    one = run(measurements=tuple(app_start(n, "Excel1", value, n) for n, value in enumerate(values)))
    (found,) = app_starts(one)
    assert (found.app, found.spread.n, found.spread.mean, found.spread.p50) == ("Excel1", 3, 3.0, 2.0)
    assert found.spread.p95 == pytest.approx(np.percentile([1, 2, 6], 95))


def test_that_the_slowdown_of_starts_is_a_slope_per_100_sessions() -> None:
    active = np.arange(1, 201)
    seconds = 1.5 + 0.004 * active + np.random.default_rng(2).normal(0, 0.1, 200)
    starts = tuple(app_start(float(n), "Outlook", 1_000 * s, int(n)) for n, s in zip(active, seconds, strict=True))
    (found,) = app_starts(run(measurements=starts))
    expected = theilslopes(seconds, active / 100, 0.95)
    assert found.per_100_sessions is not None
    assert found.per_100_sessions.slope == pytest.approx(expected.slope)
    assert found.per_100_sessions.low == pytest.approx(expected.low_slope)
    assert found.per_100_sessions.slope == pytest.approx(0.4, abs=0.05)


def test_that_sessions_give_the_number_of_active_users_if_samples_do_not() -> None:
    seconds = np.full(10, 3.0)
    starts = (app_start(3.0, "Word", 2.0, unit="s"), app_start(9.5, "Word", 2.0, unit="s"))
    (found,) = app_starts(storm_run(seconds, measurements=starts))
    # Logons end at 3, 5, 7, 9 ... s.
    assert found.active.tolist() == [1, 4]


def test_that_the_time_after_the_logon_replaces_missing_application_starts() -> None:
    (found,) = app_starts(storm_run(np.full(10, 3.0)))
    assert (found.app, found.spread.n, found.spread.mean) == (ALL_APPLICATIONS, 10, 10.0)
    assert app_starts(run()) == ()


def test_that_a_configuration_averages_the_means_of_its_runs() -> None:
    runs = [
        run(measurements=tuple(app_start(n, "Word", value, unit="s") for n in range(count)))
        for count, value in ((1, 2.0), (9, 4.0))
    ]
    (found,) = group_app_starts(group(*runs))
    assert found.spread.mean == 3.0
    assert (found.spread.n, found.slope_per_100) == (10, None)


@pytest.mark.parametrize(("count", "words"), [(1, "1 start · mean"), (2, "2 starts · mean")])
def test_that_a_single_start_is_written_in_the_singular(count: int, words: str) -> None:
    starts = tuple(app_start(3.0 + n, "Word", 2.0, n + 1, unit="s") for n in range(count))
    alone = group(run(measurements=starts))
    figure = app_starts_figure((group_app_starts(alone),), {alone.label: Look("MCS")})
    assert figure.panels[0].subtitle.startswith(words)
