"""The same I/O from the guest, the host and the array, by tier: figures computed by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.measures import vantage
from workbench.measures.phase_table import run_figures
from workbench.measures.vantage import TierFigures, tiers_of
from workbench.model.metric import Metric, Quantity, Tier, Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Configuration, Provisioning, Run

TIMES = T0 + np.arange(1.0, 61.0)
STEADY = (phase("steady", 0, 60),)
MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
PVS = Configuration("PVS 256 MB", Provisioning.PVS, "device-ram-overflow", 256)
OTHER = Configuration("lab", Provisioning.OTHER)


def file(folder: Path, name: str, *columns: tuple[Series, float]) -> Recording:
    return recording(folder, name, TIMES, [(series, np.full(60, rate)) for series, rate in columns])


def disk(vm: str, rate: float, instance: str = "_Total", quantity: Quantity = Quantity.IOPS) -> tuple[Series, float]:
    return counter(vm, quantity, instance=instance), rate


def on_host(vm: str, rate: float) -> tuple[Series, float]:
    series = counter(vm, Quantity.IOPS, object="Virtual Disk", instance=vm, vantage=Vantage.HOST, host="ESX1")
    return series, rate


def lun(name: str, rate: float, tier: Tier | None = None) -> tuple[Series, float]:
    metric = Metric(Quantity.IOPS, Vantage.ARRAY, tier)
    return Series(0, f"{name} IOPS", "VNX", "LUN", name, "IOPS", None, metric), rate


def rows(one: Run, name: str = "steady") -> dict[tuple[Vantage, Tier | None], TierFigures]:
    return {(row.vantage, row.tier): row for row in tiers_of(run_figures(one))[name]}


def test_that_a_host_with_a_tenth_more_io_than_its_guests_differs_by_ten_percent(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("W10-A", 10.0), disk("W10-B", 20.0))
    host = file(tmp_path, "host.csv", on_host("w10-a", 11.0), on_host("W10-B", 22.0))
    found = rows(run(guest, host, stated_phases=STEADY, configuration=OTHER))
    assert found[Vantage.GUEST, None].iops == pytest.approx(30.0)
    assert found[Vantage.GUEST, None].difference_percent is None
    ours = found[Vantage.HOST, None]
    assert ours.iops == pytest.approx(33.0)
    assert ours.difference_percent == pytest.approx(10.0)
    assert ours.compared_with == "guest, all tiers"
    assert ours.compared_machines == 2


def test_that_machines_visible_only_to_the_host_are_excluded_from_the_difference(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 10.0))
    host = file(tmp_path, "host.csv", on_host("A", 9.0), on_host("file-server", 500.0))
    ours = rows(run(guest, host, stated_phases=STEADY, configuration=OTHER))[Vantage.HOST, None]
    assert ours.iops == pytest.approx(509.0)
    assert ours.difference_percent == pytest.approx(-10.0)
    assert ours.compared_machines == 1


def test_that_the_luns_of_an_array_are_compared_with_the_total_of_the_guests(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 10.0), disk("B", 20.0))
    array = file(tmp_path, "array.csv", lun("LUN 1", 12.0), lun("LUN 2", 24.0))
    found = rows(run(guest, array, stated_phases=STEADY, configuration=OTHER))
    ours = found[Vantage.ARRAY, None]
    assert ours.iops == pytest.approx(36.0)
    assert ours.difference_percent == pytest.approx(20.0)
    assert ours.compared_machines is None


def test_that_mcsio_writes_to_two_tiers_and_the_array_is_compared_with_shared_storage(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 100.0), disk("A", 25.0, "0 C:"), disk("A", 75.0, "1 D:"))
    array = file(tmp_path, "array.csv", lun("LUN 1", 30.0))
    found = rows(run(guest, array, stated_phases=STEADY, configuration=MCSIO))
    shared, cache = found[Vantage.GUEST, Tier.SHARED], found[Vantage.GUEST, Tier.CACHE_DISK]
    assert shared.iops == pytest.approx(25.0)
    assert cache.iops == pytest.approx(75.0)
    assert shared.basis == cache.basis == "assumed"
    assert "C:" in shared.rule
    ours = found[Vantage.ARRAY, None]
    assert ours.difference_percent == pytest.approx(20.0)
    assert ours.compared_with == "guest, shared"


def test_that_single_disks_without_a_total_are_summed(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 25.0, "0 C:"), disk("A", 75.0, "1 D:"))
    found = rows(run(guest, stated_phases=STEADY, configuration=MCSIO))
    assert found[Vantage.GUEST, None].iops == pytest.approx(100.0)
    assert found[Vantage.GUEST, Tier.SHARED].iops == pytest.approx(25.0)


@pytest.mark.parametrize(("kind", "shared"), [(Provisioning.PVS, True), (Provisioning.MCS, False)])
def test_that_a_cache_of_unknown_size_still_has_tiers(tmp_path: Path, kind: Provisioning, shared: bool) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 100.0), disk("A", 25.0, "0 C:"), disk("A", 75.0, "1 D:"))
    made = Configuration("lab", kind, "device-disk")
    found = rows(run(guest, stated_phases=STEADY, configuration=made))
    assert found[Vantage.GUEST, None].iops == pytest.approx(100.0)
    assert ((Vantage.GUEST, Tier.CACHE_DISK) in found) is shared


def test_that_a_counter_that_names_its_tier_overrides_the_rule(tmp_path: Path) -> None:
    named = Series(
        0, "p", "A", "Citrix MCS Storage Driver", "", "reads", "A", Metric(Quantity.IOPS, Vantage.GUEST, Tier.SHARED)
    )
    guest = file(tmp_path, "guest.csv", disk("A", 100.0), disk("A", 25.0, "0 C:"), (named, 24.0))
    shared = rows(run(guest, stated_phases=STEADY, configuration=MCSIO))[Vantage.GUEST, Tier.SHARED]
    assert shared.iops == pytest.approx(24.0)
    assert shared.basis == "measured"


def test_that_the_measured_share_is_that_of_machine_seconds(tmp_path: Path) -> None:
    whole, half = np.full(60, 10.0), np.where(np.arange(60) < 30, 10.0, np.nan)
    columns = [(disk("A", 0)[0], whole), (disk("B", 0)[0], half), (disk("C", 0)[0], half)]
    guest = recording(tmp_path, "guest.csv", TIMES, columns)
    steady = rows(run(guest, stated_phases=STEADY, configuration=OTHER))[Vantage.GUEST, None]
    assert steady.measured_percent == pytest.approx(100 * (60 + 30 + 30) / (3 * 60))
    host = file(tmp_path, "host.csv", on_host("A", 10.0))
    both = rows(run(guest, host, stated_phases=(phase("steady", 0, 240),), configuration=OTHER))
    longer = both[Vantage.GUEST, None]
    assert both[Vantage.HOST, None].measured_percent == pytest.approx(100 * 60 / 240)
    assert longer.measured_percent == pytest.approx(100 * (60 + 30 + 30) / (3 * 240))


def test_that_bytes_per_second_are_shown_in_decimal_megabytes(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 10.0), disk("A", 2.5e6, quantity=Quantity.READ_THROUGHPUT))
    row = rows(run(guest, stated_phases=STEADY, configuration=OTHER))[Vantage.GUEST, None]
    assert row.read_mb_per_s == pytest.approx(2.5)
    assert row.write_mb_per_s is None


def test_that_io_absorbed_by_a_ram_cache_is_unmeasured_and_never_zero(tmp_path: Path) -> None:
    ram = rows(run(file(tmp_path, "g.csv", disk("A", 10.0)), stated_phases=STEADY, configuration=MCSIO))[
        Vantage.GUEST, Tier.RAM
    ]
    assert ram.iops is None
    assert ram.read_iops is None
    assert ram.write_iops is None
    assert ram.machines == 0
    assert ram.basis == "not measured"


def test_that_the_streamed_disk_of_pvs_is_not_shared_storage(tmp_path: Path) -> None:
    guest = file(tmp_path, "guest.csv", disk("A", 12.0), disk("A", 5.0, "0 C:"), disk("A", 7.0, "1 D:"))
    found = rows(run(guest, stated_phases=STEADY, configuration=PVS))
    assert found[Vantage.GUEST, Tier.CACHE_DISK].iops == pytest.approx(7.0)
    assert (Vantage.GUEST, Tier.SHARED) not in found


def test_that_an_array_with_tiers_only_has_their_sum(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    array = file(tmp_path, "array.csv", lun("cache", 40.0, Tier.RAM), lun("disks", 60.0, Tier.SHARED))
    found = rows(run(array, vms=5, stated_phases=STEADY, configuration=OTHER))
    assert found[Vantage.ARRAY, Tier.RAM].iops == pytest.approx(40.0)
    assert found[Vantage.ARRAY, None].iops == pytest.approx(100.0)
    assert found[Vantage.ARRAY, None].rule == snapshot


def test_that_idle_guests_have_no_percentage(tmp_path: Path) -> None:
    guest, host = file(tmp_path, "g.csv", disk("A", 0.0)), file(tmp_path, "h.csv", on_host("A", 3.0))
    ours = rows(run(guest, host, stated_phases=STEADY, configuration=OTHER))[Vantage.HOST, None]
    assert ours.iops == pytest.approx(3.0)
    assert ours.difference_percent is None


def test_that_a_phase_without_samples_has_no_rows_and_others_have(tmp_path: Path) -> None:
    phases = (*STEADY, phase("patch", 5_000, 6_000))
    one = run(
        file(tmp_path, "g.csv", disk("A", 10.0), disk("A", 4.0, "0 C:")), stated_phases=phases, configuration=MCSIO
    )
    assert rows(one, "patch") == {}
    assert rows(one)[Vantage.GUEST, Tier.SHARED].iops == pytest.approx(4.0)


def test_that_a_single_vantage_without_tiers_equals_the_phase_table_and_reads_no_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = run_figures(run(file(tmp_path, "g.csv", disk("A", 10.0)), stated_phases=STEADY, configuration=OTHER))
    monkeypatch.delattr(vantage, "samples_of")
    (row,) = tiers_of(figures)["steady"]
    assert row.iops == pytest.approx(10.0)
    assert row.vantage == Vantage.GUEST
    assert row.tier is None


@pytest.mark.parametrize("quantities", [(Quantity.IOPS,), (Quantity.READ_IOPS, Quantity.WRITE_IOPS)])
def test_that_a_single_vantage_has_equal_figures_from_phase_table_and_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quantities: tuple[Quantity, ...]
) -> None:
    dice = np.random.default_rng(5)
    columns = [
        (counter(f"W10-{vm}", quantity), np.where(dice.random(60) < 0.1 * vm, np.nan, dice.exponential(9.0, 60)))
        for vm in range(4)
        for quantity in quantities
    ]
    figures = run_figures(run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY, configuration=MCSIO))
    with monkeypatch.context() as patch:
        patch.setattr(vantage, "samples_of", lambda *_: pytest.fail("samples were read again"))
        patch.setattr(vantage, "_tiers", lambda *_: [])
        by_table = tiers_of(figures)
    monkeypatch.setattr(vantage, "_whole_by_table", lambda _: None)
    by_samples = tiers_of(replace(figures, problems=()))
    assert by_table == by_samples
    assert by_table["steady"][0].iops is not None
