"""`truth.csv`: the true values of the samples, for tests that check the results."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from . import cache
from .counters import VmSamples
from .plan import PhasePlan, RunPlan
from .published import SWEEP, SWEEP_SIZES_MB, published
from .sweep import group_name

Row = tuple[str, str, str, float]
DISKS = {"C": "shared", "D": "cache_disk"}


def rows_of(plan: RunPlan, machines: list[VmSamples]) -> list[Row]:
    """The true values of one run, phase by phase."""
    rows: list[Row] = []
    for phase in plan.phases:
        rows += [(plan.name, phase.name, quantity, value) for quantity, value in _sums(plan, phase)]
        row = published(plan.name, phase.name)
        if row is not None:
            rows += [
                (plan.name, phase.name, f"published_{quantity}_{row.scope}", value)
                for quantity, value in (
                    ("total_io", row.total_io),
                    ("iops", row.iops),
                    ("read_iops", row.read_iops),
                    ("write_iops", row.write_iops),
                )
            ]
            rows.append((plan.name, phase.name, "published_read_percent", row.read_percent))
            rows.append((plan.name, phase.name, "published_write_percent", row.write_percent))
    rows.append((plan.name, "steady", "cpu_percent", plan.cpu_steady))
    if plan.mcs_driver:
        rows += _cache_at_end(plan, machines)
    return rows


def _sums(plan: RunPlan, phase: PhasePlan) -> list[tuple[str, float]]:
    """Duration, I/O and IOPS of a phase, over all VMs and per VM."""
    seconds = phase.end - phase.start
    read = sum(count for (_, operation), count in phase.io.items() if operation == "read")
    write = sum(count for (_, operation), count in phase.io.items() if operation == "write")
    sums = [
        ("duration_s", seconds),
        ("total_io", read + write),
        ("total_io_per_vm", (read + write) / plan.vms),
        ("iops", (read + write) / seconds),
        ("read_iops", read / seconds),
        ("write_iops", write / seconds),
    ]
    if plan.mcs_driver:
        for disk, tier in DISKS.items():
            count = sum(count for (name, _), count in phase.io.items() if name == disk)
            sums.append((f"{tier}_iops", count / seconds))
    return sums


def _cache_at_end(plan: RunPlan, machines: list[VmSamples]) -> list[Row]:
    """Cache in use at the last sample before the end of steady state: mean over the VMs, in MiB."""
    steady = next(phase for phase in plan.phases if phase.name == "steady")
    rows = []
    for counter in ("Cache memory used", "Cache disk used"):
        last = [
            next(column for column in machine.columns if column.counter == counter).values[
                int(np.searchsorted(machine.stamps, round(steady.end * 1000))) - 1
            ]
            for machine in machines
        ]
        quantity = f"{counter.lower().replace(' ', '_')}_mib_end_per_vm"
        rows.append((plan.name, "steady", quantity, float(np.mean(last)) / cache.MIB))
    return rows


def sweep_rows() -> list[Row]:
    """Mean IOPS of each cache size over its three runs, and the change from standard MCS in percent."""
    rows: list[Row] = []
    for phase in ("boot", "logon", "steady"):
        base = SWEEP[phase, 0]
        for size in SWEEP_SIZES_MB:
            level = SWEEP[phase, size]
            for quantity in ("total", "read", "write"):
                mean, of = getattr(level, quantity), getattr(base, quantity)
                name = "iops" if quantity == "total" else f"{quantity}_iops"
                rows.append((group_name(size), phase, f"mean_{name}", mean))
                rows.append((group_name(size), phase, f"{name}_change_percent", 100.0 * (mean / of - 1.0)))
    return rows


def write(path: Path, rows: list[Row]) -> None:
    """Writes `truth.csv`."""
    lines = ["run,phase,quantity,value"]
    lines += [f"{run},{phase},{quantity},{value:.10g}" for run, phase, quantity, value in rows]
    path.write_bytes("".join(line + "\n" for line in lines).encode("ascii"))
