"""The plans of the MCSIO cache sweep: RDS 2012 R2, four VMs with 15 users each, three runs per cache size."""

from __future__ import annotations

from datetime import datetime, timedelta

from .plan import CacheGrowth, FileShape, PhasePlan, RunPlan, random_state
from .published import SWEEP, SWEEP_DURATIONS, SWEEP_SIZES_MB
from .runs import BST
from .sessions import boots, sessions

STUDY = "rds-mcsio-cache-sweep"
VMS = tuple(f"RDS-{number:02d}" for number in range(1, 5))
USERS = 60
LABELS = {0: "MCS", 256: "MCSIO 256 MB", 512: "MCSIO 512 MB", 1024: "MCSIO 1 GB", 4096: "MCSIO 4 GB"}

# The deviation of each of the three runs from its configuration's mean; each row sums to zero.
SCATTER = {
    0: (0.011, -0.013, 0.002),
    256: (-0.014, 0.005, 0.009),
    512: (0.004, 0.011, -0.015),
    1024: (0.012, -0.004, -0.008),
    4096: (-0.007, 0.014, -0.007),
}
# The order of the sizes in each round of runs.
ROUNDS = (SWEEP_SIZES_MB, tuple(reversed(SWEEP_SIZES_MB)), (*SWEEP_SIZES_MB[1:], SWEEP_SIZES_MB[0]))
WRITE_SCATTER = (0.002, -0.003, 0.001)  # on top, writes only
CPU = {
    0: (38.1, 37.6, 38.4),
    256: (38.3, 37.9, 38.0),
    512: (37.7, 38.2, 38.3),
    1024: (38.0, 38.5, 37.6),
    4096: (37.8, 38.2, 37.9),
}


def run_name(size_mb: int, number: int) -> str:
    """Folder of the `number`-th run (1 to 3) with this cache size."""
    return f"{group_name(size_mb)}-r{number}"


def group_name(size_mb: int) -> str:
    """The common name of the three runs of one cache size."""
    return f"mcsio-{size_mb}" if size_mb else "mcs"


def share(size_mb: int, number: int, operation: str) -> float:
    """A run's I/O as a multiple of its configuration's mean."""
    own = WRITE_SCATTER[number - 1] if operation == "write" else 0.0
    return 1.0 + SCATTER[size_mb][number - 1] + own


def plans() -> list[RunPlan]:
    """All fifteen runs, cache size by cache size."""
    return [_plan(size, number) for size in SWEEP_SIZES_MB for number in (1, 2, 3)]


def _plan(size_mb: int, number: int) -> RunPlan:
    name = run_name(size_mb, number)
    rng = random_state(f"{name} timetable")
    logon_s, steady_s = SWEEP_DURATIONS["logon"], SWEEP_DURATIONS["steady"]
    start = SWEEP_DURATIONS["boot"] + 120.0
    made = sessions(VMS, USERS, start, logon_s, 30.0, steady_s, rng)
    run_end = round(max(session.logoff for session in made) + 20.0, 3)
    edges = {
        "boot": (0.0, SWEEP_DURATIONS["boot"]),
        "logon": (start, start + logon_s),
        "steady": (start + logon_s, start + logon_s + steady_s),
    }
    return RunPlan(
        study=STUDY,
        name=name,
        manifest=_manifest(size_mb),
        zero=_zero(size_mb, number),
        vm_names=VMS,
        boots=boots(VMS, SWEEP_DURATIONS["boot"], 2.0, rng),
        sessions=made,
        phases=tuple(_phase(size_mb, number, phase, *edges[phase]) for phase in edges),
        log_start=-60.0,
        log_end=run_end + 45.0,
        run_end=run_end,
        interval_s=15.0,
        disks=("C", "D") if size_mb else ("C",),
        growth=CacheGrowth(6.0, 190.0, 138.0, 334.0, 480.0) if size_mb else None,
        ram_cache_mb=size_mb,
        mcs_driver=bool(size_mb),
        terminal_server=True,
        cpu_steady=CPU[size_mb][number - 1],
        memory_mb=16384,
        seek_ms=4.0,
        shape=FileShape(digits=7),
    )


def _zero(size_mb: int, number: int) -> datetime:
    """A round of all sizes per day, in a different order each day, so a drift of the lab affects all sizes equally."""
    first = datetime(2016, 5, 23, 8, 30, tzinfo=BST)
    return first + timedelta(days=number - 1, hours=3 * ROUNDS[number - 1].index(size_mb))


def _phase(size_mb: int, number: int, name: str, start: float, end: float) -> PhasePlan:
    level = SWEEP[name, size_mb]
    iops = {
        ("C", "read"): level.shared_read,
        ("C", "write"): level.shared_write,
        ("D", "read"): level.cache_read,
        ("D", "write"): level.cache_write,
    }
    io = {key: rate * (end - start) * share(size_mb, number, key[1]) for key, rate in iops.items()}
    return PhasePlan(name, start, end, io)


def _manifest(size_mb: int) -> dict[str, str | int | bool]:
    manifest: dict[str, str | int | bool] = {
        "configuration": LABELS[size_mb],
        "provisioning": "MCSIO" if size_mb else "MCS",
    }
    if size_mb:
        manifest["write_cache"] = "device-ram-overflow"
    manifest |= {
        "ram_cache_mb": size_mb,
        "session_type": "rds",
        "vms": len(VMS),
        "users": USERS,
        "hypervisor": "Hyper-V 2012 R2",
        "guest_os": "Windows Server 2012 R2",
        "workload": "Login VSI Knowledge worker",
        "time_zone": "Europe/London",
    }
    if not size_mb:
        manifest["baseline"] = True
    return manifest
