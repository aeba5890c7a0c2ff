"""Edges of detected phases in generated studies with known phases: no bias, correct uncertainty, no effect of wrong
cells."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, FloatArray, disk_csv
from tests.tools.simulations.edges import BUSY, LENGTH, NOISES, Truth, edge_cell, errors, gamma, study
from tests.tools.simulations.edges import loads as loads_of
from workbench.cli import main
from workbench.measures.phase_table import run_figures
from workbench.phases.activity import detect, detected
from workbench.phases.rules import phases_of


def loads(truth: Truth, vms: int, step: int, scatter: float, seed: int) -> list[FloatArray]:
    """Samples of each VM with noise of every five seconds."""
    return loads_of(truth, vms, step, partial(gamma, scatter), seed)


@pytest.mark.parametrize("length", [60, 240])
@pytest.mark.parametrize("step", [5, 15])
def test_that_smoothing_does_not_lengthen_phases_or_lower_iops(tmp_path: Path, step: int, length: float) -> None:
    truth = (300.0, 300.0 + length, 900.0, 1200.0)
    one = study(tmp_path, loads(truth, 5, step, 0.0, 1), step)
    boot, logon, steady = run_figures(one).phases
    assert (boot.duration_s, logon.duration_s) == pytest.approx((length, 300.0), abs=0.5)
    assert (boot.iops_per_vm, logon.iops_per_vm) == pytest.approx((BUSY, BUSY / 2), rel=0.01)
    assert steady.phase.end == T0 + LENGTH


def test_that_an_edge_within_a_sample_is_placed_by_its_share(tmp_path: Path) -> None:
    truth = (304.0, 551.0, 907.0, 1213.0)
    found = errors(detect(study(tmp_path, loads(truth, 3, 15, 0.0, 1), 15)), truth)
    assert [off for off, _ in found] == pytest.approx([0.0] * 4, abs=1.0)


@pytest.mark.parametrize(
    ("vms", "step", "scatter"), [(1, 5, 0.5), (5, 1, 1.0), (5, 5, 0.5), (5, 15, 1.0), (5, 60, 0.5)]
)
def test_that_edges_have_no_bias_and_are_within_the_stated_uncertainty(
    tmp_path: Path, vms: int, step: int, scatter: float
) -> None:
    random = np.random.default_rng(step + vms)
    found = []
    for seed in range(25):
        first = 300 + random.uniform(0, 60)
        truth = (first, first + 240, first + 600, first + 900)
        phases = detect(study(tmp_path / str(seed), loads(truth, vms, step, scatter, seed), step))
        assert [phase.name for phase in phases] == ["boot", "logon", "steady"]
        found.append(errors(phases, truth))
    longer = [(edges[1][0] - edges[0][0], edges[3][0] - edges[2][0]) for edges in found]
    covered = np.mean([abs(off) <= may for edges in found for off, may in edges])
    # Smoothing over 30 s made them longer by 15 to 25 s.
    assert np.abs(np.mean(longer, axis=0)).max() < 5
    assert covered >= 0.9


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("step", [5, 15])
def test_that_nine_of_ten_edges_of_a_single_noisy_vm_are_within_the_stated_uncertainty(step: int, noise: str) -> None:
    cell = edge_cell(25, 1, step, noise)
    assert np.mean(cell["within"]) >= 0.9 - 0.06  # 100 edges
    # A range as long as the phase would contain every edge.
    assert np.median(cell["stated"]) <= 60


@pytest.mark.parametrize(("pause", "within"), [(0, 2.5), (10, 20.0), (40, 50.0)])
def test_that_the_uncertainty_of_an_edge_is_at_least_the_longest_pause_in_the_phase(
    tmp_path: Path, pause: int, within: float
) -> None:
    (rate,) = loads((300.0, 540.0, 900.0, 1200.0), 1, 5, 0.0, 1)
    rate[80 : 80 + pause // 5] = 10.0
    boot = detect(study(tmp_path, [rate], 5))[0]
    assert (boot.start - T0, boot.end - T0) == pytest.approx((300, 540), abs=0.01)
    assert (boot.start_within_s, boot.end_within_s) == pytest.approx((within, within), abs=0.01)


def test_that_a_spike_near_a_phase_moves_no_edge_and_increases_the_uncertainty(tmp_path: Path) -> None:
    (rate,) = loads((300.0, 540.0, 900.0, 1200.0), 1, 5, 0.0, 1)
    rate[116] = 190.0  # 580 to 585 s
    boot = detect(study(tmp_path, [rate], 5))[0]
    assert (boot.end - T0, boot.start_within_s) == pytest.approx((540, 2.5), abs=0.01)
    assert 585 - 540 <= (boot.end_within_s or 0) <= 60.1


@pytest.mark.parametrize(("length", "doubtful"), [(100, False), (235, False), (245, True)])
def test_that_a_later_burst_as_large_as_boot_makes_the_phases_doubtful(
    tmp_path: Path, length: int, doubtful: bool
) -> None:
    (rate,) = loads((300.0, 540.0, 900.0, 1400.0), 1, 5, 0.0, 1)
    rate[400 : 400 + length // 5] = BUSY
    phases = detect(study(tmp_path, [rate], 5))
    edges = [edge - T0 for phase in phases[:2] for edge in (phase.start, phase.end)]
    assert edges == pytest.approx([300, 540, 900, 1400], abs=0.01)
    expected = "1 later burst has as much I/O as boot or logon; the first two are assumed to be boot and logon"
    assert {phase.doubt for phase in phases} == {expected if doubtful else ""}


@pytest.mark.parametrize("vms", [1, 5])
@pytest.mark.parametrize("step", [5, 15])
@pytest.mark.parametrize("wild", [400.0, 1e5, 1e300])
def test_that_one_wrong_cell_moves_no_edge_at_any_position(tmp_path: Path, vms: int, step: int, wild: float) -> None:
    truth = (300.0, 540.0, 900.0, 1200.0)
    rates = loads(truth, vms, step, 0.3, 7)
    calm = detect(study(tmp_path / "calm", rates, step))
    for at in (30, 240, 285, 420, 570, 630, 720, 1000, 1230, 1500, 2700, 3585):
        spoilt = [rate.copy() for rate in rates]
        spoilt[-1][at // step] = wild
        phases = detect(study(tmp_path / f"at{at}", spoilt, step))
        assert [phase.name for phase in phases] == ["boot", "logon", "steady"], at
        for phase, before in zip(phases, calm, strict=True):
            # Near an edge the cell itself may count as part of the phase.
            assert abs(phase.start - before.start) <= step + 3, (at, phase.name)
            assert abs(phase.end - before.end) <= step + 3, (at, phase.name)


def test_that_a_wrong_cell_is_reported_with_vm_and_time_and_a_normal_run_has_none(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rates = loads((300.0, 540.0, 900.0, 1200.0), 3, 5, 0.5, 3)
    assert detected(study(tmp_path / "calm", rates, 5))[1] == []
    rates[1][400] = 1e5
    _, problems = phases_of(study(tmp_path / "wild", rates, 5))
    told = next(problem for problem in problems if problem.code == "wild-cell")
    assert told.message == snapshot


def test_that_one_cell_long_after_the_work_does_not_extend_steady_state(tmp_path: Path) -> None:
    rates = loads((300.0, 540.0, 900.0, 1200.0), 1, 5, 0.3, 3)
    rates[0][500:] = 0.0
    rates[0][640] = 9.0
    assert detect(study(tmp_path, rates, 5))[-1].end == pytest.approx(T0 + 2500)


def test_that_a_boot_of_all_vms_within_one_sample_is_not_a_wrong_cell(tmp_path: Path) -> None:
    rates = loads((300.0, 360.0, 900.0, 1200.0), 5, 60, 0.3, 3)
    phases, problems = detected(study(tmp_path, rates, 60))
    assert [phase.name for phase in phases] == ["boot", "logon", "steady"]
    assert problems == []


def test_that_the_uncertainty_is_in_table_and_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    (rate,) = loads((300.0, 540.0, 900.0, 1200.0), 1, 5, 0.0, 3)
    disk_csv(tmp_path / "lab" / "run" / "W10-001.csv", "W10-001", list(rate * 0.8), list(rate * 0.2), step_s=5.0)
    assert main(["summary", str(tmp_path / "lab"), "--format", "json"]) == 0
    boot = json.loads(capsys.readouterr().out)["runs"][0]["phases"][0]
    assert (boot["start_within_s"], boot["end_within_s"]) == (2.5, 2.5)
    assert main(["summary", str(tmp_path / "lab")]) == 0
    assert "detected ±2\u2009s" in capsys.readouterr().out
