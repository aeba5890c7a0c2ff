"""The formulas of the capacity plan: one per step, in the order in which a reviewer follows them.

Source: the 500-desktop Hyper-V over SMB example (30 x 500 / 140 disks, 50 GB x 2 x 500 / 900 disks, 2 GB on 128 GB
hosts, 500 x 30 x 64 KB through one port), extended by measured values, RAID penalty, growth, and boot and logon storms.
If a step is rounded, formulas use its rounded value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from workbench.measures.formulas import evaluate, keys, round_down, round_up
from workbench.words.numbers import ordinal

Rounding = Literal["", "up", "down"]
_PENALTY = "({{{0}}} + (100 - {{{0}}}) * {{write_penalty}}) / 100"


@dataclass(frozen=True, slots=True)
class SizingRule:
    """The definition of a step. `bound` names the bottleneck if this step decides. `every`: a formula that compares
    steps needs all of them and does not skip those that are not available."""

    key: str
    group: str
    label: str
    formula: str
    unit: str
    rounding: Rounding = ""
    bound: str = ""
    note: str = ""
    every: bool = False

    def for_users(self) -> SizingRule:
        """The step of a plan for users (RDS): its label and unit name users instead of desktops."""
        return replace(self, label=_of_users(self.label), unit=_of_users(self.unit))


def _of_users(text: str) -> str:
    return text.replace("desktops", "users")


def at_percentile(label: str, percentile: float) -> str:
    """The label of a step or an input of a plan with another percentile than the default."""
    return label.replace("95th percentile", f"{ordinal(percentile)} percentile")


def rounded(value: float | None, rounding: Rounding) -> float | None:
    """The value, rounded as the step defines; None if it is not available."""
    if value is None or rounding == "":
        return value
    return round_up(value) if rounding == "up" else round_down(value)


def value_of(rule: SizingRule, values: Mapping[str, float | None]) -> float | None:
    """The value of a step, not rounded; None if it is not available."""
    lacking = rule.every and any(values[name] is None for name in keys(rule.formula))
    return None if lacking else evaluate(rule.formula, values)


def _penalised(iops: str, reads: str) -> str:
    return f"{{{iops}}} * " + _PENALTY.format(reads)


def _share(moved: str, speed: str) -> str:
    return f"100 * {{{moved}}} / ({{{speed}}} * {{link_efficiency_percent}} / 100)"


DEMAND, DISKS, HOSTS, PATH, CACHE = "Demand", "Disks", "Hosts", "Network and storage path", "Cache"

RULES: tuple[SizingRule, ...] = (
    SizingRule(
        "desktops_planned",
        DEMAND,
        "desktops including growth",
        "{desktops} * (1 + {growth_percent} / 100)",
        "desktops",
        "up",
    ),
    SizingRule("vms", DEMAND, "VMs", "{desktops_planned} / {desktops_per_vm}", "VMs", "up"),
    SizingRule("iops_mean", DEMAND, "IOPS of the working load (mean)", "{vms} * {mean_iops_per_vm}", "IOPS"),
    SizingRule(
        "load_spread",
        DEMAND,
        "relative load variation per VM",
        "sqrt((1 + ({vms} - 1) * {correlation}) / {vms} / ((1 + ({summed_vms} - 1) * {correlation}) / {summed_vms}))",
        "",
        note="with more VMs, the load per VM deviates less from its mean",
    ),
    SizingRule(
        "iops_summed",
        DEMAND,
        "IOPS of the working load (95th percentile of the summed IOPS)",
        "{vms} * ({mean_iops_per_vm} + ({summed_iops_per_vm} - {mean_iops_per_vm}) * {load_spread})",
        "IOPS",
        note="the percentile is corrected for the number of VMs and their correlation",
    ),
    SizingRule(
        "iops_all_at_once",
        DEMAND,
        "IOPS of the working load (all VMs busy at once)",
        "{vms} * {percentile_iops_per_vm}",
        "IOPS",
        note="assumes that all VMs are busiest at the same time",
    ),
    SizingRule(
        "coincidence_percent",
        DEMAND,
        "coincidence factor of the VMs",
        "100 * {iops_summed} / {iops_all_at_once}",
        "%",
        note="a value below 100 % means that the VMs are not all busy at once",
    ),
    SizingRule(
        "iops_steady", DEMAND, "IOPS of the working load", "{vms} * {iops_per_vm}", "IOPS", bound="working load"
    ),
    SizingRule(
        "iops_boot",
        DEMAND,
        "IOPS of the boot storm",
        "{vms} * {boot_io_per_vm} / ({boot_window_min} * 60)",
        "IOPS",
        bound="the boot storm",
        note="the mean load over the boot window",
    ),
    SizingRule(
        "iops_logon_added",
        DEMAND,
        "IOPS of the logons alone",
        "{vms} * {logon_io_per_vm} / ({logon_window_min} * 60)",
        "IOPS",
    ),
    SizingRule(
        "iops_logon",
        DEMAND,
        "IOPS of the logon storm",
        "{iops_logon_added} + {iops_steady}",
        "IOPS",
        bound="the logon storm",
        note="the last user logs on while all other users work",
    ),
    SizingRule(
        "iops_total", DEMAND, "IOPS required from the storage", "max({iops_steady}, {iops_boot}, {iops_logon})", "IOPS"
    ),
    SizingRule(
        "disk_iops_steady",
        DISKS,
        "disk IOPS of the working load",
        _penalised("iops_steady", "read_percent"),
        "IOPS",
        bound="working load",
    ),
    SizingRule(
        "disk_iops_busy",
        DISKS,
        "disk IOPS of the working load (with the share of reads at peak load)",
        _penalised("iops_steady", "busy_read_percent"),
        "IOPS",
        note="for comparison: the step above uses the mean share of reads",
    ),
    SizingRule(
        "disk_iops_boot",
        DISKS,
        "disk IOPS of the boot storm",
        _penalised("iops_boot", "boot_read_percent"),
        "IOPS",
        bound="the boot storm",
    ),
    SizingRule(
        "disk_iops_logon",
        DISKS,
        "disk IOPS of the logon storm",
        _penalised("iops_logon_added", "logon_read_percent") + " + {disk_iops_steady}",
        "IOPS",
        bound="the logon storm",
    ),
    SizingRule(
        "disk_iops_total",
        DISKS,
        "disk IOPS including the RAID penalty",
        "max({disk_iops_steady}, {disk_iops_boot}, {disk_iops_logon})",
        "IOPS",
    ),
    SizingRule(
        "disks_by_iops",
        DISKS,
        "disks needed for IOPS",
        "{disk_iops_total} / {disk_iops}",
        "disks",
        "up",
        bound="disk IOPS",
    ),
    SizingRule(
        "disks_by_capacity",
        DISKS,
        "disks needed for capacity",
        "{vm_disk_gb} * {capacity_factor} * {vms} / {disk_gb}",
        "disks",
        "up",
        bound="disk capacity",
    ),
    SizingRule("disks", DISKS, "disks", "max({disks_by_iops}, {disks_by_capacity})", "disks"),
    SizingRule("enclosures", DISKS, "enclosures", "{disks} / {disks_per_enclosure}", "enclosures", "up"),
    SizingRule(
        "drive_equivalents",
        DISKS,
        "15k drives that would serve the same IOPS",
        "{iops_total} / {equivalent_drive_iops}",
        "drives",
        "up",
        note="the RAID penalty is not included",
    ),
    SizingRule(
        "ram_per_vm",
        HOSTS,
        "RAM per VM with its cache",
        "{vm_ram_gib} + {cache_ram_mb} / 1024",
        "GB",
        note="1 GB is 1024 MB",
    ),
    SizingRule(
        "vms_per_host_full", HOSTS, "VMs per host if all RAM is used", "{host_ram_gib} / {ram_per_vm}", "VMs", "down"
    ),
    SizingRule(
        "vms_per_host",
        HOSTS,
        "VMs per host after the RAM reserve",
        "max(0, ({host_ram_gib} - {host_reserve_gib}) / {ram_per_vm})",
        "VMs",
        "down",
        every=True,
    ),
    SizingRule(
        "vms_per_host_by_vcpu",
        HOSTS,
        "VMs per host within the vCPU limit",
        "{host_cores} * {vcpus_per_core} / {vm_vcpus} * min(1, floor({host_cores} / {vm_vcpus}))",
        "VMs",
        "down",
        note="0 if a VM has more vCPUs than a host has cores",
    ),
    SizingRule(
        "hosts_by_ram", HOSTS, "hosts needed for RAM", "{vms} / {vms_per_host}", "hosts", "up", bound="host RAM"
    ),
    SizingRule(
        "hosts_by_vcpu",
        HOSTS,
        "hosts needed for vCPUs",
        "{vms} * {vm_vcpus} / ({host_cores} * {vcpus_per_core} * min(1, {vms_per_host_by_vcpu}))",
        "hosts",
        "up",
        bound="host cores",
        note="the minimum is 0 if a VM has more vCPUs than a host has cores",
    ),
    SizingRule("hosts", HOSTS, "hosts", "max({hosts_by_ram}, {hosts_by_vcpu})", "hosts", every=True),
    SizingRule("hosts_with_spare", HOSTS, "hosts including spares", "{hosts} + {spare_hosts}", "hosts"),
    SizingRule(
        "vcpu_ratio",
        HOSTS,
        "vCPUs per core on the planned hosts",
        "{vms} * {vm_vcpus} / ({hosts} * {host_cores})",
        ": 1",
    ),
    SizingRule(
        "throughput_mib_per_s",
        PATH,
        "throughput in MiB/s",
        "{iops_total} * {io_size_kib} / 1024",
        "MiB/s",
        note="1 MiB is 1024 KiB; the published 937 MB/s use the same unit",
    ),
    SizingRule(
        "throughput_mb_per_s",
        PATH,
        "throughput in MB/s (10^6 bytes per second)",
        "{throughput_mib_per_s} * 1.048576",
        "MB/s",
        note="1 MB is 10^6 bytes, as in the published link speeds",
    ),
    SizingRule(
        "disk_throughput_mb_per_s",
        PATH,
        "throughput to the disks",
        "{disk_iops_total} * {io_size_kib} / 1024 * 1.048576",
        "MB/s",
        note="the RAID penalty is included",
    ),
    SizingRule(
        "network_share",
        PATH,
        "network port load",
        _share("throughput_mb_per_s", "network_mb_per_s"),
        "%",
        bound="the network port",
    ),
    SizingRule("network_ports", PATH, "network ports", "{network_share} / 100", "ports", "up"),
    SizingRule(
        "network_ports_with_spare",
        PATH,
        "network ports with fault tolerance",
        "{network_ports} + {spare_ports}",
        "ports",
    ),
    SizingRule(
        "hba_share",
        PATH,
        "HBA port load",
        _share("disk_throughput_mb_per_s", "hba_mb_per_s"),
        "%",
        bound="the HBA port",
    ),
    SizingRule("hba_ports", PATH, "HBA ports", "{hba_share} / 100", "ports", "up"),
    SizingRule("hba_ports_with_spare", PATH, "HBA ports with fault tolerance", "{hba_ports} + {spare_ports}", "ports"),
    SizingRule(
        "bus_share",
        PATH,
        "PCIe slot load",
        _share("disk_throughput_mb_per_s", "bus_mb_per_s"),
        "%",
        bound="the PCIe slot",
    ),
    SizingRule("bus_slots", PATH, "PCIe slots", "{bus_share} / 100", "slots", "up"),
    SizingRule(
        "processor_share",
        PATH,
        "CPU interconnect load",
        _share("throughput_mb_per_s", "processor_mb_per_s"),
        "%",
        bound="the CPU interconnect",
    ),
    SizingRule(
        "memory_share",
        PATH,
        "memory channel load",
        _share("throughput_mb_per_s", "memory_mb_per_s"),
        "%",
        bound="the memory channel",
        note="each byte is counted once",
    ),
    SizingRule(
        "path_share",
        PATH,
        "load of the busiest link",
        "max({network_share}, {hba_share}, {bus_share}, {processor_share}, {memory_share})",
        "%",
    ),
    SizingRule("cache_ram_gib", CACHE, "RAM for the caches of all VMs", "{vms} * {cache_ram_mb} / 1024", "GB"),
    SizingRule(
        "hosts_without_cache",
        CACHE,
        "hosts needed without RAM caches",
        "{vms} / max(0, floor(({host_ram_gib} - {host_reserve_gib}) / {vm_ram_gib}))",
        "hosts",
        "up",
    ),
    SizingRule(
        "hosts_for_cache", CACHE, "additional hosts for cache RAM", "{hosts_by_ram} - {hosts_without_cache}", "hosts"
    ),
    SizingRule(
        "cache_disk_gib",
        CACHE,
        "cache disk space of all VMs",
        "{vms} * {cache_disk_mb} / 1024",
        "GB",
        note="the space that the test used",
    ),
    SizingRule("cache_ram_cost", CACHE, "cost of the RAM caches", "{cache_ram_gib} * {ram_price_per_gib}", ""),
    SizingRule(
        "cache_disk_cost", CACHE, "cost of the cache disks", "{cache_disk_gib} * {cache_disk_price_per_gib}", ""
    ),
)
