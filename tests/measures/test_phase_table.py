"""Every column of the phase table, computed a second time by hand or in a plain loop."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.phase_table import PhaseFigures, run_figures
from workbench.model.metric import Quantity, Vantage
from workbench.model.run import Configuration, Provisioning, Run, SessionType

MB = 2**20
TIMES = T0 + 10.0 * np.arange(1, 61)
STEADY = (phase("steady", 100, 400),)
INSIDE = (T0 + 100 < TIMES) & (TIMES <= T0 + 400)
RNG = np.random.default_rng(7)
READS = {vm: RNG.uniform(0, 50, 60) for vm in "AB"}
WRITES = {vm: RNG.uniform(0, 90, 60) for vm in "AB"}
LATENCY = {vm: RNG.uniform(0.001, 0.02, 60) for vm in "AB"}


def full(folder: Path, **facts: object) -> Run:
    columns = []
    for vm in "AB":
        columns += [
            (counter(vm, Quantity.READ_IOPS), READS[vm]),
            (counter(vm, Quantity.WRITE_IOPS), WRITES[vm]),
            (counter(vm, Quantity.READ_LATENCY), LATENCY[vm]),
            (counter(vm, Quantity.WRITE_LATENCY), 2 * LATENCY[vm]),
            (counter(vm, Quantity.CPU), np.arange(60.0)),
            (counter(vm, Quantity.CACHE_RAM_USED), np.arange(60.0) * MB * (1 if vm == "A" else 2)),
            (counter(vm, Quantity.CACHE_DISK_USED), np.maximum(0, np.arange(60.0) - 20) * MB),
        ]
    stated: dict[str, object] = {"stated_phases": STEADY}
    return run(recording(folder, "guest.csv", TIMES, columns), **(stated | facts))


def steady(one: Run) -> PhaseFigures:
    found = run_figures(one).phase("steady")
    assert found is not None
    return found


def codes(one: Run) -> list[str]:
    return [problem.code for problem in run_figures(one).problems]


def test_that_io_figures_use_the_samples_inside_the_phase(tmp_path: Path) -> None:
    row = steady(full(tmp_path))
    reads = sum(10 * READS[vm][INSIDE].sum() for vm in "AB")
    writes = sum(10 * WRITES[vm][INSIDE].sum() for vm in "AB")
    assert (row.reads, row.writes) == (pytest.approx(reads), pytest.approx(writes))
    assert row.total_io == pytest.approx(reads + writes)
    assert row.total_io_per_vm == pytest.approx((reads + writes) / 2)
    assert row.iops == pytest.approx((reads + writes) / 300)
    assert row.iops_per_vm == pytest.approx((reads + writes) / 600)
    assert (row.read_iops, row.write_iops) == (pytest.approx(reads / 300), pytest.approx(writes / 300))
    assert (row.read_iops_per_vm, row.write_iops_per_vm) == (pytest.approx(reads / 600), pytest.approx(writes / 600))
    assert row.read_percent == pytest.approx(100 * reads / (reads + writes))
    assert row.write_percent == pytest.approx(100 * writes / (reads + writes))
    assert (row.vms, row.users, row.vantage) == (2, 2, "guest")


def test_that_p95_and_peak_are_over_all_samples_of_all_vms_in_the_phase(tmp_path: Path) -> None:
    row = steady(full(tmp_path))
    pooled = sorted(float(READS[vm][i] + WRITES[vm][i]) for vm in "AB" for i in np.flatnonzero(INSIDE))
    place = 0.95 * (len(pooled) - 1)
    low = int(place)
    assert row.p95_iops_per_vm == pytest.approx(pooled[low] + (place - low) * (pooled[low + 1] - pooled[low]))
    assert row.peak_iops_per_vm == pytest.approx(pooled[-1])


def test_that_latency_is_the_mean_over_ios_and_in_milliseconds(tmp_path: Path) -> None:
    row = steady(full(tmp_path))
    waited = sum(float(LATENCY[vm][i] * READS[vm][i]) for vm in "AB" for i in np.flatnonzero(INSIDE))
    ios = sum(float(READS[vm][i]) for vm in "AB" for i in np.flatnonzero(INSIDE))
    assert row.read_latency_ms == pytest.approx(1e3 * waited / ios)
    pooled = np.concatenate([LATENCY[vm][INSIDE] for vm in "AB"])
    assert row.read_latency_p95_ms == pytest.approx(1e3 * np.percentile(pooled, 95))
    assert row.write_latency_p95_ms == pytest.approx(2e3 * np.percentile(pooled, 95))


def test_that_seconds_without_io_have_no_latency(tmp_path: Path) -> None:
    reads = np.where(np.arange(60) % 2, 4.0, 0.0)
    columns = [
        (counter("A", Quantity.READ_IOPS), reads),
        (counter("A", Quantity.READ_LATENCY), np.where(reads > 0, 0.008, 0.0)),
    ]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
    assert (row.read_latency_ms, row.read_latency_p95_ms) == (pytest.approx(8.0), pytest.approx(8.0))
    columns[0] = (counter("A", Quantity.READ_IOPS), np.zeros(60))
    row = steady(run(recording(tmp_path, "b.csv", TIMES, columns), stated_phases=STEADY))
    assert (row.read_latency_ms, row.read_latency_p95_ms) == (None, None)


def test_that_a_latency_of_0_with_io_is_a_fault_and_is_missing(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.READ_IOPS), np.full(60, 21.0)),
        (counter("A", Quantity.WRITE_IOPS), np.full(60, 21.0)),
        (counter("A", Quantity.READ_LATENCY), np.zeros(60)),
        (counter("A", Quantity.WRITE_LATENCY), np.where(np.arange(60) % 2, 0.0, 0.001)),
    ]
    one = run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY)
    row = steady(one)
    assert (row.read_latency_ms, row.read_latency_p95_ms) == (None, None)
    assert row.write_latency_ms is not None
    assert codes(one).count("zero-latency") == 1


def test_that_totals_are_compared_only_for_vms_with_reads_and_writes(tmp_path: Path) -> None:
    """`B` has no reads: this is the only reason why its total differs from its writes."""
    columns = []
    for vm in "AB":
        columns.append((counter(vm, Quantity.IOPS), READS[vm] + WRITES[vm]))
        columns.append((counter(vm, Quantity.WRITE_IOPS), WRITES[vm]))
    columns.append((counter("A", Quantity.READ_IOPS), READS["A"]))
    one = run(recording(tmp_path, "guest.csv", TIMES, columns), stated_phases=STEADY)
    assert "io-contradiction" not in codes(one)
    doubled = [*columns[:-1], (counter("A", Quantity.READ_IOPS), 4 * READS["A"])]
    other = run(recording(tmp_path, "other.csv", TIMES, doubled), stated_phases=STEADY)
    assert "io-contradiction" in codes(other)


def test_that_missing_latencies_do_not_count_as_slow(tmp_path: Path) -> None:
    latency = np.where(np.arange(60) % 7, np.linspace(0.001, 0.002, 60), np.nan)
    columns = [(counter("A", Quantity.READ_IOPS), np.full(60, 9.0)), (counter("A", Quantity.READ_LATENCY), latency)]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
    known = latency[INSIDE & ~np.isnan(latency)]
    assert row.read_latency_p95_ms == pytest.approx(1e3 * np.percentile(known, 95))


def test_that_a_missing_latency_of_a_sample_with_io_is_a_gap(tmp_path: Path) -> None:
    """Half of the samples lack the latency. They do not count as measured if they have I/O."""
    latency = np.where(np.arange(60) % 2, 0.002, np.nan)
    for rate, missing in ((9.0, 0.5), (np.where(np.arange(60) % 2, 9.0, 0.0), 0.0)):
        columns = [
            (counter("A", Quantity.READ_IOPS), np.full(60, rate)),
            (counter("A", Quantity.READ_LATENCY), latency),
        ]
        row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
        (extent,) = (extent for extent in row.extents if extent.quantity is Quantity.READ_LATENCY)
        length = row.phase.end - row.phase.start
        assert extent.missing_s == pytest.approx(missing * length)


def test_that_latency_without_rates_is_a_mean_over_time_and_never_mixed_with_one_over_ios(tmp_path: Path) -> None:
    alone = [(counter("A", Quantity.READ_LATENCY), np.full(60, 0.002))]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, alone), stated_phases=STEADY))
    assert row.read_latency_ms == pytest.approx(2.0)
    mixed = [
        *alone,
        (counter("B", Quantity.READ_LATENCY), np.full(60, 0.010)),
        (counter("B", Quantity.READ_IOPS), np.full(60, 0.01)),
    ]
    row = steady(run(recording(tmp_path, "b.csv", TIMES, mixed), stated_phases=STEADY))
    assert row.read_latency_ms == pytest.approx(10.0)


def test_that_cache_at_end_is_the_last_sample_before_the_end_and_the_peak_is_that_of_any_vm(tmp_path: Path) -> None:
    row = steady(full(tmp_path, configuration=Configuration("MCSIO 64 MB", Provisioning.MCSIO, None, 64)))
    # The last reading before 400 s is number 38 (at 390 s); VM B uses twice what VM A does.
    assert row.cache_ram_used_mb_end == pytest.approx((38 + 76) / 2)
    assert row.cache_ram_used_mb_peak == pytest.approx(76)
    assert row.cache_ram_used_percent == pytest.approx(100 * 76 / 64)
    assert (row.cache_disk_used_mb_end, row.cache_disk_used_mb_peak) == (pytest.approx(18), pytest.approx(18))
    assert row.cache_ram_estimate is False


def test_that_overflow_starts_when_the_cache_disk_has_grown_by_more_than_a_megabyte(tmp_path: Path) -> None:
    one = full(
        tmp_path,
        configuration=Configuration("MCSIO", Provisioning.MCSIO, None, 512),
        stated_phases=(phase("boot", 0, 100), *STEADY),
    )
    boot, row = run_figures(one).phases
    # Sample 22 (at 230 s) has 2 MB: the first that is more than 1 MB above the lowest.
    assert row.overflow_start == T0 + 230
    assert boot.overflow_start is None


def test_that_growth_after_a_restart_starts_at_the_emptied_cache(tmp_path: Path) -> None:
    used = np.r_[np.full(15, 500.0), np.zeros(10), np.full(35, 300.0)] * MB
    columns = [(counter("A", Quantity.CACHE_DISK_USED), used)]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
    assert row.overflow_start == T0 + 260


@pytest.mark.parametrize(
    "configuration",
    [Configuration("PVS disk", Provisioning.PVS, "device-disk"), Configuration("MCSIO 0", Provisioning.MCSIO, None, 0)],
)
def test_that_a_cache_without_ram_does_not_overflow(tmp_path: Path, configuration: Configuration) -> None:
    assert steady(full(tmp_path, configuration=configuration)).overflow_start is None


def test_that_pvs_without_cache_counters_uses_the_nonpaged_pool_and_marks_it_as_an_estimate(tmp_path: Path) -> None:
    one = recording(
        tmp_path, "a.csv", TIMES, [(counter("A", Quantity.POOL_NONPAGED, estimate=True), np.full(60, 3.0 * MB))]
    )
    pvs = steady(run(one, stated_phases=STEADY, configuration=Configuration("PVS", Provisioning.PVS, None, 256)))
    assert (pvs.cache_ram_used_mb_end, pvs.cache_ram_estimate) == (pytest.approx(3), True)
    mcs = steady(run(one, stated_phases=STEADY))
    assert mcs.cache_ram_used_mb_end is None


def test_that_cpu_is_the_mean_over_vms_of_the_mean_over_the_phase(tmp_path: Path) -> None:
    assert steady(full(tmp_path)).cpu_percent == pytest.approx(np.arange(60.0)[INSIDE].mean())


def test_that_session_hosts_are_counted_per_user_too(tmp_path: Path) -> None:
    row = steady(full(tmp_path, session_type=SessionType.RDS, users=60))
    assert row.iops_per_user == pytest.approx((row.iops or 0) / 60)


def test_that_figures_per_user_use_the_users_of_measured_vms(tmp_path: Path) -> None:
    one = full(tmp_path, session_type=SessionType.RDS, vms=4, users=60)
    assert steady(one).iops_per_user == pytest.approx((steady(one).iops or 0) / 30)
    assert "vms-missing" in codes(one)


def test_that_the_fields_of_a_row_are_the_measures_of_the_catalogue() -> None:
    beside = {"phase", "vantage", "side", "cache_ram_estimate", "worst_vms", "steadiness", "extents", "reads", "writes"}
    assert {field.name for field in fields(PhaseFigures)} - beside == set(MEASURES) - {DURATION}


def test_that_a_figure_without_data_is_missing_and_never_zero(tmp_path: Path) -> None:
    one = run(
        recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.CPU), np.full(60, 50.0))]), stated_phases=STEADY
    )
    row = steady(one)
    known = {"phase", "vms", "users", "cpu_percent", "cache_ram_estimate", "worst_vms", "extents"}
    assert {field.name for field in fields(row) if getattr(row, field.name) is not None} == known
    assert row.worst_vms == ()
    assert codes(one) == ["no-iops"]


@pytest.mark.parametrize(
    ("quantity", "missing"),
    [(Quantity.READ_IOPS, "Disk Writes/sec"), (Quantity.WRITE_IOPS, "Disk Reads/sec"), (Quantity.CPU, "")],
)
def test_that_reads_or_writes_alone_name_the_missing_counter(tmp_path: Path, quantity: Quantity, missing: str) -> None:
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", quantity), np.full(60, 5.0))]), stated_phases=STEADY)
    (problem,) = [problem for problem in run_figures(one).problems if problem.code == "no-iops"]
    named = [name for name in ("Disk Writes/sec", "Disk Reads/sec") if name in problem.action]
    assert named == ([missing] if missing else [])


def test_that_an_idle_phase_has_zero_iops_and_no_read_share(tmp_path: Path) -> None:
    columns = [(counter("A", Quantity.READ_IOPS), np.zeros(60)), (counter("A", Quantity.WRITE_IOPS), np.zeros(60))]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
    assert (row.total_io, row.iops_per_vm, row.peak_iops_per_vm, row.read_percent) == (0, 0, 0, None)


def test_that_reads_per_vm_cover_the_vms_with_read_counters(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.READ_IOPS), np.full(60, 6.0)),
        (counter("A", Quantity.WRITE_IOPS), np.full(60, 2.0)),
        (counter("B", Quantity.IOPS), np.full(60, 100.0)),
    ]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
    assert (row.read_iops_per_vm, row.read_percent) == (pytest.approx(6), pytest.approx(75))
    assert row.iops_per_vm == pytest.approx(54)


def test_that_a_vm_missing_from_a_phase_is_excluded_from_it_and_reported(tmp_path: Path) -> None:
    late = np.where(TIMES > T0 + 450, 10.0, np.nan)
    columns = [(counter("A", Quantity.IOPS), np.full(60, 10.0)), (counter("B", Quantity.IOPS), late)]
    one = run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY)
    assert (steady(one).vms, steady(one).iops_per_vm) == (1, pytest.approx(10))
    assert codes(one) == ["vms-missing"]


def test_that_more_machines_than_stated_are_reported(tmp_path: Path) -> None:
    assert codes(full(tmp_path, vms=1)) == ["vms-more"]


def test_that_a_gap_counts_as_zero_io_and_is_reported(tmp_path: Path) -> None:
    holed = np.where((TIMES > T0 + 200) & (TIMES <= T0 + 230), np.nan, 10.0)
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), holed)]), stated_phases=STEADY)
    assert steady(one).total_io == pytest.approx(2700)
    problem = run_figures(one).problems[0]
    assert problem.code == "gap"
    assert "30 s of 300 s" in problem.message


def test_that_a_phase_outside_the_recording_is_not_measured(tmp_path: Path) -> None:
    one = full(tmp_path, stated_phases=(phase("steady", 5000, 6000),))
    assert steady(one).total_io is None
    assert codes(one) == ["phase-not-measured"]


def test_that_a_file_with_an_unknown_zone_keeps_its_local_times(tmp_path: Path) -> None:
    columns = [(counter("A", Quantity.IOPS), np.full(60, 10.0))]
    one = run(recording(tmp_path, "a.csv", TIMES, columns, None), stated_phases=STEADY)
    assert steady(one).total_io == pytest.approx(3000)


def test_that_the_vantages_of_all_vms_are_named(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.IOPS), np.full(60, 1.0)),
        (counter("B", Quantity.IOPS, vantage=Vantage.HOST), np.full(60, 1.0)),
    ]
    assert steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY)).vantage == "guest + host"


def test_that_a_partly_measured_phase_is_marked_as_a_lower_bound(tmp_path: Path) -> None:
    holed = np.where((TIMES > T0 + 200) & (TIMES <= T0 + 230), np.nan, 10.0)
    series = [(counter("A", Quantity.IOPS), holed), (counter("B", Quantity.IOPS), np.full(TIMES.size, 10.0))]
    found = steady(run(recording(tmp_path, "a.csv", TIMES, series), stated_phases=STEADY))
    # One VM of two lacks 30 s of 300 s.
    assert found.measured_percent == pytest.approx(95)
    assert found.lower_bound
    assert not steady(full(tmp_path)).lower_bound
    assert steady(full(tmp_path)).measured_percent == pytest.approx(100)


def test_that_a_vm_recorded_in_two_files_counts_once_and_is_reported(tmp_path: Path) -> None:
    series = [(counter("A", Quantity.IOPS), np.full(TIMES.size, 10.0))]
    twice = (recording(tmp_path, "a.csv", TIMES, series), recording(tmp_path, "copy.csv", TIMES, series))
    one = run(*twice, stated_phases=STEADY)
    assert steady(one).total_io == pytest.approx(3000)
    assert codes(one) == ["recorded-twice"]
    problem = run_figures(one).problems[0]
    assert "a.csv and copy.csv" in problem.message
    assert f"{TIMES.size} rows" in problem.action


def test_that_a_negative_rate_is_missing_and_reported(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    values = np.full(TIMES.size, 10.0)
    inside = int(np.flatnonzero(TIMES > T0 + 100)[0])
    values[inside] = -5.5
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), values)]), stated_phases=STEADY)
    step = float(TIMES[1] - TIMES[0])
    assert steady(one).total_io == pytest.approx(3000 - 10 * step)
    assert "negative-value" in codes(one)
    problem = next(problem for problem in run_figures(one).problems if problem.code == "negative-value")
    assert problem.message == snapshot
    assert "a.csv" in problem.message


def test_that_transfers_that_differ_from_reads_plus_writes_are_reported(tmp_path: Path) -> None:
    amounts = {Quantity.IOPS: 100.0, Quantity.READ_IOPS: 10.0, Quantity.WRITE_IOPS: 20.0}

    def told(**other: float) -> list[str]:
        columns = [
            (counter(vm, quantity), np.full(60, other.get(quantity.name, value)))
            for vm in "AB"
            for quantity, value in amounts.items()
        ]
        return codes(run(recording(tmp_path, "guest.csv", TIMES, columns), stated_phases=STEADY))

    assert "io-contradiction" in told()
    assert "io-contradiction" not in told(IOPS=33.0)
    assert "io-contradiction" in told(WRITE_IOPS=5000.0)


@pytest.mark.parametrize(("used", "estimate", "told"), [(1.05, False, False), (2.0, False, True), (2.0, True, False)])
def test_that_a_cache_fuller_than_its_size_is_reported(tmp_path: Path, used: float, estimate: bool, told: bool) -> None:
    columns = [
        (counter("A", Quantity.IOPS), READS["A"]),
        (counter("A", Quantity.CACHE_RAM_USED, estimate=estimate), np.full(60, used * 256 * MB)),
    ]
    facts = {"configuration": Configuration("MCSIO", Provisioning.MCSIO, ram_cache_mb=256), "stated_phases": STEADY}
    one = run(recording(tmp_path, "guest.csv", TIMES, columns), **facts)
    assert steady(one).cache_ram_used_percent == pytest.approx(100 * used)
    assert ("cache-over-size" in codes(one)) is told


def test_that_the_share_of_reads_of_very_little_io_is_known(tmp_path: Path) -> None:
    rates = ((Quantity.READ_IOPS, 0.0005), (Quantity.WRITE_IOPS, 0.0015))
    columns = [(counter("A", quantity), np.full(60, rate)) for quantity, rate in rates]
    row = steady(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY))
    # In 300 s 0.6 I/Os.
    assert row.total_io == pytest.approx(300 * 0.002)
    assert (row.read_percent, row.write_percent) == (pytest.approx(25.0), pytest.approx(75.0))
