"""The plans of the published runs: Windows 7 with MCS and PVS, XenApp with the PVS RAM cache."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from .plan import CacheGrowth, FileShape, PhasePlan, RunPlan, random_state
from .published import published
from .sessions import boots, ended_by_logon, sessions

BST = timezone(timedelta(hours=1))
WINDOWS_7 = "windows-7-mcs-and-pvs"
XENAPP = "xenapp-pvs-ram-cache"
VSPHERE = "vsphere-150vm"
SPANISH_SHAPE = FileShape(language="es", zone="Hora de verano GMT")


@dataclass(frozen=True)
class Lab:
    """The differences between the published runs."""

    study: str
    name: str
    configuration: str
    ram_cache_mb: int
    zero: datetime
    vms: int
    users: int
    every_s: float
    interval_s: float
    stagger_s: float = 1.5
    baseline: bool = False
    terminal_server: bool = False
    hypervisor: str = "Hyper-V 2012 R2"
    growth: CacheGrowth | None = None
    cpu_steady: float = 30.0
    memory_mb: int = 2560
    odd_vm: int | None = None
    states_phases: bool = False
    apps_logged: bool = True
    blanks_in_phase: int = 0
    shape: FileShape = field(default_factory=FileShape)


def day(number: int, hour: int, minute: int) -> datetime:
    """A time in May 2016 in British Summer Time."""
    return datetime(2016, 5, number, hour, minute, tzinfo=BST)


LABS = (
    Lab(WINDOWS_7, "mcs-1vm", "MCS", 0, day(10, 9, 0), 1, 1, 0.0, 1.0, states_phases=True, cpu_steady=17.0),
    Lab(
        WINDOWS_7,
        "mcs-5vm",
        "MCS",
        0,
        day(10, 11, 0),
        5,
        5,
        15.0,
        5.0,
        baseline=True,
        cpu_steady=24.0,
        odd_vm=2,
        blanks_in_phase=2,
        shape=FileShape(layout="all-hosts"),
    ),
    Lab(
        WINDOWS_7,
        "pvs-256",
        "PVS 256 MB",
        256,
        day(11, 9, 30),
        11,
        11,
        15.0,
        5.0,
        cpu_steady=36.0,
        growth=CacheGrowth(12.0, 58.0, 62.0, 96.0, 1500.0),
        odd_vm=6,
        blanks_in_phase=2,
    ),
    Lab(
        WINDOWS_7,
        "pvs-256-bloated",
        "PVS 256 MB bloated profile",
        256,
        day(11, 14, 0),
        11,
        11,
        60.0,
        5.0,
        cpu_steady=37.0,
        growth=CacheGrowth(70.0, 0.0, 285.0, 60.0, 1500.0),
        shape=SPANISH_SHAPE,
    ),
    Lab(
        XENAPP,
        "xenapp-1gb",
        "PVS 1 GB",
        1024,
        day(12, 9, 0),
        2,
        60,
        30.0,
        15.0,
        baseline=True,
        terminal_server=True,
        growth=CacheGrowth(160.0, 0.0, 62.0, 400.0, 900.0),
        cpu_steady=64.0,
        memory_mb=14336,
        states_phases=True,
        shape=FileShape(layout="segments"),
    ),
    Lab(
        XENAPP,
        "xenapp-3gb",
        "PVS 3 GB",
        3072,
        day(12, 14, 0),
        2,
        60,
        20.0,
        15.0,
        terminal_server=True,
        growth=CacheGrowth(160.0, 0.0, 88.0, 560.0, 1200.0),
        cpu_steady=65.0,
        memory_mb=14336,
        apps_logged=False,
        shape=FileShape(delimiter="\t"),
    ),
)

VSPHERE_LABS = (
    Lab(
        VSPHERE,
        "pvs-512-150vm",
        "PVS 512 MB",
        512,
        day(17, 9, 0),
        150,
        150,
        12.0,
        15.0,
        stagger_s=0.0,
        growth=CacheGrowth(20.0, 110.0, 120.0, 130.0, 1200.0),
        cpu_steady=46.0,
        memory_mb=3072,
        hypervisor="vSphere 5.5",
    ),
    Lab(
        VSPHERE,
        "xenapp-12gb",
        "PVS 12 GB",
        12288,
        day(18, 9, 0),
        10,
        300,
        8.0,
        15.0,
        terminal_server=True,
        growth=CacheGrowth(160.0, 0.0, 105.0, 900.0, 1200.0),
        cpu_steady=52.0,
        memory_mb=49152,
        hypervisor="vSphere 5.5",
    ),
)


def plan_of(lab: Lab) -> RunPlan:
    """A published run's plan: machines, sessions, and phases with exactly the printed duration and I/O."""
    rng = random_state(f"{lab.name} timetable")
    vms = _vm_names(lab)
    boot, logon, steady = (published(lab.name, name) for name in ("boot", "logon", "steady"))
    if logon is None or steady is None:
        raise ValueError(f"the tables hold no logon or steady state of {lab.name}")
    boot_s = boot.duration_s if boot else 0.0
    gap = 60.0 if lab.vms == 1 else 90.0
    start = boot_s + gap
    made = sessions(vms, lab.users, start, logon.duration_s, lab.every_s, steady.duration_s, rng)
    end = start + logon.duration_s + steady.duration_s
    run_end = round(max(session.logoff for session in made) + 20.0, 3)
    edges = {
        "boot": (0.0, boot_s),
        "logon": (start, start + logon.duration_s),
        "steady": (start + logon.duration_s, end),
    }
    phases = tuple(_phase(lab, name, *edges[name]) for name in edges if published(lab.name, name))
    return RunPlan(
        study=lab.study,
        name=lab.name,
        manifest=_manifest(lab),
        zero=lab.zero,
        vm_names=vms,
        boots=boots(vms, boot_s, lab.stagger_s, rng) if boot else (),
        sessions=made if lab.apps_logged else ended_by_logon(made),
        phases=phases,
        log_start=-4 * lab.interval_s - 30.0,
        log_end=run_end + 30.0 + 2 * lab.interval_s,
        run_end=run_end,
        interval_s=lab.interval_s,
        disks=("C", "D") if lab.ram_cache_mb else ("C",),
        growth=lab.growth,
        ram_cache_mb=lab.ram_cache_mb,
        terminal_server=lab.terminal_server,
        cpu_steady=lab.cpu_steady,
        memory_mb=lab.memory_mb,
        odd_vm=lab.odd_vm,
        states_phases=lab.states_phases,
        apps_logged=lab.apps_logged,
        blanks_in_phase=lab.blanks_in_phase,
        shape=lab.shape,
    )


