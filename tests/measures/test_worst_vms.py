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


def test_that_the_vm_with_the_highest_mean_stands_first_with_its_mean_and_peak(tmp_path: Path) -> None:
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


def test_that_missing_samples_are_not_taken_for_zero(tmp_path: Path) -> None:
    half = np.full(60, 8.0)
    half[:30] = np.nan
    assert worst(tmp_path, {"A": half, "B": np.full(60, 7.0)})[0] == VmLoad("A", 8.0, 8.0)


def test_that_vms_of_files_of_their_own_are_ranked_with_the_others(tmp_path: Path) -> None:
    files = [
        recording(tmp_path, f"{vm}.csv", TIMES[::step], [(counter(vm, Quantity.IOPS), np.full(60 // step, rate))])
        for vm, step, rate in (("A", 1, 3.0), ("B", 5, 9.0), ("C", 2, 6.0))
    ]
    (row,) = run_figures(run(*files, stated_phases=STEADY)).phases
    assert [load.vm for load in row.worst_vms] == ["B", "C", "A"]
