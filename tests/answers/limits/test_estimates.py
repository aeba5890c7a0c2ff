"""Overflow without a cache disk counter: measured by poolmon, or estimated from the nonpaged pool."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.compute import configuration_cache
from workbench.answers.limits.compute import Check, checks
from workbench.answers.limits.limit import Limit
from workbench.answers.limits.sentences import value_text
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MB = 2**20
TIMES: npt.NDArray[np.float64] = np.asarray(T0 + 10.0 * np.arange(361), dtype=np.float64)
SECONDS: npt.NDArray[np.float64] = TIMES - T0
PVS = Configuration("PVS 256 MB", Provisioning.PVS, "device-ram-overflow", 256)
PHASES = (phase("boot", 0, 600), phase("steady", 600, 3600))
# The pool stays below the size; it grows by more than the size; it is in between.
BELOW, FILLED, BETWEEN = 60 + np.minimum(SECONDS / 20, 150), 70 + SECONDS / 10, 70 + SECONDS / 18
OVERFLOW = Limit("overflow")


def pvs_run(folder: Path, name: str, mb: npt.NDArray[np.float64], *, by_tag: bool = False) -> RunFigures:
    made = counter("A", Quantity.CACHE_RAM_USED, object="PoolMon")
    made = made if by_tag else counter("A", Quantity.POOL_NONPAGED, estimate=True)
    file = recording(folder / name, "a.csv", TIMES[: len(mb)], [(made, mb * MB)])
    return run_figures(run(file, name=name, folder=name, configuration=PVS, stated_phases=PHASES))


def group_of(folder: Path, *pools: npt.NDArray[np.float64], by_tag: bool = False) -> Group:
    # No two runs are copies of each other.
    runs = [pvs_run(folder, f"r{n}", pool + n / 10, by_tag=by_tag) for n, pool in enumerate(pools, 1)]
    (group,) = group_runs(runs)
    return group


def overflow(group: Group, phase: str = "") -> Check:
    (found,) = checks([group], [Limit("overflow", phase=phase)])
    return found


def test_that_a_pool_below_the_size_passes_and_is_marked_as_an_estimate(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = overflow(group_of(tmp_path, BELOW, BELOW, BELOW))
    assert (found.verdict, value_text(found)) == snapshot
    assert found.notes == snapshot


def test_that_an_overflow_shown_by_the_pool_is_inconclusive_like_on_the_cache_page(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    group = group_of(tmp_path, FILLED, BELOW, FILLED)
    assert configuration_cache(group).overflowed is True
    found = overflow(group)
    assert (found.verdict, value_text(found)) == snapshot
    assert found.reason == snapshot
    assert overflow(group_of(tmp_path / "one", FILLED)).verdict == "inconclusive"


def test_that_a_pool_between_its_bounds_gives_no_result(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = overflow(group_of(tmp_path, BETWEEN))
    assert (found.value, found.reason) == (None, "no counter shows whether the cache overflowed")
    found = overflow(group_of(tmp_path / "more", BELOW, BELOW, BELOW, BETWEEN))
    assert (found.verdict, found.reason) == snapshot


def test_that_values_from_poolmon_are_not_estimates(tmp_path: Path) -> None:
    full, room = np.minimum(SECONDS / 10, 256), np.minimum(SECONDS / 20, 150)
    assert overflow(group_of(tmp_path / "a", room, room, room, by_tag=True)).verdict == "pass"
    found = overflow(group_of(tmp_path / "b", room, full, room, by_tag=True))
    assert (found.verdict, found.reason, value_text(found)) == ("fail", "overflowed: r2", "1 of 3 runs")
    # One run measured, the others estimated: the measured one decides.
    runs = [pvs_run(tmp_path / "c", "r1", full, by_tag=True), pvs_run(tmp_path / "c", "r2", FILLED)]
    (group,) = group_runs(runs)
    found = overflow(group)
    assert (found.verdict, found.reason) == ("fail", "overflowed: r1")


@pytest.mark.parametrize(("phase", "verdict"), [("boot", "pass"), ("steady", "fail"), ("", "fail")])
def test_that_a_full_cache_counts_as_overflowed_from_that_moment(tmp_path: Path, phase: str, verdict: str) -> None:
    # Full at 2,440 s, in steady state.
    full = np.minimum(SECONDS / 10, 256)
    assert overflow(group_of(tmp_path, full, full, full, by_tag=True), phase).verdict == verdict
    early = np.minimum(SECONDS / 2, 256)
    assert overflow(group_of(tmp_path / "early", early, by_tag=True), "steady").verdict == "fail (one run)"


def test_that_a_pool_without_samples_until_the_end_does_not_pass(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = overflow(group_of(tmp_path, BELOW, BELOW, BELOW[:200]))
    assert found.verdict == "inconclusive"
    assert found.reason == snapshot
