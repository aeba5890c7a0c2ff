"""Edits of run properties by the user."""

from __future__ import annotations

from pathlib import Path

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.phase_table import run_figures
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.metric import Quantity, Side
from workbench.model.run import Configuration, Provisioning, Run
from workbench.study.overrides import EDITED, edited


def measured(folder: Path) -> Run:
    """100 s of 10 reads and 20 writes a second, with boot and steady state stated."""
    times = [T0 + 10.0 * (place + 1) for place in range(10)]
    reads, writes = counter("A", Quantity.READ_IOPS), counter("A", Quantity.WRITE_IOPS)
    rows = recording(folder, "a.csv", times, [(reads, [10.0] * 10), (writes, [20.0] * 10)])
    return run(
        rows,
        stated_phases=(phase("boot", 0, 50), phase("steady", 50, 100)),
        configuration=Configuration("MCS", Provisioning.MCS, None, 256),
    )


def test_that_edges_set_by_hand_change_the_figures_and_are_reported(tmp_path: Path) -> None:
    one = measured(tmp_path)
    found = run_figures(edited(one, RunEdits(one.folder, phases=(PhaseEdit("boot", T0, T0 + 80),))))
    boot, steady = found.phase("boot"), found.phase("steady")
    assert boot is not None
    assert steady is not None
    assert (boot.total_io, boot.phase.evidence) == (80 * 30.0, EDITED)
    assert (steady.total_io, steady.phase.evidence) == (50 * 30.0, "run.toml")


def test_that_the_side_of_guest_counters_can_be_set_and_saved_and_undone() -> None:
    one = run(guest_counters=Side.BELOW)
    assert edited(one, RunEdits(one.folder, guest_counters="above-cache")).guest_counters is Side.ABOVE
    assert edited(one, RunEdits(one.folder)).guest_counters is Side.BELOW
    assert edited(one, RunEdits(one.folder, guest_counters="")).guest_counters is None


def test_that_edited_properties_are_replaced_and_others_stay() -> None:
    one = run(configuration=Configuration("MCSIO 256 MB", Provisioning.MCSIO, "device-ram-overflow", 256))
    found = edited(one, RunEdits(one.folder, configuration="MCSIO", ram_cache_mb=512)).configuration
    assert found == Configuration("MCSIO", Provisioning.MCSIO, "device-ram-overflow", 512)
    without = edited(one, RunEdits(one.folder, ram_cache_mb=-1)).configuration
    assert without.ram_cache_mb is None


def test_that_a_run_excluded_by_its_manifest_can_be_included() -> None:
    one = run(excluded="vCenter failed over")
    assert edited(one, RunEdits(one.folder)).excluded == "vCenter failed over"
    assert edited(one, RunEdits(one.folder, excluded="")).excluded is None
