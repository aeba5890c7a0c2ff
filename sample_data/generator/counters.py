"""A run's counters as columns: disks, processor, memory, sessions and the MCS storage driver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import cache
from .load import Bools, Floats, Ints, draw_rates, overlap, stamps_ms, weights
from .plan import RunPlan

Rates = dict[tuple[str, str], Floats]
INSTANCE = {"C": "0 C:", "D": "1 D:"}


@dataclass(frozen=True)
class Column:
    """One counter of one VM, a value per row (NaN = blank)."""

    object: str
    instance: str
    counter: str
    values: Floats
    digits: int = 8


@dataclass(frozen=True)
class VmSamples:
    """All counters of one VM; `stamps` are milliseconds after the run's zero."""

    vm: str
    stamps: Ints
    columns: tuple[Column, ...]
    cut: int | None = None  # first row of the second segment


def sample(plan: RunPlan, rng: np.random.RandomState) -> list[VmSamples]:
    """Draws a whole run."""
    stamps = stamps_ms(plan, rng)
    edges = stamps / 1000.0
    times = edges.copy()
    middles = (edges[:, :-1] + edges[:, 1:]) / 2.0
    cut = _cut(plan, middles)
    blank = _blanks(plan, rng, middles, cut)
    written = cache.written_mb(plan, rng, times)
    rates = _rates(plan, rng, edges, middles, written, blank)
    common = _common(plan, rng, edges, middles, rates, written, blank)
    return [
        VmSamples(
            name,
            stamps[row],
            tuple(_disk_columns(plan, rng, row, rates, blank) + [column[row] for column in common]),
            cut,
        )
        for row, name in enumerate(plan.vm_names)
    ]


def _cut(plan: RunPlan, middles: Floats) -> int | None:
    """The start of the second segment: halfway through steady state."""
    steady = plan.phase("steady")
    if plan.shape.layout != "segments" or steady is None:
        return None
    return int(np.searchsorted(middles[0], (steady.start + steady.end) / 2.0)) + 1


def _blanks(plan: RunPlan, rng: np.random.RandomState, middles: Floats, cut: int | None) -> Bools:
    """The intervals whose rates are missing in the log: the first of a segment, one between the phases, a few
    inside.
    """
    blank = np.zeros(middles.shape, dtype=np.bool_)
    if cut is not None:
        blank[:, cut - 1] = True
    blank[plan.vms - 1, 2] = True
    steady = plan.phase("steady")
    if steady is not None and plan.blanks_in_phase:
        inside = np.flatnonzero((middles[0] > steady.start + 300) & (middles[0] < steady.end - 300))
        blank[0, inside[np.argsort(rng.random_sample(len(inside)))[: plan.blanks_in_phase]]] = True
    return blank


def _rates(
    plan: RunPlan, rng: np.random.RandomState, edges: Floats, middles: Floats, written: Floats, blank: Bools
) -> Rates:
    rates: Rates = {}
    for disk in plan.disks:
        for operation in ("read", "write"):
            shape = weights(plan, rng, middles, operation)
            if disk == "D" and plan.mcs_driver:
                shape = shape * cache.spills(plan, written[:, :-1])
            elif disk == "D" and plan.ram_cache_mb:
                shape = shape * (0.3 + 0.7 * cache.spills(plan, written[:, :-1]))
            held = [phase.io.get((disk, operation), 0.0) / (phase.end - phase.start) for phase in plan.phases]
            idle = 0.05 * min(held) / plan.vms
            rates[disk, operation] = draw_rates(plan, rng, edges, shape, (disk, operation), idle, blank)
    return rates


def _row(values: Floats, blank: Bools | None = None) -> Floats:
    """Values per interval as values per row: the first row has no interval before it."""
    held = values if blank is None else np.where(blank, np.nan, values)
    return np.concatenate([[np.nan], held])


def _disk_columns(plan: RunPlan, rng: np.random.RandomState, row: int, rates: Rates, blank: Bools) -> list[Column]:
    """Reads, writes and transfers of each disk and of `_Total`, and the response times of `_Total`."""
    digits = plan.shape.digits
    columns = []
    read, write = np.zeros(blank.shape[1]), np.zeros(blank.shape[1])
    for disk in plan.disks:
        own_read, own_write = rates[disk, "read"][row], rates[disk, "write"][row]
        read, write = read + own_read, write + own_write
        columns += _transfers(INSTANCE[disk], own_read, own_write, blank[row], digits)
    columns += _transfers("_Total", read, write, blank[row], digits)
    busy = 1.0 + 0.6 * np.minimum((read + write) / 60.0, 3.0)
    for operation, rate, factor in (("Read", read, 1.0), ("Write", write, 0.7)):
        seconds = plan.seek_ms / 1000.0 * factor * busy * np.exp(0.3 * rng.standard_normal(rate.shape))
        response = np.where(rate > 0.0, seconds, 0.0)  # perfmon writes 0 if nothing was read or written
        columns.append(Column("PhysicalDisk", "_Total", f"Avg. Disk sec/{operation}", _row(response, blank[row]), 5))
    return columns


