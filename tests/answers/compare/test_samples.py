"""The distribution of all samples of a configuration in a phase, compared with numpy on generated samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.compare.distribution import distribution
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY

IOPS, LATENCY = MEASURES["iops_per_vm"], MEASURES["read_latency_ms"]
SIZE = 120


def a_run(folder: Path, name: str, step: int, columns: dict[Quantity, dict[str, np.ndarray]]) -> object:
    """A run with a sample each `step` seconds from T0, steady in all of them."""
    times = T0 + step * np.arange(1, SIZE + 1)
    counters = [(counter(vm, quantity), values) for quantity, by_vm in columns.items() for vm, values in by_vm.items()]
    return run_figures(
        run(
            recording(folder, f"{name}.csv", times, counters),
            name=name,
            folder=name,
            stated_phases=(phase(STEADY, 0, step * SIZE),),
        )
    )


def group_of(*runs: object) -> Group:
    (group,) = group_runs(runs)  # type: ignore[arg-type]
    return group


def made(seed: int, vms: int = 3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {f"vm-{vm}": rng.gamma(2.0, 20.0, SIZE) for vm in range(vms)}


def test_that_percentiles_and_distribution_function_over_all_vms_and_runs_equal_those_of_numpy(tmp_path: Path) -> None:
    first, second = made(1), made(2)
    group = group_of(
        a_run(tmp_path, "r1", 5, {Quantity.IOPS: first}), a_run(tmp_path, "r2", 5, {Quantity.IOPS: second})
    )
    known = distribution(group, STEADY, IOPS)
    assert known is not None
    truth = np.concatenate([*first.values(), *second.values()])
    assert (known.samples, known.missing, [run.vms for run in known.runs]) == (2 * 3 * SIZE, 0, [3, 3])
    shares = np.linspace(0, 100, 41)
    assert [known.percentile(share) for share in shares] == pytest.approx(np.percentile(truth, shares).tolist())
    at = np.concatenate([truth[:50], [0.0, 1e6], np.linspace(0, 200, 99)])
    assert known.shares(at) == pytest.approx([100 * np.mean(truth <= x) for x in at])
    edges = np.arange(0, 401, 10.0)
    heights, _ = np.histogram(truth, edges)
    assert known.bins(edges) == pytest.approx(100 * heights / truth.size)
    assert known.above(100.0) == pytest.approx(100 * np.mean(truth > 100.0))


def test_that_a_value_on_an_edge_belongs_to_the_bin_above_and_the_last_edge_to_the_last_bin(tmp_path: Path) -> None:
    values = np.tile([0.0, 10.0, 20.0, 20.0], SIZE // 4)
    known = distribution(group_of(a_run(tmp_path, "r1", 5, {Quantity.IOPS: {"vm": values}})), STEADY, IOPS)
    assert known is not None
    assert known.bins(np.array([0.0, 10.0, 20.0])).tolist() == [25.0, 75.0]


def test_that_a_blank_sample_is_missing_not_zero_and_a_vm_without_samples_is_counted(tmp_path: Path) -> None:
    values = made(3, 2)
    values["vm-0"][10:40] = np.nan
    values["vm-1"][:] = np.nan
    known = distribution(group_of(a_run(tmp_path, "r1", 5, {Quantity.IOPS: values})), STEADY, IOPS)
    assert known is not None
    (counts,) = known.runs
    assert (known.samples, known.missing) == (SIZE - 30, SIZE + 30)
    assert (counts.vms, counts.known_vms) == (1, 2)
    assert counts.measured == pytest.approx((SIZE - 30) / (2 * SIZE))
    assert known.over_time.values.min() > 0


def test_that_latency_ignores_samples_without_io_like_the_phase_table(tmp_path: Path) -> None:
    latency, reads = made(4, 2), made(5, 2)
    latency = {vm: values / 1e4 for vm, values in latency.items()}
    for vm in latency:
        latency[vm][::4], reads[vm][::4] = 0.0, 0.0
    figures = a_run(tmp_path, "r1", 5, {Quantity.READ_LATENCY: latency, Quantity.READ_IOPS: reads})
    group = group_of(figures)
    known = distribution(group, STEADY, LATENCY)
    assert known is not None
    truth = 1e3 * np.concatenate([values[reads[vm] > 0] for vm, values in latency.items()])
    assert (known.samples, known.without_io, known.missing) == (truth.size, 2 * SIZE // 4, 0)
    assert known.over_time.values == pytest.approx(np.sort(truth))
    assert known.percentile(95) == pytest.approx(group.mean(STEADY, "read_latency_p95_ms"))


def test_that_samples_are_weighted_by_their_interval(tmp_path: Path) -> None:
    fine, coarse = np.full(SIZE, 10.0), np.full(SIZE, 50.0)
    group = group_of(
        a_run(tmp_path, "r1", 5, {Quantity.IOPS: {"vm": fine}}),
        a_run(tmp_path, "r2", 15, {Quantity.IOPS: {"vm": coarse}}),
    )
    known = distribution(group, STEADY, IOPS)
    assert known is not None
    assert known.samples == 2 * SIZE
    assert known.shares(np.array([10.0])).tolist() == [25.0]


def test_that_a_run_without_the_metric_is_named_and_runs_without_it_give_no_distribution(tmp_path: Path) -> None:
    latency = {"vm": np.full(SIZE, 0.01)}
    with_both = a_run(tmp_path, "r1", 5, {Quantity.IOPS: {"vm": np.full(SIZE, 9.0)}, Quantity.READ_LATENCY: latency})
    without = a_run(tmp_path, "r2", 5, {Quantity.IOPS: {"vm": np.full(SIZE, 8.0)}})
    group = group_of(with_both, without)
    known = distribution(group, STEADY, LATENCY)
    assert known is not None
    assert known.without == ("r2",)
    assert distribution(group, "boot", IOPS) is None
    assert distribution(group_of(without), STEADY, LATENCY) is None
