"""The samples of a VM: nothing is counted twice, and a missing sample never becomes zero."""

from __future__ import annotations

import copy
import pickle
from collections.abc import MutableMapping
from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.model.metric import Quantity, Vantage
from workbench.model.run import Run
from workbench.phases.integral import integrate
from workbench.study.series.vm_series import Matrix, samples_of, vm_names, vm_samples

TIMES = [T0 + 15 * place for place in range(1, 5)]
WHOLE = phase("all", -1_000, 100_000)


def total(one: Run, quantity: Quantity = Quantity.IOPS) -> dict[str, float]:
    found = {vm: integrate(samples, WHOLE) for vm, samples in vm_samples(one, quantity).items()}
    return {vm: integral.total for vm, integral in found.items() if integral is not None}


def test_that_a_total_and_its_single_disks_are_not_counted_twice(tmp_path: Path) -> None:
    disks = [
        (counter("A", Quantity.IOPS, instance=name), values)
        for name, values in (("0 C:", [1.0] * 4), ("1 D:", [2.0] * 4), ("_Total", [3.0] * 4))
    ]
    assert total(run(recording(tmp_path, "a.csv", TIMES, disks))) == {"A": pytest.approx(3 * 60)}


def test_that_single_disks_are_added_if_no_total_was_logged(tmp_path: Path) -> None:
    disks = [
        (counter("A", Quantity.IOPS, instance="0 C:"), [1.0] * 4),
        (counter("A", Quantity.IOPS, instance="1 D:"), [2.0] * 4),
    ]
    assert total(run(recording(tmp_path, "a.csv", TIMES, disks))) == {"A": pytest.approx(180)}


def test_that_physical_disks_are_used_before_logical_ones(tmp_path: Path) -> None:
    both = [
        (counter("A", Quantity.IOPS, object="LogicalDisk"), [9.0] * 4),
        (counter("A", Quantity.IOPS, object="PhysicalDisk"), [1.0] * 4),
    ]
    one = run(recording(tmp_path, "a.csv", TIMES, both))
    assert total(one) == {"A": pytest.approx(60)}
    assert vm_samples(one, Quantity.IOPS)["A"].object == "PhysicalDisk"


def test_that_the_guest_is_used_before_the_host_even_with_different_spelling(tmp_path: Path) -> None:
    guest = recording(tmp_path, "guest.csv", TIMES, [(counter("W10-001", Quantity.IOPS), [1.0] * 4)])
    host = recording(
        tmp_path,
        "host.csv",
        TIMES,
        [(counter("w10-001", Quantity.IOPS, vantage=Vantage.HOST, object="Hyper-V Virtual Storage Device"), [9.0] * 4)],
    )
    one = run(guest, host)
    assert vm_names(one) == ("W10-001",)
    assert total(one) == {"W10-001": pytest.approx(60)}


def test_that_a_vm_logged_only_on_the_host_uses_host_samples(tmp_path: Path) -> None:
    host = recording(tmp_path, "host.csv", TIMES, [(counter("A", Quantity.IOPS, vantage=Vantage.HOST), [9.0] * 4)])
    found = vm_samples(run(host), Quantity.IOPS)
    assert found["A"].vantage is Vantage.HOST


def test_that_reads_and_writes_give_the_total_if_none_was_logged(tmp_path: Path) -> None:
    halves = [(counter("A", Quantity.READ_IOPS), [1.0, 2.0, 3.0, 4.0]), (counter("A", Quantity.WRITE_IOPS), [10.0] * 4)]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, halves)), Quantity.IOPS)
    assert found["A"].values.tolist() == [11.0, 12.0, 13.0, 14.0]


def test_that_guest_reads_and_writes_are_used_before_a_total_from_the_host(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.READ_IOPS), [1.0] * 4),
        (counter("A", Quantity.WRITE_IOPS), [2.0] * 4),
        (counter("A", Quantity.IOPS, vantage=Vantage.HOST), [50.0] * 4),
    ]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, columns)), Quantity.IOPS)["A"]
    assert (found.vantage, found.values.tolist()) == (Vantage.GUEST, [3.0] * 4)


def test_that_reads_alone_give_no_total(tmp_path: Path) -> None:
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.READ_IOPS), [1.0] * 4)]))
    assert vm_samples(one, Quantity.IOPS) == {}


def test_that_a_missing_sample_stays_missing_in_totals_and_sums(tmp_path: Path) -> None:
    disks = [
        (counter("A", Quantity.IOPS, instance="0 C:"), [1.0, None, 1.0, 1.0]),
        (counter("A", Quantity.IOPS, instance="1 D:"), [2.0, 2.0, 2.0, np.inf]),
    ]
    values = vm_samples(run(recording(tmp_path, "a.csv", TIMES, disks)), Quantity.IOPS)["A"].values
    assert np.isnan(values).tolist() == [False, True, False, True]


