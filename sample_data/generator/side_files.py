"""Writes the files next to the counters: `run.toml` and `events.csv`."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from .plan import RunPlan


def write_manifest(path: Path, plan: RunPlan) -> None:
    """The tester's statement of the run."""
    lines = []
    for key, value in plan.manifest.items():
        if isinstance(value, bool):
            lines.append(f"{key} = {str(value).lower()}")
        elif isinstance(value, int):
            lines.append(f"{key} = {value}")
        else:
            lines.append(f'{key} = "{value}"')
    if plan.states_phases:
        for phase in plan.phases:
            start, end = (iso(plan.zero, edge) for edge in (phase.start, phase.end))
            lines += ["", "[[phases]]", f'name = "{phase.name}"', f"start = {start}", f"end = {end}"]
    _write(path, lines)


def write_events(path: Path, plan: RunPlan) -> None:
    """The events of each VM and user, in order of time."""
    rows: list[tuple[float, str, str, str, str]] = []
    for boot in plan.boots:
        rows.append((boot.power_on, "power_on", boot.vm, "", ""))
        rows.append((boot.registered, "registered", boot.vm, "", ""))
    for session in plan.sessions:
        rows.append((session.logon_start, "logon_start", session.vm, session.user, ""))
        rows.append((session.logon_end, "logon_end", session.vm, session.user, ""))
        if plan.apps_logged:
            rows.append((session.apps_started, "apps_started", session.vm, session.user, ""))
        rows.append((session.logoff, "logoff", session.vm, session.user, ""))
    steady = plan.phase("steady")
    if plan.odd_vm is not None and steady is not None:
        name = plan.vm_names[plan.odd_vm]
        rows.append((steady.start + 1080.0, "marker", name, "", "antivirus scan started on this VM only"))
    rows.append((plan.run_end, "run_end", "", "", ""))
    rows.sort(key=lambda row: row[0])
    lines = ["time,event,vm,user,detail"]
    lines += [",".join((iso(plan.zero, at), *rest)) for at, *rest in rows]
    _write(path, lines)


def iso(zero: datetime, seconds: float) -> str:
    """A time of the run in ISO 8601 with its offset, with milliseconds only if they are not 0."""
    at = zero + timedelta(milliseconds=round(seconds * 1000))
    return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds")


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8"))
