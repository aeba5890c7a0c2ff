"""Twelve image builds of one week each, with invented data: from build 1208 on, each logon and each working desktop
needs more I/O. Boot does not change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from .plan import FileShape, PhasePlan, RunPlan, random_state
from .sessions import boots, sessions

STUDY = "windows-11-builds"
FIRST, LAST, BROKEN = 1201, 1212, 1208
VMS = ("W11-001", "W11-002")
INTERVAL_S = 30.0
# Length in seconds, and reads and writes per VM of a build before the step.
BOOT_S, LOGON_S, STEADY_S = 240.0, 300.0, 1200.0
USUAL = {"boot": (12_400, 2_100), "logon": (2_450, 1_900), "steady": (4_380, 8_820)}
# The increase of reads and writes by the step, for each phase.
STEP = {"boot": 0.0, "logon": 0.11, "steady": 0.16}
# The deviation of each run from its level: tests of one image vary by about 2 %.
SCATTER = {
    "boot": (0.013, -0.021, 0.004, 0.017, -0.009, -0.016, 0.022, 0.001, -0.012, 0.019, -0.024, 0.006),
    "logon": (-0.018, 0.009, 0.021, -0.006, 0.014, -0.022, 0.002, 0.016, -0.011, 0.005, 0.019, -0.029),
    "steady": (0.007, 0.019, -0.023, -0.004, 0.015, 0.011, -0.025, -0.013, 0.021, 0.003, -0.017, 0.006),
}
ZERO = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)


def plans() -> list[RunPlan]:
    """One run of each build, a week apart."""
    return [_plan(build) for build in range(FIRST, LAST + 1)]


def run_name(build: int) -> str:
    """Folder of the build's run."""
    return f"build-{build}"


def level(build: int, phase: str) -> float:
    """The I/O of a build's run as a multiple of the usual I/O."""
    step = STEP[phase] if build >= BROKEN else 0.0
    return (1.0 + step) * (1.0 + SCATTER[phase][build - FIRST])


def truth_rows() -> list[tuple[str, str, str, float]]:
    """The build with the step, and its size in percent; 0 if nothing changed."""
    rows = [(STUDY, phase, "step_percent", 100.0 * step) for phase, step in STEP.items()]
    return [*rows, *((STUDY, phase, "step_at_build", float(BROKEN)) for phase, step in STEP.items() if step)]


def _plan(build: int) -> RunPlan:
    name = run_name(build)
    rng = random_state(f"{name} timetable")
    start = BOOT_S + 60.0
    made = sessions(VMS, len(VMS), start, LOGON_S, 60.0, STEADY_S, rng)
    run_end = round(max(session.logoff for session in made) + 20.0, 3)
    edges = {
        "boot": (0.0, BOOT_S),
        "logon": (start, start + LOGON_S),
        "steady": (start + LOGON_S, start + LOGON_S + STEADY_S),
    }
    return RunPlan(
        study=STUDY,
        name=name,
        manifest={
            "configuration": "MCS gold image",
            "provisioning": "MCS",
            "build": str(build),
            "session_type": "vdi",
            "vms": len(VMS),
            "users": len(VMS),
            "hypervisor": "vSphere 8",
            "guest_os": "Windows 11 x64",
            "workload": "Knowledge worker",
        },
        zero=ZERO + timedelta(weeks=build - FIRST),
        vm_names=VMS,
        boots=boots(VMS, BOOT_S, 2.0, rng),
        sessions=made,
        phases=tuple(_phase(build, phase, *edges[phase]) for phase in edges),
        log_start=-4 * INTERVAL_S - 30.0,
        log_end=run_end + 60.0,
        run_end=run_end,
        interval_s=INTERVAL_S,
        disks=("C",),
        cpu_steady=27.0,
        memory_mb=8192,
        seek_ms=1.5,
        shape=FileShape(layout="all-hosts", zone="GMT Standard Time", bias_minutes=0, digits=6),
    )


def _phase(build: int, name: str, start: float, end: float) -> PhasePlan:
    reads, writes = (len(VMS) * count * level(build, name) for count in USUAL[name])
    return PhasePlan(name, start, end, {("C", "read"): reads, ("C", "write"): writes})
