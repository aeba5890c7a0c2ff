"""Total I/O is constant: IOPS by acceptable time, for one machine and for a storm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import phase, run
from workbench.answers.sizing.boot_what_if import (
    PUBLISHED,
    PUBLISHED_IO,
    concurrent,
    required_iops,
    storm_iops,
    what_if,
)
from workbench.answers.sizing.constants import SizingError
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import SessionType


def measured(name: str, *totals: float | None, **facts: Any) -> Group:
    rows = (PhaseFigures(phase(name, 0, 360), total_io_per_vm=total) for total in totals)
    return group_runs([RunFigures(run(**({"vms": 5} | facts)), (row,), ()) for row in rows])[0]


@pytest.mark.parametrize(("seconds", "iops"), [(120, 200), (15, 1600), (240, 100)])
def test_that_the_published_results_are_reproduced(seconds: float, iops: float) -> None:
    assert required_iops(24_000, seconds) == iops
    assert (float(seconds), float(iops)) in [(at, rate) for at, rate, _ in PUBLISHED]


def test_that_the_published_values_are_on_one_line() -> None:
    assert {seconds * iops for seconds, iops, _ in PUBLISHED} == {PUBLISHED_IO}


@pytest.mark.parametrize(
    ("window", "at_once", "iops"),
    [(0, 500, 100_000), (60, 500, 100_000), (120, 500, 100_000), (240, 250, 50_000), (3600, 500 / 30, 10_000 / 3)],
)
def test_that_a_storm_spread_over_a_time_window_needs_the_iops_of_concurrent_boots(
    window: float, at_once: float, iops: float
) -> None:
    assert concurrent(500, 120, window) == pytest.approx(at_once)
    assert storm_iops(24_000, 500, 120, window) == pytest.approx(iops)


def test_that_the_peak_equals_that_of_a_simulated_storm() -> None:
    starts, seconds, window = 400, 90.0, 1800.0
    begin = np.arange(starts) * window / starts
    under_way = [int(((begin <= at) & (at < begin + seconds)).sum()) for at in np.arange(0, window, 1.0)]
    assert max(under_way) == pytest.approx(concurrent(starts, seconds, window), abs=1)


def test_that_the_measured_boot_scales_to_any_number_of_desktops() -> None:
    found = what_if(measured("boot", 24_000.0, 26_000.0), "boot", 1000, 240.0, 3600.0)
    assert (found.total_io, found.runs, found.measured_s, found.unit) == (25_000.0, 2, 360.0, "VM")
    assert found.iops_each == pytest.approx(25_000 / 240)
    assert found.iops_all_at_once == pytest.approx(1000 * 25_000 / 240)
    assert found.iops_spread == pytest.approx(1000 * 25_000 / 3600)


def test_that_session_hosts_count_logons_by_user_and_boots_by_machine() -> None:
    rds = {"session_type": SessionType.RDS, "vms": 4, "users": 60}
    logon = what_if(measured("logon", 30_000.0, **rds), "logon", 500, 60.0, 0.0)
    assert (logon.unit, logon.starts, logon.total_io) == ("session", 500, 2000.0)
    boot = what_if(measured("boot", 30_000.0, **rds), "boot", 500, 60.0, 0.0)
    assert (boot.unit, boot.starts, boot.total_io) == ("VM", 34, 30_000.0)


def test_that_an_unmeasured_phase_is_not_available() -> None:
    for group in (measured("boot", None), measured("steady", 5.0)):
        found = what_if(group, "boot", 500, 60.0, 0.0)
        assert (found.iops_each, found.iops_all_at_once, found.iops_spread) == (None, None, None)
    unknown = measured("logon", 5.0, session_type=SessionType.RDS, vms=4, users=None)
    assert what_if(unknown, "logon", 500, 60.0, 0.0).iops_each is None


@pytest.mark.parametrize(
    ("desktops", "seconds", "window"),
    [(0, 60, 0), (-1, 60, 0), (5, 0, 0), (5, -60, 0), (5, 1e9, 0), (5, 60, -1), (5, 60, 1e9)],
)
def test_that_invalid_times_and_counts_are_reported(desktops: int, seconds: float, window: float) -> None:
    with pytest.raises(SizingError, match=r"is not possible|are not possible"):
        what_if(measured("boot", 5.0), "boot", desktops, seconds, window)


@given(st.floats(1, 1e6), st.integers(1, 100_000), st.floats(1, 86_400), st.floats(0, 86_400))
def test_that_more_time_or_a_longer_window_never_needs_more(
    total: float, starts: int, seconds: float, window: float
) -> None:
    here = storm_iops(total, starts, seconds, window)
    slack = here * (1 + 1e-9)
    assert storm_iops(total, starts, min(2 * seconds, 86_400), window) <= slack
    assert storm_iops(total, starts, seconds, min(2 * window, 86_400)) <= slack
    assert here == pytest.approx(max(starts * total / max(seconds, window), total / seconds))


def test_that_a_single_start_needs_its_iops_for_any_time_window() -> None:
    # 34 machines over an hour, 15 s each: usually no machine boots, but each boot needs its 1,600 IOPS.
    assert concurrent(34, 15, 3600) == 1.0
    assert storm_iops(24_000, 34, 15, 3600) == 1600.0
