"""The growth of a VM's written data, and how much of it is in the RAM cache and on the cache disk."""

from __future__ import annotations

import numpy as np

from .load import Floats
from .plan import RunPlan

MIB = 1024.0 * 1024.0
FULL = 0.992  # the driver reserves a little of its memory


def written_mb(plan: RunPlan, rng: np.random.RandomState, times: Floats) -> Floats:
    """Data written by each VM up to each time, in MB; VMs x rows, never falling."""
    growth = plan.growth
    if growth is None:
        return np.zeros_like(times)
    amount = np.full_like(times, growth.start)
    boot = plan.phase("boot")
    if boot is not None:
        amount += growth.boot * ((times - boot.start) / (boot.end - boot.start)).clip(0.0, 1.0)
    for row, name in enumerate(plan.vm_names):
        for session in (one for one in plan.sessions if one.vm == name):
            length = max(session.apps_started - session.logon_start, plan.interval_s)
            amount[row] += growth.per_logon * ((times[row] - session.logon_start) / length).clip(0.0, 1.0)
    steady = plan.phase("steady")
    if steady is not None:
        amount += growth.steady * (1.0 - np.exp(-np.maximum(times - steady.start, 0.0) / growth.settle_s))
    return amount * rng.uniform(0.97, 1.03, (plan.vms, 1))


def ram_used(plan: RunPlan, rng: np.random.RandomState, written: Floats) -> Floats:
    """Bytes of RAM cache in use: all written data, until the cache is full."""
    full = plan.ram_cache_mb * FULL
    held = np.minimum(written, full)
    wobble = np.where(written >= full, -0.002 * full * rng.random_sample(written.shape), 0.0)
    return np.round((held + wobble) * MIB / 4096) * 4096


def disk_used(plan: RunPlan, written: Floats) -> Floats:
    """Bytes on the cache disk: the data that did not fit into the RAM cache, in blocks of 2 MiB."""
    over = np.maximum(written - plan.ram_cache_mb * FULL, 0.0)
    return np.ceil(over / 2.0) * 2.0 * MIB


def spills(plan: RunPlan, written: Floats) -> Floats:
    """1 from the overflow of the RAM cache on, 0 before; VMs x rows."""
    return (written > plan.ram_cache_mb * FULL).astype(np.float64)
