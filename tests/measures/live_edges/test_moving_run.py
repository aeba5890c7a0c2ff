"""Figures while an edge moves, compared with the phase table of the same run with the same phases."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, FloatArray, counter, phase, recording, run
from workbench.measures.live_edges import MovingRun, upper
from workbench.measures.phase_table import PhaseFigures, run_figures
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.metric import Quantity
from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.study.overrides import edited
from workbench.study.series.vm_series import vm_samples

RATES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)
KEYS = ("iops_per_vm", "read_iops_per_vm", "read_percent", "p95_iops_per_vm", "cpu_percent", "read_latency_ms")


def made(folder: Path, seed: int, kind: str) -> Run:
    """Four VMs over an hour and a half: `together`: in one file. `apart`: in separate files with different times.
    `restarts`: with an unrecorded range and blanks. `mixed`: one collector has a sixth of the samples."""
    random = np.random.default_rng(seed)

    def columns(name: str, count: int) -> list[tuple[object, FloatArray]]:
        level = np.where(np.arange(count) < count / 4, 60.0, 12.0)
        shown = [(counter(name, half), random.gamma(2.0, level)) for half in RATES]
        shown.append((counter(name, Quantity.CPU), random.uniform(5.0, 60.0, count)))
        shown.append((counter(name, Quantity.READ_LATENCY), random.gamma(2.0, 0.002, count)))
        if kind == "restarts":
            for _, values in shown:
                for start in random.integers(0, count, 6):
                    values[start : start + int(random.integers(1, 40))] = math.nan
        return shown

    def file(name: str, vms: tuple[str, ...], step: float) -> Recording:
        times = T0 + step * np.arange(1, int(5400 / step)) + random.uniform(0.0, 0.4)
        if kind == "restarts":
            times[times.size // 2 :] += 700.0
        return recording(folder, name, times, [c for vm in vms for c in columns(vm, times.size)])  # type: ignore[misc]

    vms = ("VM-1", "VM-2", "VM-3", "VM-4")
    files = (
        (file("all.csv", vms, 5.0),)
        if kind == "together" or kind == "restarts"
        else tuple(
            file(f"{vm}.csv", (vm,), 30.0 if kind == "mixed" and index == 3 else 5.0) for index, vm in enumerate(vms)
        )
    )
    return run(*files, stated_phases=(phase("boot", 0, 900), phase("logon", 900, 1800), phase("steady", 1800, 5300)))


def shown(row: PhaseFigures | None) -> dict[str, object]:
    assert row is not None
    numbers = {key: getattr(row, key) for key in (*KEYS, "vms", "users", "measured_percent")}
    gaps = {extent.quantity: dict(extent.gaps) for extent in row.extents}
    return {**numbers, "gaps": gaps.get(Quantity.IOPS), "lower": row.lower_bound, "side": (row.side, row.vantage)}


@pytest.mark.parametrize("kind", ["together", "apart", "restarts", "mixed"])
@pytest.mark.parametrize("seed", range(3))
def test_that_figures_of_moved_phases_equal_those_of_the_phase_table(tmp_path: Path, kind: str, seed: int) -> None:
    read = made(tmp_path, seed, kind)
    moving = MovingRun(run_figures(read), KEYS)
    random = np.random.default_rng(seed)
    for _ in range(8):
        name = str(random.choice(["boot", "logon", "steady"]))
        start, end = sorted(random.uniform(0.0, 6200.0, 2))
        edits = RunEdits(read.folder, phases=(PhaseEdit(name, T0 + start, T0 + end + 1.0),))
        now = edited(read, edits)
        live, exact = moving.figures(now), run_figures(now)
        assert [row.phase for row in live.phases] == [row.phase for row in exact.phases]
        ours, theirs = shown(live.phase(name)), shown(exact.phase(name))
        assert {key: value for key, value in ours.items() if isinstance(value, float)} == pytest.approx(
            {key: value for key, value in theirs.items() if isinstance(value, float)}, rel=1e-9
        )
        assert ours["gaps"] == pytest.approx(theirs["gaps"], rel=1e-6, abs=1e-4)
        assert (ours["vms"], ours["lower"], ours["side"]) == (theirs["vms"], theirs["lower"], theirs["side"])
        steady, expected = (figures.phase("steady") for figures in (live, exact))
        assert steady is not None
        assert expected is not None
        assert (steady.steadiness is None) == (expected.steadiness is None)
        if steady.steadiness is not None and expected.steadiness is not None:
            assert steady.steadiness.cause == expected.steadiness.cause
            assert steady.steadiness.drift == pytest.approx(expected.steadiness.drift, rel=1e-6, abs=1e-9)


def test_that_a_phase_without_samples_is_missing_not_zero(tmp_path: Path) -> None:
    read = made(tmp_path, 1, "together")
    moving = MovingRun(run_figures(read), KEYS)
    row = moving.figures(
        edited(read, RunEdits(read.folder, phases=(PhaseEdit("steady", T0 + 9000, T0 + 9600),)))
    ).phase("steady")
    assert row is not None
    assert (row.iops_per_vm, row.p95_iops_per_vm, row.measured_percent) == (None, None, None)


def test_that_figures_that_were_not_requested_are_unavailable_and_not_the_old_ones(tmp_path: Path) -> None:
    read = made(tmp_path, 1, "together")
    before = run_figures(read)
    row = MovingRun(before, ("iops_per_vm",)).figures(
        edited(read, RunEdits(read.folder, phases=(PhaseEdit("steady", T0 + 2000, T0 + 5300),)))
    )
    steady, was = row.phase("steady"), before.phase("steady")
    assert steady is not None
    assert was is not None
    assert was.peak_iops_per_vm is not None
    assert steady.peak_iops_per_vm is None
    assert steady.worst_vms == ()
    assert row.phase("boot") == before.phase("boot")


@pytest.mark.parametrize("kind", ["together", "restarts"])
def test_that_a_percentile_from_the_upper_samples_equals_that_of_numpy(tmp_path: Path, kind: str) -> None:
    by_vm = vm_samples(made(tmp_path, 2, kind), Quantity.IOPS)
    every = np.concatenate([samples.values[~np.isnan(samples.values)] for samples in by_vm.values()])
    known = upper(by_vm, float(np.percentile(every, 80)))
    inside = []
    start, end = T0 + 1000.0, T0 + 4001.0
    for samples in by_vm.values():
        middles = samples.end - samples.span / 2
        some = (middles >= start) & (middles <= end) & (samples.span > 0) & ~np.isnan(samples.values)
        inside.append(samples.values[some])
    assert known.percentile(start, end, 95) == pytest.approx(float(np.percentile(np.concatenate(inside), 95)))
    assert known.percentile(start, end, 40) is None
    assert known.percentile(T0 + 50_000, T0 + 60_000, 95) is None
