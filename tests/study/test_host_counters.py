"""From the text of a host's or a cache's counters to the figures of each VM."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import perfmon_csv, phase, run
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity, Tier, Vantage
from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.study.importing.source import read_source
from workbench.study.series.vm_series import vm_names, vm_samples
from workbench.study.store.column_store import Store

ROWS = 9
HOST = r"\\HV01"
DISK = HOST + r"\Hyper-V Virtual Storage Device(C:-ClusterStorage-Volume1-{vm}-Virtual Hard Disks-{disk}.vhdx)"


def _recorded(folder: Path, columns: dict[str, float]) -> Recording:
    """A recording of counters with constant values, a sample every 15 seconds."""
    path = perfmon_csv(folder / "host.csv", {name: [value] * ROWS for name, value in columns.items()})
    recording = read_source(path, path.name, Store(folder / "store")).recording
    assert recording is not None
    return recording


def _run(folder: Path, columns: dict[str, float]) -> Run:
    return run(_recorded(folder, columns), stated_phases=(phase("steady", 0, 120),))


def _hyper_v() -> dict[str, float]:
    columns: dict[str, float] = {}
    for number, vm in enumerate(("W10-001", "W10-002"), 1):
        for disk, share in ((vm, 1.0), (f"{vm}-cache", 0.5)):
            name = DISK.format(vm=vm, disk=disk)
            columns[rf"{name}\Read Operations/Sec"] = 10.0 * number * share
            columns[rf"{name}\Write Operations/Sec"] = 30.0 * number * share
            columns[rf"{name}\Read Bytes/sec"] = 4096.0 * 10 * number * share
        for processor in (0, 1):
            instance = f"{vm}:Hv VP {processor}"
            columns[rf"{HOST}\Hyper-V Hypervisor Virtual Processor({instance})\% Guest Run Time"] = (
                20.0 * number + 10 * processor
            )
        columns[rf"{HOST}\Hyper-V Dynamic Memory VM({vm})\Physical Memory"] = 2048.0 * number
    columns[rf"{HOST}\PhysicalDisk(_Total)\Disk Transfers/sec"] = 999.0
    columns[rf"{HOST}\Hyper-V Hypervisor Virtual Processor(_Total)\% Guest Run Time"] = 77.0
    return columns


def test_that_a_run_measured_on_the_host_alone_has_figures_per_vm(tmp_path: Path) -> None:
    seen = _run(tmp_path, _hyper_v())
    assert vm_names(seen) == ("W10-001", "W10-002")
    (steady,) = run_figures(seen).phases
    # Two disks each: (10 + 30) x 1.5 and twice that.
    assert steady.vms == 2
    assert steady.iops == pytest.approx(180)
    assert steady.iops_per_vm == pytest.approx(90)
    assert steady.read_iops_per_vm == pytest.approx(22.5)
    assert steady.vantage == Vantage.HOST


def test_that_a_hyper_v_vm_has_processors_and_memory_and_throughput(tmp_path: Path) -> None:
    seen = _run(tmp_path, _hyper_v())
    found = {
        quantity: {vm: float(one.values[-1]) for vm, one in vm_samples(seen, quantity).items()}
        for quantity in (Quantity.CPU, Quantity.MEMORY, Quantity.READ_THROUGHPUT)
    }
    assert found == {
        Quantity.CPU: {"W10-001": 25.0, "W10-002": 45.0},
        Quantity.MEMORY: {"W10-001": 2048.0 * 2**20, "W10-002": 4096.0 * 2**20},
        Quantity.READ_THROUGHPUT: {"W10-001": 61_440.0, "W10-002": 122_880.0},
    }


def _shares(host: str, *instances: str) -> dict[str, float]:
    return {
        rf"\\{host}\SMB Client Shares({instance})\{counter}": value
        for instance in instances
        for counter, value in (("Data Requests/sec", 50.0), ("Avg. sec/Data Request", 0.004), ("Data Bytes/sec", 8e5))
    }


@pytest.mark.parametrize(
    ("columns", "vantage"),
    [
        (_hyper_v() | _shares("HV01", r"\sofs\W10-001", r"\sofs\isos"), Vantage.HOST),
        (_shares("W10-001", r"\filer\profiles"), Vantage.GUEST),
    ],
)
def test_that_smb_shares_are_shared_storage_traffic_of_their_vm(
    tmp_path: Path, columns: dict[str, float], vantage: Vantage
) -> None:
    seen = _run(tmp_path, columns)
    for quantity, value in ((Quantity.IOPS, 50.0), (Quantity.LATENCY, 0.004), (Quantity.THROUGHPUT, 8e5)):
        found = vm_samples(seen, quantity, Tier.SHARED)
        assert list(found) == ["W10-001"]
        assert found["W10-001"].values.tolist() == [value] * ROWS
        assert found["W10-001"].vantage is vantage


def test_that_nested_disks_of_esxtop_count_once_in_the_phase_table(tmp_path: Path) -> None:
    columns = {
        rf"\\esx1\Virtual Disk({instance})\{counter}": value
        for instance, share in (
            ("W10-001", 3.0),
            ("W10-001:scsi0:0", 1.0),
            ("W10-001:scsi0:1", 2.0),
            ("W10-002:scsi0:0", 1.0),
            ("W10-002:scsi0:1", 4.0),
        )
        for counter, value in (("Reads/sec", 10 * share), ("Writes/sec", 20 * share))
    }
    (steady,) = run_figures(_run(tmp_path, columns)).phases
    assert steady.vms == 2
    assert steady.iops == pytest.approx(90 + 150)
    assert steady.vantage == Vantage.HOST


MCS = r"\\W10-001\Citrix MCS Storage Driver"
COUNTERS = (
    "Cache memory used",
    "Cache memory target size",
    "Cache memory used (%)",
    "Cache disk used",
    "Cache disk size",
    "Cache disk used (%)",
    "System disk read bytes",
    "System disk write bytes",
    "Cache disk read bytes",
    "Cache disk write bytes",
    "System disk reads",
    "System disk writes",
    "Cache disk reads",
    "Cache disk writes",
    "System disk average read time",
    "System disk average write time",
    "Cache disk average read time",
    "Cache disk average write time",
    "Cache memory reads",
    "Cache memory writes",
    "Cache memory read bytes",
    "Cache memory write bytes",
    "Cache evictions",
    "Cache hits",
    "Cache misses",
    "Queue length",
    "Overflow events",
    "Driver state",
)


def test_that_traffic_of_the_mcs_driver_is_split_by_tier_and_every_counter_is_kept(tmp_path: Path) -> None:
    recorded = _recorded(tmp_path, {rf"{MCS}(_Total)\{name}": 1e6 + place for place, name in enumerate(COUNTERS)})
    assert [one.counter for one in recorded.series] == list(COUNTERS)
    seen = run(recorded)
    found = {
        (quantity, tier): float(vm_samples(seen, quantity, tier)["W10-001"].values[0])
        for quantity in (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT)
        for tier in (Tier.SHARED, Tier.CACHE_DISK, Tier.RAM)
    }
    assert found == {
        (Quantity.READ_THROUGHPUT, Tier.SHARED): 1e6 + COUNTERS.index("System disk read bytes"),
        (Quantity.WRITE_THROUGHPUT, Tier.SHARED): 1e6 + COUNTERS.index("System disk write bytes"),
        (Quantity.READ_THROUGHPUT, Tier.CACHE_DISK): 1e6 + COUNTERS.index("Cache disk read bytes"),
        (Quantity.WRITE_THROUGHPUT, Tier.CACHE_DISK): 1e6 + COUNTERS.index("Cache disk write bytes"),
        (Quantity.READ_THROUGHPUT, Tier.RAM): 1e6 + COUNTERS.index("Cache memory read bytes"),
        (Quantity.WRITE_THROUGHPUT, Tier.RAM): 1e6 + COUNTERS.index("Cache memory write bytes"),
    }
    for quantity, name in ((Quantity.READ_IOPS, "Cache memory reads"), (Quantity.WRITE_IOPS, "Cache memory writes")):
        samples = vm_samples(seen, quantity, Tier.RAM)["W10-001"]
        assert (samples.values[0], samples.estimate) == (1e6 + COUNTERS.index(name), True)
    assert not vm_samples(seen, Quantity.READ_IOPS)
    for quantity, name in (
        (Quantity.CACHE_RAM_USED, "Cache memory used"),
        (Quantity.CACHE_RAM_SIZE, "Cache memory target size"),
        (Quantity.CACHE_DISK_USED, "Cache disk used"),
        (Quantity.CACHE_DISK_SIZE, "Cache disk size"),
    ):
        assert vm_samples(seen, quantity)["W10-001"].values[0] == 1e6 + COUNTERS.index(name)
