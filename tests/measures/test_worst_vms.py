"""The worst VMs of a phase: by mean and by peak, by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.phase_table import run_figures
from workbench.measures.worst_vms import KEPT, VmLoad
from workbench.model.metric import Quantity

TIMES = T0 + np.arange(1.0, 61.0)
STEADY = (phase("steady", 0, 60),)


def worst(folder: Path, values: dict[str, np.ndarray]) -> tuple[VmLoad, ...]:
    columns = [(counter(vm, Quantity.IOPS), column) for vm, column in values.items()]
    (row,) = run_figures(run(recording(folder, "a.csv", TIMES, columns), stated_phases=STEADY)).phases
    return row.worst_vms


def test_that_the_vm_with_the_highest_mean_is_first_with_its_mean_and_peak(tmp_path: Path) -> None:
    spiky = np.full(60, 1.0)
    spiky[30] = 500.0
    found = worst(tmp_path, {"A": np.full(60, 5.0), "B": spiky, "C": np.full(60, 50.0)})
    assert [load.vm for load in found] == ["C", "B", "A"]
    assert found[1].mean_iops == pytest.approx((59 + 500) / 60)
    assert found[1].peak_iops == 500.0


def test_that_a_vm_with_a_low_mean_and_a_high_peak_is_among_the_worst_of_many(tmp_path: Path) -> None:
    values = {f"VM-{place:03d}": np.full(60, 10.0 + place) for place in range(50)}
    values["VM-000"][3] = 90.0
    names = [load.vm for load in worst(tmp_path, values)]
    assert "VM-000" in names
    assert names[0] == "VM-049"
    assert len(names) == KEPT + 1


def test_that_missing_samples_do_not_count_as_zero(tmp_path: Path) -> None:
    half = np.full(60, 8.0)
    half[:30] = np.nan
    assert worst(tmp_path, {"A": half, "B": np.full(60, 7.0)})[0] == VmLoad(
        "A", 8.0, 8.0, 8 / 7, pytest.approx(100 / 30)
    )


def test_that_the_share_of_the_largest_sample_reveals_a_single_wrong_cell(tmp_path: Path) -> None:
    wild = np.full(60, 10.0)
    wild[20] = 5000.0
    load = next(one for one in worst(tmp_path, {"A": wild, "B": np.full(60, 10.0)}) if one.vm == "A")
    assert load.largest_share == pytest.approx(100 * 5000 / wild.sum())
    assert load.times_others == pytest.approx(wild.sum() / 600)
    assert load.times_without_largest == pytest.approx(590 / 600)


def test_that_vms_with_the_same_samples_are_compared_with_the_mean_of_the_others(tmp_path: Path) -> None:
    rates = np.random.default_rng(1).gamma(1.0, 20.0, (6, 60))
    loads = worst(tmp_path, {f"VM-{place}": row for place, row in enumerate(rates)})
    for load in loads:
        own = int(load.vm[-1])
        assert load.times_others == pytest.approx(rates[own].mean() / np.delete(rates, own, axis=0).mean())


def test_that_vms_from_separate_files_are_ranked_with_the_others(tmp_path: Path) -> None:
    files = [
        recording(tmp_path, f"{vm}.csv", TIMES[::step], [(counter(vm, Quantity.IOPS), np.full(60 // step, rate))])
        for vm, step, rate in (("A", 1, 3.0), ("B", 5, 9.0), ("C", 2, 6.0))
    ]
    (row,) = run_figures(run(*files, stated_phases=STEADY)).phases
    assert [load.vm for load in row.worst_vms] == ["B", "C", "A"]


def test_that_a_vm_measured_during_the_busy_half_is_compared_with_that_half_of_the_others(tmp_path: Path) -> None:
    busy_first = np.repeat([20.0, 4.0], 30)
    late = np.where(np.arange(60) < 30, 20.0, np.nan)
    values = {"A": busy_first, "B": busy_first, "C": busy_first, "died": late}
    loads = {load.vm: load for load in worst(tmp_path, values)}
    assert loads["died"].mean_iops == 20.0
    assert [loads[vm].times_others for vm in values] == pytest.approx([1.0, 1.0, 1.0, 1.0])


def test_that_a_vm_from_a_file_that_starts_late_is_compared_over_the_common_seconds(tmp_path: Path) -> None:
    quiet_first = np.repeat([4.0, 20.0], 30)
    early = recording(tmp_path, "a.csv", TIMES, [(counter(vm, Quantity.IOPS), quiet_first) for vm in "AB"])
    joined = recording(tmp_path, "b.csv", TIMES[30:] - 0.25, [(counter("late", Quantity.IOPS), np.full(30, 30.0))])
    (row,) = run_figures(run(early, joined, stated_phases=STEADY)).phases
    loads = {load.vm: load for load in row.worst_vms}
    # From second 29.75 to 59.75 both VMs have 0.25 s at 4 IOPS and 29.75 s at 20 IOPS.
    assert loads["late"].times_others == pytest.approx(30 * 30.0 / (0.25 * 4 + 29.75 * 20))
    # A compared with B over 60 s, and with the late VM over its 30 s.
    assert loads["A"].times_others == pytest.approx((720 + 596) / (720 + 900))


def test_that_a_single_vm_is_compared_with_no_others(tmp_path: Path) -> None:
    assert worst(tmp_path, {"A": np.full(60, 5.0)})[0].times_others is None
    silent = worst(tmp_path, {"A": np.full(60, 5.0), "B": np.zeros(60)})
    assert [load.times_others for load in silent] == [None, 0.0]


def test_that_a_wrong_sample_contributes_its_excess_over_the_mean_of_the_others(tmp_path: Path) -> None:
    wild = np.full(60, 2.0)
    wild[30] = 602.0
    found = {load.vm: load.largest_adds for load in worst(tmp_path, {"A": np.full(60, 5.0), "B": wild})}
    assert found == {"A": pytest.approx(0.0), "B": pytest.approx(600 / 60)}