def _transfers(instance: str, read: Floats, write: Floats, blank: Bools, digits: int) -> list[Column]:
    names = (("Disk Reads/sec", read), ("Disk Writes/sec", write), ("Disk Transfers/sec", read + write))
    return [Column("PhysicalDisk", instance, name, _row(rate, blank), digits) for name, rate in names]


def _common(
    plan: RunPlan,
    rng: np.random.RandomState,
    edges: Floats,
    middles: Floats,
    rates: Rates,
    written: Floats,
    blank: Bools,
) -> list[list[Column]]:
    """The counters other than disk counters, each as one column per VM."""
    sessions = _active_sessions(plan, edges)
    ram = cache.ram_used(plan, rng, written)
    cpu = _cpu(plan, rng, edges, middles, sessions)
    free = _available_mb(plan, rng, edges, sessions, ram)
    nonpaged = np.round((62.0 * cache.MIB + ram) / 4096 + 40 * rng.standard_normal(ram.shape)) * 4096
    rows = range(plan.vms)
    columns = [
        [
            Column("Processor", "_Total", "% Processor Time", _row(cpu[row], blank[row]), plan.shape.digits)
            for row in rows
        ]
    ]
    if plan.shape.language == "en":
        columns.append([Column("Memory", "", "Available MBytes", free[row], 12) for row in rows])
    else:
        columns.append([Column("Memory", "", "Available Bytes", free[row] * cache.MIB, 12) for row in rows])
    if plan.growth is not None and not plan.mcs_driver:
        columns.append([Column("Memory", "", "Pool Nonpaged Bytes", nonpaged[row], 12) for row in rows])
    if plan.terminal_server:
        columns.append([Column("Terminal Services", "", "Active Sessions", sessions[row], 12) for row in rows])
    if plan.mcs_driver:
        columns += _mcs_driver(plan, rng, rates, written, ram, blank)
    return columns


def _mcs_driver(
    plan: RunPlan, rng: np.random.RandomState, rates: Rates, written: Floats, ram: Floats, blank: Bools
) -> list[list[Column]]:
    """The eight counters of the MCS storage driver; the traffic counters are bytes per second."""
    name = "Citrix MCS Storage Driver"
    gauges = {
        "Cache memory used": ram,
        "Cache memory target size": np.full_like(ram, plan.ram_cache_mb * cache.MIB),
        "Cache disk used": cache.disk_used(plan, written),
        "Cache disk size": np.full_like(ram, 10 * 1024 * cache.MIB),
    }
    columns = [
        [Column(name, "", counter, values[row], 12) for row in range(plan.vms)] for counter, values in gauges.items()
    ]
    kib = {("C", "read"): 24.0, ("C", "write"): 6.0, ("D", "read"): 9.0, ("D", "write"): 11.0}
    for (disk, operation), size in kib.items():
        sizes = size * 1024.0 * rng.uniform(0.85, 1.15, blank.shape)
        traffic = rates[disk, operation] * sizes
        counter = f"{'System' if disk == 'C' else 'Cache'} disk {operation} bytes"
        columns.append(
            [Column(name, "", counter, _row(traffic[row], blank[row]), plan.shape.digits) for row in range(plan.vms)]
        )
    return columns


def _active_sessions(plan: RunPlan, edges: Floats) -> Floats:
    """Sessions open at each stamp."""
    count = np.zeros_like(edges)
    for row, name in enumerate(plan.vm_names):
        for session in (one for one in plan.sessions if one.vm == name):
            count[row] += (edges[row] >= session.logon_end) & (edges[row] < session.logoff)
    return count


def _cpu(plan: RunPlan, rng: np.random.RandomState, edges: Floats, middles: Floats, sessions: Floats) -> Floats:
    """Processor time in percent; its mean over steady state and all VMs is `cpu_steady`."""
    steady = plan.phase("steady")
    most = max(float(sessions.max()), 1.0)
    level = 3.0 + (plan.cpu_steady - 3.0) * sessions[:, 1:] / most
    for name, height in (("boot", 62.0), ("logon", 1.25 * plan.cpu_steady)):
        phase = plan.phase(name)
        if phase is not None:
            within = (middles >= phase.start) & (middles < phase.end)
            lifted = np.full_like(level, height) if name == "boot" else level + 0.3 * (height - level)
            level = np.where(within, lifted, level)
    cpu = level * np.exp(0.16 * rng.standard_normal(level.shape))
    if steady is not None:
        share = overlap(edges, steady.start, steady.end)
        scale = plan.cpu_steady * share.sum() / (cpu * share).sum()
        cpu = np.where(share > 0.0, cpu * scale, cpu)
    return np.asarray(np.minimum(cpu, 100.0), dtype=np.float64)


def _available_mb(plan: RunPlan, rng: np.random.RandomState, edges: Floats, sessions: Floats, ram: Floats) -> Floats:
    """Free memory in MB: reduced by every session and by the contents of the RAM cache."""
    most = max(float(sessions.max()), 1.0)
    free = plan.memory_mb * (0.72 - 0.38 * sessions / most) - ram / cache.MIB
    held = np.maximum(free + 6 * rng.standard_normal(edges.shape), 64.0)
    return np.asarray(np.round(held), dtype=np.float64)
