"""The counters of the MCS storage driver: a RAM cache that fills, and a cache disk for the rest."""

from __future__ import annotations

import numpy as np

from .lab import MIB, Lab

DRIVER = "Citrix MCS Storage Driver"
RAM_MB = 256


def add_cache(lab: Lab, full: float, unit: float = 1.0) -> None:
    """Gives every VM a RAM cache that is full at `full` seconds; its use is written in units of this many bytes."""
    lab.manifest |= {"provisioning": "MCSIO", "write_cache": "device-ram-overflow", "ram_cache_mb": RAM_MB}
    used = RAM_MB * np.maximum(lab.log.times, 0.0) / full
    same = np.ones(lab.log.times.size)
    for vm in lab.vms:
        gauges = {
            "Cache memory used": np.minimum(used, RAM_MB) * MIB / unit,
            "Cache memory target size": RAM_MB * MIB * same,
            "Cache disk used": np.maximum(used - RAM_MB, 0.0) * MIB,
            "Cache disk size": 10240 * MIB * same,
        }
        lab.log.columns |= {(vm, rf"{DRIVER}\{name}"): np.round(values) for name, values in gauges.items()}
