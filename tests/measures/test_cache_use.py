"""Cache use per VM compared with curves with results computed by hand, and with plain loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.caches.gauges import GaugeReadings, fill, level, plateau_at, stretches
from workbench.measures.caches.use import RunCache, run_cache
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MB = 2**20
TIMES: npt.NDArray[np.float64] = np.asarray(T0 + 10.0 * np.arange(361), dtype=np.float64)
SECONDS: npt.NDArray[np.float64] = TIMES - T0
PHASES = (phase("boot", 0, 600), phase("steady", 600, 3600))
MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
# 30 MB a minute until 486.4 MB (95 % of 512) and a little more, then the rest goes to disk.
WRITTEN = np.minimum(SECONDS, 2000) * 0.5
RAM = np.minimum(WRITTEN, 500.0)
DISK = np.maximum(WRITTEN - 500.0, 0.0)


def cached(folder: Path, ram: Any = RAM, disk: Any = DISK, **facts: object) -> RunCache:
    columns = [(counter("A", Quantity.CACHE_RAM_USED), ram * MB)]
    if disk is not None:
        columns.append((counter("A", Quantity.CACHE_DISK_USED), disk * MB))
    stated: dict[str, object] = {"configuration": MCSIO, "stated_phases": PHASES}
    return run_cache(run_figures(run(recording(folder, "a.csv", TIMES, columns), **(stated | facts))))


def codes(found: RunCache) -> list[str]:
    return [problem.code for problem in found.problems]


def test_that_the_curve_gives_fill_rate_and_time_to_full_and_overflow(tmp_path: Path) -> None:
    found = cached(tmp_path)
    (vm,) = found.vms
    assert vm.filling is not None
    assert vm.filling.rate_mb_per_min == pytest.approx(30)
    # 486.4 MB at 0.5 MB/s are reached after 972.8 s: the next reading is at 980 s.
    assert vm.time_to_full_s == 980
    # 502 MB were written at 1004 s; the reading at 1010 s is the first more than 1 MB above.
    assert (vm.overflowed, vm.overflow_start) == (True, T0 + 1010)
    assert (vm.ram_end_mb, vm.ram_peak_mb, vm.ram_percent) == pytest.approx((500, 500, 100 * 500 / 512))
    assert (vm.disk_end_mb, vm.disk_peak_mb) == (500, 500)
    assert (found.overflowed, found.overflow_start, found.since_zero(found.overflow_start)) == (True, T0 + 1010, 1010)
    assert codes(found) == []


def test_that_growth_levels_off_when_its_window_falls_below_a_tenth_of_the_steepest(tmp_path: Path) -> None:
    (vm,) = cached(tmp_path).vms
    assert vm.disk_level is not None
    # Growth of 30 MB a minute ends at 2000 s; the window of 300 s falls to a tenth 270 s later.
    assert vm.disk_level.at == T0 + 2270
    assert vm.disk_level.mb == 500
    assert vm.disk_level.steepest_mb_per_min == pytest.approx(30)
    assert vm.disk_level.end_rate_mb_per_min == 0


def test_that_a_disk_still_growing_at_the_end_has_not_levelled_off(tmp_path: Path) -> None:
    (vm,) = cached(tmp_path, disk=SECONDS / 10).vms
    assert vm.disk_level is not None
    assert vm.disk_level.at is None
    assert vm.disk_level.end_rate_mb_per_min == pytest.approx(6)


def test_that_levelling_off_equals_that_of_a_plain_loop() -> None:
    mb = 400 * (1 - np.exp(-SECONDS / 480))
    found = level(GaugeReadings(TIMES, mb))
    assert found is not None
    growth = {}
    for at in SECONDS[30:]:
        growth[at] = 400 * (np.exp(-(at - 300) / 480) - np.exp(-at / 480))
    steepest = max(growth.values())
    expected = min(at for at in growth if all(growth[later] <= steepest / 10 for later in growth if later >= at))
    assert found.at == T0 + expected


def test_that_a_cache_without_overflow_is_not_full(tmp_path: Path) -> None:
    found = cached(tmp_path, ram=np.minimum(RAM, 300), disk=np.zeros(361))
    (vm,) = found.vms
    assert (vm.overflowed, vm.overflow_start, vm.full_at, vm.time_to_full_s) == (False, None, None, None)
    assert vm.filling is not None
    assert vm.filling.rate_mb_per_min == pytest.approx(30)
    assert (vm.disk_peak_mb, vm.disk_level, found.overflowed) == (0, None, False)


def test_that_without_a_cache_disk_counter_overflow_is_unknown_and_not_false(tmp_path: Path) -> None:
    found = cached(tmp_path, disk=None)
    assert (found.vms[0].overflowed, found.overflowed, found.vms[0].disk_peak_mb) == (None, None, None)
    assert codes(found) == ["overflow-unknown"]


def test_that_a_counter_that_resets_is_reported_and_the_part_with_more_data_counts(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    ram = np.where(SECONDS < 400, SECONDS / 4, np.minimum((SECONDS - 400) * 0.5, 500))
    disk = np.where(SECONDS < 400, 50.0, np.maximum((SECONDS - 1500) * 0.1, 0.0))
    found = cached(tmp_path, ram=ram, disk=disk)
    (vm,) = found.vms
    assert vm.emptied == (T0 + 400,)
    assert vm.filling is not None
    assert vm.filling.rate_mb_per_min == pytest.approx(30)
    assert vm.overflow_start == T0 + 1520
    (problem,) = found.problems
    assert problem.code == "cache-emptied"
    assert problem.message == snapshot


def test_that_released_blocks_are_not_a_restart() -> None:
    mb = np.where(SECONDS < 1000, 200.0, 60.0)
    assert len(stretches(GaugeReadings(TIMES, mb + 10))) == 2
    assert len(stretches(GaugeReadings(TIMES, np.where(SECONDS < 1000, SECONDS / 5, 60.0)))) == 1


def test_that_a_vm_that_disappears_is_reported_and_other_figures_are_computed(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    gone = np.where(SECONDS <= 1800, RAM, np.nan)
    columns = [
        (counter("A", Quantity.CACHE_RAM_USED), RAM * MB),
        (counter("A", Quantity.CACHE_DISK_USED), DISK * MB),
        (counter("B", Quantity.CACHE_RAM_USED), gone * MB),
        (counter("B", Quantity.CACHE_DISK_USED), gone * 0),
    ]
    one = run(recording(tmp_path, "a.csv", TIMES, columns), configuration=MCSIO, stated_phases=PHASES)
    found = run_cache(run_figures(one))
    assert codes(found) == ["cache-vm-vanished", "overflow-unwatched"]
    assert found.problems[0].message == snapshot
    assert found.vms[0].disk_peak_mb == 500


def test_that_a_missing_size_leaves_percentages_empty_and_is_reported(tmp_path: Path) -> None:
    found = cached(tmp_path, configuration=Configuration("MCSIO", Provisioning.MCSIO))
    (vm,) = found.vms
    assert (vm.size_mb, vm.ram_percent, vm.time_to_full_s) == (None, None, None)
    assert vm.filling is not None
    assert vm.overflowed is True
    assert codes(found) == ["cache-size-unknown"]


def test_that_the_counter_of_the_size_overrides_the_stated_size(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.CACHE_RAM_USED), RAM * MB),
        (counter("A", Quantity.CACHE_DISK_USED), DISK * MB),
        (counter("A", Quantity.CACHE_RAM_SIZE), np.full(361, 1024.0 * MB)),
    ]
    one = run(recording(tmp_path, "a.csv", TIMES, columns), configuration=MCSIO, stated_phases=PHASES)
    found = run_cache(run_figures(one))
    assert (found.vms[0].size_mb, found.vms[0].size_from) == (1024, "counter")
    assert codes(found) == ["cache-size-differs"]


def test_that_a_run_without_a_cache_counter_names_the_counter_to_log(tmp_path: Path) -> None:
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), np.ones(361))]), configuration=MCSIO)
    found = run_cache(run_figures(one))
    assert (found.vms, codes(found)) == ((), ["no-cache-counters"])
    assert "Citrix MCS Storage Driver" in found.problems[0].action


@pytest.mark.parametrize(
    "made",
    [
        Configuration("MCS", Provisioning.MCS),
        Configuration("PVS", Provisioning.PVS, "device-disk"),
        Configuration("MCSIO 0", Provisioning.MCSIO, None, 0),
    ],
)
def test_that_provisioning_that_does_not_write_to_ram_first_has_no_cache_figures(
    tmp_path: Path, made: Configuration
) -> None:
    found = cached(tmp_path, configuration=made)
    assert (found.vms, found.problems) == ((), ())


def pool(folder: Path, mb: Any, size: int = 256) -> RunCache:
    made = Configuration(f"PVS {size} MB", Provisioning.PVS, "device-ram-overflow", size)
    columns = [(counter("A", Quantity.POOL_NONPAGED, estimate=True), mb * MB)]
    one = run(recording(folder, "a.csv", TIMES, columns), configuration=made, stated_phases=PHASES)
    return run_cache(run_figures(one))


def test_that_a_pool_that_levels_off_at_the_size_is_an_estimated_overflow(tmp_path: Path) -> None:
    (vm,) = pool(tmp_path, 100 + np.minimum(SECONDS / 5, 216)).vms
    assert (vm.estimate, vm.overflowed) == (True, True)
    # Within 1 % of the peak of 316 MB from 312.84 MB on, at 1064.2 s.
    assert vm.overflow_start == T0 + 1070
    assert (vm.ram_low_mb, vm.ram_peak_mb) == pytest.approx((216, 316))


def test_that_a_pool_smaller_than_the_cache_has_not_overflowed(tmp_path: Path) -> None:
    assert pool(tmp_path, 60 + np.minimum(SECONDS / 20, 150)).overflowed is False


def test_that_a_pool_that_levels_off_below_the_size_has_not_overflowed(tmp_path: Path) -> None:
    # 250 of 256 MB are beyond the 95 % at which a gauge counts as full.
    (vm,) = pool(tmp_path, 6 + np.minimum(SECONDS / 10, 244)).vms
    assert (vm.overflowed, vm.overflow_start, vm.full_at) == (False, None, None)


def test_that_a_pool_that_still_grows_between_its_bounds_gives_no_result(tmp_path: Path) -> None:
    found = pool(tmp_path, 70 + SECONDS / 18)
    assert found.overflowed is None
    assert codes(found) == ["cache-estimate", "overflow-unknown"]


def test_that_a_pool_that_grows_by_the_cache_size_has_overflowed(tmp_path: Path) -> None:
    (vm,) = pool(tmp_path, 70 + SECONDS / 10).vms
    # 95 % of 256 MB above the lowest are reached at 2432 s.
    assert vm.overflow_start == T0 + 2440


def test_that_a_flat_pool_is_level_from_its_start_and_a_growing_one_never() -> None:
    assert plateau_at(GaugeReadings(TIMES, np.full(361, 100.0))) == T0
    assert plateau_at(GaugeReadings(TIMES, 100 + SECONDS)) is None


CURVES = st.lists(st.floats(0, 50), min_size=20, max_size=60).map(np.cumsum).filter(lambda mb: mb[-1] - mb[0] > 2)


@given(CURVES, st.floats(1.0, 50.0))
def test_that_twice_the_megabytes_fill_twice_as_fast_at_the_same_times(mb: Any, factor: float) -> None:
    at = np.linspace(0.0, 15.0 * (mb.size - 1), mb.size)
    one, other = fill(GaugeReadings(at, mb)), fill(GaugeReadings(at, factor * mb))
    assert one is not None
    assert other is not None
    assert other.rate_mb_per_min == pytest.approx(factor * one.rate_mb_per_min, rel=1e-6)
    assert (other.start, other.end) == pytest.approx((one.start, one.end))


@given(CURVES, st.floats(-1e6, 1e6))
def test_that_a_shift_in_time_changes_only_the_times(mb: Any, shift: float) -> None:
    at = np.linspace(0.0, 15.0 * (mb.size - 1), mb.size)
    one, other = level(GaugeReadings(at, mb)), level(GaugeReadings(at + shift, mb))
    assert (one is None) == (other is None)
    if one is not None and other is not None and one.at is not None and other.at is not None:
        assert other.at - shift == pytest.approx(one.at, abs=15.1)
        assert other.steepest_mb_per_min == pytest.approx(one.steepest_mb_per_min, rel=1e-6)


@given(CURVES)
def test_that_the_fill_rate_equals_a_numpy_interpolation(mb: Any) -> None:
    mb = mb + np.arange(mb.size) * 1e-3  # strictly rising, so it can be read backwards
    at = np.linspace(0.0, 15.0 * (mb.size - 1), mb.size)
    low, high = mb[0] + 0.05 * (mb[-1] - mb[0]), mb[0] + 0.95 * (mb[-1] - mb[0])
    start, end = np.interp([low, high], mb, at)
    found = fill(GaugeReadings(at, mb))
    assert found is not None
    assert found.rate_mb_per_min == pytest.approx(60 * (high - low) / (end - start), rel=1e-6)


@pytest.mark.parametrize(("scale", "expected"), [(1 / MB, ["cache-unit"]), (1 / 1024, ["cache-unit"]), (1.0, [])])
def test_that_a_ram_gauge_in_the_wrong_unit_is_reported(tmp_path: Path, scale: float, expected: list[str]) -> None:
    """500 MB written as 500 or as 512,000 are not 0.1 % of 512 MB, and the cache has overflowed."""
    found = cached(tmp_path, ram=RAM * scale)
    assert [code for code in codes(found) if code == "cache-unit"] == expected


def test_that_a_ram_gauge_that_is_low_without_overflow_is_not_a_wrong_unit(tmp_path: Path) -> None:
    assert "cache-unit" not in codes(cached(tmp_path, ram=RAM / MB, disk=DISK * 0))


def measured(folder: Path, mb: Any, size: int = 256) -> RunCache:
    made = Configuration(f"PVS {size} MB", Provisioning.PVS, "device-ram-overflow", size)
    snapshots = [(counter("A", Quantity.CACHE_RAM_USED, object="PoolMon"), mb * MB)]
    memory = [(counter("A", Quantity.POOL_NONPAGED, estimate=True), 900 * MB + mb * MB)]
    files = (recording(folder, "poolmon.log", TIMES, snapshots), recording(folder, "a.csv", TIMES, memory))
    return run_cache(run_figures(run(*files, configuration=made, stated_phases=PHASES)))


def test_that_the_estimate_is_replaced_if_poolmon_measured_the_cache(tmp_path: Path) -> None:
    found = measured(tmp_path, np.minimum(SECONDS / 20, 150))
    (vm,) = found.vms
    assert (vm.ram_peak_mb, vm.ram_low_mb, vm.estimate, vm.ram_from) == (150, None, False, "poolmon")
    assert (found.estimate, vm.overflowed, codes(found)) == (False, False, ["cache-measured"])


def test_that_a_measured_cache_of_pvs_that_is_full_has_overflowed(tmp_path: Path) -> None:
    (vm,) = measured(tmp_path, np.minimum(SECONDS / 10, 256)).vms
    # 95 % of 256 MB are 243.2 MB, reached at 2432 s.
    assert (vm.overflowed, vm.overflow_start) == (True, T0 + 2440)


def test_that_the_source_of_the_ram_used_is_named(tmp_path: Path) -> None:
    assert pool(tmp_path, 70 + SECONDS / 18).vms[0].ram_from == "nonpaged-pool"
    assert cached(tmp_path).vms[0].ram_from == "counter"


def test_that_a_log_that_starts_after_the_overflow_does_not_exclude_one(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = cached(tmp_path, ram=np.full(361, 500.0), disk=np.full(361, 812.0))
    (vm,) = found.vms
    assert (vm.overflowed, vm.overflow_start, vm.begins_full, vm.time_to_full_s) == (None, None, True, None)
    assert vm.begins_percent == pytest.approx(100 * 500 / 512)
    assert codes(found) == ["overflow-before-log"]
    assert found.problems[0].message == snapshot


def test_that_an_overflow_in_a_log_that_starts_full_is_an_upper_bound_of_the_time(tmp_path: Path) -> None:
    found = cached(tmp_path, ram=np.full(361, 500.0), disk=300 + DISK)
    assert (found.overflowed, found.overflow_start, found.begins_full) == (True, T0 + 1010, True)
    assert codes(found) == ["overflow-before-log"]


def test_that_a_log_that_starts_with_a_partly_used_cache_excludes_an_earlier_overflow(tmp_path: Path) -> None:
    found = cached(tmp_path, ram=np.full(361, 300.0), disk=np.full(361, 40.0))
    assert (found.overflowed, found.begins_full, found.vms[0].begins_percent) == (
        False,
        False,
        pytest.approx(100 * 300 / 512),
    )


def disks(folder: Path, *used: Any) -> RunCache:
    """A run in which only the cache disks were logged."""
    columns = [
        (counter(vm, Quantity.CACHE_DISK_USED), np.broadcast_to(mb, 361) * MB)
        for vm, mb in zip("ABC", used, strict=False)
    ]
    logged = run(recording(folder, "a.csv", TIMES, columns), configuration=MCSIO, stated_phases=PHASES)
    return run_cache(run_figures(logged))


def message(found: RunCache, code: str) -> str:
    (text,) = (problem.message for problem in found.problems if problem.code == code)
    return text


@pytest.mark.parametrize("mb", [6.0, 812.0])
def test_that_a_cache_disk_with_initial_data_does_not_exclude_an_overflow(
    tmp_path: Path, mb: float, snapshot: SnapshotAssertion
) -> None:
    found = disks(tmp_path, mb)
    assert (found.overflowed, found.begins_full) == (None, True)
    assert message(found, "overflow-before-log") == snapshot


@pytest.mark.parametrize("mb", [4.0, 5.0])
def test_that_the_empty_file_of_a_difference_disk_is_named_and_not_an_overflow(
    tmp_path: Path, mb: float, snapshot: SnapshotAssertion
) -> None:
    found = disks(tmp_path, mb)
    assert (found.overflowed, found.begins_full) == (False, False)
    assert message(found, "cache-disk-empty") == snapshot
    grown = disks(tmp_path / "grown", mb + DISK)
    assert (grown.overflowed, grown.overflow_start, grown.begins_full) == (True, T0 + 1010, False)


@pytest.mark.parametrize(("mb", "named"), [(1.0, 0), (4.0, 1)])
def test_that_an_empty_cache_disk_of_at_most_1_mb_is_not_named(tmp_path: Path, mb: float, named: int) -> None:
    found = disks(tmp_path, mb)
    assert (found.overflowed, found.begins_full) == (False, False)
    assert [problem.code for problem in found.problems].count("cache-disk-empty") == named


@pytest.mark.parametrize("other", [0.0, 3.0, DISK])
def test_that_a_counter_below_the_empty_file_size_counts_only_data(
    tmp_path: Path, other: Any, snapshot: SnapshotAssertion
) -> None:
    """No file of a difference disk is smaller than 4 MB: bytes of one VM beyond 1 MB were written there."""
    found = disks(tmp_path, 4.0, other)
    assert found.vms[0].begins_full
    assert found.vms[0].overflowed is None
    assert message(found, "overflow-before-log") == snapshot


def test_that_initial_data_on_a_cache_disk_is_reported_next_to_the_pool_estimate(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.CACHE_DISK_USED), np.full(361, 812.0 * MB)),
        (counter("A", Quantity.POOL_NONPAGED, estimate=True), np.full(361, 100.0 * MB)),
    ]
    stated = Configuration("PVS 256 MB", Provisioning.PVS, "device-ram-overflow", 256)
    logged = run(recording(tmp_path, "a.csv", TIMES, columns), configuration=stated, stated_phases=PHASES)
    found = run_cache(run_figures(logged))
    assert (found.estimate, found.overflowed, found.begins_full) == (True, None, True)


def test_that_vms_that_started_full_and_vms_with_initial_disk_data_are_distinguished(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    columns = [
        (counter("A", Quantity.CACHE_RAM_USED), np.full(361, 500.0 * MB)),
        (counter("B", Quantity.CACHE_DISK_USED), np.full(361, 40.0 * MB)),
    ]
    logged = run(recording(tmp_path, "a.csv", TIMES, columns), configuration=MCSIO, stated_phases=PHASES)
    assert message(run_cache(run_figures(logged)), "overflow-before-log") == snapshot
