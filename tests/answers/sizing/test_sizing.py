"""The capacity plan compared with the published 500-desktop example, and its rules on measured figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.sizing.compute import Plan, drive_equivalents, plan, plans, remarks_of
from workbench.answers.sizing.constants import SizingError, constants, own_values
from workbench.answers.sizing.document import RESULTS
from workbench.answers.sizing.steps import RULES
from workbench.answers.sizing.tables import disks_text
from workbench.measures.configurations import Group, group_runs
from workbench.measures.formulas import as_excel, keys
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, SessionType
from workbench.words.numbers import THIN

# The inputs of the example: no RAID penalty for writes, and two copies of the data.
EXAMPLE = {
    "desktops": 500,
    "iops_per_vm": 30,
    "io_size_kib": 64,
    "write_penalty": 1,
    "capacity_factor": 2,
    "disk_iops": 140,
    "disk_gb": 900,
    "vm_disk_gb": 50,
    "disks_per_enclosure": 60,
    "vm_ram_gib": 2,
    "host_ram_gib": 128,
    "host_reserve_gib": 28,
    "vm_vcpus": 1,
    "host_cores": 16,
    "spare_hosts": 1,
    "network_port": "10Gb Ethernet",
    "hba_port": "6Gb SAS x4",
    "spare_ports": 1,
}


def planned(group: Group | None = None, own: Mapping[str, Any] | None = None, name: str = "steady") -> Plan:
    return plan(group, own_values(own or {}), name)


@pytest.fixture(scope="module")
def example() -> Plan:
    return planned(own=EXAMPLE)


@pytest.mark.parametrize(
    ("key", "value", "rounded"),
    [
        ("disks_by_iops", 30 * 500 / 140, 108),
        ("disks_by_capacity", 50 * 2 * 500 / 900, 56),
        ("enclosures", 108 / 60, 2),
        ("vms_per_host_full", 64.0, 64),
        ("vms_per_host", 50.0, 50),
        ("hosts_by_ram", 10.0, 10),
        ("network_ports", 500 * 30 * 64 * 1024 / 1.1e9, 1),
    ],
)
def test_that_the_published_example_is_reproduced_unrounded_and_rounded(
    example: Plan, key: str, value: float, rounded: float
) -> None:
    assert example.step(key).value == pytest.approx(value, rel=1e-12)
    assert example.step(key).rounded == rounded


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("disks_by_iops", "107.1"),
        ("disks_by_capacity", "55.6"),
        ("throughput_mib_per_s", "937.5"),
        ("vcpu_ratio", "3.1"),
        ("hosts_with_spare", "11.0"),
        ("network_ports_with_spare", "2.0"),
        ("disks", "108.0"),
        ("hba_ports_with_spare", "2.0"),
    ],
)
def test_that_the_published_numbers_are_reproduced(example: Plan, key: str, shown: str) -> None:
    value = example.step(key).value
    assert value is not None
    assert f"{value:.1f}" == shown


def test_that_the_bottlenecks_of_the_example_are_named(example: Plan) -> None:
    names = {key: step.bound for key in ("disks", "hosts", "path_share") if (step := example.decider(key))}
    assert names == {"disks": "disk IOPS", "hosts": "host RAM", "path_share": "the network port"}


def test_that_the_slower_sas_port_is_sufficient_in_the_example(example: Plan) -> None:
    slower = planned(own=EXAMPLE | {"hba_port": "3Gb SAS x4"})
    assert slower.result("hba_ports") == 1
    assert slower.step("hba_share").value == 2 * (example.step("hba_share").value or 0)


def test_that_a_slow_bus_slot_becomes_the_bottleneck() -> None:
    slow = planned(own=EXAMPLE | {"bus_mb_per_s": 500})
    decider = slow.decider("path_share")
    assert decider is not None
    assert decider.bound == "the PCIe slot"
    assert slow.result("bus_slots") == 2


def test_that_drive_equivalents_equal_the_published_ones() -> None:
    found = [drive_equivalents(iops) for iops in (19_000, 24_000, 5_000, 6_500)]
    assert [f"{value:.1f}" for value in found] == ["105.6", "133.3", "27.8", "36.1"]
    in_plan = [planned(own={"desktops": 1, "iops_per_vm": iops}).step("drive_equivalents") for iops in (19_000, 6_500)]
    assert [(f"{step.value:.1f}", step.rounded) for step in in_plan] == [("105.6", 106), ("36.1", 37)]
    with pytest.raises(SizingError):
        drive_equivalents(100, 0)


@pytest.mark.parametrize(
    ("raid", "disk_ios", "factor"),
    [
        ("none", 1000.0, 1),
        ("RAID 10 (mirror)", 1600.0, 2),
        ("RAID 5 (4+1)", 2800.0, 1.25),
        ("RAID 6 (8+2)", 4000.0, 1.25),
    ],
)
def test_that_writes_are_multiplied_by_the_raid_penalty(raid: str, disk_ios: float, factor: float) -> None:
    found = planned(own={"desktops": 100, "iops_per_vm": 10, "read_percent": 40, "raid": raid})
    assert found.result("disk_iops_total") == pytest.approx(disk_ios)
    assert found.result("iops_total") == 1000.0
    assert found.step("disks_by_capacity").value == pytest.approx(100 * 50 * factor / 900)


def test_that_growth_is_applied_first() -> None:
    found = planned(own={"desktops": 501, "growth_percent": 10, "iops_per_vm": 10})
    assert found.step("desktops_planned").value == pytest.approx(551.1)
    assert found.result("vms") == 552
    assert found.result("iops_total") == 5520.0


def test_that_the_highest_load_of_work_and_boot_and_logon_decides() -> None:
    own = {
        "desktops": 360,
        "iops_per_vm": 10,
        "boot_io_per_vm": 25_000,
        "boot_window_min": 30,
        "logon_io_per_vm": 4_000,
        "logon_window_min": 60,
    }
    found = planned(own=own)
    assert found.result("iops_steady") == 3600.0
    assert found.result("iops_boot") == 360 * 25_000 / 1800
    assert found.result("iops_logon") == 3600 + 360 * 4_000 / 3600
    assert found.result("iops_total") == 5000.0
    assert found.decider("iops_total") is found.step("iops_boot")
    assert planned(own=own | {"storms": "logon"}).result("iops_total") == 4000.0
    assert planned(own=own | {"storms": "none"}).result("iops_total") == 3600.0


def study(folder: Path, iops: float = 8.0, cache_mb: int | None = None, **facts: Any) -> Group:
    """One run of two VMs: reads a quarter, 32 KiB per I/O, the second VM twice as busy in every tenth sample."""
    at = T0 + np.arange(15, 615, 15.0)
    columns = []
    for place, vm in enumerate(("W10-001", "W10-002")):
        rate = np.full(at.size, iops)
        if place:
            rate[::10] *= 2
        columns += [
            (counter(vm, Quantity.READ_IOPS), rate / 4),
            (counter(vm, Quantity.WRITE_IOPS), rate * 3 / 4),
            (counter(vm, Quantity.THROUGHPUT), rate * 32 * 1024),
        ]
        if cache_mb is not None:
            columns.append((counter(vm, Quantity.CACHE_DISK_USED), np.linspace(0, 512 * 2**20, at.size)))
    kind = Provisioning.MCS if cache_mb is None else Provisioning.MCSIO
    stated = {
        "stated_phases": (phase("steady", 0, 600),),
        "configuration": Configuration(kind.value, kind, None, cache_mb),
    }
    one = run(recording(folder, "guest.csv", at, columns), **(stated | facts))
    return group_runs([run_figures(one)])[0]


def test_that_the_plan_uses_measured_values(tmp_path: Path) -> None:
    found = planned(study(tmp_path), {"desktops": 100})
    rates = np.concatenate([np.full(40, 8.0), np.where(np.arange(40) % 10 == 0, 16.0, 8.0)])
    assert found.givens["iops_per_vm"].value == pytest.approx(np.percentile(rates, 95))
    assert found.givens["read_percent"].value == pytest.approx(25.0)
    assert found.givens["io_size_kib"].value == pytest.approx(32.0)
    assert {found.givens[name].origin for name in ("iops_per_vm", "read_percent", "io_size_kib")} == {"measured"}
    assert "95" in found.givens["iops_per_vm"].source
    assert found.result("throughput_mib_per_s") == pytest.approx(100 * np.percentile(rates, 95) * 32 / 1024)


@pytest.mark.parametrize("percentile", [0, 50, 97, 100])
def test_that_a_percentile_or_the_mean_can_be_chosen(percentile: float, tmp_path: Path) -> None:
    group = study(tmp_path)
    rates = np.concatenate([np.full(40, 8.0), np.where(np.arange(40) % 10 == 0, 16.0, 8.0)])
    found = planned(group, {"iops_percentile": percentile}).givens["iops_per_vm"].value
    assert found == pytest.approx(np.percentile(rates, percentile))
    assert planned(group, {"iops_figure": "mean"}).givens["iops_per_vm"].value == pytest.approx(rates.mean())


def test_that_a_user_value_overrides_a_measured_one(tmp_path: Path) -> None:
    found = planned(study(tmp_path), {"iops_per_vm": 99}).givens["iops_per_vm"]
    assert (found.value, found.origin) == (99.0, "yours")


def test_that_a_replacement_for_a_measurement_is_labelled_assumed(tmp_path: Path) -> None:
    at = T0 + np.arange(15, 615, 15.0)
    only_total = recording(tmp_path, "guest.csv", at, [(counter("W10-001", Quantity.IOPS), np.full(at.size, 5.0))])
    group = group_runs([run_figures(run(only_total, stated_phases=(phase("steady", 0, 600),)))])[0]
    found = planned(group)
    assert found.givens["read_percent"].origin == "assumed"
    assert {"read_percent"} <= set(found.step("disks").assumed)
    assert {"io_size_kib"} <= set(found.step("network_ports").assumed)
    assert "io_size_kib" not in found.step("disks").assumed


def test_that_no_input_is_labelled_measured_without_a_run() -> None:
    assert "measured" not in {one.origin for one in planned().givens.values()}


def test_that_the_published_vnx_test_with_thousand_desktops_is_reproduced() -> None:
    # Published: 6 IOPS at work and 84 at the peak of the boots for each of 1,000 desktops, over 80,000 IOPS served;
    # 7.8125 desktops per core on two clusters of eight hosts.
    own = {"desktops": 1000, "iops_per_vm": 6, "boot_io_per_vm": 84 * 120, "boot_window_min": 2, "host_cores": 8}
    found = planned(own=own)
    assert found.result("iops_steady") == 6_000
    assert found.result("iops_total") == 84_000
    assert found.result("hosts_by_vcpu") == 16


def test_that_bytes_read_and_written_give_the_io_size_if_no_total_is_logged(tmp_path: Path) -> None:
    at = T0 + np.arange(15, 615, 15.0)
    rate = np.linspace(1, 40, at.size)
    columns = [
        (counter("A", Quantity.IOPS), rate),
        (counter("A", Quantity.READ_THROUGHPUT), rate * 1024),
        (counter("A", Quantity.WRITE_THROUGHPUT), rate * 7 * 1024),
        (counter("B", Quantity.IOPS), rate * 50),
    ]
    one = run(recording(tmp_path, "guest.csv", at, columns), stated_phases=(phase("steady", 0, 600),))
    found = planned(group_runs([run_figures(one)])[0]).givens["io_size_kib"]
    assert found.value == pytest.approx(8.0)
    assert found.origin == "measured"


def test_that_unmeasured_inputs_make_their_steps_unavailable_and_others_are_computed(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = planned(study(tmp_path), {"desktops": 100}, "av-scan")
    assert found.result("disks_by_iops") is None
    assert found.step("disks_by_iops").missing[0] == "iops_per_vm"
    assert found.step("cache_disk_gib").missing == ("cache_disk_mb",)
    assert found.result("disks_by_capacity") == 12
    # Without IOPS, the capacity gives only a lower bound.
    assert disks_text(found) == f"≥{THIN}12"
    assert found.result("hosts_with_spare") == 3
    assert found.remarks[0] == snapshot


def test_that_a_ram_cache_needs_ram_of_hosts_and_disk_space(tmp_path: Path) -> None:
    own = {"desktops": 500, "ram_price_per_gib": 4}
    found = planned(study(tmp_path, cache_mb=512), own)
    assert found.result("cache_ram_gib") == 250.0
    assert found.result("vms_per_host") == 40
    assert (found.result("hosts_by_ram"), found.result("hosts_for_cache")) == (13, 3)
    # The last reading is exactly at the end of the phase, which is not part of the phase.
    assert found.result("cache_disk_gib") == pytest.approx(500 * np.linspace(0, 512, 40)[-2] / 1024)
    assert found.result("cache_ram_cost") == 1000.0
    assert found.result("cache_disk_cost") is None
    without = group_runs([run_figures(run(configuration=Configuration("MCS", Provisioning.MCS)))])[0]
    given = planned(without).givens["cache_ram_mb"]
    assert (given.value, given.origin) == (0.0, "documented")


def test_that_a_ram_cache_of_unknown_size_needs_unknown_ram_and_hosts(tmp_path: Path) -> None:
    cached = Configuration("MCSIO", Provisioning.MCSIO)
    found = planned(study(tmp_path, configuration=cached), {"desktops": 500})
    assert found.givens["cache_ram_mb"].value is None
    for key in ("cache_ram_gib", "ram_per_vm", "hosts_by_ram", "hosts", "hosts_with_spare", "hosts_for_cache"):
        assert found.result(key) is None, key
        assert "cache_ram_mb" in found.step(key).missing
    assert found.result("disks") is not None
    assert any("RAM cache size is unknown" in remark for remark in found.remarks)
    stated = planned(study(tmp_path, configuration=cached), {"desktops": 500, "cache_ram_mb": 512})
    assert stated.result("cache_ram_gib") == 250.0
    assert not any("RAM cache size" in remark for remark in stated.remarks)


@pytest.mark.parametrize(("count", "told"), [(3, 3), (4, 1)])
def test_that_many_configurations_without_a_plan_have_one_sentence(count: int, told: int) -> None:
    good = planned(own={"desktops": 100})
    apart = [
        replace(
            good, configuration=name, problem=f"{name}: not compared.", remarks=(f"{name}: not compared.",), apart=True
        )
        for name in "ABCD"[:count]
    ]
    found = remarks_of([good, *apart])
    assert len(found) == told
    assert ("4 configurations have no plan" in found[-1]) is (told == 1)


def test_that_a_cache_that_only_a_counter_shows_has_an_unknown_size(tmp_path: Path) -> None:
    at = T0 + np.arange(15, 615, 15.0)
    columns = [
        (counter("A", Quantity.IOPS), np.full(at.size, 20.0)),
        (counter("A", Quantity.CACHE_RAM_USED), np.linspace(0, 100 * 2**20, at.size)),
    ]
    log = recording(tmp_path, "guest.csv", at, columns)
    other = Configuration("Golden image", Provisioning.OTHER)
    one = run(log, configuration=other, stated_phases=(phase("steady", 0, 600),))
    assert planned(group_runs([run_figures(one)])[0]).result("cache_ram_gib") is None


def test_that_users_of_rds_share_their_machines(tmp_path: Path) -> None:
    group = study(tmp_path, session_type=SessionType.RDS, vms=2, users=30)
    found = planned(group, {"desktops": 500})
    assert found.result("vms") == 34
    assert found.givens["vm_ram_gib"].value == 16
    assert found.result("iops_steady") == pytest.approx(34 * (found.givens["iops_per_vm"].number or 0))
    unknown = planned(study(tmp_path, session_type=SessionType.RDS, vms=2, users=None), {"desktops": 500})
    assert unknown.result("vms") is None
    assert any("users per session host is unknown" in remark for remark in unknown.remarks)


@pytest.mark.parametrize(
    ("own", "step"),
    [
        ({"vm_ram_gib": 200}, "vms_per_host"),
        ({"cache_ram_mb": 100 * 1024}, "vms_per_host"),
        ({"host_ram_gib": 29}, "vms_per_host"),
        ({"vm_vcpus": 17, "host_cores": 16, "vcpus_per_core": 8}, "vms_per_host_by_vcpu"),
        ({"vm_vcpus": 8, "host_cores": 16, "vcpus_per_core": 0.4}, "vms_per_host_by_vcpu"),
    ],
)
def test_that_there_is_no_plan_if_no_vm_fits_on_a_host(own: dict[str, float], step: str) -> None:
    found = planned(own=EXAMPLE | own)
    assert found.step(step).result == 0
    assert found.problem
    assert found.problem in found.remarks
    assert [found.result(key) for key in RESULTS] == [None] * len(RESULTS)
    assert [found.step(key).result for key in ("hosts", "hosts_with_spare", "vcpu_ratio")] == [None] * 3
    assert found.decider("hosts") is None
    assert not any(found.step(key).bottleneck for key in ("hosts_by_ram", "hosts_by_vcpu"))


def test_that_a_vm_that_fits_exactly_has_a_plan() -> None:
    found = planned(own=EXAMPLE | {"desktops": 10, "vm_ram_gib": 100, "vm_vcpus": 16, "vcpus_per_core": 1})
    assert not found.problem
    assert (found.result("hosts"), found.result("hosts_with_spare")) == (10, 11)


def test_that_a_host_that_keeps_all_of_its_ram_is_rejected() -> None:
    with pytest.raises(SizingError, match="leaves no RAM for VMs"):
        planned(own={"host_ram_gib": 16})


def test_that_excluded_runs_are_not_in_the_plan(tmp_path: Path) -> None:
    group = study(tmp_path, excluded="vCenter failed over")
    assert plans([group], {}) == ()


def test_that_every_rule_uses_only_inputs_and_earlier_steps() -> None:
    known = set(constants())
    for rule in RULES:
        assert set(keys(rule.formula)) <= known, rule.key
        assert as_excel(rule.formula, dict.fromkeys(keys(rule.formula), "A1"))
        known.add(rule.key)


COUNTS = ("disks", "enclosures", "hosts_with_spare", "network_ports", "hba_ports", "iops_total", "cache_ram_gib")


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 100_000), st.integers(0, 5_000), st.floats(0.1, 200), st.floats(0, 100))
def test_that_more_desktops_never_need_less(desktops: int, more: int, iops: float, reads: float) -> None:
    own = {"iops_per_vm": iops, "read_percent": reads, "boot_io_per_vm": 24_000}
    few, many = (planned(own=own | {"desktops": count}) for count in (desktops, desktops + more))
    for key in COUNTS:
        assert (many.result(key) or 0) >= (few.result(key) or 0), key


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 50_000), st.integers(2, 20), st.floats(0.1, 200))
def test_that_unrounded_demand_scales_with_desktops(desktops: int, times: int, iops: float) -> None:
    own = {"iops_per_vm": iops}
    one, several = (planned(own=own | {"desktops": count}) for count in (desktops, desktops * times))
    for key in ("disks_by_iops", "disks_by_capacity", "throughput_mib_per_s", "network_share", "drive_equivalents"):
        assert several.step(key).value == pytest.approx(times * (one.step(key).value or 0), rel=1e-9), key


@settings(max_examples=60, deadline=None)
@given(st.floats(0.1, 1000), st.floats(1.0, 10.0))
def test_that_scaling_all_rates_scales_all_iops(iops: float, factor: float) -> None:
    one, scaled = (planned(own={"desktops": 700, "iops_per_vm": rate}) for rate in (iops, iops * factor))
    for key in ("iops_total", "disk_iops_total", "throughput_mb_per_s"):
        assert scaled.result(key) == pytest.approx(factor * (one.result(key) or 0)), key