def test_that_a_repeated_counter_counts_once(tmp_path: Path) -> None:
    twice = [(counter("A", Quantity.IOPS), [1.0] * 4), (counter("A", Quantity.IOPS), [1.0] * 4)]
    assert total(run(recording(tmp_path, "a.csv", TIMES, twice))) == {"A": pytest.approx(60)}


def test_that_the_unit_of_the_file_is_converted_to_the_canonical_one(tmp_path: Path) -> None:
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.CACHE_RAM_USED, scale=2**20), [3.0] * 4)]))
    assert vm_samples(one, Quantity.CACHE_RAM_USED)["A"].values.tolist() == [3 * 2**20] * 4


def test_that_the_latency_of_several_disks_is_weighted_by_their_reads(tmp_path: Path) -> None:
    columns = [
        (counter("A", Quantity.READ_LATENCY, instance="0 C:"), [0.010] * 4),
        (counter("A", Quantity.READ_LATENCY, instance="1 D:"), [0.0] * 4),
        (counter("A", Quantity.READ_IOPS, instance="0 C:"), [5.0] * 4),
        (counter("A", Quantity.READ_IOPS, instance="1 D:"), [0.0] * 4),
    ]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, columns)), Quantity.READ_LATENCY)
    assert found["A"].values == pytest.approx([0.010] * 4)


def test_that_cache_bytes_of_several_disks_are_added(tmp_path: Path) -> None:
    columns = [(counter("A", Quantity.CACHE_DISK_USED, instance=name), [5.0] * 4) for name in ("disk 0", "disk 1")]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, columns)), Quantity.CACHE_DISK_USED)
    assert found["A"].values.tolist() == [10.0] * 4


def test_that_a_gap_between_segments_is_kept(tmp_path: Path) -> None:
    first = recording(tmp_path, "a_1.csv", TIMES, [(counter("A", Quantity.IOPS), [1.0] * 4)])
    second = recording(tmp_path, "a_2.csv", [t + 600 for t in TIMES], [(counter("A", Quantity.IOPS), [1.0] * 4)])
    found = vm_samples(run(second, first), Quantity.IOPS)["A"]
    assert found.span.tolist() == [15, 15, 15, 15, 0, 15, 15, 15]
    assert (np.diff(found.end) > 0).all()


def test_that_overlapping_recordings_count_once(tmp_path: Path) -> None:
    first = recording(tmp_path, "a_1.csv", TIMES, [(counter("A", Quantity.IOPS), [1.0] * 4)])
    again = recording(tmp_path, "a_copy.csv", TIMES, [(counter("A", Quantity.IOPS), [1.0] * 4)])
    later = recording(tmp_path, "a_2.csv", [t + 30 for t in TIMES], [(counter("A", Quantity.IOPS), [1.0] * 4)])
    assert total(run(first, again, later)) == {"A": pytest.approx(90)}


def test_that_a_second_recorder_adds_no_samples_to_the_time_covered_by_the_first(tmp_path: Path) -> None:
    first = recording(tmp_path, "a_1.csv", TIMES, [(counter("A", Quantity.IOPS), [1.0] * 4)])
    second = recording(tmp_path, "a_2.csv", [t + 5 for t in TIMES], [(counter("A", Quantity.IOPS), [9.0] * 4)])
    found = vm_samples(run(first, second), Quantity.IOPS)["A"]
    assert found.values.tolist() == [1.0, 1.0, 1.0, 1.0, 9.0]
    assert found.span.tolist() == [15, 15, 15, 15, 5]


def test_that_a_recording_fills_the_gap_in_another(tmp_path: Path) -> None:
    outer = [*TIMES, *(t + 120 for t in TIMES)]
    holed = recording(tmp_path, "a_1.csv", outer, [(counter("A", Quantity.IOPS), [1.0] * 8)])
    filler = recording(
        tmp_path, "a_2.csv", [T0 + 75, T0 + 90, T0 + 105, T0 + 120], [(counter("A", Quantity.IOPS), [5.0] * 4)]
    )
    assert total(run(holed, filler)) == {"A": pytest.approx(8 * 15 + 5 * 60)}


def test_that_a_slower_recording_is_not_a_series_of_gaps(tmp_path: Path) -> None:
    fast = recording(tmp_path, "a_1.csv", [T0 + t for t in range(1, 101)], [(counter("A", Quantity.IOPS), [1.0] * 100)])
    slow = recording(
        tmp_path, "a_2.csv", [T0 + 100 + 15 * t for t in range(1, 5)], [(counter("A", Quantity.IOPS), [1.0] * 4)]
    )
    assert total(run(fast, slow)) == {"A": pytest.approx(160)}