def _vm_names(lab: Lab) -> tuple[str, ...]:
    if lab.terminal_server:
        return tuple(f"XA-{number:02d}" for number in range(1, lab.vms + 1))
    return tuple(f"W7-{number:03d}" for number in range(1, lab.vms + 1))


def _phase(lab: Lab, name: str, start: float, end: float) -> PhasePlan:
    """The I/O is on the only disk of MCS, and on the write-cache disk of PVS (its image is streamed)."""
    row = published(lab.name, name)
    if row is None:
        raise ValueError(f"the tables hold no {name} of {lab.name}")
    times = lab.vms if row.scope == "per_vm" else 1
    disk = "D" if lab.ram_cache_mb else "C"
    return PhasePlan(name, start, end, {(disk, "read"): row.read_io * times, (disk, "write"): row.write_io * times})


def _manifest(lab: Lab) -> dict[str, str | int | bool]:
    manifest: dict[str, str | int | bool] = {
        "configuration": lab.configuration,
        "provisioning": "PVS" if lab.ram_cache_mb else "MCS",
    }
    if lab.ram_cache_mb:
        manifest["write_cache"] = "device-ram-overflow"
        manifest["ram_cache_mb"] = lab.ram_cache_mb
    manifest |= {
        "session_type": "rds" if lab.terminal_server else "vdi",
        "vms": lab.vms,
        "users": lab.users,
        "hypervisor": lab.hypervisor,
        "guest_os": "Windows 2008 R2" if lab.terminal_server else "Windows 7 x64",
        "workload": "Login VSI Medium",
        "time_zone": "Europe/London",
    }
    if lab.baseline:
        manifest["baseline"] = True
    return manifest
