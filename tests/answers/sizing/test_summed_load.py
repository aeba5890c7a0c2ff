"""The load of all VMs together: its percentile, correlation and reads compared with numpy, scaled to more VMs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from tests.tools.simulations.held_out import expected
from workbench.answers.sizing.compute import Plan, plan
from workbench.answers.sizing.constants import own_values
from workbench.answers.sizing.measured import correlation, summed_load
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.metric import Quantity

COUNT = 240
AT = T0 + 15.0 * np.arange(COUNT + 1)


def study(folder: Path, reads: np.ndarray, writes: np.ndarray, name: str = "run-1") -> RunFigures:
    """One file for each VM (a row); the clocks of the files differ by fractions of a second."""
    folder.mkdir(exist_ok=True)
    files = []
    for place, (read, written) in enumerate(zip(reads, writes, strict=True)):
        columns = [
            (counter(f"W10-{place}", quantity), np.concatenate([[np.nan], values]))
            for quantity, values in ((Quantity.READ_IOPS, read), (Quantity.WRITE_IOPS, written))
        ]
        files.append(recording(folder, f"{place}.csv", AT + 0.1 * place, columns))
    facts = {"stated_phases": (phase("steady", 0, 15 * COUNT),), "name": name, "folder": str(folder)}
    return run_figures(run(*files, vms=len(reads), **facts))


def loads(vms: int, common: float, seed: int, count: int = COUNT) -> np.ndarray:
    """Rates of VMs that share a part of their variation."""
    rng = np.random.default_rng(seed)
    shared, own = rng.normal(size=count), rng.normal(size=(vms, count))
    return 20 * np.exp(0.5 * (np.sqrt(common) * shared + np.sqrt(1 - common) * own))


def test_that_the_summed_load_equals_that_of_numpy(tmp_path: Path) -> None:
    every = loads(6, 0.3, 1)
    share = np.linspace(0.2, 0.8, COUNT)
    found = summed_load(study(tmp_path, every * share, every * (1 - share)), "steady", 95.0)
    assert found is not None
    summed = every.sum(axis=0)
    assert found.vms == 6
    assert found.percentile == pytest.approx(np.percentile(summed, 95) / 6)
    busiest = summed >= np.percentile(summed, 95)
    assert found.busy_read_percent == pytest.approx(100 * (summed * share)[busiest].sum() / summed[busiest].sum())
    covariance = np.cov(every, ddof=0)
    pairs = covariance[~np.eye(6, dtype=bool)].mean()
    assert found.correlation == pytest.approx(pairs / np.diag(covariance).mean())


def test_that_a_missing_vm_does_not_count_as_zero_load(tmp_path: Path) -> None:
    every = loads(3, 0.3, 2)
    every[1, 100:160] = np.nan
    found = summed_load(study(tmp_path, every / 2, every / 2), "steady", 95.0)
    assert found is not None
    known = np.delete(every, np.s_[100:160], axis=1)
    assert found.percentile == pytest.approx(np.percentile(known.sum(axis=0), 95) / 3)


def test_that_one_vm_has_no_correlation_and_no_summed_percentile_for_several_vms(tmp_path: Path) -> None:
    every = loads(1, 0.0, 3)
    made = planned([study(tmp_path, every / 2, every / 2)])
    assert made.givens["correlation"].value is None
    assert made.result("iops_summed") is None
    assert made.step("iops_summed").missing == ("correlation",)
    assert made.result("iops_all_at_once") is not None


def test_that_a_negative_correlation_counts_as_independent() -> None:
    up = np.arange(50.0)
    assert correlation(np.stack([up, -up])) == 0.0
    assert correlation(np.stack([up, up])) == pytest.approx(1.0)
    assert correlation(np.full((3, 50), 7.0)) is None


def planned(runs: list[RunFigures], **own: float | str) -> Plan:
    return plan(group_of(runs), own_values({"storms": "none", **own}))


def group_of(runs: list[RunFigures]) -> Group:
    return group_runs(runs)[0]


def test_that_the_three_methods_equal_hand_calculations_and_all_at_once_is_the_default(tmp_path: Path) -> None:
    every = loads(4, 0.2, 4)
    made = planned([study(tmp_path, every / 4, every * 3 / 4)], desktops=100)
    mean, own, top = every.mean(), np.percentile(every, 95), np.percentile(every.mean(axis=0), 95)
    r = correlation(every)
    assert r is not None
    scale = np.sqrt(((1 + 99 * r) / 100) / ((1 + 3 * r) / 4))
    assert made.result("iops_mean") == pytest.approx(100 * mean, rel=1e-3)
    assert made.result("iops_summed") == pytest.approx(100 * (mean + (top - mean) * scale), rel=1e-3)
    assert made.result("iops_all_at_once") == pytest.approx(100 * own, rel=1e-3)
    assert made.result("iops_steady") == made.result("iops_all_at_once")
    summed = planned([study(tmp_path, every / 4, every * 3 / 4)], desktops=100, iops_figure="summed")
    assert summed.result("iops_steady") == summed.result("iops_summed") == made.result("iops_summed")
    ours = planned([study(tmp_path, every / 4, every * 3 / 4)], desktops=100, iops_figure="summed", iops_per_vm=9)
    assert ours.result("iops_steady") == 900


@pytest.mark.parametrize("common", [0.0, 0.2, 0.8])
def test_that_half_of_the_vms_predict_the_sum_of_all(common: float) -> None:
    # Drawn from one population: for any shared part the correction must be accurate, and "all at once" is not.
    errors, at_once = [], []
    for seed in range(20):
        every = loads(60, common, 100 + seed, 500)
        truth = np.percentile(every.sum(axis=0), 95)
        errors.append(expected(every[:30], 60) / truth - 1)
        at_once.append(60 * np.percentile(every[:30], 95) / truth - 1)
    assert abs(np.mean(errors)) < 0.03
    assert np.abs(errors).max() < 0.08
    assert np.mean(at_once) > 2 * np.abs(errors).mean()


def test_that_the_interval_of_disks_equals_the_hand_calculation_over_runs(tmp_path: Path) -> None:
    runs = [study(tmp_path / str(at), *(2 * [loads(4, 0.2, 7) * (10 + at)]), name=f"r{at}") for at in range(3)]
    made = planned(runs, desktops=100, raid="none")
    p95 = [np.percentile(loads(4, 0.2, 7) * 2 * (10 + at), 95) for at in range(3)]
    disks = 100 * np.array(p95) / 140
    reach = 4.302652729911275 * disks.std(ddof=1) / np.sqrt(3)
    step = made.step("disks_by_iops")
    assert step.between is not None
    assert (step.between.low, step.between.high) == (np.ceil(disks.mean() - reach), np.ceil(disks.mean() + reach))
    assert made.step("disks").between == step.between
    hosts = made.step("hosts").between
    assert hosts is not None
    assert hosts.low == hosts.high == made.result("hosts")


def test_that_the_interval_is_around_the_value_of_the_plan(tmp_path: Path) -> None:
    # Reads and IOPS vary together, so the mean of the plans of single runs differs from the plan of the means.
    same = loads(4, 0.2, 7)
    runs = [study(tmp_path / str(at), same * at**2, same * (4 - at), name=f"r{at}") for at in (1, 2, 3)]
    step = planned(runs, desktops=100).step("disk_iops_steady")
    assert step.between is not None
    assert step.between.low is not None
    assert step.between.high is not None
    assert (step.between.low + step.between.high) / 2 == pytest.approx(step.value)
    p95 = [np.percentile(same * (at**2 + 4 - at), 95) for at in (1, 2, 3)]
    reads = [at**2 / (at**2 + 4 - at) for at in (1, 2, 3)]
    alone = np.array([100 * iops * (2 - read) for iops, read in zip(p95, reads, strict=True)])
    assert alone.mean() != pytest.approx(step.value, rel=0.01)
    reach = 4.302652729911275 * alone.std(ddof=1) / np.sqrt(3)
    assert step.between.high == pytest.approx((step.value or 0) + reach)


def test_that_two_runs_have_a_range_and_one_has_no_interval(tmp_path: Path) -> None:
    runs = [study(tmp_path / str(at), *(2 * [loads(4, 0.2, 7) * (10 + at)]), name=f"r{at}") for at in range(2)]
    step = planned(runs, desktops=100, raid="none").step("iops_steady")
    assert step.between is not None
    p95 = [100 * np.percentile(loads(4, 0.2, 7) * 2 * (10 + at), 95) for at in range(2)]
    assert (step.between.low, step.between.high) == (pytest.approx(p95[0]), pytest.approx(p95[1]))
    assert step.between.basis == "range"
    assert planned(runs[:1], desktops=100).step("disks").between is None


def test_that_a_run_without_a_measured_input_is_not_in_the_interval(tmp_path: Path) -> None:
    same = loads(4, 0.2, 7)
    runs = [study(tmp_path / str(at), same * (at + 1), same, name=f"r{at}") for at in range(2)]
    missing = np.full_like(same, np.nan)
    runs.append(study(tmp_path / "2", missing, same, name="r2"))
    step = planned(runs, desktops=100).step("disk_iops_steady")
    assert step.between is not None
    assert step.between.n == 2