def test_that_unsorted_rows_are_sorted_with_their_values(tmp_path: Path) -> None:
    mixed = recording(
        tmp_path,
        "a.csv",
        [TIMES[2], TIMES[0], TIMES[3], TIMES[1]],
        [(counter("A", Quantity.IOPS), [3.0, 1.0, 4.0, 2.0])],
    )
    assert vm_samples(run(mixed), Quantity.IOPS)["A"].values.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert total(run(mixed)) == {"A": pytest.approx(150)}


def test_that_a_repeated_hour_is_never_counted_twice(tmp_path: Path) -> None:
    # The clock of a lab goes back by an hour: the file repeats the same times.
    times = [T0 + 60 * t for t in range(1, 121)] + [T0 + 3600 + 60 * t for t in range(1, 121)]
    one = run(recording(tmp_path, "a.csv", times, [(counter("A", Quantity.IOPS), [2.0] * 240)]))
    assert total(one) == {"A": pytest.approx(2.0 * 3 * 3600)}


def test_that_files_with_different_offsets_are_aligned_in_utc(tmp_path: Path) -> None:
    london = recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), [1.0] * 4)], 60)
    berlin = recording(tmp_path, "b.csv", TIMES, [(counter("B", Quantity.IOPS), [1.0] * 4)], 120)
    found = vm_samples(run(london, berlin), Quantity.IOPS)
    assert found["A"].end.tolist() == found["B"].end.tolist() == TIMES


def test_that_several_quantities_together_equal_each_one_alone(tmp_path: Path) -> None:
    logged = [("A", Quantity.READ_IOPS), ("A", Quantity.WRITE_IOPS), ("B", Quantity.IOPS), ("B", Quantity.CPU)]
    columns = [(counter(vm, quantity), np.arange(4.0) + place) for place, (vm, quantity) in enumerate(logged)]
    one = run(recording(tmp_path, "a.csv", TIMES, columns))
    quantities = (Quantity.IOPS, Quantity.READ_IOPS, Quantity.CPU)
    together = samples_of(one, quantities)
    for quantity in quantities:
        alone = vm_samples(one, quantity)
        assert {vm: s.values.tolist() for vm, s in together[quantity].items()} == {
            vm: s.values.tolist() for vm, s in alone.items()
        }
    assert list(together[Quantity.IOPS]) == ["A", "B"]


def test_that_extreme_numbers_are_kept_and_infinite_ones_are_missing(tmp_path: Path) -> None:
    values = [1e308, 1e308, np.inf, 1.0]
    one = run(recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), values)]))
    found = vm_samples(one, Quantity.IOPS)["A"].values
    assert found.tolist()[:2] == [1e308, 1e308]
    assert np.isnan(found[2])


def test_that_one_bad_counter_of_a_file_loses_only_its_samples(tmp_path: Path) -> None:
    rates = {"A": [1.0, 2.0, 3.0, 4.0], "B": [1.0, -2.0, 3.0, 4.0], "C": [1.0, np.inf, np.nan, 4.0]}
    counters = [(counter(vm, Quantity.IOPS), values) for vm, values in rates.items()]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, counters)), Quantity.IOPS)
    np.testing.assert_array_equal(found["A"].values, [1, 2, 3, 4])
    np.testing.assert_array_equal(found["B"].values, [1, np.nan, 3, 4])
    np.testing.assert_array_equal(found["C"].values, [1, np.nan, np.nan, 4])
    assert [found[vm].negative for vm in "ABC"] == [0, 1, 0]


def test_that_samples_belong_to_the_named_vm_for_any_order_of_the_file(tmp_path: Path) -> None:
    names = ["W10-004", "W10-002", "W10-001", "W10-003"]
    counters = [(counter(vm, Quantity.IOPS), [float(vm[-1])] * 4) for vm in names]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, counters)), Quantity.IOPS)
    assert list(found) == sorted(names)
    assert isinstance(found, Matrix)
    assert found.table[:, 0].tolist() == [1, 2, 3, 4]
    assert all(samples.values.tolist() == [float(vm[-1])] * 4 for vm, samples in found.items())


def test_that_the_vms_of_one_file_keep_their_rows(tmp_path: Path) -> None:
    counters = [(counter(vm, Quantity.IOPS), [place] * 4) for place, vm in enumerate("ABC", start=1)]
    found = vm_samples(run(recording(tmp_path, "a.csv", TIMES, counters)), Quantity.IOPS)
    assert not isinstance(found, MutableMapping)
    assert isinstance(found, Matrix)
    for same in (found, pickle.loads(pickle.dumps(found)), copy.copy(found)):
        assert list(same) == ["A", "B", "C"]
        np.testing.assert_array_equal(np.stack([samples.values for samples in same.values()]), found.table)
